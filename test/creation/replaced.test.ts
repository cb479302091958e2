import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { REASON } from '../../nodes/Documenso/creation/retire';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { hurry } from '../support/hurry';
import { documenso, execute, NODE_TYPE, retryExecution, type Setup } from '../support/n8n';
import { refusal } from '../support/refusal';
import { boxes, byId, fillFromRow, USE, wholeRow } from '../support/suite';
import { continued, SEND, useCreation } from './support';

hurry();

// Replace If Different: what says something else gives way to a new document, unless somebody has acted on it.
const suite = useCreation();
const { calls, documents } = suite;

const CANCEL = 'POST /envelope/cancel';
const lease = (changes: IDataObject = {}) => ({
	json: { ...wholeRow, 'External ID': 'L-1', ...changes },
});
const dearer = lease({ Rent: '950' });
const REPLACE = { ...fillFromRow, ifExternalIdExists: 'replace' };
const replace = async (row = dearer, changes: IDataObject = {}, setup: Setup = {}) =>
	await suite.run({ ...REPLACE, ...changes }, [row], setup);
const statuses = () => documents().map(({ status }) => status);

/** The first version of the lease, which was sent. */
async function sent(): Promise<Envelope> {
	const { error } = await suite.run(fillFromRow, [lease()]);
	const [document] = documents();
	if (error || !document) throw new Error('The lease was not sent');
	suite.service.calls.length = 0;
	return document;
}

/** n8n starts anew, and remembers nothing. */
const restart = () => Object.assign(thisProcess, new N8nProcess());

const tenantOf = ({ recipients }: Envelope) => recipients[0]?.token ?? '';
const open = async (document: Envelope) =>
	await fetch(`${suite.service.url}/sign/${tenantOf(document)}`);

describe('a document that says the same', () => {
	test('is skipped, pending or completed', async () => {
		const document = await sent();
		const { items, hints } = await replace(lease({ Rent: 900 }));
		expect(hints).toEqual([
			'Each item has a document that does not differ. Nothing was created for it.',
		]);
		expect(items[0]?.json).toMatchObject({ id: document.id, alreadyExisted: true });
		await suite.complete(document.id);
		expect((await replace(lease())).items[0]?.json).toMatchObject({ status: 'COMPLETED' });
		expect(calls(USE)).toHaveLength(0);
	});

	test('is skipped where somebody has renamed it, or the row gives it no title any more', async () => {
		const titled = lease({ 'Document title': 'Lease of Tina' });
		await replace(titled);
		expect(statuses()).toEqual(['PENDING']);
		await replace(lease());
		expect(statuses()).toEqual(['PENDING']);
		// Another one is asked for.
		await replace(lease({ 'Document title': 'Lease of Tina Miller' }));
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
	});

	test('is skipped where the row ticks no box, and no box is ticked', async () => {
		suite.become('payment', 'CHECKBOX', { label: 'Payment', values: boxes('Monthly', 'Yearly') });
		for (const Payment of [false, [], 'FALSE']) await replace(lease({ Payment }));
		expect(statuses()).toEqual(['PENDING']);
		const [document] = documents();
		await suite.complete(document?.id ?? '', { Payment: 'Monthly' });
		const { error } = await replace(lease({ Payment: false }));
		expect(error?.message).toMatch(/Payment/);
	});

	test('is made where there is none', async () => {
		const { items } = await replace();
		expect(items[0]?.json.replacedDocumentId).toBeUndefined();
		expect(statuses()).toEqual(['PENDING']);
	});
});

