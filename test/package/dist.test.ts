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

interface Packed {
	files: Array<{ path: string }>;
}

let files: string[];

beforeAll(() => {
	execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' });
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	files = (JSON.parse(output.toString()) as Packed[])[0]?.files.map(({ path }) => path) ?? [];
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

test('the package holds what is needed to run it, and nothing else', () => {
	const others = files.filter((path) => !path.startsWith('dist/'));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const endings = new Set(files.map((path) => path.replace(/^.*?\./, '.')));
	expect([...endings].filter((ending) => /test|map|tsbuildinfo/.test(ending))).toEqual([]);
});

test('every node and the credential load with only what n8n provides', () => {
	const { n8n } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	for (const path of [...n8n.nodes, ...n8n.credentials]) {
		const className = path.split('/').at(-1)?.split('.')[0] ?? '';
		const loaded = inN8n(`
			const { ${className} } = require('./${path}');
			const instance = new ${className}();
			console.log(instance.name ?? instance.description.name);
		`);
		expect(loaded.trim().toLowerCase()).toBe(className.toLowerCase());
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

test('the icons and codex files stand where the nodes look for them', () => {
	for (const path of files.filter((file) => /\.(node|credentials)\.js$/.test(file))) {
		const source = readFileSync(join(installed, path), 'utf8');
		for (const [, icon = ''] of source.matchAll(/file:([^']+)'/g)) {
			expect(files).toContain(join(dirname(path), icon));
		}
	}
	expect(files.filter((path) => path.endsWith('.node.json'))).toHaveLength(3);
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
