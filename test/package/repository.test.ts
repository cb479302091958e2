import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { check } from 'recheck';
import ts, { preProcessFile } from 'typescript';
import { parse } from 'yaml';
import host from '../../n8n-host/n8n/package.json';
import { Documenso } from '../../nodes/Documenso/Documenso.node.ts';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node.ts';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node.ts';
import * as Mask from '../../nodes/shared/api/mask';
import * as Locators from '../../nodes/shared/inputs/locators';
import manifest, { version } from '../../package.json';
import renovate from '../../renovate.json';

const root = join(__dirname, '..', '..');

describe('references', () => {
	const folders = 'nodes credentials emulator conformance demo bench test'.split(' ');

	function textOf(path: string): string {
		return readFileSync(join(root, path), 'utf8');
	}

	/** The code in a folder, without what is installed there. */
	function sources(folder: string): string[] {
		return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
			const path = `${folder}/${entry.name}`;
			if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path);
			return /\.(ts|mjs|js)$/.test(entry.name) ? [path] : [];
		});
	}

	const headings = [...textOf('docs/documenso-api.md').matchAll(/^##+ (.+)$/gm)].map(
		([, heading = '']) => heading,
	);

	const files = folders.flatMap(sources).map((path) => {
		// A reference may go on in the next line of its comment.
		return { path, text: textOf(path).replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ') };
	});

	test('every heading of docs/documenso-api.md can be cited', () => {
		expect(new Set(headings).size).toBe(headings.length);
		expect(headings.filter((heading) => /[;)]/.test(heading))).toEqual([]);
	});

	test('comments cite headings that docs/documenso-api.md has', () => {
		const citations = files.flatMap(({ path, text }) =>
			[...text.matchAll(/documenso-api\.md: ([^)]*)\)/g)].flatMap(([, cited = '']) =>
				cited.split('; ').map((heading) => ({ path, heading })),
			),
		);
		expect(citations.length).toBeGreaterThan(0);
		expect(citations.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
	});

	test('no comment cites documents that are not in the repository', () => {
		const citing = files.filter(({ text }) => /\b(?:contract|observed) §/i.test(text));
		expect(citing.map(({ path }) => path)).toEqual([]);
	});

	const guides = [
		...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
		...readdirSync(join(root, 'docs')).flatMap((name) =>
			/\.md$/.test(name) ? [`docs/${name}`] : [],
		),
	];

	test.each(guides)('links in %s lead to files and headings that are there', (guide) => {
		const links = [...textOf(guide).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
		const broken = links.filter(([, path = '', anchor]) => {
			const target = path ? join(dirname(guide), path) : guide;
			if (!existsSync(join(root, target))) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});
		expect(broken.map(([link]) => link)).toEqual([]);
	});

	/** As GitHub makes them of headings. */
	function anchorsOf(path: string): string[] {
		return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/[^\w -]/g, '')
				.replace(/ /g, '-'),
		);
	}
});

