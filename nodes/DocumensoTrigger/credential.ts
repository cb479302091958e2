import type { IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../Documenso/api/exchange';

export type TriggerCredential = Credential & { webhookSecret?: string; webhookHeader?: string };

/**
 * How long a credential is reused, in milliseconds. Each time n8n reads one, it starts a sandbox for expressions, which
 * takes longer than everything that this node does with a delivery.
 */
const FRESH_MS = 5_000;

interface Reading {
	credential: Promise<TriggerCredential>;
	/** Milliseconds since the epoch. */
	at: number;
}

/**
 * The last reading of each credential in each workflow. Like the memory of deliveries, it belongs to n8n's process,
 * because no object of n8n's lives from one delivery to the next.
 */
const readings = new Map<string, Reading>();

/** What was read a moment ago. In a test in the editor it is read anew: the user may just have changed it. */
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
