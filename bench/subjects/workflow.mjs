import { createHash } from 'node:crypto';

import { itemsOfBody, webhook } from './nodes.mjs';

/** The webhook answers when the workflow has ended. */
const answer = { responseMode: 'lastNode', responseData: 'noData' };

/** One or several nodes in n8n, which get their items from a webhook: those given, or what `itemsOf` makes of them. */
export function workflow(name, nodes, { note, itemsOf = (given) => given } = {}) {
	return {
		name,
		note,
		inN8n: true,
		run: async (testbed, given) => execute(testbed, nodes, [itemsOf(given, testbed)]),
	};
}

/** The same workflow several times at once: once for each of the lists of items, `apartMs` after each other. */
export function executions(name, nodes, { note, apartMs, listsOf }) {
	return {
		name,
		note,
		inN8n: true,
		run: async (testbed, given) => execute(testbed, nodes, listsOf(given), apartMs),
	};
}

async function execute(testbed, nodes, lists, apartMs = 0) {
	// The credentials exist only when n8n runs.
	await testbed.n8n();
	const measured = nodes(testbed, lists[0]);
	const path = createHash('sha256').update(JSON.stringify(measured)).digest('hex').slice(0, 16);
	const id = await testbed.publish([webhook(path, answer), itemsOfBody, ...measured]);
	const bodies = lists.map((items) => ({ items }));
	const ended = await testbed.execute(id, path, bodies, apartMs);
	const failed = ended.find(({ status }) => status !== 'success');
	const failure = failed && reasonOf(failed.data.resultData);
	return { ms: spanOf(ended, measured), failure };
}

function reasonOf({ error: { message, description } = {} }) {
	return [message, description].filter(Boolean).join(': ') || 'The workflow failed.';
}

/** From the start of the first node to the end of the last one that ran. */
function spanOf(ended, nodes) {
	const ran = ended.flatMap(({ data: { resultData } }) =>
		nodes.flatMap(({ name }) => resultData.runData[name] ?? []),
	);
	const starts = ran.map(({ startTime }) => startTime);
	const ends = ran.map(({ startTime, executionTime }) => startTime + executionTime);
	return Math.max(...ends) - Math.min(...starts);
}
