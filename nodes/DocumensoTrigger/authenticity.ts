import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Refusal } from '../Documenso/engine/refusal';
import { knownCredential, readCredential, type TriggerCredential } from './credential';
import { carriesKey } from './registration';
import { carriesSecret, secretText } from './secret';
import { isAutomatic } from './settings';

/** The credential, if a delivery shows what only Documenso has: the secret, or the key of its subscription. */
export async function authenticate(
	context: IWebhookFunctions,
): Promise<TriggerCredential | undefined> {
	if (isAutomatic(context) && !carriesKey(context)) return undefined;
	const known = await knownCredential(context);
	if (known && isShown(context, known)) return known;
	// The secret may have been changed a moment ago.
	const credential = await readCredential(context);
	return isShown(context, credential) ? credential : undefined;
}

/** Throws a Refusal when deliveries could not be told from forged ones. */
export async function requireSecret(context: IHookFunctions) {
	const { webhookSecret } = await context.getCredentials<TriggerCredential>('documensoApi');
	if (secretText(webhookSecret) !== '' || acceptsUnverified(context)) return;
	throw new Refusal(
		"The credential has no webhook secret: enter one there, and the same in Documenso's webhook",
		"Without a secret in the Documenso API credential anyone who knows the URL could start this workflow; to allow that, switch on 'Accept Unverified Deliveries' under 'Options'.",
	);
}

/** A subscription delivers no secret; its key has been looked at. */
function isShown(
	context: IWebhookFunctions,
	{ webhookSecret, webhookHeader }: TriggerCredential,
): boolean {
	if (isAutomatic(context)) return true;
	const secret = secretText(webhookSecret);
	if (secret === '') return acceptsUnverified(context);
	return carriesSecret(context.getHeaderData(), secret, secretText(webhookHeader));
}

function acceptsUnverified(context: IHookFunctions | IWebhookFunctions): boolean {
	return context.getNodeParameter('options.acceptUnverified', false) === true;
}
