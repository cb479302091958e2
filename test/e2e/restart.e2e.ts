import { join } from 'node:path';

import type { Execution } from '../../n8n-host/rest.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { host } from './host';
import { n8nOf, outputOf, ownerOf, WEBHOOK_SECRET } from './n8n';
import { NEXT, triggerWorkflow } from './triggerWorkflow';

const documenso = useDocumenso();

/** How many documents are signed while n8n is down. */
const MISSED = 10;

/** After publishing, the first look is one or two minutes later. */
const LOOK_MS = 200_000;

const isFoundByCheck = (execution: Execution) =>
	outputOf(execution, NEXT).some(({ json }) => json.foundBy === 'check');

test('what happened while n8n was down is found when it starts, once, and subscriptions still deliver', async () => {
	const { freePort } = await import('../../n8n-host/ports.mjs');
	const { startN8n } = await import('../../n8n-host/host.mjs');
	const { node, packageTarball } = host;
	const stateDir = join(host.pictures, 'restarted');
	const start = async (port: number) => await startN8n({ node, stateDir, port, packageTarball });
	const port = await freePort();
	let running = await start(port);
	try {
		let owner = await ownerOf(running.rest, running.url);
		const n8n = n8nOf(() => owner);
		const workflowWith = async (parameters: object) =>
			await triggerWorkflow(n8n, 'documensoTrigger', parameters);
		const manual = await workflowWith({
			missedEvents: 'find',
			events: ['DOCUMENT_COMPLETED'],
		});
		const url = await n8n.publish(manual);
		await documenso.register({ url, events: ['DOCUMENT_COMPLETED'], secret: WEBHOOK_SECRET });
		const events = ['DOCUMENT_OPENED', 'DOCUMENT_SENT'];
		const automatic = await workflowWith({
			registration: 'automatic',
			missedEvents: 'off',
			events,
		});
		await n8n.publish(automatic);
		const subscribed = await documenso.webhooks(7);
		const send = async (title: string) =>
			await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' }, { title });
		// The first execution stores what the trigger has to remember.
		await n8n.executions(manual, 1, LOOK_MS);
		const { id } = await send('Before');
		await documenso.deliver('DOCUMENT_COMPLETED', id);
		await n8n.executions(manual, 2);

		await running.stop();
		for (let number = 1; number <= MISSED; number++) {
			await documenso.sign(await send(`Missed ${String(number)}`));
		}
		running = await start(port);
		owner = { ...owner, rest: running.rest };
		for (const workflow of [manual, automatic]) await n8n.listening(workflow);
		const found = await n8n.executions(manual, 2 + MISSED, LOOK_MS);
		const titles = found
			.filter(isFoundByCheck)
			.flatMap((one) => outputOf(one, NEXT))
			.map(({ json }) => (json.document as { title: string }).title);
		const missed = Array.from({ length: MISSED }, (_, index) => `Missed ${String(index + 1)}`);
		expect(titles.sort()).toEqual(missed.sort());
		const delivered = found
			.flatMap((one) => outputOf(one, NEXT))
			.filter(({ json }) => json.foundBy === 'webhook');
		expect(delivered).toHaveLength(1);

		await documenso.deliver('DOCUMENT_SENT', id);
		expect(await n8n.executions(automatic, 1)).not.toEqual([]);
		expect(await documenso.webhooks(7)).toEqual(subscribed);
	} finally {
		await running.stop();
	}
});
