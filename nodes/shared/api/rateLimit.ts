/** Nothing waits longer than this: requests are sent and refused, so that the user sees an error with the reason. */
const MAX_HOLD_MS = 300_000;
/** Documenso counts in minutes of the clock. */
const WINDOW_MS = 60_000;
/** A window is judged as if others had sent requests for so long before it began, at the pace of the window before. */
const BEFORE_MS = 2000;
/** Others rarely send at an even pace, so more is left to them than they are expected to need. */
const SAFETY = 1.1;
/** The part of the limit that others are expected to use before any window is known. */
const EXPECTED = 0.5;

/** How many requests Documenso still accepts in its current window, by its answers (documenso-api.md: Rate limits). */
export class RateLimit {
	/** How many requests a window has; 0 until Documenso has said so. */
	limit = 0;
	private left = Infinity;
	/** How many requests from here were answered in this window. */
	private answered = 0;
	/** How many requests others send in a millisecond, by this window so far. */
	private pace?: number;
	/** The same of the window before. */
	private paceBefore = 0;
	/** When the window ends by n8n's clock (milliseconds since the epoch). */
	private endsAt = 0;
	/** When it ends by Documenso's clock, which identifies the window. */
	private window = 0;
	/** Nothing is sent before (milliseconds since the epoch). */
	private resumeAt = 0;

	/**
	 * How many requests may be under way without any being refused. With a share of the limit for others, it leaves them
	 * that share, or what they will need if they go on as in this window so far.
	 */
	room(now: number, share = 0): number {
		const toEnd = this.endsAt - now;
		if (toEnd <= 0 || toEnd > MAX_HOLD_MS) return Infinity;
		return this.left - (share && Math.max(share * this.limit, (this.pace ?? 0) * SAFETY * toEnd));
	}

	/** Milliseconds until something may be sent. */
	pause(now: number): number {
		return Math.max(0, this.resumeAt - now, this.room(now) <= 0 ? this.endsAt - now : 0);
	}

	/** All requests wait, because Documenso has refused one. */
	hold(until: number) {
		this.resumeAt = Math.max(this.resumeAt, until);
	}

	/** Reads an answer. Answers may arrive in another order than Documenso sent them. */
	read(headers: Record<string, string | undefined>, now: number) {
		const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date } = headers;
		const left = Number(remaining || undefined);
		const window = Number(reset || undefined) * 1000;
		const sentAt = Date.parse(date ?? '') || now;
		if (Number.isNaN(left) || !(window >= this.window && window > sentAt)) return;
		this.limit = Number(headers['x-ratelimit-limit']) || 0;
		if (window > this.window) {
			[this.window, this.left, this.answered, this.endsAt] = [window, Infinity, 0, Infinity];
			this.paceBefore = this.pace ?? (EXPECTED * this.limit) / WINDOW_MS;
		}
		this.left = Math.min(this.left, left);
		this.answered++;
		// Documenso rounds its time down to a second, so the earliest end is the most accurate.
		this.endsAt = Math.min(this.endsAt, now + window - sentAt);
		// Requests from here that are under way count as those of others, until their answers arrive.
		const used = this.limit - this.left - this.answered;
		const passed = Math.max(0, WINDOW_MS - (this.endsAt - now));
		this.pace = (this.paceBefore * BEFORE_MS + used) / (BEFORE_MS + passed);
	}
}
