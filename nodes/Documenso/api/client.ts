import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { AdaptiveConcurrency } from './adaptiveConcurrency';
import { apiRoot, siteRoot, type ApiVersion } from './baseUrl';
import { jsonBody, type OpenBody } from './body';
import { mapConcurrently } from './concurrency';
import {
	CREDENTIAL,
	exchange,
	refusalIn,
	type Answer,
	type ByteStream,
	type Context,
	type Credential,
	type Encoding,
} from './exchange';
import { envelopeSchema, type Envelope } from './envelope';
import { answerFailure, ApiFailure, connectionFailure } from './failure';
import { distinct, extentSchema, readPages, type Extent } from './pages';
import { path } from './path';
import { dataOf, parse, type Schema } from './records';
import { pauseBeforeRetry, retryAfterSeconds } from './retry';
import { Throttle } from './throttle';

/** The most that the service lists on a page. */
const PAGE_SIZE = 100;

const anyObject: Schema<IDataObject> = z.custom<IDataObject>(isObject);

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

/** A request that only reads. */
export function getFrom(path: string, query?: IDataObject): ServiceRequest {
	return { method: 'GET', path, query };
}

/** A request that changes something. */
export function post(path: string, body: IDataObject): ServiceRequest {
	return { method: 'POST', path, body: jsonBody(body) };
}

/** A request that only reads although it is a POST. */
export function postToRead(path: string, body: IDataObject): ServiceRequest {
	return { ...post(path, body), isRead: true };
}

type Attempted<Result> =
	| { result: Result; error?: undefined }
	| { error: ApiFailure; status?: number; retryAfter?: string };

interface ClientOptions {
	/** From then on, whatever is under way fails and nothing more is sent. */
	deadline?: AbortSignal;
	/** Of the execution, which works on as many items at a time. */
	concurrency?: AdaptiveConcurrency;
	/** Read unless it has been. */
	credential?: Credential;
}

/** The only way to the service: one for an execution, so that all its items wait out a 429 together. */
export class Client {
	/** How far the service's clock is ahead, in milliseconds, as its last answer tells to the second. */
	clockSkew = 0;
	private readonly made = new Map<string, Promise<unknown>>();

	private constructor(
		private readonly context: Context,
		/** Where people open documents, for example `https://app.documenso.com`. */
		readonly site: string,
		private readonly host: string,
		private readonly credential: Credential,
		private readonly throttle: Throttle,
		private readonly deadline?: AbortSignal,
	) {}

	static async of(context: Context, options: ClientOptions = {}): Promise<Client> {
		const { concurrency = new AdaptiveConcurrency(), deadline } = options;
		const credential = options.credential ?? (await context.getCredentials<Credential>(CREDENTIAL));
		const { baseUrl = '' } = credential;
		const site = siteRoot(baseUrl);
		const url = urlOf(site);
		if (!url) throw baseUrlFailure(baseUrl);
		const throttle = new Throttle(concurrency, cancelSignalOf(context) ?? deadline);
		return new Client(context, site, url.host, credential, throttle, deadline);
	}

	/** How many concurrent requests the service can take, by what is known so far. */
	get limit(): number {
		return this.throttle.concurrency.limit;
	}

	/** Where the holder of a signing token signs. */
	signingUrl(token: string): string {
		return `${this.site}/sign/${token}`;
	}

	/** Reads something. Throws an ApiFailure, like all that follow. */
	async get<Output = IDataObject>(
		path: string,
		schema?: Schema<Output>,
		query?: IDataObject,
	): Promise<Output> {
		return await this.send({ method: 'GET', path, query }, schema);
	}

	/** Reads a document or template anew: what an earlier step of the execution read may be out of date. */
	async envelope(id: string): Promise<Envelope> {
		return await this.get(path`/envelope/${id}`, envelopeSchema);
	}

	/**
	 * Up to as many records of a list as are wanted, each once. This is the only loop over pages. New records come
	 * first on Documenso's lists, so that older ones move to later pages while they are read.
	 */
	async list(path: string, query: IDataObject, wanted = Infinity): Promise<IDataObject[]> {
		const perPage = Math.min(PAGE_SIZE, wanted);
		const limit = () => this.limit;
		const read = async (page: number) => {
			const answer = await this.get(path, undefined, { ...query, page, perPage });
			const extent: Extent = this.parse(extentSchema, answer);
			const { pages, count = pages * perPage } = extent;
			return { number: page, items: dataOf(answer), pages, count };
		};
		return await readPages({ perPage, wanted, limit, read });
	}

	/** The records of several lists, read side by side; as many of each as are wanted. */
	async lists(path: string, queries: IDataObject[], wanted = Infinity): Promise<IDataObject[]> {
		const lists = await mapConcurrently(
			queries,
			() => this.limit,
			async (query) => await this.list(path, query, wanted),
		);
		return distinct(lists.flat());
	}

	/** Changes something. */
	async post<Output = IDataObject>(
		path: string,
		body: IDataObject | OpenBody,
		schema?: Schema<Output>,
	): Promise<Output> {
		const opened = typeof body === 'function' ? body : jsonBody(body);
		return await this.send({ method: 'POST', path, body: opened }, schema);
	}