describe('a document that differs', () => {
	test('is cancelled, and the new one is sent', async () => {
		const document = await sent();
		const { items, hints, error } = await replace();
		expect(error).toBeUndefined();
		expect(hints).toContain(
			`These documents are cancelled, because new ones replace them:<br>${document.id}`,
		);
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
		expect(items[0]?.json).toMatchObject({
			...{ id: documents()[1]?.id, externalId: 'L-1', replacedDocumentId: document.id },
		});
		const cancelled = document.auditLog.find(({ type }) => type === 'DOCUMENT_CANCELLED');
		expect(cancelled?.data).toMatchObject({ reason: REASON });
		// The draft comes first, and is sent last.
		const changes = suite.service.calls.map(({ method, path }) => `${method} ${path}`);
		expect(changes.filter((line) => [USE, CANCEL, SEND].includes(line))).toEqual([
			...[USE, CANCEL, SEND],
		]);
	});

	test('takes so many requests', async () => {
		await sent();
		await replace();
		const counts = Object.entries(suite.service.counts().calls).map(([line, by]) => [
			line,
			Object.values(by).reduce((sum, count) => sum + count, 0),
		]);
		expect(Object.fromEntries(counts)).toEqual({
			// The template; the draft; the old document and its log twice before the cancellation, and after it.
			...{ 'GET /envelope/:envelopeId': 6, 'POST /envelope/get-many': 1 },
			...{ 'GET /envelope/:envelopeId/audit-log': 2 },
			// The look, the drafts of other workers, and what was sent with the same External ID.
			...{ 'GET /folder': 1, 'GET /envelope': 3 },
			...{ 'POST /envelope/use': 1, 'POST /envelope/cancel': 1, 'POST /envelope/distribute': 1 },
		});
	});

	test('is replaced though it was opened: that is not to act', async () => {
		const document = await sent();
		await open(document);
		expect(document.recipients[0]?.readStatus).toBe('OPENED');
		await replace();
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
	});

	test.each<[string, (document: Envelope) => unknown]>([
		['somebody has signed', async (document) => await suite.service.sign(tenantOf(document))],
		[
			'somebody has filled in a field',
			(document) => {
				const signature = document.fields.find(({ type }) => type === 'SIGNATURE');
				Object.assign(signature ?? {}, { inserted: true, customText: 'Tina' });
			},
		],
		[
			'somebody has emptied a field',
			async (document) => {
				await open(document);
				const address = document.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
				Object.assign(address ?? {}, { inserted: false, customText: '' });
			},
		],
	])('is left alone when %s', async (_, act) => {
		const document = await sent();
		await act(document);
		const { error } = await replace();
		expect(error?.message).toContain(`${document.id} differs in`);
		expect(error?.message).toMatch(/Rent.*cannot be replaced: .*Tina/);
		expect(statuses()).toEqual(['PENDING']);
		expect(calls(USE)).toHaveLength(0);
	});

	test('with Continue on Fail, no hint says of a refused row that its document says the same', async () => {
		const document = await sent();
		await suite.service.sign(tenantOf(document));
		const { items, hints } = await suite.run(REPLACE, [dearer], continued);
		expect(items[0]?.json.error).toContain('cannot be replaced');
		expect(hints).toEqual([]);
	});

	test('is left alone when it is completed', async () => {
		const document = await sent();
		await suite.complete(document.id);
		expect((await replace()).error?.message).toContain('it is completed');
		expect(calls(USE)).toHaveLength(0);
	});

	test('is left alone when a person has cancelled it, or it was rejected', async () => {
		const document = await sent();
		const cancel = { resource: 'document', operation: 'cancel', documentId: byId(document.id) };
		await suite.outputOf({ ...cancel, reason: 'Moved away' });
		expect((await replace()).error?.message).toContain('was cancelled');
		Object.assign(document, { status: 'REJECTED' });
		expect((await replace()).error?.message).toContain('was rejected');
		expect(calls(USE)).toHaveLength(0);
	});

	test('is left alone when it is a draft', async () => {
		await suite.run({ ...fillFromRow, send: false }, [lease()]);
		const { error } = await replace();
		expect(error?.message).toContain('and it differs in Rent');
		expect(statuses()).toEqual(['DRAFT']);
		// One that says the same is sent, as with Skip.
		await replace(lease());
		expect(statuses()).toEqual(['PENDING']);
	});
});

