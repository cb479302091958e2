import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Answer } from './resumption';

/** Every name of the variables that n8n reads. */
const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
	name,
	name.toLowerCase(),
]);

/**
 * A company's proxy, which n8n's environment names. It passes nothing on, but answers in place of the hosts that it is
 * asked for, also when it is asked for a tunnel. `called` gets a line for each request, with the whole URL.
 */
export function useProxy(usual: Exclude<Answer, string>) {
	const proxy = { called: [] as string[], answer: usual };
	const server = createServer((request, response) => {
		proxy.called.push(`${request.method} ${request.url}`);
		response.writeHead(proxy.answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(proxy.answer.body));
	});
	server.on('connect', ({ url }, socket) => {
		proxy.called.push(`CONNECT ${url}`);
		const body = JSON.stringify(proxy.answer.body);
		const head = `HTTP/1.1 ${proxy.answer.status} No\r\ncontent-type: application/json\r\n`;
		socket.end(`${head}content-length: ${body.length}\r\n\r\n${body}`);
	});
	const before = new Map<string, string | undefined>();
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	beforeEach(() => {
		proxy.called.length = 0;
		proxy.answer = usual;
		for (const name of VARIABLES) {
			before.set(name, process.env[name]);
			process.env[name] = '';
		}
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		Object.assign(process.env, { HTTP_PROXY: url, HTTPS_PROXY: url });
	});
	afterEach(() => {
		// n8n takes an empty one for none.
		for (const [name, value] of before) process.env[name] = value ?? '';
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return proxy;
}
