import { startEmulator, type Emulator } from '../../emulator';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { pdf } from '../support/pdf';
import { call, form } from './api';

const { id: envelopeId, itemId, fields, tenantId, landlordId } = RENTAL_AGREEMENT;
const tenant = { id: tenantId, email: 'tenant@example.com', name: 'Tom Tenant' };

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ seed: 'demo' });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function use(payload: object) {
	const whole = { envelopeId, ...payload };
	const answer = await call(service, 'POST /envelope/use', { payload: whole });
	return { ...answer, document: service.store.documents.at(-1) };
}

test('the seed holds what its constants say', async () => {
	const { body } = await call(service, `GET /envelope/${envelopeId}`);
	expect(body).toMatchObject({
		title: RENTAL_AGREEMENT.title,
		recipients: [
			{ id: tenantId, email: 'recipient.1@documenso.com', name: 'Tenant' },
			{ id: landlordId, email: 'landlord@example.com', name: 'Anna Landlord' },
		],
		envelopeItems: [{ id: itemId }],
	});
	const labels = (body.fields as Array<{ id: number; fieldMeta: { label?: string } }>).map(
		({ id, fieldMeta }) => [id, fieldMeta.label],
	);
	expect(labels.slice(0, 4)).toEqual([
		[fields.address, 'Address'],
		[fields.rent, 'Rent'],
		[fields.startDate, 'Start date'],
		[fields.payment, 'Payment'],
	]);
	expect(labels.map(([id]) => id)).toEqual(Object.values(fields));
	const nda = service.store.envelopes.get(MUTUAL_NDA.id);
	expect(nda?.recipients[0]?.id).toBe(MUTUAL_NDA.signerId);
	expect(nda?.fields.map(({ id }) => id)).toEqual(Object.values(MUTUAL_NDA.fields));
});

test('a document remembers its template and keeps who was not named', async () => {
	const { body, document } = await use({ recipients: [tenant], externalId: 'row-1' });
	expect(body.id).toBe(document?.id);
	expect(document).toMatchObject({
		status: 'DRAFT',
		source: 'TEMPLATE',
		templateId: 1,
		externalId: 'row-1',
		title: 'Rental agreement',
		items: [{ title: 'Rental agreement' }],
		recipients: [{ email: 'tenant@example.com' }, { email: 'landlord@example.com' }],
	});
	expect(document?.fields).toHaveLength(8);
});

test('a recipient named without a name loses it', async () => {
	const { document } = await use({ recipients: [{ id: tenantId, email: 'tenant@example.com' }] });
	expect(document?.recipients[0]?.name).toBe('');
});

test('an unknown recipient or a document instead of a template is refused', async () => {
	const stranger = await use({ recipients: [{ id: 99, email: 'x@example.com' }] });
	expect(stranger.status).toBe(400);
	expect(stranger.body.message).toBe('Recipient with ID 99 not found in the template.');
	const { document } = await use({});
	expect((await use({ envelopeId: document?.id })).status).toBe(404);
});

test('prefilling keeps the label only if it is repeated', async () => {
	const { document } = await use({
		prefillFields: [
			{ id: fields.address, type: 'text', value: '1 High Street' },
			{ id: fields.rent, type: 'number', label: 'Rent', value: '950' },
			{ id: fields.payment, type: 'dropdown', label: 'Payment', value: 'Card' },
			{ id: fields.startDate, type: 'date', value: '2027-01-31T00:00:00' },
		],
	});
	const [address, rent, startDate, payment] = document?.fields ?? [];
	expect(address?.fieldMeta).toMatchObject({ text: '1 High Street' });
	expect(address?.fieldMeta?.label).toBeUndefined();
	expect(rent?.fieldMeta).toMatchObject({ label: 'Rent', value: '950' });
	expect(payment?.fieldMeta).toMatchObject({ label: 'Payment', defaultValue: 'Card' });
	expect(startDate).toMatchObject({ inserted: true, customText: '2027-01-31' });
});

test('a prefill that does not fit its field is refused', async () => {
	for (const prefill of [
		{ id: 99, type: 'text', value: 'x' },
		{ id: fields.address, type: 'number', value: '1' },
		{ id: fields.address, type: 'text' },
		{ id: fields.payment, type: 'dropdown', value: 'Barter' },
		{ id: fields.startDate, type: 'date', value: 'soon' },
	]) {
		const { status, body } = await use({ prefillFields: [prefill] });
		expect(status).toBe(400);
		expect(body.data).toMatchObject({ code: 'INVALID_BODY' });
	}
	expect(service.store.documents).toEqual([]);
});

test('distributeDocument sends it with its presets filled in', async () => {
	const prefillFields = [{ id: fields.address, type: 'text', value: '1 High Street' }];
	const { document } = await use({ recipients: [tenant], prefillFields, distributeDocument: true });
	expect(document?.status).toBe('PENDING');
	expect(document?.fields[0]).toMatchObject({ inserted: true, customText: '1 High Street' });
});

test('when sending fails, the draft stays and its id is not told', async () => {
	const template = service.store.envelopes.get(envelopeId);
	if (template) template.fields = [];
	const { status, body } = await use({ externalId: 'row-9', distributeDocument: true });
	expect(status).toBe(400);
	expect(body.data).toMatchObject({ code: 'DOCUMENT_SEND_FAILED' });
	expect(service.store.documents).toMatchObject([{ externalId: 'row-9', status: 'DRAFT' }]);
});

test('an uploaded file takes the place of a template item', async () => {
	const content = await pdf('Another contract');
	const customDocumentData = [{ identifier: 'own.pdf', envelopeItemId: itemId }];
	const data = form({ envelopeId, customDocumentData }, [{ filename: 'own.pdf', content }]);
	const { status } = await call(service, 'POST /envelope/use', data);
	expect(status).toBe(200);
	const [item] = service.store.documents[0]?.items ?? [];
	expect(await item?.original.read()).toEqual(content);
});
