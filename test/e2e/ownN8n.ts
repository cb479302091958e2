import { join } from 'node:path';

import type { N8n } from '../../n8n-host/host.mjs' with { 'resolution-mode': 'import' };
import { host } from './host';
import { n8nOf, ownerOf } from './n8n';

/** An n8n that may be killed, unlike that of all suites. */
export interface OwnN8n {
	n8n: ReturnType<typeof n8nOf>;
	killAndStart: () => Promise<void>;
	stop: () => Promise<void>;
	start: () => Promise<void>;
}

/** One for all tests of a suite. */
export function useOwnN8n(name: string, env: Record<string, string> = {}): OwnN8n {
	const own = ownN8n(name, env);
	beforeAll(own.start);
	afterAll(own.stop);
	return own;
}

function ownN8n(name: string, env: Record<string, string>): OwnN8n {
	let port: number | undefined;
	let running: N8n;
	let owner: Awaited<ReturnType<typeof ownerOf>> | undefined;
	const start = async () => {
		const { freePort } = await import('../../n8n-host/ports.mjs');
		const { startN8n } = await import('../../n8n-host/host.mjs');
		const { node, packageTarball } = host;
		const stateDir = join(host.pictures, name);
		port ??= await freePort();
		const fileFolders = [host.files];
		running = await startN8n({ node, stateDir, port, packageTarball, env, fileFolders });
		owner = owner ? { ...owner, rest: running.rest } : await ownerOf(running.rest, running.url);
	};
	const stop = async () => {
		await running.stop();
	};
	const killAndStart = async () => {
		process.kill(-running.child.pid, 'SIGKILL');
		await stop();
		await start();
	};
	const n8n = n8nOf(() => {
		if (!owner) throw new Error('n8n has not been started');
		return owner;
	});
	return { n8n, killAndStart, stop, start };
}
