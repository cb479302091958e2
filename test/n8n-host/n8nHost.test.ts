import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {
	createServer,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	request,
	type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

describe('installing', () => {
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
});

describe("the owner's password", () => {
	const host = pathToFileURL(join(__dirname, '..', '..', 'n8n-host', 'host.mjs')).href;
	let stateDir: string;
	const file = (name: string) => join(stateDir, 'n8n', name);

	beforeEach(() => {
		stateDir = mkdtempSync(join(tmpdir(), 'demo-'));
	});

	afterEach(() => {
		rmSync(stateDir, { recursive: true });
	});

	/** Without a package, the start fails as soon as it has made the secrets. Returns why. */
	function start(): string {
		const options = JSON.stringify({ stateDir, packageTarball: join(stateDir, 'none.tgz') });
		const source = `import { startN8n } from '${host}';
		await startN8n(${options}).catch(({ message }) => console.log(message));`;
		const args = ['--input-type=module', '-e', source];
		return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
	}

	test('each folder gets a password that n8n accepts, keeps it, and shows it to nobody else', () => {
		start();
		const password = readFileSync(file('owner-password'), 'utf8');
		expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)[\w-]{24,64}$/);
		expect(statSync(file('owner-password')).mode & 0o777).toBe(0o600);
		start();
		expect(readFileSync(file('owner-password'), 'utf8')).toBe(password);
		rmSync(join(stateDir, 'n8n'), { recursive: true });
		start();
		expect(readFileSync(file('owner-password'), 'utf8')).not.toBe(password);
	});

	test('a folder whose password everyone knows is not used', () => {
		mkdirSync(join(stateDir, 'n8n'));
		writeFileSync(file('encryption-key'), 'of an earlier version');
		expect(start()).toContain('with a password that everyone knows. Delete this folder');
	});
});

const moduleOf = (path: string) => pathToFileURL(join(__dirname, '..', '..', path)).href;
const evaluate = ['--input-type=module', '-e'];

test('a free port is none that systems give to connections, and is given once', () => {
	const source = `
	import { freePort } from '${moduleOf('n8n-host/ports.mjs')}';
	console.log(JSON.stringify(await Promise.all(Array.from({ length: 500 }, freePort))));
`;
	const { stdout } = spawnSync(process.execPath, [...evaluate, source], { encoding: 'utf8' });
	const ports = JSON.parse(stdout) as number[];
	expect(new Set(ports).size).toBe(500);
	// Linux gives out 32,768 and above, macOS and Windows 49,152 and above.
	expect(ports.filter((port) => port < 1_024 || port > 32_767)).toEqual([]);
});

describe('the guard', () => {
	/** What stands behind the guard answers all that comes through. */
	const n8n = `
	import { createServer } from 'node:http';
	const server = createServer((_request, response) => response.end('from n8n'));
	server.on('upgrade', ({ socket }) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n'));
	server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

	const inbox = `
	import { startInbox } from '${moduleOf('demo/inbox.mjs')}';
	console.log(new URL((await startInbox({ port: 0 })).url).port);
`;

	const running: ChildProcess[] = [];

	afterAll(() => running.forEach((child) => child.kill()));

	/** Runs a program that prints its port, and returns how to send it a request. */
	async function started(args: string[]) {
		const child = spawn(process.execPath, args);
		running.push(child);
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		const port = line.toString().trim();
		return async (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') => {
			const own = { host: `127.0.0.1:${port}`, ...headers };
			const sent = request({ host: '127.0.0.1', port, path, method, headers: own });
			const answer = await new Promise<IncomingMessage>((resolve) => {
				sent.once('response', resolve).once('upgrade', resolve).end();
			});
			const { statusCode: status } = answer;
			return { status, body: status === 101 ? '' : await text(answer), port };
		};
	}

	const rebound = { host: 'evil.example:5678' };
	const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

	describe("before n8n, the demo's guard", () => {
		let send: Awaited<ReturnType<typeof started>>;
		beforeAll(async () => {
			send = await started(['--import', moduleOf('n8n-host/guard.mjs'), ...evaluate, n8n]);
		});

		test('passes on what comes from this computer, and refuses pages of others', async () => {
			const { port } = await send('/');
			const sameOrigin = { origin: `http://127.0.0.1:${port}` };
			for (const headers of [{}, sameOrigin, { host: 'localhost:5678' }]) {
				expect(await send('/rest/login', headers, 'POST')).toMatchObject({ body: 'from n8n' });
			}
			expect(await send('/rest/push', { ...upgrade, ...sameOrigin })).toMatchObject({
				status: 101,
			});
			for (const headers of [rebound, { origin: 'null' }, { origin: 'http://127.0.0.1:1' }]) {
				expect(await send('/rest/login', headers, 'POST')).toMatchObject({ status: 403 });
				expect(await send('/rest/push', { ...upgrade, ...headers })).toMatchObject({ status: 403 });
				expect(await send('/demo-login/', headers)).toMatchObject({ status: 403 });
			}
		});

		test('lets no other page open a WebSocket, not even where anybody may send a form', async () => {
			for (const path of ['/webhook/a', '/form/a', '/form/../rest/push']) {
				const answer = await send(path, { ...upgrade, origin: 'https://evil.example' });
				expect(answer).toMatchObject({ status: 403 });
			}
		});

		test.each(['/form/a', '/form-test/a', '/form-waiting/1', '/webhook/a', '/webhook-waiting/1'])(
			'lets any page call %s, but not by a name that has been rebound',
			async (path) => {
				expect(await send(path, { origin: 'null' }, 'POST')).toMatchObject({ body: 'from n8n' });
				expect(await send(path, rebound, 'POST')).toMatchObject({ status: 403 });
			},
		);

		test.each([
			...['/formidable', '/webhooks', '//form/a', '/rest/login?/form/'],
			...['/form/../rest/login', '/webhook/%2e%2e/rest/login'],
		])('does not take %s for a form', async (path) => {
			expect(await send(path, { origin: 'null' }, 'POST')).toMatchObject({ status: 403 });
		});
	});

	test('the inbox shows its messages to nobody else, and takes none from other pages', async () => {
		const send = await started([...evaluate, inbox]);
		for (const headers of [rebound, { origin: 'https://evil.example' }]) {
			for (const method of ['GET', 'POST']) {
				expect(await send('/messages', headers, method)).toMatchObject({ status: 403 });
			}
		}
		expect(await send('/messages')).toMatchObject({ status: 200, body: '[]' });
	});
});

