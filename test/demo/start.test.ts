import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const start = join(__dirname, '..', '..', 'demo', 'start.mjs');

function startDemo(...args: string[]) {
	const { status, stderr } = spawnSync(process.execPath, [start, ...args], { encoding: 'utf8' });
	return { status, stderr: stderr.trim() };
}

test('a port that another program holds ends the demo with one sentence that says how to change it', async () => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	// With --once, the other ports are free ones, whatever else runs on this computer.
	const { status, stderr } = startDemo('--once', '--inbox-port', String(port));
	server.close();

	expect(status).toBe(1);
	expect(stderr).toBe(
		`Port ${port} (inbox) is taken by another program; choose another one with: npm start -- --inbox-port <port>`,
	);
});

test('a port cannot be given to two programs', () => {
	const { status, stderr } = startDemo('--n8n-port', '45871', '--documenso-port', '45871');
	expect(status).toBe(1);
	expect(stderr).toBe(
		'Port 45871 is set for both n8n and documenso; choose another one for documenso.',
	);
});

test.each(['0', '65536', '5678x', ''])('"%s" is no port', (text) => {
	const { status, stderr } = startDemo(`--n8n-port=${text}`);
	expect(status).toBe(1);
	expect(stderr).toBe(`--n8n-port must be a number from 1 to 65535, not "${text}".`);
});

test('an unknown flag is answered with those that exist', () => {
	const { status, stderr } = startDemo('--twice');
	expect(status).toBe(1);
	expect(stderr).toContain("Unknown option '--twice'");
	expect(stderr).toContain('npm start -- --once');
});
