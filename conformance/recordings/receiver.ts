import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** How long the real service waits for an endpoint. */
const SERVICE_TIMEOUT_MS = 10_000;

/** A delivery from the local Documenso; `url` is its path and query. */
export interface ReceivedDelivery {
	url: string;
	headers: IncomingHttpHeaders;
	body: { event: string; payload: Record<string, unknown> };
}

export interface Receiver {
	origin: string;
	/** Returns the deliveries since the last call. */
	take(): ReceivedDelivery[];
	close(): Promise<void>;
}

/**
 * Starts an endpoint that behaves as its query says: `?status=500` fails, `?ms=12000` is too slow. A
 * delivery that is too slow loses its connection at once. The local Documenso treats that like a timeout, and
 * no result depends on how fast this machine is.
 */
export async function startReceiver(): Promise<Receiver> {
	let received: ReceivedDelivery[] = [];
	const server = createServer((request, response) => {
		void json(request).then((body) => {
			const { url = '/', headers } = request;
			received.push({ url, headers, body: body as ReceivedDelivery['body'] });
			const query = new URL(url, 'http://receiver').searchParams;
			if (Number(query.get('ms') ?? 0) > SERVICE_TIMEOUT_MS) response.destroy();
			else response.writeHead(Number(query.get('status') ?? 200)).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		origin: `http://127.0.0.1:${port}`,
		take: () => {
			const taken = received;
			received = [];
			return taken;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
