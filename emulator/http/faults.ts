import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { setHead, type Interceptor, type Interceptors, type Line, type Passed } from './intercept';
import { TOO_MANY_REQUESTS } from './rateLimit';

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
	match?: Line;
}

export function injectFault(interceptors: Interceptors, fault: Fault): void {
	const { match, times = 1, status = 500, headers = {}, body = bodyOf(status) } = fault;
	const { takesEffect, delayMs, stallMs, trickleMs, cut, afterBytes = 0 } = fault;
	const answer = { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
	const isCarriedOut = fault.status === undefined || takesEffect;
	const isOnlyLate = isCarriedOut && !takesEffect && !stallMs && !trickleMs && !cut;
	const handler: Interceptor = async ({ request, pass }) => {
		if (cut === 'before') {
			await receive(request, afterBytes);
			return 'cut';
		}
		// A client that has gone does not keep the process alive.
		if (delayMs) await delay(delayMs, undefined, { ref: false });
		if (isOnlyLate) return 'pass';
		const passed = await pass(isCarriedOut ? undefined : answer);
		if (stallMs) await delay(stallMs);
		if (cut === 'after') return 'cut';
		if (takesEffect) return { ...answer, headers: { ...passed.headers, ...headers } };
		if (cut === 'during') return (response) => cutOff(response, passed, afterBytes);
		if (trickleMs) return async (response) => await trickle(response, passed, trickleMs);
		return passed;
	};
	interceptors.add(match, handler, times, cut === 'before');
}

function bodyOf(status: number): object {
	if (status === 429) return TOO_MANY_REQUESTS;
	const code = 'INTERNAL_SERVER_ERROR';
	return { message: 'Injected fault', code, data: { code, httpStatus: status } };
}

async function receive(request: IncomingMessage, bytes: number): Promise<void> {
	if (bytes === 0) return;
	let received = 0;
	for await (const chunk of request) {
		received += (chunk as Buffer).length;
		if (received >= bytes) return;
	}
}

function cutOff(response: ServerResponse, answer: Passed, afterBytes: number): void {
	setHead(response, answer);
	response.setHeader('content-length', answer.body.length);
	response.write(answer.body.subarray(0, afterBytes), () => response.destroy());
}

const TRICKLE_BYTES = 100;

async function trickle(response: ServerResponse, answer: Passed, pauseMs: number): Promise<void> {
	const { body } = answer;
	setHead(response, answer);
	response.setHeader('content-length', body.length);
	for (let start = 0; start < body.length && !response.destroyed; start += TRICKLE_BYTES) {
		if (start > 0) await delay(pauseMs);
		response.write(body.subarray(start, start + TRICKLE_BYTES));
	}
	response.end();
}
