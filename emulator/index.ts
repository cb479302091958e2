import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { controlPlane } from './control';
import type { Team, User } from './entities';
import { remind } from './envelopes/remind';
import { expire, reject, sign, type FieldValues } from './envelopes/sign';
import { useDirectLink, type Visitor } from './envelopes/visit';
import { notFound } from './errors';
import { FileStore } from './files';
import { api } from './http/api';
import { apiV1 } from './http/apiV1';
import type { ApiToken } from './http/auth';
import { CallLog, type Call, type Counts } from './http/calls';
import { Capacity, type CapacityOptions } from './http/capacity';
import { Faults, type Fault } from './http/faults';
import { RateLimiter, type RateLimitOptions } from './http/rateLimit';
import type { Instance } from './instance';
import { Jobs } from './jobs';
import { pages } from './pages/pages';
import { PdfTextReader } from './pdf/textReader';
import { seedDemo } from './seed/demo';
import { Store } from './store';
import {
	WebhookDispatcher,
	type Delivery,
	type DeliveryOrder,
	type Webhook,
	type WhichDelivery,
} from './webhooks/dispatcher';
import type { WebhookEvent } from './webhooks/payload';

export type { Call, Counts, Delivery, DeliveryOrder, Fault, Store, Webhook, WebhookEvent };

/** The token every emulator knows unless it is given others. */
export const DEMO_TOKEN = 'api_local_emulator_only';

export const DEMO_USER: User = { id: 1, name: 'Demo Owner', email: 'owner@example.com' };
export const DEMO_TEAM: Team = { id: 1, url: 'demo', name: 'Demo Team' };

const API_PREFIXES = ['/api/v2', '/api/v2-beta'];

export interface EmulatorOptions {
	/** Any free port unless told. */
	port?: number;
	host?: string;
	/** Where a reverse proxy would have put the service: `/sign-app`. */
	basePath?: string;
	seed?: 'empty' | 'demo';
	tokens?: readonly ApiToken[];
	rateLimit?: RateLimitOptions;
	clock?: () => Date;
	/** How long the last signature waits for its document to become COMPLETED. */
	sealDelayMs?: number;
	/** Added to every API answer: what the network costs. */
	latencyMs?: number;
	/** No call waits for another one unless told. */
	capacity?: CapacityOptions;
	/** How long a webhook may take to answer; the service gives it 10 s. */
	webhookTimeoutMs?: number;
	/** `inOrder` unless told; what `concurrent` shuffles depends on `deliverySeed` only. */
	deliveries?: DeliveryOrder;
	deliverySeed?: number;
	/** As the service does (contract §3.1, §3.4); then nothing can be delivered to this machine. */
	refusePrivateUrls?: boolean;
	/** The service's default is 50 MB: 50,000,000 bytes. */
	maxFileBytes?: number;
}

export interface Emulator {
	/** Origin and base path; the API is at `${url}/api/v2`. */
	url: string;
	store: Store;
	/** API calls only, in order of arrival. */
	calls: Call[];
	/** The most API calls that were being answered at once since the last reset. */
	readonly maxInFlight: number;
	/** What came in since the last reset, summed up. */
	counts(): Counts;
	deliveries: Delivery[];
	webhooks: Webhooks;
	fail(fault: Fault): void;
	/** Signs for a recipient; fields without a value, by id or label, get a sensible one. */
	sign(token: string, options?: { fields?: FieldValues }): Promise<void>;
	reject(token: string, reason: string): Promise<void>;
	expire(recipientId: number): void;
	/** Mails the automatic reminders that are due to a document's recipients some day. */
	remind(envelopeId: string): void;
	/** Somebody fills in the template of a direct link; answers the new document's id. */
	useDirectLink(token: string, visitor: Visitor): Promise<string>;
	/** Delivers an event about an envelope as it is, whatever its state; once unless told. */
	deliver(event: WebhookEvent, envelopeId: string, times?: number): Promise<void>;
	/** Resolves when sealing and deliveries are done. */
	settled(): Promise<void>;
	/** Back to the seed, with nothing recorded and no webhooks or faults left. */
	reset(): Promise<void>;
	close(): Promise<void>;
}

export interface Webhooks {
	add(webhook: Webhook): void;
	/** Those added, and the subscriptions made with API tokens. */
	list(): readonly Webhook[];
	clear(): void;
	/** The dashboard's test: a made-up payload to every webhook that wants the event. */
	test(event: WebhookEvent): Promise<void>;
	/** The dashboard's resend: the same event and payload again, with another date. */
	resend(which: WhichDelivery): Promise<void>;
	/** Keeps deliveries back until `resume`; meanwhile `settled` does not wait for them. */
	pause(): void;
	resume(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const parts = createParts(options);
	const { instance, webhooks, calls, faults } = parts;
	const reset = async (): Promise<void> => await resetParts(parts, options);
	const app = createServer(parts, options, reset);
	await reset();
	const host = options.host ?? '127.0.0.1';
	await app.listen({ port: options.port ?? 0, host });
	const { port } = app.server.address() as AddressInfo;
	// An address that means "every interface" is none to link to.
	const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
	parts.origin.url = `http://${name}:${port}${options.basePath ?? ''}`;

	return {
		url: parts.origin.url,
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
			test: async (event) => await delivered(parts, () => webhooks.test(event)),
			resend: async (which) => await delivered(parts, () => webhooks.resend(which)),
			pause: () => webhooks.pause(),
			resume: async () => await delivered(parts, () => webhooks.resume()),
		},
		fail: (fault) => faults.add(fault),
		sign: async (token, { fields } = {}) => void sign(instance, token, fields),
		reject: async (token, reason) => void reject(instance, token, reason),
		expire: (recipientId) => expire(instance, recipientId),
		remind: (envelopeId) => remind(instance, envelopeId),
		useDirectLink: async (token, visitor) => (await useDirectLink(instance, token, visitor)).id,
		deliver: async (event, envelopeId, times = 1) => {
			await delivered(parts, () => deliver(parts, event, envelopeId, times));
		},
		settled: async () => await settled(parts),
		reset,
		close: async () => {
			parts.jobs.cancel();
			webhooks.abort();
			await app.close();
			await instance.pdfText.close();
			await instance.files.clear();
		},
	};
}