describe('while it is replaced', () => {
	test('somebody signs before the cancellation: the draft is deleted, and the error says who', async () => {
		const document = await sent();
		suite.service.intercept(CANCEL, async ({ pass }) => {
			await suite.service.sign(tenantOf(document));
			return await pass();
		});
		const { error } = await replace();
		expect(error?.message).toMatch(/Tina \(tina@example.com\) signed it at .* meanwhile/);
		expect(error?.description).toContain('was deleted');
		expect(error?.description).not.toContain('run this item again');
		expect(statuses()).toEqual(['CANCELLED']);
		// A new run sends nothing either.
		expect((await replace()).error?.message).toContain('was cancelled');
		expect(statuses()).toEqual(['CANCELLED']);
	});

	test('Documenso does not allow the cancellation: the draft is deleted, and the error says who could', async () => {
		await sent();
		suite.service.fail({
			match: CANCEL,
			status: 401,
			body: {
				message: 'Not allowed',
				code: 'UNAUTHORIZED',
				data: { code: 'UNAUTHORIZED', httpStatus: 401 },
			},
		});
		const { error } = await replace();
		expect(error?.message).toContain("does not let this token's user cancel it [item 0]");
		expect(error?.description).toContain('Only its owner, a manager or an admin can cancel it');
		expect(statuses()).toEqual(['PENDING']);
	});

	test('a person cancels it first: the draft is not sent', async () => {
		const document = await sent();
		suite.service.intercept(CANCEL, async ({ pass }) => {
			const answer = await pass();
			const entry = document.auditLog.find(({ type }) => type === 'DOCUMENT_CANCELLED');
			Object.assign(entry?.data ?? {}, { reason: 'Moved away' });
			return { ...answer, status: 400, body: JSON.stringify(refusal('Not pending').body) };
		});
		expect((await replace()).error?.message).toContain('and not by this node');
		expect(statuses()).toEqual(['CANCELLED']);
	});

	test('the answer to the cancellation is lost: what was read decides', async () => {
		const document = await sent();
		suite.service.fail({ match: CANCEL, cut: 'after', takesEffect: true });
		expect((await replace()).error).toBeUndefined();
		expect([document.status, statuses()]).toEqual(['CANCELLED', ['CANCELLED', 'PENDING']]);
	});

	test.each([
		['the cancellation', CANCEL],
		['the sending', SEND],
	])('the request of %s is lost: a retry goes on from the draft', async (_, line) => {
		await sent();
		suite.service.fail({ match: line, status: 504, body: '' });
		const node = documenso(REPLACE);
		const failed = await execute(suite.credential(), [node], [dearer], 1, 'trigger');
		expect(failed.data.resultData.error).toBeDefined();
		expect(statuses()[1]).toBe('DRAFT');
		const { data } = await retryExecution(suite.credential(), [node], failed);
		expect(data.resultData.error).toBeUndefined();
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
		expect(calls(USE)).toHaveLength(1);
	});

	test('a new run goes on from the draft, too', async () => {
		await sent();
		suite.service.fail({ match: SEND, status: 504, body: '' });
		expect((await replace()).error).toBeDefined();
		expect(statuses()).toEqual(['CANCELLED', 'DRAFT']);
		restart();
		const { items, error } = await replace();
		expect(error).toBeUndefined();
		expect(items[0]?.json.replacedDocumentId).toBe(documents()[0]?.id);
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
	});

	test('a new run does not go on when a person has cancelled the old one', async () => {
		const document = await sent();
		suite.service.fail({ match: CANCEL, status: 504, body: '' });
		expect((await replace()).error).toBeDefined();
		const cancel = { resource: 'document', operation: 'cancel', documentId: byId(document.id) };
		await suite.outputOf({ ...cancel, reason: 'Moved away' });
		restart();
		expect((await replace()).error?.message).toContain('and not by this node');
		expect(statuses()).toEqual(['CANCELLED', 'DRAFT']);
	});
});

describe('a preview', () => {
	const PREVIEW = { ...REPLACE, operation: 'previewDocument' };
	const preview = async (row = dearer) => {
		const [json] = await suite.outputOf(PREVIEW, [row]);
		return json?.documensoPreview as IDataObject;
	};
	const asPreviewed = async (digest: unknown) =>
		await replace(dearer, { options: { onlyAsPreviewed: digest } });

	test('says what would be replaced, and in what it differs', async () => {
		const document = await sent();
		expect(await preview()).toMatchObject({
			...{ action: 'replace', differences: ['Rent'], existing: { id: document.id } },
		});
		expect(await preview(lease())).toMatchObject({ action: 'skip' });
		expect(statuses()).toEqual(['PENDING']);
		await suite.service.sign(tenantOf(document));
		expect(await preview()).toMatchObject({ action: 'refuse' });
	});

	test('is a permission for this document only', async () => {
		const document = await sent();
		const { digest } = await preview();
		// Somebody else has sent another one since.
		suite.service.store.envelopes.delete(document.id);
		Object.assign(document, { id: 'envelope_anotherdocumento' });
		suite.service.store.envelopes.set(document.id, document);
		expect((await asPreviewed(digest)).error).toBeDefined();
		expect(calls(CANCEL)).toHaveLength(0);
		const { digest: second } = await preview();
		expect((await asPreviewed(second)).error).toBeUndefined();
		expect(document.status).toBe('CANCELLED');
	});

	test('of a row without a document is none to replace one', async () => {
		const { digest } = await preview();
		await sent();
		expect((await asPreviewed(digest)).error?.message).toContain(
			'the preview did not say that it would be replaced',
		);
		expect(calls(CANCEL)).toHaveLength(0);
	});
});

test('it needs Send Now', async () => {
	const { error } = await replace(dearer, { send: false });
	expect(error?.message).toContain(
		"cancels a document and sends a new one, so it needs 'Send Now'",
	);
});

test('a model alone may not replace anything', async () => {
	await sent();
	const { error } = await suite.run(REPLACE, [dearer], { type: `${NODE_TYPE}Tool` });
	expect(error?.message).toContain('is not for models alone');
	expect(calls(USE)).toHaveLength(0);
});

test('in a test run, it replaces test documents only', async () => {
	const document = await sent();
	const options = { manualExecutionsSendTo: 'me@example.com' };
	const manual = { mode: 'manual' } as const;
	expect((await replace(lease(), { options }, manual)).error).toBeUndefined();
	expect((await replace(dearer, { options }, manual)).error).toBeUndefined();
	expect(document.status).toBe('PENDING');
	expect(statuses()).toEqual(['PENDING', 'CANCELLED', 'PENDING']);
});
