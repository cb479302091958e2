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

/** After this time without an answer, a request fails. */
const TIMEOUT_MS = 300_000;
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
	try {
		// Its shape follows from the options.
		return (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			httpOptions(request, body),
			// Otherwise n8n would read and decrypt it for each request.
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
		)) as Answer;
	} finally {
		body?.close?.();
	}
}

function httpOptions(
	{ method, url, query, encoding, deadline }: OutgoingRequest,
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
		abortSignal: deadline,
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
