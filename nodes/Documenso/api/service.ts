import { sleep } from 'n8n-workflow';

import { AdaptiveConcurrency, MAX_CONCURRENT_REQUESTS } from './adaptiveConcurrency';
import { RateLimit } from './rateLimit';

/** After this time without a request, what was learned about a service is forgotten. */
const KEPT_MS = 600_000;
/** How often the line looks at the clock while the rate limit keeps it waiting. */
const TICK_MS = 250;

/** What an execution of the node asks of its requests. They wait in line with those of other executions. */
export interface Bulk {
	/** The most of its requests that may be under way. */
	maxConcurrentRequests: number;
	/** The share of the rate limit that it leaves to others: 0.1 for a tenth. */
	reserve: number;
}

/** Who sends requests: an execution, a poll, a delivery or a picker. */
export interface Sender {
	/** Senders of a few requests that somebody waits for have none: they skip the line. */
	bulk?: Bulk;
	/** Its requests in line or under way. */
	requests: number;
	underWay: number;
	isCancelled: boolean;
}

/** A request in line. */
interface Waiting {
	sender: Sender;
	begin: (number: number) => void;
}

/** One Documenso, for all that this process sends to it: how much it can take, and whose turn it is. */
export class Service {
	readonly rateLimit = new RateLimit();
	readonly concurrency = new AdaptiveConcurrency(() => this.ceiling);
	underWay = 0;
	private sent = 0;
	private usedAt = Date.now();
	/** First come, first served, whichever execution it is. */
	private line: Waiting[] = [];
	/** Those that have a request in line or under way. */
	private readonly active = new Set<Sender>();
	private isTicking = false;

	/** Waits in line, unless the sender may skip it. Returns the request's number; `leave` has to follow. */
	async enter(sender: Sender): Promise<number> {
		sender.requests++;
		this.active.add(sender);
		if (!sender.bulk) return this.begin(sender);
		return await new Promise((begin) => {
			this.line.push({ sender, begin });
			this.admit();
		});
	}

	leave(sender: Sender) {
		this.underWay--;
		sender.underWay--;
		this.usedAt = Date.now();
		if (--sender.requests === 0) this.active.delete(sender);
		this.admit();
	}

	/** Announces an execution: a service that was slow before is tried with the first limit again. */
	expect() {
		if (this.active.size === 0) this.concurrency.recover();
	}

	isForgotten(now: number): boolean {
		return this.active.size === 0 && now - this.usedAt > KEPT_MS;
	}

	/** The limit on all requests together; an execution may raise it. */
	private get ceiling(): number {
		const own = [...this.active].map(({ bulk }) => bulk?.maxConcurrentRequests ?? 0);
		return Math.max(MAX_CONCURRENT_REQUESTS, ...own);
	}

	private begin(sender: Sender): number {
		this.underWay++;
		sender.underWay++;
		return ++this.sent;
	}

	private admit() {
		const now = Date.now();
		const { limit } = this.concurrency;
		const isPaused = this.rateLimit.pause(now) > 0;
		this.line = this.line.filter(({ sender, begin }) => {
			const mayBegin = !isPaused && this.underWay < limit && this.hasRoom(sender, now);
			// A cancelled sender leaves the line at once, and sends nothing.
			if (!mayBegin && !sender.isCancelled) return true;
			begin(this.begin(sender));
			return false;
		});
		if (this.line.length > 0 && !this.isTicking) void this.tick();
	}

	private hasRoom({ bulk, underWay }: Sender, now: number): boolean {
		if (underWay >= (bulk?.maxConcurrentRequests ?? Infinity)) return false;
		return this.underWay < this.rateLimit.room(now, bulk?.reserve);
	}

	/** Looks again a little later, because the end of a pause and a cancellation announce themselves to nobody. */
	private async tick() {
		this.isTicking = true;
		await sleep(Math.min(this.rateLimit.pause(Date.now()) || TICK_MS, TICK_MS));
		this.isTicking = false;
		this.admit();
	}
}

/**
 * The Documensos that a process sends requests to, by address. Not by token, because Documenso counts requests by IP
 * address (documenso-api.md: Rate limits), and it is the server that can be overloaded.
 */
export class Services {
	private readonly byAddress = new Map<string, Service>();

	at(address: string): Service {
		const now = Date.now();
		for (const [key, one] of this.byAddress) {
			if (one.isForgotten(now)) this.byAddress.delete(key);
		}
		const service = this.byAddress.get(address) ?? new Service();
		this.byAddress.set(address, service);
		return service;
	}
}

/** Shared by all executions, polls, deliveries and pickers in this process. */
export const services = new Services();
