import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { newField, newRecipient } from '../../emulator/envelopes/draft';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { CHECK, checked, itemsOf, partsOf, type Told } from '../support/check';
import { NODE_TYPE } from '../support/n8n';
import { boxes, byId, fillFromRow, mapped, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const check = async (rows: IDataObject[], parameters: IDataObject = {}) =>
	await checked(suite, rows, parameters);

const contract = (id: string, changes: IDataObject = {}): IDataObject => ({
	...wholeRow,
	'External ID': id,
	...changes,
});

/** Sends the contracts of these rows, and returns the document of the first one. */
async function sent(rows: IDataObject[], parameters: IDataObject = {}): Promise<Envelope> {
	const [made] = await suite.outputOf({ ...fillFromRow, ...parameters }, itemsOf(rows));
	suite.service.calls.length = 0;
	const document = suite.service.store.envelopes.get(made?.id as string);
	if (!document) throw new Error('Nothing was sent');
	return document;
}

const documentWith = (id: string): Envelope => {
	const found = suite.documents().find(({ externalId }) => externalId === id);
	if (!found) throw new Error(`No document ${id}`);
	return found;
};

const cancel = async ({ id }: Envelope, reason = '') =>
	await suite.outputOf({ resource: 'document', operation: 'cancel', documentId: byId(id), reason });

const verdicts = (told: Told[]) => told.map(({ verdict }) => verdict);

/** Lets several documents have one External ID. */
const ANYWAY = { ifExternalIdExists: 'create' };

describe('a row', () => {
	test('matches the document that was sent for it, before it is signed and after', async () => {
		const document = await sent([contract('RA-1')]);
		const [before] = await check([contract('RA-1')]);
		expect(before).toMatchObject({
			verdict: 'matches',
			differences: [],
			notCompared: [],
			others: [],
		});
		expect(before?.document).toMatchObject({ id: document.id, status: 'PENDING' });
		await suite.complete(document.id);
		const [after] = await check([contract('RA-1')]);
		expect(after).toMatchObject({ verdict: 'matches', differences: [], notCompared: [] });
	});

	test('has no document', async () => {
		await sent([contract('RA-1')]);
		const [first, second] = await check([contract('RA-1'), contract('RA-2')]);
		expect([first?.verdict, second?.verdict]).toEqual(['matches', 'missing']);
		expect(second?.document).toBeNull();
	});

	test.each([
		['Rent', '950', '900'],
		['Address', '2 Main Street', '1 Main Street'],
		['Payment', 'Bank transfer', 'Card'],
		['Start date', '2027-03-01', '2027-02-01'],
		['Tenant email', 'tom@example.com', 'tina@example.com'],
		['Tenant name', 'Tom', 'Tina'],
	])('differs in %s', async (column, row, document) => {
		await sent([contract('RA-1')]);
		const [told] = await check([contract('RA-1', { [column]: row })]);
		expect(told).toMatchObject({
			verdict: 'different',
			differences: [{ name: column, row, document, cause: 'sent' }],
		});
	});
});

describe('what signers have done', () => {
	const fieldOf = (document: Envelope, label: string) => {
		const found = document.fields.find(({ fieldMeta }) => fieldMeta?.label === label);
		if (!found) throw new Error(`No field ${label}`);
		return found;
	};
	const signAs = async (document: Envelope, fields: Record<string, string | null>) =>
		await suite.service.sign(document.recipients[0]?.token ?? '', { fields });

	test('a changed value is told with what was sent', async () => {
		const document = await sent([contract('RA-1')]);
		await signAs(document, { Address: '7 Other Street' });
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({
			verdict: 'different',
			differences: [
				{
					name: 'Address',
					row: '1 Main Street',
					document: '7 Other Street',
					cause: 'changedBySigner',
				},
			],
		});
	});

	test('Document: Get tells it, too, and nothing where nobody changed anything', async () => {
		const document = await sent([contract('RA-1')]);
		const get = async () =>
			await suite.outputOf({
				...{ resource: 'document', operation: 'get', documentId: byId(document.id) },
			});
		expect((await get())[0]).not.toHaveProperty('changedBySigner');
		await signAs(document, { Address: '7 Other Street' });
		expect((await get())[0]?.changedBySigner).toEqual([
			{
				...{ field: 'Address', sent: '1 Main Street', signed: '7 Other Street' },
				by: { name: 'Tina', email: 'tina@example.com' },
			},
		]);
	});

	test('so is one that was emptied', async () => {
		Object.assign(suite.field('address').fieldMeta ?? {}, { required: false });
		const document = await sent([contract('RA-1')]);
		await signAs(document, { Address: null });
		const [told] = await check([contract('RA-1')]);
		expect(told?.differences).toMatchObject([
			{ name: 'Address', row: '1 Main Street', document: null, cause: 'emptiedBySigner' },
		]);
	});

	test('a row that was corrected to what was signed agrees with it', async () => {
		const document = await sent([contract('RA-1')]);
		await signAs(document, { Address: '7 Other Street' });
		const [told] = await check([contract('RA-1', { Address: '7 Other Street' })]);
		expect(told?.verdict).toBe('matches');
	});

	test('is told with when and by whom, if that is asked for', async () => {
		const document = await sent([contract('RA-1')]);
		await signAs(document, { Address: '7 Other Street' });
		const [told] = await check([contract('RA-1')], { options: { saySinceWhen: true } });
		expect(told?.differences).toMatchObject([
			{
				cause: 'changedBySigner',
				since: expect.stringMatching(/^\d{4}-/) as string,
				by: { name: 'Tina', email: 'tina@example.com' },
			},
		]);
		const log = `GET /envelope/${document.id}/audit-log`;
		expect(suite.calls(log)).toHaveLength(1);
		await check([contract('RA-1')]);
		expect(suite.calls(log)).toHaveLength(1);
	});

	test('so is a date, which only the audit log tells', async () => {
		const document = await sent([contract('RA-1')]);
		await signAs(document, { 'Start date': '2027-03-15' });
		const [told] = await check([contract('RA-1')]);
		expect(told?.differences).toMatchObject([{ name: 'Start date', cause: 'sent' }]);
		const [asked] = await check([contract('RA-1')], { options: { saySinceWhen: true } });
		expect(asked?.differences).toMatchObject([
			{ cause: 'changedBySigner', by: { email: 'tina@example.com' } },
		]);
	});

	test('decides what is to be done about a difference', async () => {
		const document = await sent([contract('RA-1')]);
		const advice = async () => (await check([contract('RA-1', { Rent: '5' })]))[0]?.advice;
		expect(await advice()).toContain('Replace If Different');
		await signAs(document, {});
		expect(await advice()).toMatch(/^Tina \(tina@example.com\) signed it at .*Ask them/);
		for (const { token } of document.recipients.slice(1)) await suite.service.sign(token);
		await suite.service.settled();
		expect(await advice()).toContain('Everybody has signed it');
	});

	test('a field that only signers fill in is no difference', async () => {
		const { Address: _, ...unfilled } = contract('RA-1');
		const parameters = { additionalFields: { ifFieldStaysBlank: 'leave' } };
		const document = await sent([unfilled], parameters);
		await signAs(document, { Address: '9 Their Street' });
		const [told] = await check([unfilled], parameters);
		expect(told?.verdict).toBe('matches');
		expect(fieldOf(document, 'Address').customText).toBe('9 Their Street');
	});
});

describe('what was changed in Documenso after the sending', () => {
	const landlord = (document: Envelope) => {
		const found = document.recipients.find(({ email }) => email === 'landlord@example.com');
		if (!found) throw new Error('No landlord');
		return found;
	};
	const withLandlord = contract('RA-1', { 'Anna Landlord email': 'landlord@example.com' });
	const update = async (document: Envelope, changes: IDataObject) =>
		await suite.outputOf({
			...{ resource: 'recipient', operation: 'update', envelopeId: byId(document.id) },
			...{ recipientId: byId(landlord(document).id), updateFields: changes },
		});

	test('an address', async () => {
		const document = await sent([withLandlord]);
		await update(document, { email: 'other@example.com' });
		const [told] = await check([withLandlord]);
		expect(told?.differences).toMatchObject([
			{ name: 'Anna Landlord email', row: 'landlord@example.com', document: 'other@example.com' },
		]);
		const [asked] = await check([withLandlord], { options: { saySinceWhen: true } });
		expect(asked?.differences).toMatchObject([
			{ cause: 'changedAfterSending', since: expect.any(String) as string },
		]);
	});

	test('a title', async () => {
		const document = await sent([withLandlord]);
		const body = { documentId: byId(document.id), updateFields: { title: 'Lease' } };
		await suite.outputOf({ resource: 'document', operation: 'update', ...body });
		const [told] = await check([withLandlord]);
		expect(told?.differences).toMatchObject([
			{ name: 'Title', row: 'Rental agreement', document: 'Lease', cause: 'changedAfterSending' },
		]);
	});

	test('a person who was added, and one who was deleted', async () => {
		const document = await sent([withLandlord, { ...withLandlord, 'External ID': 'RA-2' }]);
		document.recipients.push({
			...landlord(document),
			...{ id: 9000, token: 'added', email: 'guest@example.com', name: 'Guest', role: 'CC' },
		});
		const [added] = await check([withLandlord]);
		expect(added?.differences).toMatchObject([
			{ name: 'Guest', row: null, document: 'guest@example.com', cause: 'changedAfterSending' },
		]);
		document.recipients = document.recipients.filter((one) => one.name === 'Tina');
		document.fields = document.fields.filter(
			({ recipientId }) => recipientId === document.recipients[0]?.id,
		);
		const [deleted] = await check([withLandlord]);
		expect(deleted?.differences).toMatchObject([
			{ name: 'Anna Landlord email', row: 'landlord@example.com', document: null },
		]);
	});

	test('a field that was deleted, and one that was added', async () => {
		const document = await sent([withLandlord, { ...withLandlord, 'External ID': 'RA-2' }]);
		const [field] = document.fields.filter(({ fieldMeta }) => fieldMeta?.label === 'Rent');
		document.fields = document.fields.filter((one) => one !== field);
		const [deleted] = await check([withLandlord]);
		expect(deleted?.differences).toMatchObject([
			{ name: 'Rent', document: null, cause: 'changedAfterSending' },
		]);
		// An ID begins with the time at which it was made.
		const secondaryId = suite.service.store.ids.cuid(new Date(clock.now() + 60_000));
		if (field) document.fields.push({ ...field, id: 9000, secondaryId, positionY: 90 }, field);
		const [added] = await check([withLandlord]);
		expect(added?.differences).toMatchObject([{ row: null, document: '900' }]);
	});
});

describe('other verdicts', () => {
	test('a draft was not sent, unless drafts are wanted', async () => {
		const parameters = { send: false };
		await sent([contract('RA-1')], parameters);
		expect((await check([contract('RA-1')]))[0]?.verdict).toBe('draft');
		expect((await check([contract('RA-1')], parameters))[0]?.verdict).toBe('matches');
		const [other] = await check([contract('RA-1', { Rent: '5' })], parameters);
		expect(other?.differences).toMatchObject([{ name: 'Rent', document: '900' }]);
		const [unsent] = await check([contract('RA-1', { Rent: '5' })]);
		expect(unsent).toMatchObject({ verdict: 'draft' });
		expect(unsent?.advice).toContain('Do not send it like that');
	});

	test('two documents that count', async () => {
		await sent([contract('RA-1')], ANYWAY);
		await sent([contract('RA-1')], ANYWAY);
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'duplicate', others: [expect.any(String) as string] });
	});

	test('one that was rejected: who, when and why', async () => {
		const document = await sent([contract('RA-1')]);
		await suite.service.reject(document.recipients[0]?.token ?? '', 'Too dear');
		await suite.service.settled();
		expect((await check([contract('RA-1')]))[0]).toMatchObject({
			verdict: 'ended',
			ended: { rejection: { email: 'tina@example.com', reason: 'Too dear' } },
		});
	});

	test('one that was cancelled; by whom, only the audit log tells', async () => {
		const document = await sent([contract('RA-1')]);
		await cancel(document, 'Moved away');
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'ended', ended: { status: 'CANCELLED' } });
		const [asked] = await check([contract('RA-1')], { options: { saySinceWhen: true } });
		expect(asked?.ended).toMatchObject({ cancellation: { reason: 'Moved away' } });
	});

	test('one of which the signing links have expired', async () => {
		const document = await sent([contract('RA-1')]);
		for (const one of document.recipients) one.expiresAt = new Date(0);
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'stuck', stuck: { reason: 'linkExpired' } });
		expect(told?.advice).toContain('Document: Resend');
	});

	test('a row that cannot be used, and one without an External ID', async () => {
		await sent([contract('RA-1')]);
		const [bad, without, good] = await check([
			contract('RA-2', { Payment: 'Gold' }),
			wholeRow,
			contract('RA-1'),
		]);
		expect(bad).toMatchObject({ verdict: 'refused', faults: [{ column: 'Payment' }] });
		expect(without).toMatchObject({ verdict: 'refused', faults: [{ column: 'External ID' }] });
		expect(good?.verdict).toBe('matches');
	});

	test('no document at all: the hint asks whether it is the right template', async () => {
		const { hints } = await suite.run(CHECK, itemsOf([contract('RA-1')]));
		expect(hints[0]).toContain('is it the right template');
	});

	test('documents without a row come behind the last row', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		const output = await suite.run(
			{ ...CHECK, options: { alsoWithoutRow: true } },
			itemsOf([contract('RA-1')]),
		);
		expect(output.items.map(({ json }) => (json.documensoCheck as Told).verdict)).toEqual([
			'matches',
			'noRow',
		]);
		expect(output.items[1]?.json.documensoCheck).toMatchObject({
			document: { externalId: 'RA-2' },
		});
		expect(output.hints[0]).toContain('1 matching, 1 only in Documenso');
	});
});

