import type { IDataObject } from 'n8n-workflow';

import { startEmulator } from '../../emulator';
import { EMPLOYMENT_CONTRACT, MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { loadOptionsContext, runNode } from '../support/n8n';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { credentialFor, lines, sentTo, type Service } from '../support/service';
import { mapped } from '../support/suite';

let service: Service;

beforeAll(async () => {
	service = await startEmulator({ seed: 'demo' });
});
beforeEach(async () => {
	await service.reset();
});
afterAll(async () => {
	await service.close();
});

const templateId = { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id };
const tenant = { 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina Tenant' };
const use = { operation: 'createDocument', templateId, columns: mapped(tenant) };
const readTemplate = `GET /envelope/${RENTAL_AGREEMENT.id}`;

async function run(parameters: object, items = [{ json: {} }]) {
	return await runNode(credentialFor(service), { resource: 'template', ...parameters }, items);
}

const prefill = (values: IDataObject) => ({ columns: mapped({ ...tenant, ...values }) });

describe('Create Document', () => {
	test('fills the template in and sends the document in one request, after a look for its External ID', async () => {
		const { items, error } = await run({
			...use,
			...prefill({
				Address: '1 Main Street',
				Rent: 1200,
				'Start date': '2026-12-01',
				Payment: 'Card',
			}),
			additionalFields: { title: 'Lease of Tina', externalId: 'row-1', message: 'Hello' },
		});
		expect(error).toBeUndefined();
		const lookUp = ['GET /folder', 'GET /envelope'];
		expect(lines(service)).toEqual([readTemplate, ...lookUp, 'POST /envelope/use']);
		const { fields, tenantId } = RENTAL_AGREEMENT;
		expect(sentTo(service, 'POST /envelope/use')).toEqual({
			envelopeId: RENTAL_AGREEMENT.id,
			externalId: 'row-1',
			distributeDocument: true,
			recipients: [
				{ id: tenantId, email: 'tina@example.com', name: 'Tina Tenant', signingOrder: 1 },
			],
			prefillFields: [
				{ id: fields.address, type: 'text', label: 'Address', value: '1 Main Street' },
				{ id: fields.rent, type: 'number', label: 'Rent', value: '1200' },
				{ id: fields.startDate, type: 'date', value: '2026-12-01T00:00:00' },
				{ id: fields.payment, type: 'dropdown', label: 'Payment', value: 'Card' },
			],
			override: { title: 'Lease of Tina', message: 'Hello' },
		});
		expect(items[0]?.json).toMatchObject({
			id: expect.stringMatching(/^envelope_/) as string,
			externalId: 'row-1',
			recipients: expect.arrayContaining([
				expect.objectContaining({
					email: 'tina@example.com',
					signingUrl: expect.stringContaining('/sign/') as string,
				}),
				expect.objectContaining({ email: 'landlord@example.com' }),
			]) as unknown,
		});
		expect(service.store.documents).toMatchObject([{ status: 'PENDING', title: 'Lease of Tina' }]);
	});

	test('keeps a draft when sending is off', async () => {
		await run({ ...use, send: false });
		expect(service.store.documents).toMatchObject([{ status: 'DRAFT' }]);
	});

	test('a switch that an expression turns to text is read as what it says', async () => {
		await run({ ...use, send: '={{ "false" }}' });
		expect(sentTo(service, 'POST /envelope/use').distributeDocument).toBe(false);
		const { error } = await run({ ...use, send: '={{ "perhaps" }}' });
		expect(error?.message).toBe("'Send Now' is neither true nor false [item 0]");
	});

	test('many rows read the template once', async () => {
		const rows = Array.from({ length: 12 }, (_, index) => ({
			json: { email: `row${index}@example.com` },
		}));
		const { items } = await run(
			{ ...use, columns: mapped({ 'Tenant email': '={{ $json.email }}' }) },
			rows,
		);
		expect(lines(service).filter((line) => line === readTemplate)).toHaveLength(1);
		expect(lines(service)).toHaveLength(13);
		const tenants = items.map(({ json }) =>
			(json.recipients as Array<{ email: string }>).find(({ email }) => email.startsWith('row')),
		);
		expect(tenants.map((one) => one?.email)).toEqual(rows.map(({ json }) => json.email));
	});
});

describe('before anything is created', () => {
	const bad: Array<[string, object, string, RegExp?]> = [
		[
			'a template recipient left with a placeholder',
			{ columns: mapped({}) },
			`'Tenant email' is missing: the template has nobody yet for "Tenant (SIGNER)" [item 0]`,
			/'Allow Placeholder Recipients' under 'Additional Fields' turned on/,
		],
		[
			'an unknown recipient',
			{ columns: mapped({ ...tenant, 'Guarantor email': 'g@example.com' }) },
			"'Guarantor email' is not in the template [item 0]",
			/The template has: "Tenant email", "Tenant name", .*"Anna Landlord email"/,
		],
		[
			'a malformed e-mail',
			{ columns: mapped({ 'Tenant email': 'tina' }) },
			`'Tenant email' is not an email address: "tina" [item 0]`,
		],
		[
			'a signing order that the template would not follow',
			{ columns: mapped({ ...tenant, 'Tenant signing order': 2 }) },
			"'Tenant signing order' has no effect: the template lets everyone sign at once [item 0]",
			/Turn on the signing order of the template/,
		],
		[
			'an unknown label',
			prefill({ Colour: 'red' }),
			"'Colour' is not in the template [item 0]",
			/The template has: .*"Address", "Start date", "Rent", "Payment", .*refresh the columns/,
		],
		['a field that people sign', prefill({ '5': 'x' }), "'5' is not in the template [item 0]"],
		[
			'several bad columns, each of which is named',
			prefill({ Rent: 'abc', Payment: 'Cash', 'Start date': '31.12.2026' }),
			`'Rent' is a number field, but "abc" is text; ` +
				`'Payment' has no option "Cash"; it has: "Bank transfer", "Direct debit", "Card"; ` +
				`'Start date' is a date field, but "31.12.2026" is not a date in the form 2026-12-31 [item 0]`,
		],
		[
			'the same field under two names',
			prefill({ rent: 1, 'RENT ': 2 }),
			"'RENT ' means the same as 'rent (Rent)' [item 0]",
		],
	];

	test.each(bad)('%s is refused', async (_, changes, message, description = /^/) => {
		const { error } = await run({ ...use, ...changes });
		expect(error?.message).toBe(message);
		expect(error?.description ?? '').toMatch(description);
		expect(lines(service)).toEqual([readTemplate]);
	});

	test.each([
		[
			'malformed JSON',
			{ additionalFields: { prefillJson: '{' } },
			/'Additional Fields > Prefill \(JSON\)' is not valid JSON/,
		],
		[
			'an ID that is none',
			{ templateId: { __rl: true, mode: 'id', value: '={{ 42 }}' } },
			/'Template' is "42", but an ID starts with envelope_/,
		],
	])('%s is refused without a single request', async (_, changes, message) => {
		const { error } = await run({ ...use, ...changes });
		expect(error?.message).toMatch(message);
		expect(lines(service)).toEqual([]);
	});
});

describe('Get and Get Many', () => {
	test('Get reads a template with its recipients and fields', async () => {
		const { items } = await run({ operation: 'get', templateId });
		expect(items[0]?.json).toMatchObject({ id: RENTAL_AGREEMENT.id, type: 'TEMPLATE' });
	});

	test('Get Many lists templates, oldest first when asked for', async () => {
		const { items } = await run({ operation: 'getAll', filters: { orderByDirection: 'asc' } });
		expect(items.map(({ json }) => json.title)).toEqual([
			RENTAL_AGREEMENT.title,
			MUTUAL_NDA.title,
			EMPLOYMENT_CONTRACT.title,
		]);
	});
});

describe('in the editor', () => {
	const { listSearch } = new Documenso().methods;
	const context = () =>
		loadOptionsContext(credentialFor(service), { resource: 'template', ...use });

	test('templates are found by their title', async () => {
		const { results } = await listSearch.searchTemplates.call(context(), 'nda');
		expect(results).toEqual([{ name: 'Mutual NDA', value: MUTUAL_NDA.id }]);
	});

	test('documents are listed with their status, page by page', async () => {
		for (let index = 0; index < 51; index++) {
			await run({ ...use, send: false, additionalFields: { title: `Lease ${index}` } });
		}
		const first = await listSearch.searchDocuments.call(context());
		expect(first.results).toHaveLength(50);
		expect(first.results[0]?.name).toBe('Lease 50 (draft)');
		const second = await listSearch.searchDocuments.call(
			context(),
			undefined,
			first.paginationToken as string,
		);
		expect(second.results.map(({ name }) => name)).toEqual(['Lease 0 (draft)']);
		expect(second.paginationToken).toBeUndefined();
	});
});
