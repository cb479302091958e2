import { jsonParse, sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { z } from 'zod';

import {
	apiError,
	baseUrlError,
	connectionError,
	unreadableError,
	type NodeError,
} from '../errors';
import { apiRoot, siteRoot, type ApiVersion } from './baseUrl';
import type { OpenBody, RequestBody } from './body';
import { pauseBeforeRetry, retryAfterSeconds } from './retry';

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	/** The current one unless told. */
	apiVersion?: ApiVersion;
	query?: IDataObject;
	/** A POST always has one. */
	body?: OpenBody;
	/** A POST that only reads may be repeated like a GET. */
	isRead?: boolean;
}

/** What n8n's helper returns when it is asked for the full response. */
interface Answer<Body = unknown> {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Body;
}

type ByteStream = Exclude<Parameters<IExecuteFunctions['helpers']['binaryToString']>[0], Buffer>;

type Outcome =
	| { answer: Answer; error?: undefined }
	| { error: NodeError; status?: number; retryAfter?: string };

/** A request that hangs for longer is given up. */
const TIMEOUT_MS = 300_000;
const ERROR_BODY_MAX_BYTES = 64 * 1024;

interface Credential {
	baseUrl?: string;
	apiToken?: string;
}

/** Whatever of n8n's has a credential and can send requests. */
type Context =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** The only way to the service: one for an execution, so that all its items wait out a 429 together. */
export class Client {
	/** Milliseconds since the epoch. */
	private resumeAt = 0;
	/** How far the service's clock is ahead, in milliseconds, as its last answer tells to the second. */
	clockSkew = 0;
	private readonly reads = new Map<string, Promise<IDataObject>>();

	private constructor(
		private readonly context: Context,
		/** Where people open documents, for example `https://app.documenso.com`. */
		readonly site: string,
		private readonly host: string,
		private readonly token: string,
		private readonly deadline?: AbortSignal,
	) {}

	/** From the `deadline` on, whatever is under way fails and nothing more is sent. */
	static async of(context: Context, deadline?: AbortSignal): Promise<Client> {
		const { baseUrl = '', apiToken = '' } =
			await context.getCredentials<Credential>('documensoApi');
		const site = siteRoot(baseUrl);
		const url = urlOf(site);
		if (!url) throw baseUrlError(context.getNode(), baseUrl);
		return new Client(context, site, url.host, apiToken, deadline);
	}

	/** Where the holder of a signing token signs. */
	signingUrl(token: string): string {
		return `${this.site}/sign/${token}`;
	}

	/** Sends a request that is answered with a JSON object. Throws a NodeApiError. */
	async send(request: ServiceRequest): Promise<IDataObject> {
		const answer = await this.attempt(request);
		if (isObject(answer.body)) return answer.body;
		throw this.failure(request, answer, answer.body);
	}

	/** What an answer has to hold. Throws a NodeApiError where it does not. */
	parse<Output>(schema: z.ZodType<Output, z.ZodTypeDef, unknown>, body: IDataObject): Output {
		const result = schema.safeParse(body);
		if (result.success) return result.data;
		throw unreadableError(this.context.getNode(), result.error);
	}

	/** Sends the same reading request once an execution; whoever asks again shares the answer. */
	async read(request: ServiceRequest): Promise<IDataObject> {
		const { path, query = {}, body } = request;
		const key = JSON.stringify([path, query, body?.().content]);
		const read = this.reads.get(key) ?? this.send(request);
		this.reads.set(key, read);
		return await read;
	}

	/**
	 * Passes a file's bytes to `store` as they arrive. Throws a NodeApiError when the service refuses
	 * the file, or when it breaks off before its end. What kind of file came is the caller's to check.
	 */
	async download<Stored>(
		request: ServiceRequest,
		store: (bytes: ByteStream) => Promise<Stored>,
	): Promise<Stored> {
		const { body } = (await this.attempt(request, 'stream')) as Answer<ByteStream>;
		return await store(body).catch((error: unknown) => {
			throw this.connectionError(error, request);
		});
	}

	/** Ends at once when the execution is cancelled. */
	async wait(milliseconds: number) {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal);
	}

	private async attempt(request: ServiceRequest, encoding?: 'stream'): Promise<Answer> {
		for (let number = 1; ; number++) {
			await this.wait(this.resumeAt - Date.now());
			const outcome = await this.once(request, encoding);
			if (!outcome.error) return outcome.answer;
			const { status, retryAfter, error } = outcome;
			const now = Date.now();
			const wait = this.cancelSignal?.aborted
				? undefined
				: pauseBeforeRetry({ number, isRead: isRead(request), status, retryAfter, now });
			if (wait === undefined) throw error;
			if (status === 429) this.resumeAt = Math.max(this.resumeAt, now + wait);
			else await this.wait(wait);
		}
	}

	private async once(request: ServiceRequest, encoding?: 'stream'): Promise<Outcome> {
		const body = request.body?.();
		let answer: Answer;
		try {
			answer = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				'documensoApi',
				this.options(request, body, encoding),
			)) as Answer;
		} catch (caught) {
			return { error: this.connectionError(caught, request) };
		} finally {
			body?.close?.();
		}
		const { statusCode: status, headers } = answer;
		const now = Date.parse(headers.date ?? '');
		if (!Number.isNaN(now)) this.clockSkew = now - Date.now();
		if (status < 300) return { answer };
		const said = encoding ? await readStart(answer.body as ByteStream) : answer.body;
		const error = this.failure(request, answer, said);
		return { error, status, retryAfter: headers['retry-after'] };
	}

	private failure(request: ServiceRequest, answer: Answer, body: unknown) {
		const { statusCode: status, headers } = answer;
		return apiError(this.context.getNode(), {
			asked: `${request.method} ${request.path}`,
			isRead: isRead(request),
			status,
			body,
			location: headers.location,
			retryAfter: retryAfterSeconds(headers['retry-after'], Date.now()),
			secret: this.token,
		});
	}

	private options(
		request: ServiceRequest,
		body?: RequestBody,
		encoding?: 'stream',
	): IHttpRequestOptions {
		return {
			method: request.method,
			url: apiRoot(this.site, request.apiVersion) + request.path,
			timeout: TIMEOUT_MS,
			qs: request.query,
			headers: body?.contentType ? { 'Content-Type': body.contentType } : {},
			body: body?.content,
			encoding,
			json: !encoding,
			abortSignal: this.deadline,
			// Statuses instead of exceptions: `Retry-After` and the body stay readable.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Following a redirect would turn a POST into a GET, and needs a copy of the body in memory.
			disableFollowRedirect: request.method === 'POST',
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}

	private connectionError(caught: unknown, request: ServiceRequest) {
		return connectionError(this.context.getNode(), caught, isRead(request), this.host);
	}

	private get cancelSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: this.deadline;
	}
}

function isRead(request: ServiceRequest): boolean {
	return request.isRead ?? request.method === 'GET';
}

/** An address with a query or fragment would not be one that paths can be put behind. */
function urlOf(text: string): URL | undefined {
	if (!/^https?:\/\/[^\s?#]+$/i.test(text)) return undefined;
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error's body comes as a stream too when a stream was asked for. */
async function readStart(stream: ByteStream): Promise<unknown> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes >= ERROR_BODY_MAX_BYTES) break;
	}
	const text = Buffer.concat(chunks).toString('utf8');
	return jsonParse<unknown>(text, { fallbackValue: text });
}