describe('commands in the documentation', () => {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};

	const pages = [
		...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
		...readdirSync(join(root, 'docs'))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `docs/${name}`),
	];

	/** Lines of code blocks, inline code, and the commands behind which numbers stand. */
	function codeOf(page: string): string[] {
		const text = readFileSync(join(root, page), 'utf8');
		const blocks = [...text.matchAll(/^```\w*\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
			block.split('\n'),
		);
		const prose = text.replace(/^```[^]*?^```/gm, '');
		const spans = [...prose.matchAll(/`([^`]+)`|<!-- numbers: (.+) -->/g)];
		return [...blocks, ...spans.map(([, code, numbers]) => code ?? numbers ?? '')].map((code) =>
			code.replace(/\s+/g, ' ').trim(),
		);
	}

	interface Command {
		/** The file that it runs, and what runs it; undefined if there is no such script. */
		program?: string;
		words: string[];
	}

	/** A command of this repository's, as somebody types it. */
	function commandIn(code: string): Command | undefined {
		const [, npm, script = '', words = ''] =
			/^(npm) (?:run )?(start|test|(?<=run )[\w:-]+)(?: (.*))?$/.exec(code) ?? [];
		if (npm) return { program: manifest.scripts[script], words: words.split(' ') };
		const [, file, rest = ''] = /^node ((?!-)\S+) ?(.*)$/.exec(code) ?? [];
		return file ? { program: `node ${file}`, words: rest.split(' ') } : undefined;
	}

	const usages = new Map<string, string>();

	/** What a program says of its flags. */
	function usageOf(program: string): string {
		const [runner, file = ''] = program.split(' ');
		const loader = runner === 'tsx' ? ['--import', 'tsx'] : [];
		const run = () => {
			const args = [...loader, file, '--help'];
			const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
			return status === 0 ? `${stdout} --help` : '';
		};
		const usage = usages.get(program) ?? run();
		usages.set(program, usage);
		return usage;
	}

	const flagsIn = (code: string) => code.match(/(?<=^| )--[a-z][\w-]*/g) ?? [];
	const knows = (usage: string, flag: string) => new RegExp(`${flag}(?![\\w-])`).test(usage);

	describe.each(pages)('%s', (page) => {
		const codes = codeOf(page);
		const commands = codes.flatMap((code) => {
			const command = commandIn(code);
			return command ? [{ code, ...command }] : [];
		});

		test('names only commands and files that are there', () => {
			const missing = commands.filter(({ program, words }) => {
				const files = words.filter((word) => /^[\w-]+\/[\w./-]+\.\w+$/.test(word));
				const own = program?.match(/^(?:node|tsx) (?!-)(\S+)$/)?.[1];
				return !program || ![...files, ...(own ? [own] : [])].every(isThere);
			});
			expect(missing.map(({ code }) => code)).toEqual([]);
		});

		test('names only flags that these commands have', () => {
			const unknown = commands.flatMap(({ code, program, words }) => {
				const flags = words.flatMap(flagsIn);
				return flags.filter((flag) => !program || !knows(usageOf(program), flag)).map(() => code);
			});
			expect(unknown).toEqual([]);
		});

		test('names flags without their command only if a command on the page has them', () => {
			const programs = commands.flatMap(({ program }) => program ?? []);
			const others = codes.filter((code) => !code.startsWith('-')).join(' ');
			const unknown = codes
				.filter((code) => code.startsWith('--'))
				.flatMap(flagsIn)
				.filter((flag) => !knows(others, flag))
				.filter((flag) => !programs.some((program) => knows(usageOf(program), flag)));
			expect(unknown).toEqual([]);
		});
	});

	test('CONTRIBUTING.md has every script in its table', () => {
		const table =
			readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
				.match(/^\|.*$/gm)
				?.join('\n') ?? '';
		// npm runs this one before it publishes.
		const scripts = Object.keys(manifest.scripts).filter((name) => name !== 'prepublishOnly');
		const listed = (name: string) =>
			new RegExp(`\\| \`npm (run )?${name}( -- [^\`]+)?\` +\\|`).test(table);
		expect(scripts.filter((name) => !listed(name))).toEqual([]);
	});

	function isThere(path: string): boolean {
		// What somebody makes with a command is there afterwards.
		return existsSync(join(root, path)) || path.startsWith('dist/');
	}
});