/** The records of answers to these requests are other ones. */
function alter(line: string, change: (records: IDataObject[]) => IDataObject[]) {
	suite.service.intercept(line, async ({ pass }) => {
		const answer = await pass();
		const body = JSON.parse(answer.text) as { data: IDataObject[] };
		const data = change(body.data);
		return { ...answer, body: JSON.stringify({ ...body, data, count: data.length }) };
	});
}

/** What could not be sent: too many recipients, or fields on one spot. */
const DRAFT = { send: false };

const READ = 'POST /envelope/get-many';

describe('a list', () => {
	test('that does not show a new document yet: the process that made it knows it', async () => {
		await sent([contract('RA-1')]);
		alter('GET /envelope', () => []);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('that shows a document which is gone', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		suite.service.intercept(READ, async ({ pass }) => {
			suite.service.store.envelopes.delete(documentWith('RA-1').id);
			return await pass();
		});
		const [gone, there] = await check([contract('RA-1'), contract('RA-2')]);
		expect(gone).toMatchObject({ verdict: 'missing', document: null });
		expect(there?.verdict).toBe('matches');
	});

	test('that shows two, of which one is gone', async () => {
		const first = await sent([contract('RA-1')], ANYWAY);
		await sent([contract('RA-1')], ANYWAY);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['duplicate']);
		alter(READ, (records) => records.filter(({ id }) => id !== first.id));
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('that was read before a document was cancelled', async () => {
		const first = await sent([contract('RA-1')], ANYWAY);
		await sent([contract('RA-1')], ANYWAY);
		alter('GET /envelope', (records) => {
			first.status = 'CANCELLED';
			return records;
		});
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'matches', others: [first.id] });
	});
});

