import { startEmulator } from '../../emulator';
import { bytesOf, itemWith, runNode, useBinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo, type Service } from '../support/service';
import { byId, createAndSend as contract, ending, signature, signer } from '../support/suite';

let service: Service;

beforeAll(async () => {
	await useBinaryMode('default');
	service = await startEmulator({ sealDelayMs: 0 });
});
beforeEach(async () => {
	await service.reset();
});
afterAll(async () => {
	await service.close();
});

async function run(parameters: object, items = [{ json: {} }]) {
	return await runNode(credentialFor(service), { resource: 'document', ...parameters }, items);
}

async function create(changes: object = {}): Promise<string> {
	const item = await itemWith({ data: { content: await pdf() } });
	const { items, error } = await run({ ...contract, ...changes }, [item]);
	if (error) throw error;
	return items[0]?.json.id as string;
}

describe('Create', () => {
	test('makes a draft of several PDFs, with recipients, their fields and settings', async () => {
		const item = await itemWith({
			lease: { content: await pdf('The lease'), name: 'lease.pdf' },
			rules: { content: await pdf('House rules', 'Page two'), name: 'house "rules" ✓.pdf' },
		});
		const { items, error } = await run(
			{
				...contract,
				operation: 'create',
				binaryPropertyName: 'lease, rules',
				fields: {
					field: [
						signature,
						{
							...signature,
							type: 'TEXT',
							page: 2,
							options: { identifier: '1', label: 'Place', required: false },
						},
					],
				},
				additionalFields: {
					subject: 'Please sign',
					externalId: 'row-7',
					signatureTypes: ['typedSignatureEnabled'],
				},
			},
			[item],
		);

		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: {
					id: expect.stringMatching(/^envelope_/) as string,
					title: 'Lease',
					status: 'DRAFT',
					url: expect.stringMatching(/\/t\/\w+\/documents\/envelope_\w+$/) as string,
					externalId: 'row-7',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(lines(service)).toContain('POST /envelope/create');
		const position = { page: 1, positionX: 10, positionY: 80, width: 30, height: 6 };
		expect(sentTo(service, 'POST /envelope/create')).toEqual({
			type: 'DOCUMENT',
			title: 'Lease',
			externalId: 'row-7',
			recipients: [
				{
					...signer,
					fields: [
						{ type: 'SIGNATURE', ...position, fieldMeta: { type: 'signature', required: true } },
						{
							type: 'TEXT',
							...position,
							page: 2,
							identifier: 1,
							fieldMeta: { type: 'text', label: 'Place', required: false },
						},
					],
				},
			],
			meta: {
				subject: 'Please sign',
				typedSignatureEnabled: true,
				drawSignatureEnabled: false,
				uploadSignatureEnabled: false,
			},
		});
		const { body } = service.calls.find(({ path }) => path === '/envelope/create') ?? {};
		expect((body as { files: Array<{ filename: string; type: string }> }).files).toMatchObject([
			{ name: 'files', filename: 'lease.pdf', type: 'application/pdf' },
			{ name: 'files', filename: 'house "rules" ✓.pdf', type: 'application/pdf' },
		]);
	});

	test('an order among the recipients makes them sign one after another', async () => {
		const cc = { email: 'cc@example.com', name: '', role: 'CC', signingOrder: 0 };
		await create({
			operation: 'create',
			recipients: { recipient: [{ ...signer, signingOrder: 2 }, cc] },
		});
		const { meta, recipients } = sentTo(service, 'POST /envelope/create');
		expect(meta).toEqual({ signingOrder: 'SEQUENTIAL' });
		expect(recipients).toMatchObject([{ signingOrder: 2 }, { email: 'cc@example.com' }]);
	});

	test('recipients can come as JSON, with their fields', async () => {
		const { recipient: _, ...placed } = signature;
		await create({
			operation: 'create',
			specifyRecipients: 'json',
			recipientsJson: JSON.stringify([{ email: signer.email, name: 'Tina', fields: [placed] }]),
		});
		expect(sentTo(service, 'POST /envelope/create').recipients).toEqual([
			{ ...signer, fields: [placed] },
		]);
	});

	test('placeholders in the PDF become fields', async () => {
		const item = await itemWith({ data: { content: await pdf('Sign here: {{signature, r1}}') } });
		const { items } = await run({ ...contract, operation: 'create', fields: {} }, [item]);
		const draft = service.store.envelopes.get(items[0]?.json.id as string);
		expect(draft?.fields.map(({ type }) => type)).toEqual(['SIGNATURE']);
	});

	test('a placeholder of a recipient that there is not is explained by the name of its file', async () => {
		const content = await pdf('Sign here: {{signature, r2}}');
		const item = await itemWith({ data: { content, name: 'lease.pdf' } });
		const { error } = await run({ ...contract, operation: 'create' }, [item]);
		expect(error?.message).toBe(
			'lease.pdf contains a placeholder for the recipient r2, but there is no such recipient',
		);
		expect(error?.description).toMatch(
			/^Add the recipient, or remove text such as \{\{signature, r2\}\} from the file: .*is off/,
		);
	});
});

describe('Create and Send', () => {
	test('sends what it made, and returns the signing links', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const { items, error } = await run(contract, [item]);
		expect(error).toBeUndefined();
		const { id } = items[0]?.json ?? {};
		expect(lines(service)).toEqual([
			'POST /envelope/create',
			'POST /envelope/distribute',
			// The document's address contains its team, which no other answer contains.
			`GET /envelope/${id as string}`,
		]);
		expect(items[0]?.json).toMatchObject({
			status: 'PENDING',
			recipients: [
				{ email: 'tenant@example.com', signingUrl: expect.stringContaining('/sign/') as string },
			],
		});
	});
});

