import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { REASON } from '../../nodes/Documenso/creation/retire';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { hurry } from '../support/hurry';
import { documenso, execute, NODE_TYPE, retryExecution, type Setup } from '../support/n8n';
import { refusal } from '../support/refusal';
import { automatic, boxes, byId, fillFromRow, USE, wholeRow } from '../support/suite';
import { choosing, continued, json, said, SEND, useCreation } from './support';

hurry();

// Replace If Different: what says something else gives way to a new document, unless somebody has acted on it; what it must
// not touch; and what its errors must name.
const suite = useCreation();
const { calls, documents, statuses } = suite;

const CANCEL = 'POST /envelope/cancel';
const lease = (changes: IDataObject = {}) => ({
	json: { ...wholeRow, 'External ID': 'L-1', ...changes },
});
const dearer = lease({ Rent: '950' });
const REPLACE = { ...fillFromRow, ifExternalIdExists: 'replace' };
const replace = async (row = dearer, changes: IDataObject = {}, setup: Setup = {}) =>
	await suite.run({ ...REPLACE, ...changes }, [row], setup);

const coded = (status: number, code: string) =>
	json(status, { message: 'No', code, data: { code, httpStatus: status } });
const FORBIDDEN = { status: 403, body: refusal('No').body };

/** Sends the first version of the lease, in one document for each of these rents. */
async function sent(...rents: string[]): Promise<Envelope> {
	for (const Rent of rents.length > 0 ? rents : ['900']) {
		await suite.outputOf(choosing('create'), [lease({ Rent })]);
	}
	const [first] = documents();
	if (!first) throw new Error('The lease was not sent');
	suite.service.calls.length = 0;
	return first;
}

