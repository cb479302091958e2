import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Refusal } from '../Documenso/engine/refusal';
import { knownCredential, readCredential, type TriggerCredential } from './credential';
import type { Settings } from './inputs';
import { carriesKey } from './registration';
import { carriesSecret, secretText } from './secret';

/** Returns the credential if a delivery carries what only Documenso has: the secret, or the key of its subscription. */
export async function authenticate(
	context: IWebhookFunctions,
	settings: Settings,
): Promise<TriggerCredential | undefined> {
	if (settings.isAutomatic && !carriesKey(context)) return undefined;
	const known = await knownCredential(context);
	if (known && isAuthentic(context, known, settings)) return known;
	// The secret may have been changed a moment ago.
	const credential = await readCredential(context);
	return isAuthentic(context, credential, settings) ? credential : undefined;
}

/** Throws a Refusal if anyone could forge deliveries. */
export async function requireSecret(context: IHookFunctions, { acceptsUnverified }: Settings) {
	const { webhookSecret } = await context.getCredentials<TriggerCredential>('documensoApi');
	if (secretText(webhookSecret) !== '' || acceptsUnverified) return;
	throw new Refusal(
		"The credential has no webhook secret: enter one there, and the same one in Documenso's webhook",
		"Without a secret in the Documenso API credential, anyone who knows the URL can start this workflow. To allow that, turn on 'Accept Unverified Deliveries' under 'Options'.",
	);
}

/** Deliveries to a subscription carry no secret; their key was checked before. */
function isAuthentic(
	context: IWebhookFunctions,
	{ webhookSecret, webhookHeader }: TriggerCredential,
	{ isAutomatic, acceptsUnverified }: Settings,
): boolean {
	if (isAutomatic) return true;
	const secret = secretText(webhookSecret);
	if (secret === '') return acceptsUnverified;
	return carriesSecret(context.getHeaderData(), secret, secretText(webhookHeader));
}
