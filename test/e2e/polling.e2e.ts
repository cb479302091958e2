import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { everyFiveSeconds, outputOf, useN8n } from './n8n';

const documenso = useDocumenso();
const n8n = useN8n();

const trigger = 'Documenso Polling Trigger';

function polling(parameters: object) {
	return {
		name: 'Polling',
		nodes: [
			{
				id: 'polling',
				name: trigger,
				type: 'n8n-nodes-documenso.documensoPollingTrigger',
				typeVersion: 1,
				position: [0, 0] as [number, number],
				parameters: {
					pollTimes: { item: everyFiveSeconds },
					events: ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_COMPLETED'],
					...parameters,
				},
				credentials: { [n8n.credential.type]: n8n.credential },
			},
		],
		connections: {},
	};
}

test('what happens after publishing is polled for, each thing once', async () => {
	await documenso.send({ name: 'Otto Old', email: 'otto@example.com' });
	const workflow = await n8n.add(polling({}));
	await n8n.rest.publish(workflow.id);
	// The first poll takes stock; it is over when another one has begun.
	await documenso.called('GET /folder', 2);
	const sent = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	await n8n.executions(workflow, 1);
	await documenso.sign(sent);
	const executions = await n8n.executions(workflow, 2);
	const items = executions.flatMap((execution) => outputOf(execution, trigger));
	await n8n.unpublish(workflow);
	expect(items.map(({ json }) => json)).toEqual(
		['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_COMPLETED'].map(
			(event) =>
				expect.objectContaining({
					event,
					document: expect.objectContaining({ id: sent.id }) as unknown,
				}) as unknown,
		),
	);
});

test('under a new name, the trigger reports what has happened since its last poll', async () => {
	const sent = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	const workflow = await n8n.add(polling({ events: ['DOCUMENT_COMPLETED'] }));
	const before = (await documenso.calls('GET /folder')).length;
	await n8n.rest.publish(workflow.id);
	await documenso.called('GET /folder', before + 2);
	await n8n.rest.request('POST', `/workflows/${workflow.id}/deactivate`);
	await documenso.sign(sent);
	const nodes = workflow.nodes.map((node) => ({ ...node, name: 'Contracts' }));
	await n8n.rest.request('PATCH', `/workflows/${workflow.id}`, { nodes });
	await n8n.rest.publish(workflow.id);
	const [execution] = await n8n.executions(workflow, 1);
	await n8n.rest.request('POST', `/workflows/${workflow.id}/deactivate`);
	expect(outputOf(execution, 'Contracts').map(({ json }) => json)).toMatchObject([
		{ event: 'DOCUMENT_COMPLETED', document: { id: sent.id } },
	]);
});

test('300 folders do not keep n8n from publishing, and are looked through afterwards', async () => {
	const names = Array.from({ length: 300 }, (_, index) => `Folder ${index}`);
	for (const name of names) await documenso.api('POST /folder/create', { name });
	const sent = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	const workflow = await n8n.add(polling({ events: ['DOCUMENT_COMPLETED'] }));
	const before = (await documenso.calls()).length;
	await n8n.rest.publish(workflow.id);
	expect((await documenso.calls()).length - before).toBeLessThanOrEqual(20);
	await eventually(async () => {
		const calls = (await documenso.calls()).slice(before);
		return calls.filter((call) => call === 'GET /envelope').length > names.length || undefined;
	}, 60_000);
	await documenso.sign(sent);
	// The first one only stores what the look has left.
	const [, execution] = await n8n.executions(workflow, 2);
	await n8n.unpublish(workflow);
	expect(outputOf(execution, trigger).map(({ json }) => json)).toMatchObject([
		{ event: 'DOCUMENT_COMPLETED', document: { id: sent.id } },
	]);
});

test('a test event is a document that is there, and nothing has to be published for it', async () => {
	const { id } = await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	const workflow = await n8n.add(polling({ events: ['DOCUMENT_SENT'] }));
	const execution = await n8n.rest.run(workflow.id, trigger, 60_000);
	expect(outputOf(execution, trigger).map(({ json }) => json)).toEqual([
		expect.objectContaining({
			event: 'DOCUMENT_SENT',
			document: expect.objectContaining({ id }) as unknown,
		}),
	]);
});