	/** Sends a request that is answered with a JSON object. */
	async send<Output = IDataObject>(
		request: ServiceRequest,
		schema = anyObject as unknown as Schema<Output>,
	): Promise<Output> {
		const body = await this.attempt(request, 'json', async (answer) => {
			if (isObject(answer.body)) return answer.body;
			throw this.failure(request, answer, answer.body);
		});
		return this.parse(schema, body);
	}

	/** Throws an ApiFailure where an answer does not hold what it has to. */
	parse<Output>(schema: Schema<Output>, answer: unknown): Output {
		return parse(schema, answer);
	}

	/** Makes something once an execution, for example by reading it; whoever asks again shares it. */
	async once<Output>(key: string, make: () => Promise<Output>): Promise<Output> {
		const made = (this.made.get(key) as Promise<Output> | undefined) ?? make();
		this.made.set(key, made);
		return await made;
	}

	/**
	 * Passes a file's bytes to `store` as they arrive. Throws an ApiFailure when the service refuses
	 * the file, or when it breaks off before its end. What kind of file came is the caller's to check.
	 */
	async download<Stored>(
		request: ServiceRequest,
		store: (bytes: ByteStream) => Promise<Stored>,
	): Promise<Stored> {
		return await this.attempt(request, 'stream', async ({ body }) => {
			return await store(body as ByteStream).catch((error: unknown) => {
				throw this.connectionFailure(error, request);
			});
		});
	}

	/** Ends at once when the execution is cancelled. */
	async wait(milliseconds: number) {
		await this.throttle.wait(milliseconds);
	}

	/** What `read` throws about an answer is final. */
	private async attempt<Result>(
		request: ServiceRequest,
		encoding: Encoding,
		read: (answer: Answer) => Promise<Result>,
	): Promise<Result> {
		let refusedAt: number | undefined;
		const waitedAt = (now: number) => now - (refusedAt ?? now);
		for (let number = 1; ; number++) {
			const outcome = await this.throttle.inTurn(
				async () => await this.tryOnce(request, encoding, read, waitedAt),
			);
			if (!outcome.error) return outcome.result;
			const { status, retryAfter, error } = outcome;
			const now = Date.now();
			const waited = waitedAt(now);
			const attempt = { number, isRead: isRead(request), status, retryAfter, waited, now };
			const pause = this.throttle.isCancelled ? undefined : pauseBeforeRetry(attempt);
			if (pause === undefined) throw error;
			if (status === 429) {
				refusedAt ??= now;
				this.throttle.rateLimit.hold(now + pause);
			} else {
				await this.wait(pause);
			}
		}
	}

	private async tryOnce<Result>(
		request: ServiceRequest,
		encoding: Encoding,
		read: (answer: Answer) => Promise<Result>,
		waitedAt: (now: number) => number,
	): Promise<Attempted<Result>> {
		const { concurrency, rateLimit } = this.throttle;
		const sent = concurrency.begin(kindOf(request));
		let answer: Answer;
		try {
			answer = await exchange(this.context, this.credential, {
				...request,
				url: apiRoot(this.site, request.apiVersion) + request.path,
				encoding,
				deadline: this.deadline,
			});
		} catch (caught) {
			sent.overloaded();
			return { error: this.connectionFailure(caught, request) };
		}
		const { statusCode: status, headers } = answer;
		const now = Date.now();
		const then = Date.parse(headers.date ?? '');
		if (!Number.isNaN(then)) this.clockSkew = then - now;
		rateLimit.told(headers, now);
		if (status === 429 || status >= 500) sent.overloaded();
		else sent.answered();
		if (status < 300) return { result: await read(answer) };
		const error = this.failure(request, answer, await refusalIn(answer), waitedAt(now));
		return { error, status, retryAfter: headers['retry-after'] };
	}

	private failure(request: ServiceRequest, answer: Answer, body: unknown, waited = 0) {
		const { statusCode: status, headers } = answer;
		return answerFailure({
			asked: `${request.method} ${request.path}`,
			isRead: isRead(request),
			status,
			body,
			location: headers.location,
			retryAfter: retryAfterSeconds(headers['retry-after'], Date.now()),
			waited: Math.round(waited / 1000),
			secret: this.credential.apiToken ?? '',
		});
	}

	private connectionFailure(caught: unknown, request: ServiceRequest) {
		return connectionFailure(caught, isRead(request), this.host);
	}
}

function baseUrlFailure(baseUrl: string): ApiFailure {
	return new ApiFailure({
		message: `The base URL "${baseUrl}" in the credential is not a URL`,
		outcome: 'unsent',
		origin: '',
		notes: [
			'Enter where Documenso is, without the path of a page: for example https://app.documenso.com',
		],
		details: {},
	});
}

function cancelSignalOf(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** What requests of about the same duration have in common: the endpoint, without the ids in it. */
export function kindOf({ method, path }: ServiceRequest): string {
	return `${method} ${path.replace(/[^/]*[\d_][^/]*/g, '*')}`;
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
