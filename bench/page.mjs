import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../n8n-host/paths.mjs';
import { caseOf } from './cases/index.mjs';
import { describeRun } from './machine.mjs';
import { headlineOf } from './metrics.mjs';
import { describeTarget, thisNode } from './targets.mjs';

const file = join(root, 'docs', 'benchmarks.md');
const start = '<!-- bench: generated, see CONTRIBUTING.md -->';
const end = '<!-- end of bench -->';

/** Writes the results into docs/benchmarks.md, so that no number there is typed by hand. */
export async function writePage(result) {
	const [before, rest] = (await readFile(file, 'utf8')).split(start);
	const [, after] = rest.split(end);
	await writeFile(file, `${before}${start}\n\n${quote(result)}\n\n${end}${after}`);
}

function quote(result) {
	const rows = result.cases.filter(({ name }) => caseOf(name).headline).map(row);
	const missed = result.cases.flatMap(({ title, targets }) =>
		targets
			.filter(({ met }) => met === false)
			.map(describeTarget)
			.map(({ demanded, measured }) => `- ${title}: ${demanded}; measured ${measured}`),
	);
	const parts = [
		"![This package compared with n8n's own nodes and a bare client](images/bench.svg)",
		`Measured ${describeRun(result)}. In brackets: as a multiple of this node.`,
		['| | this node | alternatives |', '| --- | --- | --- |', ...rows].join('\n'),
	];
	if (missed.length > 0) parts.push('Targets not met:', missed.join('\n'));
	return parts.join('\n\n');
}

function row({ name, subjects }) {
	const { headline } = caseOf(name);
	const valueOf = ({ medians }) => medians[headline.metric];
	const [own] = subjects.filter((subject) => subject.name === thisNode);
	const others = subjects
		.filter((subject) => subject !== own)
		.map((subject) => {
			const ratio = valueOf(subject) / valueOf(own);
			const times = Number.isNaN(ratio) ? '' : ` (${ratio.toFixed(1)} ×)`;
			return `${subject.name}: ${headlineOf(headline, subject)}${times}`;
		});
	return `| ${headline.title} | ${headlineOf(headline, own)} | ${others.join('<br>')} |`;
}
