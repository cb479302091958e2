import { startEmulator, type Emulator } from '../../emulator';
import { PdfTextReader } from '../../emulator/pdf/textReader';
import { call, form, signatureField, signer, statusOf } from './api';

const reader = new PdfTextReader();
let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ seed: 'empty', sealDelayMs: 0 });
});
afterAll(async () => {
	await service.close();
	await reader.close();
});

/** A PDF of one page, with a placeholder 60 points from the left and 700 from below. */
function pdfOf(page: string, { pages = '/Type /Pages', type = '/Type /Page' } = {}): Buffer {
	const content = 'BT /F1 12 Tf 60 700 Td ({{name, r1}}) Tj ET';
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		`<< ${pages} /Kids [4 0 R] /Count 1 >>`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
		`<< ${type} /Parent 2 0 R ${page} /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
		`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
	];
	let file = '%PDF-1.7\n';
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(offset).padStart(10, '0')} 00000 n \n`;
	});
	const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`;
	const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
	return Buffer.from(file + table + end, 'latin1');
}

async function upload(content: Buffer) {
	const fieldMeta = { type: 'text', label: 'City' };
	const field = { ...signatureField, type: 'TEXT', fieldMeta, positionX: 10, positionY: 80 };
	const payload = {
		...{ type: 'DOCUMENT', title: 'Pages' },
		recipients: [{ ...signer, fields: [field, signatureField] }],
	};
	const file = { filename: 'pages.pdf', content };
	const { status, body } = await call(service, 'POST /envelope/create', form(payload, [file]));
	return { status, id: String(body.id), envelope: service.store.envelopes.get(String(body.id)) };
}

async function signed(id: string, fields = {}): Promise<void> {
	await call(service, 'POST /envelope/distribute', { envelopeId: id });
	const [recipient] = service.store.envelopes.get(id)?.recipients ?? [];
	await service.sign(recipient?.token ?? '', { fields });
	await service.settled();
}

const A4 = '/MediaBox [0 0 595 842]';
const inherits = { pages: `/Type /Pages ${A4}` };

describe('Documenso measures a page from the origin to the second corner of its own box', () => {
	test.each<[string, Buffer, width: number, height: number]>([
		['a page of its own size', pdfOf(A4), 595, 842],
		['a page that inherits its size', pdfOf('', inherits), 612, 792],
		['a page without a size', pdfOf(''), 612, 792],
		['a cropped page', pdfOf(`${A4} /CropBox [50 50 545 792]`), 545, 792],
		['a crop that is larger than the page', pdfOf(`${A4} /CropBox [0 0 700 900]`), 595, 842],
		['a page that starts elsewhere', pdfOf('/MediaBox [100 100 695 942]'), 695, 942],
		['a page on its side', pdfOf(`${A4} /Rotate 90`), 842, 595],
		['a page on its head', pdfOf(`${A4} /Rotate 180`), 595, 842],
		['a page that inherits its turn', pdfOf(A4, { pages: '/Type /Pages /Rotate 90' }), 595, 842],
	])('%s', async (_, content, width, height) => {
		const { envelope } = await upload(content);
		const name = envelope?.fields.find(({ type }) => type === 'NAME');
		expect(name?.positionX).toBeCloseTo((60 / width) * 100, 6);
		expect(name?.positionY).toBeCloseTo(((height - 709.6) / height) * 100, 6);
	});

	test('a page whose second corner is on the ground', async () => {
		expect((await upload(pdfOf('/MediaBox [0 842 595 0]'))).status).toBe(500);
	});
});

/** 10 % from the left and 82.5 % from above is the middle of the field; the text is 6 points high. */
describe('a value is sealed where those measures put it, and upright', () => {
	test.each<[string, Buffer, x: number, y: number]>([
		['on an upright page', pdfOf(A4), 59.5, 144.35],
		['on a page that inherits its size', pdfOf('', inherits), 61.2, 135.6],
		['on a page that starts elsewhere', pdfOf('/MediaBox [100 100 695 942]'), 69.5, 161.85],
		['on a page on its side', pdfOf(`${A4} /Rotate 90`), 595 - 101.125, 84.2],
		['on a page on its head', pdfOf(`${A4} /Rotate 180`), 595 - 59.5, 842 - 144.35],
		['on a page on its other side', pdfOf(`${A4} /Rotate 270`), 101.125, 842 - 84.2],
	])('%s', async (_, content, x, y) => {
		const { id, envelope } = await upload(content);
		await signed(id, { City: 'Oslo' });
		const bytes = await envelope?.items[0]?.signed.read();
		const [found] = await reader.search(Buffer.from(bytes ?? []), /O/g);
		expect(found?.page).toBe(1);
		expect(found?.left).toBeCloseTo(x, 1);
		expect(found?.baseline).toBeCloseTo(y, 1);
	});
});

test('a file whose pages have no types can be signed, but is never sealed', async () => {
	const { status, id } = await upload(pdfOf(A4, { pages: '', type: '' }));
	expect(status).toBe(200);
	await signed(id);
	expect(await statusOf(service, id)).toBe('PENDING');
});

test('a page without a size can be sealed', async () => {
	const { id } = await upload(pdfOf(''));
	await signed(id);
	expect(await statusOf(service, id)).toBe('COMPLETED');
});
