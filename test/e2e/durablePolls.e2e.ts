import { randomUUID } from 'node:crypto';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import type { Execution } from '../../demo/n8n-rest.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { outputOf } from './n8n';
import { useOwnN8n } from './ownN8n';

const documenso = useDocumenso();
const own = useOwnN8n('durable', {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
});

const NEXT = 'Next';
const TITLES = ['Missed 1', 'Missed 2', 'Missed 3'];

/** It polls once a minute. */
const LOOK_MS = 150_000;

async function published(): Promise<Example> {
	const { credential, rest } = own.n8n;
	const workflow = await own.n8n.add({
		name: 'Polling',
		nodes: [
			{
				id: randomUUID(),
				name: 'Trigger',
				type: 'n8n-nodes-documenso.documensoPollingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { events: ['DOCUMENT_COMPLETED'] },
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			},
			{
				id: randomUUID(),
				name: NEXT,
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: NEXT, type: 'main', index: 0 }]] } },
	} as unknown as Example);
	await rest.publish(workflow.id);
	return workflow;
}

const titlesOf = (executions: Execution[]) =>
	executions
		.flatMap((one) => outputOf(one, NEXT))
		.map(({ json }) => (json.document as { title: string }).title)
		.sort();

/** Until the trigger has looked so many times more. */
async function looked(times: number) {
	const looks = async () => (await documenso.calls()).filter((call) => call === 'GET /folder');
	const before = (await looks()).length;
	await eventually(async () => (await looks()).length >= before + times || undefined, LOOK_MS);
}

test("with n8n's durable poll cursors, what happened while n8n was down is found when it starts, once", async () => {
	const polling = await published();
	await looked(2);
	await own.stop();
	for (const title of TITLES) {
		await documenso.sign(
			await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' }, { title }),
		);
	}
	await own.start();
	expect(titlesOf(await own.n8n.executions(polling, 1, LOOK_MS))).toEqual(TITLES);
	await looked(2);
	expect(titlesOf(await own.n8n.executions(polling, 1))).toEqual(TITLES);
}, 600_000);
