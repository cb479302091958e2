import { createHash, timingSafeEqual } from 'node:crypto';

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../shared/api/clock';
import type { Credential } from '../shared/api/exchange';
import { Refusal } from '../shared/n8n/refusal';
import type { Settings } from './inputs';

type TriggerCredential = Credential & { webhookSecret?: string; webhookHeader?: string };

/**
 * How long a credential is reused, in milliseconds. To read one, n8n starts a sandbox for expressions, which takes longer
 * than everything else that this node does with a delivery.
 */
const FRESH_MS = 5_000;

/** How often deliveries with a wrong secret may have it read again, in milliseconds. Anyone can send them. */
const REFUSED_MS = 1_000;

interface Reading {
	credential: Promise<TriggerCredential>;
	/** When it began: milliseconds since the process began, by a clock that nobody sets. */
	at: number;
	/** Whether a delivery was refused by it, so that another reading soon after would hardly differ. */
	hasRefused: boolean;
}

/**
 * The last reading of each credential in each workflow. It belongs to n8n's process, because no object of n8n's lives from
 * one delivery to the next.
 */
const readings = new Map<string, Reading>();

/** Returns the credential if a delivery carries what only Documenso has: the secret, or the key of its subscription. */
export async function authenticate(
	context: IWebhookFunctions,
	settings: Settings,
): Promise<TriggerCredential | undefined> {
	if (settings.isAutomatic && !carriesKey(context)) return undefined;
	const known = knownReading(context);
	if (known && isAuthentic(context, await known.credential, settings))
		return await known.credential;
	// The secret may have been changed a moment ago.
	const reading = laterReading(context, known);
	const credential = await reading.credential;
	if (isAuthentic(context, credential, settings)) return credential;
	reading.hasRefused = true;
	return undefined;
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
function knownReading(context: IWebhookFunctions): Reading | undefined {
	const reading = readings.get(readingKey(context));
	const isFresh = reading !== undefined && clock.uptime() - reading.at < FRESH_MS;
	return isFresh && context.getMode() !== 'manual' ? reading : undefined;
}

/** A reading after one that refused a delivery; the same one if it refused another delivery less than a second ago. */
function laterReading(context: IWebhookFunctions, known: Reading | undefined): Reading {
	const latest = knownReading(context);
	// Another delivery had it read again meanwhile.
	if (latest && latest !== known) return latest;
	if (latest?.hasRefused && clock.uptime() - latest.at < REFUSED_MS) return latest;
	return readCredential(context);
}

function readCredential(context: IWebhookFunctions): Reading {
	const key = readingKey(context);
	const credential = context.getCredentials<TriggerCredential>('documensoApi');
	const reading = { credential, at: clock.uptime(), hasRefused: false };
	readings.set(key, reading);
	credential.catch(() => readings.delete(key));
	return reading;
}

function readingKey(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().credentials?.documensoApi?.id}`;
}

/** Whether a delivery came to the URL that `register` gave to Documenso. */
function carriesKey(context: IWebhookFunctions): boolean {
	const { key: received }: { key?: unknown } = context.getQueryData();
	const { key } = context.getWorkflowStaticData('node');
	return typeof received === 'string' && secretsMatch(secretText(key), received);
}

/** Documenso's header, and the one that white-label versions use. */
const HEADERS = ['x-documenso-secret', 'x-service-secret'];

/** A secret or a header's name, trimmed, because HTTP removes blanks at both ends of a header. */
export function secretText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Whether a delivery carries the secret, in the header that the credential names or else in a usual one. */
export function carriesSecret(
	headers: Record<string, unknown>,
	secret: string,
	ownHeader: string,
): boolean {
	const names = ownHeader === '' ? HEADERS : [ownHeader.toLowerCase()];
	return names
		.flatMap((name) => textsOf(headers[name]))
		.map((received) => secretsMatch(secret, received))
		.some((matches) => matches);
}

/** Node reads header bytes as Latin-1, but a sender may have written UTF-8. */
function textsOf(received: unknown): string[] {
	if (typeof received !== 'string') return [];
	return [received, Buffer.from(received, 'latin1').toString('utf8')];
}

/** Compares in constant time. Digests are equally long, so the time does not reveal the secret's length either. */
export function secretsMatch(expected: string, received: string): boolean {
	if (expected === '') return false;
	return timingSafeEqual(digest(expected), digest(received));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
