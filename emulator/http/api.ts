import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertStorable } from '../database';
import {
	describeDownloadError,
	describeError,
	DownloadQueryError,
	RequestError,
	ValidationError,
} from '../errors';
import type { Instance } from '../instance';
import { routes } from '../routes';
import type { WebhookDispatcher } from '../webhooks/dispatcher';
import {
	authenticate,
	missingDownloadToken,
	missingToken,
	type ApiToken,
	type Caller,
} from './auth';
import { clientOf } from './client';
import { addExchangeHooks, type ExchangeOptions } from './exchange';
import { parseBody, readBody, type RequestBody } from './requestBody';
import type { Download, FileAnswer, Procedure } from './route';
import { sendJson } from './sendJson';
import { UNSUPPORTED_ENDPOINTS } from './unsupportedEndpoints';

interface ApiOptions extends ExchangeOptions {
	webhooks: WebhookDispatcher;
	tokens: readonly ApiToken[];
	maxFileBytes: number;
}

/** The API under one prefix, as a Fastify plugin. */
export async function api(scope: FastifyInstance, options: ApiOptions): Promise<void> {
	const { files } = options.instance;
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', async (_request: FastifyRequest, raw: IncomingMessage) => {
		return await readBody(raw, files, options.maxFileBytes);
	});
	scope.setErrorHandler((error, request, reply) => {
		const { operation } = request.routeOptions.config as { operation?: string };
		const { status, body } = describeError(error, operation);
		return sendJson(reply, status, body);
	});
	scope.setNotFoundHandler(() => {
		throw new RequestError(404, 'NOT_FOUND', 'Not found');
	});
	addExchangeHooks(scope, options);
	scope.addHook('onRequest', async (request, reply) => {
		if (isLiteralPath(request, scope.prefix)) return undefined;
		reply.callNotFound();
		return await reply;
	});
	for (const route of routes) {
		if (route.kind === 'procedure') addProcedure(scope, route, options);
		else addDownload(scope, route, options);
	}
	addUnsupported(scope);
}

function addProcedure(scope: FastifyInstance, route: Procedure, options: ApiOptions): void {
	const { method, path: url, operation } = route;
	scope.route({
		method,
		url,
		config: { operation },
		handler: async (request, reply) => {
			const input = inputOf(request);
			const authorization = authorizationOf(request);
			const identify = (): Caller | undefined =>
				route.token === 'ignored' || (route.token !== undefined && !authorization)
					? undefined
					: authenticate(authorization, options.tokens, missingToken);
			const known = route.token === 'checkedLast' ? undefined : identify();
			// As recorded, issues of unions come last; only the async parser puts them there.
			const parsed = await route.input.safeParseAsync(input);
			if (!parsed.success) throw new ValidationError(parsed.error.issues);
			assertStorable(parsed.data);
			const caller = known ?? identify();
			const client = { ...clientOf(request.headers), teamName: caller?.team.name };
			const instance = { ...releasedAfter(reply, options), client };
			return await sendJson(reply, 200, await route.answer(instance, caller, parsed.data));
		},
	});
}

function addDownload(scope: FastifyInstance, route: Download, options: ApiOptions): void {
	const { method, path: url, operation, query } = route;
	scope.route({
		method: [method, 'HEAD'],
		url,
		config: { isFile: true, operation },
		handler: async (request, reply) => {
			const header = authorizationOf(request);
			if (!isExactPath(request)) throw declaredDownload(header, options);
			try {
				const parsed = query.safeParse(request.query);
				if (!parsed.success) throw new DownloadQueryError(request.query, parsed.error.issues);
				const caller = authenticate(header, options.tokens, missingDownloadToken);
				const params = request.params as Record<string, string>;
				const answer = await route.answer(options.instance, caller, params, parsed.data);
				return await sendFile(request, reply, answer);
			} catch (error) {
				const { status, body } = describeDownloadError(error);
				return await sendJson(reply, status, body);
			}
		},
	});
}

/** In capitals, or with a slash at the end, the path of a download leads to a JSON route without an implementation. */
function declaredDownload(header: string | undefined, { tokens }: ApiOptions): Error {
	authenticate(header, tokens, missingToken);
	return new Error('NOT_IMPLEMENTED');
}

/** Node.js keeps only the first of several headers; Documenso joins them to one token. */
function authorizationOf({ raw }: FastifyRequest): string | undefined {
	return raw.headersDistinct.authorization?.join(', ');
}

/** The prefix is case-sensitive, and nothing in the path but its parameters is decoded. */
function isLiteralPath(request: FastifyRequest, prefix: string): boolean {
	const { given, expected } = partsOfPath(request);
	const isLiteral = expected.every((part, index) =>
		part.startsWith(':') ? given[index] !== '' : part.toLowerCase() === given[index]?.toLowerCase(),
	);
	return isLiteral && request.url.startsWith(prefix);
}

function isExactPath(request: FastifyRequest): boolean {
	const { given, expected } = partsOfPath(request);
	return given.every((part, index) => expected[index]?.startsWith(':') || part === expected[index]);
}

function partsOfPath({ url, routeOptions }: FastifyRequest) {
	const [path = ''] = url.split('?', 1);
	return { given: path.split('/'), expected: (routeOptions.url ?? path).split('/') };
}

function sendFile(
	{ headers }: FastifyRequest,
	reply: FastifyReply,
	file: FileAnswer,
): FastifyReply {
	reply.headers(file.headers).type('application/pdf');
	const { etag } = file.headers;
	const isKnown = etag !== undefined && headers['if-none-match'] === etag;
	if (isKnown && !file.ignoresIfNoneMatch) return reply.code(304).send();
	return reply.send(file.content);
}

function addUnsupported(scope: FastifyInstance): void {
	for (const endpoint of UNSUPPORTED_ENDPOINTS) {
		const [method = '', url = ''] = endpoint.split(' ');
		const handler = (): never => {
			const message = `The local Documenso does not support ${endpoint} yet`;
			throw new RequestError(501, 'NOT_IMPLEMENTED', message);
		};
		scope.route({ method, url, handler });
	}
}

/** The instance, with its events held back until the response has been sent. */
function releasedAfter(reply: FastifyReply, { instance, webhooks }: ApiOptions): Instance {
	const outbox = webhooks.hold();
	// A client that died while its request waited has closed it already.
	if (reply.raw.closed) outbox.release();
	else reply.raw.once('close', () => outbox.release());
	return { ...instance, emit: outbox.emit };
}

function inputOf(request: FastifyRequest): unknown {
	const { method, query, headers, body } = request;
	const input = method === 'GET' ? checkedQuery(query as object) : bodyInput();
	// Like the service, treats lists and texts as objects, which then lack all required keys.
	return { ...(input as object), ...paramsOf(request) };

	function bodyInput(): unknown {
		// Fastify does not run the parser for a body of zero bytes.
		if (body === undefined) return parseBody(headers['content-type'], '');
		return (body as RequestBody).input;
	}
}

/** The service mistakes what every object has for a value. */
function checkedQuery(query: object): object {
	if (Object.keys(query).some((key) => key in {})) throw new Error('Internal server error');
	return query;
}

/** The service does not decode what is in the path, except for files. */
function paramsOf(request: FastifyRequest): Record<string, string> {
	const { given, expected } = partsOfPath(request);
	return Object.fromEntries(
		expected.flatMap((part, index) =>
			part.startsWith(':') ? [[part.slice(1), given[index] ?? '']] : [],
		),
	);
}
