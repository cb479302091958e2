import { notFound } from './errors';
import { FileStore } from './files';
import { CallLog } from './http/calls';
import { Interceptors } from './http/intercept';
import { RateLimiter } from './http/rateLimit';
import type { Instance } from './instance';
import { Jobs } from './jobs';
import { DEMO_TEAM, DEMO_USER, type Settings } from './options';
import { PdfTextReader } from './pdf/textReader';
import { seedDemo } from './seed/demo';
import { Store } from './store';
import { WebhookDispatcher } from './webhooks/dispatcher';
import type { WebhookEvent } from './webhooks/events';

/** What a local Documenso consists of, apart from its HTTP server. */
export interface Parts {
	instance: Instance;
	webhooks: WebhookDispatcher;
	calls: CallLog;
	interceptors: Interceptors;
	/** The service counts the calls to each API version separately (documenso-api.md: Rate limits). */
	rateLimiters: { v1: RateLimiter; v2: RateLimiter };
	/** Known once the server listens. */
	origin: { url: string };
}

export function createParts(settings: Settings): Parts {
	const { clock: now, convertsWordFiles, rateLimit, sealDelayMs, signatureLevel } = settings;
	const webhooks = new WebhookDispatcher({
		now,
		timeoutMs: settings.webhookTimeoutMs,
		order: settings.deliveries,
		seed: settings.deliverySeed,
		refusePrivateUrls: settings.refusePrivateUrls,
	});
	const origin = { url: '' };
	const instance: Instance = {
		store: new Store(),
		files: new FileStore(),
		pdfText: new PdfTextReader(),
		jobs: new Jobs(),
		sealDelayMs,
		convertsWordFiles,
		signatureLevel,
		now,
		baseUrl: () => origin.url,
		emit: (event, envelope, teamId) => webhooks.emit(event, envelope, teamId),
	};
	const rateLimiters = {
		v1: new RateLimiter(rateLimit, now),
		v2: new RateLimiter(rateLimit, now),
	};
	const calls = new CallLog();
	const interceptors = new Interceptors(now, settings.sleep);
	return { instance, webhooks, calls, interceptors, rateLimiters, origin };
}

export async function resetParts(parts: Parts, seed: Settings['seed']): Promise<void> {
	const { instance, webhooks, calls, interceptors, rateLimiters } = parts;
	instance.jobs.cancel();
	webhooks.reset();
	calls.clear();
	interceptors.clear();
	rateLimiters.v1.reset();
	rateLimiters.v2.reset();
	instance.store.clear();
	await instance.files.clear();
	if (seed === 'demo') await seedDemo(instance, DEMO_USER, DEMO_TEAM);
}

/** Delivers an event about an envelope that did not happen. */
export function deliver(
	{ instance, webhooks }: Parts,
	event: WebhookEvent,
	envelopeId: string,
	times: number,
): void {
	const envelope = instance.store.envelopes.get(envelopeId);
	if (!envelope) throw notFound(`No envelope ${envelopeId}`);
	for (let time = 1; time <= times; time += 1) webhooks.emit(event, envelope);
}

/** Sealing emits events, and a delivery can cause another one, so this loops until nothing is left. */
export async function settled({ instance, webhooks, interceptors }: Parts): Promise<void> {
	for (let work = pendingWork(); work.length > 0; work = pendingWork()) await Promise.all(work);

	function pendingWork(): Array<Promise<void>> {
		return [...instance.jobs.pending, ...webhooks.pending, ...interceptors.pending];
	}
}
