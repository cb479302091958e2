import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
let folder: string;
let registry: Server | undefined;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-install-'));
});

afterEach(() => {
	registry?.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A package `@scope/one` with a source map, as npm packs it. */
function packed(): Buffer {
	const source = join(folder, 'source');
	mkdirSync(source);
	writeFileSync(join(source, 'package.json'), '{"name":"@scope/one","version":"1.2.3"}');
	writeFileSync(join(source, 'one.js.map'), '{}');
	execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: source, stdio: 'ignore' });
	return readFileSync(join(folder, 'scope-one-1.2.3.tgz'));
}

/** Serves the package at one address, and what tells this address. Returns what was asked for. */
async function serve(file: Buffer, address: string): Promise<{ url: string; asked: string[] }> {
	const asked: string[] = [];
	const server = createServer(({ url = '' }, response) => {
		asked.push(url);
		if (url === address) return response.end(file);
		if (decodeURIComponent(url) !== '/@scope/one') return response.writeHead(404).end();
		const version = { name: '@scope/one', version: '1.2.3', dist: { tarball: base + address } };
		return response.end(JSON.stringify({ name: '@scope/one', versions: { '1.2.3': version } }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	registry = server;
	const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url: base, asked };
}

/** Installs a folder whose lock file names the package under another name, without its address. */
async function install(file: Buffer, registryUrl: string): Promise<string> {
	const target = join(folder, 'target');
	mkdirSync(target);
	const dependencies = { alias: 'npm:@scope/one@1.2.3' };
	const integrity = `sha512-${createHash('sha512').update(file).digest('base64')}`;
	const packages = {
		'': { dependencies },
		'node_modules/alias': { name: '@scope/one', version: '1.2.3', integrity },
	};
	writeFileSync(join(target, 'package.json'), JSON.stringify({ dependencies }));
	writeFileSync(
		join(target, 'package-lock.json'),
		JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
	);
	const module = pathToFileURL(join(root, 'n8n-host', 'install.mjs')).href;
	const source = `import { installPackages } from '${module}';
		await installPackages('${target}', '${join(folder, 'npm.log')}');`;
	const env = {
		...process.env,
		npm_config_registry: registryUrl,
		npm_config_cache: join(folder, 'cache'),
		npm_config_audit: 'false',
		npm_config_fetch_retries: '0',
		npm_config_update_notifier: 'false',
	};
	const child = spawn(process.execPath, ['--input-type=module', '-e', source], { env });
	await new Promise((resolve) => child.once('exit', resolve));
	return target;
}

test('npm fetches each package without asking where it is, and no source map stays', async () => {
	const file = packed();
	const { url, asked } = await serve(file, '/@scope/one/-/one-1.2.3.tgz');
	const target = await install(file, url);
	expect(existsSync(join(target, 'node_modules', 'alias', 'package.json'))).toBe(true);
	expect(existsSync(join(target, 'node_modules', 'alias', 'one.js.map'))).toBe(false);
	expect(asked).toEqual(['/@scope/one/-/one-1.2.3.tgz']);
	expect(existsSync(join(target, 'npm-shrinkwrap.json'))).toBe(false);
});

test('a registry that keeps its packages elsewhere is asked', async () => {
	const file = packed();
	const { url, asked } = await serve(file, '/files/one.tgz');
	const target = await install(file, url);
	expect(existsSync(join(target, 'node_modules', 'alias', 'package.json'))).toBe(true);
	expect(asked.at(-1)).toBe('/files/one.tgz');
	expect(existsSync(join(target, 'npm-shrinkwrap.json'))).toBe(false);
});
