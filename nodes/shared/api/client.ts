import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from './clock';
import { apiRoot, pageOf, siteOf } from './baseUrl';
import type { OpenBody } from './body';
import { mapConcurrently } from './concurrency';
import {
	CREDENTIAL,
	cancelSignalOf,
	exchange,
	kept,
	refusalIn,
	type Answer,
	type ByteStream,
	type Context,
	type Credential,
	type Encoding,
} from './exchange';
import { pageSchema, type Envelope } from './envelope';
import {
	answerFailure,
	connectionFailure,
	fileFailure,
	interceptedFailure,
	isOfFiles,
	storeFailure,
} from './failedRequest';
import { ApiFailure, cachedFailure, foreignReadFailure, isElsewhere } from './failure';
import { readFailure } from './failureBody';
import { distinct, readPages, readWholeList, type Selection } from './pages';
import { maskOf, type Mask } from './mask';
import { path } from './path';
import { recordSchema, changedSchema, parse, type Schema } from './records';
import { getFrom, kindOf, post, type ServiceRequest } from './request';
import { pauseBeforeRetry, retryAfterSeconds } from './retry';
import { serviceAt, type Bulk, type Sender, type Service, type Turn } from './service';

/** The most that Documenso lists on a page. */
export const PAGE_SIZE = 100;

/** How long the question may take whether Documenso is there, in milliseconds. */
const ASK_MS = 10_000;

const anyObject: Schema<IDataObject> = z.custom<IDataObject>(isObject);

interface ClientOptions {
	/** Once it is over, requests under way fail and nothing more is sent. */
	deadline?: AbortSignal;
	/** For an execution of the node. */
	bulk?: Bulk;
	/** Read from n8n by default. */
	credential?: Credential;
	/** Those of this process by default. */
	services?: Map<string, Service>;
}

/** What the code above uses of a client. */
export type Client = Pick<HttpClient, keyof HttpClient>;

/** Assumed until an answer tells it: few, because an organisation's own limit may be low (documenso-api.md: Rate limits). */
const USUAL_REQUESTS_PER_MINUTE = 100;

/** The only way to Documenso. All clients of one service wait together after a 429. */
export class HttpClient {
	/** How far Documenso's clock is ahead: milliseconds, accurate to a second. */
	clockSkew = 0;
	answers = 0;
	private readonly shared = new Map<string, unknown>();
	private asked?: Promise<boolean>;
	private readonly mask: Mask;

	private constructor(
		private readonly context: Context,
		/** Where people open documents, for example `https://app.documenso.com`. */
		readonly site: string,
		private readonly host: string,
		private readonly credential: Credential,
		private readonly service: Service,
		private readonly sender: Sender,
		/** A hash that tells accounts apart: it stands for the base URL and the token, and contains neither. */
		readonly account: string,
		private readonly deadline?: AbortSignal,
	) {
		this.mask = maskOf(credential.apiToken ?? '');
	}

	static async of(context: Context, options: ClientOptions = {}): Promise<HttpClient> {
		const { bulk } = options;
		const deadline = options.deadline && kept(options.deadline);
		const credential = options.credential ?? (await context.getCredentials<Credential>(CREDENTIAL));
		const { baseUrl = '', apiToken = '' } = credential;
		const { site, url } = siteOf(baseUrl);
		const signal = cancelSignalOf(context) ?? deadline;
		const service = serviceAt(url.href, options.services);
		if (bulk) service.expect();
		const sender = { bulk, signal, underWay: 0 };
		const account = createHash('sha256').update(`${site}\n${apiToken}`).digest('hex');
		return new HttpClient(context, site, url.host, credential, service, sender, account, deadline);
	}

	/** How many requests to send at the same time, by what is known of Documenso so far. */
	get limit(): number {
		return Math.min(this.service.limit, this.sender.bulk?.maxConcurrentRequests ?? Infinity);
	}

	/** How many requests Documenso accepts in a minute, by what is known of it so far. */
	get requestsPerMinute(): number {
		return this.service.rateLimit.limit || USUAL_REQUESTS_PER_MINUTE;
	}

	signingUrl(token: string): string {
		return `${this.site}/sign/${token}`;
	}

	documentUrl({ id, team }: Pick<Envelope, 'id' | 'team'>): string | undefined {
		return team ? pageOf('document', { site: this.site, teamUrl: team.url, id }) : undefined;
	}

	/** Reads something. Throws an ApiFailure, as all methods below do. */
	async get<Output = IDataObject>(
		path: string,
		schema?: Schema<Output>,
		query?: IDataObject,
	): Promise<Output> {
		return await this.send(getFrom(path, query), schema);
	}

