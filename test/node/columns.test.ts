import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { columnInputs } from '../../nodes/Documenso/template/columnInputs';
import { templateOf } from '../../nodes/Documenso/template/columns';
import type { FillableTemplate } from '../../nodes/shared/api/envelope';
import { filledValues } from '../../nodes/shared/envelope/filledValues';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	automatic,
	boxes,
	byId,
	fillFromRow,
	mapped,
	tina,
	useService,
	wholeRow,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const { resourceMapping } = new Documenso().methods;

const { columns: _columns, ...use } = fillFromRow;

function context(parameters: IDataObject = {}) {
	return loadOptionsContext(credentialFor(suite.service), { ...use, ...parameters });
}

async function inputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateColumns.call(context(parameters))).fields;
}

const ofRecipients = 6;

describe('in the editor', () => {
	test('each recipient of the chosen template has an e-mail, a name and an order', async () => {
		const shown = (await inputs()).slice(0, ofRecipients);
		expect(shown.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['Tenant email', 'Tenant Email', 'string'],
			['Tenant name', 'Tenant Name', 'string'],
			['Tenant signing order', 'Tenant Signing Order', 'number'],
			['Anna Landlord email', 'Anna Landlord Email', 'string'],
			['Anna Landlord name', 'Anna Landlord Name', 'string'],
			['Anna Landlord signing order', 'Anna Landlord Signing Order', 'number'],
		]);
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`]);
	});

	test('an e-mail is mandatory where the template has nobody yet, unless placeholders are allowed', async () => {
		const required = async (parameters?: IDataObject) =>
			(await inputs(parameters)).filter((input) => input.required).map(({ id }) => id);
		expect(await required()).toEqual(['Tenant email']);
		expect(await required({ additionalFields: { allowPlaceholders: true } })).toEqual([]);
	});

	test('orders are shown at once where the template lets one sign after another', async () => {
		const hidden = async () =>
			(await inputs()).filter(({ removed }) => removed).map(({ id }) => id);
		expect(await hidden()).toEqual([
			'Tenant signing order',
			'Anna Landlord signing order',
			'Document title',
		]);
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		expect(await hidden()).toEqual(['Document title']);
	});

	test('each field that can be prefilled is an input of its kind, in the order of the pages; dates of signing are left out', async () => {
		expect((await inputs()).slice(ofRecipients)).toMatchObject([
			{ id: 'Address', displayName: 'Address', type: 'string' },
			{ id: 'Start date', displayName: 'Start date', type: 'dateTime' },
			{ id: 'Rent', displayName: 'Rent', type: 'number' },
			{
				id: 'Payment',
				displayName: 'Payment',
				type: 'options',
				options: ['Bank transfer', 'Direct debit', 'Card'].map((value) => ({ name: value, value })),
			},
			{ id: 'External ID', type: 'string' },
			{ id: 'Document title', type: 'string' },
		]);
	});

	test('one input fills in a recipient and a field of the same name', async () => {
		suite.become('address', 'TEXT', { label: 'Tenant name' });
		const ids = (await inputs()).map(({ id }) => id);
		expect(ids.filter((id) => id === 'Tenant name')).toHaveLength(1);
		const columns = mapped({ 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina' });
		await suite.outputOf({ ...use, columns });
		expect(sentTo(suite.service, 'POST /envelope/use')).toMatchObject({
			recipients: [{ name: 'Tina' }],
			prefillFields: [{ id: RENTAL_AGREEMENT.fields.address, value: 'Tina' }],
		});
	});

	test('a field with a number format takes text, a multiple choice names its options', async () => {
		suite.become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
		suite.become('address', 'CHECKBOX', {
			label: 'Extras',
			readOnly: true,
			values: boxes('Cellar', 'Garage'),
		});
		expect(await inputs()).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ id: 'Rent', type: 'string' }),
				expect.objectContaining({
					id: 'Extras',
					type: 'array',
					displayName: 'Extras (read-only, any of: Cellar, Garage)',
				}),
			]),
		);
	});

	test('before a template is chosen, the editor says so', async () => {
		const templateId = { __rl: true, mode: 'list', value: '' };
		const empty = { fields: [], emptyFieldsNotice: 'Choose a template first' };
		expect(await resourceMapping.getTemplateColumns.call(context({ templateId }))).toEqual(empty);
	});

	test('a renamed field is there after a refresh', async () => {
		const meta = suite.field('rent').fieldMeta;
		if (meta) Object.assign(meta, { label: 'Monthly rent' });
		expect((await inputs()).map(({ id }) => id)).toContain('Monthly rent');
	});
});

describe('Map Automatically', () => {
	const columns = {
		'Tenant email': 'tina@example.com',
		'Tenant name': 'Tina Tenant',
		Rent: '1200',
		'Start date': '2027-02-01',
	};
	async function use1(json: IDataObject, changes: IDataObject = {}) {
		suite.service.calls.length = 0;
		const { error } = await suite.run({ ...fillFromRow, ...changes }, [{ json }]);
		if (error) throw error;
		return sentTo(suite.service, 'POST /envelope/use');
	}

	test('takes columns as spreadsheets and databases write them, and leaves the others alone', async () => {
		const json = {
			tenant_email: 'tina@example.com',
			'TENANT NAME': 'Tina Tenant',
			rent: '1200',
			startDate: '2027-02-01',
			Agent: 'Ms Grey',
			'1': 'not an ID here',
			'': 'behind the last comma of a line',
		};
		const { tenantId, fields } = RENTAL_AGREEMENT;
		const sent = await use1(json);
		expect(sent.recipients).toMatchObject([
			{ id: tenantId, email: 'tina@example.com', name: 'Tina Tenant' },
		]);
		expect(sent.prefillFields).toMatchObject([
			{ id: fields.rent, value: '1200' },
			{ id: fields.startDate, value: '2027-02-01T00:00:00' },
		]);
	});

	test('the document takes its title from a column, unless one is entered', async () => {
		const titleOf = async (additionalFields: IDataObject) => {
			const json = { ...columns, document_title: 'Lease of Tina' };
			return (await use1(json, { additionalFields })).override;
		};
		expect(await titleOf({})).toEqual({ title: 'Lease of Tina' });
		expect(await titleOf({ title: 'Lease' })).toEqual({ title: 'Lease' });
		const { error } = await suite.run(fillFromRow, [
			{ json: { ...columns, 'Document title': 'x'.repeat(256) } },
		]);
		expect(error?.message).toMatch(/^'Document title' /);
	});

	test('a missing column is named beside those that are there', async () => {
		const { error } = await suite.run(fillFromRow, [
			{ json: { Mail: 'tina@example.com', Rent: 3 } },
		]);
		expect(error?.message).toMatch(/^'Tenant email' is missing/);
		expect(error?.description).toContain('The item has the columns: Mail, Rent.');
	});

	test('the template may be another one for each row', async () => {
		const other = { ...suite.template(), id: 'envelope_othertemplatexxx' };
		suite.service.store.envelopes.set(other.id, other);
		const items = [RENTAL_AGREEMENT.id, other.id].map((id) => ({ json: { ...columns, id } }));
		await suite.outputOf({ ...fillFromRow, templateId: byId('={{ $json.id }}') }, items);
		expect(suite.service.store.documents).toHaveLength(2);
	});
});

describe('the deprecated operation', () => {
	const ofNumber = (templateNumber: number) => {
		const { templateId: _, ...rest } = use;
		const chosen = { ...rest, resource: 'templateDeprecated', templateNumber };
		return loadOptionsContext(credentialFor(suite.service), chosen);
	};

	test('has the same columns, by the number of the template', async () => {
		const chosen = ofNumber(suite.template().legacyId);
		const { fields } = await resourceMapping.getTemplateColumns.call(chosen);
		expect(fields.map(({ id }) => id)).toContain('Rent');
	});

	test('fails when no template has the number', async () => {
		await expect(resourceMapping.getTemplateColumns.call(ofNumber(987))).rejects.toThrow(
			"'Template Number' is 987, but no template has this number",
		);
	});
});

// All the ways to write a value are in test/unit/prefillValue.test.ts, and those to name a field in test/unit/columns.test.ts.
describe('values', () => {
	const use = { ...fillFromRow, columns: mapped(tina) };

	const withJson = (prefillJson: string) => ({ ...use, additionalFields: { prefillJson } });

	async function prefilled(values: IDataObject, prefillJson = '', item: IDataObject = {}) {
		suite.service.calls.length = 0;
		const columns = mapped({ ...tina, ...values });
		const { error } = await suite.run({ ...withJson(prefillJson), columns }, [{ json: item }]);
		if (error) throw error;
		return sentTo(suite.service, 'POST /envelope/use').prefillFields as Array<{ value: unknown }>;
	}

	describe('one by one', () => {
		test.each([
			['quotes', `She said "it's fine" \\ and left`],
			['emoji', '🏠 Flat 3 👩‍👩‍👧 ✅'],
			['right-to-left text', 'שלום, דירה 3 — العربية'],
			['10,000 characters', 'ä'.repeat(10_000)],
			['lines', 'Flat 3\n12 Quay Street\tBristol'],
			['what looks like a placeholder', '{{signature, r1}} {{ json.x }} ${x}'],
		])('%s arrive as they are', async (_, text) => {
			const [sent] = await prefilled({ Address: '={{ $json.text }}' }, '', { text });
			expect(sent?.value).toBe(text);
			const [document] = suite.service.store.documents;
			const stored = document?.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
			expect(stored?.customText).toBe(text);
		});

		test.each([
			['2027-02-01T23:30:00-05:00', '2027-02-01'],
			['={{ DateTime.fromISO("2027-02-01", { zone: "Pacific/Auckland" }) }}', '2027-02-01'],
			['={{ DateTime.fromISO("2027-02-01").toJSDate() }}', '2027-02-01'],
		])('the date %s is printed as %s', async (given, printed) => {
			await prefilled({ 'Start date': given });
			const [document] = suite.service.store.documents;
			const dates = document?.fields.filter(({ type }) => type === 'DATE') ?? [];
			expect(dates.map(({ customText }) => customText)).toContain(printed);
		});

		test('a number of an expression is printed in the format of the field', async () => {
			suite.become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
			expect(await prefilled({ Rent: '={{ 1234567 }}' })).toMatchObject([
				{ type: 'number', value: '1.234.567,00' },
			]);
		});

		test('several choices may come as a list of an expression', async () => {
			suite.become('payment', 'CHECKBOX', { label: 'Extras', values: boxes('Cellar', 'Garage') });
			expect(await prefilled({ Extras: '={{ ["Garage"] }}' })).toMatchObject([
				{ type: 'checkbox', value: ['Garage'] },
			]);
		});

		test.each([
			['Address', '={{ [1] }}', 'is a text field, but "[1]" is a list'],
			// Expressions turn an invalid date into this text.
			[
				'Address',
				'={{ DateTime.fromISO("nonsense") }}',
				'is a text field, but "Invalid DateTime" is text',
			],
			[
				'Rent',
				'={{ $json.none * 12 }}',
				'is a number field, but "NaN" is the result of a failed calculation',
			],
		])('%s: %s is refused before anything is created', async (name, value, fault) => {
			const { error } = await suite.run({ ...use, columns: mapped({ ...tina, [name]: value }) });
			expect(error?.message).toBe(`'${name}' ${fault} [item 0]`);
			expect(suite.service.store.documents).toHaveLength(0);
		});

		test('a field without a label is named by its kind, page and recipient, or by its ID', async () => {
			const { landlordDate } = RENTAL_AGREEMENT.fields;
			for (const name of ['Date on page 2 (Anna Landlord)', String(landlordDate)]) {
				suite.service.calls.length = 0;
				await suite.run({ ...use, columns: mapped({ ...tina, [name]: '2026-12-24' }) });
				expect(sentTo(suite.service, 'POST /envelope/use').prefillFields).toEqual([
					{ id: landlordDate, type: 'date', value: '2026-12-24T00:00:00' },
				]);
			}
		});

		test('keep the placeholders of texts and numbers; those of choices are not sent', async () => {
			suite.become('address', 'TEXT', { label: 'Address', placeholder: 'Street' });
			suite.become('payment', 'DROPDOWN', {
				label: 'Pay',
				placeholder: 'x',
				values: [{ value: 'Card' }],
			});
			expect(await prefilled({ Address: 'A', Pay: 'Card' })).toEqual([
				expect.objectContaining({ placeholder: 'Street' }),
				expect.not.objectContaining({ placeholder: 'x' }),
			]);
		});
	});

	describe('as JSON', () => {
		test('leave what is blank to the recipients, if the user wants that', async () => {
			const { additionalFields, ...rest } = withJson('{"Address":"A","Rent":"","Payment":null}');
			const settings = { ...additionalFields, ifFieldStaysBlank: 'leave' };
			await suite.run({ ...rest, additionalFields: settings });
			expect(sentTo(suite.service, 'POST /envelope/use').prefillFields).toMatchObject([
				{ value: 'A' },
			]);
		});

		test('JSON that is a list is refused, and the error says when an item has no columns', async () => {
			expect((await suite.run(withJson('[1]'))).error?.message).toBe(
				"'Additional Fields > Prefill (JSON)' is not an object with labels and values [item 0]",
			);
			const { error } = await suite.run({ ...use, columns: automatic });
			expect(error?.description).toContain('The item has the columns: none.');
		});

		test('JSON of an expression or a program names fields by their labels', async () => {
			const json = { address: 'A', RENT: 3, Payment: 'Card' };
			const sent = await prefilled({}, '={{ $json }}', json);
			expect(sent.map(({ value }) => value)).toEqual(['A', '3', 'Card']);
			const { error } = await suite.run(withJson('{ "Colour": "red" }'));
			expect(error?.message).toBe("'Colour' is not in the template [item 0]");
		});

		test('JSON comes before the columns, whose other values are taken too', async () => {
			const sent = await prefilled({ Rent: 'much', Address: 'B' }, '{ "Rent": 3 }');
			expect(sent.map(({ value }) => value)).toEqual(['3', 'B']);
		});
	});
});

describe('the room in a field', () => {
	const row = (changes: IDataObject = {}) => ({ json: { ...wholeRow, ...changes } });

	const isAboutCut = (hint: string) => hint.includes('too long for their fields');

	const street = 'Bahnhofstrasse 12';

	/** A field as wide as Documenso's editor makes it. */
	function narrow(name: 'address' | 'rent') {
		Object.assign(suite.field(name), { width: 12, height: 2.5 });
	}

	describe('a value that has no room in its field', () => {
		beforeEach(() => {
			narrow('address');
		});

		test('is sent, and a hint says how much of it shows, for which items, and what to do', async () => {
			const rows = [row({ Address: street }), row({ Address: 'Quay 1' }), row({ Address: street })];
			const { hints, error } = await suite.run(fillFromRow, rows);
			expect(error).toBeUndefined();
			expect(hints.filter(isAboutCut)).toEqual([
				`These values are too long for their fields, so Documenso cuts them off: Address (items 0, 2). 'Address' shows about 9 of 17 characters. Enlarge the field in the template, or choose a smaller font size or another overflow for it: in Documenso's editor, or with 'Field: Update'.`,
			]);
		});

		test('has a warning in the preview, beside what signers can erase', async () => {
			const preview = { ...fillFromRow, operation: 'previewDocument' };
			const [item] = await suite.outputOf(preview, [row({ Address: street })]);
			const { warnings } = item?.documensoPreview as { warnings: IDataObject[] };
			expect(warnings).toEqual([
				{
					column: 'Address',
					message: "'Address' shows about 9 of 17 characters",
					advice: expect.stringContaining('Enlarge the field') as string,
				},
				{
					column: 'Address, Rent, Start date, Payment',
					message: expect.stringContaining('one click on such a field erases its value') as string,
					advice: expect.stringContaining('turn on Read Only') as string,
				},
			]);
		});

		test('is no reason for a hint where the field may grow', async () => {
			Object.assign(suite.field('address').fieldMeta ?? {}, { overflow: 'auto' });
			const { hints } = await suite.run(fillFromRow, [row({ Address: street })]);
			expect(hints.filter(isAboutCut)).toEqual([]);
		});
	});

	test.each([
		['NAME', 'Tenant name', 'Wolfeschlegelsteinhausenbergerdorff'],
		['EMAIL', 'Tenant email', 'wolfeschlegelsteinhausen@example.com'],
	])('what a signer’s %s field will show is measured, too', async (type, column, value) => {
		Object.assign(suite.field('tenantDate'), { type, width: 20, height: 2 });
		suite.field('tenantDate').fieldMeta = { type: type.toLowerCase() } as never;
		const { hints, error } = await suite.run(fillFromRow, [row({ [column]: value })]);
		expect(error).toBeUndefined();
		expect(hints.find(isAboutCut)).toContain(`cuts them off: ${column}.`);
	});

	test('a date is measured as the template writes it', async () => {
		const { documentMeta } = suite.template();
		Object.assign(documentMeta, { dateFormat: 'MMMM dd, yyyy hh:mm a' });
		Object.assign(suite.field('startDate'), { width: 16, height: 2 });
		Object.assign(suite.field('startDate').fieldMeta ?? {}, { overflow: 'crop' });
		const { hints } = await suite.run(fillFromRow, [row()]);
		expect(hints.find(isAboutCut)).toContain("'Start date' shows about");
		Object.assign(documentMeta, { dateFormat: 'yyyy-MM-dd' });
		const short = await suite.run(fillFromRow, [row()]);
		expect(short.hints.filter(isAboutCut)).toEqual([]);
	});

	test('everything in the demo’s spreadsheet fits', async () => {
		const file = join(__dirname, '..', '..', 'examples', 'rental-agreements.csv');
		const rows = parse<IDataObject>(readFileSync(file), { columns: true, bom: true });
		const { hints, items } = await suite.run(
			fillFromRow,
			rows.map((json) => ({ json })),
		);
		expect(items).toHaveLength(rows.length);
		expect(hints.filter(isAboutCut)).toEqual([]);
	});

	test('a template whose layout settings are null, as they may be, is filled in', async () => {
		const unset = { lineHeight: null, letterSpacing: null, verticalAlign: null };
		for (const name of ['address', 'rent'] as const) {
			Object.assign(suite.field(name).fieldMeta ?? {}, unset);
		}
		const { error, items } = await suite.run(fillFromRow, [row()]);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test('a setting that only decides how a value looks is no reason to read no template', async () => {
		const odd = { fontSize: '12', overflow: null, verticalAlign: 'baseline', textAlign: null };
		Object.assign(suite.field('rent').fieldMeta ?? {}, odd);
		const preview = { ...fillFromRow, operation: 'previewDocument' };
		const [item] = await suite.outputOf(preview, [row()]);
		expect(item?.documensoPreview).toMatchObject({ action: 'send' });
	});
});