describe('before anything is sent', () => {
	const bad: Array<[string, object, Buffer | undefined, RegExp]> = [
		[
			'a file that is not a PDF',
			{},
			Buffer.from('hello'),
			/'data' is neither a PDF nor a Word file \(\.docx\) \[item 0\]/,
		],
		['an empty file', {}, Buffer.alloc(0), /'data' is empty \[item 0\]/],
		['a missing binary field', { binaryPropertyName: 'other' }, undefined, /'other' \[item 0\]/],
		['no title', { title: ' ' }, undefined, /'Title' is empty \[item 0\]/],
		[
			'a malformed e-mail',
			{ recipients: { recipient: [{ ...signer, email: 'tina@' }] } },
			undefined,
			/'Recipients > Row 1 > Email' is not an email address: "tina@" \[item 0\]/,
		],
		[
			'a recipient without an e-mail',
			{ recipients: { recipient: [signer, { ...signer, email: '' }] } },
			undefined,
			/'Recipients > Row 2 > Email' is missing/,
		],
		['no recipient', { recipients: {}, fields: {} }, undefined, /'Recipients' is empty/],
		[
			'a place beyond the page',
			{ fields: { field: [{ ...signature, positionX: 100.5 }] } },
			undefined,
			/'Fields > Row 1 > Left \(%\)' is above 100 percent/,
		],
		[
			'a place before the page',
			{ fields: { field: [{ ...signature, height: -1 }] } },
			undefined,
			/Row 1 > Height \(%\)' is not above 0 percent/,
		],
		[
			'a page before the first',
			{ fields: { field: [{ ...signature, page: 0 }] } },
			undefined,
			/Row 1 > Page' is below 1/,
		],
		[
			'an unknown file',
			{ fields: { field: [{ ...signature, options: { identifier: 'x.pdf' } }] } },
			undefined,
			/File' is x\.pdf, but there is no such file/,
		],
		[
			'a file beyond the last',
			{ fields: { field: [{ ...signature, options: { identifier: 1 } }] } },
			undefined,
			/File' is 1, but there is no such file/,
		],
		[
			'malformed JSON',
			{ specifyRecipients: 'json', recipientsJson: '[{' },
			undefined,
			/'Recipients \(JSON\)' is not valid JSON \[item 0\]/,
		],
		[
			'an unknown key in JSON',
			{ specifyRecipients: 'json', recipientsJson: '[{"email":"a@b.co","rool":"CC"}]' },
			undefined,
			/Row 1' has something that Documenso does not know: rool/,
		],
		[
			'a redirect to something else than a page',
			{ additionalFields: { redirectUrl: 'javascript:alert(1)' } },
			undefined,
			/Redirect URL' is not a URL with http/,
		],
	];

	bad.push(
		[
			'binary fields that are only commas',
			{ binaryPropertyName: ' , ,' },
			undefined,
			/'Input Binary Field\(s\)' names no field/,
		],
		[
			'what n8n tells an expression of a file that it holds in memory',
			{ binaryPropertyName: { mimeType: 'application/pdf', fileName: 'lease.pdf' } },
			undefined,
			/'Input Binary Field\(s\)' names no field: enter the name of a binary field, such as data, without an expression/,
		],
		[
			'a binary field that only seems to be there',
			{ binaryPropertyName: 'constructor' },
			undefined,
			/The item has no file in 'constructor'/,
		],
		[
			'a title that is too long',
			{ title: 'x'.repeat(256) },
			undefined,
			/'Title' has \d+ characters; at most 255 are allowed/,
		],
		['a title that is a list', { title: '={{ [1] }}' }, undefined, /'Title' is not text/],
		[
			'a setting that is an object',
			{ additionalFields: { subject: '={{ ({ a: 1 }) }}' } },
			undefined,
			/Subject' is not text/,
		],
		[
			'an order before the first',
			{ recipients: { recipient: [{ ...signer, signingOrder: -1 }] } },
			undefined,
			/Signing Order \(0: None\)' is below 0/,
		],
		[
			'JSON with nothing for a number',
			{
				specifyRecipients: 'json',
				recipientsJson: JSON.stringify([{ email: 'a@b.co', signingOrder: null }]),
			},
			undefined,
			/Row 1 > signingOrder' is not a number/,
		],
		[
			'JSON with nothing for a name',
			{
				specifyRecipients: 'json',
				recipientsJson: JSON.stringify([{ email: 'a@b.co', name: null }]),
			},
			undefined,
			/Row 1 > name' is not text/,
		],
	);

	test.each(bad)('%s is refused', async (_, changes, content, message) => {
		const item = await itemWith({ data: { content: content ?? (await pdf()) } });
		const { error } = await run({ ...contract, ...changes }, [item]);
		expect(error?.message).toMatch(message);
		expect(lines(service)).toEqual([]);
	});

	test('a signer without a signature field is no error while the PDF holds placeholders', async () => {
		const item = await itemWith({ data: { content: await pdf('{{signature, r1}}') } });
		const { error } = await run({ ...contract, fields: {}, placeholdersInPdf: true }, [item]);
		expect(error).toBeUndefined();
	});
});

