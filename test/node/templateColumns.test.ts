import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import { automatic, byId, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { resourceMapping } = new Documenso().methods;

const use = {
	resource: 'template',
	operation: 'createDocument',
	templateId: byId(RENTAL_AGREEMENT.id),
};
const tenant = mapped({ 'Tenant email': 'tina@example.com' });

function context(parameters: IDataObject = {}) {
	return loadOptionsContext(credentialFor(suite.service), { ...use, ...parameters });
}

async function recipientInputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateRecipients.call(context(parameters))).fields;
}

async function fieldInputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateFields.call(context(parameters))).fields;
}

/** The template's field, to be changed. */
function field(name: keyof typeof RENTAL_AGREEMENT.fields): Field {
	const found = suite.template().fields.find(({ id }) => id === RENTAL_AGREEMENT.fields[name]);
	if (!found) throw new Error(`The template has lost its field ${name}`);
	return found;
}

function become(name: keyof typeof RENTAL_AGREEMENT.fields, type: string, meta: object) {
	Object.assign(field(name), { type, fieldMeta: { type: type.toLowerCase(), ...meta } });
}

const boxes = (...values: string[]) =>
	values.map((value, index) => ({ id: index + 1, checked: false, value }));

describe('in the editor', () => {
	test('each recipient of the chosen template has an e-mail, a name and an order', async () => {
		const inputs = await recipientInputs();
		expect(inputs.map(({ id, displayName }) => [id, displayName])).toEqual([
			['Tenant email', 'Tenant email (SIGNER)'],
			['Tenant name', 'Tenant name (SIGNER)'],
			['Tenant signing order', 'Tenant signing order (SIGNER)'],
			['Anna Landlord email', 'Anna Landlord email (SIGNER)'],
			['Anna Landlord name', 'Anna Landlord name (SIGNER)'],
			['Anna Landlord signing order', 'Anna Landlord signing order (SIGNER)'],
		]);
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`]);
	});

	test('an e-mail is mandatory where the template has nobody yet, unless placeholders are allowed', async () => {
		const required = (inputs: Array<{ id: string; required: boolean }>) =>
			inputs.filter((input) => input.required).map(({ id }) => id);
		expect(required(await recipientInputs())).toEqual(['Tenant email']);
		const additionalFields = { allowPlaceholders: true };
		expect(required(await recipientInputs({ additionalFields }))).toEqual([]);
	});

	test('orders are shown at once where the template lets one sign after another', async () => {
		const hidden = async () =>
			(await recipientInputs()).filter(({ removed }) => removed).map(({ id }) => id);
		expect(await hidden()).toEqual(['Tenant signing order', 'Anna Landlord signing order']);
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		expect(await hidden()).toEqual([]);
	});

	test('each field that can be prefilled is an input of its kind, as they follow on the pages', async () => {
		expect(await fieldInputs()).toMatchObject([
			{ id: 'Address', displayName: 'Address (required)', type: 'string' },
			{ id: 'Start date', displayName: 'Start date', type: 'dateTime' },
			{ id: 'Rent', displayName: 'Rent (required)', type: 'number' },
			{
				id: 'Payment',
				displayName: 'Payment (required)',
				type: 'options',
				options: ['Bank transfer', 'Direct debit', 'Card'].map((value) => ({ name: value, value })),
			},
			{ id: 'Date on page 2 (Tenant)', type: 'dateTime' },
			{ id: 'Date on page 2 (Anna Landlord)', type: 'dateTime' },
		]);
	});

	test('a field with a number format takes text, a multiple choice tells its options', async () => {
		become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
		become('address', 'CHECKBOX', {
			label: 'Extras',
			readOnly: true,
			values: boxes('Cellar', 'Garage'),
		});
		expect(await fieldInputs()).toEqual(
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
		expect(await resourceMapping.getTemplateFields.call(context({ templateId }))).toEqual(empty);
		expect(await resourceMapping.getTemplateRecipients.call(context({ templateId }))).toEqual(
			empty,
		);
	});

	test('a renamed field is there after a refresh', async () => {
		const meta = field('rent').fieldMeta;
		if (meta) Object.assign(meta, { label: 'Monthly rent' });
		expect((await fieldInputs()).map(({ id }) => id)).toContain('Monthly rent');
	});
});

describe('Map Automatically', () => {
	const columns = {
		'Tenant email': 'tina@example.com',
		'Tenant name': 'Tina Tenant',
		Rent: '1200',
		'Start date': '2027-02-01',
	};
	const auto = { ...use, templateRecipients: automatic, prefillFields: automatic };

	async function use1(json: IDataObject, changes: IDataObject = {}) {
		suite.service.calls.length = 0;
		const { error } = await suite.run({ ...auto, ...changes }, [{ json }]);
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
			Address: '',
			Payment: null,
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

	test('a column that fits several fields is refused with their names', async () => {
		become('address', 'TEXT', { label: 'Note' });
		become('payment', 'TEXT', { label: 'Note' });
		field('payment').page = 2;
		const { error } = await suite.run(auto, [{ json: { ...columns, Note: 'x' } }]);
		expect(error?.message).toBe(
			`'Note' may be any of "Note (page 1, Tenant)", "Note (page 2, Tenant)": name the one that is meant [item 0]`,
		);
	});

	test('a missing column is named beside those that are there', async () => {
		const { error } = await suite.run(auto, [{ json: { Mail: 'tina@example.com', Rent: 3 } }]);
		expect(error?.message).toMatch(/^'Tenant email' is missing/);
		expect(error?.description).toContain('the columns are: Mail, Rent.');
	});

	test('an External ID column is used, unless an external ID is entered', async () => {
		expect(await use1({ ...columns, 'External ID': 'RA-7' })).toMatchObject({ externalId: 'RA-7' });
		expect(await use1({ ...columns, external_id: 8 })).toMatchObject({ externalId: '8' });
		const additionalFields = { externalId: '={{ $json.Rent }}' };
		expect(await use1({ ...columns, external_id: 8 }, { additionalFields })).toMatchObject({
			externalId: '1200',
		});
	});

	test('the template may be another one for each row', async () => {
		const other = { ...suite.template(), id: 'envelope_othertemplatexxx' };
		suite.service.store.envelopes.set(other.id, other);
		const items = [RENTAL_AGREEMENT.id, other.id].map((id) => ({ json: { ...columns, id } }));
		const { error } = await suite.run({ ...auto, templateId: byId('={{ $json.id }}') }, items);
		expect(error).toBeUndefined();
		expect(suite.service.store.documents).toHaveLength(2);
	});
});

describe('values', () => {
	async function prefilled(values: IDataObject, changes: IDataObject = {}, item: IDataObject = {}) {
		suite.service.calls.length = 0;
		const parameters = { ...use, templateRecipients: tenant, prefillFields: mapped(values) };
		const { error } = await suite.run({ ...parameters, ...changes }, [{ json: item }]);
		if (error) throw error;
		return sentTo(suite.service, 'POST /envelope/use').prefillFields as Array<{ value: unknown }>;
	}

	test.each([
		['quotes', `She said "it's fine" \\ and left`],
		['emoji', '🏠 Flat 3 👩‍👩‍👧 ✅'],
		['right-to-left text', 'שלום, דירה 3 — العربية'],
		['10,000 characters', 'ä'.repeat(10_000)],
		['lines', 'Flat 3\n12 Quay Street\tBristol'],
		['what looks like a placeholder', '{{signature, r1}} {{ $json.x }} ${x}'],
	])('%s arrive as they are', async (_, text) => {
		const [sent] = await prefilled({ Address: '={{ $json.text }}' }, {}, { text });
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
		become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
		expect(await prefilled({ Rent: '={{ 1234567 }}' })).toMatchObject([
			{ type: 'number', value: '1.234.567,00' },
		]);
	});

	test('the options of a choice are found whatever their case, and sent as the template has them', async () => {
		expect(await prefilled({ Payment: ' direct DEBIT ' })).toMatchObject([
			{ value: 'Direct debit' },
		]);
	});

	test('several choices may come as a list of an expression', async () => {
		become('payment', 'CHECKBOX', { label: 'Extras', values: boxes('Cellar', 'Garage') });
		expect(await prefilled({ Extras: '={{ ["Garage"] }}' })).toMatchObject([
			{ type: 'checkbox', value: ['Garage'] },
		]);
	});

	test.each([
		['Address', '={{ [1] }}', 'is a text field, but "[1]" is a list'],
		// Expressions give a date that is none as text.
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
		const parameters = { ...use, templateRecipients: tenant };
		const { error } = await suite.run({ ...parameters, prefillFields: mapped({ [name]: value }) });
		expect(error?.message).toBe(`'${name}' ${fault} [item 0]`);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('JSON that is a list is refused, and an item without columns is told so', async () => {
		const list = { ...use, templateRecipients: tenant, specifyPrefill: 'json', prefillJson: '[1]' };
		expect((await suite.run(list)).error?.message).toBe(
			"'Prefill (JSON)' is not an object with labels and values [item 0]",
		);
		const { error } = await suite.run({ ...use, templateRecipients: automatic });
		expect(error?.description).toContain('the columns are: none.');
	});

	test('JSON of an expression or a program names fields by their labels', async () => {
		const json = { address: 'A', RENT: 3, Payment: 'Card', 'Start date': null };
		const sent = await prefilled({}, { specifyPrefill: 'json', prefillJson: '={{ $json }}' }, json);
		expect(sent.map(({ value }) => value)).toEqual(['A', '3', 'Card']);
		const { error } = await suite.run({
			...use,
			templateRecipients: tenant,
			specifyPrefill: 'json',
			prefillJson: '{ "Colour": "red" }',
		});
		expect(error?.message).toBe("'Colour' is not in the template [item 0]");
	});
});

test('the deprecated operation has the same columns, by the number of the template', async () => {
	const { templateId: _, ...rest } = { ...use, resource: 'templateDeprecated' };
	const chosen = loadOptionsContext(credentialFor(suite.service), {
		...rest,
		templateNumber: suite.template().legacyId,
	});
	const { fields } = await resourceMapping.getTemplateFields.call(chosen);
	expect(fields.map(({ id }) => id)).toContain('Rent');
});
