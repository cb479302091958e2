import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { folder } from '../support/polling';
import { lines } from '../support/service';
import { byId, mapped, useService } from '../support/suite';

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

describe('13.10 A template where a document is asked for, and the reverse', () => {
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

describe('13.10 Get Many in a folder that Documenso does not know', () => {
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

	test('does not look at folders while there is something in it', async () => {
		const id = folder(suite.service, 'Deals');
		(await suite.document()).folderId = id;
		expect(await suite.outputOf(inFolder(id))).toHaveLength(1);
		expect(lines(suite.service)).toEqual(['GET /envelope']);
	});
});

describe('13.10 A file of another document', () => {
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

describe('13.11 An ID that Documenso does not know, or that belongs to another team', () => {
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
