import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { nudge } from '../../nodes/shared/events/nudge';
import { pdf } from '../support/pdf';
import { documenso, execute, itemWith, pollContext, resumeAt, resumeWaiting } from '../support/n8n';
import { Poller } from '../support/polling';
import { useResumption } from '../support/resumption';
import { credentialFor } from '../support/service';
import { byId, contract, fillFromRow, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

/** Documenso with a signing service: it lets nobody update a document that was sent. */
const suite = useService({ seed: 'demo', signatureLevel: 'AES' });
const { calls, documents } = suite;

const SEND = 'POST /envelope/distribute';
const UPDATE = 'POST /envelope/update';

const credential = () => credentialFor(suite.service);

/** Where n8n resumes executions: what was called there, and how it answers. */
const n8n = useResumption('nothing');
beforeAll(() => {
	resumeAt(n8n.address);
});

const skip = { additionalFields: { ifExternalIdExists: 'skip' } };
const fromTemplate = { ...fillFromRow, operation: 'createDocumentUntilSigned' };
const rows = (count: number) =>
	tenants(count).map(({ json }, index) => ({ json: { ...json, 'External ID': `CRM-${index}` } }));

async function wait(parameters: IDataObject, items: INodeExecutionData[] = [{ json: {} }]) {
	const node = documenso(parameters);
	const run = await execute(credential(), [node], items);
	return { run, resumed: async () => await resumeWaiting(credential(), node, run) };
}

const nodeRunOf = (run: IRun) => Object.values(run.data.resultData.runData).at(-1)?.at(-1);
const hintsOf = (run: IRun) => (nodeRunOf(run)?.hints ?? []).map(({ message }) => message);
const couldNotMark = expect.stringContaining('could not be marked') as string;

/** A delivery about a document comes. Returns whether all executions that wait for it were reached. */
async function nudged({ id, externalId }: { id: string; externalId?: string | null }) {
	const { context } = pollContext(credential(), {});
	const way = {
		addresses: () => [{ url: n8n.address, isOwn: false }],
		timeout: 5_000,
		patience: 0,
	};
	return await nudge(context, { id, externalId }, { credential: { ...credential() }, ...way });
}

/** How often n8n is called to resume the execution of a run. */
const resumptions = ({ data }: IRun) =>
	n8n.called.filter((line) => line.includes(`signature=${data.resumeToken}`)).length;

const upload = async () => await itemWith({ data: { content: await pdf() } });

async function draft() {
	const created = { resource: 'document', operation: 'create', ...contract };
	await suite.run({ ...created, additionalFields: { externalId: 'CRM-7' } }, [await upload()]);
	suite.service.calls.length = 0;
	return documents()[0]?.id ?? '';
}

describe('all operations wait for documents that nobody can change once they are sent', () => {
	test.each([
		['Create Document and Wait', async () => await wait(fromTemplate, tenants(2))],
		[
			'Create, Send and Wait',
			async () => {
				const parameters = { resource: 'document', operation: 'createUntilSigned', ...contract };
				return await wait(parameters, [await upload()]);
			},
		],
		[
			'Send and Wait',
			async () => {
				const parameters = { resource: 'document', operation: 'sendUntilSigned' };
				return await wait({ ...parameters, documentId: byId(await draft()) });
			},
		],
	])('%s', async (_, begin) => {
		const { run, resumed } = await begin();
		expect(run.status).toBe('waiting');
		expect(hintsOf(run)).not.toContainEqual(couldNotMark);
		const refused = suite.service.calls.filter(({ status }) => status === 400);
		expect(refused).toEqual([]);
		for (const { id } of documents()) await suite.complete(id);
		const { workflowData } = await resumed();
		expect(workflowData?.[0]?.map(({ json }) => json.outcome)).toEqual(
			documents().map(() => 'completed'),
		);
	});
});

test('markers stay on finished documents, and Documenso is asked once to remove one', async () => {
	const { run } = await wait(fromTemplate, tenants(3));
	const open = documents().map(({ id, externalId }) => ({ id, externalId }));
	for (const { id } of open) await suite.complete(id);
	const seen = Object.fromEntries(
		open.map(({ id, externalId }) => [id, { externalId, isFinished: true }]),
	);
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen } };
	await Promise.all(open.map(async (one) => await nudged(one)));
	for (const one of open) await nudged(one);
	expect(calls(UPDATE)).toHaveLength(1);
	expect(documents().map(({ externalId }) => externalId)).toEqual(
		open.map(({ externalId }) => externalId),
	);
	// Nobody calls an execution again for what it has been told.
	expect(resumptions(run)).toBe(1);
});

describe('for documents that others have sent', () => {
	async function sentBefore(count: number) {
		const { error } = await suite.run({ ...fillFromRow, ...skip }, rows(count));
		expect(error).toBeUndefined();
		suite.service.calls.length = 0;
	}

	test('an execution waits without markers, says so, and provokes one refusal', async () => {
		await sentBefore(5);
		const { run } = await wait({ ...fromTemplate, ...skip }, rows(5));
		expect(run.status).toBe('waiting');
		expect(calls(UPDATE)).toHaveLength(1);
		const [hint] = hintsOf(run).filter((message) => message.includes('could not be marked'));
		for (const { id } of documents()) expect(hint).toContain(id);
		await wait({ ...fromTemplate, ...skip }, rows(5));
		expect(calls(UPDATE)).toHaveLength(1);
	});

	test('an event still wakes the execution, until the document is finished', async () => {
		await sentBefore(1);
		const { run } = await wait({ ...fromTemplate, ...skip }, rows(1));
		const [document] = documents();
		if (!document) throw new Error('There is no document');
		const seen = { [document.id]: { externalId: document.externalId, isFinished: false } };
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen } };
		await nudged(document);
		await nudged(document);
		expect(resumptions(run)).toBe(2);
		await suite.complete(document.id);
		const finished = { [document.id]: { externalId: document.externalId, isFinished: true } };
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen: finished } };
		await nudged(document);
		expect(resumptions(run)).toBe(3);
		await nudged(document);
		expect(resumptions(run)).toBe(3);
	});

	test('so does a poll that finds the document finished', async () => {
		await sentBefore(1);
		const poller = new Poller(suite.service);
		await poller.poll();
		const { run } = await wait({ ...fromTemplate, ...skip }, rows(1));
		await poller.poll({ waitingAddress: n8n.address });
		expect(resumptions(run)).toBe(0);
		await suite.complete(documents()[0]?.id ?? '');
		await poller.poll({ waitingAddress: n8n.address });
		expect(resumptions(run)).toBe(1);
	});

	test('Send and Wait sends the reminder, and waits', async () => {
		const id = await draft();
		await suite.run({ resource: 'document', operation: 'send', documentId: byId(id) });
		suite.service.calls.length = 0;
		const parameters = { resource: 'document', operation: 'sendUntilSigned' };
		const { run } = await wait({ ...parameters, documentId: byId(id) });
		expect(run.status).toBe('waiting');
		expect(calls(SEND)).toHaveLength(1);
		expect(calls(UPDATE)).toHaveLength(1);
	});
});
