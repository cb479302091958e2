import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { passes, readFilters } from '../Documenso/events/filters';
import { searchTemplateNumbers } from '../Documenso/pickers/envelopes';
import { trueOrFalse } from '../Documenso/engine/values';
import { Client } from '../Documenso/api/client';
import { examples } from './examples';
import { fields } from './fields';
import { eventOf, itemsOf, type Wanted } from './output';
import { begin, poll } from './poll';
import { accountOf, readState, writeState } from './state';

/** Where n8n does not say how long a poll may take. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

export class DocumensoPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Polling Trigger',
		name: 'documensoPollingTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description:
			'Starts a workflow when documents were created, sent or finished, without a webhook: it asks Documenso from time to time',
		defaults: { name: 'Documenso Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true }],
		properties: fields,
	};

	methods = { listSearch: { searchTemplateNumbers } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const wanted = readWanted(this);
		const budgetMs = budgetOf(this);
		const client = await Client.of(this, { deadline: AbortSignal.timeout(budgetMs) });
		if (this.getMode() === 'manual') {
			const found = await examples(client, wanted.events, (occurrence) =>
				passes(eventOf(client, occurrence), wanted.filters),
			);
			return output(itemsOf(client, found, wanted));
		}

		const { apiToken = '' } = await this.getCredentials<{ apiToken?: string }>('documensoApi');
		const account = accountOf(client.site, apiToken);
		const store = this.getWorkflowStaticData('node') as { state?: string };
		const before = store.state;
		const known = readState(before, account);
		// Half of the time is left for what is under way when nothing more is begun.
		const halfTime = Date.now() + budgetMs / 2;
		const { occurrences, state } = known
			? await poll(client, known, () => Date.now() > halfTime)
			: { occurrences: [], state: await begin(client, account) };
		const items = itemsOf(client, occurrences, wanted);
		// n8n may begin a poll while another is under way: what that one has reported is not reported again.
		// (With cursors that are kept for each poll, n8n itself refuses the later one.)
		if (store.state !== before) return null;
		const after = writeState(state);
		if (after !== before) store.state = after;
		return output(items);
	}
}

function readWanted(context: IPollFunctions): Wanted {
	return {
		events: context.getNodeParameter('events', []) as string[],
		filters: readFilters(context.getNodeParameter('filters', {})),
		simple: trueOrFalse.catch(true).parse(context.getNodeParameter('simple', true)),
		withSigningPages: context.getNodeParameter('options.includeSigningLinks', false) === true,
	};
}

/** Milliseconds; older n8n gives none. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

function output(items: ReturnType<typeof itemsOf>): INodeExecutionData[][] | null {
	return items.length > 0 ? [items.map((json) => ({ json }))] : null;
}
