import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instance } from '../instance';
import type { Call, CallLog } from './calls';
import type { Capacity } from './capacity';
import type { Interceptors } from './intercept';
import { TOO_MANY_REQUESTS, type RateLimiter } from './rateLimit';
import type { RequestBody } from './requestBody';
import { sendJson } from './sendJson';

export interface ExchangeOptions {
	instance: Instance;
	calls: CallLog;
	interceptors: Interceptors;
	rateLimiter: RateLimiter;
	latencyMs: number;
	capacity: Capacity;
	/** Recorded paths are relative to this; the default is the scope's prefix. */
	pathRoot?: string;
}

const METHODS = 'GET,HEAD,PUT,POST,DELETE,PATCH,QUERY';

/** Adds what happens around every API call: headers, the call log, interceptors, the rate limit. */
export function addExchangeHooks(scope: FastifyInstance, options: ExchangeOptions): void {
	const { interceptors } = options;
	const calls = new WeakMap<IncomingMessage, Call>();

	scope.addHook('onRequest', async (request, reply) => {
		const { raw, method } = request;
		reply.header('access-control-allow-origin', '*').header('x-request-id', randomUUID());
		if (method === 'OPTIONS') {
			reply.header('access-control-allow-methods', METHODS);
			return await reply.code(204).type('text/plain; charset=UTF-8').send();
		}
		const passed = interceptors.passedOn(raw);
		const call = passed?.call ?? begin(request, reply, options, scope.prefix);
		calls.set(raw, call);
		const write = passed ? undefined : await interceptors.answer(raw, call);
		if (write) {
			const response = reply.hijack().raw;
			// What was carried out has a status, also if the client has gone meanwhile.
			const isGone = response.destroyed;
			write(response);
			if (isGone || response.headersSent) call.status = response.statusCode;
			return undefined;
		}
		const { exceeded, headers } = options.rateLimiter.count(raw);
		reply.headers(headers);
		if (exceeded) return await sendJson(reply, 429, TOO_MANY_REQUESTS);
		// HEAD is 204 for any path but that of a file, even without a token.
		if (method === 'HEAD' && !isOfFile(request)) {
			return await reply.code(204).header('content-type', 'application/json').send();
		}
		return undefined;
	});

	scope.addHook('preValidation', async ({ raw, body }, reply) => {
		const call = calls.get(raw);
		if (!call) return undefined;
		call.body = (body as RequestBody | undefined)?.recorded;
		// A client that has gone does not keep the process alive.
		if (options.latencyMs > 0) await delay(options.latencyMs, undefined, { ref: false });
		await options.capacity.work();
		const instead = interceptors.passedOn(raw)?.instead;
		if (!instead) return undefined;
		return await sendJson(reply.headers(instead.headers ?? {}), instead.status, instead.body);
	});

	scope.addHook('onSend', async ({ raw }, reply, payload) => {
		if (!reply.hasHeader('date')) reply.header('date', options.instance.now().toUTCString());
		const call = calls.get(raw);
		// The client's own request has the status.
		if (call && !interceptors.passedOn(raw)) call.status = reply.statusCode;
		return payload;
	});
}

function isOfFile({ routeOptions }: FastifyRequest): boolean {
	return (routeOptions.config as { isFile?: boolean } | undefined)?.isFile === true;
}

function begin(
	{ method, url, headers, routeOptions, raw }: FastifyRequest,
	reply: FastifyReply,
	{ calls, pathRoot }: ExchangeOptions,
	prefix: string,
): Call {
	const [before = '', search = ''] = url.split('?', 2);
	const root = (pathRoot ?? prefix).length;
	const path = before.slice(root);
	const query = Object.fromEntries(new URLSearchParams(search));
	const call: Call = { method, path, query, headers };
	const { socket } = raw;
	calls.begin(call, routeOptions.url?.slice(root) ?? path, socket);
	reply.raw.once('close', () => calls.end(socket));
	return call;
}