describe('the compose file of the demo', () => {
	interface Service {
		build: string | { context: string; dockerfile_inline: string };
		environment?: Record<string, string>;
		volumes?: string[];
		network_mode?: string;
	}

	const folder = join(__dirname, '..', '..', 'docs', 'docker');

	const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as {
		services: Record<'n8n' | 'documenso', Service>;
	};

	const { n8n, documenso } = services;
	const folderOf = (volume: string) => volume.split(':')[1] ?? '';

	test('n8n keeps its data in a volume, which hides nothing of the image', () => {
		const [data = '', files] = (n8n.volumes ?? []).map(folderOf);
		expect(n8n.environment?.DB_SQLITE_DATABASE).toBe(`${data}/database.sqlite`);
		expect(n8n.environment?.N8N_STORAGE_PATH).toBe(`${data}/storage`);
		expect(n8n.environment?.N8N_RESTRICT_FILE_ACCESS_TO).toBe(files);
		expect(data).not.toContain('.n8n');
		const image = readFileSync(join(folder, n8n.build as string, 'Dockerfile'), 'utf8');
		// Otherwise the volume would belong to root, and n8n could not write.
		expect(image).toContain(`RUN mkdir ${data}\n`);
	});

	test('the local Documenso is built from what is in the repository, and answers in the network of n8n', () => {
		expect(documenso.network_mode).toBe('service:n8n');
		const { context, dockerfile_inline: dockerfile } = documenso.build as {
			context: string;
			dockerfile_inline: string;
		};
		const copied = [...dockerfile.matchAll(/^COPY (.*) \S+$/gm)].flatMap(
			([, names]) => names?.split(' ') ?? [],
		);
		expect(copied).toContain('emulator');
		for (const name of copied) expect(existsSync(join(folder, context, name))).toBe(true);
	});
});

