import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { builtinModules, SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-dist-'));
const installed = join(folder, 'nodes', 'node_modules', 'n8n-nodes-documenso');

/** What n8n's Docker image lets a community package import (checked on 2.41). */
const PROVIDED_BY_N8N = ['n8n-workflow', 'zod', 'luxon'];

/** All code, which the nodes and the credential are taken from. */
const BUNDLE = 'dist/documenso.js';

interface Packed {
	files: Array<{ path: string }>;
}

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

let files: string[];

beforeAll(() => {
	execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'pipe' });
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
	});
	const [packed] = JSON.parse(output.toString()) as [Packed];
	files = packed.files.map(({ path }) => path);
	mkdirSync(installed, { recursive: true });
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
	execFileSync('tar', ['-xzf', join(folder, tarball), '-C', installed, '--strip-components=1']);
	const provided = join(folder, 'provided');
	mkdirSync(provided);
	for (const name of PROVIDED_BY_N8N) {
		symlinkSync(packageFolder(name), join(provided, name), 'dir');
	}
});

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

function readInstalled(path: string): string {
	return readFileSync(join(installed, path), 'utf8');
}

function readManifest(): Manifest['n8n'] {
	return (JSON.parse(readInstalled('package.json')) as Manifest).n8n;
}

function readSourceMap(): SourceMapPayload {
	return JSON.parse(readInstalled(`${BUNDLE}.map`)) as SourceMapPayload;
}

/** Runs a line in a new process that finds only what n8n provides, as in n8n's Docker image. */
function inN8n(script: string): string {
	return execFileSync(process.execPath, ['-e', script], {
		cwd: installed,
		env: { PATH: process.env.PATH, NODE_PATH: join(folder, 'provided') },
	}).toString();
}

/** Evaluates the expression for an instance of each node and of the credential. */
function ofEach(expression: string): Array<{ path: string; className: string; value: unknown }> {
	const { nodes, credentials } = readManifest();
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

test('the package contains what is needed to run and read it, and nothing else', () => {
	const others = files.filter((path) => !path.startsWith('dist/'));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const endings = new Set(files.map((path) => path.replace(/^.*?\./, '.')));
	expect([...endings].filter((ending) => /test|tsbuildinfo/.test(ending))).toEqual([]);
	expect(files.filter((path) => path.endsWith('.map'))).toEqual([`${BUNDLE}.map`]);
});

test('the command of the Docker image installs the package, and nothing else', () => {
	const dockerfile = readFileSync(join(root, 'docs', 'scaling', 'Dockerfile'), 'utf8');
	const [, command = ''] = /^RUN (.*\\\n.*npm install.*)$/m.exec(dockerfile) ?? [];
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
	const image = join(folder, 'image');
	const script = command
		.replaceAll('/home/node', image)
		.replace(/n8n-nodes-documenso@\S+/, join(folder, tarball));
	execFileSync('sh', ['-ec', script], { stdio: 'pipe' });
	const modules = join(image, '.n8n', 'nodes', 'node_modules');
	const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
	expect(names).toEqual(['n8n-nodes-documenso']);
	expect(existsSync(join(modules, 'n8n-nodes-documenso', BUNDLE))).toBe(true);
});

test('all code is in one file, which loads faster than many', () => {
	const { nodes, credentials } = readManifest();
	const code = files.filter((path) => path.endsWith('.js'));
	expect(code.sort()).toEqual([...nodes, ...credentials, BUNDLE].sort());
	for (const path of [...nodes, ...credentials]) {
		const lines = readInstalled(path).trim().split('\n').filter(Boolean);
		expect(lines).toEqual([
			expect.stringMatching(/^const \w+ = require\("(\.\.\/)+documenso\.js"\);$/),
			expect.stringMatching(/^exports\./),
		]);
	}
});

test('the code can be read: it is not minified', () => {
	const lines = readInstalled(BUNDLE).split('\n');
	const written = readSourceMap().sourcesContent.flatMap((source) => source.split('\n'));
	const longest = (of: string[]) => Math.max(...of.map(({ length }) => length));
	expect(longest(lines)).toBeLessThan(2 * longest(written));
	expect(lines.filter((line) => line.startsWith('\t')).length).toBeGreaterThan(lines.length / 2);
});

test('the source map leads each function to its line of the TypeScript, which it contains', () => {
	const payload = readSourceMap();
	for (const [index, path] of payload.sources.entries()) {
		const source = readFileSync(join(root, 'dist', path), 'utf8');
		expect(payload.sourcesContent[index]).toBe(source);
	}
	const map = new SourceMap(payload);
	const functions = [...readInstalled(BUNDLE).split('\n').entries()].flatMap(([line, text]) => {
		const name = /^(?:async )?function (\w+)/.exec(text)?.[1];
		return name === undefined ? [] : [{ line, name }];
	});
	expect(functions.length).toBeGreaterThan(payload.sources.length);
	for (const { line, name } of functions) {
		const { originalSource, originalLine } = map.findEntry(line, 0) as SourceMapping;
		const source = payload.sourcesContent[payload.sources.indexOf(originalSource)];
		expect(source?.split('\n')[originalLine]).toMatch(new RegExp(`function ${name}\\b`));
	}
});

test('no file contains the path that it was built at', () => {
	const revealing = files.filter((path) => readInstalled(path).includes(root));
	expect(revealing).toEqual([]);
});

test('every node and the credential load with only what n8n provides', () => {
	for (const { className, value } of ofEach('described.name')) {
		expect(String(value).toLowerCase()).toBe(className.toLowerCase());
	}
});

test('the built files import only each other, what n8n provides, and node:crypto', () => {
	const imported = files
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) => [...readInstalled(path).matchAll(/require\("([^".][^"]*)"\)/g)])
		.map(([, name]) => name ?? '');
	const foreign = imported.filter((name) => ![...PROVIDED_BY_N8N, 'node:crypto'].includes(name));
	expect(foreign).toEqual([]);
	expect(imported.filter((name) => builtinModules.includes(name))).toEqual([]);
});

test('the icons, codex files and previews of outputs are where n8n looks for them', () => {
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

test('the Docs link of each node leads to its page of the documentation', () => {
	const codex = readdirSync(join(root, 'nodes'), { encoding: 'utf8', recursive: true }).filter(
		(path) => path.endsWith('.node.json'),
	);
	const pages = codex.map((path) => {
		const text = readFileSync(join(root, 'nodes', path), 'utf8');
		const { resources } = JSON.parse(text) as {
			resources: { primaryDocumentation: Array<{ url: string }> };
		};
		const [, page = ''] = resources.primaryDocumentation[0]?.url.split('/blob/main/') ?? [];
		return page;
	});
	expect(pages).toEqual(['docs/operations.md', 'docs/polling.md', 'docs/triggers.md']);
	for (const page of pages) expect(existsSync(join(root, page))).toBe(true);
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
