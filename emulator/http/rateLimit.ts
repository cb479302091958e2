import type { IncomingMessage } from 'node:http';
import { clientOf } from './client';

export interface RateLimitOptions {
	limit: number;
	windowMs: number;
}

export const TOO_MANY_REQUESTS = { error: 'Too many requests, please try again later.' };

interface RateLimitState {
	exceeded: boolean;
	headers: Record<string, string>;
}

/** Like the service, counts requests per IP address in fixed windows of the clock. */
export class RateLimiter {
	private window = 0;
	private readonly counts = new Map<string, number>();

	constructor(
		private readonly options: RateLimitOptions,
		private readonly now: () => Date,
	) {}

	count(request: IncomingMessage): RateLimitState {
		const { limit, windowMs } = this.options;
		const now = this.now().getTime();
		const window = Math.floor(now / windowMs);
		if (window !== this.window) this.reset(window);

		const address = clientOf(request.headers).ipAddress ?? request.socket.remoteAddress ?? '';
		const used = (this.counts.get(address) ?? 0) + 1;
		this.counts.set(address, used);

		const resetMs = (window + 1) * windowMs;
		const exceeded = used > limit;
		return {
			exceeded,
			headers: {
				'x-ratelimit-limit': String(limit),
				'x-ratelimit-remaining': String(Math.max(0, limit - used)),
				'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)),
				...(exceeded && {
					'retry-after': String(Math.max(1, Math.ceil((resetMs - now) / 1000))),
				}),
			},
		};
	}

	reset(window = 0): void {
		this.window = window;
		this.counts.clear();
	}
}