describe('one odd document does not keep the others from being checked', () => {
	const odd: Array<[string, (record: IDataObject) => IDataObject]> = [
		['without fields', ({ fields: _, ...record }) => record],
		['without recipients', ({ recipients: _, ...record }) => record],
		['with null for its fields', (record) => ({ ...record, fields: null })],
		[
			'with settings of a field that nobody knows',
			(record) => ({
				...record,
				fields: (record.fields as IDataObject[]).map((field) => ({
					...field,
					fieldMeta: { values: 7 },
				})),
			}),
		],
		[
			'with a position that is none',
			(record) => ({
				...record,
				fields: (record.fields as IDataObject[]).map((field) => ({ ...field, positionX: 'left' })),
			}),
		],
	];

	test.each(odd)('%s', async (_, change) => {
		await sent([contract('RA-1'), contract('RA-2')]);
		alter(READ, (records) =>
			records.map((record) => (record.externalId === 'RA-1' ? change(record) : record)),
		);
		const [bad, good] = await check([contract('RA-1'), contract('RA-2')]);
		expect(bad).toMatchObject({ verdict: 'cannotCompare', document: { externalId: 'RA-1' } });
		expect(bad?.notCompared[0]?.reason).toMatch(/cannot be read/);
		expect(good?.verdict).toBe('matches');
	});
});

