import type { Envelope } from '../entities';
import { webhookPayload, type WebhookEvent } from './payload';

/** As the service's own job runner does it: no pause between the attempts. */
const ATTEMPTS = 4;

export interface Webhook {
	url: string;
	/** All events unless told. */
	events?: readonly string[];
	/** Sent in clear; an endpoint without one gets an empty header. */
	secret?: string;
}

export interface Delivery {
	event: WebhookEvent;
	url: string;
	/** 1 to 4. */
	attempt: number;
	/** The endpoint's answer; 0 when there was none. */
	status: number;
	ms: number;
	body: WebhookBody;
}

export interface WebhookBody {
	event: WebhookEvent;
	payload: Record<string, unknown>;
	createdAt: string;
	webhookEndpoint: string;
}

interface Occurrence {
	event: WebhookEvent;
	payload: object;
}

export interface Outbox {
	emit: (event: WebhookEvent, envelope: Envelope) => void;
	/** Delivers what was emitted; called when the request that caused it has been answered. */
	release(): void;
}

/** Delivers events to each webhook in order, one webhook never waiting for another. */
export class WebhookDispatcher {
	readonly deliveries: Delivery[] = [];
	private webhooks: Webhook[] = [];
	private readonly queues = new Map<Webhook, Promise<void>>();
	private readonly unreleased = new Set<Promise<void>>();
	private aborted = new AbortController();

	constructor(
		private readonly now: () => Date,
		private readonly timeoutMs: number,
	) {}

	add(webhook: Webhook): void {
		this.webhooks.push(webhook);
	}

	clear(): void {
		this.webhooks = [];
	}

	list(): readonly Webhook[] {
		return this.webhooks;
	}

	emit(event: WebhookEvent, envelope: Envelope): void {
		this.send([{ event, payload: webhookPayload(envelope) }]);
	}

	hold(): Outbox {
		let held: Occurrence[] | undefined = [];
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => (release = resolve));
		void released.then(() => this.unreleased.delete(released));
		return {
			emit: (event, envelope) => {
				// A job the request started may outlive it.
				if (!held) {
					this.emit(event, envelope);
					return;
				}
				held.push({ event, payload: webhookPayload(envelope) });
				this.unreleased.add(released);
			},
			release: () => {
				this.send(held ?? []);
				held = undefined;
				release();
			},
		};
	}

	get pending(): Array<Promise<void>> {
		return [...this.unreleased, ...this.queues.values()];
	}

	/** Gives up what is under way. */
	abort(): void {
		this.aborted.abort();
	}

	reset(): void {
		this.abort();
		this.aborted = new AbortController();
		this.queues.clear();
		this.webhooks = [];
		this.deliveries.length = 0;
	}

	private send(occurrences: Occurrence[]): void {
		for (const { event, payload } of occurrences) {
			for (const webhook of this.webhooks) {
				if (webhook.events && !webhook.events.includes(event)) continue;
				const before = this.queues.get(webhook) ?? Promise.resolve();
				const queue = before.then(async () => await this.attempt(webhook, event, payload));
				this.queues.set(webhook, queue);
				void queue.then(() => {
					if (this.queues.get(webhook) === queue) this.queues.delete(webhook);
				});
			}
		}
	}

	private async attempt(webhook: Webhook, event: WebhookEvent, payload: object): Promise<void> {
		const { signal } = this.aborted;
		for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
			// A repeated delivery differs in this date only: there is no delivery id.
			const createdAt = this.now();
			const sent = JSON.stringify({ event, payload, createdAt, webhookEndpoint: webhook.url });
			const started = performance.now();
			const status = await this.post(webhook, sent, signal);
			if (signal.aborted) return;
			const ms = Math.round(performance.now() - started);
			const body = JSON.parse(sent) as WebhookBody;
			this.deliveries.push({ event, url: webhook.url, attempt, status, ms, body });
			if (status >= 200 && status < 300) return;
		}
	}

	private async post(
		{ url, secret }: Webhook,
		body: string,
		aborted: AbortSignal,
	): Promise<number> {
		const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': secret ?? '' };
		const signal = AbortSignal.any([aborted, AbortSignal.timeout(this.timeoutMs)]);
		try {
			const answer = await fetch(url, {
				method: 'POST',
				headers,
				body,
				redirect: 'manual',
				signal,
			});
			await answer.body?.cancel();
			return answer.status;
		} catch {
			return 0;
		}
	}
}
