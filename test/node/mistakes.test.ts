import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { services } from '../../nodes/shared/api/service';
import { hurry } from '../support/hurry';
import { itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { beforeCall, folder } from '../support/polling';
import { refusal } from '../support/refusal';
import { credentialFor, lines } from '../support/service';
import { automatic, byId, contract, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const UNKNOWN = 'envelope_unknownunknown';

const documentOperations: Record<string, IDataObject> = {
	cancel: {},
	delete: {},
	download: { version: 'original' },
	duplicate: {},
	get: {},
	getAuditLog: {},
	resend: {},
	send: {},
	update: { updateFields: { title: 'Changed' } },
};

const templateOperations: Record<string, IDataObject> = {
	createDocument: { columns: mapped({ 'Tenant email': 'tina@example.com' }) },
	delete: {},
	duplicate: {},
	get: {},
	update: { updateFields: { title: 'Changed' } },
};

const onDocument = (operation: string, id: string) => ({
	resource: 'document',
	operation,
	documentId: byId(id),
	...documentOperations[operation],
});

const onTemplate = (operation: string, id: string, resource = 'template') => ({
	resource,
	operation,
	templateId: byId(id),
	...templateOperations[operation],
});

const everything = () => JSON.stringify([...suite.service.store.envelopes.values()]);

/** The error of an operation that is to leave everything as it is. */
async function refusalOf(parameters: IDataObject) {
	const before = everything();
	const { error } = await suite.run(parameters);
	expect(everything()).toBe(before);
	return error;
}

describe('A template where a document is asked for, and the reverse', () => {
	test.each(Object.keys(documentOperations))('Document: %s', async (operation) => {
		const error = await refusalOf(onDocument(operation, RENTAL_AGREEMENT.id));
		expect(error?.message).toBe(
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 0]`,
		);
		expect(error?.description).toContain("are in the resource 'Template'");
	});

	test('Document: send with emails of its own', async () => {
		const parameters = {
			...onDocument('send', RENTAL_AGREEMENT.id),
			additionalFields: { emailsOff: ['documentCompleted'] },
		};
		const error = await refusalOf(parameters);
		expect(error?.message).toBe(
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 0]`,
		);
		expect(lines(suite.service)).not.toContain('POST /envelope/distribute');
	});

	test.each(Object.keys(templateOperations))('Template: %s', async (operation) => {
		const { id } = await suite.document();
		const error = await refusalOf(onTemplate(operation, id));
		expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
		expect(error?.description).toContain("are in the resource 'Document'");
	});

	test.each(['create', 'delete', 'disable', 'enable'])('Direct Link: %s', async (operation) => {
		const { id } = await suite.document();
		const error = await refusalOf(onTemplate(operation, id, 'directLink'));
		expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
	});

	test('of several that are read in one request, only the one of the other kind fails', async () => {
		const ids = [(await suite.document()).id, RENTAL_AGREEMENT.id, (await suite.document()).id];
		const { items } = await suite.run(
			{ ...onDocument('get', ''), documentId: byId('={{ $json.id }}') },
			ids.map((id) => ({ json: { id } })),
			{ onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([
			ids[0],
			`'Document' is the ID of a template: ${RENTAL_AGREEMENT.id} [item 1]`,
			ids[2],
		]);
	});

	test('Get Many by IDs takes both', async () => {
		const parameters = { resource: 'document', operation: 'getByIds', id: RENTAL_AGREEMENT.id };
		expect(await suite.outputOf(parameters)).toMatchObject([{ id: RENTAL_AGREEMENT.id }]);
	});

	test('what Documenso refuses by itself costs no request more while it succeeds', async () => {
		const draft = await suite.document();
		await suite.outputOf(onDocument('send', draft.id));
		await suite.outputOf(onDocument('getAuditLog', draft.id));
		await suite.outputOf(onDocument('cancel', draft.id));
		expect(lines(suite.service)).toEqual([
			// Who can sign is looked at before.
			`GET /envelope/${draft.id}`,
			'POST /envelope/distribute',
			`GET /envelope/${draft.id}/audit-log`,
			'POST /envelope/cancel',
		]);
	});

	test('a refusal for another reason is passed on unchanged', async () => {
		const { id } = await suite.document();
		const { error } = await suite.run(onDocument('cancel', id));
		expect(error?.message).toMatch(/pending/i);
	});
});

describe('Get Many in a folder that Documenso does not know', () => {
	const inFolder = (folderId: string, changes: IDataObject = {}) => ({
		resource: 'document',
		operation: 'getAll',
		searchIn: 'folder',
		folderId: byId(folderId),
		...changes,
	});

	test('fails instead of returning nothing', async () => {
		const { error } = await suite.run(inFolder('unknown'));
		expect(error?.message).toBe(
			'\'Folder\' is "unknown", but there is no folder of documents with this ID [item 0]',
		);
		expect(error?.description).toContain('There are none yet.');
	});

	test('fails where the folder is one of the other kind', async () => {
		const id = folder(suite.service, 'Deals');
		const { error } = await suite.run(inFolder(id, { resource: 'template' }));
		expect(error?.message).toBe(
			`'Folder' is "${id}", but there is no folder of templates with this ID [item 0]`,
		);
	});

	test('returns nothing where the folder is empty, or nothing fits', async () => {
		const id = folder(suite.service, 'Deals');
		expect(await suite.outputOf(inFolder(id))).toEqual([]);
		expect((await suite.document()).id).toBeDefined();
		expect(await suite.outputOf(inFolder(id, { filters: { query: 'nothing' } }))).toEqual([]);
	});

	test('fails where folders are listed that are said to be in it', async () => {
		const list = { resource: 'folder', operation: 'getAll', filters: { parentId: 'unknown' } };
		expect((await suite.run(list)).error?.message).toBe(
			'\'Parent Folder ID\' is "unknown", but there is no folder with this ID [item 0]',
		);
		const parentId = folder(suite.service, 'Deals');
		expect(await suite.outputOf({ ...list, filters: { parentId } })).toEqual([]);
	});

	test('does not look at folders while there is something in it', async () => {
		const id = folder(suite.service, 'Deals');
		(await suite.document()).folderId = id;
		expect(await suite.outputOf(inFolder(id))).toHaveLength(1);
		expect(lines(suite.service)).toEqual(['GET /envelope']);
	});
});

describe('A file of another document', () => {
	const onFile = (operation: string, envelopeId: string, itemId = '') => ({
		resource: 'file',
		operation,
		envelopeId: byId(envelopeId),
		envelopeItemId: byId(itemId),
		...(operation === 'update' ? { updateFields: { title: 'Changed' } } : {}),
	});

	test.each(['delete', 'download', 'update'])('File: %s says so', async (operation) => {
		const [one, other] = [await suite.document(), await suite.document()];
		const [own, foreign] = [one.items[0]?.id, other.items[0]?.id];
		const error = await refusalOf(onFile(operation, one.id, foreign));
		expect(error?.message).toBe(`'File' is ${foreign}, which is not a file of ${one.id} [item 0]`);
		expect(error?.description).toContain(own);
	});

	test.each(['delete', 'update'])('File: %s costs one request', async (operation) => {
		const { id, items } = await suite.document();
		await suite.outputOf(onFile(operation, id, items[0]?.id));
		expect(lines(suite.service)).toHaveLength(1);
	});

	test('an unknown document or template is called so', async () => {
		const error = await refusalOf(onFile('delete', UNKNOWN, 'envelope_item_unknown'));
		expect(error?.message).toBe(`There is no document or template with the ID ${UNKNOWN}`);
	});
});

describe('An ID that Documenso does not know, or that belongs to another team', () => {
	test.each(Object.keys(documentOperations))('Document: %s', async (operation) => {
		const error = await refusalOf(onDocument(operation, UNKNOWN));
		expect(error?.message).toBe(`There is no document with the ID ${UNKNOWN}`);
		expect(error?.description).toContain('Check the ID');
		expect(error?.description).not.toMatch(/look|again|took|may have/i);
	});

	test.each(Object.keys(templateOperations))('Template: %s', async (operation) => {
		const error = await refusalOf(onTemplate(operation, UNKNOWN));
		expect(error?.message).toBe(`There is no template with the ID ${UNKNOWN}`);
		expect(error?.description).toContain('Check the ID');
	});

	test('Send and Resend of a document of another team', async () => {
		const document = await suite.document();
		document.team = { id: 99, url: 'other', name: 'Other Team' };
		document.user = { id: 99, name: 'Other', email: 'other@example.com' };
		for (const operation of ['send', 'resend']) {
			const error = await refusalOf(onDocument(operation, document.id));
			expect(error?.message).toBe(`There is no document with the ID ${document.id}`);
		}
	});
});

describe('the base URL', () => {
	hurry(30);

	const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
	const MAY_BE_DONE = /may (have|all)|all the same|took effect|look in|look for|look at/i;

	const html = (status: number): Fault => ({
		status,
		headers: { 'content-type': 'text/html' },
		body: '<!DOCTYPE html><html><title>Not found</title></html>',
	});

	const changes: Record<string, IDataObject> = {
		'Document: Create': { resource: 'document', operation: 'create', ...contract },
		'Document: Create and Send': { resource: 'document', operation: 'createAndSend', ...contract },
		'Document: Send': {
			resource: 'document',
			operation: 'send',
			documentId: byId('envelope_abcdefghijklmnop'),
		},
		'Document: Cancel': {
			resource: 'document',
			operation: 'cancel',
			documentId: byId('envelope_abcdefghijklmnop'),
		},
		'Template: Create Document': {
			resource: 'template',
			operation: 'createDocument',
			templateId: byId(RENTAL_AGREEMENT.id),
			columns: mapped({ 'Tenant email': 'tina@example.com' }),
		},
		'Recipient: Add': {
			resource: 'recipient',
			operation: 'add',
			envelopeId: byId('envelope_abcdefghijklmnop'),
			email: 'anna@example.com',
		},
		'Folder: Create': { resource: 'folder', operation: 'create', name: 'Deals' },
	};

	const reads: Record<string, IDataObject> = {
		'Document: Get': {
			resource: 'document',
			operation: 'get',
			documentId: byId('envelope_abcdefghijklmnop'),
		},
		'Document: Get Many': { resource: 'document', operation: 'getAll' },
	};

	const withFile = async () => [await itemWith({ data: { content: await pdf() } })];

	describe('A base URL that does not lead to Documenso', () => {
		// As if n8n had just started: where Documenso has answered before, the base URL is right.
		beforeEach(() => {
			services.clear();
		});

		test.each([...Object.entries(changes), ...Object.entries(reads)])(
			'%s says base URL first, and not that something may have been done',
			async (_, parameters) => {
				for (const status of [200, 403, 404]) {
					await suite.service.reset();
					services.clear();
					suite.service.fail({ ...html(status), times: 99 });
					const { error } = await suite.run(parameters, await withFile());
					expect(error).toMatchObject({ message: ELSEWHERE, httpCode: String(status) });
					expect(error?.description).toMatch(/^Check the base URL/);
					// A proxy may answer like this while Documenso creates the document.
					const isCreation =
						parameters.resource === 'document' || parameters.operation === 'createDocument';
					if (!isCreation) expect(error?.description).not.toMatch(MAY_BE_DONE);
				}
			},
		);

		test.each(Object.entries(changes).filter(([name]) => name.includes('Create')))(
			'%s can be tried again once the base URL is right',
			async (_, parameters) => {
				// The change, and a look whether Documenso is there.
				suite.service.fail({ ...html(404), times: 2 });
				const { error } = await suite.run(parameters, await withFile(), { maxTries: 3 });
				expect(error).toBeUndefined();
			},
		);

		test('a 404 without a page is none of Documenso’s either', async () => {
			suite.service.fail({ status: 404, body: '404 page not found\n', times: 99 });
			const { error } = await suite.run(changes['Folder: Create'] ?? {});
			expect(error?.message).toBe(ELSEWHERE);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test('a redirect to another address says where to, and not that something may have been done', async () => {
			const headers = { location: 'https://sign.example.com/api/v2/folder/create' };
			suite.service.fail({ status: 308, headers, body: '' });
			const { error } = await suite.run(changes['Folder: Create'] ?? {});
			expect(error?.message).toBe(`Documenso redirected the request to ${headers.location}`);
			expect(error?.description).toMatch(
				/^If that is your Documenso's address, enter it as the base URL/,
			);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test('the address of a page of Documenso’s is none of its API', async () => {
			const baseUrl = `${suite.service.url}/t/demo/documents`;
			const { error } = await runNode(
				credentialFor(suite.service, { baseUrl }),
				changes['Folder: Create'] ?? {},
			);
			expect(error?.message).toBe(ELSEWHERE);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test.each([
			['a page with which a proxy gives up', html(502)],
			['a page that came after a time-out', html(408)],
			['half an answer', { status: 200, body: '{"id":"folder_' }],
		])('%s still says that something may have been done', async (_, fault) => {
			suite.service.fail(fault);
			const { error } = await suite.run(changes['Folder: Create'] ?? {});
			expect(error?.message).not.toBe(ELSEWHERE);
			expect(error?.description).toMatch(/may have done it nevertheless/);
		});

		test.each([
			['a page', html(403)],
			['a page with 200', html(200)],
			['a 404 without a body', { status: 404, body: '' }],
		])(
			'where %s answered for Documenso, nothing that is added is added twice',
			async (_, fault) => {
				const { id } = await suite.document();
				services.clear();
				suite.service.fail({
					match: 'POST /envelope/recipient/create-many',
					...fault,
					takesEffect: true,
				});
				const add = {
					resource: 'recipient',
					operation: 'add',
					envelopeId: byId(id),
					email: 'a@example.com',
				};
				const { error } = await suite.run(add, undefined, { maxTries: 3 });
				expect(error?.message).toContain('An earlier try failed, and is not retried');
				expect(error?.message).not.toContain(ELSEWHERE);
				const { recipients = [] } = suite.service.store.envelopes.get(id) ?? {};
				expect(recipients.filter(({ email }) => email === add.email)).toHaveLength(1);
			},
		);

		test('whether Documenso is there is asked when the request has ended, also with one request at a time', async () => {
			suite.service.fail({ match: 'POST /folder/create', ...html(200) });
			const one = { ...changes['Folder: Create'], options: { maxInFlight: 1 } };
			const { error } = await suite.run(one);
			expect(error?.description).toMatch(/may have done it nevertheless/);
			expect(lines(suite.service)).toEqual(['POST /folder/create', 'GET /envelope']);
		});

		test.each<[string, Fault]>([
			['too many requests', { status: 429, body: { error: 'Too many requests.' } }],
			['that this is not allowed', refusal('No', 403)],
		])('it is there, too, if it says %s', async (_, answer) => {
			suite.service.fail({ match: 'POST /folder/create', ...html(403), takesEffect: true });
			suite.service.fail({ match: 'GET /envelope', ...answer });
			const { error } = await suite.run(changes['Folder: Create'] ?? {}, undefined, {
				maxTries: 2,
			});
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(suite.service.store.folders.size).toBe(1);
		});

		test('whether it is there is asked once for all items, and another API is not taken for it', async () => {
			suite.service.fail({ match: 'POST /folder/create', ...html(404), times: 99 });
			suite.service.fail({ match: 'GET /envelope', status: 200, body: { ok: true }, times: 99 });
			const items = Array.from({ length: 10 }, () => ({ json: {} }));
			const create = changes['Folder: Create'] ?? {};
			const made = await suite.run(create, items, { onError: 'continueRegularOutput' });
			expect(made.items.map(({ json }) => json.error)).toEqual(Array(10).fill(ELSEWHERE));
			expect(suite.calls('GET /envelope')).toHaveLength(1);
		});

		test('a document is still looked for, and not made twice, where a page answered for Documenso', async () => {
			suite.service.fail({ match: 'POST /envelope/use', ...html(403), takesEffect: true });
			const { error } = await suite.run(changes['Template: Create Document'] ?? {});
			expect(error).toBeUndefined();
			expect(suite.service.store.documents).toHaveLength(1);
		});

		test('a file that a proxy finds too large is still called so', async () => {
			suite.service.fail({ match: 'POST /envelope/create', ...html(413) });
			const { error } = await suite.run(changes['Document: Create'] ?? {}, await withFile());
			expect(error?.description).toContain('larger than this Documenso accepts');
		});
	});

	describe('A PDF with an owner password', () => {
		test('the error says that Documenso refuses every password and restriction', async () => {
			const appError = { code: 'INVALID_DOCUMENT_FILE', message: 'The document is encrypted' };
			suite.service.fail({
				match: 'POST /envelope/create',
				status: 400,
				body: {
					message: appError.message,
					code: 'INTERNAL_SERVER_ERROR',
					data: { code: appError.code, httpStatus: 400, path: 'envelope.create', appError },
				},
			});
			const { error } = await suite.run(changes['Document: Create'] ?? {}, await withFile());
			expect(error?.message).toBe('The document is encrypted');
			expect(error?.description).toMatch(/no password or restriction/);
			expect(error?.description).toMatch(/owner password/);
		});
	});
});

let stop = () => {};

afterEach(() => stop());

/** The calls for it take longer, so that those for later items are answered before. */
function delay(id: string) {
	stop = beforeCall(suite.service, (line) => {
		if (line.includes(id)) suite.service.fail({ delayMs: 700 });
	});
}

const use: IDataObject = {
	resource: 'template',
	operation: 'createDocument',
	columns: automatic,
};

const tina = { 'Tenant email': 'tina@example.com' };

describe('Bad items are named in their order', () => {
	test('the error that stops the node is that of the first bad item, whichever failed soonest', async () => {
		const ids = ['envelope_first', 'envelope_second', 'envelope_third'];
		delay('envelope_first');
		const { error } = await suite.run(
			{
				resource: 'document',
				operation: 'update',
				documentId: byId('={{ $json.id }}'),
				updateFields: { title: 'New' },
			},
			ids.map((id) => ({ json: { id } })),
		);
		expect(error?.message).toBe('There is no document with the ID envelope_first');
		expect(error?.context?.itemIndex).toBe(0);
	});

	test('an error that several items share names the first of them', async () => {
		const parameters = {
			...use,
			options: { checkAllFirst: false },
			templateId: byId('={{ $json.id }}'),
		};
		const ids = [RENTAL_AGREEMENT.id, 'envelope_unknown', 'envelope_unknown'];
		const { error } = await suite.run(
			parameters,
			ids.map((id) => ({ json: { ...tina, id } })),
		);
		expect(error?.context?.itemIndex).toBe(1);
	});

	test('all items that cannot be used are listed in their order, each by its own number', async () => {
		delay('envelope_slow');
		const rows = [
			{ id: 'envelope_slow' },
			{ id: RENTAL_AGREEMENT.id, Rent: 'much' },
			{ id: 'envelope_fast' },
			{ id: RENTAL_AGREEMENT.id, Rent: '1' },
			{ id: 'envelope_fast' },
		];
		const { error } = await suite.run(
			{ ...use, templateId: byId('={{ $json.id }}') },
			rows.map((row) => ({ json: { ...tina, ...row } })),
		);
		expect(error?.message).toBe('4 of 5 items cannot be used, so nothing was created');
		expect(error?.description?.split('<br>').slice(0, 4)).toEqual([
			'Item 0: There is no template with the ID envelope_slow',
			`Item 1: 'Rent' is a number field, but "much" is text`,
			'Items 2, 4: There is no template with the ID envelope_fast',
			'',
		]);
	});
});
