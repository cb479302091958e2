import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope, Field, Recipient } from '../../emulator/entities';
import { newField, newRecipient } from '../../emulator/envelopes/draft';
import { DATE_FORMATS } from '../../emulator/schemas/meta';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { checked, itemsOf, partsOf, type Told } from '../support/check';
import { boxes, byId, fillFromRow, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

/** A field of the tenant like the rent, in another place. */
function addField(type: Field['type'], label: string, positionY: number, meta: IDataObject) {
	const { id: _, secondaryId: __, ...place } = suite.field('rent');
	const fieldMeta = { type: type.toLowerCase(), label, ...meta } as Field['fieldMeta'];
	suite.template().fields.push(newField(partsOf(suite), { ...place, type, positionY, fieldMeta }));
}

function addPerson(person: Pick<Recipient, 'email' | 'name' | 'role'> & Partial<Recipient>) {
	const recipient = newRecipient(partsOf(suite), person);
	suite.template().recipients.push(recipient);
	return recipient;
}

/** Time that passes between making and editing. */
const later = () => new Date(clock.now() + 3_600_000);

const named = (things: Array<{ name: string }>) => things.map(({ name }) => name);

beforeEach(() => {
	addField('NUMBER', 'Deposit', 2, { numberFormat: '123,456,789.00' });
	addField('RADIO', 'Heating', 4, { values: boxes('Gas', 'District heating') });
	addField('CHECKBOX', 'Extras', 6, { values: boxes('Garage', 'Garden', 'Cellar') });
});

const row = (changes: IDataObject = {}): IDataObject => ({
	...{ 'External ID': 'RA-1', ...wholeRow, 'Start date': '2027-02-03' },
	...{ Deposit: '1,250.00', Heating: 'District heating', Extras: 'Garage, Cellar' },
	...changes,
});

async function sent(given: IDataObject = row(), parameters: IDataObject = {}): Promise<Envelope> {
	await suite.outputOf({ ...fillFromRow, ...parameters }, itemsOf([given]));
	const made = suite.documents().at(-1);
	if (!made) throw new Error('Nothing was sent');
	return made;
}

async function check(given: IDataObject = row(), parameters: IDataObject = {}): Promise<Told> {
	const [told] = await checked(suite, [given], parameters);
	if (!told) throw new Error('There is no output');
	return told;
}

const MATCH = { verdict: 'matches', differences: [], notCompared: [] };

describe('the same in other words is no difference', () => {
	test.each<[string, IDataObject]>([
		['a number', { Rent: 900, Deposit: 1250 }],
		['a number with decimals', { Rent: '900.00', Deposit: '1250.0' }],
		['a number with blanks around it', { Rent: ' 900 ', Deposit: '1250' }],
		['a number in the format of its field', { Deposit: '1,250.00' }],
		['a result of a calculation', { Deposit: 1250.0000000000002, Rent: 300 * 3 }],
		['a day with a time', { 'Start date': '2027-02-03T00:00:00' }],
		['a time stamp with a zone', { 'Start date': '2027-02-03T23:30:00+02:00' }],
		['another zone', { 'Start date': '2027-02-03T00:30:00-08:00' }],
		['a day of a database', { 'Start date': '2027-02-03 00:00:00' }],
		['a time stamp in quotes', { 'Start date': '"2027-02-03T00:00:00.000Z"' }],
		['a date of JavaScript', { 'Start date': new Date('2027-02-03T00:00:00Z') }],
		['its JSON', { 'Start date': '2027-02-03T00:00:00.000Z' }],
		['a date of luxon', { 'Start date': DateTime.fromISO('2027-02-03') }],
		[
			'a date in a zone',
			{ 'Start date': DateTime.fromISO('2027-02-03T00:00+09:00', { setZone: true }) },
		],
		['options in another case', { Payment: 'card', Heating: 'DISTRICT HEATING' }],
		['options with odd blanks', { Payment: ' Card\u00a0', Heating: 'District\u00a0 heating' }],
		['boxes in another order', { Extras: ['Cellar', 'Garage'] }],
		['boxes as JSON', { Extras: '["Garage","Cellar"]' }],
		['boxes as text', { Extras: 'garage ,  CELLAR' }],
		[
			'invisible characters',
			{ Address: '1\u200b Main\u00a0Street\ufeff', 'Tenant name': 'Ti\u200dna' },
		],
		['other blanks', { Address: ' 1  Main Street ' }],
		['an address in capitals', { 'Tenant email': ' Tina@Example.com ' }],
		['an ID with a blank', { 'External ID': ' RA-1\u200b ' }],
		['a template address that is given', { 'Anna Landlord email': 'Landlord@example.com' }],
		['a template name that is given', { 'Anna Landlord name': 'Anna  Landlord' }],
		['a number with more zeros', { Rent: '900.000', Deposit: '1250.000' }],
		['a number with a no-break space behind it', { Rent: '900\u00a0' }],
		['a day with hours and minutes', { 'Start date': '2027-02-03T00:00' }],
		['a day with milliseconds', { 'Start date': '2027-02-03T00:00:00.000' }],
		['a zone without a colon', { 'Start date': '2027-02-03T12:00:00+0200' }],
		['a day with blanks around it', { 'Start date': ' 2027-02-03 ' }],
		['an invisible character in a day', { 'Start date': '2027-02-03\u200e' }],
		['an invisible character in an option', { Payment: 'Ca\u200brd' }],
		['boxes with blanks around them', { Extras: [' Garage', 'Cellar '] }],
		['a line break for a blank', { Address: '1 Main\r\nStreet' }],
		['a tab for a blank', { Address: '1\tMain Street' }],
		[
			'a mark of direction',
			{ Address: '\u200e1 Main Street\u200e', 'Tenant name': '\u2068Tina\u2069' },
		],
		['a name with blanks around it', { 'Tenant name': '  Tina\t' }],
		['an address with an invisible character', { 'Tenant email': 'tina@example.com\ufeff' }],
		['an ID with a no-break space', { 'External ID': '\u00a0RA-1' }],
		['the title of the template', { 'Document title': ' Rental  agreement' }],
		['columns for something else', { Notes: 'late', Status: 'sent', documensoCheck: { a: 1 } }],
	])('%s', async (_, changes) => {
		await sent();
		expect(await check(row(changes))).toMatchObject(MATCH);
	});

	test.each([
		['a name', 'Tenant name'],
		['a text', 'Address'],
	])('accents in %s, as letters or as marks behind them', async (_, column) => {
		const accented = 'Zoë Brontë'.normalize('NFC');
		await sent(row({ [column]: accented }));
		expect(await check(row({ [column]: accented.normalize('NFD') }))).toMatchObject(MATCH);
	});

	test.each<[string, (given: IDataObject) => IDataObject]>([
		['in lower case', (given) => renamed(given, (name) => name.toLowerCase())],
		['with underscores', (given) => renamed(given, (name) => name.replaceAll(' ', '_'))],
		['with hyphens', (given) => renamed(given, (name) => name.replaceAll(' ', '-'))],
		['without blanks', (given) => renamed(given, (name) => name.replaceAll(' ', ''))],
		['with blanks around', (given) => renamed(given, (name) => ` ${name} `)],
		['with a no-break space', (given) => renamed(given, (name) => name.replaceAll(' ', '\u00a0'))],
	])('columns %s', async (_, rename) => {
		await sent();
		expect(await check(rename(row()))).toMatchObject(MATCH);
	});

	function renamed(given: IDataObject, rename: (name: string) => string): IDataObject {
		return Object.fromEntries(Object.entries(given).map(([name, value]) => [rename(name), value]));
	}

	test('other numbers and days are differences', async () => {
		await sent();
		const changes = { Rent: 9000, Deposit: 12.5, 'Start date': '2027-03-02', Extras: 'Garage' };
		const { differences } = await check(row(changes));
		expect(named(differences).sort()).toEqual(Object.keys(changes).sort());
	});
});

describe('numbers that nearly look the same', () => {
	test.each([
		['with more digits than JavaScript counts', '12345678901234567', '12345678901234568'],
		['with a zero before them', '0123', '123'],
		['with other decimals', '1000.125', '1000.12'],
	])('%s are differences', async (_, before, now) => {
		await sent(row({ Rent: before }));
		const { differences } = await check(row({ Rent: now }));
		expect(differences).toMatchObject([{ name: 'Rent', row: now, document: before }]);
	});

	test('of which nobody can tell whether they are the same cannot be compared', async () => {
		await sent(row({ Rent: '1,500' }));
		for (const Rent of ['1.500', '1500']) {
			const { verdict, notCompared } = await check(row({ Rent }));
			expect([verdict, named(notCompared)]).toEqual(['cannotCompare', ['Rent']]);
		}
		const { differences } = await check(row({ Rent: '1501' }));
		expect(named(differences)).toEqual(['Rent']);
	});
});

describe('options that are called the same', () => {
	test('of a checkbox are no difference', async () => {
		addField('CHECKBOX', 'Pets', 8, { values: boxes('Cat', 'Cat', 'Dog') });
		const given = row({ Pets: 'Cat' });
		await sent(given);
		expect(await check(given)).toMatchObject(MATCH);
		expect(named((await check(row({ Pets: 'Dog' }))).differences)).toEqual(['Pets']);
	});

	test('of a radio field are no change by the signer', async () => {
		addField('RADIO', 'Parking', 8, { values: boxes('None', 'None', 'Garage') });
		const given = row({ Parking: 'None' });
		const { id } = await sent(given);
		await suite.complete(id);
		const [completed] = await suite.outputOf({
			...{ resource: 'document', operation: 'get', documentId: byId(id) },
		});
		expect(await check(given)).toMatchObject(MATCH);
		expect(completed).toMatchObject({ status: 'COMPLETED' });
		expect(completed).not.toHaveProperty('changedBySigner');
	});
});

describe('what Check says of who did what', () => {
	const since = { options: { saySinceWhen: true } };
	const log = async (given: IDataObject) => (await check(given, since)).differences;

	test('whoever confirms what was sent has changed nothing', async () => {
		const { recipients } = await sent();
		await suite.service.sign(recipients[0]?.token ?? '', { fields: { Rent: '900' } });
		expect(await log(row({ Rent: '1000' }))).toMatchObject([{ name: 'Rent', cause: 'sent' }]);
	});

	test('nor has whoever fills in what was left to them', async () => {
		const { Address: _, ...less } = row();
		const { recipients } = await sent(less);
		await suite.service.sign(recipients[0]?.token ?? '', { fields: { Address: '5 Elm Street' } });
		expect(await log(row())).toMatchObject([{ name: 'Address', cause: 'sent' }]);
	});

	test('a signer who has changed a value, or a date, has done it', async () => {
		const { recipients } = await sent();
		const fields = { Rent: '950', 'Start date': true };
		await suite.service.sign(recipients[0]?.token ?? '', { fields });
		const told = await log(row());
		expect(told.map(({ name, cause }) => [name, cause])).toEqual(
			expect.arrayContaining([
				['Rent', 'changedBySigner'],
				['Start date', 'changedBySigner'],
			]) as string[][],
		);
	});

	test('somebody who was left out and is named now was not there from the start', async () => {
		const parameters = { additionalFields: { mayBeLeftOut: ['Guarantor'] } };
		addPerson({ email: 'recipient.3@documenso.com', name: 'Guarantor', role: 'CC' });
		await sent(row(), parameters);
		const { differences } = await check(row({ 'Guarantor email': 'gus@example.com' }), parameters);
		expect(differences).toMatchObject([{ name: 'Guarantor email', cause: 'sent' }]);
	});
});

describe('what the template alone says', () => {
	const clause = { text: '1000', readOnly: true };

	test('a clause that is another one in the document cannot be compared', async () => {
		addField('TEXT', 'Clause', 8, clause);
		const { fields } = await sent();
		expect(await check()).toMatchObject(MATCH);
		const its = fields.find(({ fieldMeta }) => fieldMeta?.label === 'Clause');
		Object.assign(its ?? {}, { customText: '9999' });
		const { verdict, notCompared } = await check();
		expect([verdict, named(notCompared)]).toEqual(['cannotCompare', ['Clause']]);
	});

	test('an order that somebody has taken away is a difference', async () => {
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		const document = await sent();
		expect(await check()).toMatchObject(MATCH);
		document.documentMeta.signingOrder = 'PARALLEL';
		expect((await check()).differences).toMatchObject([
			{ name: 'Signing Order', row: 'SEQUENTIAL', document: 'PARALLEL' },
		]);
		Object.assign(suite.template(), { updatedAt: later() });
		expect(named((await check()).notCompared)).toEqual(['Signing Order']);
	});
});

describe('dates', () => {
	test.each(DATE_FORMATS)('in the format %s', async (format) => {
		suite.template().documentMeta.dateFormat = format;
		const document = await sent();
		expect(await check()).toMatchObject(MATCH);
		const other = await check(row({ 'Start date': '2027-03-02' }));
		expect(named(other.differences)).toEqual(['Start date']);
		await suite.complete(document.id);
		expect(await check()).toMatchObject(MATCH);
		// Both with another format of the document.
		const changed = { additionalFields: { dateFormat: 'yyyy-MM-dd', externalId: 'RA-2' } };
		await sent(row(), changed);
		expect(await check(row(), changed)).toMatchObject(MATCH);
	});

	test.each(['1955-03-04', '2065-01-01'])(
		'of another century, of which the document shows two digits: %s',
		async (day) => {
			suite.template().documentMeta.dateFormat = 'yy-MM-dd';
			const given = row({ 'Start date': day });
			await sent(given);
			expect(await check(given)).toMatchObject(MATCH);
			const { differences } = await check(row({ 'Start date': '2066-03-04' }));
			expect(named(differences)).toEqual(['Start date']);
		},
	);

	test('the format of the template was changed since', async () => {
		const { documentMeta } = suite.template();
		documentMeta.dateFormat = 'dd/MM/yyyy';
		await sent();
		documentMeta.dateFormat = 'MM/dd/yyyy';
		expect(await check()).toMatchObject(MATCH);
	});

	test('the zone, for which Documenso writes the letters of the format', async () => {
		suite.template().documentMeta.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";
		const document = await sent();
		const date = document.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Start date');
		Object.assign(date ?? {}, { customText: '2027-02-03T00:00:00.000XXX' });
		expect(await check()).toMatchObject(MATCH);
	});

	test('one that nobody can read cannot be compared', async () => {
		const document = await sent();
		const date = document.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Start date');
		Object.assign(date ?? {}, { customText: 'Lichtmess' });
		const { verdict, notCompared } = await check();
		expect([verdict, named(notCompared)]).toEqual(['cannotCompare', ['Start date']]);
	});
});

describe('what Documenso and signers do', () => {
	test('default recipients of the team', async () => {
		const [team] = suite.documents().concat(suite.template());
		const books = { email: 'books@example.com', name: 'Books', role: 'CC' } as const;
		const audit = { email: 'audit@example.com', name: 'Audit', role: 'VIEWER' } as const;
		if (team) team.team.defaultRecipients = [books, audit];
		try {
			const document = await sent();
			expect(document.recipients).toHaveLength(4);
			expect(await check()).toMatchObject(MATCH);
		} finally {
			delete team?.team.defaultRecipients;
		}
	});

	test('default recipients behind somebody who is left out', async () => {
		const parameters = { additionalFields: { mayBeLeftOut: ['Copy'] } };
		addPerson({ email: 'recipient.3@documenso.com', name: 'Copy', role: 'CC' });
		const { team } = suite.template();
		team.defaultRecipients = [{ email: 'books@example.com', name: 'Books', role: 'CC' }];
		try {
			const document = await sent(row(), parameters);
			expect(document.recipients.map(({ email }) => email)).toEqual([
				...['tina@example.com', 'landlord@example.com', 'books@example.com'],
			]);
			expect(await check(row(), parameters)).toMatchObject(MATCH);
		} finally {
			delete team.defaultRecipients;
		}
	});

	test('a name that a signer without one has filled in', async () => {
		const { 'Tenant name': _, ...nameless } = row();
		const { id, fields, recipients } = await sent(nameless);
		const [tenant] = recipients;
		expect(tenant?.name).toBe('');
		Object.assign(tenant ?? {}, { name: 'Tina Tenant' });
		expect(fields.length).toBeGreaterThan(0);
		expect(await check(nameless)).toMatchObject(MATCH);
		await suite.complete(id);
		expect(await check(nameless)).toMatchObject(MATCH);
	});

	test('a next signer whom the one before has named', async () => {
		Object.assign(suite.template().documentMeta, {
			...{ signingOrder: 'SEQUENTIAL', allowDictateNextSigner: true },
		});
		const given = row({ 'Anna Landlord email': 'landlord@example.com' });
		const { recipients } = await sent(given);
		const [tenant, landlord] = recipients;
		await suite.service.sign(tenant?.token ?? '');
		Object.assign(landlord ?? {}, { email: 'brother@example.com', name: 'Bert' });
		expect(await check(given)).toMatchObject(MATCH);
		Object.assign(tenant ?? {}, { signingStatus: 'NOT_SIGNED' });
		expect((await check(given)).verdict).toBe('different');
	});

	test('the marker of an execution that waits', async () => {
		const document = await sent();
		document.externalId = `RA-1 n8n-wait:abc123:17:${'x'.repeat(80)}`;
		expect(await check()).toMatchObject(MATCH);
	});

	test("the template's own External ID", async () => {
		suite.template().externalId = 'LEASES';
		await sent();
		expect(await check()).toMatchObject(MATCH);
	});

	test('recipients whom the row leaves out', async () => {
		const parameters = { additionalFields: { mayBeLeftOut: ['Guarantor', 'Copy'] } };
		const guarantor = addPerson({
			...{ email: 'recipient.3@documenso.com', name: 'Guarantor', role: 'SIGNER', signingOrder: 3 },
		});
		addPerson({ email: 'copy@example.com', name: 'Copy', role: 'CC', signingOrder: 4 });
		const place = suite.template().fields.find(({ type }) => type === 'SIGNATURE');
		if (!place) throw new Error('No signature');
		const { id: _, secondaryId: __, ...rest } = place;
		suite
			.template()
			.fields.push(newField(partsOf(suite), { ...rest, recipientId: guarantor.id, positionY: 3 }));
		await sent(row(), parameters);
		expect(await check(row(), parameters)).toMatchObject(MATCH);
		const wanted = row({
			'Guarantor email': 'gus@example.com',
			'Guarantor name': 'Gus',
			'Copy email': 'copy@example.com',
		});
		const { differences } = await check(wanted, parameters);
		expect(named(differences)).toEqual(['Guarantor email', 'Copy email']);
		await sent({ ...wanted, 'External ID': 'RA-2' }, parameters);
		expect(await check({ ...wanted, 'External ID': 'RA-2' }, parameters)).toMatchObject(MATCH);
		const without = await check(row({ 'External ID': 'RA-2' }), parameters);
		expect(without.differences).toMatchObject([
			{ name: 'Guarantor email', row: null, document: 'gus@example.com' },
			{ name: 'Copy email', row: null, document: 'copy@example.com' },
		]);
		// Drafts have them under an address to which nothing can be sent.
		const draft = { ...parameters, send: false };
		await sent(row({ 'External ID': 'RA-3' }), draft);
		expect(await check(row({ 'External ID': 'RA-3' }), draft)).toMatchObject(MATCH);
	});

	test('a signer in the title', async () => {
		const parameters = { additionalFields: { signerInTitle: true } };
		await sent(row(), parameters);
		expect(await check(row(), parameters)).toMatchObject(MATCH);
	});

	test('documents of version 1, whose signing page fills in what is there beforehand', async () => {
		suite.template().internalVersion = 1;
		const { fields } = await sent();
		const dates = fields.filter(({ type }) => type === 'DATE');
		const others = fields.filter((one) => !dates.includes(one));
		for (const one of others) Object.assign(one, { customText: '', inserted: false });
		expect(await check()).toMatchObject(MATCH);
		// It stores options, not their places.
		const texts = new Map([
			['RADIO', 'District heating'],
			['CHECKBOX', '["Garage","Cellar"]'],
		]);
		for (const one of others) {
			const customText = texts.get(one.type);
			if (customText !== undefined) Object.assign(one, { customText, inserted: true });
		}
		expect(await check()).toMatchObject(MATCH);
	});
});

describe('a template that was edited after its documents were made', () => {
	const cases: Array<[string, (template: Envelope) => unknown, string[]]> = [
		['a field was moved', () => (suite.field('rent').positionY += 7), ['Rent']],
		[
			'a field was deleted',
			(one) => void one.fields.splice(one.fields.indexOf(suite.field('rent')), 1),
			['Rent'],
		],
		['a field was added', () => addField('TEXT', 'Remark', 70, {}), ['Remark']],
		[
			'a field was added in the place of another',
			({ fields }) => {
				const [rent] = fields.splice(fields.indexOf(suite.field('rent')), 1);
				if (rent)
					fields.push(
						newField(partsOf(suite), { ...rent, id: rent.id + 500, fieldMeta: rent.fieldMeta }),
					);
			},
			['Rent'],
		],
		[
			'two fields have changed places',
			({ fields }) => {
				const [rent, deposit] = [suite.field('rent'), fields.at(-3)];
				if (!deposit) return;
				[rent.positionY, deposit.positionY] = [deposit.positionY, rent.positionY];
			},
			['Rent', 'Deposit'],
		],
		['a field is of another type', () => suite.become('rent', 'TEXT', { label: 'Rent' }), ['Rent']],
		[
			"a field is somebody else's",
			() => (suite.field('tenantDate').recipientId = RENTAL_AGREEMENT.landlordId),
			['Date on page 2'],
		],
		[
			'a field has another label',
			() => Object.assign(suite.field('rent').fieldMeta ?? {}, { label: 'Monthly rent' }),
			[],
		],
		['the title', (one) => Object.assign(one, { title: 'Lease', updatedAt: later() }), ['Title']],
		[
			"a recipient's address",
			({ recipients: [, one] }) => Object.assign(one ?? {}, { email: 'new@example.com' }),
			['Anna Landlord email'],
		],
		[
			"a recipient's name",
			({ recipients: [, one] }) => Object.assign(one ?? {}, { name: 'Anna Owner' }),
			['Anna Owner name'],
		],
		[
			"a recipient's role",
			({ recipients: [, one] }) => Object.assign(one ?? {}, { role: 'APPROVER' }),
			['Anna Landlord role'],
		],
		[
			'another recipient',
			() => addPerson({ email: 'new@example.com', name: 'New', role: 'CC' }),
			['New email'],
		],
		[
			'somebody was deleted',
			(one) => {
				one.recipients.pop();
				one.fields = one.fields.filter(
					({ recipientId }) => recipientId !== RENTAL_AGREEMENT.landlordId,
				);
			},
			['Anna Landlord'],
		],
		[
			'a file has another title',
			({ items: [one] }) => Object.assign(one ?? {}, { title: 'Lease.pdf' }),
			['Files'],
		],
		[
			'a file was added',
			({ items }) => items.push({ ...items[0], id: 'envelope_item_new', order: 2 } as never),
			['Files'],
		],
	];

	test.each(cases)('%s', async (_, edit, names) => {
		await sent(row({ 'External ID': 'RA-0' }));
		const document = await sent();
		edit(suite.template());
		for (const isSigned of [false, true]) {
			if (isSigned) await suite.complete(document.id);
			const { verdict, differences, notCompared } = await check(row({ Rent: '900' }));
			expect(differences).toEqual([]);
			expect(verdict).toBe(names.length > 0 ? 'cannotCompare' : 'matches');
			expect(
				[...new Set(named(notCompared).map((one) => one.replace(/ \(.*/, '')))].sort(),
			).toEqual([...names].sort());
		}
	});
});
