import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server answer at a free port, which is returned. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

export function close(server: Server) {
	server.closeAllConnections();
	server.close();
}

/** Lets a server answer during all tests of a suite. */
export function useServer(server: Server) {
	const at = { port: 0 };
	beforeAll(async () => {
		at.port = await listen(server);
	});
	afterAll(() => {
		close(server);
	});
	return at;
}