/** Fills in fields without completing: the last value is none of the options, and is refused. */
async function fillIn(document: Envelope, fields: Record<string, string | null>) {
	const attempt = suite.service.sign(tenantOf(document), {
		fields: { ...fields, Payment: 'Nonsense' },
	});
	await expect(attempt).rejects.toThrow();
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
		suite.service.intercept(CANCEL, () => coded(401, 'UNAUTHORIZED'));
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

const preview = async (row = dearer) => {
	const [output] = await suite.outputOf({ ...REPLACE, operation: 'previewDocument' }, [row]);
	return output?.documensoPreview as IDataObject;
};
const asPreviewed = async (digest: unknown) =>
	await replace(dearer, { options: { onlyAsPreviewed: digest } });

describe('a preview', () => {
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

	test('does not hold for a document that somebody has corrected since', async () => {
		const document = await sent();
		const { digest } = await preview();
		Object.assign(document.recipients[1] ?? {}, { email: 'corrected@example.org' });
		expect(said((await asPreviewed(digest)).error)).toContain('preview');
		expect(statuses()).toEqual(['PENDING']);
	});

	test('does not hold with its last part changed or cut off', async () => {
		await sent();
		const digest = (await preview()).digest as string;
		const cut = digest.split('.').slice(0, -1).join('.');
		for (const other of [cut, `${cut}.`, `${cut}.AAAA`, `${digest}.x`]) {
			expect((await asPreviewed(other)).error).toBeDefined();
		}
		expect(statuses()).toEqual(['PENDING']);
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

describe('what the document alone does not show, its audit log does', () => {
	test.each([
		['changed', '2027-03-15'],
		['emptied', null],
	])('a signer has %s the date that the row had given', async (_, date) => {
		const document = await sent();
		await fillIn(document, { 'Start date': date });
		// The document says another day than the row, though nobody has changed the row.
		const { error } = await replace(lease());
		expect(said(error)).toMatch(/differs in Start date and .*Tina.*meanwhile/);
		expect(calls(CANCEL)).toHaveLength(0);
		expect(statuses()).toEqual(['PENDING']);
	});
});

describe('a document of something else with the same External ID', () => {
	test('of another template', async () => {
		await sent();
		const nda = { ...REPLACE, templateId: byId(MUTUAL_NDA.id), columns: automatic };
		const row = { 'Signer email': 'bob@example.com', 'Signer name': 'Bob', 'External ID': 'L-1' };
		const { error } = await suite.run(nda, [{ json: row }]);
		expect(said(error)).toContain('which was made from another template, or without one');
		expect(statuses()).toEqual(['PENDING']);
	});

	test('of a file', async () => {
		await suite.upload({ additionalFields: { externalId: 'L-1' } });
		const [before] = statuses();
		expect(said((await replace()).error)).toContain('made from another template, or without one');
		expect(statuses()).toEqual([before]);
		expect(calls(USE)).toHaveLength(0);
	});
});

describe('before anything is cancelled', () => {
	test('a new document that nobody could send is found', async () => {
		await sent();
		const { team } = suite.template();
		const boss = { email: 'boss@example.com', name: 'Boss', role: 'SIGNER' } as const;
		Object.assign(team, { defaultRecipients: [boss] });
		const { error } = await replace();
		Object.assign(team, { defaultRecipients: undefined });
		expect(said(error)).toContain('boss@example.com');
		expect(calls(CANCEL)).toHaveLength(0);
		expect(statuses()).toEqual(['PENDING']);
	});

	test('a draft that a person has corrected since is found by a retry', async () => {
		await sent();
		suite.service.fail({ match: CANCEL, ...FORBIDDEN });
		const nodes = [documenso(REPLACE)];
		const failed = await execute(suite.credential(), nodes, [dearer], 1, 'trigger');
		expect(statuses()).toEqual(['PENDING', 'DRAFT']);
		const rent = documents()[1]?.fields.find(({ type }) => type === 'NUMBER');
		Object.assign(rent?.fieldMeta ?? {}, { value: '1' });
		const { data } = await retryExecution(suite.credential(), nodes, failed);
		expect(said(data.resultData.error)).toContain('Rent');
		// What a person has corrected is not deleted either.
		expect(statuses()).toEqual(['PENDING', 'DRAFT']);
		expect(calls(SEND)).toHaveLength(0);
	});

	test('a preview that was approved does not hold for a draft that is there already', async () => {
		await sent();
		const { digest } = await preview();
		// The answer is lost, and the draft is found.
		suite.service.fail({ match: USE, cut: 'after', takesEffect: true });
		const { error } = await asPreviewed(digest);
		expect(said(error)).toContain('may not be what was previewed');
		expect(calls(CANCEL)).toHaveLength(0);
		expect(statuses()[0]).toBe('PENDING');
	});
});

describe('a draft of an earlier try', () => {
	test('is not sent when the row was corrected since', async () => {
		await sent();
		suite.service.fail({ match: SEND, status: 504, body: '' });
		const to = (name: string) => [documenso({ ...REPLACE, title: name })];
		const failed = await execute(suite.credential(), to('Lease A'), [dearer], 1, 'trigger');
		expect(statuses()).toEqual(['CANCELLED', 'DRAFT']);
		const { data } = await retryExecution(suite.credential(), to('Lease B'), failed);
		expect(said(data.resultData.error)).toContain('Title');
		expect(statuses()).toEqual(['CANCELLED', 'DRAFT']);
	});
});

describe('where the template was edited since', () => {
	const moveRent = () => {
		const rent = suite.field('rent');
		rent.positionX += 3;
	};

	test('a document that cannot be compared is left alone, and a hint says so', async () => {
		const { id } = await sent();
		moveRent();
		const { error, hints } = await replace();
		expect(error).toBeUndefined();
		expect(hints).toContainEqual(expect.stringContaining(`${id}: Rent`));
		expect(statuses()).toEqual(['PENDING']);
	});

	test('a draft that cannot be compared is not sent', async () => {
		await suite.run({ ...REPLACE, ifExternalIdExists: 'skip', send: false }, [lease()]);
		moveRent();
		expect(said((await replace()).error)).toContain('Rent');
		expect(statuses()).toEqual(['DRAFT']);
	});
});

describe('of several documents with one ID', () => {
	test('none is replaced if somebody acts on the older one at its cancellation, now or in the next run', async () => {
		const older = await sent('900', '901');
		suite.service.intercept(CANCEL, async ({ text, pass }) => {
			if (text.includes(older.id)) await suite.service.sign(tenantOf(older));
			return await pass();
		});
		expect(said((await replace()).error)).toContain('meanwhile');
		expect(said((await replace()).error)).not.toBe(' ');
		expect(statuses()).not.toContain('PENDING');
		expect(calls(SEND)).toHaveLength(0);
	});

	test('all give way to the new one', async () => {
		await sent('900', '901', '902');
		const { error, hints } = await replace();
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'PENDING']);
		const told = hints.find((hint) => hint.startsWith('These documents are cancelled'));
		for (const { id } of documents().slice(0, 3)) expect(told).toContain(id);
	});

	test('an older one beside the one that says the same is left, and a hint says so', async () => {
		const older = await sent('900', '950');
		const { items, hints } = await replace();
		expect(items[0]?.json).toMatchObject({ id: documents()[1]?.id, alreadyExisted: true });
		expect(statuses()).toEqual(['PENDING', 'PENDING']);
		expect(hints.find((hint) => hint.includes('still wait for signatures'))).toContain(older.id);
	});

	test('none is cancelled if the log of another one shows that somebody has acted', async () => {
		const [older] = [await sent('900', '901')];
		await fillIn(older, { 'Start date': '2027-03-15' });
		// As if the row had always said so: only the log differs.
		expect(said((await replace(lease({ 'Start date': '2027-03-15' }))).error)).toContain('Tina');
		expect(calls(CANCEL)).toHaveLength(0);
		expect(statuses()).toEqual(['PENDING', 'PENDING']);
	});

	test('an error about the second names the first, which is cancelled', async () => {
		await sent('900', '901');
		let count = 0;
		suite.service.intercept(CANCEL, async ({ pass }) => {
			count += 1;
			return count === 1 ? await pass() : coded(401, 'UNAUTHORIZED');
		});
		const { error } = await replace();
		const cancelled = documents().find(({ status }) => status === 'CANCELLED');
		expect(cancelled).toBeDefined();
		expect(said(error)).toContain(`Cancelled already: ${cancelled?.id}`);
	});
});

describe('an error after the cancellation names the cancelled document', () => {
	test('when the sending fails; the next run sends the draft', async () => {
		const { id } = await sent();
		suite.service.fail({ match: SEND, status: 400, body: refusal('Mail server down').body });
		expect(said((await replace()).error)).toContain(`The old document ${id} is cancelled`);
		const { items } = await replace();
		expect(items[0]?.json.replacedDocumentId).toBe(id);
		expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
	});

	test('when the document cannot be read after it', async () => {
		const { id } = await sent();
		suite.service.intercept(CANCEL, async ({ pass }) => {
			const answer = await pass();
			suite.service.fail({ match: `GET /envelope/${id}`, ...FORBIDDEN });
			return answer;
		});
		expect(said((await replace()).error)).toContain(`The old document ${id} is cancelled`);
	});
});

test('a cancellation whose answer is lost, and which comes three seconds later, is waited for', async () => {
	await sent();
	suite.service.intercept(CANCEL, ({ passLater }) => {
		passLater(3000);
		return { status: 504, body: '' };
	});
	expect((await replace()).error).toBeUndefined();
	expect(statuses()).toEqual(['CANCELLED', 'PENDING']);
});

describe('a document that cannot be found for a moment', () => {
	test.each([
		['before its cancellation', false],
		['after it', true],
	])('%s is not gone: nothing is sent', async (_, isAfter) => {
		const { id } = await sent();
		let [isCancelled, reads] = [false, 0];
		suite.service.intercept(CANCEL, async ({ pass }) => {
			const answer = await pass();
			isCancelled = true;
			return answer;
		});
		suite.service.intercept(`GET /envelope/${id}`, () => {
			if (isCancelled !== isAfter) return undefined;
			reads += 1;
			// After the cancellation, the second look.
			return !isAfter || reads === 2 ? coded(404, 'NOT_FOUND') : undefined;
		});
		expect((await replace()).error).toBeDefined();
		expect(calls(SEND)).toHaveLength(0);
	});
});

test('an answer of a gateway to the cancellation is no cancellation', async () => {
	await sent();
	suite.service.intercept(CANCEL, () => json(200, { success: true, id: 'x' }));
	expect((await replace()).error).toBeDefined();
	expect(statuses()[0]).toBe('PENDING');
	expect(calls(SEND)).toHaveLength(0);
});
