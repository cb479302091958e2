import type { IDataObject } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { outputOf, useN8n } from './n8n';
import {
	after,
	AFTER,
	connected,
	emailOf,
	endings,
	fillAndWait,
	inLine,
	node,
	ROWS,
	rows,
	signers,
	WAITING,
	waitingIn,
} from './waiting';

// Kinds of workflows and of runs in which a node waits.
const documenso = useDocumenso();
const n8n = useN8n();
const { begin, executionIn, publish, publishWaiting, waits, withTrigger } = waitingIn(
	n8n,
	documenso,
);

const completed = (...rowNumbers: number[]) => rowNumbers.map((row) => [emailOf(row), 'completed']);

/** Once an execution waits again, with as many documents sent. */
async function waitsFor(count: number, workflow: Example) {
	await eventually(async () => {
		return (await documenso.created()).length === count || undefined;
	});
	await executionIn('waiting', workflow);
}

test('a manual run waits and goes on; its own workflow is not published', async () => {
	await withTrigger(async () => {
		const table = { mode: 'raw', jsonOutput: JSON.stringify({ body: { rows: signers(2) } }) };
		const workflow = await n8n.add({
			name: 'Run by hand',
			...inLine(
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Table', 'n8n-nodes-base.set', { ...table, options: {} }, { typeVersion: 3.4 }),
				rows(),
				waits(fillAndWait),
				after(),
			),
		});
		await n8n.rest.request('POST', `/workflows/${workflow.id}/run`, {
			triggerToStartFrom: { name: 'Start' },
		});
		expect(await executionIn('waiting', workflow)).toMatchObject({ mode: 'manual' });
		await documenso.signAll();
		const done = await executionIn('success', workflow);
		expect(done).toMatchObject({ mode: 'manual' });
		expect(endings(done)).toEqual(completed(0, 1));
	});
});

test('a hundred documents are waited for by one execution, which goes on when all are signed, at once', async () => {
	await withTrigger(async () => {
		const workflow = await publishWaiting(fillAndWait);
		const items = signers(100);
		await begin(workflow, items);
		await executionIn('waiting', workflow);
		await documenso.signAll();
		const done = await executionIn('success', workflow, 60_000);
		expect(endings(done)).toEqual(completed(...items.keys()));
		expect(await documenso.externalIds()).toEqual(items.map((item) => item['External ID']).sort());
	});
});

describe('a workflow goes on although, while it waited, it was', () => {
	/** As the editor saves it. */
	async function save({ id }: Example, change: (workflow: Example) => Partial<Example>) {
		const now = (await n8n.rest.request('GET', `/workflows/${id}`)) as Example & IDataObject;
		const { nodes, connections, settings, versionId } = now;
		const saved = { name: now.name, nodes, connections, settings, versionId, ...change(now) };
		await n8n.rest.request('PATCH', `/workflows/${id}`, saved);
	}

	const rename = async (workflow: Example) => {
		await save(workflow, () => ({ name: 'Another name' }));
		await n8n.rest.publish(workflow.id);
	};
	const edit = async (workflow: Example) => {
		const waiting = waits({ ...fillAndWait, resumeAmount: 1 }, { name: 'Another node' });
		await save(workflow, () => inLine(...workflow.nodes.slice(0, 2), waiting, after('Another')));
		await n8n.rest.publish(workflow.id);
	};
	const unpublish = async ({ id }: Example) => {
		await n8n.rest.request('POST', `/workflows/${id}/deactivate`);
	};

	test.each([
		['renamed and published again', rename],
		['edited, its nodes renamed, and published again', edit],
		['unpublished', unpublish],
	])('%s', async (_, change) => {
		await withTrigger(async () => {
			const workflow = await publishWaiting(fillAndWait);
			await begin(workflow, signers(1));
			await executionIn('waiting', workflow);
			await change(workflow);
			await documenso.signAll();
			expect(endings(await executionIn('success', workflow))).toEqual(completed(0));
		});
	});
});

test('in a loop, one execution waits in each of three rounds, and sends the next document only then', async () => {
	await withTrigger(async () => {
		const loop = node(
			'Loop',
			'n8n-nodes-base.splitInBatches',
			{ batchSize: 1, options: {} },
			{ typeVersion: 3 },
		);
		const workflow = await publish(
			connected([rows(), loop, waits(fillAndWait), after()], {
				[ROWS]: [['Loop']],
				Loop: [[AFTER], [WAITING]],
				[WAITING]: [['Loop']],
			}),
		);
		await begin(workflow, signers(3));
		for (const count of [1, 2, 3]) {
			await waitsFor(count, workflow);
			await documenso.signAll();
		}
		const done = await executionIn('success', workflow);
		expect(endings(done)).toEqual(completed(0, 1, 2));
		expect(outputOf(done, AFTER).map(({ json }) => json.externalId)).toEqual(
			[0, 1, 2].map((row) => `NDA ${row}`),
		);
		expect(done.data?.resultData.runData[WAITING]).toHaveLength(3);
		expect(await documenso.created()).toHaveLength(3);
	});
});

