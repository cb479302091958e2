/** For a longer pause nothing waits: requests are sent and refused, so that the user sees an error with the reason. */
const MAX_HOLD_MS = 300_000;
/** How often bulk work judges what others need. One request a second tells, too, when it has to wait for them. */
const LOOK_MS = 1000;
/** What others sent a minute ago says nothing about this window. */
const FORGOTTEN_MS = 60_000;
/** Others rarely send at an even pace, so more is left to them than they are expected to need. */
const SAFETY = 1.2;

type Headers = Record<string, string | undefined>;

/** How many requests Documenso still accepts in its current window, by its answers (documenso-api.md: Rate limits). */
export class RateLimit {
	/** Nothing is sent before (milliseconds since the epoch). */
	private resumeAt = 0;
	private limit = 0;
	private left = Infinity;
	/** When the window ends by n8n's clock (milliseconds since the epoch). */
	private endsAt = 0;
	/** When it ends by the service's clock, which identifies the window. */
	private window = 0;
	/** The first answer in the window. */
	private first = { at: 0, sum: 0 };
	/** How many requests a millisecond others sent in the window before; undefined when nothing was heard of it. */
	private rateBefore?: number;
	/** What was left when others were last judged, and what they will need until the window ends. */
	private look: { at: number; left: number; rate?: number; need?: number } = { at: 0, left: 0 };

	/**
	 * How many requests may be under way without any being refused. Bulk work leaves a share of the limit to others,
	 * and what they will need if they go on as before. As long as that is more than their share, or not known yet, it
	 * takes half of the rest, looks again, and so on, because the need is better known with every second.
	 */
	room(now: number, share = 0): number {
		const toEnd = this.endsAt - now;
		if (toEnd <= 0 || toEnd > MAX_HOLD_MS) return Infinity;
		const reserved = share * this.limit;
		if (share === 0 || this.left <= reserved) return this.left - reserved;
		const { at, left, need } = this.look;
		const untouched = need !== undefined && need <= reserved ? 0 : (left + (need ?? 0)) / 2;
		const room = this.left - Math.max(reserved, untouched);
		return Math.max(room, now - at >= LOOK_MS ? 1 : 0);
	}

	/** Milliseconds until something may be sent. */
	pause(now: number): number {
		return Math.max(0, this.resumeAt - now, this.room(now) <= 0 ? this.endsAt - now : 0);
	}

	/** All requests wait, because the service has refused one. */
	hold(until: number) {
		this.resumeAt = Math.max(this.resumeAt, until);
	}

	/** Answers may arrive in another order than the service sent them. `number` counts the requests sent from here. */
	told(headers: Headers, now: number, number: number) {
		const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date } = headers;
		const left = Number(remaining || undefined);
		const window = Number(reset || undefined) * 1000;
		const sentAt = Date.parse(date ?? '') || now;
		if (Number.isNaN(left) || !(window >= this.window && window > sentAt)) return;
		// Only the requests of others make this less.
		const sum = left + number;
		// The service rounds its time down to a second, so the earliest end is the most accurate.
		const endsAt = now + window - sentAt;
		const isNew = window > this.window;
		if (isNew) {
			this.rateBefore = now - this.endsAt < FORGOTTEN_MS ? this.look.rate : undefined;
			this.first = { at: now, sum };
		}
		this.limit = Number(headers['x-ratelimit-limit']) || 0;
		this.left = isNew ? left : Math.min(this.left, left);
		this.endsAt = isNew ? endsAt : Math.min(this.endsAt, endsAt);
		this.window = window;
		if (isNew || now - this.look.at >= LOOK_MS) {
			const rate = this.rateOfOthers(now, sum);
			const need = rate === undefined ? undefined : rate * SAFETY * (this.endsAt - now);
			this.look = { at: now, left: this.left, rate, need };
		}
	}

	/** Requests per millisecond. At first, as if a second of the window before belonged to this one. */
	private rateOfOthers(now: number, sum: number): number | undefined {
		const passed = now - this.first.at;
		const seen = Math.max(0, this.first.sum - sum);
		if (passed >= LOOK_MS && !this.rateBefore) return seen / passed;
		if (this.rateBefore === undefined) return undefined;
		return (seen + this.rateBefore * LOOK_MS) / (passed + LOOK_MS);
	}
}
