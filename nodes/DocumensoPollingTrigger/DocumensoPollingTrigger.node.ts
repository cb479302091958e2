import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { HttpClient } from '../Documenso/api/client';
import { mapConcurrently } from '../Documenso/api/concurrency';
import { CREDENTIAL, type Credential } from '../Documenso/api/exchange';
import { credentialTest } from '../Documenso/engine/credentialTest';
import { propertiesOf } from '../Documenso/engine/input';
import { withNodeErrors } from '../Documenso/engine/nodeError';
import { searchTemplateNumbers } from '../Documenso/pickers/envelopes';
import { listen } from '../Documenso/waiting/listeners';
import type { Marked } from '../Documenso/waiting/unmark';
import { withAdditions } from '../events/additions';
import { passes } from '../events/filters';
import { nudge } from '../events/nudge';
import { publicAddress } from '../events/resumeAddress';
import { inputs, readSettings, type Settings } from './inputs';
import { eventOf, itemsOf } from './output';
import { begin, examples, poll } from './poll';
import { readState, writeState } from './state';

/** For n8n versions that do not say how long a poll may take. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** Items that are completed at a time. */
const FETCHES = 4;

/** Nudges under way at a time. */
const NUDGES = 4;

/** The limits of a nudge, in milliseconds. The next poll tries again. */
const LIMITS = { timeout: 30_000, patience: 0 };

export class DocumensoPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Polling Trigger',
		name: 'documensoPollingTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["events"].join(", ").replace(/_/g, " ").replace(/\\B[A-Z]/g, (letter) => letter.toLowerCase()) }}',
		description:
			'Starts a workflow when documents are created, sent or finished, by polling Documenso: no webhook needed',
		defaults: { name: 'Documenso Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true, testedBy: 'testDocumensoApi' }],
		properties: propertiesOf(inputs),
	};

	methods = { credentialTest, listSearch: { searchTemplateNumbers } };

	/** Runs first in an execution. A test in the editor runs it alone, without a poll. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);
			const items =
				this.getMode() === 'manual' ? await exampleItems(this, settings) : this.getInputData();
			const add = async (item: INodeExecutionData) => await withAdditions(this, item, settings);
			return [await mapConcurrently(items, () => FETCHES, add)];
		});
	}

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);

			const budgetMs = budgetOf(this);
			const client = await HttpClient.of(this, { deadline: AbortSignal.timeout(budgetMs) });
			listen(this, client);
			const store = this.getWorkflowStaticData('node');
			const before = store.state;
			const known = readState(before, client.account);
			// No new reads start after half of the time; the other half is for those under way.
			const halfTime = Date.now() + budgetMs / 2;
			const { occurrences, ended, state } = known
				? await poll(client, known, () => Date.now() > halfTime)
				: await begin(client);
			state.unreached = await wake(this, [...state.unreached, ...ended]);
			const items = itemsOf(client, occurrences, settings);
			// n8n may start a poll while another is under way; what that one has reported is not reported again.
			if (store.state !== before) return null;
			const after = writeState(state);
			if (after !== before) store.state = after;
			return output(items);
		});
	}
}

/** For a test in the editor: an item for each selected event, if there is a document for it. */
async function exampleItems(
	context: IExecuteFunctions,
	settings: Settings,
): Promise<INodeExecutionData[]> {
	const { events, filters } = settings.selection;
	const client = await HttpClient.of(context);
	const found = await examples(client, events, (occurrence) =>
		passes(eventOf(occurrence), filters),
	);
	return itemsOf(client, found, settings).map((json) => ({ json }));
}

/** How long the poll may take, in milliseconds. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

function output(items: ReturnType<typeof itemsOf>): INodeExecutionData[][] | null {
	return items.length > 0 ? [items.map((json) => ({ json }))] : null;
}

/** Wakes the executions that wait for these documents. Returns those for which the next poll has to try again. */
async function wake(context: IPollFunctions, documents: Marked[]): Promise<Marked[]> {
	const credential = await context.getCredentials<Credential>(CREDENTIAL);
	const addresses = () => [publicAddress(context)];
	const byId = new Map(documents.map(({ id, externalId }) => [id, { id, externalId }]));
	const unreached = await mapConcurrently(
		byId.values(),
		() => NUDGES,
		async (document) => {
			const isReached = await nudge(context, document, { credential, addresses, ...LIMITS });
			return isReached ? [] : [document];
		},
	);
	return unreached.flat();
}
