import { join } from 'node:path';

import { useDocumenso } from './documenso';
import { host } from './host';
import { n8nOf, outputOf, ownerOf, WEBHOOK_SECRET } from './n8n';

const documenso = useDocumenso();

test('after a restart of n8n, an event that comes again goes no further, and subscriptions still deliver, once', async () => {
	const { freePort } = await import('../../demo/ports.mjs');
	const { startN8n } = await import('../../demo/n8n-host.mjs');
	const { startInbox } = await import('../../demo/inbox.mjs');
	const { onceForEachEvent, removeRepeated } = await import('../../demo/examples.mjs');
	const { node, packageTarball } = host;
	const stateDir = join(host.pictures, 'restarted');
	const start = async (port: number) => await startN8n({ node, stateDir, port, packageTarball });
	const chat = await startInbox({ port: 0 });
	const port = await freePort();
	let running = await start(port);
	try {
		let owner = await ownerOf(running.rest, running.url);
		const n8n = n8nOf(() => owner);
		const { id } = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
		const example = await onceForEachEvent(n8n.credential, chat.webhookUrl);
		const manual = await n8n.add(example);
		await n8n.rest.run(manual.id, 'When you click Execute', 60_000);
		const remover = await n8n.add(await removeRepeated(n8n.credential, chat.webhookUrl));
		for (const workflow of [manual, remover]) {
			const url = await n8n.publish(workflow);
			await documenso.register({ url, events: ['DOCUMENT_COMPLETED'], secret: WEBHOOK_SECRET });
		}
		const [trigger] = example.nodes.filter(({ type }) => type.endsWith('documensoTrigger'));
		const parameters = { registration: 'automatic', events: ['DOCUMENT_OPENED', 'DOCUMENT_SENT'] };
		const automatic = await n8n.add({
			name: 'Automatic',
			nodes: [{ ...trigger, webhookId: 'automatic', parameters } as (typeof example.nodes)[0]],
			connections: {},
		});
		await n8n.publish(automatic);
		const subscribed = await documenso.webhooks(8);
		await documenso.deliver('DOCUMENT_COMPLETED', id);
		await n8n.executions(manual, 2);
		await n8n.executions(remover, 1);

		await running.stop();
		running = await start(port);
		owner = { ...owner, rest: running.rest };
		for (const workflow of [manual, remover, automatic]) await n8n.listening(workflow);
		const attempts = await documenso.attempts(2);
		for (const index of attempts.keys()) await documenso.resend(index);
		const noted = (await n8n.executions(manual, 3)).at(-1);
		expect(noted?.status).toBe('success');
		expect(outputOf(noted, 'See who noted it first')).toHaveLength(1);
		expect(outputOf(noted, 'Go on if it was this one')).toEqual([]);
		const removed = (await n8n.executions(remover, 2)).at(-1);
		expect(removed?.status).toBe('success');
		expect(outputOf(removed, 'When everybody has signed')).toHaveLength(1);
		expect(outputOf(removed, 'Drop what was here before')).toEqual([]);
		expect(chat.messages).toHaveLength(2);

		await documenso.deliver('DOCUMENT_SENT', id);
		expect(await n8n.executions(automatic, 1)).toHaveLength(1);
		expect(await documenso.webhooks(8)).toEqual(subscribed);
	} finally {
		chat.stop();
		await running.stop();
	}
});
