import { table } from '../n8n-host/table.mjs';
import { caseOf } from './cases/index.mjs';
import { describeRun } from './machine.mjs';
import { shown, titleOf } from './metrics.mjs';
import { describeTarget } from './targets.mjs';

/** The result as text: a table for each case, with its targets below. */
export function report(result) {
	return [describeRun(result), ...result.cases.map(section)].join('\n\n\n');
}

function section({ name, title, subjects, targets }) {
	const notes = subjects.filter(({ note }) => note).map((one) => `${one.name}: ${one.note}`);
	const parts = [title, table(columnsOf(caseOf(name)), subjects)];
	if (targets.length > 0) parts.push(table(targetColumns, targets.map(describeTarget)));
	if (notes.length > 0) parts.push(notes.join('\n'));
	return parts.join('\n\n');
}

function columnsOf({ columns }) {
	const values = columns.map((metric) => [
		titleOf(metric),
		({ medians }) => shown(metric, medians[metric]),
	]);
	return Object.fromEntries([['', ({ name }) => name], ...values]);
}

const targetColumns = {
	demanded: ({ demanded }) => demanded,
	measured: ({ measured }) => measured,
	target: ({ outcome }) => outcome,
};