describe('processes that it starts', () => {
	const childrenModule = pathToFileURL(
		join(__dirname, '..', '..', 'n8n-host', 'children.mjs'),
	).href;

	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'children-'));
	});

	afterEach(() => {
		rmSync(folder, { recursive: true });
	});

	/** A program that starts another one, as n8n starts its task runner; the log gets both ids. */
	const family = `
	const { spawn } = require('node:child_process');
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
	console.log(process.pid, child.pid);
	setInterval(() => {}, 1000);`;

	/** Runs code that imports from n8n-host/children.mjs, in a process of its own. */
	function runModule(code: string) {
		const source = `import { launch, run, stopAll } from '${childrenModule}'; ${code}`;
		const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
		let stderr = '';
		child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
		return new Promise<{ code: number | null; stderr: string }>((resolve) => {
			child.once('close', (status) => {
				resolve({ code: status, stderr });
			});
		});
	}

	function launching(script: string, then: string): string {
		const logFile = JSON.stringify(join(folder, 'family.log'));
		return `import { setTimeout as sleep } from 'node:timers/promises';
		launch('family', process.execPath, ['-e', ${JSON.stringify(script)}], { logFile: ${logFile} });
		await sleep(500); ${then}`;
	}

	async function expectAllGone() {
		const pids = readFileSync(join(folder, 'family.log'), 'utf8').trim().split(' ').map(Number);
		expect(pids).toHaveLength(2);
		const alive = () => pids.filter((pid) => isAlive(pid));
		for (let wait = 0; wait < 20 && alive().length > 0; wait++) await sleep(50);
		expect(alive()).toEqual([]);
	}

	/** A dead process that nobody has collected yet is listed with the state Z. */
	function isAlive(pid: number): boolean {
		const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
		return stdout.trim() !== '' && !stdout.startsWith('Z');
	}

	test('stopping a program also stops what it has started', async () => {
		await runModule(launching(family, 'await stopAll(); process.exit(0);'));
		await expectAllGone();
	});

	test('a crash of the demo leaves no program behind', async () => {
		const { stderr } = await runModule(launching(family, 'throw new Error("crashed");'));
		expect(stderr).toContain('crashed');
		await expectAllGone();
	});

	test('a program that fails is reported with the end of its log', async () => {
		const logFile = JSON.stringify(join(folder, 'failing.log'));
		const { code, stderr } = await runModule(
			`await run('The build', process.execPath, ['-e', 'console.log("no such file"); process.exit(3)'], { logFile: ${logFile} });`,
		);
		expect(code).toBe(1);
		expect(stderr).toMatch(/The build failed \(3\)\. The end of .*failing\.log:\n\nno such file/);
	});
});
