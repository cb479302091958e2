import {
	request as send,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { matcher, type Fault } from './faults';

export interface Answer {
	status: number;
	/** A `date` among them is sent as it is; otherwise it is that of the local Documenso. */
	headers?: OutgoingHttpHeaders;
	body: string | Buffer;
}

/** What the local Documenso has answered; a file is only in `bytes`. */
export interface Passed extends Answer {
	body: string;
	bytes: Buffer;
}

/** An API request that has arrived, and that nothing has been done about. */
export interface Asked {
	/** As `POST /envelope/use`. */
	line: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	/** The JSON in it, or the text of a form. */
	text: string;
	/** Lets it be carried out, and recorded as a call: now, later, never, or several times. */
	pass(): Promise<Passed>;
	/** The same after this many milliseconds, whatever the reply is. */
	passLater(milliseconds: number): void;
}

/** What the client gets instead: an answer, a connection that is cut, or what a function writes. */
export type Reply = Answer | 'cut' | ((response: ServerResponse) => unknown);

/** Returns nothing for a request that it leaves alone. */
export type Interceptor = (asked: Asked) => Reply | undefined | Promise<Reply | undefined>;

/** Of one connection only, or wrong once the body is another. */
const HOP = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Marks what is passed on; no call shows it. */
const PASSED = 'x-emulator-passed';

/** What stands between clients and the local Documenso, as a proxy, a cache or a firewall does. */
export class Interceptors {
	private armed: Array<{ matches(line: string): boolean; handler: Interceptor }> = [];
	private readonly late = new Set<Promise<void>>();

	constructor(
		private readonly now: () => Date,
		private readonly sleep: (milliseconds: number) => Promise<void>,
	) {}

	/** The first that replies counts. */
	add(line: Fault['match'], handler: Interceptor): void {
		this.armed.push({ matches: matcher(line), handler });
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

	/** Returns what writes the answer; undefined for a request that nobody stands before. */
	async answer(
		request: IncomingMessage,
		line: string,
	): Promise<((response: ServerResponse) => unknown) | undefined> {
		const { [PASSED]: isPassed, ...headers } = request.headers;
		if (isPassed) {
			request.headers = headers;
			return undefined;
		}
		const interested = this.armed.filter((one) => one.matches(line));
		if (interested.length === 0) return undefined;
		// A closed connection has no address.
		const { address: host, port } = request.socket.address() as AddressInfo;
		const body = await buffer(request);
		const pass = async () => await carryOut(request, { host, port }, body);
		const asked: Asked = {
			line,
			query: new URL(request.url ?? '', 'http://localhost').searchParams,
			headers,
			text: body.toString(),
			pass,
			passLater: (milliseconds) => this.passLater(milliseconds, pass),
		};
		for (const { handler } of interested) {
			const reply = await handler(asked);
			if (reply) return this.writerOf(reply);
		}
		const { bytes, ...answer } = await pass();
		return this.writerOf({ ...answer, body: bytes });
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
		const { status, body, headers } = reply;
		return (response) => {
			const all = { date: this.now().toUTCString(), ...headers };
			for (const [name, value] of Object.entries(all)) {
				if (!HOP.includes(name)) response.setHeader(name, value);
			}
			response.statusCode = status;
			response.end(body);
		};
	}
}

/** Sends the request to the server at which it has arrived. */
async function carryOut(
	{ method, url, headers }: IncomingMessage,
	server: { host: string; port: number },
	body: Buffer,
): Promise<Passed> {
	const { connection: _, ...kept } = headers;
	const options = { ...server, method, path: url, headers: { ...kept, [PASSED]: '1' } };
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		send({ ...options, agent: false }, resolve)
			.on('error', reject)
			.end(body);
	});
	const bytes = await buffer(answer);
	const { statusCode: status = 0, headers: all } = answer;
	return { status, headers: all, body: bytes.toString(), bytes };
}
