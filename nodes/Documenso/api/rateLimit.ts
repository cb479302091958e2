/** Nobody waits for longer without being told: what is sent then is refused, and the refusal says why. */
const MAX_HOLD_MS = 300_000;

type Headers = Record<string, string | undefined>;

/**
 * What the service still lets through in its current window, as its answers tell (documenso-api.md: Rate limits).
 */
export class RateLimit {
	/** Milliseconds since the epoch, before which nothing is sent. */
	private resumeAt = 0;
	private left = Infinity;
	/** When the window ends, in milliseconds since the epoch: by our clock, and by the service's, which names it. */
	private endsAt = 0;
	private window = 0;

	/** Requests that may be under way at once without any being refused. */
	remaining(now: number): number {
		return now < this.endsAt ? this.left : Infinity;
	}

	/** Milliseconds until something may be sent. */
	pause(now: number): number {
		const isSpent = this.remaining(now) <= 0 && this.endsAt - now <= MAX_HOLD_MS;
		return Math.max(0, this.resumeAt - now, isSpent ? this.endsAt - now : 0);
	}

	/** Everything waits: the service has refused a request. */
	hold(until: number) {
		this.resumeAt = Math.max(this.resumeAt, until);
	}

	/** Answers may arrive in another order than they were given in. */
	told(headers: Headers, now: number) {
		const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset, date } = headers;
		const left = Number(remaining || undefined);
		const window = Number(reset || undefined) * 1000;
		const sentAt = Date.parse(date ?? '') || now;
		if (Number.isNaN(left) || !(window >= this.window && window > sentAt)) return;
		// The service tells its time in whole seconds, rounded down: the shortest is the nearest.
		const endsAt = now + window - sentAt;
		const isNew = window > this.window;
		this.left = isNew ? left : Math.min(this.left, left);
		this.endsAt = isNew ? endsAt : Math.min(this.endsAt, endsAt);
		this.window = window;
	}
}