interface Parts {
	instance: Instance;
	webhooks: WebhookDispatcher;
	jobs: Jobs;
	calls: CallLog;
	faults: Faults;
	/** The service counts calls to either version by themselves (contract §2.4). */
	rateLimiters: { v1: RateLimiter; v2: RateLimiter };
	origin: { url: string };
}

function createParts(options: EmulatorOptions): Parts {
	const now = options.clock ?? (() => new Date());
	const webhooks = new WebhookDispatcher({
		now,
		timeoutMs: options.webhookTimeoutMs ?? 10_000,
		order: options.deliveries ?? 'inOrder',
		seed: options.deliverySeed ?? 1,
		refusePrivateUrls: options.refusePrivateUrls ?? false,
	});
	const jobs = new Jobs();
	const origin = { url: '' };
	const instance: Instance = {
		store: new Store(),
		files: new FileStore(),
		pdfText: new PdfTextReader(),
		jobs,
		sealDelayMs: options.sealDelayMs ?? 150,
		now,
		baseUrl: () => origin.url,
		emit: (event, envelope) => webhooks.emit(event, envelope),
	};
	const rateLimit = options.rateLimit ?? { limit: 1000, windowMs: 60_000 };
	const rateLimiters = {
		v1: new RateLimiter(rateLimit, now),
		v2: new RateLimiter(rateLimit, now),
	};
	return {
		instance,
		webhooks,
		jobs,
		calls: new CallLog(),
		faults: new Faults(),
		rateLimiters,
		origin,
	};
}

function createServer(parts: Parts, options: EmulatorOptions, reset: () => Promise<void>) {
	const app = fastify({
		bodyLimit: Number.MAX_SAFE_INTEGER,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 2000 },
	});
	const demoToken = { token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM };
	const apiOptions = {
		...parts,
		tokens: options.tokens ?? [demoToken],
		maxFileBytes: options.maxFileBytes ?? 50_000_000,
		latencyMs: options.latencyMs ?? 0,
		capacity: new Capacity(options.capacity),
		now: () => parts.instance.now(),
		refusePrivateUrls: options.refusePrivateUrls ?? false,
	};
	const { v1, v2 } = parts.rateLimiters;
	const base = options.basePath ?? '';
	for (const prefix of API_PREFIXES) {
		void app.register(api, { ...apiOptions, rateLimiter: v2, prefix: base + prefix });
	}
	const v1Options = { ...apiOptions, rateLimiter: v1, pathRoot: base };
	void app.register(apiV1, { ...v1Options, prefix: `${base}/api/v1` });
	const actions = {
		owner: { user: DEMO_USER, team: DEMO_TEAM, role: 'ADMIN' } as const,
		reset,
		deliver: (event: WebhookEvent, envelopeId: string, times: number) =>
			deliver(parts, event, envelopeId, times),
		expire: (recipientId: number) => expire(parts.instance, recipientId),
	};
	void app.register(controlPlane, { ...parts, ...actions, prefix: `${base}/__emulator` });
	void app.register(pages, { ...parts, prefix: base });
	return app;
}

function deliver(
	{ instance, webhooks }: Parts,
	event: WebhookEvent,
	envelopeId: string,
	times: number,
): void {
	const envelope = instance.store.envelopes.get(envelopeId);
	if (!envelope) throw notFound(`No envelope ${envelopeId}`);
	for (let time = 1; time <= times; time += 1) webhooks.emit(event, envelope);
}

async function delivered(parts: Parts, cause: () => void): Promise<void> {
	cause();
	await settled(parts);
}

/** Sealing emits events and a delivery may follow a delivery, so it looks until all is quiet. */
async function settled({ jobs, webhooks }: Parts): Promise<void> {
	for (let work = pendingWork(); work.length > 0; work = pendingWork()) await Promise.all(work);

	function pendingWork(): Array<Promise<void>> {
		return [...jobs.pending, ...webhooks.pending];
	}
}

async function resetParts(parts: Parts, options: EmulatorOptions): Promise<void> {
	const { instance, webhooks, jobs, calls, faults, rateLimiters } = parts;
	jobs.cancel();
	webhooks.reset();
	calls.clear();
	faults.clear();
	rateLimiters.v1.reset();
	rateLimiters.v2.reset();
	instance.store.clear();
	await instance.files.clear();
	if (options.seed === 'demo') await seedDemo(instance, DEMO_USER, DEMO_TEAM);
}
