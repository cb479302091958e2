import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { sealed } from '../../nodes/shared/envelope/marker';
import { pdf } from '../support/pdf';
import {
	documenso,
	execute,
	itemWith,
	pollContext,
	retryCrashed,
	retryExecution,
	type Setup,
} from '../support/n8n';
import { beforeCall } from '../support/polling';
import { refusal } from '../support/refusal';
import { credentialFor, lines } from '../support/service';
import { byId, contract, fillFromRow, signer, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

const CREATE = 'POST /envelope/create';
const SEND = 'POST /envelope/distribute';
const UPDATE = 'POST /envelope/update';
const READ = 'POST /envelope/get-many';

const credential = () => credentialFor(suite.service);
const markerOf = (executionId: string) => {
	const { context } = pollContext(credential(), {});
	const keys = { apiToken: credential().apiToken, instanceId: context.getInstanceId() };
	return sealed({ executionId, token: 'a1'.repeat(32) }, keys);
};
/** The executions whose markers a document has. */
const waitingFor = (document?: Envelope) =>
	[...(document?.externalId?.matchAll(/n8n-wait:[^:]+:([^:]+):/g) ?? [])].map(([, id]) => id);
const errorIn = (run: IRun) => run.data.resultData.error;

const skip = { additionalFields: { ifExternalIdExists: 'skip' } };
const fromTemplate = { ...fillFromRow, operation: 'createDocumentUntilSigned' };
const fromFile = { resource: 'document', operation: 'createUntilSigned', ...contract };
const ofDraft = (id: string) => ({
	...{ resource: 'document', operation: 'sendUntilSigned', documentId: byId(id) },
});
const row = (externalId: string) => ({
	json: { ...tenants(1)[0]?.json, 'External ID': externalId },
});

async function run(parameters: IDataObject, items?: INodeExecutionData[], setup: Setup = {}) {
	return await execute(credential(), [documenso(parameters, setup)], items ?? [{ json: {} }]);
}

const upload = async () => await itemWith({ data: { content: await pdf() } });

/** What happens to each document: whether it had a marker just before each request that sends one. */
function markedWhenSent() {
	const marked: number[] = [];
	const restore = beforeCall(suite.service, (line) => {
		if (line.startsWith(SEND)) marked.push(...documents().map((one) => waitingFor(one).length));
	});
	return { marked, restore };
}

describe('a document is marked before it is sent', () => {
	test('from a template by the request that creates and sends it', async () => {
		const { status } = await run(fromTemplate, tenants(2));
		expect(status).toBe('waiting');
		const reading = lines(suite.service).filter((line) => line.startsWith('GET '));
		expect(lines(suite.service)).toEqual([...reading, USE, USE, READ]);
		expect(documents().map((one) => waitingFor(one).length)).toEqual([1, 1]);
	});

	test('from a file by the request that creates it', async () => {
		const { marked, restore } = markedWhenSent();
		const { status } = await run(fromFile, [await upload()]);
		restore();
		expect(status).toBe('waiting');
		expect(lines(suite.service)).toEqual([CREATE, SEND, READ]);
		expect(marked).toEqual([1]);
	});

	test('as a draft by an update', async () => {
		const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
		const { marked, restore } = markedWhenSent();
		const { status } = await run(ofDraft(id));
		restore();
		expect(status).toBe('waiting');
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`, UPDATE, SEND, READ]);
		expect(marked).toEqual([1]);
		expect(documents()[0]?.externalId).toMatch(/^CRM-7 n8n-wait:/);
	});
});

test('an event that comes while other documents are sent, and wakes nothing yet, is seen before the execution waits', async () => {
	const restore = beforeCall(suite.service, (line) => {
		const [first] = documents();
		if (!line.startsWith(USE) || !first) return;
		restore();
		void suite.service.reject(first.recipients[0]?.token ?? '', 'No');
	});
	const waits = await run({ ...fromTemplate, options: { maxInFlight: 1 } }, tenants(2));
	expect(waits.status).toBe('waiting');
	expect(documents().map(({ status }) => status)).toEqual(['REJECTED', 'PENDING']);
	const prepared = waits.data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
	expect(prepared?.map(({ json }) => json.outcome)).toEqual(['rejected', 'timeLimit']);
	expect(documents().map((one) => waitingFor(one).length)).toEqual([0, 1]);
});

describe('a draft that Documenso refuses to send', () => {
	test('loses its marker, and keeps its External ID', async () => {
		suite.service.fail({ match: SEND, ...refusal('No') });
		const externalId = { externalId: 'CRM-7' };
		const failed = await run({ ...fromFile, additionalFields: externalId }, [await upload()]);
		expect(errorIn(failed)?.message).toContain('No');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
	});

	test('and that is deleted then costs no request for its marker', async () => {
		suite.service.fail({ match: SEND, ...refusal('No') });
		const additionalFields = { ifSendingFails: 'delete' };
		await run({ ...fromFile, additionalFields }, [await upload()]);
		expect(documents()).toEqual([]);
		expect(calls(UPDATE)).toEqual([]);
	});

	test('loses it, too, if it was there before', async () => {
		const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
		suite.service.fail({ match: SEND, ...refusal('No') });
		expect(errorIn(await run(ofDraft(id)))?.message).toContain('No');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
		expect(calls(UPDATE)).toHaveLength(2);
	});

	test('keeps the markers of other executions', async () => {
		const { id } = await suite.document();
		Object.assign(documents()[0] ?? {}, { externalId: `CRM-7 ${markerOf('7')}` });
		suite.service.fail({ match: SEND, ...refusal('No') });
		await run(ofDraft(id));
		expect(waitingFor(documents()[0])).toEqual(['7']);
	});

	test('gets none if the node itself refuses it', async () => {
		const { id } = await suite.document('create', { fields: {} });
		expect(errorIn(await run(ofDraft(id)))?.message).toContain('cannot be sent');
		expect(calls(UPDATE)).toEqual([]);
	});

	test('loses it if the node refuses what the placeholders of its file have made', async () => {
		const text = 'Sign {{signature, r1}} here, date {{date, r2}}';
		const file = await itemWith({ data: { content: await pdf(text) } });
		const copied = { ...signer, email: 'cleo@example.com', role: 'CC' };
		const failed = await run(
			{
				...{ ...fromFile, recipients: { recipient: [signer, copied] }, fields: {} },
				...{ placeholdersInPdf: true, additionalFields: { externalId: 'CRM-7' } },
			},
			[file],
		);
		expect(errorIn(failed)?.message).toContain('only gets a copy, but has a required field');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
		expect(calls(SEND)).toEqual([]);
	});

	test('keeps its marker if nobody knows whether it was sent', async () => {
		suite.service.fail({ match: SEND, cut: 'after' });
		suite.service.fail({ match: /^GET \/envelope\/envelope_/, times: 9, status: 400, body: {} });
		await run(fromFile, [await upload()]);
		expect(documents().map((one) => waitingFor(one).length)).toEqual([1]);
		expect(documents()[0]?.status).toBe('PENDING');
	});
});

describe('a draft that an execution has left which ended before it could send it', () => {
	/** As a process leaves it that ended between two requests. */
	async function left(externalId: string) {
		const created = { ...contract, resource: 'document', operation: 'create' };
		await suite.run({ ...created, additionalFields: { externalId } }, [await upload()]);
		Object.assign(documents()[0] ?? {}, { externalId: `${externalId} ${markerOf('dead')}` });
		suite.service.calls.length = 0;
	}

	test('is marked before it is sent by the next one, and each of both is woken', async () => {
		await left('CRM-7');
		const { marked, restore } = markedWhenSent();
		const additionalFields = { externalId: 'CRM-7', ifExternalIdExists: 'skip' };
		const { status } = await run({ ...fromFile, additionalFields }, [await upload()]);
		restore();
		expect(status).toBe('waiting');
		expect(marked).toEqual([2]);
		expect(waitingFor(documents()[0])).toEqual(['dead', expect.stringMatching(/^execution-/)]);
		expect(calls(UPDATE)).toHaveLength(1);
	});

	test('is marked before it is sent by a retry after a crash', async () => {
		suite.service.fail({ match: SEND, cut: 'before' });
		const node = documenso({
			...fromFile,
			additionalFields: { externalId: 'CRM-7', ifExternalIdExists: 'skip' },
		});
		const items = [await upload()];
		const crashed = await execute(credential(), [node], items);
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		const { marked, restore } = markedWhenSent();
		const retried = await retryCrashed(credential(), [node], items, crashed);
		restore();
		expect(errorIn(retried)).toBeUndefined();
		expect(retried.status).toBe('waiting');
		expect(documents()).toHaveLength(1);
		expect(waitingFor(documents()[0])).toHaveLength(2);
		expect(marked).toEqual([2]);
	});
});

test('a document that was sent is waited for by a retry after a crash, which is marked, too', async () => {
	const rows = [row('CRM-7')];
	const node = documenso({ ...fromTemplate, ...skip });
	suite.service.fail({ match: READ, status: 400, body: { message: 'Killed' } });
	const crashed = await execute(credential(), [node], rows);
	expect(crashed.status).toBe('error');
	suite.service.calls.length = 0;
	const retried = await retryCrashed(credential(), [node], rows, crashed);
	expect(retried.status).toBe('waiting');
	expect(calls(USE)).toEqual([]);
	expect(calls(UPDATE)).toHaveLength(1);
	expect(waitingFor(documents()[0])).toHaveLength(2);
});

test('Retry On Fail waits with the markers of its first try: it writes none again', async () => {
	suite.service.fail({ match: READ, status: 400, body: { message: 'Busy' } });
	const { status } = await run(fromTemplate, tenants(3), { maxTries: 2 });
	expect(status).toBe('waiting');
	expect(calls(USE)).toHaveLength(3);
	expect(calls(UPDATE)).toEqual([]);
});

test('a retry from the list of executions, which is another execution, marks what is sent already', async () => {
	suite.service.fail({ match: READ, status: 400, body: { message: 'Busy' } });
	const node = documenso(fromTemplate);
	const failed = await execute(credential(), [node], [row('CRM-7'), row('CRM-8')]);
	suite.service.calls.length = 0;
	const retried = await retryExecution(credential(), [node], failed);
	expect(retried.status).toBe('waiting');
	expect(lines(suite.service)).toEqual([READ, UPDATE, UPDATE, READ]);
});

describe('when the answer to marking a draft is lost', () => {
	const draft = async () =>
		await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });

	test('the draft is sent if the marker is there', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'after' });
		const { status } = await run(ofDraft(id));
		expect(status).toBe('waiting');
		expect(calls(UPDATE)).toHaveLength(1);
		expect(documents()[0]?.status).toBe('PENDING');
	});

	test('nothing is sent if it is not, and the next try does both', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'before' });
		const { status } = await run(ofDraft(id), undefined, { maxTries: 2 });
		expect(status).toBe('waiting');
		expect(calls(SEND)).toHaveLength(1);
		expect(waitingFor(documents()[0])).toHaveLength(1);
	});

	test('the error says that nothing was sent', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'before' });
		const { description } = errorIn(await run(ofDraft(id))) ?? {};
		expect(description).toContain(`The draft ${id} was not sent`);
		expect(calls(SEND)).toEqual([]);
	});
});

test('two executions that send one draft at once wait both', async () => {
	const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
	const both = await Promise.all([run(ofDraft(id)), run(ofDraft(id))]);
	expect(both.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
	expect(waitingFor(documents()[0])).toHaveLength(2);
});

test('a third wait for a draft is refused before the draft is sent, and shows no marker', async () => {
	const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
	const others = [markerOf('7'), markerOf('8')].join(' ');
	Object.assign(documents()[0] ?? {}, { externalId: `CRM-7 ${others}` });
	const error = errorIn(await run(ofDraft(id)));
	expect(error?.message).toContain(`'External ID' of the document ${id} has no room`);
	expect(JSON.stringify([error?.message, error?.description])).not.toContain('n8n-wait');
	expect(calls(SEND)).toEqual([]);
});

test('an External ID without room is refused before its draft is marked or sent', async () => {
	const externalId = 'x'.repeat(138);
	const { id } = await suite.document('create', { additionalFields: { externalId } });
	const error = errorIn(await run(ofDraft(id)));
	expect(error?.message).toContain("'External ID' has 138 characters; at most 137 are allowed");
	expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
});

test('no message and no output of an execution that waits shows a marker', async () => {
	const waits = await run({ ...fromTemplate, ...skip }, [row('CRM-7'), row('CRM-8')]);
	const again = await run({ ...fromTemplate, ...skip }, [row('CRM-7'), row('CRM-8')]);
	const failing = { additionalFields: { ifExternalIdExists: 'fail' } };
	const refused = await run({ ...fromTemplate, ...failing }, [row('CRM-7')]);
	for (const one of [waits, again, refused]) {
		expect(JSON.stringify(one.data.resultData)).not.toContain('n8n-wait');
	}
});
