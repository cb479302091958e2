import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { documenso, execute, retryExecution } from '../support/n8n';
import { refusal } from '../support/refusal';
import { automatic, byId, fillFromRow, USE, wholeRow } from '../support/suite';
import { json, said, SEND, useCreation } from './support';

hurry();

// What Replace If Different must not touch, and what its errors must name.
const suite = useCreation();
const { calls, documents, statuses } = suite;

const CANCEL = 'POST /envelope/cancel';
const REPLACE = { ...fillFromRow, ifExternalIdExists: 'replace' };
const lease = (changes: IDataObject = {}) => ({
	json: { ...wholeRow, 'External ID': 'L-1', ...changes },
});
const dearer = lease({ Rent: '950' });
const replace = async (row = dearer, changes: IDataObject = {}) =>
	await suite.run({ ...REPLACE, ...changes }, [row]);
const coded = (status: number, code: string) =>
	json(status, { message: 'No', code, data: { code, httpStatus: status } });
const FORBIDDEN = { status: 403, body: refusal('No').body };

/** Sends the first version of the lease, in one document for each of these rents. */
async function sent(...rents: string[]): Promise<Envelope> {
	for (const Rent of rents.length > 0 ? rents : ['900']) {
		const create = { ...fillFromRow, ifExternalIdExists: 'create' };
		const { error } = await suite.run(create, [lease({ Rent })]);
		if (error) throw error;
	}
	const [first] = documents();
	if (!first) throw new Error('The lease was not sent');
	suite.service.calls.length = 0;
	return first;
}

const tenantOf = ({ recipients }: Envelope) => recipients[0]?.token ?? '';

/** Fills in fields without completing: the last value is none of the options, and is refused. */
async function fillIn(document: Envelope, fields: Record<string, string | null>) {
	const attempt = suite.service.sign(tenantOf(document), {
		fields: { ...fields, Payment: 'Nonsense' },
	});
	await expect(attempt).rejects.toThrow();
}

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
		const parameters = { ...REPLACE, operation: 'previewDocument' };
		const [output] = await suite.outputOf(parameters, [dearer]);
		const { digest } = output?.documensoPreview as IDataObject;
		// The answer is lost, and the draft is found.
		suite.service.fail({ match: USE, cut: 'after', takesEffect: true });
		const { error } = await replace(dearer, { options: { onlyAsPreviewed: digest } });
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
			const { bytes, ...answer } = await pass();
			suite.service.fail({ match: `GET /envelope/${id}`, ...FORBIDDEN });
			return { ...answer, body: bytes };
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
			const { bytes, ...answer } = await pass();
			isCancelled = true;
			return { ...answer, body: bytes };
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

describe('an approval', () => {
	const previewed = async () => {
		const parameters = { ...REPLACE, operation: 'previewDocument' };
		const [output] = await suite.outputOf(parameters, [dearer]);
		return (output?.documensoPreview as IDataObject).digest as string;
	};
	const approved = async (digest: string) =>
		await replace(dearer, { options: { onlyAsPreviewed: digest } });

	test('does not hold for a document that somebody has corrected since', async () => {
		const document = await sent();
		const digest = await previewed();
		Object.assign(document.recipients[1] ?? {}, { email: 'corrected@example.org' });
		expect(said((await approved(digest)).error)).toContain('preview');
		expect(statuses()).toEqual(['PENDING']);
	});

	test('does not hold with its last part changed or cut off', async () => {
		await sent();
		const digest = await previewed();
		const cut = digest.split('.').slice(0, -1).join('.');
		for (const other of [cut, `${cut}.`, `${cut}.AAAA`, `${digest}.x`]) {
			expect((await approved(other)).error).toBeDefined();
		}
		expect(statuses()).toEqual(['PENDING']);
	});
});
