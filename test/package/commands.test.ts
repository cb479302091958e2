import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
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
	const listed = (name: string) => new RegExp(`\\| \`npm (run )?${name}\` +\\|`).test(table);
	expect(scripts.filter((name) => !listed(name))).toEqual([]);
});

function isThere(path: string): boolean {
	// What somebody makes with a command is there afterwards.
	return existsSync(join(root, path)) || path.startsWith('dist/');
}
