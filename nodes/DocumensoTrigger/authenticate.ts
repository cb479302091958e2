import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../Documenso/api/exchange';
import { Refusal } from '../Documenso/engine/refusal';
import type { Settings } from './inputs';
import { carriesKey } from './registration';
import { carriesSecret, secretText } from './secret';

type TriggerCredential = Credential & { webhookSecret?: string; webhookHeader?: string };

/**
 * How long a credential is reused, in milliseconds. To read one, n8n starts a sandbox for expressions, which takes longer
 * than everything else that this node does with a delivery.
 */
const FRESH_MS = 5_000;

/**
 * The last reading of each credential in each workflow, and when it began (milliseconds since the epoch). It belongs to
 * n8n's process, because no object of n8n's lives from one delivery to the next.
 */
const readings = new Map<string, { credential: Promise<TriggerCredential>; at: number }>();

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

/** The credential as it was read a moment ago. Tests in the editor read it anew: the user may just have changed it. */
async function knownCredential(context: IWebhookFunctions): Promise<TriggerCredential | undefined> {
	const reading = readings.get(readingKey(context));
	const isFresh = reading !== undefined && Date.now() - reading.at < FRESH_MS;
	return isFresh && context.getMode() !== 'manual' ? await reading.credential : undefined;
}

async function readCredential(context: IWebhookFunctions): Promise<TriggerCredential> {
	const key = readingKey(context);
	const credential = context.getCredentials<TriggerCredential>('documensoApi');
	readings.set(key, { credential, at: Date.now() });
	credential.catch(() => readings.delete(key));
	return await credential;
}

function readingKey(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().credentials?.documensoApi?.id}`;
}
