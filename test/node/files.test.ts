import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import FormData from 'form-data';
import { BinaryDataService } from 'n8n-core';

import { startEmulator } from '../../emulator';
import {
	bytesOf,
	documenso,
	execute,
	fieldOf,
	itemWith,
	runNode,
	useBinaryMode,
	type BinaryMode,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, type Service } from '../support/service';
import { contract } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

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

/** Without the request that reads the first document for its team. */
const creations = () => service.calls.filter(({ path }) => path === '/envelope/create');
const uploads = () => creations().map(({ body }) => (body as Upload | undefined)?.files ?? []);

/** A PDF with so many bytes in all; PDF readers and the service ignore those behind its end. */
async function large(bytes: number): Promise<Buffer> {
	const head = await pdf('A large scan');
	return Buffer.concat([head, Buffer.from(`\n%${'x'.repeat(bytes)}\n`)]);
}

describe.each<BinaryMode>(['default', 'filesystem', 's3', 'combined'])(
	'with files kept in the mode %s',
	(mode) => {
		beforeAll(async () => await useBinaryMode(mode));
		const createFromFile = () => ({ ...create, binaryPropertyName: fieldOf('data') });

		test('an upload’s name has no control or direction characters', async () => {
			const name = 'Lease\u202Efdp\r\nX-Header: 1\0.pdf';
			const item = await itemWith({ data: { content: await pdf('A lease'), name } });
			const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
			expect(error).toBeUndefined();
			expect(uploads()[0]?.map(({ filename }) => filename)).toEqual(['LeasefdpX-Header: 1.pdf']);
		});

		test('and a field finds its file by the name as it was', async () => {
			const name = 'Lease\u202Efdp.pdf';
			const item = await itemWith({ data: { content: await pdf('A lease'), name } });
			const [field] = contract.fields.field;
			const fields = { field: [{ ...field, options: { identifier: name } }] };
			const parameters = { ...createFromFile(), ...contract, fields };
			const { error } = await runNode(credentialFor(service), parameters, [item]);
			expect(error).toBeUndefined();
		});

		test('an upload arrives byte for byte, with its exact length announced', async () => {
			const content = await large(3_000_000);
			const item = await itemWith({ data: { content, name: 'scän "1".pdf' } });
			const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
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
				times: 2,
				status: 429,
				headers: { 'retry-after': '0' },
				body: { error: 'Too many requests' },
			});
			const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
			expect(error).toBeUndefined();
			const whole = [expect.objectContaining({ sha256: sha256(content) })];
			expect(uploads()).toEqual([whole, whole, whole]);
			const lengths = creations().map(({ headers }) => headers['content-length']);
			expect(new Set(lengths).size).toBe(1);
		});

		test('a file that an expression finds is taken like one that is named', async () => {
			const content = await pdf('Found');
			const item = await itemWith({ data: { content }, more: { content, name: 'two.pdf' } });
			const place = mode === 'combined' ? '$json._files' : "$('Source').item.binary";
			for (const [file, count] of [
				[`={{ ${place}.data }}`, 1],
				[`={{ [${place}.data, ${place}.more] }}`, 2],
			] as const) {
				service.calls.length = 0;
				const parameters = { ...create, binaryPropertyName: file };
				const { error } = await runNode(credentialFor(service), parameters, [item]);
				expect(error).toBeUndefined();
				const names = uploads().map((files) => files.map(({ filename }) => filename));
				expect(names).toEqual([['data.pdf', 'two.pdf'].slice(0, count)]);
			}
		});

		test('what one of our nodes downloads, the next one uploads', async () => {
			const content = await large(500_000);
			const made = await runNode(credentialFor(service), createFromFile(), [
				await itemWith({ data: { content } }),
			]);
			service.calls.length = 0;
			const documentId = { __rl: true, mode: 'id', value: made.items[0]?.json.id };
			const get = { resource: 'document', operation: 'download', version: 'original', documentId };
			// n8n combines a file with the item's JSON only where it keeps files apart from items.
			const again = { ...create, binaryPropertyName: fieldOf('data') };
			const nodes = [documenso(get, { name: 'First' }), documenso(again, { name: 'Second' })];
			const { data } = await execute(credentialFor(service), nodes, [{ json: {} }]);
			expect(data.resultData.error).toBeUndefined();
			expect(uploads().at(-1)).toMatchObject([{ bytes: content.length, sha256: sha256(content) }]);
		});

		test.each([302, 308])(
			'an upload that is redirected by a %s is not sent on',
			async (status) => {
				const item = await itemWith({ data: { content: await large(500_000) } });
				const location = 'https://sign.example.com/api/v2/envelope/create';
				service.fail({ match: 'POST /envelope/create', status, headers: { location }, body: '' });
				const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
				expect(error?.message).toBe(`Documenso redirected the request to ${location}`);
				expect(lines(service).filter((line) => line.startsWith('POST'))).toHaveLength(1);
			},
			20_000,
		);

		test.each<[string, unknown, string]>([
			['JSON', { message: 'Too large', code: 'BAD_REQUEST' }, 'Too large'],
			['a page of a proxy’s', '<html>Too large</html>', "Documenso's answer could not be read"],
		])(
			'an upload that is refused with %s says why, and what to do',
			async (_, body, message) => {
				const item = await itemWith({ data: { content: await large(500_000) } });
				service.fail({ match: 'POST /envelope/create', status: 413, body });
				const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
				expect(error).toMatchObject({ message, httpCode: '413' });
				expect(error?.description).toContain('larger than this Documenso accepts');
			},
			20_000,
		);

		test('an upload that breaks off half way is looked for, and then an error; its file is closed', async () => {
			const item = await itemWith({ data: { content: await large(9_000_000) } });
			service.fail({ match: 'POST /envelope/create', cut: 'before', afterBytes: 1_000_000 });
			const opening = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
			const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
			expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
			expect(error?.description).toContain('the document with the External ID n8n:');
			expect(service.store.documents).toEqual([]);
			const streams = opening.mock.results.map(({ value }) => value as Promise<Readable>);
			const opened = await Promise.all(streams);
			expect(opened.filter(({ destroyed }) => !destroyed)).toEqual([]);
			opening.mockRestore();
		});

		test('a download comes out byte for byte', async () => {
			const content = await large(3_000_000);
			const item = await itemWith({ data: { content } });
			const { items: created } = await runNode(credentialFor(service), createFromFile(), [item]);
			const download = { resource: 'document', operation: 'download', version: 'original' };
			const documentId = { __rl: true, mode: 'id', value: created[0]?.json.id };
			const { items } = await runNode(credentialFor(service), { ...download, documentId });
			expect(sha256(await bytesOf(items[0]))).toBe(sha256(content));
		});

		test('a file that is not a PDF is refused, whatever its name and type say', async () => {
			const item = await itemWith({ data: { content: Buffer.from('<html>404</html>') } });
			const { error } = await runNode(credentialFor(service), createFromFile(), [item]);
			expect(error?.message).toBe(
				`The file in '${fieldOf('data')}' is neither a PDF nor a Word file (.docx) [item 0]`,
			);
			expect(lines(service)).toEqual([]);
		});
	},
);

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
	expect(creations()[1]?.body).toEqual(ours);
});
