import type { IRun } from 'n8n-workflow';

import { documenso, execute, resumeAt } from '../support/n8n';
import { paperwork, Poller } from '../support/polling';
import { useResumption } from '../support/resumption';
import { credentialFor } from '../support/service';
import { byId, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService();
const paper = paperwork(suite);
let poller: Poller;
/** Where n8n resumes executions: what was called there, and how it answers. */
const n8n = useResumption({ status: 200, body: { isUnknown: false, isOver: true, seen: {} } });

beforeAll(() => {
	resumeAt(n8n.address);
});
beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});

const poll = async () => await poller.poll({ waitingAddress: n8n.address });

/** How often n8n was called to resume the execution of a run. */
const resumptions = ({ data }: IRun) =>
	n8n.called.filter((line) => line.includes(`signature=${data.resumeToken}`)).length;

async function waitFor(id: string): Promise<IRun> {
	const parameters = { resource: 'document', operation: 'sendUntilSigned', documentId: byId(id) };
	const run = await execute(credentialFor(suite.service), [documenso(parameters)], [{ json: {} }]);
	expect(run.status).toBe('waiting');
	return run;
}

test('a document that is deleted before a poll has seen it ends the wait at the next poll', async () => {
	await poll();
	const document = await suite.document();
	const run = await waitFor(document.id);
	paper.remove(document);
	await poll();
	expect(resumptions(run)).toBe(1);
	await poll();
	expect(resumptions(run)).toBe(1);
});

test('so does one that no poll has seen since it was marked', async () => {
	const document = await suite.document();
	await poll();
	const run = await waitFor(document.id);
	paper.remove(document);
	await poll();
	expect(resumptions(run)).toBe(1);
});

test('the poll after that tries again if n8n does not answer', async () => {
	const document = await suite.document();
	const run = await waitFor(document.id);
	paper.remove(document);
	n8n.answer = 'nothing';
	await poll();
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen: {} } };
	await poll();
	expect(resumptions(run)).toBe(2);
});

test('an execution that waits for others as well is told once that a document is gone', async () => {
	const document = await suite.document();
	const run = await waitFor(document.id);
	paper.remove(document);
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen: {} } };
	await poll();
	await poll();
	expect(resumptions(run)).toBe(1);
});

test('polls nudge nobody for a document that is still open', async () => {
	const document = await suite.document();
	const run = await waitFor(document.id);
	await poll();
	await poll();
	expect(resumptions(run)).toBe(0);
});

test('nor for a document of another account', async () => {
	const document = await suite.document();
	const run = await waitFor(document.id);
	paper.remove(document);
	poller.credential = {
		...poller.credential,
		baseUrl: poller.credential.baseUrl.replace('127.0.0.1', 'localhost'),
	};
	await poll();
	expect(resumptions(run)).toBe(0);
});
