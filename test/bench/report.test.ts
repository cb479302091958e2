import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'bench-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

/** As `--json` writes it: one case where a target is missed, and memory that could not be measured. */
const result = {
	date: '2026-11-21T12:00:00.000Z',
	machine: { cores: 2, model: 'A <fast> CPU', memoryGb: 24, node: '24.21.0', n8n: '2.40.7' },
	cases: [
		{
			name: 'rows',
			title: '1,000 rows',
			subjects: [
				{ name: 'this node', medians: { ms: 2000, ratio: 1, maxInFlight: 33 }, runs: [] },
				{
					name: 'sequential loop',
					note: 'one after the other',
					medians: { ms: 50_000, ratio: 25, requests: 1000 },
					runs: [],
				},
			],
			targets: [
				{ label: 'times as fast', value: 25, atLeast: 12, met: true },
				{ label: 'in flight', value: 33, atMost: 32, met: false },
				{ label: 'MB', atMost: 60 },
			],
		},
	],
};

function bench(...args: string[]) {
	const from = join(folder, 'result.json');
	writeFileSync(from, JSON.stringify(result));
	const command = [join(root, 'bench', 'run.mjs'), '--from', from, ...args];
	const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
	return { stdout, stderr, status, lines: stdout.split('\n').map((line) => line.trim()) };
}

test('every subject has a line, in which what could not be measured is said to be so', () => {
	const { lines, stderr } = bench();
	expect(stderr).toBe('');
	expect(lines).toContainEqual(expect.stringMatching(/^this node +2\.0 s +1\.00 +n\/a +n\/a +33/));
	expect(lines).toContainEqual(
		expect.stringMatching(/^sequential loop +50\.0 s +25\.00 +n\/a +1,000/),
	);
	expect(lines).toContain('sequential loop: one after the other');
});

test('a target that is not met is said to be so', () => {
	const { lines } = bench();
	expect(lines).toContainEqual(expect.stringMatching(/^times as fast: at least 12 +25 +met$/));
	expect(lines).toContainEqual(expect.stringMatching(/^in flight: at most 32 +33 +NOT MET$/));
	expect(lines).toContainEqual(expect.stringMatching(/^MB: at most 60 +n\/a +n\/a$/));
});

test('with --json nothing but the result is written', () => {
	expect(JSON.parse(bench('--json').stdout)).toEqual(result);
});

test('the chart has a bar for each subject, as long as its share of the longest', () => {
	const svg = join(folder, 'chart.svg');
	bench('--svg', svg);
	const chart = readFileSync(svg, 'utf8');
	const widths = [...chart.matchAll(/<rect [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
	expect(widths).toHaveLength(2);
	expect((widths[0] ?? 0) / (widths[1] ?? 0)).toBeCloseTo(2000 / 50_000, 2);
	expect(chart).toContain('A &lt;fast> CPU');
});

test('what does not exist is answered with what does', () => {
	const { stderr, status } = bench('--case', 'rows,none');
	expect(status).toBe(1);
	expect(stderr).toContain('There is no case "none".');
	expect(stderr).toContain('--case name[,name]     only these: rows, busy');
});
