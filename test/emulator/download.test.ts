import { PDFDocument } from '@cantoo/pdf-lib';
import { startEmulator, type Emulator } from '../../emulator';
import { PdfTextReader } from '../../emulator/pdf/textReader';
import { call, createDocument, sendDocument, type Answer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 5 });
});
afterAll(async () => await service.close());

function itemOf(envelopeId: string): string {
	return service.store.envelopes.get(envelopeId)?.items[0]?.id ?? '';
}

async function download(envelopeId: string, version = ''): Promise<Answer> {
	const query = version && `?version=${version}`;
	return await call(service, `GET /envelope/item/${itemOf(envelopeId)}/download${query}`);
}

function disposition({ headers }: Answer): string | null {
	return headers.get('content-disposition');
}

async function textsOf(bytes: Buffer): Promise<string[]> {
	const reader = new PdfTextReader();
	const found = await reader.search(bytes, /.+/g);
	await reader.close();
	return found.map(({ text }) => text);
}

test('an unfinished document answers its original as "signed"', async () => {
	const id = await createDocument(service);
	const [signed, original] = [await download(id), await download(id, 'original')];
	expect(signed.bytes).toEqual(original.bytes);
	expect(disposition(signed)).toBe('attachment; filename="contract_signed.pdf"');
	expect(disposition(original)).toBe('attachment; filename="contract.pdf"');
	expect(signed.headers.get('content-type')).toBe('application/pdf');
	expect(signed.headers.get('etag')).toMatch(/^[0-9a-f]{64}$/);
});

test('a completed document shows the signature and a certificate', async () => {
	const { id, tokens } = await sendDocument(service);
	await service.sign(String(tokens[0]));
	await service.settled();
	const { bytes } = await download(id, 'signed');
	const original = await PDFDocument.load((await download(id, 'original')).bytes);
	const signed = await PDFDocument.load(bytes);
	expect(signed.getPageCount()).toBe(original.getPageCount() + 1);
	const texts = await textsOf(bytes);
	// In the field, and on the certificate as name and as signature.
	expect(texts.filter((text) => text === 'Sally Signer')).toHaveLength(3);
	expect(texts).toContain('Signing certificate');
});

test('the pending version exists while pending, and can be revalidated', async () => {
	const { id } = await sendDocument(service);
	const pending = await download(id, 'pending');
	expect(pending.status).toBe(200);
	expect(disposition(pending)).toBe('attachment; filename="contract_pending.pdf"');
	const known = { authorization: 'api_local_emulator_only', 'if-none-match': etagOf(pending) };
	const url = `${service.url}/api/v2/envelope/item/${itemOf(id)}/download`;
	expect((await fetch(`${url}?version=pending`, { headers: known })).status).toBe(304);
	const original = etagOf(await download(id, 'original'));
	const headers = { ...known, 'if-none-match': original };
	expect((await fetch(`${url}?version=original`, { headers })).status).toBe(200);
});

test('outside PENDING the pending version is 400 with a code for the status', async () => {
	const draft = await download(await createDocument(service), 'pending');
	expect(draft.status).toBe(400);
	expect(draft.body).toMatchObject({ code: 'ENVELOPE_DRAFT' });
	const { id } = await sendDocument(service);
	await call(service, 'POST /envelope/cancel', { envelopeId: id });
	expect((await download(id, 'pending')).body).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a field on a page the file does not have keeps the document pending for ever', async () => {
	const fields = [{ type: 'SIGNATURE', page: 9, positionX: 1, positionY: 1, width: 5, height: 5 }];
	const recipients = [{ email: 'a@example.com', name: 'A', role: 'SIGNER', fields }];
	const { id, tokens } = await sendDocument(service, { recipients });
	await service.sign(String(tokens[0]));
	await service.settled();
	expect(service.store.envelopes.get(id)?.status).toBe('PENDING');
	expect((await download(id, 'pending')).status).toBe(500);
});

function etagOf({ headers }: Answer): string {
	return headers.get('etag') ?? '';
}