describe('Send', () => {
	test('sends a draft with settings, and returns the signing links', async () => {
		const id = await create({ operation: 'create' });
		const { items } = await run({
			operation: 'send',
			documentId: byId(id),
			additionalFields: { distributionMethod: 'NONE', subject: 'Now' },
		});
		expect(sentTo(service, 'POST /envelope/distribute')).toEqual({
			envelopeId: id,
			meta: { distributionMethod: 'NONE', subject: 'Now' },
		});
		expect(items[0]?.json).toMatchObject({ status: 'PENDING', id });
	});

	test('says which signer lacks a signature field', async () => {
		const id = await create({ operation: 'create', fields: {} });
		const { error } = await run({ operation: 'send', documentId: byId(id) });
		expect(error?.message).toContain('Tina');
		expect(error?.message).toContain('is a signer without a signature field');
	});
});

describe('Get', () => {
	test('reads one document by its own request', async () => {
		const id = await create();
		service.calls.length = 0;
		const { items } = await run({ operation: 'get', documentId: byId(id) });
		expect(lines(service)).toEqual([`GET /envelope/${id}`]);
		expect(items[0]?.json).toMatchObject({ id, title: 'Lease', status: 'PENDING' });
	});

	test('accepts the address of the document in Documenso as its ID', async () => {
		const id = await create();
		const url = `https://app.documenso.com/t/team/documents/${id}/edit?step=2`;
		const { items } = await run({
			operation: 'get',
			documentId: { __rl: true, mode: 'url', value: url },
		});
		expect(items[0]?.json.id).toBe(id);
	});
});

