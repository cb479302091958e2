import { jsonParse } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { clock } from './clock';
import type { RequestBody } from './body';
import { fileFailure, redirectsFailure } from './failedRequest';
import { MultipartForm } from './multipart';
import type { ServiceRequest } from './request';

export const CREDENTIAL = 'documensoApi';

/** What the client reads of the credential. */
export type Credential = ICredentialDataDecryptedObject & { baseUrl?: string; apiToken?: string };

/** Every context of n8n's that has a credential and can send requests. */
export type Context =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** What n8n's helper returns when it is asked for the full response. */
export interface Answer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: unknown;
	/** The origin that has answered without the token, because a redirect leads there: a store of files, as a rule. */
	elsewhere?: string;
}

export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['binaryToString']>[0],
	Buffer
>;

export type Encoding = 'json' | 'stream';

/** After this time without a byte, a request fails, in milliseconds. */
const TIMEOUT_MS = 300_000;
/** A request may take so long in all, in milliseconds. */
const LIMIT_MS = 300_000;
/** The same with a file in it or in its answer: 50 MB need an hour at 111 kbit/s. */
const FILE_LIMIT_MS = 3_600_000;
const ERROR_BODY_MAX_BYTES = 64 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
/** As many as n8n follows itself. */
const MAX_REDIRECTS = 21;

interface OutgoingRequest extends Pick<ServiceRequest, 'method' | 'query' | 'body'> {
	url: string;
	encoding: Encoding;
	deadline?: AbortSignal;
	/** No cache on the way should answer it. */
	isFresh?: boolean;
}

/** Sends one request through n8n's HTTP helper. Throws what n8n throws when no answer comes; any status is an answer. */
export async function exchange(
	context: Context,
	credential: Credential,
	request: OutgoingRequest,
): Promise<Answer> {
	const body = request.body?.();
	const hasFile = request.encoding === 'stream' || body?.content instanceof MultipartForm;
	const limit = kept(clock.timeout(hasFile ? FILE_LIMIT_MS : LIMIT_MS));
	const ends = [limit, request.deadline, cancelSignalOf(context)];
	const abortSignal = AbortSignal.any(ends.filter((end) => end !== undefined));
	// n8n takes this signal instead of the one in the options.
	const limited = Object.create(context, {
		getExecutionCancelSignal: { value: () => abortSignal },
	}) as Context;
	const { helpers } = context;
	const send: Send = async (hop, hasToken) => {
		const options = { ...httpOptions(hop, body), abortSignal };
		const sent = hasToken
			? helpers.httpRequestWithAuthentication.call(limited, CREDENTIAL, options, {
					// Otherwise n8n would read and decrypt it for each request.
					credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential },
				})
			: helpers.httpRequest(options);
		// Its shape follows from the options.
		return (await sent) as Answer;
	};
	try {
		// Following a redirect would turn a POST into a GET, and needs a copy of the body in memory.
		return await (request.method === 'GET' ? follow(request, send) : send(request, true));
	} catch (error) {
		throw body?.failure === undefined ? error : fileFailure('read', body.failure);
	} finally {
		body?.close?.();
		// A file is still to come.
		if (request.encoding !== 'stream') limit.removeEventListener('abort', nothing);
	}
}

const nothing = () => undefined;

/** Node before 24 forgets a time-out to which nothing listens itself: what never ends would never be given up. */
export function kept(timeout: AbortSignal): AbortSignal {
	timeout.addEventListener('abort', nothing);
	return timeout;
}

type Send = (request: OutgoingRequest, hasToken: boolean) => Promise<Answer>;

/**
 * Sends a read, and follows its redirects. The token stays at the first origin. Once a redirect has left it, the token is
 * sent nowhere any more, even if another leads back: otherwise a stranger would choose what is read with it.
 */
async function follow(request: OutgoingRequest, send: Send): Promise<Answer> {
	let url = new URL(request.url);
	const { origin, host } = url;
	let hasToken = true;
	let answer = await send(request, hasToken);
	for (let redirects = 0; ; redirects++) {
		const next = redirectIn(answer, url);
		// A store of files elsewhere keeps copies, and they are no older than what Documenso has.
		const headers = { ...answer.headers, age: undefined };
		if (!next) return hasToken ? answer : { ...answer, headers, elsewhere: url.origin };
		// A stream that nobody reads keeps its connection, even if it is destroyed: axios has wrapped it.
		await refusalIn(answer);
		if (redirects === MAX_REDIRECTS) throw redirectsFailure(host, MAX_REDIRECTS);
		url = next;
		hasToken &&= url.origin === origin;
		answer = await send({ ...request, url: url.href, query: undefined }, hasToken);
	}
}

/** Where an answer leads; undefined if it is no redirect, or none that can be followed. */
function redirectIn({ statusCode, headers: { location } }: Answer, from: URL): URL | undefined {
	if (!REDIRECTS.includes(statusCode) || !location || !URL.canParse(location, from.href))
		return undefined;
	const next = new URL(location, from);
	// n8n would send a user and password instead of the token.
	const hasUser = next.username !== '' || next.password !== '';
	return /^https?:$/.test(next.protocol) && !hasUser ? next : undefined;
}

export function cancelSignalOf(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

function httpOptions(
	{ method, url, query, encoding, isFresh }: OutgoingRequest,
	body: RequestBody | undefined,
): IHttpRequestOptions {
	return {
		method,
		url,
		timeout: TIMEOUT_MS,
		qs: query,
		headers: {
			...(body?.contentType ? { 'Content-Type': body.contentType } : {}),
			...(isFresh ? { 'Cache-Control': 'no-cache' } : {}),
		},
		body: body?.content,
		...(encoding === 'stream' ? { encoding } : { json: true }),
		// Statuses instead of exceptions: `Retry-After` and the body stay readable.
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// n8n 2.4 sends the token along, wherever a redirect leads.
		disableFollowRedirect: true,
	};
}

/** The body of an answer that is no success: a stream, too, when one was asked for. */
export async function refusalIn({ body }: Answer): Promise<unknown> {
	const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
	// n8n's streams are Node.js streams.
	return isStream ? await startOf(body as AsyncIterable<Buffer>) : body;
}

async function startOf(stream: AsyncIterable<Buffer>): Promise<unknown> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes >= ERROR_BODY_MAX_BYTES) break;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	return jsonParse<unknown>(text, { fallbackValue: text });
}
