import { jsonParse } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { OpenBody, RequestBody } from './body';
import { fileFailure } from './failedRequest';
import { MultipartForm } from './multipart';

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

interface OutgoingRequest {
	method: 'GET' | 'POST';
	url: string;
	query?: IDataObject;
	body?: OpenBody;
	encoding: Encoding;
	deadline?: AbortSignal;
}

/** Sends one request through n8n's HTTP helper. Throws what n8n throws when no answer comes; any status is an answer. */
export async function exchange(
	context: Context,
	credential: Credential,
	request: OutgoingRequest,
): Promise<Answer> {
	const body = request.body?.();
	const hasFile = request.encoding === 'stream' || body?.content instanceof MultipartForm;
	const limits = definedAmong([
		AbortSignal.timeout(hasFile ? FILE_LIMIT_MS : LIMIT_MS),
		request.deadline,
	]);
	// Node before 24 forgets a time-out to which nothing listens itself: what never ends would never be given up.
	const listener = () => undefined;
	for (const limit of limits) limit.addEventListener('abort', listener);
	const abortSignal = AbortSignal.any(definedAmong([...limits, cancelSignalOf(context)]));
	// n8n takes this signal instead of the one in the options.
	const limited = Object.create(context, {
		getExecutionCancelSignal: { value: () => abortSignal },
	}) as Context;
	try {
		// Its shape follows from the options.
		return (await context.helpers.httpRequestWithAuthentication
			.call(
				limited,
				CREDENTIAL,
				{ ...httpOptions(request, body), abortSignal },
				// Otherwise n8n would read and decrypt it for each request.
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
			)
			.catch((error: unknown) => {
				throw body?.failure === undefined ? error : fileFailure('read', body.failure);
			})) as Answer;
	} finally {
		body?.close?.();
		// A file is still to come.
		if (request.encoding !== 'stream') {
			for (const limit of limits) limit.removeEventListener('abort', listener);
		}
	}
}

function definedAmong(signals: Array<AbortSignal | undefined>): AbortSignal[] {
	return signals.filter((signal) => signal !== undefined);
}

export function cancelSignalOf(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

function httpOptions(
	{ method, url, query, encoding }: OutgoingRequest,
	body: RequestBody | undefined,
): IHttpRequestOptions {
	return {
		method,
		url,
		timeout: TIMEOUT_MS,
		qs: query,
		headers: body?.contentType ? { 'Content-Type': body.contentType } : {},
		body: body?.content,
		...(encoding === 'stream' ? { encoding } : { json: true }),
		// Statuses instead of exceptions: `Retry-After` and the body stay readable.
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Following a redirect would turn a POST into a GET, and needs a copy of the body in memory.
		disableFollowRedirect: method === 'POST',
		sendCredentialsOnCrossOriginRedirect: false,
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
