import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { clock } from '../../nodes/shared/api/clock';
import { CHECK, checked, itemsOf, type Told } from '../support/check';
import { byId, fillFromRow, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const check = async (rows: IDataObject[], parameters: IDataObject = {}) =>
	await checked(suite, rows, parameters);

const contract = (id: string, changes: IDataObject = {}): IDataObject => ({
	...wholeRow,
	'External ID': id,
	...changes,
});

/** Sends the contracts of these rows, and returns the document of the first one. */
async function sent(...rows: IDataObject[]): Promise<Envelope> {
	await suite.outputOf(fillFromRow, itemsOf(rows));
	const [first] = rows;
	const document = suite.documents().find((one) => one.externalId === first?.['External ID']);
	if (!document) throw new Error('Nothing was sent');
	suite.service.calls.length = 0;
	return document;
}

describe('a row', () => {
	test('matches the document that was sent for it, before it is signed and after', async () => {
		const document = await sent(contract('RA-1'));
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
		await sent(contract('RA-1'));
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
		await sent(contract('RA-1'));
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
		const document = await sent(contract('RA-1'));
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
		const document = await sent(contract('RA-1'));
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
		const document = await sent(contract('RA-1'));
		await signAs(document, { Address: null });
		const [told] = await check([contract('RA-1')]);
		expect(told?.differences).toMatchObject([
			{ name: 'Address', row: '1 Main Street', document: null, cause: 'emptiedBySigner' },
		]);
	});

	test('a row that was corrected to what was signed agrees with it', async () => {
		const document = await sent(contract('RA-1'));
		await signAs(document, { Address: '7 Other Street' });
		const [told] = await check([contract('RA-1', { Address: '7 Other Street' })]);
		expect(told?.verdict).toBe('matches');
	});

	test('is told with when and by whom, if that is asked for', async () => {
		const document = await sent(contract('RA-1'));
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
		const document = await sent(contract('RA-1'));
		await signAs(document, { 'Start date': '2027-03-15' });
		const [told] = await check([contract('RA-1')]);
		expect(told?.differences).toMatchObject([{ name: 'Start date', cause: 'sent' }]);
		const [asked] = await check([contract('RA-1')], { options: { saySinceWhen: true } });
		expect(asked?.differences).toMatchObject([
			{ cause: 'changedBySigner', by: { email: 'tina@example.com' } },
		]);
	});

	test('decides what is to be done about a difference', async () => {
		const document = await sent(contract('RA-1'));
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
		await suite.outputOf({ ...fillFromRow, ...parameters }, itemsOf([unfilled]));
		const [document] = suite.documents();
		if (!document) throw new Error('Nothing was sent');
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
		const document = await sent(withLandlord);
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
		const document = await sent(withLandlord);
		const body = { documentId: byId(document.id), updateFields: { title: 'Lease' } };
		await suite.outputOf({ resource: 'document', operation: 'update', ...body });
		const [told] = await check([withLandlord]);
		expect(told?.differences).toMatchObject([
			{ name: 'Title', row: 'Rental agreement', document: 'Lease', cause: 'changedAfterSending' },
		]);
	});

	test('a person who was added, and one who was deleted', async () => {
		const document = await sent(withLandlord, { ...withLandlord, 'External ID': 'RA-2' });
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
		const document = await sent(withLandlord, { ...withLandlord, 'External ID': 'RA-2' });
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
		await suite.outputOf({ ...fillFromRow, ...parameters }, itemsOf([contract('RA-1')]));
		expect((await check([contract('RA-1')]))[0]?.verdict).toBe('draft');
		expect((await check([contract('RA-1')], parameters))[0]?.verdict).toBe('matches');
		const [other] = await check([contract('RA-1', { Rent: '5' })], parameters);
		expect(other?.differences).toMatchObject([{ name: 'Rent', document: '900' }]);
		const [unsent] = await check([contract('RA-1', { Rent: '5' })]);
		expect(unsent).toMatchObject({ verdict: 'draft' });
		expect(unsent?.advice).toContain('Do not send it like that');
	});

	test('two documents that count', async () => {
		const anyway = { ...fillFromRow, ifExternalIdExists: 'create' };
		await suite.outputOf(anyway, itemsOf([contract('RA-1')]));
		await suite.outputOf(anyway, itemsOf([contract('RA-1')]));
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'duplicate', others: [expect.any(String) as string] });
	});

	test('one that was rejected: who, when and why', async () => {
		const document = await sent(contract('RA-1'));
		await suite.service.reject(document.recipients[0]?.token ?? '', 'Too dear');
		await suite.service.settled();
		expect((await check([contract('RA-1')]))[0]).toMatchObject({
			verdict: 'ended',
			ended: { rejection: { email: 'tina@example.com', reason: 'Too dear' } },
		});
	});

	test('one that was cancelled; by whom, only the audit log tells', async () => {
		const document = await sent(contract('RA-1'));
		const cancel = { resource: 'document', operation: 'cancel', documentId: byId(document.id) };
		await suite.outputOf({ ...cancel, reason: 'Moved away' });
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'ended', ended: { status: 'CANCELLED' } });
		const [asked] = await check([contract('RA-1')], { options: { saySinceWhen: true } });
		expect(asked?.ended).toMatchObject({ cancellation: { reason: 'Moved away' } });
	});

	test('one of which the signing links have expired', async () => {
		const document = await sent(contract('RA-1'));
		for (const one of document.recipients) one.expiresAt = new Date(0);
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'stuck', stuck: { reason: 'linkExpired' } });
		expect(told?.advice).toContain('Document: Resend');
	});

	test('a row that cannot be used, and one without an External ID', async () => {
		await sent(contract('RA-1'));
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

	test('a document from another template', async () => {
		const document = await sent(contract('RA-1'));
		document.templateId = 2;
		const [told] = await check([contract('RA-1')]);
		expect(told).toMatchObject({ verdict: 'different', differences: [{ name: 'Template' }] });
	});

	test('documents without a row come behind the last row', async () => {
		await sent(contract('RA-1'), contract('RA-2'));
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
