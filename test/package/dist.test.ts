import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-dist-'));
const installed = join(folder, 'nodes', 'node_modules', 'n8n-nodes-documenso');

/** What n8n's Docker image lets a community package import (checked on 2.41). */
const PROVIDED_BY_N8N = ['n8n-workflow', 'zod', 'luxon'];

const MAX_BYTES = 300_000;
const MAX_FILES = 80;

interface Packed {
	files: Array<{ path: string }>;
	unpackedSize: number;
}

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

let files: string[];
let unpackedSize: number;

beforeAll(() => {
	execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' });
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [packed] = JSON.parse(output.toString()) as [Packed];
	files = packed.files.map(({ path }) => path);
	unpackedSize = packed.unpackedSize;
	mkdirSync(installed, { recursive: true });
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
	execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
	const provided = join(folder, 'provided');
	mkdirSync(provided);
	for (const name of PROVIDED_BY_N8N) {
		symlinkSync(packageFolder(name), join(provided, name), 'dir');
	}
}, 120_000);

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

function packageFolder(name: string): string {
	const entry = require.resolve(name);
	return entry.slice(
		0,
		entry.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length,
	);
}

/** Runs a line in a Node of its own that finds only what n8n provides, as in n8n's Docker image. */
function inN8n(script: string): string {
	return execFileSync(process.execPath, ['-e', script], {
		cwd: installed,
		env: { PATH: process.env.PATH, NODE_PATH: join(folder, 'provided') },
	}).toString();
}

/** Makes each node and the credential, and reads of it what the expression names, by its class. */
function ofEach(expression: string): Array<{ path: string; className: string; value: unknown }> {
	const manifest = readFileSync(join(installed, 'package.json'), 'utf8');
	const { nodes, credentials } = (JSON.parse(manifest) as Manifest).n8n;
	return [...nodes, ...credentials].map((path) => {
		const className = path.split('/').at(-1)?.split('.')[0] ?? '';
		const printed = inN8n(`
			const { ${className} } = require('./${path}');
			const made = new ${className}();
			const described = made.description ?? made;
			console.log(JSON.stringify(${expression}));
		`);
		return { path, className, value: JSON.parse(printed) as unknown };
	});
}

test('the package holds what is needed to run it, and nothing else', () => {
	const others = files.filter((path) => !path.startsWith('dist/'));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const endings = new Set(files.map((path) => path.replace(/^.*?\./, '.')));
	expect([...endings].filter((ending) => /test|map|tsbuildinfo/.test(ending))).toEqual([]);
});

test('the package stays small', () => {
	expect(unpackedSize).toBeLessThan(MAX_BYTES);
	expect(files.length).toBeLessThan(MAX_FILES);
});

test('no file tells where it was built', () => {
	const telling = files.filter((path) =>
		readFileSync(join(installed, path), 'utf8').includes(root),
	);
	expect(telling).toEqual([]);
});

test('every node and the credential load with only what n8n provides', () => {
	for (const { className, value } of ofEach('described.name')) {
		expect(String(value).toLowerCase()).toBe(className.toLowerCase());
	}
});

test('the built files import only each other, what n8n provides, and node:crypto', () => {
	const imported = files
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) => [
			...readFileSync(join(installed, path), 'utf8').matchAll(/require\("([^".][^"]*)"\)/g),
		])
		.map(([, name]) => name ?? '');
	const foreign = imported.filter((name) => ![...PROVIDED_BY_N8N, 'node:crypto'].includes(name));
	expect(foreign).toEqual([]);
	expect(imported.filter((name) => builtinModules.includes(name))).toEqual([]);
});

test('the icons, codex files and previews of outputs stand where n8n looks for them', () => {
	for (const { path, value } of ofEach('described.icon')) {
		const icons = Object.values(value as Record<string, string>);
		expect(icons).toHaveLength(2);
		for (const icon of icons) {
			expect(files).toContain(join(dirname(path), icon.replace(/^file:/, '')));
		}
	}
	const beside = readdirSync(join(root, 'nodes'), { encoding: 'utf8', recursive: true })
		.filter((path) => path.endsWith('.json'))
		.map((path) => join('dist', 'nodes', path));
	expect(files.filter((path) => /^dist.*\.json$/.test(path)).sort()).toEqual(beside.sort());
});

test('the package has no run-time dependency and leaves n8n-workflow to the host', () => {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
		string,
		unknown
	>;
	expect(manifest.dependencies).toBeUndefined();
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const versions = Object.values(manifest.devDependencies as Record<string, string>);
	expect(versions.filter((version) => !/^\d/.test(version))).toEqual([]);
});
