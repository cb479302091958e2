import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { controlPlane } from './control';
import type { Team, User } from './entities';
import { expire, reject, sign, type FieldValues } from './envelopes/sign';
import { FileStore } from './files';
import { api } from './http/api';
import type { ApiToken } from './http/auth';
import { CallLog, type Call } from './http/calls';
import { Faults, type Fault } from './http/faults';
import { RateLimiter, type RateLimitOptions } from './http/rateLimit';
import type { Instance } from './instance';
import { Jobs } from './jobs';
import { pages } from './pages/pages';
import { PdfTextReader } from './pdf/textReader';
import { seedDemo } from './seed/demo';
import { Store } from './store';
import { WebhookDispatcher, type Delivery, type Webhook } from './webhooks/dispatcher';
import type { WebhookEvent } from './webhooks/payload';

export type { Call, Delivery, Fault, Store, Webhook, WebhookEvent };

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
	/** Added to every API answer. */
	latencyMs?: number;
	/** How long a webhook may take to answer; the service gives it 10 s. */
	webhookTimeoutMs?: number;
	/** The service's default is 50 MB. */
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
	deliveries: Delivery[];
	webhooks: { add(webhook: Webhook): void; clear(): void };
	fail(fault: Fault): void;
	/** Signs for a recipient; fields without a value, by id or label, get a sensible one. */
	sign(token: string, options?: { fields?: FieldValues }): Promise<void>;
	reject(token: string, reason: string): Promise<void>;
	expire(recipientId: number): void;
	/** Delivers an event about an envelope as it is, whatever its state. */
	deliver(event: WebhookEvent, envelopeId: string): Promise<void>;
	/** Resolves when sealing and deliveries are done. */
	settled(): Promise<void>;
	/** Back to the seed, with nothing recorded and no webhooks or faults left. */
	reset(): Promise<void>;
	close(): Promise<void>;
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
		deliveries: webhooks.deliveries,
		webhooks: {
			add: (webhook) => webhooks.add(webhook),
			clear: () => webhooks.clear(),
		},
		fail: (fault) => faults.add(fault),
		sign: async (token, { fields } = {}) => void sign(instance, token, fields),
		reject: async (token, reason) => void reject(instance, token, reason),
		expire: (recipientId) => expire(instance, recipientId),
		deliver: async (event, envelopeId) => {
			const envelope = instance.store.envelopes.get(envelopeId);
			if (!envelope) throw new Error(`No envelope ${envelopeId}`);
			webhooks.emit(event, envelope);
			await settled(parts);
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
	rateLimiter: RateLimiter;
	origin: { url: string };
}

function createParts(options: EmulatorOptions): Parts {
	const now = options.clock ?? (() => new Date());
	const webhooks = new WebhookDispatcher(now, options.webhookTimeoutMs ?? 10_000);
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
	const rateLimiter = new RateLimiter(options.rateLimit ?? { limit: 1000, windowMs: 60_000 }, now);
	return {
		instance,
		webhooks,
		jobs,
		calls: new CallLog(),
		faults: new Faults(),
		rateLimiter,
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
		maxFileBytes: options.maxFileBytes ?? 50 * 1024 * 1024,
		latencyMs: options.latencyMs ?? 0,
	};
	const base = options.basePath ?? '';
	for (const prefix of API_PREFIXES) {
		void app.register(api, { ...apiOptions, prefix: base + prefix });
	}
	void app.register(controlPlane, { ...parts, reset, prefix: `${base}/__emulator` });
	void app.register(pages, { ...parts, prefix: base });
	return app;
}

/** Sealing emits events and a delivery may follow a delivery, so it looks until all is quiet. */
async function settled({ jobs, webhooks }: Parts): Promise<void> {
	for (let work = pendingWork(); work.length > 0; work = pendingWork()) await Promise.all(work);

	function pendingWork(): Array<Promise<void>> {
		return [...jobs.pending, ...webhooks.pending];
	}
}

async function resetParts(parts: Parts, options: EmulatorOptions): Promise<void> {
	const { instance, webhooks, jobs, calls, faults, rateLimiter } = parts;
	jobs.cancel();
	webhooks.reset();
	calls.clear();
	faults.clear();
	rateLimiter.reset();
	instance.store.clear();
	await instance.files.clear();
	if (options.seed === 'demo') await seedDemo(instance, DEMO_USER, DEMO_TEAM);
}
