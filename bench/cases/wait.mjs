import { setTimeout as sleep } from 'node:timers/promises';

import { median } from '../measure/statistics.mjs';
import { withRetries } from '../retry.mjs';
import { unlimited } from '../services.mjs';
import { byId, callTo, documenso } from '../subjects/nodes.mjs';
import { costSince, waitingExecutions } from '../subjects/waitingExecutions.mjs';
import { thisNode } from '../targets.mjs';

const event = 'DOCUMENT_COMPLETED';
const triggerPath = 'bench-wakes';
/** No nudge takes so long. */
const nudgeMs = 3000;
/** How many events come too early, as a share of the documents. */
const earlyShare = 0.1;

const untilSigned = waitingExecutions(thisNode, {
	nodes: (testbed) => [
		documenso(testbed, {
			resource: 'template',
			operation: 'createDocumentUntilSigned',
			templateId: byId(testbed.templates.mutualNda.id),
			columns: { mappingMode: 'autoMapInputData', value: null },
		}),
	],
	begin: publishTrigger,
	waits: async (testbed, rows) => {
		const { emulator } = testbed;
		const documents = new Map();
		for (const { id, externalId, recipients } of (await emulator.state()).documents) {
			documents.set(externalId.split(' ')[0], { id, token: recipients[0].token });
		}
		const early = rows.slice(0, Math.ceil(rows.length * earlyShare));
		const ids = early.map((row) => documents.get(row['External ID']).id);
		return {
			...(await deliverTooEarly(testbed, ids)),
			end: (row) => emulator.sign(documents.get(row).token),
			timesOfEvents: async () => {
				const { deliveries } = await emulator.state();
				// An early event of the same document comes before.
				const times = new Map(
					deliveries.map(({ body }) => [body.payload.envelopeId, Date.parse(body.createdAt)]),
				);
				return new Map([...documents].map(([row, { id }]) => [row, times.get(id)]));
			},
		};
	},
});

/** In a workflow that none of these events starts. */
async function publishTrigger(testbed) {
	await testbed.publish([
		{
			name: 'Documenso Trigger',
			type: 'n8n-nodes-documenso.documensoTrigger',
			typeVersion: 2,
			webhookId: triggerPath,
			parameters: { events: ['DOCUMENT_CREATED'] },
			credentials: testbed.credentials.documensoApi,
		},
	]);
	const { url: n8nUrl } = await testbed.n8n();
	const url = `${n8nUrl}/webhook/${triggerPath}/webhook`;
	await withRetries(async () => {
		const { status } = await fetch(url, { method: 'POST' });
		// Without the secret it answers 401.
		if (status !== 401) throw new Error(`n8n does not listen at ${url}.`);
	});
	const { webhookSecret: secret } = testbed;
	await testbed.emulator.registerWebhook({ url, events: [event], secret });
}

/** Events of documents that nobody has signed: the executions look, and go on waiting. */
async function deliverTooEarly(testbed, ids) {
	const { emulator } = testbed;
	const { child } = await testbed.n8n();
	const cost = await costSince(testbed, child);
	for (const id of ids) await emulator.deliver(event, id);
	for (;;) {
		const { deliveries } = await emulator.state();
		if (deliveries.length >= ids.length) {
			// The trigger answers a delivery before its nudge has ended.
			await sleep(nudgeMs);
			const { requests, processorMs } = await cost(ids.length);
			return {
				earlyMs: median(deliveries.map(({ ms }) => ms)),
				earlyRequestsEach: requests,
				earlyProcessorMs: processorMs,
			};
		}
		await sleep(500);
	}
}

const waitNode = waitingExecutions('Wait node, resumed directly', {
	note: 'the lower bound in n8n: nothing finds the execution, and nothing asks Documenso',
	nodes: () => [
		callTo(
			'Tell the Address',
			'={{ $json.callback }}?resumeUrl={{ encodeURIComponent($execution.resumeUrl) }}',
		),
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { resume: 'webhook', httpMethod: 'POST', options: {} },
		},
	],
	waits: async (_testbed, _rows, continuations) => {
		const times = new Map();
		return {
			end: async (row) => {
				times.set(row, Date.now());
				const answer = await fetch(continuations.resumeUrlOf(row), { method: 'POST' });
				if (!answer.ok) throw new Error(`The Wait node was resumed with ${answer.status}.`);
			},
			timesOfEvents: async () => times,
		};
	},
});

export const wait = {
	name: 'wait',
	title: '1,000 executions that each wait for a document; these are signed one after another',
	service: unlimited,
	size: 1000,
	warmUpSize: 20,
	runs: 1,
	needsFreshN8n: true,
	prepare: (_testbed, size) =>
		Array.from({ length: size }, (_, index) => ({
			'External ID': `wait-${index + 1}`,
			'Signer email': `signer${index + 1}@example.com`,
			'Signer name': `Signer ${index + 1}`,
			Company: `Company ${index + 1}`,
		})),
	subjects: [untilSigned, waitNode],
	columns: [
		'continued',
		'again',
		'eventP50Ms',
		'eventP99Ms',
		'requestsEach',
		'processorMs',
		'earlyMs',
		'earlyRequestsEach',
		'earlyProcessorMs',
	],
	headline: {
		metric: 'eventP50Ms',
		title: 'Time from the event until a waiting execution goes on',
	},
	targets: [
		{ label: 'executions that went on', metric: 'continued', atLeast: 1000 },
		{ label: 'executions that went on twice', metric: 'again', atMost: 0 },
		{ label: 'requests to Documenso for each', metric: 'requestsEach', atMost: 2 },
		{ label: 'requests for an event that comes too early', metric: 'earlyRequestsEach', atMost: 1 },
	],
};
