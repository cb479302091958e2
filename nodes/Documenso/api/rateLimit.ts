/** For a longer pause nothing waits: requests are sent and refused, so that the user sees an error with the reason. */
const MAX_HOLD_MS = 300_000;

type Headers = Record<string, string | undefined>;

/** How many requests Documenso still accepts in its current window, by its answers (documenso-api.md: Rate limits). */
export class RateLimit {
	/** Nothing is sent before (milliseconds since the epoch). */
	private resumeAt = 0;
	private left = Infinity;
	/** When the window ends by n8n's clock (milliseconds since the epoch). */
	private endsAt = 0;
	/** When it ends by the service's clock, which identifies the window. */
	private window = 0;

	/** How many requests may be under way without any being refused. */
	remaining(now: number): number {
		return now < this.endsAt ? this.left : Infinity;
	}

	/** Milliseconds until something may be sent. */
	pause(now: number): number {
		const isSpent = this.remaining(now) <= 0 && this.endsAt - now <= MAX_HOLD_MS;
		return Math.max(0, this.resumeAt - now, isSpent ? this.endsAt - now : 0);
	}

	/** All requests wait, because the service has refused one. */
	hold(until: number) {
		this.resumeAt = Math.max(this.resumeAt, until);
	}

	/** Answers may arrive in another order than the service sent them. */
	told(headers: Headers, now: number) {
		const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date } = headers;
		const left = Number(remaining || undefined);
		const window = Number(reset || undefined) * 1000;
		const sentAt = Date.parse(date ?? '') || now;
		if (Number.isNaN(left) || !(window >= this.window && window > sentAt)) return;
		// The service rounds its time down to a second, so the earliest end is the most accurate.
		const endsAt = now + window - sentAt;
		const isNew = window > this.window;
		this.left = isNew ? left : Math.min(this.left, left);
		this.endsAt = isNew ? endsAt : Math.min(this.endsAt, endsAt);
		this.window = window;
	}
}
