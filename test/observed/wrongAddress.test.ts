import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { byId, contract, mapped, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });

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

describe('13.11 A base URL that does not lead to Documenso', () => {
	test.each([...Object.entries(changes), ...Object.entries(reads)])(
		'%s says base URL first, and not that something may have been done',
		async (_, parameters) => {
			for (const status of [200, 403, 404]) {
				await suite.service.reset();
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
			suite.service.fail({ ...html(404), times: 1 });
			const { error } = await suite.run(parameters, await withFile(), { maxTries: 2 });
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

describe('13.11 A PDF with an owner password', () => {
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