describe('what a stranger may send', () => {
	/** A template whose fields all have the same label, which counts how often they are read. */
	function counted(count: number) {
		let steps = 0;
		const watched = <One extends object>(record: One): One =>
			new Proxy(record, {
				get: (target, key, receiver) => {
					steps++;
					return Reflect.get(target, key, receiver) as unknown;
				},
			});
		const recipients = Array.from({ length: count / 10 }, (_, index) => {
			const who = { id: index, name: 'Tenant', email: `t${index}@example.com`, role: 'SIGNER' };
			return watched({ ...who, token: '', signingStatus: 'NOT_SIGNED' });
		});
		const place = { page: 1, positionX: 1, positionY: 1, width: 9, height: 4 };
		const filled = { customText: 'AL', inserted: true, fieldMeta: { label: 'Initials' } };
		const fields = Array.from({ length: count }, (_, index) =>
			watched({
				...{ id: index, type: 'TEXT', recipientId: index % 10, envelopeItemId: 'a' },
				...{ ...place, ...filled },
			}),
		);
		const template: FillableTemplate = {
			...{ id: 'envelope_a', secondaryId: 'template_1', type: 'TEMPLATE', status: 'DRAFT' },
			...{ title: 'Lease', recipients, fields },
			envelopeItems: [{ id: 'a', title: 'Lease', order: 1 }],
		};
		return { template, steps: () => steps };
	}

	test.each([
		['the columns of a spreadsheet', (template: FillableTemplate) => templateOf(template)],
		[
			'the inputs in the editor',
			(template: FillableTemplate) => columnInputs(templateOf(template)),
		],
		['the values that people filled in', (template: FillableTemplate) => filledValues(template)],
	])('%s take steps in proportion to the fields, whatever their labels', (_, work) => {
		const stepsFor = (count: number) => {
			const { template, steps } = counted(count);
			// Each comparison of names begins with it.
			const compared = jest.spyOn(String.prototype, 'normalize');
			work(template);
			const comparisons = compared.mock.calls.length;
			compared.mockRestore();
			return steps() + comparisons;
		};
		expect(stepsFor(800) / stepsFor(200)).toBeLessThan(5);
	});

	/** n8n takes requests of up to 16 MB. */
	const LONG = 8_000_000;

	test.each([
		['brackets', '('],
		['blanks', ' '],
		['letters', 'a'],
	])('a column whose name is nothing but %s is left alone', async (_, letter) => {
		const run = await suite.run(fillFromRow, [{ json: { ...tina, [letter.repeat(LONG)]: 'x' } }]);
		expect(run.error).toBeUndefined();
		expect(suite.documents()).toHaveLength(1);
	});

	test('a name that is longer than the questions of forms is still found where it is equal', async () => {
		const question = `Which of these do you want? ${'x'.repeat(300)}`;
		Object.assign(suite.field('rent').fieldMeta ?? {}, { label: question });
		await suite.outputOf(fillFromRow, [{ json: { ...tina, [question]: '900' } }]);
		const [document] = suite.documents();
		expect(document?.fields.map(({ customText }) => customText)).toContain('900');
	});

	test('two columns that mean the same are compared, however long their values are', async () => {
		const blanks = ' '.repeat(LONG);
		const json = { ...tina, Address: `${blanks}1`, address: '1' };
		expect((await suite.run(fillFromRow, [{ json }])).error).toBeUndefined();
		const { error } = await suite.run(fillFromRow, [{ json: { ...json, address: '2' } }]);
		expect(error?.message).toContain("'address' means the same as 'Address'");
	});

	test.each([
		['Address', '2 Main Street', 'address', '2 MAIN street'],
		['External ID', 'ra-1', 'external_id', 'RA-1'],
	])('two columns whose values differ in case are refused: %s', async (one, its, other, others) => {
		const { error } = await suite.run(fillFromRow, [
			{ json: { ...tina, [one]: its, [other]: others } },
		]);
		expect(error?.message).toContain(`'${other}' means the same as '${one}'`);
	});

	test('columns that nobody knows are compared once, however many items there are', async () => {
		const comparisonsFor = async (items: number) => {
			const rows = Array.from({ length: items }, (_, item) => {
				const names = Array.from(
					{ length: 700 },
					(_, index) => `Other column ${item * 700 + index}`,
				);
				return { json: { ...tina, ...Object.fromEntries(names.map((name) => [name, 'x'])) } };
			});
			const compared = jest.spyOn(String.prototype, 'normalize');
			await suite.outputOf(fillFromRow, rows);
			const count = compared.mock.calls.length;
			compared.mockRestore();
			return count;
		};
		const [few, all] = [await comparisonsFor(3), await comparisonsFor(12)];
		expect(all / few).toBeLessThan(5);
	});

	const many: IDataObject = Object.fromEntries(
		Array.from({ length: 20_000 }, (_, index) => [`c${index}`, 'x']),
	);

	test('more columns than any sheet has are refused before any request, and so many values', async () => {
		const { error } = await suite.run(fillFromRow, [{ json: { ...wholeRow, ...many } }]);
		expect(error?.message).toMatch(/^'Columns' are 2\d{4}; at most 20000 are read \[item 0\]$/);
		const prefilled = {
			...fillFromRow,
			columns: mapped(tina),
			additionalFields: { prefillJson: JSON.stringify({ ...many, another: 'x' }) },
		};
		const { error: ofPrefill } = await suite.run(prefilled, [{ json: {} }]);
		expect(ofPrefill?.message).toContain("'Prefill (JSON)' are 20001; at most 20000 are read");
		expect(lines(suite.service).filter((line) => line.startsWith('POST'))).toEqual([]);
	});
});

