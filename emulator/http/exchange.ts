import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instance } from '../instance';
import type { Call, CallLog } from './calls';
import type { Capacity } from './capacity';
import type { Fault, Faults } from './faults';
import type { Interceptors } from './intercept';
import type { RateLimiter } from './rateLimit';
import type { RequestBody } from './requestBody';
import { sendJson } from './sendJson';

export interface ExchangeOptions {
	instance: Instance;
	calls: CallLog;
	faults: Faults;
	interceptors: Interceptors;
	rateLimiter: RateLimiter;
	latencyMs: number;
	capacity: Capacity;
	/** Recorded paths are relative to this; the default is the scope's prefix. */
	pathRoot?: string;
}

/** A call while it is being processed. */
interface Exchange {
	call: Call;
	fault: Fault | undefined;
}

const METHODS = 'GET,HEAD,PUT,POST,DELETE,PATCH,QUERY';

const TOO_MANY_REQUESTS = { error: 'Too many requests, please try again later.' };

/** Adds what happens around every API call: interceptors, headers, the rate limit, the call log, faults. */
export function addExchangeHooks(scope: FastifyInstance, options: ExchangeOptions): void {
	const exchanges = new WeakMap<IncomingMessage, Exchange>();

	scope.addHook('onRequest', async ({ method, url, raw }, reply) => {
		const path = pathOf(url, options, scope.prefix);
		const write = await options.interceptors.answer(raw, `${method} ${path}`);
		if (write) write(reply.hijack().raw);
	});

	scope.addHook('onRequest', async (request, reply) => {
		reply.header('access-control-allow-origin', '*').header('x-request-id', randomUUID());
		if (request.method === 'OPTIONS') {
			reply.header('access-control-allow-methods', METHODS);
			return await reply.code(204).type('text/plain; charset=UTF-8').send();
		}
		const exchange = begin(request, reply, options, scope.prefix);
		exchanges.set(request.raw, exchange);
		if (exchange.fault?.cut === 'before') await cutRequest(request.raw, exchange.fault);

		const { exceeded, headers } = options.rateLimiter.count(request.raw);
		reply.headers(headers);
		if (exceeded) return await sendJson(reply, 429, TOO_MANY_REQUESTS);
		// HEAD is 204 for any path but that of a file, even without a token.
		if (request.method === 'HEAD' && !isOfFile(request)) {
			return await reply.code(204).header('content-type', 'application/json').send();
		}
		return undefined;
	});

	scope.addHook('preValidation', async (request, reply) => {
		const exchange = exchanges.get(request.raw);
		if (!exchange) return undefined;
		exchange.call.body = (request.body as RequestBody | undefined)?.recorded;
		const { status, takesEffect, headers, body, delayMs } = exchange.fault ?? {};
		const wait = options.latencyMs + (delayMs ?? 0);
		// A client that has gone does not keep the process alive.
		if (wait > 0) await delay(wait, undefined, { ref: false });
		await options.capacity.work();
		if (status === undefined || takesEffect) return undefined;
		return await sendJson(reply.headers(headers ?? {}), status, body ?? faultBody(status));
	});

	scope.addHook('onSend', async (request, reply, payload) => {
		if (!reply.hasHeader('date')) reply.header('date', options.instance.now().toUTCString());
		const exchange = exchanges.get(request.raw);
		if (!exchange) return payload;
		if (exchange.fault?.stallMs) await delay(exchange.fault.stallMs);
		if (exchange.fault?.cut === 'after') await cut(reply.raw);
		if (exchange.fault?.takesEffect) return replaceAnswer(reply, exchange);
		exchange.call.status = reply.statusCode;
		if (exchange.fault?.cut === 'during') await cutAnswer(reply, payload, exchange.fault);
		const { trickleMs } = exchange.fault ?? {};
		if (trickleMs === undefined) return payload;
		reply.header('content-length', bytesOf(payload).length);
		return Readable.from(trickle(bytesOf(payload), trickleMs));
	});
}

function isOfFile({ routeOptions }: FastifyRequest): boolean {
	return (routeOptions.config as { isFile?: boolean } | undefined)?.isFile === true;
}

function begin(
	{ method, url, headers, routeOptions, raw }: FastifyRequest,
	reply: FastifyReply,
	options: ExchangeOptions,
	prefix: string,
): Exchange {
	const { calls, faults, pathRoot } = options;
	const [, search = ''] = url.split('?', 2);
	const path = pathOf(url, options, prefix);
	const query = Object.fromEntries(new URLSearchParams(search));
	const call: Call = { method, path, query, headers };
	const { socket } = raw;
	calls.begin(call, routeOptions.url?.slice((pathRoot ?? prefix).length) ?? path, socket);
	reply.raw.once('close', () => calls.end(socket));
	return { call, fault: faults.take(method, path) };
}

function pathOf(url: string, { pathRoot }: ExchangeOptions, prefix: string): string {
	const [path = ''] = url.split('?', 1);
	return path.slice((pathRoot ?? prefix).length);
}

/** A text body is sent unchanged, like a proxy's error page. */
function replaceAnswer(reply: FastifyReply, { call, fault }: Exchange): string {
	const { status = 500, headers = {}, body = faultBody(status) } = fault ?? {};
	reply.code(status).removeHeader('content-length').headers(headers);
	call.status = status;
	return typeof body === 'string' ? body : JSON.stringify(body);
}

function faultBody(status: number): object {
	if (status === 429) return TOO_MANY_REQUESTS;
	const code = 'INTERNAL_SERVER_ERROR';
	return { message: 'Injected fault', code, data: { code, httpStatus: status } };
}

async function cutRequest(request: IncomingMessage, { afterBytes = 0 }: Fault): Promise<never> {
	// The request no longer has its socket after it has been read.
	const { socket } = request;
	let received = 0;
	if (afterBytes > 0) {
		for await (const chunk of request) {
			received += (chunk as Buffer).length;
			if (received >= afterBytes) break;
		}
	}
	return await cut(socket);
}

async function cutAnswer(
	reply: FastifyReply,
	payload: unknown,
	{ afterBytes = 0 }: Fault,
): Promise<never> {
	const content = bytesOf(payload);
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) reply.raw.setHeader(name, value);
	}
	reply.raw.writeHead(reply.statusCode, { 'content-length': content.length });
	await new Promise((resolve) => reply.raw.write(content.subarray(0, afterBytes), resolve));
	return await cut(reply.raw);
}

function bytesOf(payload: unknown): Buffer {
	if (Buffer.isBuffer(payload)) return payload;
	return Buffer.from(typeof payload === 'string' ? payload : '');
}

const TRICKLE_BYTES = 100;

async function* trickle(content: Buffer, pauseMs: number): AsyncGenerator<Buffer> {
	for (let start = 0; start < content.length; start += TRICKLE_BYTES) {
		// The first bytes carry the headers: Fastify fails if the client leaves before them.
		if (start > 0) await delay(pauseMs);
		yield content.subarray(start, start + TRICKLE_BYTES);
	}
}

/** Cuts the connection; for Fastify the request never ends. */
async function cut(connection: { destroy(): unknown }): Promise<never> {
	connection.destroy();
	return await new Promise<never>(() => undefined);
}