describe('people and fields that look alike', () => {
	test.each(['PARALLEL', 'SEQUENTIAL'] as const)('50 with one address, %s', async (order) => {
		const template = suite.template();
		template.documentMeta.signingOrder = order;
		const signature = template.fields.find(({ type }) => type === 'SIGNATURE');
		if (!signature) throw new Error('No signature');
		for (let index = 0; index < 50; index++) {
			const role = (['SIGNER', 'VIEWER', 'CC'] as const)[index % 3] ?? 'CC';
			const person = { email: 'office@example.com', name: `Office ${index}`, role };
			const signingOrder = order === 'SEQUENTIAL' ? index + 10 : null;
			const recipient = newRecipient(partsOf(suite), { ...person, signingOrder });
			template.recipients.push(recipient);
			if (role !== 'SIGNER') continue;
			const { id: _, secondaryId: __, ...place } = signature;
			const size = { positionX: 90, positionY: index, width: 1, height: 0.5 };
			const own = { ...place, ...size, recipientId: recipient.id };
			template.fields.push(newField(partsOf(suite), own));
		}
		const document = await sent([contract('RA-1')], DRAFT);
		// In no useful order.
		document.recipients.reverse();
		document.fields.reverse();
		expect(await check([contract('RA-1')], DRAFT)).toMatchObject([
			{ verdict: 'matches', differences: [], notCompared: [] },
		]);
		const given = { 'Office 7 email': 'other@example.com' };
		const [told] = await check([contract('RA-1', given)], DRAFT);
		expect(told?.differences).toMatchObject([{ name: 'Office 7 email' }]);
	});

	test('many fields on one spot cannot be told apart', async () => {
		const rent = suite.field('rent');
		for (const label of ['Costs', 'Total']) {
			const { id: _, secondaryId: __, ...place } = rent;
			const fieldMeta = { ...rent.fieldMeta, label } as typeof rent.fieldMeta;
			suite.template().fields.push(newField(partsOf(suite), { ...place, fieldMeta }));
		}
		const row = contract('RA-1', { Costs: 5, Total: 905 });
		await sent([row], DRAFT);
		const [told] = await check([{ ...row, Total: 906 }], DRAFT);
		expect(told).toMatchObject({ verdict: 'cannotCompare', differences: [] });
		expect(told?.notCompared.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Rent', 'Costs', 'Total']) as string[],
		);
	});

	test('without signing orders', async () => {
		for (const one of suite.template().recipients) one.signingOrder = null;
		await sent([contract('RA-1')]);
		expect(verdicts(await check([contract('RA-1')]))).toEqual(['matches']);
	});

	test('choices that are numbers, in a document of version 1', async () => {
		suite.template().internalVersion = 1;
		suite.become('payment', 'RADIO', { label: 'Payment', values: boxes('2', '3', '1') });
		const { fields } = await sent([contract('RA-1', { Payment: '2' })]);
		// The signing page of version 1 stores the option itself.
		const payment = fields.find(({ type }) => type === 'RADIO');
		Object.assign(payment ?? {}, { customText: '2', inserted: true });
		expect(verdicts(await check([contract('RA-1', { Payment: '2' })]))).toEqual(['matches']);
		const [told] = await check([contract('RA-1', { Payment: '1' })]);
		expect(told?.differences).toMatchObject([{ name: 'Payment', row: '1', document: '2' }]);
	});
});