describe('Get Many', () => {
	test('returns as many as asked for, a hundred a page', async () => {
		for (let index = 0; index < 3; index++)
			await create({ operation: 'create', title: `Lease ${index}` });
		service.calls.length = 0;
		const { items } = await run({ operation: 'getAll', searchIn: 'root', limit: 2 });
		expect(items.map(({ json }) => json.title)).toEqual(['Lease 2', 'Lease 1']);
		expect(service.calls.map(({ query }) => query)).toEqual([
			{ type: 'DOCUMENT', page: '1', perPage: '2' },
		]);
	});

	test('sends every filter, and the column without which the direction is ignored', async () => {
		await run({
			operation: 'getAll',
			searchIn: 'folder',
			folderId: byId('folder1'),
			returnAll: true,
			filters: {
				query: 'lease',
				status: 'CANCELLED',
				source: 'TEMPLATE',
				template: byId(7),
				hasExpiredRecipients: true,
				orderByDirection: 'asc',
			},
		});
		expect(service.calls[0]?.query).toEqual({
			type: 'DOCUMENT',
			query: 'lease',
			status: 'CANCELLED',
			source: 'TEMPLATE',
			folderId: 'folder1',
			templateId: '7',
			hasExpiredRecipients: 'true',
			orderByColumn: 'createdAt',
			orderByDirection: 'asc',
			page: '1',
			perPage: '100',
		});
	});
});

describe('Update', () => {
	test('changes the title and the settings', async () => {
		const id = await create({ operation: 'create' });
		const { items } = await run({
			operation: 'update',
			documentId: byId(id),
			updateFields: { title: 'New lease', subject: 'Sign this' },
		});
		expect(sentTo(service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: { title: 'New lease' },
			meta: { subject: 'Sign this' },
		});
		expect(items[0]?.json).toMatchObject({ id, title: 'New lease' });
	});

	test('empties what is added and left empty', async () => {
		const id = await create({ operation: 'create', additionalFields: { externalId: 'row-1' } });
		const { items, error } = await run({
			operation: 'update',
			documentId: byId(id),
			updateFields: { externalId: '', subject: '', redirectUrl: '', emailReplyTo: '' },
		});
		expect(error).toBeUndefined();
		expect(sentTo(service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: { externalId: null },
			meta: { subject: '', redirectUrl: '', emailReplyTo: null },
		});
		expect(items[0]?.json.externalId).toBeNull();
	});

	test('with nothing to change is refused', async () => {
		const { error } = await run({
			operation: 'update',
			documentId: byId('envelope_abcdefghijklmnop'),
		});
		expect(error?.message).toBe("'Update Fields' is empty [item 0]");
		expect(lines(service)).toEqual([]);
	});
});

describe('Cancel and Delete', () => {
	test('Cancel calls a sent document back', async () => {
		const id = await create();
		const { items } = await run({ operation: 'cancel', documentId: byId(id), reason: 'Typo' });
		expect(sentTo(service, 'POST /envelope/cancel')).toEqual({ envelopeId: id, reason: 'Typo' });
		expect(items[0]?.json).toEqual({ id, success: true });
	});

	test('Cancel of a draft passes on why it cannot be', async () => {
		const id = await create({ operation: 'create' });
		const { error } = await run({ operation: 'cancel', documentId: byId(id) });
		expect(error).toMatchObject({
			httpCode: '400',
			message: 'Only pending documents can be cancelled',
		});
		expect(error?.description).toContain('INVALID_REQUEST');
	});

	test('Delete removes a document', async () => {
		const id = await create();
		const { items } = await run({ operation: 'delete', documentId: byId(id) });
		expect(sentTo(service, 'POST /envelope/delete')).toEqual({ envelopeId: id });
		expect(items[0]?.json).toEqual({ id, deleted: true });
		const { error } = await run({ operation: 'get', documentId: byId(id) });
		expect(error?.httpCode).toBe('404');
	});
});

