import { createHash } from 'node:crypto';

/** One or several nodes in n8n, which get their items from a webhook: those given, or what `itemsOf` makes of them. */
export function workflow(name, nodes, { note, itemsOf = (given) => given } = {}) {
	return {
		name,
		note,
		inN8n: true,
		run: async (testbed, given) => {
			const items = itemsOf(given, testbed);
			// The credentials exist only when n8n runs.
			await testbed.n8n();
			const measured = nodes(testbed, items);
			const path = createHash('sha256').update(JSON.stringify(measured)).digest('hex').slice(0, 16);
			const id = await testbed.publish([webhook(path), itemsOfBody, ...measured]);
			const { status, data } = await testbed.execute(id, path, { items });
			const failure = status === 'success' ? undefined : reasonOf(data.resultData);
			return { ms: spanOf(data.resultData.runData, measured), failure };
		},
	};
}

function reasonOf({ error: { message, description } = {} }) {
	return [message, description].filter(Boolean).join(': ') || 'The workflow failed.';
}

/** From the start of the first node to the end of the last one that ran. */
function spanOf(runData, nodes) {
	const ran = nodes.flatMap(({ name }) => runData[name] ?? []);
	const ends = ran.map(({ startTime, executionTime }) => startTime + executionTime);
	return Math.max(...ends) - ran[0].startTime;
}

function webhook(path) {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		webhookId: path,
		parameters: {
			path,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'noData',
			options: {},
		},
	};
}

const itemsOfBody = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};