describe('odd rows', () => {
	test('that cannot be used have a document nevertheless', async () => {
		await sent([contract('RA-1'), contract('RA-2'), contract('RA-3')]);
		const rows = [contract(' RA-2 ', { Rent: 'a lot' }), contract('RA-1')];
		const told = await check(rows, { options: { alsoWithoutRow: true } });
		expect(verdicts(told)).toEqual(['refused', 'matches', 'noRow']);
		expect(told[2]?.document).toMatchObject({ externalId: 'RA-3' });
	});

	test('that cannot be used have it also where their ID is put together', async () => {
		await sent([contract('L-1'), contract('L-2')]);
		const names = ['Tenant email', 'Tenant name', 'Address', 'Rent', 'Start date', 'Payment'];
		const columns = mapped({
			'External ID': '=L-{{ $json.id }}',
			...Object.fromEntries(names.map((name) => [name, `={{ $json[${JSON.stringify(name)}] }}`])),
		});
		const { 'External ID': _, ...cells } = contract('L-1');
		const rows = [
			{ ...cells, id: 1 },
			{ ...cells, id: 2, Rent: 'a lot' },
		];
		const told = await check(rows, { columns, options: { alsoWithoutRow: true } });
		expect(verdicts(told)).toEqual(['matches', 'refused']);
	});

	test('of several templates, chosen by an expression', async () => {
		const nda = {
			...{ 'External ID': 'NDA-1', 'Signer email': 'sid@example.com', 'Signer name': 'Sid' },
			...{ Company: 'Acme', template: MUTUAL_NDA.id },
		};
		const lease = contract('RA-1', { template: RENTAL_AGREEMENT.id });
		const moved = contract('RA-2', { template: RENTAL_AGREEMENT.id });
		const parameters = {
			templateId: byId('={{ $json.template }}'),
			additionalFields: { ifFieldStaysBlank: 'leave' },
		};
		await sent([nda, lease, moved], parameters);
		documentWith('RA-2').templateId =
			suite.service.store.envelopes.get(MUTUAL_NDA.id)?.legacyId ?? 0;
		const told = await check([lease, nda, moved], {
			...parameters,
			options: { alsoWithoutRow: true },
		});
		expect(verdicts(told)).toEqual(['matches', 'matches', 'different']);
		expect(told[2]?.differences).toMatchObject([{ name: 'Template' }]);
	});

	test('of a template of the organisation', async () => {
		suite.template().templateType = 'ORGANISATION';
		await sent([contract('RA-1')]);
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'matches' });
		expect(told?.document?.url).toMatch(/\/documents\/envelope_/);
	});
});

