import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { searchTemplateNumbers } from '../Documenso/pickers/envelopes';
import { authenticate, requireSecret } from './authenticity';
import { readDelivery } from './delivery';
import { fields } from './fields';
import { outputOf } from './output';
import { deregister, isRegistered, register } from './registration';
import { isRepeated } from './repetitions';
import { isAutomatic, isWanted, readSettings } from './settings';

export class DocumensoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Trigger',
		name: 'documensoTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		// One node: n8n evaluates an expression for each delivery to a trigger of version 1, but not to one of version 2.
		version: [1, 2],
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
					'<b>To try it out</b>, click Execute step, and let something happen in Documenso within two minutes. With manual registration, paste the <b>Test URL</b> into a webhook in Documenso before that.<br><br><b>When all is ready</b>, publish the workflow; with manual registration, paste the <b>Production URL</b> instead.',
				active:
					'This workflow starts by itself on the events you chose. <b>To try out changes</b>, click Execute step; with manual registration, paste the <b>Test URL</b> into a second webhook in Documenso before that.',
			},
			activationHint:
				'Once you publish the workflow, it starts by itself. Its runs are on the executions page.',
		},
		properties: fields,
	};

	methods = { listSearch: { searchTemplateNumbers } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				// Of a webhook that was pasted in nothing can be known.
				return isAutomatic(this) && (await isRegistered(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				readSettings(this);
				if (isAutomatic(this)) {
					await register(this);
				} else {
					await requireSecret(this);
					await deregister(this);
				}
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await deregister(this);
				return true;
			},
		},
	};

	/** n8n answers 200 once it has taken the execution. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const credential = await authenticate(this);
		if (!credential) return refuse(this, 401);
		const delivery = readDelivery(this.getBodyData());
		if (!delivery) return refuse(this, 400);
		const settings = readSettings(this);
		if (!isWanted(delivery, settings)) return acknowledged;
		if (await isRepeated(this, delivery, settings)) return acknowledged;
		const item = await outputOf(this, credential, delivery, settings);
		// Not let in, but to come again: Documenso may be down for a moment.
		if (!item) return refuse(this, 503);
		return { ...acknowledged, workflowData: [[item]] };
	}
}

const acknowledged: IWebhookResponseData = { webhookResponse: { received: true } };

/** Says nothing about what was wrong. */
function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}
