import { table } from '../../n8n-host/table.mjs';
import { seconds } from './units.mjs';

const count = (value) => value?.toLocaleString('en') ?? '';

const columns = {
	'what happens': ({ title }) => title,
	'': ({ what }) => what,
	sent: ({ sent }) => count(sent),
	accepted: ({ accepted }) => count(accepted),
	executions: ({ executions }) => count(executions),
	duplicates: ({ duplicates }) => count(duplicates),
	'failed and shown': ({ failed }) => count(failed),
	lost: ({ lost }) => count(lost),
	recovered: ({ recoveredMs }) => (recoveredMs === undefined ? '' : seconds(recoveredMs)),
};

/** The results as text: a table, and below it what else was counted. */
export function report(results) {
	const notes = results.flatMap(({ title, notes = [] }) =>
		notes.map((note) => `${title}: ${note}`),
	);
	return [table(columns, results), notes.join('\n')].join('\n\n').trimEnd();
}

/** What must not be, whatever happens. */
export function faultsIn(results) {
	return results.flatMap(({ title, what, lost, duplicates, mostDuplicates = 0, tokens }) => [
		...(lost > 0 ? [`${title}: ${lost} ${what} are lost.`] : []),
		...(duplicates > mostDuplicates ? [`${title}: ${duplicates} ${what} too many.`] : []),
		...(tokens > 0 ? [`${title}: ${tokens} ${what} took the API token there.`] : []),
	]);
}