	/**
	 * A document or template, or what `schema` picks of it. Always reads it again: what an earlier step has read may be
	 * out of date.
	 */
	async envelope<Output = IDataObject>(id: string, schema?: Schema<Output>): Promise<Output> {
		return await this.record(path`/envelope/${id}`, id, schema);
	}

	/** What has this ID. Another record's answer is a failure: a proxy may mix up answers. */
	async record<Output = IDataObject>(
		address: string,
		id: string | number,
		// Without a schema, Output is IDataObject.
		schema = anyObject as unknown as Schema<Output>,
	): Promise<Output> {
		const record = await this.get(address, recordSchema);
		if (record.id !== id) throw foreignReadFailure(`It names ${record.id} instead of ${id}.`);
		return parse(schema, record);
	}

	/** The records of a list, each once: up to as many as are wanted. */
	async list(path: string, query: IDataObject, wanted = Infinity): Promise<IDataObject[]> {
		return await this.lists(path, [query], { wanted });
	}

	/**
	 * All records of a list, checked against the number that the list tells. Undefined, after one request, if it has more
	 * than `maxPages` pages.
	 */
	async wholeList(
		path: string,
		query: IDataObject,
		maxPages?: number,
	): Promise<IDataObject[] | undefined> {
		return await readWholeList(this.paged(path, query, {}), maxPages);
	}

	private paged(path: string, query: IDataObject, selection: Selection) {
		const { wanted = Infinity, keep } = selection;
		const perPage = keep ? PAGE_SIZE : Math.min(PAGE_SIZE, wanted);
		return {
			...selection,
			perPage,
			wanted,
			limit: () => this.limit,
			read: async (page: number) => await this.send(getFrom(path, { ...query, page, perPage })),
		};
	}

	/** The records of several lists, each once: up to as many of each list as are wanted. */
	async lists(
		path: string,
		queries: IDataObject[],
		selection: Selection = {},
	): Promise<IDataObject[]> {
		const lists = await this.each(
			queries,
			async (query) => await readPages(this.paged(path, query, selection)),
		);
		return distinct(lists.flat());
	}

	async post<Output = IDataObject>(
		path: string,
		body: IDataObject | OpenBody,
		schema?: Schema<Output>,
	): Promise<Output> {
		return await this.send(post(path, body), schema);
	}

	async send<Output = IDataObject>(
		request: ServiceRequest,
		// Without a schema, Output is IDataObject.
		schema = (request.isRead ? anyObject : changedSchema) as unknown as Schema<Output>,
	): Promise<Output> {
		const body = await this.attempt(request, 'json', async (answer) => {
			if (isObject(answer.body)) return answer.body;
			throw this.failure(request, answer, answer.body);
		}).catch(async (error: unknown) => {
			throw await this.explained(error);
		});
		const output = parse(schema, body, request.isRead);
		this.service.isReached = true;
		return output;
	}

	/** Works on each of these, at most as many at a time as requests may be under way. */
	async each<One, Result>(
		all: Iterable<One>,
		work: (one: One) => Promise<Result>,
	): Promise<Result[]> {
		return await mapConcurrently(all, () => this.limit, work);
	}

	/** Makes something once for an execution, for example by reading it; all items share it. */
	async once<Output>(key: string, make: () => Output | Promise<Output>): Promise<Output> {
		// Each key is used for one type of value.
		const shared = (this.shared.get(key) as Output | Promise<Output> | undefined) ?? make();
		this.shared.set(key, shared);
		return await shared;
	}

	/**
	 * Passes a file's bytes to `store` as they arrive: again from the start, if the download breaks off. The caller has to
	 * check what kind of file it is.
	 */
	async download<Stored>(
		request: ServiceRequest,
		store: (bytes: ByteStream) => Promise<Stored>,
	): Promise<Stored> {
		return await this.attempt(request, 'stream', async ({ body }) => {
			// n8n returns a stream because it is asked for one.
			return await store(body as ByteStream).catch((error: unknown) => {
				if (error instanceof ApiFailure) return error;
				if (isOfFiles(error)) throw fileFailure('store', error);
				return this.broken(request, error);
			});
		});
	}

	/** Ends at once when the execution is cancelled. */
	async wait(milliseconds: number) {
		if (milliseconds > 0) await clock.sleep(milliseconds, this.sender.signal);
	}

