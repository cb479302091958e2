import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another origin, to which whoever edits a workflow might send the token. `arrived` has the headers of each request. */
export function useElsewhere(hostname = '127.0.0.1') {
	const arrived: string[] = [];
	let server: Server;
	beforeAll(async () => {
		server = createServer(({ rawHeaders }, response) => {
			arrived.push(rawHeaders.join());
			response.end('{}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	beforeEach(() => {
		arrived.length = 0;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return {
		arrived,
		get url() {
			return `http://${hostname}:${(server.address() as AddressInfo).port}`;
		},
	};
}
