import { clock } from './clock';
import { RateLimit } from './rateLimit';

/** The most requests under way at the same time, unless a user raises it. */
export const MAX_CONCURRENT_REQUESTS = 32;
/** The limit on them begins with this, and slow answers make it no lower. */
const FIRST_LIMIT = 2;
/** The factor of its growth until the first slow round. Then it grows by one a round. */
const STEEP = 4;
const SHRINKING = 7 / 8;
/** A round is slow if even its quickest quarter takes so many times as long as usual. */
const SLOW = 1.3;
/** What is usual is measured again after this time: a queue may have been there from the start. */
const MEASURE_MS = 30_000;
/** A round has at least so many answers, because the latencies of single requests vary. */
const MIN_ANSWERS = 4;
/** After this time without a request, what was learned about a service is forgotten. */
const KEPT_MS = 600_000;
/** How often the line looks at the clock: the end of a pause and a cancellation announce themselves to nobody. */
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
	/** Once it is aborted, its requests leave the line and are not sent. */
	signal?: AbortSignal;
	underWay: number;
}

/** The answers to requests that were sent at one limit. */
type Round = Array<{ kind: string; latencyMs: number }>;

/** A request that is under way. */
export interface Turn {
	sender: Sender;
	kind: string;
	/** None if it skips the line: it says nothing about the limit on those in it. */
	round?: Round;
	beganAt: number;
}

interface Waiting extends Pick<Turn, 'sender' | 'kind'> {
	begin: (turn: Turn) => void;
	cancel: (reason: unknown) => void;
}

/**
 * One Documenso, for all that this process sends to it: whose turn it is, and how many requests it can handle at once.
 * This limit is judged by rounds of as many answers: it grows while they are not slow, by a slow one it loses an eighth,
 * and by an overload half.
 */
export class Service {
	readonly rateLimit = new RateLimit();
	/** Whether Documenso itself has answered there, so that the base URL is right. */
	isReached = false;
	private found = FIRST_LIMIT;
	/** Up to here it grows by that factor. */
	private steepUpTo = Infinity;
	private round: Round = [];
	/** By kind of request: the lowest median of a round, in milliseconds. */
	private readonly usual = new Map<string, number>();
	private measuredAt = clock.now();
	private readonly underWay = new Set<Turn>();
	private usedAt = clock.now();
	/** First come, first served, whichever execution it is. */
	private line: Waiting[] = [];
	private tick?: Promise<void>;

	/** How many requests may be under way at the same time. */
	get limit(): number {
		return Math.floor(Math.min(this.found, this.ceiling));
	}

	/** Announces an execution: a service that was overloaded before is tried with the first limit again. */
	expect() {
		if (this.isUsed || this.found >= FIRST_LIMIT) return;
		this.steepUpTo = Infinity;
		this.beginRound(FIRST_LIMIT);
	}

	/** Waits for the sender's turn; throws if it is cancelled first. `end` has to follow. */
	async begin(sender: Sender, kind: string): Promise<Turn> {
		const turn = new Promise<Turn>((begin, cancel) => {
			this.line.push({ sender, kind, begin, cancel });
		});
		this.admit();
		return await turn;
	}

	end(turn: Turn) {
		this.underWay.delete(turn);
		turn.sender.underWay--;
		this.usedAt = clock.now();
		this.admit();
	}

	/** Learns from an answer. One to a request that was sent at another limit says nothing about this one. */
	answered({ kind, round, beganAt }: Turn) {
		// With few requests under way, the limit has no effect, and would rise although nothing tests it.
		if (!round || round !== this.round || this.underWay.size <= this.limit / 2) return;
		round.push({ kind, latencyMs: clock.uptime() - beganAt });
		if (round.length >= Math.max(this.limit, MIN_ANSWERS)) this.judge(round);
	}

	/** The service cannot cope. What was under way together counts once. */
	overloaded({ round }: Turn) {
		if (!round || round !== this.round) return;
		this.steepUpTo = this.found / 2;
		this.beginRound(this.steepUpTo);
	}

	isForgotten(now: number): boolean {
		return !this.isUsed && now - this.usedAt > KEPT_MS;
	}

	private get isUsed(): boolean {
		return this.underWay.size + this.line.length > 0;
	}

	/** The limit on all requests together; an execution may raise it for as long as it sends. */
	private get ceiling(): number {
		let most = MAX_CONCURRENT_REQUESTS;
		for (const { sender } of [...this.underWay, ...this.line]) {
			most = Math.max(most, sender.bulk?.maxConcurrentRequests ?? 0);
		}
		return most;
	}

	private judge(round: Round) {
		const usual = (kind: string) => this.usual.get(kind) ?? Infinity;
		const times = round.map(({ kind, latencyMs }) => latencyMs / usual(kind));
		const isSlow = quantile(times, 0.25) > SLOW;
		if (isSlow) this.steepUpTo = Math.max(FIRST_LIMIT, this.found * SHRINKING);
		const isOutdated = clock.now() > this.measuredAt + MEASURE_MS;
		if (isOutdated || (isSlow && this.found <= FIRST_LIMIT)) {
			// Few requests don't wait for each other. If they are slow, something else has changed.
			this.usual.clear();
			this.measuredAt = clock.now();
			this.beginRound(Math.min(this.found, FIRST_LIMIT));
			return;
		}
		for (const kind of new Set(round.map((answer) => answer.kind))) {
			const latencies = round.filter((one) => one.kind === kind).map((one) => one.latencyMs);
			this.usual.set(kind, Math.min(quantile(latencies, 0.5), usual(kind)));
		}
		const steep = Math.min(this.found * STEEP, this.steepUpTo);
		this.beginRound(isSlow ? this.steepUpTo : Math.max(this.found + 1, steep));
	}

	private beginRound(limit: number) {
		this.found = Math.max(1, Math.min(limit, this.ceiling));
		this.round = [];
	}

	private admit() {
		if (this.line.length === 0) return;
		const now = clock.now();
		const { limit } = this;
		const isPaused = this.rateLimit.pause(now) > 0;
		this.line = this.line.filter(({ sender, kind, begin, cancel }) => {
			const { bulk, signal } = sender;
			if (signal?.aborted) {
				cancel(signal.reason);
				return false;
			}
			if (isPaused || !this.mayBegin(sender, now, limit)) return true;
			const turn = { sender, kind, round: bulk && this.round, beganAt: clock.uptime() };
			this.underWay.add(turn);
			sender.underWay++;
			begin(turn);
			return false;
		});
		if (this.line.length === 0) return;
		this.tick ??= clock.sleep(TICK_MS).then(() => {
			this.tick = undefined;
			this.admit();
		});
	}

	private mayBegin({ bulk, underWay }: Sender, now: number, limit: number): boolean {
		if (!bulk) return true;
		if (this.underWay.size >= limit || underWay >= bulk.maxConcurrentRequests) return false;
		return this.underWay.size < this.rateLimit.room(now, bulk.reserve);
	}
}

function quantile(numbers: number[], share: number): number {
	return numbers.sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;
}

/**
 * For all executions, polls, deliveries and pickers in this process, by address. Not by token, because Documenso counts
 * requests by IP address (documenso-api.md: Rate limits), and it is the server that can be overloaded.
 */
export const services = new Map<string, Service>();

export function serviceAt(address: string, known = services): Service {
	const now = clock.now();
	for (const [key, one] of known) if (one.isForgotten(now)) known.delete(key);
	const service = known.get(address) ?? new Service();
	known.set(address, service);
	return service;
}
