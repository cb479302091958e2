import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { isSelected, readEvent } from './event';
import { fields } from './fields';
import { carriesSecret, secretText } from './secret';

interface WebhookCredential {
	webhookSecret?: unknown;
	webhookHeader?: unknown;
}

export class DocumensoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Documenso Trigger',
		name: 'documensoTrigger',
		icon: { light: 'file:../../icons/documenso.svg', dark: 'file:../../icons/documenso.dark.svg' },
		group: ['trigger'],
		version: 1,
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
					'<b>To try it out</b>, paste the <b>Test URL</b> into a webhook in Documenso, click Execute step, and let something happen there within two minutes.<br><br><b>When all is ready</b>, publish the workflow and paste the <b>Production URL</b> instead.',
				active:
					'This workflow starts by itself on the events you chose, through the <b>Production URL</b>. <b>To try out changes</b>, paste the <b>Test URL</b> into a second webhook in Documenso and click Execute step.',
			},
			activationHint:
				'Once you publish the workflow, it starts by itself. Its runs are on the executions page.',
		},
		properties: fields,
	};

	// Documenso lets nobody register a webhook with an API token: it is pasted in by hand.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { webhookSecret } = await this.getCredentials<WebhookCredential>('documensoApi');
				if (secretText(webhookSecret) !== '' || acceptsUnverified(this)) return true;
				throw new NodeOperationError(this.getNode(), 'The credential has no webhook secret', {
					description:
						"Enter one in the Documenso API credential, and the same one in Documenso's webhook. Without it anyone who knows the URL could start this workflow; to allow that, switch on 'Accept Unverified Deliveries' under 'Options'.",
				});
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	/** Authenticate, parse, filter, emit. n8n answers 200 once it has taken the execution. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		if (!(await isAuthentic(this))) return refuse(this, 401);
		const event = readEvent(this.getBodyData());
		if (!event) return refuse(this, 400);
		const selected = this.getNodeParameter('events', []) as string[];
		if (!isSelected(event, selected)) return { webhookResponse: { received: true } };
		return {
			webhookResponse: { received: true },
			workflowData: [[{ json: event as IDataObject }]],
		};
	}
}

async function isAuthentic(context: IWebhookFunctions): Promise<boolean> {
	const credential = await context.getCredentials<WebhookCredential>('documensoApi');
	const secret = secretText(credential.webhookSecret);
	if (secret === '') return acceptsUnverified(context);
	return carriesSecret(context.getHeaderData(), secret, secretText(credential.webhookHeader));
}

function acceptsUnverified(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('options.acceptUnverified', false) === true;
}

/** Says nothing about what was wrong. */
function refuse(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}
