import { notoFontFor } from '../../emulator/pdf/notoFonts';
import { type Column, type Columns, templateOf } from '../../nodes/Documenso/template/columns';
import { cutOff } from '../../nodes/Documenso/template/fit';
import { chosenAmong, matchesOf, unknownNames } from '../../nodes/Documenso/template/matches';
import { RunColumns } from '../../nodes/Documenso/template/runColumns';
import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../../nodes/shared/api/envelope';
import { isPlaceholder } from '../../nodes/shared/envelope/whoCanSign';
import { isBlank } from '../../nodes/shared/n8n/values';

type Recipient = Partial<EnvelopeRecipient>;

type Field = Partial<EnvelopeField>;

const TENANT: Recipient = { name: 'Tenant', email: 'recipient.1@documenso.com' };
const LANDLORD: Recipient = { name: 'Anna Landlord', email: 'landlord@example.com' };

const labelled = (label: string, changes: Field = {}): Field => ({
	fieldMeta: { label },
	...changes,
});

/** Fields are the first recipient's, one below the other on the first page of the first file, unless told. */
function templateWith(fields: Field[], recipients: Recipient[] = [TENANT, LANDLORD]) {
	const envelope: Envelope = {
		id: 'envelope_a',
		secondaryId: 'template_1',
		type: 'TEMPLATE',
		status: 'DRAFT',
		title: 'Rental agreement',
		recipients: recipients.map((recipient, index) => ({
			id: index + 1,
			email: '',
			name: '',
			role: 'SIGNER',
			token: '',
			signingStatus: 'NOT_SIGNED',
			...recipient,
		})),
		fields: fields.map((field, index) => ({
			id: index + 11,
			type: 'TEXT',
			recipientId: 1,
			page: 1,
			positionX: 10,
			width: 10,
			height: 4,
			positionY: index,
			envelopeItemId: 'envelope_item_a',
			customText: '',
			inserted: false,
			...field,
		})),
		envelopeItems: [
			{ id: 'envelope_item_a', title: 'Contract', order: 1 },
			{ id: 'envelope_item_b', title: 'Annex', order: 2 },
		],
	};
	return templateOf(envelope);
}

const namesOf = (columns: Columns<Column>) => columns.all.map(({ name }) => name);
const labelsOf = (columns: Columns<Column>) => columns.all.map(({ label }) => label);
const fieldNames = (...fields: Field[]) => namesOf(templateWith(fields).fieldColumns);

const emails = (...recipients: Recipient[]) =>
	namesOf(templateWith([], recipients).recipientColumns).filter((name) => name.endsWith(' email'));

describe('people who are not known yet', () => {
	test.each([
		['recipient.1@documenso.com', true],
		['Recipient.12@Documenso.com', true],
		['direct.link@documenso.com', true],
		['', true],
		['recipient@documenso.com', false],
		['recipient.1@documenso.com.example.com', false],
		['a.recipient.1@documenso.com', false],
		['tina@example.com', false],
	])('%j: %j', (email, isNobody) => {
		expect(isPlaceholder(email)).toBe(isNobody);
	});
});

describe('the columns of recipients', () => {
	test.each<[string, Recipient[], string[]]>([
		['the name', [{ name: ' Tina ' }], ['Tina email']],
		['the email where there is no name', [{ name: ' ', email: 't@e.com' }], ['t@e.com email']],
		['the role where there is neither', [{ role: 'APPROVER' }], ['Approver email']],
		[
			'name and role where others have the name',
			[{ name: 'Partner' }, { name: 'Partner', role: 'CC' }],
			['Partner (SIGNER) email', 'Partner (CC) email'],
		],
		[
			'name and email where others have both',
			[
				{ name: 'Partner', email: 'a@example.com' },
				{ name: 'partner', email: 'b@example.com' },
			],
			['Partner (a@example.com) email', 'partner (b@example.com) email'],
		],
		[
			'name and ID where nothing else tells them apart',
			[{ name: 'Partner' }, { name: 'Partner' }, { name: 'Other' }],
			['Partner (ID 1) email', 'Partner (ID 2) email', 'Other email'],
		],
	])('are named by %s', (_, recipients, names) => {
		expect(emails(...recipients)).toEqual(names);
	});

	test.each<[Recipient[], string[]]>([
		[
			[{ name: 'Partner' }, { name: 'Partner', role: 'CC' }],
			['Partner (SIGNER) Email', 'Partner (CC) Email'],
		],
		[
			[{ name: 'Tina' }, { name: 'Carla', role: 'CC' }],
			['Tina Email', 'Carla Email (CC)'],
		],
	])(
		'of %j have the role in their labels if it is not a signer, and once: %j',
		(people, labels) => {
			const { recipientColumns } = templateWith([], people);
			expect(labelsOf(recipientColumns)).toEqual(expect.arrayContaining(labels));
		},
	);
});

