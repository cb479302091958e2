import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once, EventEmitter } from 'node:events';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface Received {
	headers: IncomingHttpHeaders;
	body: { event: string; payload: Record<string, unknown>; createdAt: string };
}

/** A webhook endpoint that remembers what came, and answers as told. */
export class Receiver {
	readonly received: Received[] = [];
	status = 200;
	headers: Record<string, string> = {};
	/** How long it takes to answer. */
	delayMs = 0;
	/** The most deliveries that were being answered at once. */
	mostAtOnce = 0;
	private atOnce = 0;
	private readonly arrivals = new EventEmitter();
	private server: Server | undefined;

	get events(): string[] {
		return this.received.map(({ body }) => body.event);
	}

	get url(): string {
		const { port } = this.server?.address() as AddressInfo;
		return `http://127.0.0.1:${port}/hook`;
	}

	async start(): Promise<this> {
		this.server = createServer((request, response) => {
			void json(request).then(async (body) => {
				this.received.push({ headers: request.headers, body: body as Received['body'] });
				this.arrivals.emit('arrival');
				this.atOnce += 1;
				this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
				if (this.delayMs > 0) await delay(this.delayMs);
				this.atOnce -= 1;
				response.writeHead(this.status, this.headers).end();
			});
		});
		await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
		return this;
	}

	/** Resolves with the next delivery. */
	async next(): Promise<void> {
		await once(this.arrivals, 'arrival');
	}

	async close(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}
}

/** One receiver for all tests of a suite, which forgets before each what came, and how it was to answer. */
export function useReceiver(): Receiver {
	const receiver = new Receiver();
	beforeAll(async () => {
		await receiver.start();
	});
	beforeEach(() => {
		receiver.received.length = 0;
		Object.assign(receiver, { status: 200, headers: {}, delayMs: 0, mostAtOnce: 0 });
	});
	afterAll(async () => await receiver.close());
	return receiver;
}
