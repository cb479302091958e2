import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import {
	apiError,
	baseUrlError,
	connectionError,
	unreadableError,
	type NodeError,
} from '../errors';
import { apiRoot, siteRoot, type ApiVersion } from './baseUrl';
import type { OpenBody } from './body';
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
import { Pace } from './pace';
import { pauseBeforeRetry, retryAfterSeconds } from './retry';
import { Traffic } from './traffic';

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

type Outcome<Result> =
	| { result: Result; error?: undefined }
	| { error: NodeError; status?: number; retryAfter?: string };

interface ClientOptions {
	/** From then on, whatever is under way fails and nothing more is sent. */
	deadline?: AbortSignal;
	/** Of the execution, which has its items worked on at the same pace. */
	pace?: Pace;
	/** Read unless it has been. */
	credential?: Credential;
}

/** The only way to the service: one for an execution, so that all its items wait out a 429 together. */
export class Client {
	/** How far the service's clock is ahead, in milliseconds, as its last answer tells to the second. */
	clockSkew = 0;
	private readonly reads = new Map<string, Promise<IDataObject>>();

	private constructor(
		private readonly context: Context,
		/** Where people open documents, for example `https://app.documenso.com`. */
		readonly site: string,
		private readonly host: string,
		private readonly credential: Credential,
		private readonly traffic: Traffic,
		private readonly deadline?: AbortSignal,
	) {}

	static async of(context: Context, options: ClientOptions = {}): Promise<Client> {
		const { pace = new Pace(), deadline } = options;
		const credential = options.credential ?? (await context.getCredentials<Credential>(CREDENTIAL));
		const { baseUrl = '' } = credential;
		const site = siteRoot(baseUrl);
		const url = urlOf(site);
		if (!url) throw baseUrlError(context.getNode(), baseUrl);
		const traffic = new Traffic(pace, cancelSignalOf(context) ?? deadline);
		return new Client(context, site, url.host, credential, traffic, deadline);
	}

	/** How many requests the service bears at once, as far as it is known. */
	get limit(): number {
		return this.traffic.pace.limit;
	}

	/** Where the holder of a signing token signs. */
	signingUrl(token: string): string {
		return `${this.site}/sign/${token}`;
	}

	/** Sends a request that is answered with a JSON object. Throws a NodeApiError. */
	async send(request: ServiceRequest): Promise<IDataObject> {
		return await this.attempt(request, 'json', async (answer) => {
			if (isObject(answer.body)) return answer.body;
			throw this.failure(request, answer, answer.body);
		});
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
		return await this.attempt(request, 'stream', async ({ body }) => {
			return await store(body as ByteStream).catch((error: unknown) => {
				throw this.connectionError(error, request);
			});
		});
	}

	/** Ends at once when the execution is cancelled. */
	async wait(milliseconds: number) {
		await this.traffic.wait(milliseconds);
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
			const outcome = await this.traffic.inTurn(
				async () => await this.once(request, encoding, read, waitedAt),
			);
			if (!outcome.error) return outcome.result;
			const { status, retryAfter, error } = outcome;
			const now = Date.now();
			const waited = waitedAt(now);
			const attempt = { number, isRead: isRead(request), status, retryAfter, waited, now };
			const pause = this.traffic.isCancelled ? undefined : pauseBeforeRetry(attempt);
			if (pause === undefined) throw error;
			if (status === 429) {
				refusedAt ??= now;
				this.traffic.quota.hold(now + pause);
			} else {
				await this.wait(pause);
			}
		}
	}

	private async once<Result>(
		request: ServiceRequest,
		encoding: Encoding,
		read: (answer: Answer) => Promise<Result>,
		waitedAt: (now: number) => number,
	): Promise<Outcome<Result>> {
		const { pace, quota } = this.traffic;
		const sent = pace.begin(kindOf(request));
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
			return { error: this.connectionError(caught, request) };
		}
		const { statusCode: status, headers } = answer;
		const now = Date.now();
		const then = Date.parse(headers.date ?? '');
		if (!Number.isNaN(then)) this.clockSkew = then - now;
		quota.told(headers, now);
		if (status === 429 || status >= 500) sent.overloaded();
		else sent.answered();
		if (status < 300) return { result: await read(answer) };
		const error = this.failure(request, answer, await refusalIn(answer), waitedAt(now));
		return { error, status, retryAfter: headers['retry-after'] };
	}

	private failure(request: ServiceRequest, answer: Answer, body: unknown, waited = 0) {
		const { statusCode: status, headers } = answer;
		return apiError(this.context.getNode(), {
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

	private connectionError(caught: unknown, request: ServiceRequest) {
		return connectionError(this.context.getNode(), caught, isRead(request), this.host);
	}
}

function cancelSignalOf(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** What requests of about the same duration have in common: the endpoint, without the ids in it. */
function kindOf({ method, path }: ServiceRequest): string {
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