describe('the columns of fields', () => {
	test('are those that can be filled in before people sign', () => {
		const kinds = ['TEXT', 'NUMBER', 'DATE', 'RADIO', 'CHECKBOX', 'DROPDOWN'];
		const others = ['SIGNATURE', 'FREE_SIGNATURE', 'INITIALS', 'NAME', 'EMAIL'];
		const fields = [...others, ...kinds].map((type) => ({ type }));
		expect(fieldNames(...fields)).toEqual([
			'Text on page 1',
			'Number on page 1',
			'Date on page 1',
			'Radio on page 1',
			'Checkbox on page 1',
			'Dropdown on page 1',
		]);
	});

	test('follow file by file, page by page, line by line, and on a line from left to right', () => {
		const at = (page: number, positionY: number, positionX: number) => ({
			page,
			positionX,
			positionY,
		});
		expect(
			fieldNames(
				labelled('annex', { ...at(1, 0, 0), envelopeItemId: 'envelope_item_b' }),
				labelled('second page', at(2, 0, 0)),
				labelled('below', at(1, 20, 0)),
				labelled('right', at(1, 10, 60)),
				labelled('left', at(1, 10, 5)),
			),
		).toEqual(['left', 'right', 'below', 'second page', 'annex']);
	});

	test.each<[string, Field[], string[]]>([
		['the label', [labelled(' Rent ')], ['Rent']],
		['kind and page where the label is blank', [labelled('  ', { page: 3 })], ['Text on page 3']],
		['kind and page where there is no label', [{ fieldMeta: null }], ['Text on page 1']],
		['signs alone', [labelled('★'), labelled('☆')], ['★', '☆']],
		['vowel signs too', [labelled('की'), labelled('कि')], ['की', 'कि']],
		[
			'their recipients where others have the label',
			[labelled('Note'), labelled('note', { recipientId: 2 })],
			['Note (Tenant)', 'note (Anna Landlord)'],
		],
		[
			'page and recipient where others have both',
			[labelled('Note'), labelled('Note', { page: 2 })],
			['Note (page 1, Tenant)', 'Note (page 2, Tenant)'],
		],
		[
			'the ID where nothing else tells them apart',
			[labelled('Note'), labelled('note'), labelled('Rent')],
			['Note (ID 11)', 'note (ID 12)', 'Rent'],
		],
		[
			'no name that another one is called by',
			[labelled('Note'), labelled('Note', { recipientId: 2 }), labelled('Note (Tenant)')],
			['Note (page 1, Tenant)', 'Note (Anna Landlord)', 'Note (Tenant)'],
		],
	])('are named by %s', (_, fields, names) => {
		expect(fieldNames(...fields)).toEqual(names);
	});

	test.each<[Field, string]>([
		[labelled('Rent'), 'Rent'],
		[{ fieldMeta: { label: 'Rent', required: true } }, 'Rent'],
		[
			{
				type: 'CHECKBOX',
				fieldMeta: {
					label: 'Extras',
					readOnly: true,
					values: [{ value: 'Cellar' }, { value: 'Garage' }],
				},
			},
			'Extras (read-only, any of: Cellar, Garage)',
		],
		// The editor lists them itself.
		[{ type: 'DROPDOWN', fieldMeta: { label: 'Pay', values: [{ value: 'Card' }] } }, 'Pay'],
		[{ type: 'CHECKBOX', fieldMeta: { label: 'Extras', values: [] } }, 'Extras'],
	])('%j is shown as %s', (field, label) => {
		expect(labelsOf(templateWith([field]).fieldColumns)).toEqual([label]);
	});
});