test("an event that comes late does not end the wait of n8n's own Wait node behind", async () => {
	await withTrigger(async () => {
		const wait = { resume: 'webhook', httpMethod: 'POST', options: {} };
		const workflow = await publish(
			inLine(
				rows(),
				waits(fillAndWait),
				after(),
				node('Wait', 'n8n-nodes-base.wait', wait, { typeVersion: 1.1 }),
			),
		);
		await begin(workflow, signers(1));
		await waitsFor(1, workflow);
		const [document] = await documenso.created();
		await documenso.signAll();
		const isBehind = async () => {
			const execution = await executionIn('waiting', workflow);
			return execution.data?.resultData.lastNodeExecuted === 'Wait' ? execution : undefined;
		};
		const { id, data } = await eventually(isBehind);
		// As an event has it that was sent before the marker was taken away.
		await documenso.api('POST /envelope/update', {
			envelopeId: document?.id,
			data: { externalId: document?.externalId },
		});
		const before = (await documenso.attempts(1, 'DOCUMENT_COMPLETED')).length;
		await documenso.deliver('DOCUMENT_COMPLETED', document?.id ?? '');
		await documenso.attempts(before + 1, 'DOCUMENT_COMPLETED');
		expect(await isBehind()).toBeDefined();
		const address = `${n8n.url}/webhook-waiting/${id}?signature=${data?.resumeToken}`;
		expect((await fetch(address, { method: 'POST' })).status).toBe(200);
		expect(endings(await executionIn('success', workflow))).toEqual(completed(0));
	});
});

test('an item that fails goes to the error output, and the others are waited for', async () => {
	await withTrigger(async () => {
		const bad = 'Failed';
		const workflow = await publish(
			connected(
				[rows(), waits(fillAndWait, { onError: 'continueErrorOutput' }), after(), after(bad)],
				{
					[ROWS]: [[WAITING]],
					[WAITING]: [[AFTER], [bad]],
				},
			),
		);
		const [first = {}, second = {}, third = {}] = signers(3);
		await begin(workflow, [first, { ...second, 'Signer email': 'nobody' }, third]);
		await waitsFor(2, workflow);
		await documenso.signAll();
		const done = await executionIn('success', workflow);
		expect(endings(done)).toEqual(completed(0, 2));
		expect(outputOf(done, bad).map(({ json }) => json)).toMatchObject([
			{ row: 'nobody', error: expect.stringContaining('Signer email') as string },
		]);
	});
});

test('two branches that wait both go on, one after the other', async () => {
	await withTrigger(async () => {
		// Each its own document, though the row has one External ID.
		const own = { ...fillAndWait, ifExternalIdExists: 'create' };
		const branch = (name: string) => [
			waits(own, { name: `${name} waits` }),
			after(`${name} goes on`),
		];
		const workflow = await publish(
			connected([rows(), ...branch('First'), ...branch('Second')], {
				[ROWS]: [['First waits', 'Second waits']],
				'First waits': [['First goes on']],
				'Second waits': [['Second goes on']],
			}),
		);
		await begin(workflow, signers(1));
		for (const count of [1, 2]) {
			await waitsFor(count, workflow);
			await documenso.signAll();
		}
		const done = await executionIn('success', workflow);
		const names = ['First goes on', 'Second goes on'];
		for (const name of names) expect(endings(done, name)).toEqual(completed(0));
		const created = (await documenso.created()).map(({ id }) => id);
		expect(names.map((name) => outputOf(done, name)[0]?.json.id).sort()).toEqual(created.sort());
	});
});

test('a sub-workflow waits, and the workflow that called it goes on with its output', async () => {
	await withTrigger(async () => {
		const called = await n8n.add({
			name: 'Called',
			...inLine(
				node(
					ROWS,
					'n8n-nodes-base.executeWorkflowTrigger',
					{ inputSource: 'passthrough' },
					{ typeVersion: 1.1 },
				),
				waits(fillAndWait),
				after(),
			),
		});
		await n8n.rest.publish(called.id);
		const call = node(
			'Call',
			'n8n-nodes-base.executeWorkflow',
			{ workflowId: { __rl: true, mode: 'id', value: called.id }, options: {} },
			{ typeVersion: 1.3 },
		);
		const workflow = await publish(inLine(rows(), call, node('End', 'n8n-nodes-base.noOp', {})));
		await begin(workflow, signers(2));
		await executionIn('waiting', workflow);
		await executionIn('waiting', called);
		await documenso.signAll();
		expect(endings(await executionIn('success', called))).toEqual(completed(0, 1));
		const done = await executionIn('success', workflow);
		expect(endings(done, 'End')).toEqual(completed(0, 1));
	});
});
