/** Nothing waits longer than this: requests are sent and refused, so that the user sees an error with the reason. */
const MAX_HOLD_MS = 300_000;
/**
 * How often bulk work judges what others need. While it has to wait for them, it sends one request in this time: each
 * answer tells what is left.
 */
const JUDGE_MS = 1000;
/** Others rarely send at an even pace, so more is left to them than they are expected to need. */
const SAFETY = 1.2;

type Headers = Record<string, string | undefined>;

/** How many requests Documenso still accepts in its current window, by its answers (documenso-api.md: Rate limits). */
export class RateLimit {
	/** Nothing is sent before (milliseconds since the epoch). */
	private resumeAt = 0;
	/** How many requests a window has; 0 until Documenso has said so. */
	limit = 0;
	private left = Infinity;
	/** When the window ends by n8n's clock (milliseconds since the epoch). */
	private endsAt = 0;
	/** When it ends by the service's clock, which identifies the window. */
	private window = 0;
	/** The number of answers in this window. */
	private answers = 0;
	/** What is left, plus what was sent from here: only the requests of others make it less. */
	private leftAndSent = 0;
	/** The same at the start of this window: the average of as many answers as requests were under way then. */
	private first = { at: 0, leftAndSent: 0, answers: 0 };
	/** What others used when it was last judged: what was left then, and how many requests they send in a millisecond. */
	private others = { at: 0, left: 0, rate: 0 };

	/**
	 * How many requests may be under way without any being refused. Bulk work leaves a share of the limit to others,
	 * and what they will need if they go on as before. In the first second of a window, and as long as they need more
	 * than their share, it takes half of the rest, judges again, and so on: with every second, the need is better known.
	 */
	room(now: number, share = 0): number {
		const toEnd = this.endsAt - now;
		if (toEnd <= 0 || toEnd > MAX_HOLD_MS) return Infinity;
		const reserved = share * this.limit;
		if (share === 0 || this.left <= reserved) return this.left - reserved;
		const { at, left, rate } = this.others;
		const need = rate * SAFETY * (this.endsAt - at);
		const isSure = at - this.first.at >= JUDGE_MS && need <= reserved;
		const room = this.left - Math.max(reserved, isSure ? 0 : (left + need) / 2);
		return Math.max(room, now - at >= JUDGE_MS ? 1 : 0);
	}

	/** Milliseconds until something may be sent. */
	pause(now: number): number {
		return Math.max(0, this.resumeAt - now, this.room(now) <= 0 ? this.endsAt - now : 0);
	}

	/** All requests wait, because the service has refused one. */
	hold(until: number) {
		this.resumeAt = Math.max(this.resumeAt, until);
	}

	/**
	 * Reads the answer to the request with this number; `underWay` are the requests that were under way then. Answers may
	 * arrive in another order than the service sent them.
	 */
	read(headers: Headers, now: number, number: number, underWay: number) {
		const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date } = headers;
		const left = Number(remaining || undefined);
		const window = Number(reset || undefined) * 1000;
		const sentAt = Date.parse(date ?? '') || now;
		if (Number.isNaN(left) || !(window >= this.window && window > sentAt)) return;
		// The service rounds its time down to a second, so the earliest end is the most accurate.
		const endsAt = now + window - sentAt;
		const isNew = window > this.window;
		this.limit = Number(headers['x-ratelimit-limit']) || 0;
		this.left = isNew ? left : Math.min(this.left, left);
		this.endsAt = isNew ? endsAt : Math.min(this.endsAt, endsAt);
		this.window = window;
		this.watchOthers(now, left + number, underWay, isNew);
	}

	/** Requests that are under way together may arrive in any order, so their average counts. */
	private watchOthers(now: number, leftAndSent: number, underWay: number, isNew: boolean) {
		if (isNew) {
			this.answers = 0;
			this.first = { at: now, leftAndSent, answers: underWay };
			// Nothing is known yet, so they are expected to go on as in the window before.
			this.others = { ...this.others, at: now, left: this.left };
		}
		this.answers++;
		this.leftAndSent += (leftAndSent - this.leftAndSent) / Math.min(this.answers, underWay);
		if (this.answers <= this.first.answers) this.first.leftAndSent = this.leftAndSent;
		if (now - this.others.at < JUDGE_MS) return;
		const used = Math.max(0, this.first.leftAndSent - this.leftAndSent);
		const rate = used / (now - this.first.at);
		this.others = { at: now, left: this.left, rate };
	}
}