describe('the compose file for scaling', () => {
	interface Service {
		build?: string;
		image: string;
		environment: Record<string, unknown>;
	}

	const read = (name: string) =>
		readFileSync(join(__dirname, '..', '..', 'docs', 'scaling', name), 'utf8');

	const { services } = parse(read('compose.yaml'), { merge: true }) as {
		services: Record<string, Service>;
	};

	test('in the compose file, all processes of n8n have the same image and settings', () => {
		const ofN8n = Object.entries(services).filter(([, { build }]) => build !== undefined);
		expect(ofN8n.map(([name]) => name)).toEqual(['main', 'webhook1', 'webhook2', 'worker']);
		for (const [, { image, environment }] of ofN8n) {
			expect({ image, environment }).toEqual({
				image: services.main?.image,
				environment: services.main?.environment,
			});
		}
	});

	test('the compose file gives the load balancer all addresses that its configuration asks for', () => {
		const asked = [...read('haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name);
		expect(asked.sort()).toEqual(Object.keys(services.balancer?.environment ?? {}).sort());
	});

	test('the image has the n8n that the tests run, and this version of the package', () => {
		expect(read('Dockerfile')).toContain(`n8nio/n8n:${host.dependencies.n8n}@sha256:`);
		expect(read('Dockerfile')).toContain(`n8n-nodes-documenso@${version}\n`);
	});
});

describe('publishing', () => {
	const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

	interface Job {
		needs?: string;
		environment?: string;
		permissions: Record<string, string>;
		steps: Array<{ uses?: string; run?: string }>;
	}

	const { permissions, on, jobs } = parse(textOf('.github/workflows/publish.yml')) as {
		permissions: object;
		on: { push: { tags: string[] } };
		jobs: Record<'pack' | 'publish', Job>;
	};

	const { pack, publish } = jobs;
	const commands = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

	test('what runs the code of others may only read', () => {
		expect(permissions).toEqual({});
		expect(pack.permissions).toEqual({ contents: 'read' });
		expect(commands(pack)).toEqual(expect.arrayContaining(['npm ci', 'npm run check']));
		expect(JSON.stringify(pack.steps)).toContain('"persist-credentials":false');
	});

	test('what may publish runs no code of ours or of others, and waits for a reviewer', () => {
		expect(publish.permissions).toEqual({ 'id-token': 'write' });
		expect(publish).toMatchObject({ needs: 'pack', environment: 'npm' });
		expect(commands(publish)).toEqual([
			'npm publish ./*.tgz --provenance --access public --ignore-scripts',
		]);
		const actions = publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
		expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
	});

	test('only a tag on main that is the version is published', () => {
		expect(Object.keys(on)).toEqual(['push']);
		expect(on.push).toEqual({ tags: ['v*.*.*'] });
		const [ancestor, version, ...rest] = commands(pack);
		expect(ancestor).toBe('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(version).toContain("require('./package.json').version");
		expect(rest[0]).toBe('npm ci');
	});

	test('every action and image is one that nobody can replace', () => {
		const actions = ['ci', 'publish'].flatMap((name) => [
			...textOf(`.github/workflows/${name}.yml`).matchAll(/uses: (\S+)/g),
		]);
		for (const [, action] of actions) expect(action).toMatch(/@[\da-f]{40}$/);
		const files = [
			'docs/docker/compose.yaml',
			'docs/scaling/compose.yaml',
			'docs/scaling/Dockerfile',
		];
		const images = files.flatMap((file) => [
			...textOf(file).matchAll(/^\s*(?:FROM|image:) (\S+[:@]\S+)$/gm),
		]);
		expect(images).toHaveLength(5);
		for (const [, image] of images) expect(image).toMatch(/:[\w.-]+@sha256:[\da-f]{64}$/);
	});

	test('a new version of a package is days old before it is taken', () => {
		expect(renovate.minimumReleaseAge).toBe('7 days');
	});
});

const IMAGE = 'docker.n8n.io/n8nio/n8n';

test('the rules for updates are about packages that are there, and allow the versions that are there', () => {
	const installed: Record<string, string> = { ...manifest.devDependencies, ...host.dependencies };
	const rules: Array<{ matchPackageNames?: string[]; allowedVersions?: string }> =
		renovate.packageRules;
	for (const { matchPackageNames = [], allowedVersions } of rules) {
		for (const name of matchPackageNames.filter((one) => one !== IMAGE)) {
			expect(Object.keys(installed)).toContain(name);
			const major = Number(installed[name]?.split('.')[0]);
			const limit = Number(allowedVersions?.replace('<', '') ?? Infinity);
			expect(major).toBeLessThan(limit);
		}
	}
});

const NODES = join(__dirname, '..', '..', 'nodes');

/** The files that loading a file loads, itself among them. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
	if (seen.has(file)) return seen;
	seen.add(file);
	for (const { fileName } of preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
		const imported = ['.ts', '/index.ts']
			.map((ending) => join(dirname(file), fileName + ending))
			.find((path) => fileName.startsWith('.') && existsSync(path));
		if (imported) loadedBy(imported, seen);
	}
	return seen;
}

test('nodes/shared holds what at least two of the nodes load, and nothing else', () => {
	const loaded = ['Documenso', 'DocumensoTrigger', 'DocumensoPollingTrigger'].map((node) =>
		loadedBy(join(NODES, node, `${node}.node.ts`)),
	);
	const shared = readdirSync(join(NODES, 'shared'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(NODES, 'shared', path));
	expect(shared.length).toBeGreaterThan(50);
	const users = (file: string) => loaded.filter((files) => files.has(file)).length;
	expect(shared.filter((file) => users(file) < 2)).toEqual([]);
});

describe('regular expressions', () => {
	const files = ['nodes', 'credentials'].flatMap(sourcesIn);

	/** The pattern of a user, who is told so. */
	const OF_USERS = 'nodes/shared/events/textCondition.ts';

	/** It is too long for the search. No part of it repeats without a limit, and it reads 64 KB at most. */
	const OF_TOKEN = 'nodes/shared/api/mask.ts';

	function sourcesIn(folder: string): string[] {
		return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => `${folder}/${name}`);
	}

	function nodesIn(file: string): ts.Node[] {
		const text = readFileSync(join(root, file), 'utf8');
		const all = (node: ts.Node): ts.Node[] => [
			node,
			...node.getChildren().flatMap((child) => all(child)),
		];
		return all(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	}

	function isBuilding(node: ts.Node): boolean {
		return ts.isNewExpression(node) && node.expression.getText() === 'RegExp';
	}

	const written = files.flatMap((file) =>
		nodesIn(file)
			.filter(ts.isRegularExpressionLiteral)
			.map(({ text }) => text),
	);

	/** Those that are built while the nodes are loaded and used, by the file that builds them. */
	function builtOnes(): Array<[pattern: string, file: string]> {
		const built = new Map<string, string>();
		const { RegExp: native } = globalThis;
		globalThis.RegExp = new Proxy(native, {
			construct(target, given: [string, string?]) {
				const made = new target(...given);
				const callers = String(new Error().stack).split('\n').slice(2);
				const [, path = ''] = /(\/[^:]+):\d/.exec(callers[0] ?? '') ?? [];
				built.set(String(made), relative(root, path));
				return made;
			},
		});
		try {
			jest.isolateModules(() => {
				/* eslint-disable @typescript-eslint/no-require-imports */
				const mask = require('../../nodes/shared/api/mask') as typeof Mask;
				const locators = require('../../nodes/shared/inputs/locators') as typeof Locators;
				/* eslint-enable @typescript-eslint/no-require-imports */
				mask.maskOf('a+/=@"8_')('');
				locators.envelopeIdSchema.safeParse('');
			});
		} finally {
			globalThis.RegExp = native;
		}
		return [...built].filter(([, file]) => files.includes(file));
	}

	const built = builtOnes();

	/** What n8n checks for us: in locators, as soon as a value is entered or an expression gives one. */
	function inDescription(value: unknown): string[] {
		if (typeof value !== 'object' || value === null) return [];
		return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
			key === 'regex' && typeof inner === 'string' ? [`/${inner}/`] : inDescription(inner),
		);
	}

	const described = [
		new Documenso(),
		new DocumensoTrigger(),
		new DocumensoPollingTrigger(),
	].flatMap(({ description }) => inDescription(description));

	const patterns = new Set([
		...written,
		...built.filter(([, file]) => file !== OF_TOKEN).map(([pattern]) => pattern),
		...described,
	]);

	async function complexityOf(pattern: string): Promise<string> {
		const end = pattern.lastIndexOf('/');
		const found = await check(pattern.slice(1, end), pattern.slice(end + 1), {
			// Otherwise, a search on a busy machine would be given up.
			timeout: 100_000,
			randomSeed: 1,
		});
		return found.status === 'unknown' ? found.status : found.complexity.type;
	}

	test('every file that builds a regular expression is looked at, but for those of users', () => {
		const building = files.filter((file) => nodesIn(file).some(isBuilding));
		expect([...new Set(built.map(([, file]) => file)), OF_USERS].sort()).toEqual(building.sort());
		expect(written.length).toBeGreaterThan(70);
		expect(described.length).toBeGreaterThan(5);
	});

	test.each([...patterns])('%s takes time in proportion to the text', async (pattern) => {
		expect(['safe', 'linear']).toContain(await complexityOf(pattern));
	});

	test('the one that finds the token repeats nothing without a limit', () => {
		const [pattern = ''] = built.find(([, file]) => file === OF_TOKEN) ?? [];
		expect(pattern).toContain('{0,4}');
		expect(pattern.replace(/\\./g, '')).not.toMatch(/[*+]|\{\d*,\}/);
	});

	test.each([
		['cubic', String.raw`/\s*[([].*[)\]]\s*$/`],
		['quadratic', String.raw`/^"\s*|\s*"$/g`],
		['exponential', '/(a+)+$/'],
	])('one that is %s would be found', async (_, pattern) => {
		expect(['polynomial', 'exponential']).toContain(await complexityOf(pattern));
	});
});

test('without the deprecated resource the package still builds', () => {
	const copy = mkdtempSync(join(tmpdir(), 'n8n-nodes-documenso-removal-'));
	try {
		for (const name of ['nodes', 'credentials', 'package.json', 'tsconfig.json']) {
			cpSync(join(root, name), join(copy, name), { recursive: true });
		}
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
		const resources = join(copy, 'nodes', 'Documenso', 'resources');
		rmSync(join(resources, 'templateDeprecated'), { recursive: true });
		const registry = join(resources, 'index.ts');
		const lines = readFileSync(registry, 'utf8').split('\n');
		writeFileSync(
			registry,
			lines.filter((line) => !line.includes('templateDeprecated')).join('\n'),
		);

		const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
		expect(execFileSync(process.execPath, [compiler, '--noEmit'], { cwd: copy }).toString()).toBe(
			'',
		);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
});
