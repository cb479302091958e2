import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import { boxes, automatic, byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { resourceMapping } = new Documenso().methods;

const use = {
	resource: 'template',
	operation: 'createDocument',
	templateId: byId(RENTAL_AGREEMENT.id),
};

function context(parameters: IDataObject = {}) {
	return loadOptionsContext(credentialFor(suite.service), { ...use, ...parameters });
}

async function recipientInputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateRecipients.call(context(parameters))).fields;
}

async function fieldInputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateFields.call(context(parameters))).fields;
}

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
		suite.become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
		suite.become('address', 'CHECKBOX', {
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

	test('an email and a name are text, an order is a number', async () => {
		const types = (await recipientInputs()).slice(0, 3).map(({ type }) => type);
		expect(types).toEqual(['string', 'string', 'number']);
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
		const meta = suite.field('rent').fieldMeta;
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
		suite.become('address', 'TEXT', { label: 'Note' });
		suite.become('payment', 'TEXT', { label: 'Note' });
		suite.field('payment').page = 2;
		const { error } = await suite.run(auto, [{ json: { ...columns, Note: 'x' } }]);
		expect(error?.message).toBe(
			`'Note' may be any of "Note (page 1, Tenant)", "Note (page 2, Tenant)": use one of these names [item 0]`,
		);
	});

	test('a missing column is named beside those that are there', async () => {
		const { error } = await suite.run(auto, [{ json: { Mail: 'tina@example.com', Rent: 3 } }]);
		expect(error?.message).toMatch(/^'Tenant email' is missing/);
		expect(error?.description).toContain('the columns are: Mail, Rent.');
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

describe('the deprecated operation', () => {
	const ofNumber = (templateNumber: number) => {
		const { templateId: _, ...rest } = use;
		const chosen = { ...rest, resource: 'templateDeprecated', templateNumber };
		return loadOptionsContext(credentialFor(suite.service), chosen);
	};

	test('has the same columns, by the number of the template', async () => {
		const chosen = ofNumber(suite.template().legacyId);
		const { fields } = await resourceMapping.getTemplateFields.call(chosen);
		expect(fields.map(({ id }) => id)).toContain('Rent');
	});

	test('fails when no template has the number', async () => {
		await expect(resourceMapping.getTemplateFields.call(ofNumber(987))).rejects.toThrow(
			"'Template Number' is 987, but no template has this number",
		);
	});
});
