import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Envelope } from '../entities';
import { notFound } from '../errors';
import { Random } from '../random';
import {
	post,
	type Delivery,
	type PostOptions,
	type RegisteredWebhook,
	type Webhook,
	type WebhookBody,
} from './delivery';
import type { WebhookEvent } from './events';
import { webhookPayload } from './payload';
import { samplePayload } from './samples';

/** Like the service's own job runner, without pauses between the attempts. */
const ATTEMPTS = 4;

/**
 * `inOrder`: each webhook gets one event after the other. `concurrent`: at the same time and shuffled,
 * because the service promises no order (documenso-api.md: Deliveries).
 */
export type DeliveryOrder = 'inOrder' | 'concurrent';

interface DispatcherOptions extends PostOptions {
	now: () => Date;
	order: DeliveryOrder;
	/** Determines the order of `concurrent` deliveries. */
	seed: number;
}

/** A delivery by its index (-1 is the last one), or the latest one that matches. */
export type WhichDelivery = number | ((delivery: Delivery) => boolean);

interface Job {
	webhook: RegisteredWebhook;
	event: WebhookEvent;
	payload: object;
}

/** Delivers events; no webhook waits for another one. */
export class WebhookDispatcher {
	readonly deliveries: Delivery[] = [];
	private readonly webhooks: RegisteredWebhook[] = [];
	private readonly jobs = new WeakMap<Delivery, Job>();
	private waiting: Job[] = [];
	private isPaused = false;
	/** The last job of each webhook. */
	private readonly tails = new Map<RegisteredWebhook, Promise<void>>();
	private readonly underWay = new Set<Promise<void>>();
	private aborted = new AbortController();
	private random: Random;

	constructor(private readonly options: DispatcherOptions) {
		this.random = seeded(options.seed);
	}

	/** A webhook without an ID gets one. */
	add(webhook: Webhook): void {
		this.webhooks.push({ id: randomUUID(), ...webhook });
	}

	remove(webhook: RegisteredWebhook): void {
		this.webhooks.splice(this.webhooks.indexOf(webhook), 1);
	}

	clear(): void {
		this.webhooks.length = 0;
	}

	list(): readonly RegisteredWebhook[] {
		return this.webhooks;
	}

	emit(event: WebhookEvent, envelope: Envelope, teamId?: number): void {
		this.enqueue(this.jobsFor(event, envelope, teamId));
	}

	/** The dashboard's test, to every webhook subscribed to the event (documenso-api.md: Test deliveries). */
	test(event: WebhookEvent): void {
		const payload = samplePayload(event, this.options.now());
		const wanting = this.webhooks.filter((webhook) => wants(webhook, event));
		this.enqueue(wanting.map((webhook) => ({ webhook, event, payload })));
	}

	/** The dashboard's resend: another job with the same payload. */
	resend(which: WhichDelivery): void {
		const delivery =
			typeof which === 'number'
				? this.deliveries.at(which)
				: [...this.deliveries].reverse().find(which);
		const job = delivery && this.jobs.get(delivery);
		if (!job || !this.webhooks.includes(job.webhook)) {
			throw notFound('There is no such delivery, or its webhook is gone');
		}
		this.enqueue([job]);
	}

	/** Collects deliveries instead of starting them, until `resume`. */
	pause(): void {
		this.isPaused = true;
	}

	resume(): void {
		this.isPaused = false;
		this.enqueue([]);
	}

	/** Collects the events of one request; `release` delivers them once the request has been answered. */
	hold() {
		let held: Job[] | undefined = [];
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => (release = resolve));
		return {
			emit: (event: WebhookEvent, envelope: Envelope, teamId?: number) => {
				// A job that the request started may run after it.
				if (!held) {
					this.emit(event, envelope, teamId);
					return;
				}
				held.push(...this.jobsFor(event, envelope, teamId));
				this.track(released);
			},
			release: () => {
				this.enqueue(held ?? []);
				held = undefined;
				release();
			},
		};
	}

	get pending(): Array<Promise<void>> {
		return [...this.underWay];
	}

	/** Aborts the deliveries in progress. */
	abort(): void {
		this.aborted.abort();
	}

	reset(): void {
		this.abort();
		this.aborted = new AbortController();
		this.underWay.clear();
		this.tails.clear();
		this.waiting = [];
		this.isPaused = false;
		this.random = seeded(this.options.seed);
		this.clear();
		this.deliveries.length = 0;
	}

	/** The payload is the envelope as it is now, not as it is when the event is delivered. */
	private jobsFor(event: WebhookEvent, envelope: Envelope, teamId = envelope.team.id): Job[] {
		const payload = webhookPayload(envelope);
		return this.webhooks
			.filter((webhook) => wants(webhook, event, teamId))
			.map((webhook) => ({ webhook, event, payload }));
	}

	private enqueue(jobs: readonly Job[]): void {
		this.waiting.push(...jobs);
		if (this.isPaused || this.waiting.length === 0) return;
		if (this.options.order === 'inOrder') {
			for (const job of this.waiting.splice(0)) this.startAfterLast(job);
			return;
		}
		// Events of one turn of the event loop are shuffled together.
		this.track(nextTurn().then(() => this.startShuffled()));
	}

	private startAfterLast(job: Job): void {
		const { signal } = this.aborted;
		const before = this.tails.get(job.webhook) ?? Promise.resolve();
		const done = before.then(async () => await this.perform(job, signal));
		this.tails.set(job.webhook, done);
		this.track(done);
	}

	private startShuffled(): void {
		if (this.isPaused) return;
		const { signal } = this.aborted;
		for (const job of this.random.shuffle(this.waiting.splice(0))) {
			this.track(this.perform(job, signal));
		}
	}

	private track(work: Promise<void>): void {
		if (this.underWay.has(work)) return;
		this.underWay.add(work);
		void work.then(() => this.underWay.delete(work));
	}

	private async perform(job: Job, signal: AbortSignal): Promise<void> {
		const { webhook, event, payload } = job;
		for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
			// A retry differs only in this date: there is no delivery ID.
			const createdAt = this.options.now();
			const sent = JSON.stringify({ event, payload, createdAt, webhookEndpoint: webhook.url });
			const started = performance.now();
			const status = await post(webhook, sent, this.options, signal);
			if (signal.aborted) return;
			const ms = Math.round(performance.now() - started);
			const body = JSON.parse(sent) as WebhookBody;
			const delivery = { event, url: webhook.url, attempt, status, ms, body };
			this.deliveries.push(delivery);
			this.jobs.set(delivery, job);
			if (status >= 200 && status < 300) return;
		}
	}
}

function wants(webhook: Webhook, event: WebhookEvent, teamId = webhook.teamId): boolean {
	return (
		webhook.enabled !== false &&
		(webhook.events?.includes(event) ?? true) &&
		(webhook.teamId === undefined || webhook.teamId === teamId)
	);
}

/** Spreads small seeds, which are close together. */
function seeded(seed: number): Random {
	return new Random(Math.imul(seed, 0x9e3779b1) || 1);
}