/** The name of each column that got a value, and under which name it came. */
function match(
	values: Record<string, unknown>,
	fields: Field[],
	{ isAutomatic = true, recipients }: { isAutomatic?: boolean; recipients?: Recipient[] } = {},
) {
	const template = templateWith(fields, recipients);
	const matches = matchesOf(new RunColumns(template), { values, isAutomatic }, {});
	const { chosen, faults } = chosenAmong(matches.columns, recipients ? 'recipients' : 'fields');
	return {
		// The user's own name, without the template's beside it.
		matched: [...chosen].map(([column, { name, value }]) => [
			column.name,
			name.replace(` (${column.name})`, ''),
			value,
		]),
		faults: [...unknownNames(matches, template), ...faults],
	};
}

const FIELDS = [
	{ type: 'NUMBER', fieldMeta: { label: 'Rent', required: true } },
	labelled('Start date', { type: 'DATE' }),
	labelled('Note', { id: 77 }),
];

const NOTES = [labelled('Note'), labelled('Note', { page: 2 })];

describe('a column of a spreadsheet', () => {
	test.each([
		['Rent', 'Rent'],
		['rent', 'Rent'],
		[' RENT ', 'Rent'],
		['Start date', 'Start date'],
		['start_date', 'Start date'],
		['startDate', 'Start date'],
		['Start-Date:', 'Start date'],
		// Wide letters of East Asian keyboards.
		['Ｒｅｎｔ', 'Rent'],
	])('called %j is for the field %s', (name, column) => {
		expect(match({ [name]: 1 }, FIELDS)).toEqual({ matched: [[column, name, 1]], faults: [] });
	});

	test.each([
		['Tenant email', 'Tenant email'],
		['tenant_email', 'Tenant email'],
		['TENANT NAME', 'Tenant name'],
		['tenantSigningOrder', 'Tenant signing order'],
	])('called %j is for the recipients’ %s', (name, column) => {
		expect(match({ [name]: 1 }, [], { recipients: [TENANT, LANDLORD] })).toEqual({
			matched: [[column, name, 1]],
			faults: [],
		});
	});

	test.each([['Agent'], ['77'], [''], ['Rents'], ['R']])(
		'called %j, which the template does not have, is left alone',
		(name) => {
			expect(match({ [name]: 1 }, FIELDS)).toEqual({ matched: [], faults: [] });
		},
	);

	test('whose vowel sign differs is another one', () => {
		expect(match({ कि: 1 }, [labelled('की')]).matched).toEqual([]);
		expect(match({ की: 1 }, [labelled('की'), labelled('कि')]).matched).toEqual([['की', 'की', 1]]);
	});

	test('of signs alone is found', () => {
		expect(match({ '☆': 1 }, [labelled('★'), labelled('☆')]).matched).toEqual([['☆', '☆', 1]]);
	});

	test.each([undefined, null, '', '  ', '\t\n'])('with nothing but %j is empty', (value) => {
		expect(isBlank(value)).toBe(true);
		expect(match({ Rent: value }, FIELDS)).toEqual({ matched: [], faults: [] });
	});

	test.each([0, false, [], 'x', NaN])('with %p is not empty', (value) => {
		expect(isBlank(value)).toBe(false);
		expect(match({ Rent: value }, FIELDS).matched).toEqual([['Rent', 'Rent', value]]);
	});

	test('that is written exactly wins over one that only sounds the same', () => {
		const fields = [labelled('Note'), labelled('Note'), labelled('Note ID 11')];
		expect(match({ 'Note (ID 11)': 1 }, fields).matched).toEqual([
			['Note (ID 11)', 'Note (ID 11)', 1],
		]);
		expect(match({ 'Note ID 11': 1 }, fields).matched).toEqual([['Note ID 11', 'Note ID 11', 1]]);
	});

	test.each([
		[{ Rent: 1, rent: 2 }, 'rent', 'Rent'],
		[{ rent: 2, Rent: 1 }, 'Rent', 'rent (Rent)'],
		[{ rent: 1, 'RENT ': 2 }, 'RENT ', 'rent (Rent)'],
	])('of %j that means the same as another one is refused', (values, column, other) => {
		expect(match(values, FIELDS).faults).toEqual([
			{
				column,
				fault: `means the same as '${other}'`,
				advice: 'Leave one of the two columns out.',
			},
		]);
	});

	test('that fits several fields is refused with their names', () => {
		expect(match({ Note: 1 }, NOTES)).toEqual({
			matched: [],
			faults: [
				{
					column: 'Note',
					fault: 'matches several columns: "Note (page 1, Tenant)", "Note (page 2, Tenant)"',
					advice: 'Use one of these names.',
				},
			],
		});
	});

	test('that names one of several fields whose labels are equal is for that one', () => {
		expect(match({ 'Note (page 2, Tenant)': 1 }, NOTES)).toEqual({
			matched: [['Note (page 2, Tenant)', 'Note (page 2, Tenant)', 1]],
			faults: [],
		});
	});

	test('that fits several recipients is refused with their names', () => {
		const recipients = ['a@example.com', 'b@example.com'].map((email) => ({
			name: 'Partner',
			email,
		}));
		expect(match({ 'Partner email': 1 }, [], { recipients })).toEqual({
			matched: [],
			faults: [
				{
					column: 'Partner email',
					fault:
						'matches several columns: "Partner (a@example.com) email", "Partner (b@example.com) email"',
					advice: 'Use one of these names.',
				},
			],
		});
	});
});

