import { table } from '../demo/table.mjs';
import { cases } from './cases/index.mjs';
import { measures } from './measures.mjs';
import { thisNode } from './targets.mjs';

/** The result for people: a table for each case, and beneath it what is demanded of it. */
export function report({ date, machine, cases: results }) {
	const parts = results.map(({ name, title, subjects, targets }) => {
		const { columns } = cases.find((candidate) => candidate.name === name);
		const notes = subjects
			.filter(({ note }) => note)
			.map((subject) => `${subject.name}: ${subject.note}`);
		const tables = [table(columnsOf(columns, subjects), subjects)];
		if (targets.length > 0) tables.push(table(targetColumns, targets));
		return [title, ...tables, ...notes].join('\n\n');
	});
	return [describeMachine(date, machine), ...parts].join('\n\n\n');
}

export function describeMachine(date, { cores, model, memoryGb, node, n8n }) {
	return `${date.slice(0, 10)}, ${cores} cores of ${model}, ${memoryGb} GB, n8n ${n8n} on Node ${node}`;
}

function columnsOf(names, subjects) {
	const own = subjects.find(({ name }) => name === thisNode)?.medians.ms;
	const columns = { '': ({ name }) => name };
	for (const name of names) {
		const { title, show } = measures[name];
		columns[title] = ({ medians }) => {
			const value = name === 'ratio' ? medians.ms / own : medians[name];
			return value === undefined || Number.isNaN(value) ? 'n/a' : show(value);
		};
	}
	return columns;
}

const targetColumns = {
	demanded: ({ says, atLeast, atMost }) =>
		`${says}: ${atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`}`,
	measured: ({ value }) => (value === undefined ? 'n/a' : String(Number(value.toFixed(2)))),
	target: ({ met }) => (met === undefined ? 'n/a' : met ? 'met' : 'NOT MET'),
};
