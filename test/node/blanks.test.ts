import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import { fillFromRow, mapped, said, USE, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { loadOptions, resourceMapping } = new Documenso().methods;

async function use(rows: IDataObject[], parameters: IDataObject = {}) {
	return await suite.run(
		{ ...fillFromRow, ...parameters },
		rows.map((json) => ({ json })),
	);
}

const settings = (additionalFields: IDataObject) => ({ additionalFields });

const without = (...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(wholeRow).filter(([name]) => !names.includes(name)));

async function sent(...given: Parameters<typeof use>) {
	const run = await use(...given);
	expect(run.error).toBeUndefined();
	return run;
}

/** The error of rows for which nothing is created, not for any item, and nothing but the template is asked for. */
async function refused(...given: Parameters<typeof use>) {
	const run = await use(...given);
	expect(suite.documents()).toEqual([]);
	expect(new Set(lines(suite.service))).toEqual(new Set([`GET /envelope/${RENTAL_AGREEMENT.id}`]));
	return said(run);
}

const WAY_OUT =
	"If something may stay blank, choose it under 'Additional Fields > Fields That May Stay Blank'.";

describe('a column that is nearly one of the template', () => {
	const hundredOthers = Object.fromEntries(
		Array.from({ length: 120 }, (_, index) => [`Custom ${index}`, 'x']),
	);

	test('is refused with every other fault, and nothing is created for any item', async () => {
		const { Rent, Address, ...others } = wholeRow;
		const text = await refused([wholeRow, { ...others, Rnt: Rent, Adress: Address, Notes: 'x' }]);
		expect(text).toContain(
			`'Rnt' (did you mean "Rent"?) matches nothing in the template; 'Adress' (did you mean "Address"?) matches nothing in the template [item 1]`,
		);
		expect(text).toContain('Rename the column in the sheet');
		expect(text).not.toContain('Notes');
	});

	test('is refused beside an address that is missing', async () => {
		const text = await refused([
			{ ...without('Tenant email'), 'Tennant email': 'tina@example.com' },
		]);
		expect(text).toContain('did you mean "Tenant email"?');
		expect(text).toContain("'Tenant email' is missing");
	});

	test.each([
		['with two letters swapped', { Retn: '900' }, 'Rent'],
		['where its cell is empty', { Rnt: '' }, 'Rent'],
		['with its unit', { 'Rent (EUR)': '900' }, 'Rent'],
		['behind a hundred others', { ...hundredOthers, Rnt: '900' }, 'Rent'],
		[
			'for somebody whom the template knows',
			{ 'Ana Landlord email': 'o@x.com' },
			'Anna Landlord email',
		],
		['for a field that the template fills in', { Adress: '2 Main Street' }, 'Address'],
		['for a signing order', { 'Tenant signing oder': 1 }, 'Tenant signing order'],
		['for the External ID', { ...wholeRow, 'Externl ID': 'RA-1' }, 'External ID'],
		['for several External IDs', { ...wholeRow, 'External IDs': 'RA-1' }, 'External ID'],
		['for the title', { ...wholeRow, 'Documnt title': 'Lease' }, 'Document title'],
	])('is refused %s', async (_, changes, meant) => {
		Object.assign(suite.field('address').fieldMeta ?? {}, { text: '1 Main Street' });
		expect(await refused([{ ...without('Rent', 'Address'), ...changes }])).toContain(
			`did you mean "${meant}"?`,
		);
	});

	test.each<[string, IDataObject, IDataObject?]>([
		['for the document in an empty cell', { 'Externl ID': '' }],
		['with the ID of another program', { internalId: '4711', 'External ID': null }],
		['with a file', { documentFile: 'lease.pdf' }],
		['beside the right one', { 'Externl ID': 'old', 'External ID': 'RA-1' }],
		['beside an External ID in the settings', { 'Externl ID': 'old' }, { externalId: 'RA-2' }],
	])('is none %s', async (_, changes, additionalFields = {}) => {
		expect(said(await use([{ ...wholeRow, ...changes }], { additionalFields }))).toBeUndefined();
	});

	test.each([
		['another word', { Bent: 'x' }],
		['another number', { 'Start date 2': 'x' }],
	])('is none if it is %s', async (_, changes) => {
		await sent([{ ...without('Rent', 'Start date'), ...changes }]);
	});

	test('is none if the right column is there as well', async () => {
		const run = await sent([{ ...wholeRow, Rnt: '900' }]);
		expect(run.hints).toEqual([expect.stringContaining('Signers can change')]);
	});

	test('may be left if the field may stay blank, and the column holds nothing', async () => {
		const mayStay = settings({ mayStayBlank: ['Rent'] });
		const empty = await use([{ ...without('Rent'), Rnt: '' }], mayStay);
		expect(empty.error).toBeUndefined();
		expect(empty.hints).toEqual([expect.stringContaining('Signers can change')]);
		const lost = await use([{ ...without('Rent'), Rnt: '900' }], mayStay);
		expect(said(lost)).toContain('did you mean "Rent"?');
	});

	test.each([
		'Anna Landlord email address',
		'landlordEmail',
		'Anna Landlord Mailadresse',
		'Email Anna Landlord',
		'Email (Anna Landlord)',
		'Landlord, Anna: e-mail',
		"Anna Landlord's email ID",
		'The e-mail address of Anna Landlord',
		'Landlord email',
		'Email of Anna',
	])('is refused if it says in other words whose address it has: %s', async (column) => {
		const row = { ...wholeRow, [column]: 'real@example.com' };
		expect(await refused([row])).toContain(
			`'${column}' (did you mean "Anna Landlord email"?) matches nothing in the template`,
		);
		await sent([{ ...row, 'Anna Landlord email': 'real@example.com' }]);
	});

	test.each([
		'Anna Landlord note',
		'Anna Landlord phone',
		'Anna Landlord email sent',
		'Mailing address of Anna Landlord',
		'Address of Anna Landlord',
		'Email of Bob Landlord',
		'Anna Landlord mail address',
		'Mail Anna Landlord',
		'Anna Landlord rate',
		'Start rate',
		'Email sent',
		'Rental notes',
		'Name of dog',
		'Payment ID',
	])('is none if one of its words is another: %s', async (column) => {
		await sent([{ ...wholeRow, [column]: 'x' }]);
	});
});

describe('an empty cell', () => {
	const undated = without('Start date');

	test.each([
		['a field', { Rent: '' }, "'Rent' is empty"],
		['a field, of blanks only', { Address: ' \u200b ' }, "'Address' is empty"],
		['a date', { 'Start date': null }, "'Start date' is empty"],
		['a choice', { Payment: null }, "'Payment' is empty"],
		['a name', { 'Tenant name': '' }, "'Tenant name' is empty"],
		['a person of the template', { 'Anna Landlord email': '' }, "'Anna Landlord email' is empty"],
		['another spelling', { 'start date ': '' }, "'start date ' is empty"],
	])('of %s is refused', async (_, changes, fault) => {
		const [column = ''] = Object.keys(changes);
		const filled: IDataObject = {
			...wholeRow,
			'Anna Landlord email': 'a@b.example',
			'start date ': '2027-02-01',
		};
		const text = await refused([
			{ ...undated, [column]: filled[column] },
			{ ...undated, ...changes },
		]);
		expect(text).toContain(`${fault} [item 1]`);
		expect(text).toContain(WAY_OUT);
	});

	test.each([
		...['#N/A', '#REF! ', '#N/D', '#N/B', '#I/T', '#Н/Д', '#YOK', '#GETTING_DATA', 'Err:502'],
		...['#¡REF!', '#¿NOMBRE?', '#スピル!', '#DĚLENÍ_NULOU!', '#DELING.DOOR.0!', '#DATEN_ABRUFEN'],
	])('with a failed formula, %j, is refused', async (value) => {
		expect(await refused([{ ...wholeRow, Address: value }])).toContain(
			`'Address' is ${value.trim()}: a formula in the sheet has failed`,
		);
	});

	test.each(['#TAG_NAME', '#PO_BOX', '#4B'])(
		'is none that only looks like a failed formula: %j',
		async (value) => {
			await sent([{ ...wholeRow, Address: value }]);
		},
	);

	test.each(['#A!', '#東京!', 'Err:502'])('is none that is an option: %j', async (value) => {
		const values = [{ value }, { value: 'Card' }];
		suite.become('payment', 'DROPDOWN', { label: 'Payment', required: true, values });
		await sent([{ ...wholeRow, Payment: value }]);
	});

	test('has its own name also where another column is called like its ID', async () => {
		const id = String(RENTAL_AGREEMENT.fields.rent);
		expect(await refused([{ ...wholeRow, Rent: '', [id]: '900' }])).toContain("'Rent' is empty");
	});

	test('is refused in Prefill (JSON)', async () => {
		expect(await refused([without('Rent')], settings({ prefillJson: '{ "Rent": "" }' }))).toContain(
			"'Rent' is empty",
		);
	});

	test.each([
		['signing order', { 'Tenant signing order': '' }],
		['external ID', { 'External ID': '' }],
		['title', { 'Document title': '' }],
		['column for something else', { Notes: '' }],
		['field that Prefill (JSON) fills in', { Rent: '', prefill: '{ "Rent": 900 }' }],
	])('of a %s is no mistake', async (_, { prefill, ...changes }: IDataObject) => {
		const additionalFields = prefill ? { prefillJson: prefill } : {};
		await sent([{ ...wholeRow, ...changes }], { additionalFields });
	});

	test.each([
		['may stay blank by its name', { mayStayBlank: ['Rent'] }],
		['may stay blank by its ID', { mayStayBlank: [String(RENTAL_AGREEMENT.fields.rent)] }],
		['is left to the recipients', { ifFieldStaysBlank: 'leave' }],
	])('of a field that %s is sent', async (_, additionalFields) => {
		await sent([{ ...wholeRow, Rent: '' }], { additionalFields });
		expect(suite.documents()).toHaveLength(1);
	});

	test.each([
		['TEXT', { type: 'text', text: 'given' }],
		['NUMBER', { type: 'number', value: '5' }],
		['DROPDOWN', { type: 'dropdown', defaultValue: 'A', values: [{ value: 'A' }] }],
		['RADIO', { type: 'radio', values: [{ id: 1, checked: true, value: 'A' }] }],
		['CHECKBOX', { type: 'checkbox', values: [{ id: 1, checked: false, value: 'A' }] }],
	] as const)('of a %s field %o is no mistake', async (type, fieldMeta) => {
		suite.become('rent', type, { label: 'Rent', ...fieldMeta });
		await sent([{ ...wholeRow, Rent: '' }], settings({ ifFieldStaysBlank: 'refuse' }));
	});
});

describe('a box with an expression that gives nothing', () => {
	const boxes = (changes: IDataObject) =>
		mapped({
			...without('Address'),
			'Tenant email': '={{ $json.email }}',
			'Tenant name': 'Tina',
			...changes,
		});
	const item = { email: 'tina@example.com', street: '', city: 'Ghent' };

	test.each([
		['={{ $json.street }}', '{{ $json.street }}'],
		['={{ $json.stret }}', '{{ $json.stret }}'],
		['={{ $json.street }}, {{ $json.city }}', '{{ $json.street }}'],
		['={{ $json.street }}, {{ $json.town }}', '{{ $json.street }}, {{ $json.town }}'],
		['={{ $json.rent * 12 }} EUR', '{{ $json.rent * 12 }}'],
		['={{ $json.city + " " + $json.town }}', '{{ $json.city + " " + $json.town }}'],
		['={{ `${$json.town} A` }} 1', '{{ `${$json.town} A` }}'],
	])('%s is refused', async (expression, empty) => {
		expect(await refused([item], { columns: boxes({ Address: expression }) })).toContain(
			`'Address' has an expression that gives nothing: ${empty}`,
		);
	});

	test.each([
		['title', 'Title'],
		['externalId', 'External ID'],
	])('is refused as %s', async (name, label) => {
		const additionalFields = { [name]: '=RA-{{ $json.city }}-{{ $json.street }}' };
		const text = await refused([{ ...wholeRow, ...item }], { additionalFields });
		expect(text).toContain(`'${label}' has an expression that gives nothing: {{ $json.street }}`);
		expect(text).toContain('write the whole text as one expression');
	});

	test.each([
		['without an expression', ''],
		['with an expression for something', '={{ $json.city }}'],
		['with brackets inside', '={{ ({a:{b:$json.city\\}}).a.b }} 1'],
		['with one expression for a text that may lack a part', '={{ $json.street + $json.city }}'],
	])('is none %s', async (_, Address) => {
		await sent([item], { columns: boxes({ Address }) });
	});

	const partOfAddress = '={ "Rent": {{ 900 }}, "Address": "{{ $json.street }}, {{ $json.city }}" }';

	test('is refused inside Prefill (JSON), by the name of its field', async () => {
		const text = await refused([without('Address')], settings({ prefillJson: partOfAddress }));
		expect(text).toContain("'Address' has an expression that gives nothing: {{ $json.street }}");
		expect(text).toContain('write the whole text as one expression');
	});

	test('is sent inside Prefill (JSON) if its field may stay blank', async () => {
		const additionalFields = { prefillJson: partOfAddress, mayStayBlank: ['Address'] };
		await sent([without('Address')], { additionalFields });
		expect(suite.documents()).toHaveLength(1);
	});

	test.each(['={{ $json.values }}', '={{ ({}) }}', '={{ JSON.stringify({ Rent: $json.rent }) }}'])(
		'is refused as Prefill (JSON): %s',
		async (prefillJson) => {
			expect(await refused([item], { columns: boxes({}), ...settings({ prefillJson }) })).toContain(
				"'Prefill (JSON)' has an expression that gives no values",
			);
		},
	);

	test('is no mistake where the field may stay blank', async () => {
		await sent([item], {
			columns: boxes({ Address: '={{ $json.street }}, {{ $json.city }}' }),
			...settings({ mayStayBlank: '={{ ["Address"] }}' }),
		});
	});
});

describe('a template that changed after its columns were chosen', () => {
	const chosen = async (value: IDataObject) => {
		const context = loadOptionsContext(credentialFor(suite.service), fillFromRow);
		const { fields } = await resourceMapping.getTemplateColumns.call(context);
		return { ...mapped(value), schema: fields };
	};
	test('and has a new field: it is refused', async () => {
		const address = suite.field('address');
		const columns = await chosen(wholeRow);
		suite.template().fields.push({
			...address,
			id: 99,
			positionY: 2,
			fieldMeta: { type: 'text', label: 'Parking' },
		});
		const text = await refused([{}], { columns });
		expect(text).toContain("'Parking' is new in the template since the columns were chosen");
		expect(text).toContain("Choose 'Refresh' in the menu");
	});

	test('and has a new recipient: it is refused', async () => {
		const columns = await chosen(wholeRow);
		const [, landlord] = suite.template().recipients;
		if (!landlord) throw new Error('The template has one recipient only.');
		suite
			.template()
			.recipients.push({ ...landlord, id: 99, role: 'CC', name: 'Bank', email: 'b@example.com' });
		expect(await refused([{}], { columns })).toContain("'Bank email' is new in the template");
	});

	test('and has a renamed field: it is told as renamed, though its box was empty', async () => {
		const columns = await chosen(without('Address'));
		Object.assign(suite.field('address').fieldMeta ?? {}, { label: 'Flat' });
		expect(await refused([{}], { columns })).toContain(
			`'Flat' was called "Address" when the columns were chosen`,
		);
	});

	test('and has a field of another type: it is told', async () => {
		const columns = await chosen(wholeRow);
		Object.assign(suite.field('address'), {
			type: 'DROPDOWN',
			fieldMeta: { type: 'dropdown', label: 'Address', values: [{ value: '1 Main Street' }] },
		});
		expect(await refused([{}], { columns })).toContain(
			"'Address' was text when the columns were chosen, and is a choice now",
		);
	});

	test('is not judged where the field may stay blank, or without the columns of that time', async () => {
		const columns = await chosen(wholeRow);
		const { schema: _schema, ...bare } = columns;
		suite.template().fields.push({
			...suite.field('address'),
			id: 99,
			positionY: 2,
			fieldMeta: { type: 'text', label: 'Parking' },
		});
		await sent([{}], { columns: bare });
		const additionalFields = { mayStayBlank: ['Parking'] };
		await sent([{}], { columns, additionalFields });
	});

	test('and columns that were removed on purpose are left out', async () => {
		const columns = await chosen(without('Address'));
		const schema = columns.schema.map((one) => ({ ...one, removed: one.id === 'Address' }));
		await sent([{}], { columns: { ...columns, schema } });
	});
});

describe('what nothing speaks of', () => {
	test('is left to the recipients, and a hint says so', async () => {
		const run = await sent([{ ...without('Rent', 'Address'), Notes: 'x', submittedAt: 'now' }]);
		expect(run.hints).toEqual([
			'Left for the recipients to fill in: Address, Rent. Columns that match nothing in the template: Notes.',
			expect.stringContaining('Signers can change'),
		]);
	});

	test('is refused with Refuse, but not what may stay blank or what the template knows', async () => {
		const text = await refused(
			[without('Rent', 'Address')],
			settings({ ifFieldStaysBlank: 'refuse', mayStayBlank: ['Address'] }),
		);
		expect(text).toContain("'Rent' stays blank");
		expect(text).not.toContain("'Address'");
		expect(text).not.toContain('Landlord');
	});

	test('is no mistake if it is another column, even with Refuse', async () => {
		const run = await sent(
			[{ ...wholeRow, Notes: 'x' }],
			settings({ ifFieldStaysBlank: 'refuse' }),
		);
		expect(run.hints).toEqual([expect.stringContaining('Signers can change')]);
	});

	test('includes the name of a recipient with Refuse', async () => {
		for (const recipient of suite.template().recipients) recipient.name = '';
		expect(
			await refused(
				[
					{
						'recipient.1@documenso.com email': 'tina@example.com',
						...without('Tenant email', 'Tenant name'),
					},
				],
				settings({ ifFieldStaysBlank: 'refuse' }),
			),
		).toContain("'landlord@example.com name' stays blank");
	});

	test('has a hint in which names are shown as text', async () => {
		const run = await use([{ ...without('Rent'), '<img src=x>': 'x' }]);
		expect(run.hints[0]).toContain('&lt;img src=x>');
	});
});

describe('a row of a spreadsheet', () => {
	test.each([[{}], [{ headers: {}, body: { Amount: 900 } }]])(
		'of which no column is in the template is refused: %j',
		async (other) => {
			for (const recipient of suite.template().recipients) recipient.email = 'known@example.com';
			expect(await refused([other])).toContain(
				"'Columns' match no recipient and no field of the template",
			);
		},
	);

	test('that Airtable or a webhook hands on inside an object is refused, and the advice says how to take it out', async () => {
		const text = await refused([
			{ id: 'rec1', createdTime: '2026-11-26T10:00:00.000Z', fields: wholeRow },
		]);
		expect(text).toContain('but those inside "fields" do');
		expect(text).toContain('{{ $json["fields"] }}');
	});

	test('with the column "Email" gets a suggestion if there is one recipient, whom the template knows', async () => {
		const { recipients } = suite.template();
		recipients.length = 1;
		if (recipients[0]) recipients[0].email = 'boss@example.com';
		expect(await refused([{ ...without('Tenant email'), Email: 'tina@example.com' }])).toContain(
			'did you mean "Tenant email"?',
		);
	});

	test('without any value is called empty', async () => {
		const empty = Object.fromEntries(Object.keys(wholeRow).map((name) => [name, '']));
		const added = { row_number: 3, documensoCheck: {}, documensoPreview: {}, documensoResult: {} };
		const text = await refused([wholeRow, { ...empty, ...added }]);
		expect(text).toContain('The row is empty: all its cells are blank [item 1]');
		expect(text).toContain('Delete empty rows in the sheet');
	});

	test('with the column "Email" gets a suggestion if one recipient has no address', async () => {
		expect(await refused([{ ...without('Tenant email'), 'E-Mail': 'tina@example.com' }])).toContain(
			`'E-Mail' (did you mean "Tenant email"?) matches nothing in the template`,
		);
	});

	test('with the column "Email" for something else is left alone', async () => {
		await sent([{ ...wholeRow, Email: 'office@example.com' }]);
	});

	test('is told with its own heading beside the name in the template', async () => {
		expect(await refused([{ ...without('Rent'), 'RENT.': 'much' }])).toContain(
			`'RENT. (Rent)' is a number field, but "much" is text`,
		);
	});

	test('with the numbers of days is read if the user says so', async () => {
		const rows = [{ ...wholeRow, 'Start date': 46000 }];
		expect(said(await use(rows))).toContain("'Additional Fields > Read Day Numbers as Dates'");
		await sent(rows, settings({ readsDayNumbers: true }));
		expect(sentTo(suite.service, 'POST /envelope/use').prefillFields).toContainEqual(
			expect.objectContaining({ value: '2025-12-09T00:00:00' }),
		);
	});
});

describe('a saved workflow', () => {
	test.each([
		['fail', "'Rent' stays blank"],
		['warn', undefined],
		['ignore', undefined],
	])('with Unmatched Columns: %s goes on', async (unmatchedColumns, fault) => {
		const run = await use([without('Rent')], settings({ unmatchedColumns }));
		if (fault === undefined) expect(run.error).toBeUndefined();
		else expect(said(run)).toContain(fault);
	});

	test('that ignores unmatched columns leaves blanks to the recipients', async () => {
		const rows = [{ ...without('Rent'), Rnt: '' }];
		await sent(rows, settings({ unmatchedColumns: 'ignore' }));
		expect(suite.documents()).toHaveLength(1);
	});
});

test('the fields that may stay blank are those of the chosen template', async () => {
	const context = loadOptionsContext(credentialFor(suite.service), fillFromRow);
	const options = await loadOptions.getTemplateBlanks.call(context);
	expect(options.map(({ value }) => value)).toEqual([
		'Address',
		'Start date',
		'Rent',
		'Payment',
		'Tenant email',
		'Tenant name',
		'Anna Landlord email',
		'Anna Landlord name',
	]);
});

describe('a text that an expression has spoilt', () => {
	const box = (Address: string) => ({
		...{ columns: mapped({ 'Tenant email': 'tina@example.com', Address }) },
	});

	test.each([
		['null in it', '={{ $json.street + ", " + $json.city }}', { street: 'Quay', city: null }],
		['an invalid date in it', '={{ "from " + new Date($json.none) }}', {}],
		['an object in it', '=at {{ $json.place }}', { place: { street: 'Quay' } }],
		['a failed formula', '={{ $json.street }}', { street: '#REF!' }],
		['a failed formula of a German Excel', '={{ $json.street }}', { street: '#NV' }],
	])('is refused with %s', async (_, address, item) => {
		expect(await refused([item], box(address))).toContain('Address');
	});

	test('is refused inside one expression for Prefill (JSON)', async () => {
		const prefillJson = '={{ { Address: $json.street + " " + $json.city } }}';
		expect(await refused([{ ...wholeRow, street: 'Quay' }], settings({ prefillJson }))).toContain(
			`'Address' has "undefined" in it`,
		);
	});

	test("is none if they are a person's words", async () => {
		await sent([{ street: 'Null Street, NaN House' }], box('={{ $json.street }}'));
	});

	test('is refused with a masked address, which only a model can have written', async () => {
		expect(await refused([{ ...wholeRow, Address: 'c/o a…@example.com' }])).toContain(
			`'Address' holds a masked address: "c/o a…@example.com"`,
		);
	});
});

test.each([
	{ 'Tenant email': 'tina@example.com', tenant_email: 'Tina@example.com' },
	{ Rent: 1000, rent: '1000' },
])('two columns with the same value in another form are no fault: %p', async (columns) => {
	await sent([{ ...wholeRow, ...columns }]);
});

/** Makes a field of the template read only, with or without a text that every document gets. */
function lock(name: 'rent' | 'address', text?: string) {
	const meta = suite.field(name).fieldMeta ?? {};
	Object.assign(meta, { readOnly: true, ...(text === undefined ? {} : { text, value: text }) });
}

describe('a cell that n8n leaves out of an item', () => {
	test('is refused where another item has the column, and nothing is created for any item', async () => {
		const text = await refused([wholeRow, without('Rent'), wholeRow]);
		expect(text).toContain("'Rent' is missing here; 2 other items have it [item 1]");
		expect(text).toContain("With 'Include Empty Cells' where the file is read");
		expect(text).toContain("'Additional Fields > Fields That May Stay Blank'");
	});

	test.each([
		['the name of a person', 'Tenant name'],
		['a choice', 'Payment'],
		['a date', 'Start date'],
	])('is refused for %s', async (_, column) => {
		expect(await refused([without(column), wholeRow])).toContain(
			`'${column}' is missing here; one other item has it [item 0]`,
		);
	});

	test.each([
		['may stay blank', { mayStayBlank: ['Rent'] }],
		['is left to the recipients', { ifFieldStaysBlank: 'leave' }],
	])('is sent if it %s', async (_, additionalFields) => {
		const run = await sent([wholeRow, without('Rent')], settings(additionalFields));
		expect(suite.documents()).toHaveLength(2);
		const isTold = 'ifFieldStaysBlank' in additionalFields;
		expect(run.hints.join().includes('to fill in: Rent (item 1).')).toBe(isTold);
	});

	test('is none where another column fills the field in: two sheets with other headings are right', async () => {
		const { Rent, ...others } = wholeRow;
		await sent([wholeRow, { ...others, rent: Rent }, { ...others, 'RENT ': Rent }]);
		expect(suite.documents()).toHaveLength(3);
	});

	test('is none where the column is for nothing in the template, or empty in all', async () => {
		const rows = [{ ...without('Rent'), Notes: 'x' }, without('Rent'), without('Rent')];
		const run = await sent(rows);
		expect(run.hints[0]).toContain('Left for the recipients to fill in: Rent.');
	});

	test('costs nothing where every item has other columns', async () => {
		const rows = Array.from({ length: 300 }, (_, index) => ({ ...wholeRow, [`c${index}`]: 'x' }));
		await sent(rows);
		expect(suite.documents()).toHaveLength(300);
	});
});

describe('the name of a placeholder', () => {
	test('is never sent as a person’s name: without a column for names, there is none', async () => {
		const run = await sent([without('Tenant name')]);
		expect(sentTo(suite.service, USE).recipients).toMatchObject([
			{ email: 'tina@example.com', name: '' },
		]);
		expect(run.hints[0]).toBe('These names stay blank, because no column gives them: Tenant name.');
	});

	test('is refused with Refuse', async () => {
		expect(
			await refused([without('Tenant name')], settings({ ifFieldStaysBlank: 'refuse' })),
		).toContain("'Tenant name' stays blank");
	});

	test.each(['Name', 'name', 'Full Name'])(
		'is refused where a column %j matches nothing',
		async (column) => {
			expect(await refused([{ ...without('Tenant name'), [column]: 'Tina' }])).toContain(
				`'${column}' (did you mean "Tenant name"?) matches nothing`,
			);
		},
	);

	test('is no question where every name is given', async () => {
		await sent([{ ...wholeRow, Name: 'of somebody else' }]);
	});
});

describe('a read-only field', () => {
	const readOnly = [
		['a heading is misspelt', { ...without('Rent'), Rnt: '900' }, 'did you mean "Rent"?'],
		['its cell is empty', { ...wholeRow, Rent: '' }, "'Rent' is empty"],
	] as const;

	test.each(readOnly)('with "TBD" in it is refused if %s', async (_, row, fault) => {
		lock('rent', 'TBD');
		expect(await refused([row])).toContain(fault);
	});

	test('with "TBD" in it is refused if its expression gives nothing', async () => {
		lock('rent', 'TBD');
		const columns = mapped({ ...wholeRow, Rent: '={{ $json.rent }}' });
		expect(await refused([{}], { columns })).toContain(
			"'Rent' has an expression that gives nothing: {{ $json.rent }}",
		);
	});

	test('with a constant that nobody gives anything for stays as it is, also with Refuse', async () => {
		lock('rent', '900');
		await sent([without('Rent')], settings({ ifFieldStaysBlank: 'refuse' }));
		expect(suite.documents()).toHaveLength(1);
	});

	test('without a text is refused with Refuse, because nobody can fill it in', async () => {
		lock('rent');
		expect(await refused([without('Rent')], settings({ ifFieldStaysBlank: 'refuse' }))).toContain(
			"'Rent' is required and read only in the template, but has no value",
		);
	});

	test('with a text of blanks only is refused with Refuse, though Documenso takes it for filled in', async () => {
		lock('address', ' \u00a0');
		expect(
			await refused([without('Address')], settings({ ifFieldStaysBlank: 'refuse' })),
		).toContain("'Address' stays blank");
	});

	test('may stay as it is if the user says so', async () => {
		lock('rent', 'TBD');
		const run = await sent([{ ...wholeRow, Rent: '' }], settings({ mayStayBlank: ['Rent'] }));
		expect(run.hints.join()).not.toContain('Left for the recipients');
	});
});

describe('a box that must be ticked, and that only the row can tick', () => {
	test.each([false, ''])('is refused where the row says %j', async (Payment) => {
		const meta = { label: 'Payment', required: true, readOnly: true };
		suite.become('payment', 'CHECKBOX', { ...meta, values: [{ id: 1, value: 'I agree' }] });
		expect(await refused([{ ...wholeRow, Payment }])).toContain(
			"'Payment' is required and read only in the template",
		);
	});

	test('may be without a tick in a draft', async () => {
		const meta = { label: 'Payment', required: true, readOnly: true };
		const values = [{ id: 1, value: 'I agree', checked: true }];
		suite.become('payment', 'CHECKBOX', { ...meta, values });
		const rows = [{ ...wholeRow, Payment: false }];
		expect(said(await use(rows))).toContain("'Payment' is required and read only");
		await sent(rows, { send: false });
	});
});

describe('what a program writes for nothing', () => {
	test.each([
		['undefined', 'is "undefined", which a program writes when it has no value'],
		['Invalid Date', 'is "Invalid Date", which a program writes'],
		[' [object Object] ', 'is "[object Object]", which a program writes'],
		['for {{ $json.size }} people', 'has an expression in it that was not evaluated'],
		['J\uFFFDrgen', 'has a character that was lost when the file was read'],
		['########', 'is ########, which spreadsheets show where a column is too narrow'],
	])('%j is refused', async (value, fault) => {
		expect(await refused([{ ...wholeRow, Address: value }])).toContain(`'Address' ${fault}`);
		expect(await refused([{ ...wholeRow, 'Tenant name': value }])).toContain(fault);
	});

	test.each([
		...['undefined behaviour', 'Null', '{{signature, r1}}', 'NaN', '[x]'],
		...['#1', '#12', '#4B', '#4/B', '#B'],
	])('%j is a text like any other', async (value) => {
		await sent([{ ...wholeRow, Address: value }]);
	});
});