describe('hints', () => {
	const use = async (rows: IDataObject[], parameters: IDataObject = {}) =>
		await suite.run(
			{ ...fillFromRow, ...parameters },
			rows.map((json) => ({ json })),
		);

	test('name the boxes that are empty, with their items, when columns are mapped one by one', async () => {
		const columns = mapped({
			'Tenant email': '={{ $json.mail }}',
			'Tenant name': 'Tina',
			Rent: '',
		});
		const run = await use([{ mail: 'a@b.example' }, { mail: 'c@d.example' }], { columns });
		expect(run.error).toBeUndefined();
		expect(run.hints[0]).toBe(
			'Left for the recipients to fill in: Address, Start date, Rent, Payment.',
		);
	});

	test('name the dates that had a time of day, with their items', async () => {
		const run = await use([{ ...wholeRow, 'Start date': '2027-02-01T04:00:00Z' }, wholeRow]);
		expect(run.hints[0]).toBe(
			"These dates have a time of day, and were read in the workflow's time zone: Start date (item 0).",
		);
	});

	test('name the numbers that a workbook may show as days, with their items', async () => {
		const run = await use([{ ...wholeRow, Address: 46419 }, wholeRow]);
		expect(run.hints[0]).toContain(
			'a number which in a spreadsheet may be a day, and is printed as a number: Address (item 0).',
		);
		for (const Address of ['46419', 46419.5, 36525, 54789, 2027]) {
			expect((await use([{ ...wholeRow, Address }])).hints.join()).not.toContain('may be a day');
		}
	});

	test('name once what is filled in and can be erased by a click, but not what is locked', async () => {
		Object.assign(suite.field('rent').fieldMeta ?? {}, { readOnly: true });
		const run = await use([wholeRow, wholeRow]);
		const [hint, ...others] = run.hints;
		expect(others).toEqual([]);
		expect(hint).toContain(
			'one click on such a field erases its value: Address, Start date, Payment.',
		);
		expect(hint).toContain('turn on Read Only for these fields in the template');
	});
});
