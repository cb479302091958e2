import { randomUUID } from 'node:crypto';
import {
	request as send,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Call } from './calls';

/** Requests such as `POST /envelope/use`, with `*` for anything; all of them by default. */
export type Line = string | RegExp | undefined;

export interface Answer {
	status: number;
	/** A `date` among them is sent as it is; otherwise it is that of the local Documenso. */
	headers?: OutgoingHttpHeaders;
	body: string | Buffer;
}

/** What the local Documenso has answered. */
export interface Passed extends Answer {
	body: Buffer;
	text: string;
}

/** A request that has arrived, and that nothing has been done about. */
export interface Asked {
	/** As `POST /envelope/use`. */
	line: string;
	query: URLSearchParams;
	request: IncomingMessage;
	/** The JSON in it, or the text of a form. */
	text: string;
	/**
	 * Lets it be carried out: now, later, never, or several times. With an answer, Documenso only counts it, and
	 * answers so.
	 */
	pass: (instead?: Answer) => Promise<Passed>;
	/** The same after this many milliseconds, whatever the reply is. */
	passLater: (milliseconds: number) => void;
}

/** What the client gets instead: an answer, a connection that is cut, or what a function writes. */
export type Reply = Answer | 'cut' | ((response: ServerResponse) => unknown);

/** Returns `pass` for a request that goes on as it came, and nothing for one that the next may reply to. */
export type Interceptor = (asked: Asked) => Outcome | Promise<Outcome>;
type Outcome = Reply | 'pass' | undefined;

interface Armed {
	matches: (line: string) => boolean;
	handler: Interceptor;
	/** How many more requests it is asked about. */
	left: number;
	/** It is asked before the request's body has arrived, and `text` is empty. */
	isEarly: boolean;
}

/** Of one connection only, or wrong once the body is another. */
const HOP = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Marks what is passed on; no call shows it. */
const PASSED = 'x-emulator-passed';

/** What stands between clients and the local Documenso, as a proxy, a cache or a firewall does. */
export class Interceptors {
	private armed: Armed[] = [];
	private readonly underWay = new Map<string, { call: Call; instead: Answer | undefined }>();
	private readonly late = new Set<Promise<void>>();

	constructor(
		private readonly now: () => Date,
		private readonly sleep: (milliseconds: number) => Promise<void>,
	) {}

	/** The first that replies counts. Returns what removes it again. */
	add(line: Line, handler: Interceptor, times = Infinity, isEarly = false): () => void {
		const one = { matches: matcher(line), handler, left: times, isEarly };
		this.armed.push(one);
		return () => void (one.left = 0);
	}

	/** What is to be passed later. */
	get pending(): Array<Promise<void>> {
		return [...this.late];
	}

	/** Also drops what is to be passed later. */
	clear(): void {
		this.armed = [];
		this.late.clear();
	}

	/** The client's call to which a passed request belongs; undefined for a client's own request. */
	passedOn({ headers }: IncomingMessage) {
		return this.underWay.get(String(headers[PASSED]));
	}

	/** Returns what writes the answer; undefined for a request that goes on as it came. */
	async answer(
		request: IncomingMessage,
		call: Call,
	): Promise<((response: ServerResponse) => unknown) | undefined> {
		const line = `${call.method} ${call.path}`;
		// A closed connection has no address.
		const server = request.socket.address() as AddressInfo;
		let body: Buffer | undefined;
		const pass: Asked['pass'] = async (instead) => {
			body ??= await buffer(request);
			const id = randomUUID();
			this.underWay.set(id, { call, instead });
			return await carryOut(request, server, body, id).finally(() => this.underWay.delete(id));
		};
		for (const one of this.armed) {
			if (one.left === 0 || !one.matches(line)) continue;
			one.left -= 1;
			if (!one.isEarly) body ??= await buffer(request);
			const reply = await one.handler({
				line,
				query: new URL(request.url ?? '', 'http://localhost').searchParams,
				request,
				text: body?.toString() ?? '',
				pass,
				passLater: (milliseconds) => this.passLater(milliseconds, pass),
			});
			if (reply === 'pass') break;
			if (reply) return this.writerOf(reply);
		}
		return body?.length ? this.writerOf(await pass()) : undefined;
	}

	private passLater(milliseconds: number, pass: Asked['pass']): void {
		const passed: Promise<void> = this.sleep(milliseconds).then(async () => {
			if (this.late.has(passed)) await pass();
			this.late.delete(passed);
		});
		this.late.add(passed);
	}

	private writerOf(reply: Reply): (response: ServerResponse) => unknown {
		if (typeof reply === 'function') return reply;
		if (reply === 'cut') return (response) => response.destroy();
		return (response) => {
			response.setHeader('date', this.now().toUTCString());
			setHead(response, reply);
			response.end(reply.body);
		};
	}
}

/** Returns a test for lines such as `GET /envelope`. */
export function matcher(match: Line): (line: string) => boolean {
	if (match === undefined) return () => true;
	if (typeof match !== 'string') return (line) => new RegExp(match.source, match.flags).test(line);
	const parts = match.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const pattern = new RegExp(`^${parts.join('.*')}$`, 'i');
	return (line) => pattern.test(line);
}

/** All of an answer but its length and its body. */
export function setHead(response: ServerResponse, { status, headers = {} }: Answer): void {
	for (const [name, value] of Object.entries(headers)) {
		if (value !== undefined && !HOP.includes(name)) response.setHeader(name, value);
	}
	response.statusCode = status;
}

/** Sends the request to the server at which it has arrived. */
async function carryOut(
	{ method, url, headers }: IncomingMessage,
	{ address: host, port }: AddressInfo,
	body: Buffer,
	id: string,
): Promise<Passed> {
	const { connection: _, ...kept } = headers;
	const options = { host, port, method, path: url, headers: { ...kept, [PASSED]: id } };
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		send({ ...options, agent: false }, resolve)
			.on('error', reject)
			.end(body);
	});
	const bytes = await buffer(answer);
	const { statusCode: status = 0, headers: all } = answer;
	return { status, headers: all, body: bytes, text: bytes.toString() };
}