describe('a name that was typed, or given by a program', () => {
	const typed = { isAutomatic: false };

	test.each(['Note', 'note', '77', ' 77 '])('%j is the field’s label or its ID', (name) => {
		expect(match({ [name]: 'x' }, FIELDS, typed)).toEqual({
			matched: [['Note', name, 'x']],
			faults: [],
		});
	});

	test('is a label before it is an ID', () => {
		const fields = [labelled('77'), labelled('Note', { id: 77 })];
		expect(match({ '77': 'x' }, fields, typed).matched).toEqual([['77', '77', 'x']]);
	});

	test('has to be in the template, unless it has no value', () => {
		expect(match({ Colour: 'red', Size: '' }, FIELDS, typed)).toEqual({
			matched: [],
			faults: [
				{
					column: 'Colour',
					fault: 'is not in the template',
					advice:
						'The template has: "Tenant email", "Tenant name", "Tenant signing order", "Anna Landlord email", "Anna Landlord name", "Anna Landlord signing order", "Rent", "Start date", "Note", "External ID", "Document title". If it has changed, refresh the columns in the node.',
				},
			],
		});
	});

	test.each([
		['Section 11', []],
		['section_1-1', ['Section 1.1']],
		['Section 1.1', ['Section 1.1']],
		['Q1 2027', ['Q1_2027']],
	])('%j is told from another number: %j', (name, found) => {
		const fields = [labelled('Section 1.1'), labelled('Q1_2027')];
		expect(match({ [name]: 'x' }, fields).matched.map(([column]) => column)).toEqual(found);
	});

	test.each([
		['Initial Release', 'Initial Release %'],
		['1', '1%'],
		['Country Code', 'Country code'],
		['Rent $', 'Rent €'],
	])('%j and %j are two, each for the label that is equal to it', (one, another) => {
		const { matched, faults } = match({ [one]: 'a', [another]: 'b' }, [
			labelled(one),
			labelled(another),
		]);
		expect(matched.map(([, , value]) => value)).toEqual(['a', 'b']);
		expect(faults).toEqual([]);
	});

	test('with another currency than the label is another one', () => {
		expect(match({ 'Rent $': 'x' }, [labelled('Rent €')]).matched).toEqual([]);
		expect(match({ Rent: 'x' }, [labelled('Rent €')]).matched).toHaveLength(1);
	});

	test('that is equal to one label is not ambiguous because it sounds like another one', () => {
		const fields = [labelled('Clause 1.1'), labelled('Clause 11')];
		expect(match({ 'Clause 1.1': 'a', 'Clause 11': 'b' }, fields)).toEqual({
			matched: [
				['Clause 1.1', 'Clause 1.1', 'a'],
				['Clause 11', 'Clause 11', 'b'],
			],
			faults: [],
		});
	});
});

