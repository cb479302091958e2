import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { propertiesOf } from '../Documenso/engine/input';
import { searchTemplateNumbers } from '../Documenso/pickers/envelopes';
import { passes } from '../events/filters';
import { ANY_EVENT } from '../events/names';
import { nodeMethod } from '../events/nodeMethod';
import { readSelection } from '../events/selection';
import { authenticate, requireSecret } from './authenticate';
import { confirm } from './confirm';
import { deduplicate } from './deduplicate';
import { emit } from './emit';
import { enrich } from './enrich';
import { inputs } from './inputs';
import { Lookup } from './lookup';
import { parse, type Delivery } from './parse';
import { deregister, isRegistered, register } from './registration';
import { readSettings, type Settings } from './settings';
import { learnTeams } from './teams';

export class DocumensoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Trigger',
		name: 'documensoTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		// The first version: for each delivery to a trigger of version 1, n8n evaluates an expression that is of no use here.
		version: 2,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts a workflow when something happens to a document or template',
		defaults: { name: 'Documenso Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'documensoApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Without it n8n answers with the literal text "firstEntryJson".
				responseData: '',
				path: 'webhook',
			},
		],
		triggerPanel: {
			header: '',
			executionsHelp: {
				inactive:
					'<b>To test</b>, click Execute step, then cause an event in Documenso within two minutes. With manual registration, first paste the <b>Test URL</b> into a webhook in Documenso.<br><br><b>When you are ready</b>, publish the workflow. With manual registration, replace the URL by the <b>Production URL</b>.',
				active:
					'This workflow starts on the events you selected. <b>To test changes</b>, click Execute step, then cause an event in Documenso. With manual registration, first paste the <b>Test URL</b> into a second webhook in Documenso.',
			},
			activationHint:
				'Once you publish the workflow, events start it. You can see its runs on the executions page.',
		},
		properties: propertiesOf(inputs),
	};

	methods = { listSearch: { searchTemplateNumbers } };

	webhookMethods = {
		default: {
			checkExists: nodeMethod(async (context: IHookFunctions): Promise<boolean> => {
				const { isAutomatic, selection } = readSettings(context);
				// Nothing tells whether a URL was pasted into Documenso.
				if (!isAutomatic) return false;
				if (!(await isRegistered(context, readSelection(selection).events))) return false;
				await learnTeams(context);
				return true;
			}),

			create: nodeMethod(async (context: IHookFunctions): Promise<boolean> => {
				const settings = readSettings(context);
				const { events } = readSelection(settings.selection);
				if (settings.isAutomatic) {
					await register(context, events);
				} else {
					await requireSecret(context, settings);
					await deregister(context);
				}
				await learnTeams(context);
				return true;
			}),

			delete: nodeMethod(async (context: IHookFunctions): Promise<boolean> => {
				await deregister(context);
				return true;
			}),
		},
	};

	/** n8n answers 200 once it has accepted the execution. */
	webhook = nodeMethod(async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
		const settings = readSettings(context);
		const credential = await authenticate(context, settings);
		if (!credential) return refuse(context, 401);
		const delivery = parse(context.getBodyData());
		if (!delivery) return refuse(context, 400);
		if (!select(delivery, settings)) return acknowledged;
		const lookup = await Lookup.of(context, credential, delivery, settings);
		// Documenso retries it: it may only be down for a moment.
		if (!(await confirm(context, lookup, delivery, settings))) return refuse(context, 503);
		if (!(await deduplicate(context, delivery, settings))) return acknowledged;
		const enrichment = await enrich(context, lookup, delivery, settings);
		const item = await emit(context, lookup, delivery, settings, enrichment);
		return { ...acknowledged, workflowData: [[item]] };
	});
}

const acknowledged: IWebhookResponseData = { webhookResponse: { received: true } };

/** Does not say what was wrong. */
function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** Whether the user wants the event. */
function select({ event }: Delivery, { selection }: Settings): boolean {
	const { events, filters } = readSelection(selection);
	return (events.includes(ANY_EVENT) || events.includes(event.name)) && passes(event, filters);
}
