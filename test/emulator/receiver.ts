import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Received {
	headers: IncomingHttpHeaders;
	body: { event: string; payload: Record<string, unknown>; createdAt: string };
}

/** A webhook endpoint that remembers what came, and answers as told. */
export class Receiver {
	readonly received: Received[] = [];
	status = 200;
	headers: Record<string, string> = {};
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
			void json(request).then((body) => {
				this.received.push({ headers: request.headers, body: body as Received['body'] });
				response.writeHead(this.status, this.headers).end();
			});
		});
		await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
		return this;
	}

	async close(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}
}
