import { rowsOf } from './stage.mjs';

/** The same rows in two executions at the same moment, which the workers share. */
export async function overlap(stage, count) {
	await stage.begin('rows');
	const rows = rowsOf(count);
	await Promise.all([stage.start('rows', rows), stage.start('rows', rows)]);
	await stage.ended('rows', 2);
	const documents = await stage.documents();
	const done = new Set(documents.map(({ externalId }) => externalId)).size;
	return [
		{
			what: 'rows',
			mayRepeat: true,
			sent: count,
			accepted: count,
			executions: 2,
			duplicates: documents.length - done,
			failed: (await stage.failed('rows')).length,
			lost: count - done,
		},
	];
}
