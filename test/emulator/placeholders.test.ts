import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, form } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());

const people = [
	{ email: 'one@example.com', name: 'One', role: 'SIGNER' },
	{ email: 'two@example.com', name: 'Two', role: 'SIGNER' },
];

async function create(texts: string[], recipients?: object[]) {
	const uploads = [{ filename: 'a.pdf', content: await pdf(...texts) }];
	const payload = { type: 'DOCUMENT', title: 'Placeholders', recipients };
	const answer = await call(service, 'POST /envelope/create', form(payload, uploads));
	return { ...answer, envelope: service.store.envelopes.get(String(answer.body.id)) };
}

test('a placeholder becomes a field of its recipient, where its text stands', async () => {
	const { envelope } = await create(['{{signature, r2}}', 'Name: {{NAME, R1}} here'], people);
	const [one, two] = envelope?.recipients ?? [];
	// The text of 12 points at x 60, y 760 of a page of 595 x 842; its width is Helvetica's.
	expect(envelope?.fields).toMatchObject([
		{ type: 'SIGNATURE', page: 1, recipientId: two?.id, fieldMeta: { fontSize: 18 } },
		{ type: 'NAME', page: 2, recipientId: one?.id },
	]);
	const [signature] = envelope?.fields ?? [];
	expect(signature?.positionX).toBeCloseTo((60 / 595) * 100, 6);
	expect(signature?.positionY).toBeCloseTo(((842 - 769.6) / 842) * 100, 6);
	expect(signature?.width).toBeCloseTo((82.728 / 595) * 100, 6);
	expect(signature?.height).toBeCloseTo((12 / 842) * 100, 6);
});

test('its text is found in whatever way the PDF draws it', async () => {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	const page = document.addPage([595, 842]);
	page.drawText('{{date,', { x: 60, y: 700, size: 10, font });
	const x = 60 + font.widthOfTextAtSize('{{date,', 10);
	page.drawText(' r1}}', { x, y: 700, size: 10, font });
	const uploads = [{ filename: 'a.pdf', content: await document.save() }];
	const payload = { type: 'DOCUMENT', title: 'Split', recipients: people };
	const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
	expect(service.store.envelopes.get(String(body.id))?.fields).toMatchObject([{ type: 'DATE' }]);
});

test('its options become the settings of the field', async () => {
	const { envelope } = await create(
		['{{text, r1, label=City, required=true, fontSize=10}}'],
		people,
	);
	expect(envelope?.fields[0]?.fieldMeta).toEqual({
		type: 'text',
		label: 'City',
		required: true,
		fontSize: 10,
	});
});

test('a setting the field cannot have fails the upload with 500', async () => {
	expect((await create(['{{text, r1, fontSize=200}}'], people)).status).toBe(500);
});

test('without recipients in the payload, recipients are invented', async () => {
	const { envelope } = await create(['{{signature, r1}}']);
	expect(envelope?.recipients).toMatchObject([
		{ email: 'recipient.1@documenso.com', name: 'Recipient 1', signingOrder: 1, authOptions: null },
	]);
});

test('a recipient beyond the list is 400', async () => {
	for (const number of [3, 0]) {
		const { status, body } = await create([`{{signature, r${number}}}`], people);
		expect([status, body.message]).toEqual([
			400,
			`Recipient placeholder r${number} (index ${number}) is out of range. Provided 2 recipient(s).`,
		]);
		expect(body.data).toMatchObject({ code: 'INVALID_BODY' });
	}
});

test('numbers among its options are read as such', async () => {
	const { envelope } = await create(['{{text, r1, lineHeight=2}}'], people);
	expect(envelope?.fields[0]?.fieldMeta).toMatchObject({ lineHeight: 2 });
});

test('braces without a recipient, or with an unknown type, are left alone', async () => {
	const { envelope } = await create(['{{signature}} {{city, r1}}'], people);
	expect(envelope?.fields).toEqual([]);
	expect(envelope?.items[0]?.original).toBe(envelope?.items[0]?.signed);
});
