import { jsonParse, sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { apiError, baseUrlError, connectionError, type NodeError } from '../errors';
import { apiRoot, siteRoot } from './baseUrl';
import type { OpenBody } from './body';
import { pauseBeforeRetry } from './retry';

export interface ServiceRequest {
	method: 'GET' | 'POST';
	path: string;
	query?: IDataObject;
	/** A POST always has one. */
	body?: OpenBody;
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

const ERROR_BODY_MAX_BYTES = 64 * 1024;

/** The only way to the service: one for an execution, so that all its items wait out a 429 together. */
export class Client {
	/** Milliseconds since the epoch. */
	private resumeAt = 0;
	private readonly reads = new Map<string, Promise<IDataObject>>();

	private constructor(
		private readonly context: IExecuteFunctions | ILoadOptionsFunctions,
		/** Where people open documents, for example `https://app.documenso.com`. */
		readonly site: string,
		private readonly root: string,
	) {}

	static async of(context: IExecuteFunctions | ILoadOptionsFunctions): Promise<Client> {
		const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('documensoApi');
		if (!/^https?:\/\/[^/\s]/i.test(baseUrl.trim())) throw baseUrlError(context.getNode(), baseUrl);
		return new Client(context, siteRoot(baseUrl), apiRoot(baseUrl));
	}

	/** Where the holder of a signing token signs. */
	signingUrl(token: string): string {
		return `${this.site}/sign/${token}`;
	}

	/** Sends a request that is answered with a JSON object. Throws a NodeApiError. */
	async send(request: ServiceRequest): Promise<IDataObject> {
		const { body, statusCode } = await this.attempt(request);
		if (isObject(body)) return body;
		throw apiError(this.context.getNode(), { status: statusCode, body });
	}

	/** Sends the same GET once an execution; whoever asks again shares the answer. */
	async read(path: string, query: IDataObject = {}): Promise<IDataObject> {
		const key = path + JSON.stringify(query);
		const read = this.reads.get(key) ?? this.send({ method: 'GET', path, query });
		this.reads.set(key, read);
		return await read;
	}

	/**
	 * Passes a file's bytes to `store` as they arrive. Throws a NodeApiError when the service refuses
	 * the file, or when it breaks off before its end.
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

	private async attempt(request: ServiceRequest, encoding?: 'stream'): Promise<Answer> {
		for (let number = 1; ; number++) {
			await this.pause(this.resumeAt - Date.now());
			const outcome = await this.once(request, encoding);
			if (!outcome.error) return outcome.answer;
			const { status, retryAfter, error } = outcome;
			const now = Date.now();
			const wait = this.cancelSignal?.aborted
				? undefined
				: pauseBeforeRetry({ number, method: request.method, status, retryAfter, now });
			if (wait === undefined) throw error;
			if (status === 429) this.resumeAt = Math.max(this.resumeAt, now + wait);
			else await this.pause(wait);
		}
	}

	private async once(request: ServiceRequest, encoding?: 'stream'): Promise<Outcome> {
		const node = this.context.getNode();
		let answer: Answer;
		try {
			answer = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context,
				'documensoApi',
				this.options(request, encoding),
			)) as Answer;
		} catch (caught) {
			return { error: this.connectionError(caught, request) };
		}
		const { statusCode: status, headers } = answer;
		if (status < 300) return { answer };
		const body = encoding ? await readStart(answer.body as ByteStream) : answer.body;
		const retryAfter = headers['retry-after'];
		const error = apiError(node, { status, body, location: headers.location, retryAfter });
		return { error, status, retryAfter };
	}

	private options(request: ServiceRequest, encoding?: 'stream'): IHttpRequestOptions {
		const body = request.body?.();
		return {
			method: request.method,
			url: this.root + request.path,
			qs: request.query,
			headers: body?.contentType ? { 'Content-Type': body.contentType } : {},
			body: body?.content,
			encoding,
			json: !encoding,
			// Statuses instead of exceptions: `Retry-After` and the body stay readable.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Following a redirect would turn a POST into a GET, and needs a copy of the body in memory.
			disableFollowRedirect: request.method === 'POST',
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}

	private connectionError(caught: unknown, { method }: ServiceRequest) {
		return connectionError(this.context.getNode(), caught, method, new URL(this.root).host);
	}

	private async pause(milliseconds: number) {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal);
	}

	private get cancelSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: undefined;
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
