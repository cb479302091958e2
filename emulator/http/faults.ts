import { z } from 'zod';

/** A fault to inject. Without `status` and `cut`, the call is only delayed. */
export const faultSchema = z
	.object({
		/** `POST /envelope/distribute`; `*` matches anything. */
		match: z.string().optional(),
		/** How many calls fail; 1 by default. */
		times: z.number().int().min(1).optional(),
		status: z.number().int().min(200).max(599).optional(),
		/** With `status`: the call is processed, and only its response is lost. */
		takesEffect: z.boolean().optional(),
		headers: z.record(z.string()).optional(),
		body: z.unknown(),
		delayMs: z.number().min(0).optional(),
		/** The call is processed, and its response delayed. */
		stallMs: z.number().min(0).optional(),
		/** Sends the response 100 bytes at a time, with this pause in between. */
		trickleMs: z.number().min(1).optional(),
		/**
		 * Cuts the connection: `before` the call is processed, `during` its response, or `after` it was
		 * processed, without a response.
		 */
		cut: z.enum(['before', 'during', 'after']).optional(),
		/** Bytes of the request (`before`) or response (`during`) to let through; 0 by default. */
		afterBytes: z.number().int().min(0).optional(),
	})
	.strict();

/** In code, `match` may also be a pattern for such a line. */
export interface Fault extends Omit<z.output<typeof faultSchema>, 'match'> {
	match?: string | RegExp;
}

export class Faults {
	private armed: Array<{ fault: Fault; matches(line: string): boolean; left: number }> = [];

	add(fault: Fault): void {
		this.armed.push({ fault, matches: matcher(fault.match), left: fault.times ?? 1 });
	}

	/** Returns the fault for a call, and uses it up once. */
	take(method: string, path: string): Fault | undefined {
		const hit = this.armed.find((fault) => fault.matches(`${method} ${path}`));
		if (!hit) return undefined;
		hit.left -= 1;
		if (hit.left === 0) this.armed = this.armed.filter((candidate) => candidate !== hit);
		return hit.fault;
	}

	clear(): void {
		this.armed = [];
	}
}

/** Returns a test for lines such as `GET /envelope`. */
export function matcher(match: Fault['match']): (line: string) => boolean {
	if (match === undefined) return () => true;
	if (typeof match !== 'string') return (line) => new RegExp(match.source, match.flags).test(line);
	const parts = match.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const pattern = new RegExp(`^${parts.join('.*')}$`, 'i');
	return (line) => pattern.test(line);
}
