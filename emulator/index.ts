import type { AddressInfo } from 'node:net';
import type { Call, Counts } from './http/calls';
import { injectFault, type Fault } from './http/faults';
import type { Answer, Asked, Interceptor, Line, Passed, Reply } from './http/intercept';
import { withDefaults, type EmulatorOptions } from './options';
import { createParts, deliver, resetParts, settled } from './parts';
import { createServer } from './server';
import type { FieldValues } from './signing/complete';
import { expire, reject, remind, sign, type NextSigner } from './signing/sign';
import { useDirectLink, type Visitor } from './signing/visit';
import type { Store } from './store';
import type { Delivery, RegisteredWebhook, Webhook } from './webhooks/delivery';
import type { DeliveryOrder, WhichDelivery } from './webhooks/dispatcher';
import type { WebhookEvent } from './webhooks/events';

export { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, type EmulatorOptions } from './options';
export type { Call, Counts, Delivery, DeliveryOrder, Fault, Store, Webhook, WebhookEvent };
export type { Answer, Asked, Interceptor, Passed, Reply };

export interface Emulator {
	/** Origin and base path; the API is at `${url}/api/v2`. */
	url: string;
	store: Store;
	/** API calls only, in order of arrival. */
	calls: Call[];
	/** The highest number of concurrent API calls since the last reset. */
	readonly maxInFlight: number;
	/** A summary of the calls since the last reset. */
	counts(): Counts;
	deliveries: Delivery[];
	webhooks: Webhooks;
	/** The next calls of one kind fail: `intercept` for what can be said in JSON, and is possible over HTTP, too. */
	fail(fault: Fault): void;
	/**
	 * From now on, a function stands between clients and these API requests (`POST /envelope/use`, with `*` for anything), as a
	 * proxy does: it answers in place of Documenso, passes them on later or twice, changes answers, or leaves them alone.
	 * `calls` has each request once, whatever becomes of it. Returns what removes the function again.
	 */
	intercept(line: Line, handler: Interceptor): () => void;
	/**
	 * Signs for a recipient. With `fields`, by ID or label, the others stay empty but for those that take
	 * one click, such as the signature; without it, every field gets a value that its rules allow.
	 * An assistant also fills in the fields of others that are given by ID.
	 */
	sign(token: string, options?: { fields?: FieldValues; nextSigner?: NextSigner }): Promise<void>;
	reject(token: string, reason: string): Promise<void>;
	expire(recipientId: number): void;
	/** Sends a document's recipients the automatic reminders that would be due some day. */
	remind(envelopeId: string): void;
	/** Somebody fills in the template of a direct link; returns the new document's ID. */
	useDirectLink(token: string, visitor: Visitor): Promise<string>;
	/** Delivers an event about an envelope, whatever its state; once by default. */
	deliver(event: WebhookEvent, envelopeId: string, times?: number): Promise<void>;
	/** Resolves when sealing, deliveries and what interceptors pass on later are done. */
	settled(): Promise<void>;
	/** Restores the seed, and removes all webhooks, interceptors and records. */
	reset(): Promise<void>;
	close(): Promise<void>;
}

export interface Webhooks {
	add(webhook: Webhook): void;
	/** Those added here or on the page, and the subscriptions made with API tokens. */
	list(): readonly RegisteredWebhook[];
	clear(): void;
	/** The dashboard's test: a sample payload to every webhook subscribed to the event. */
	test(event: WebhookEvent): Promise<void>;
	/** The dashboard's resend: the same event and payload again, with another date. */
	resend(which: WhichDelivery): Promise<void>;
	/** Holds deliveries back until `resume`; meanwhile `settled` does not wait for them. */
	pause(): void;
	resume(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const settings = withDefaults(options);
	const parts = createParts(settings);
	const { instance, webhooks, calls, interceptors, origin } = parts;
	const reset = async (): Promise<void> => await resetParts(parts, settings.seed);
	const app = createServer(parts, settings, reset);
	await reset();
	const { host, basePath } = settings;
	await app.listen({ port: settings.port, host });
	const { port } = app.server.address() as AddressInfo;
	// No link works with an address that means "every interface".
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	origin.url = `http://${name}:${port}${basePath}`;

	const delivered = async (cause: () => void): Promise<void> => {
		cause();
		await settled(parts);
	};
	return {
		url: origin.url,
		store: instance.store,
		calls: calls.calls,
		get maxInFlight() {
			return calls.maxInFlight;
		},
		counts: () => calls.counts(),
		deliveries: webhooks.deliveries,
		webhooks: {
			add: (webhook) => webhooks.add(webhook),
			list: () => webhooks.list(),
			clear: () => webhooks.clear(),
			test: async (event) => await delivered(() => webhooks.test(event)),
			resend: async (which) => await delivered(() => webhooks.resend(which)),
			pause: () => webhooks.pause(),
			resume: async () => await delivered(() => webhooks.resume()),
		},
		fail: (fault) => injectFault(interceptors, fault),
		intercept: (line, handler) => interceptors.add(line, handler),
		sign: async (token, { fields, nextSigner } = {}) =>
			void sign(instance, token, fields, nextSigner),
		reject: async (token, reason) => void reject(instance, token, reason),
		expire: (recipientId) => expire(instance, recipientId),
		remind: (envelopeId) => remind(instance, envelopeId),
		useDirectLink: async (token, visitor) => (await useDirectLink(instance, token, visitor)).id,
		deliver: async (event, envelopeId, times = 1) =>
			await delivered(() => deliver(parts, event, envelopeId, times)),
		settled: async () => await settled(parts),
		reset,
		close: async () => {
			instance.jobs.cancel();
			webhooks.abort();
			await app.close();
			await instance.pdfText.close();
			await instance.files.clear();
		},
	};
}
