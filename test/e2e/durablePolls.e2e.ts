import type { Execution } from '../../n8n-host/rest.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { outputOf } from './n8n';
import { useOwnN8n } from './ownN8n';
import { NEXT, triggerWorkflow } from './triggerWorkflow';

const documenso = useDocumenso();
const own = useOwnN8n('durable', {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
});

const TITLES = ['Missed 1', 'Missed 2', 'Missed 3'];

/** It polls once a minute. */
const LOOK_MS = 150_000;

const titlesOf = (executions: Execution[]) =>
	executions
		.flatMap((one) => outputOf(one, NEXT))
		.map(({ json }) => (json.document as { title: string }).title)
		.sort();

/** Until the trigger has looked so many times more. */
async function looked(times: number, ms = LOOK_MS) {
	const before = (await documenso.calls('GET /folder')).length;
	await documenso.called('GET /folder', before + times, ms);
}

test("with n8n's durable poll cursors, what happened while n8n was down is found when it starts, once", async () => {
	const polling = await triggerWorkflow(own.n8n, 'documensoPollingTrigger', {
		events: ['DOCUMENT_COMPLETED'],
	});
	await own.n8n.rest.publish(polling.id);
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
	await own.n8n.rest.request('POST', `/workflows/${polling.id}/deactivate`);
}, 600_000);

test('a first look that takes longer than a poll goes on in the next ones', async () => {
	await documenso.drafts(5_000);
	const sent = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	await documenso.fail({ match: 'GET /envelope', times: 10_000, delayMs: 800 });
	const polling = await triggerWorkflow(own.n8n, 'documensoPollingTrigger', {
		events: ['DOCUMENT_COMPLETED'],
	});
	await own.n8n.rest.publish(polling.id);
	// Another look only begins when the first one has ended.
	await looked(2, 2 * LOOK_MS);
	await documenso.sign(sent);
	const executions = await own.n8n.executions(polling, 1, 2 * LOOK_MS);
	expect(titlesOf(executions)).toEqual([sent.title]);
}, 600_000);
