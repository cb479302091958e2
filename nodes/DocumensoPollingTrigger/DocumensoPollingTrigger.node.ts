import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { HttpClient, type Client } from '../shared/api/client';
import { mapConcurrently } from '../shared/api/concurrency';
import { credentialTest } from '../shared/n8n/credentialTest';
import { addHint } from '../shared/n8n/hint';
import { propertiesOf } from '../shared/n8n/input';
import { withNodeErrors } from '../shared/n8n/nodeError';
import { searchTemplateNumbers } from '../shared/pickers/envelopes';
import { failedItem, ofEvent, withAdditions } from '../shared/events/additions';
import type { DocumensoEvent } from '../shared/events/event';
import { isSelected } from '../shared/events/filters';
import { checkedSelection } from '../shared/events/inputs';
import { rawDocument, shownRecord, SIMPLIFIED_HINT, simplifyEvent } from '../shared/events/output';
import { look, mayBePublishing } from '../shared/polls/look';
import { examples } from '../shared/polls/poll';
import { withoutStates } from '../shared/polls/stored';
import { inputs, readSettings, type Settings } from './inputs';
import { leave, progressOf } from './progress';

/** Items that are completed at a time. */
const FETCHES = 4;

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
		builderHint: {
			searchHint: `Only where Documenso cannot reach n8n; documensoTrigger is immediate. Each event is reported once, and nothing has to be marked as handled. ${SIMPLIFIED_HINT}`,
		},
	};

	methods = { credentialTest, listSearch: { searchTemplateNumbers } };

	/** Runs first in an execution. A test in the editor runs it alone, without a poll. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);
			const items =
				this.getMode() === 'manual'
					? await exampleItems(this, settings)
					: withoutStates(this, this.getInputData());
			const add = async (item: INodeExecutionData) =>
				await withAdditions(this, item, { ...settings, wasThere: true }).catch((caught: unknown) =>
					failedItem(this, item, ofEvent(caught, item, items.length)),
				);
			return [await mapConcurrently(items, () => FETCHES, add)];
		});
	}

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await withNodeErrors(this, async () => {
			const settings = readSettings(this);
			const selection = checkedSelection(settings);
			const before = progressOf(this);
			const looked = await look(this, before, {
				isFirstLimited: true,
				isBrief: mayBePublishing(this),
			});
			if (!looked) return null;
			const items = looked.events
				.filter((event) => isSelected(event, selection))
				.map((event) => itemOf(looked.client, event, settings));
			leave(this, before, looked, items.length > 0);
			return items.length > 0 ? [items] : null;
		});
	}
}

/** For a test in the editor: an item for each selected event, if there is a document for it. */
async function exampleItems(
	context: IExecuteFunctions,
	settings: Settings,
): Promise<INodeExecutionData[]> {
	const selection = settings.selection();
	const client = await HttpClient.of(context);
	const events = await examples(client, selection);
	const nothing = 'Documenso has no document that fits the events and filters.';
	if (events.length === 0) addHint(context, nothing);
	return events.map((event) => itemOf(client, event, settings));
}

function itemOf(client: Client, event: DocumensoEvent, { simple }: Settings): INodeExecutionData {
	const about = { event: event.name, eventId: event.eventId };
	const json = simple
		? { ...about, isTest: false, ...simplifyEvent(client, event) }
		: { ...about, document: shownRecord(rawDocument(event)) };
	return { json };
}