describe('failures', () => {
	const FAIL = { match: READ, status: 400, body: { message: 'Broken' } };

	test('end the run, or give an error for each item', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		const rows = itemsOf([contract('RA-1'), contract('RA-2')]);
		suite.service.fail(FAIL);
		expect((await suite.run(CHECK, rows)).error?.message).toContain('Broken');
		suite.service.fail(FAIL);
		const { items: output } = await suite.run(CHECK, rows, { onError: 'continueRegularOutput' });
		expect(output).toHaveLength(2);
		for (const { json } of output) expect(json.error).toContain('Broken');
	});

	test('of one audit log leave each row its verdict', async () => {
		await sent([contract('RA-1'), contract('RA-2'), contract('RA-3')]);
		await cancel(documentWith('RA-3'));
		suite.service.intercept(/audit-log/, () => ({ status: 404, body: '' }));
		const told = await check(
			[contract('RA-1', { Rent: '5' }), contract('RA-2'), contract('RA-3')],
			{
				options: { saySinceWhen: true },
			},
		);
		expect(verdicts(told)).toEqual(['different', 'matches', 'ended']);
		expect(told[0]?.differences).toMatchObject([{ name: 'Rent', cause: 'sent' }]);
		expect(told[0]?.notCompared).toMatchObject([{ name: 'Audit log' }]);
	});
});