describe('how much of a text is shown', () => {
	const field = (type: string, width: number, height: number, meta: object): EnvelopeField => ({
		...{ id: 1, type, recipientId: 1, page: 1, positionX: 5, positionY: 40, width, height },
		...{ envelopeItemId: 'envelope_item_a', customText: '', inserted: false, fieldMeta: meta },
	});

	/** As they were in the signed PDF of Documenso 2.17.0, with pages of A4. */
	const drawn: Array<[string, number, number, object, string, boolean]> = [
		['TEXT', 15, 3, {}, 'Bahnhofstrasse 12', true],
		['TEXT', 12, 3, {}, 'Bahnhofstrasse 12', true],
		['TEXT', 25, 3, {}, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 3, { overflow: 'auto' }, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 3, { overflow: 'horizontal' }, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 3, { overflow: 'vertical' }, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 3, { fontSize: 8 }, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 6, {}, 'Bahnhofstrasse 12', true],
		['TEXT', 20, 3, { letterSpacing: 4 }, 'Bahnhofstrasse 12', true],
		['TEXT', 15, 4, { lineHeight: 2 }, 'Main Street 1, 10115 Berlin', false],
		['NUMBER', 11, 3, {}, '1250000.50', true],
		['NUMBER', 7, 3, {}, '1250000.50', false],
		['NUMBER', 20, 3, {}, '1250000.50', true],
		['NUMBER', 11, 3, { textAlign: 'right' }, '1250000.50', true],
		['DATE', 12, 3, { overflow: 'crop' }, '2027-02-01 12:00 AM', false],
		['DATE', 12, 3, { overflow: 'auto' }, '2027-02-01 12:00 AM', true],
		['DROPDOWN', 16, 4, {}, 'Bank transfer monthly', false],
		['DROPDOWN', 40, 4, {}, 'Bank transfer monthly', true],
		['TEXT', 12, 3, {}, '東京都新宿区西新宿', true],
		['TEXT', 30, 3, { fontSize: 18 }, 'Müller-Lüdenscheidt', false],
	];

	test.each(drawn)('%s of %d × %d percent with %j shows "%s" as a whole: %s', (...row) => {
		const [type, width, height, meta, text, isWhole] = row;
		expect(cutOff(field(type, width, height, meta), text) === undefined).toBe(isWhole);
	});

	test.each([
		['Bahnhofstrasse 12', 12, { shown: 9, length: 17 }],
		['1250000.50', 11, { shown: 8, length: 10 }],
	])('of "%s", one line of %d percent shows about so much', (text, width, shown) => {
		expect(cutOff(field('TEXT', width, 2.5, {}), text)).toEqual(shown);
	});

	test.each([
		['right', 60],
		['center', 60],
		['left', 5],
	])(
		'a text that overflows to the side, aligned %s, has room up to the edge of the page',
		(textAlign, positionX) => {
			const box = { ...field('TEXT', 10, 2, { overflow: 'horizontal', textAlign }), positionX };
			expect(cutOff(box, 'Bahnhofstrasse 12')).toBeUndefined();
			expect(cutOff(box, 'Bahnhofstrasse 12'.repeat(10))?.length).toBe(170);
		},
	);

	test.each([
		['top', 5],
		['middle', 45],
		['bottom', 80],
	])('one that overflows up or down, aligned %s, too', (verticalAlign, positionY) => {
		const box = { ...field('TEXT', 20, 4, { overflow: 'vertical', verticalAlign }), positionY };
		expect(cutOff(box, 'Main Street '.repeat(10))).toBeUndefined();
		expect(cutOff(box, 'Main Street '.repeat(200))).toBeDefined();
	});

	test('each line has its place, and one that is empty, too', () => {
		expect(cutOff(field('TEXT', 20, 3, {}), 'one\ntwo')).toBeUndefined();
		expect(cutOff(field('TEXT', 20, 3, {}), 'one\n\nthree')).toEqual({ shown: 4, length: 10 });
		expect(cutOff(field('TEXT', 20, 3, {}), 'one \n \n')).toBeUndefined();
	});

	test('a text of any length is measured in a moment', () => {
		expect(cutOff(field('TEXT', 20, 3, {}), 'x'.repeat(8_000_000))?.length).toBe(8_000_000);
	});

	test('letters are as wide as in the font with which Documenso draws', async () => {
		const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
		const font = await notoFontFor(letters.join(''), { weight: 400, italic: false });
		for (const letter of letters) {
			const glyph = font?.shaper.glyphForCodePoint(letter.codePointAt(0) ?? 0);
			const width = ((glyph?.advanceWidth ?? 0) / (font?.shaper.unitsPerEm ?? 1)) * 12;
			const percent = (part: number) => ((20 * width * part + 12) / 595) * 100;
			const fits = (part: number) =>
				cutOff(field('TEXT', percent(part), 1.5, {}), letter.repeat(20)) === undefined;
			expect({ letter, asWide: fits(1), narrower: fits(0.95) }).toEqual({
				...{ letter, asWide: true, narrower: false },
			});
		}
	});
});