describe('Download', () => {
	async function signAll(id: string) {
		for (const { token } of service.store.envelopes.get(id)?.recipients ?? []) {
			await service.sign(token);
		}
		await service.settled();
	}

	async function completed(): Promise<string> {
		const id = await create();
		await signAll(id);
		return id;
	}

	test('returns each signed file of a completed document as a separate item', async () => {
		const item = await itemWith({
			a: { content: await pdf('First'), name: 'a.pdf' },
			b: { content: await pdf('Second'), name: 'b.pdf' },
		});
		const { items: created } = await run({ ...contract, binaryPropertyName: 'a,b' }, [item]);
		const id = created[0]?.json.id as string;
		await signAll(id);

		const { items } = await run({
			operation: 'download',
			documentId: byId(id),
			binaryPropertyName: 'file',
		});
		expect(items.map(({ json, pairedItem }) => ({ json, pairedItem }))).toMatchObject([
			{
				json: {
					id,
					status: 'COMPLETED',
					fileName: `Lease - a_signed${ending(id)}.pdf`,
					version: 'signed',
				},
				pairedItem: { item: 0 },
			},
			{
				json: {
					id,
					status: 'COMPLETED',
					fileName: `Lease - b_signed${ending(id)}.pdf`,
					version: 'signed',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(items[0]?.binary?.file).toMatchObject({
			fileName: `Lease - a_signed${ending(id)}.pdf`,
			mimeType: 'application/pdf',
		});
		const bytes = await bytesOf(items[0], 'file');
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(bytes.equals(await pdf('First'))).toBe(false);
	});

	test('the signed file of an unfinished document is an error that says so', async () => {
		const id = await create();
		service.calls.length = 0;
		const { error } = await run({ operation: 'download', documentId: byId(id) });
		expect(error?.message).toBe(
			`'Document' ${id} isn't completed yet (status: pending): it waits for Tina (tenant@example.com) [item 0]`,
		);
		expect(lines(service)).toEqual([`GET /envelope/${id}`]);
	});

	test('of a cancelled document there will be no signed file, and the error does not say to wait', async () => {
		const id = await create();
		await run({ operation: 'cancel', documentId: byId(id) });
		const { error } = await run({ operation: 'download', documentId: byId(id) });
		expect(error?.message).toBe(
			`'Document' ${id} was cancelled, so there is no signed file [item 0]`,
		);
		expect(error?.description).not.toContain('Wait');
	});

	test('an unfinished document can be downloaded when that is asked for', async () => {
		const id = await create();
		const { items } = await run({
			operation: 'download',
			documentId: byId(id),
			options: { allowUnfinished: true },
		});
		expect(items).toHaveLength(1);
	});

	test('the original is what was uploaded, byte for byte', async () => {
		const content = await pdf('The very same');
		const item = await itemWith({ data: { content } });
		const { items: created } = await run({ ...contract, operation: 'create' }, [item]);
		const { items } = await run({
			operation: 'download',
			documentId: byId(created[0]?.json.id),
			version: 'original',
		});
		expect((await bytesOf(items[0])).equals(content)).toBe(true);
		expect(items[0]?.json.fileName).toBe(`Lease${ending(created[0]?.json.id)}.pdf`);
	});

	test.each([
		['a page of a proxy’s', { status: 200, body: '<html>Log in</html>' }],
		['nothing', { status: 200, body: '' }],
		['JSON', { status: 200, body: { a: 1 } }],
	])('%s in the place of the file is an error, not a signed PDF', async (_, answer) => {
		const id = await completed();
		service.fail({ match: 'GET /envelope/item/*', ...answer });
		const { error, items } = await run({ operation: 'download', documentId: byId(id) });
		expect(error?.message).toBe(
			`The downloaded Lease_signed${ending(id)}.pdf is not a PDF [item 0]`,
		);
		expect(items).toEqual([]);
	});

	test('a download that breaks off is an error, never a short file', async () => {
		const id = await completed();
		for (let times = 0; times < 6; times++) {
			service.fail({ match: 'GET /envelope/item/*', cut: 'during', afterBytes: 100 });
		}
		const { error, items } = await run({ operation: 'download', documentId: byId(id) });
		expect(error).toBeDefined();
		expect(items).toEqual([]);
	});

	test('an error that comes as a stream is still readable', async () => {
		const id = await completed();
		service.fail({
			match: 'GET /envelope/item/*',
			status: 404,
			body: { error: 'Document data not found', code: 'NOT_FOUND' },
		});
		const { error } = await run({ operation: 'download', documentId: byId(id) });
		expect(error).toMatchObject({ message: 'Document data not found', httpCode: '404' });
	});
});