describe('no row is missed', () => {
	const OTHERS = { options: { alsoWithoutRow: true } };

	test('by a document that was cancelled', async () => {
		await sent([contract('RA-1'), contract('RA-2')]);
		await cancel(documentWith('RA-2'));
		expect(verdicts(await check([contract('RA-1')], OTHERS))).toEqual(['matches']);
	});

	test('by a document of a test', async () => {
		await sent([contract('RA-1')]);
		const options = { manualExecutionsSendTo: 'me@example.com' };
		const parameters = { ...fillFromRow, options };
		const setup = { mode: 'manual' } as const;
		await suite.outputOf(parameters, itemsOf([contract('RA-1')]), setup);
		expect(suite.documents()).toHaveLength(2);
		expect(verdicts(await check([contract('RA-1')], OTHERS))).toEqual(['matches']);
	});

	test('a refused row with a blank cell is not the row of documents without an External ID', async () => {
		Object.assign(await sent([contract('')], ANYWAY), { externalId: null });
		const refused = contract('', { 'Tenant email': 'nonsense' });
		const told = await check([refused, contract('RA-2')], OTHERS);
		expect(verdicts(told)).toEqual(['refused', 'missing', 'noRow']);
	});
});

test('as a tool, it shows a model no links and no whole addresses', async () => {
	const rowOf = (number: number, changes: IDataObject = {}) =>
		contract(`RA-${number}`, { 'Anna Landlord email': 'landlord@example.com', ...changes });
	await sent([1, 2, 3, 4].map((number) => rowOf(number)));
	const [first] = documentWith('RA-2').recipients;
	await suite.service.reject(first?.token ?? '', 'See https://app.test/sign/abcdefgh12345');
	await suite.service.settled();
	for (const one of documentWith('RA-3').recipients) one.expiresAt = new Date(0);
	const other = { 'Tenant email': 'other@example.com', 'Anna Landlord email': 'new@example.com' };
	const rows = [rowOf(1, other), rowOf(2), rowOf(3)];
	const parameters = { ...CHECK, options: { alsoWithoutRow: true, saySinceWhen: true } };
	const { items: output } = await suite.run(parameters, itemsOf(rows), {
		type: `${NODE_TYPE}Tool`,
	});
	const told = output.map(({ json }) => json.documensoCheck);
	expect(verdicts(told as Told[])).toEqual(['different', 'ended', 'stuck', 'noRow']);
	const text = JSON.stringify(told);
	expect(text).not.toMatch(/token"|token=|signingUrl|abcdefgh12345/i);
	for (const address of text.match(/[^\s"<>:(]+@[\w.-]+/g) ?? []) expect(address).toMatch(/^.…@/u);
});
