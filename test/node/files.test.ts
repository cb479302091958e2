import { createHash } from 'node:crypto';

import FormData from 'form-data';

import { startEmulator } from '../../emulator';
import { bytesOf, itemWith, runNode, useBinaryMode, type BinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, type Service } from '../support/service';

let service: Service;

beforeAll(async () => {
	service = await startEmulator();
});
beforeEach(async () => {
	await service.reset();
});
afterAll(async () => {
	await service.close();
});

const create = { resource: 'document', operation: 'create', title: 'Scan' };
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

interface Upload {
	files: Array<{ filename: string; type: string; bytes: number; sha256: string }>;
}

const uploads = () => service.calls.map(({ body }) => (body as Upload | undefined)?.files ?? []);

/** A PDF with as many bytes behind it: readers, and the service, take it for the same PDF. */
async function large(bytes: number): Promise<Buffer> {
	const head = await pdf('A large scan');
	return Buffer.concat([head, Buffer.from(`\n%${'x'.repeat(bytes)}\n`)]);
}

describe.each<BinaryMode>(['default', 'filesystem'])('with files kept in the mode %s', (mode) => {
	beforeAll(async () => {
		await useBinaryMode(mode);
	});

	test('an upload arrives byte for byte, with its exact length announced', async () => {
		const content = await large(3_000_000);
		const item = await itemWith({ data: { content, name: 'scän "1".pdf' } });
		const { error } = await runNode(credentialFor(service), create, [item]);
		expect(error).toBeUndefined();
		expect(uploads()).toMatchObject([
			[{ type: 'application/pdf', bytes: content.length, sha256: sha256(content) }],
		]);
		const { headers } = service.calls[0] ?? {};
		expect(Number(headers?.['content-length'])).toBeGreaterThan(content.length);
		expect(headers?.['transfer-encoding']).toBeUndefined();
	});

	test('a repeated upload sends the whole file again', async () => {
		const content = await large(500_000);
		const item = await itemWith({ data: { content } });
		service.fail({
			match: 'POST /envelope/create',
			status: 429,
			headers: { 'retry-after': '0' },
			body: { error: 'Too many requests' },
		});
		const { error } = await runNode(credentialFor(service), create, [item]);
		expect(error).toBeUndefined();
		expect(lines(service)).toHaveLength(2);
		expect(uploads()[1]).toMatchObject([{ sha256: sha256(content) }]);
	});

	test('a download comes out byte for byte', async () => {
		const content = await large(3_000_000);
		const item = await itemWith({ data: { content } });
		const { items: created } = await runNode(credentialFor(service), create, [item]);
		const download = { resource: 'document', operation: 'download', version: 'original' };
		const documentId = { __rl: true, mode: 'id', value: created[0]?.json.id };
		const { items } = await runNode(credentialFor(service), { ...download, documentId });
		expect(sha256(await bytesOf(items[0]))).toBe(sha256(content));
	});

	test('a download that breaks off is an error, never a short file', async () => {
		const item = await itemWith({ data: { content: await large(3_000_000) } });
		const { items: created } = await runNode(credentialFor(service), create, [item]);
		service.fail({ match: 'GET /envelope/item/*', cut: 'during', afterBytes: 1_000_000 });
		const download = { resource: 'document', operation: 'download', version: 'original' };
		const documentId = { __rl: true, mode: 'id', value: created[0]?.json.id };
		const { items, error } = await runNode(credentialFor(service), { ...download, documentId });
		expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
		expect(items).toEqual([]);
	});

	test('a file that is not a PDF is refused, whatever its name and type say', async () => {
		const item = await itemWith({ data: { content: Buffer.from('<html>404</html>') } });
		const { error } = await runNode(credentialFor(service), create, [item]);
		expect(error?.message).toMatch(/'data' is not a PDF/);
		expect(lines(service)).toEqual([]);
	});
});

test('our form reads to the service like one of the reference encoder', async () => {
	await useBinaryMode('default');
	const content = await pdf();
	await runNode(credentialFor(service), create, [
		await itemWith({ data: { content, name: 'scan.pdf' } }),
	]);
	const ours = service.calls[0]?.body as Upload & { payload: object };

	const form = new FormData();
	form.append('payload', JSON.stringify(ours.payload));
	form.append('files', content, { filename: 'scan.pdf', contentType: 'application/pdf' });
	const body = form.getBuffer();
	const answer = await fetch(`${service.url}/api/v2/envelope/create`, {
		method: 'POST',
		headers: { ...form.getHeaders(), authorization: credentialFor(service).apiToken },
		body: new Uint8Array(body),
	});
	expect(answer.status).toBe(200);
	expect(service.calls[1]?.body).toEqual(ours);
});
