import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { secretMissingError } from '../Documenso/errors';
import { carriesKey } from './registration';
import { carriesSecret, secretText } from './secret';
import { isAutomatic } from './settings';

interface WebhookCredential {
	webhookSecret?: unknown;
	webhookHeader?: unknown;
}

/** Whether a delivery shows what only Documenso has: the secret, or the key of its subscription. */
export async function isAuthentic(context: IWebhookFunctions): Promise<boolean> {
	if (isAutomatic(context)) return carriesKey(context);
	const credential = await context.getCredentials<WebhookCredential>('documensoApi');
	const secret = secretText(credential.webhookSecret);
	if (secret === '') return acceptsUnverified(context);
	return carriesSecret(context.getHeaderData(), secret, secretText(credential.webhookHeader));
}

/** Throws a NodeOperationError when deliveries could not be told from forged ones. */
export async function requireSecret(context: IHookFunctions) {
	const { webhookSecret } = await context.getCredentials<WebhookCredential>('documensoApi');
	if (secretText(webhookSecret) !== '' || acceptsUnverified(context)) return;
	throw secretMissingError(context.getNode());
}

function acceptsUnverified(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('options.acceptUnverified', false) === true;
}
