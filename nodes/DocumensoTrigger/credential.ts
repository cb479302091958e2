import type { IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../Documenso/api/exchange';

export type TriggerCredential = Credential & { webhookSecret?: string; webhookHeader?: string };

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

/** The credential as it was read a moment ago. Tests in the editor read it anew: the user may just have changed it. */
export async function knownCredential(
	context: IWebhookFunctions,
): Promise<TriggerCredential | undefined> {
	const reading = readings.get(keyOf(context));
	const isFresh = reading !== undefined && Date.now() - reading.at < FRESH_MS;
	return isFresh && context.getMode() !== 'manual' ? await reading.credential : undefined;
}

export async function readCredential(context: IWebhookFunctions): Promise<TriggerCredential> {
	const key = keyOf(context);
	const credential = context.getCredentials<TriggerCredential>('documensoApi');
	readings.set(key, { credential, at: Date.now() });
	credential.catch(() => readings.delete(key));
	return await credential;
}

function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().credentials?.documensoApi?.id}`;
}