	/** Sends a request until its outcome is final. */
	private async attempt<Result>(
		request: ServiceRequest,
		encoding: Encoding,
		read: (answer: Answer) => Promise<Result | ApiFailure>,
	): Promise<Result> {
		let refusedAt: number | undefined;
		/** Milliseconds since Documenso refused the request for the first time. */
		const waited = () => (refusedAt === undefined ? 0 : clock.now() - refusedAt);
		for (let number = 1; ; number++) {
			const turn = await this.service.begin(this.sender, kindOf(request));
			const outcome = await this.tryOnce(request, turn, encoding, read, waited).finally(() => {
				this.service.end(turn);
			});
			if (!(outcome instanceof ApiFailure)) return outcome;
			const attempt = { ...outcome.facts, number, isRead: request.isRead, waited: waited() };
			const pause = this.sender.signal?.aborted ? undefined : pauseBeforeRetry(attempt);
			if (pause === undefined) throw outcome;
			if (attempt.status === 429) {
				refusedAt ??= clock.now();
				this.service.rateLimit.hold(clock.now() + pause);
			} else {
				await this.wait(pause);
			}
		}
	}

	/**
	 * Something on the way may have answered a change, as a page of a firewall does, although the base URL is right: then
	 * nobody knows what the change has done.
	 */
	private async explained(error: unknown): Promise<unknown> {
		if (!(error instanceof ApiFailure) || !isElsewhere(error)) return error;
		const { status = 0 } = error.facts;
		// A redirect, or a proxy's limit on the size of files, says that nothing was done.
		const isUndone = (status >= 300 && status < 400) || status === 413;
		if (isUndone) return error;
		// Another answer may have told it meanwhile.
		if (!this.service.isReached && (await (this.asked ??= this.isThere()))) {
			this.service.isReached = true;
		}
		return this.service.isReached ? interceptedFailure(error) : error;
	}

	/** Whether Documenso answers at the base URL: asked once, not in line, and not for long. */
	private async isThere(): Promise<boolean> {
		const list = getFrom('/envelope', { perPage: 1 });
		const answer = await exchange(this.context, this.credential, {
			...list,
			url: apiRoot(this.site) + list.path,
			encoding: 'json',
			deadline: kept(clock.timeout(ASK_MS)),
		}).catch(() => undefined);
		if (!answer) return false;
		const { statusCode: status, body } = answer;
		return pageSchema.safeParse(body).success || Boolean(readFailure(status, body)?.isDocumensos);
	}

	/** Returns a failure that may be worth a retry. What `read` throws about an answer is final. */
	private async tryOnce<Result>(
		request: ServiceRequest,
		turn: Turn,
		encoding: Encoding,
		read: (answer: Answer) => Promise<Result | ApiFailure>,
		waited: () => number,
		isFresh = false,
	): Promise<Result | ApiFailure> {
		let answer: Answer;
		try {
			answer = await exchange(this.context, this.credential, {
				...request,
				url: apiRoot(this.site, request.apiVersion) + request.path,
				encoding,
				deadline: this.deadline,
				isFresh,
			});
		} catch (caught) {
			if (caught instanceof ApiFailure) return caught;
			this.service.overloaded(turn);
			return this.broken(request, caught);
		}
		const { statusCode: status, headers } = answer;
		this.answers++;
		const now = clock.now();
		const serviceTime = Date.parse(headers.date ?? '');
		if (!Number.isNaN(serviceTime)) this.clockSkew = serviceTime - now;
		// The old version's requests are counted apart.
		if (request.apiVersion !== 'v1') this.service.rateLimit.read(headers, now);
		if (status === 429 || status >= 500) this.service.overloaded(turn);
		else this.service.answered(turn);
		if (status < 300) {
			const age = request.method === 'GET' ? Number(headers.age) : 0;
			if (!(age > 0)) return await read(answer);
			// A file that nobody reads keeps its connection.
			await refusalIn(answer).catch(() => undefined);
			if (isFresh) return cachedFailure(age);
			return await this.tryOnce(request, turn, encoding, read, waited, true);
		}
		const body = await refusalIn(answer);
		if (encoding === 'stream' && answer.elsewhere && status >= 400) {
			const retryAfter = retryAfterSeconds(headers['retry-after'], now);
			return storeFailure(new URL(answer.elsewhere).host, { status, body, retryAfter });
		}
		const failure = this.failure(request, answer, body, waited());
		this.service.isReached ||= failure.facts.source === 'documenso';
		return failure;
	}

	private broken(request: ServiceRequest, caught: unknown) {
		return connectionFailure(caught, request.isRead, this.host, this.mask);
	}

	private failure(request: ServiceRequest, answer: Answer, body: unknown, waited = 0) {
		const { statusCode: status, headers, elsewhere } = answer;
		// The token was not sent along, so it may be right.
		const unauthorized = status === 401 ? elsewhere : undefined;
		return answerFailure({
			asked: `${request.method} ${request.path}`,
			isRead: request.isRead,
			status,
			body,
			// Other answers may name a location, too.
			location: status < 400 ? headers.location : unauthorized,
			retryAfter: retryAfterSeconds(headers['retry-after'], clock.now()),
			waited: Math.round(waited / 1000),
			mask: this.mask,
		});
	}
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
