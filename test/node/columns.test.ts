import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { loadOptionsContext } from '../support/n8n';
import { credentialFor, lines, sentTo } from '../support/service';
import { boxes, automatic, byId, mapped, useService } from '../support/suite';

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

async function inputs(parameters?: IDataObject) {
	return (await resourceMapping.getTemplateColumns.call(context(parameters))).fields;
}

const ofRecipients = 6;

describe('in the editor', () => {
	test('each recipient of the chosen template has an e-mail, a name and an order', async () => {
		const shown = (await inputs()).slice(0, ofRecipients);
		expect(shown.map(({ id, displayName }) => [id, displayName])).toEqual([
			['Tenant email', 'Tenant Email'],
			['Tenant name', 'Tenant Name'],
			['Tenant signing order', 'Tenant Signing Order'],
			['Anna Landlord email', 'Anna Landlord Email'],
			['Anna Landlord name', 'Anna Landlord Name'],
			['Anna Landlord signing order', 'Anna Landlord Signing Order'],
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

	test('a recipient who does not sign is shown with the role', async () => {
		const [, landlord] = suite.template().recipients;
		if (landlord) landlord.role = 'CC';
		const labels = (await inputs()).map(({ displayName }) => displayName);
		expect(labels).toContain('Anna Landlord Email (CC)');
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

	test('an email and a name are text, an order is a number', async () => {
		const types = (await inputs()).slice(0, 3).map(({ type }) => type);
		expect(types).toEqual(['string', 'string', 'number']);
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
	const auto = { ...use, columns: automatic };

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
			`'Note' matches several columns: "Note (page 1, Tenant)", "Note (page 2, Tenant)" [item 0]`,
		);
	});

	test('the document takes its title from a column, unless one is entered', async () => {
		const titleOf = async (additionalFields: IDataObject) => {
			const json = { ...columns, document_title: 'Lease of Tina' };
			return (await use1(json, { additionalFields })).override;
		};
		expect(await titleOf({})).toEqual({ title: 'Lease of Tina' });
		expect(await titleOf({ title: 'Lease' })).toEqual({ title: 'Lease' });
		const { error } = await suite.run(auto, [
			{ json: { ...columns, 'Document title': 'x'.repeat(256) } },
		]);
		expect(error?.message).toMatch(/^'Document title' /);
	});

	test('a missing column is named beside those that are there', async () => {
		const { error } = await suite.run(auto, [{ json: { Mail: 'tina@example.com', Rent: 3 } }]);
		expect(error?.message).toMatch(/^'Tenant email' is missing/);
		expect(error?.description).toContain('The item has the columns: Mail, Rent.');
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
		const { fields } = await resourceMapping.getTemplateColumns.call(chosen);
		expect(fields.map(({ id }) => id)).toContain('Rent');
	});

	test('fails when no template has the number', async () => {
		await expect(resourceMapping.getTemplateColumns.call(ofNumber(987))).rejects.toThrow(
			"'Template Number' is 987, but no template has this number",
		);
	});
});
