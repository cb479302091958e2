import { startEmulator, type Emulator } from '../../emulator';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { call } from './api';

const { id: envelopeId, itemId, fields, tenantId, landlordId } = RENTAL_AGREEMENT;

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ seed: 'demo' });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

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

test('an update without data changes nothing, and is no event', async () => {
	service.webhooks.add({ url: 'http://127.0.0.1:9/' });
	const before = service.store.envelopes.get(envelopeId)?.updatedAt;
	await call(service, 'POST /envelope/update', { envelopeId });
	await call(service, 'POST /envelope/update', { envelopeId, data: {}, meta: {} });
	await service.settled();
	expect(service.deliveries).toEqual([]);
	expect(service.store.envelopes.get(envelopeId)?.updatedAt).toBe(before);
	await call(service, 'POST /envelope/update', { envelopeId, data: { title: 'New' } });
	await service.settled();
	expect(service.deliveries[0]).toMatchObject({ event: 'TEMPLATE_UPDATED' });
});

test('prefilling keeps the label only if it is repeated', async () => {
	const prefillFields = [
		{ id: fields.address, type: 'text', value: '1 High Street' },
		{ id: fields.rent, type: 'number', label: 'Rent', value: '950' },
		{ id: fields.payment, type: 'dropdown', label: 'Payment', value: 'Card' },
		{ id: fields.startDate, type: 'date', value: '2027-01-31T00:00:00' },
	];
	await call(service, 'POST /envelope/use', { payload: { envelopeId, prefillFields } });
	const [address, rent, startDate, payment] = service.store.documents[0]?.fields ?? [];
	expect(address?.fieldMeta).toMatchObject({ text: '1 High Street' });
	expect(address?.fieldMeta?.label).toBeUndefined();
	expect(rent?.fieldMeta).toMatchObject({ label: 'Rent', value: '950' });
	expect(payment?.fieldMeta).toMatchObject({ label: 'Payment', defaultValue: 'Card' });
	expect(startDate).toMatchObject({ inserted: true, customText: '2027-01-31' });
});
