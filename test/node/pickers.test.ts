import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { loadOptionsContext } from '../support/n8n';
import { folder, paperwork } from '../support/polling';
import { credentialFor, lines } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const paper = paperwork(suite);
const { listSearch, loadOptions } = new Documenso().methods;

beforeEach(async () => await paper.begin());

function context(parameters: object = {}) {
	return loadOptionsContext(credentialFor(suite.service), {
		resource: 'field',
		operation: 'add',
		...parameters,
	});
}

const names = ({ results }: INodeListSearchResult) => results.map(({ name }) => name);

function folderWith(title: string) {
	const folderId = folder(suite.service, 'Deals');
	paper.draft(title, { folderId });
	return folderId;
}

test('templates are found by their title', async () => {
	const { results } = await listSearch.searchTemplates.call(context(), 'nda');
	expect(results).toEqual([{ name: 'Mutual NDA', value: MUTUAL_NDA.id }]);
});

test('documents are listed with their status, page by page', async () => {
	paper.drafts(51);
	const first = await listSearch.searchDocuments.call(context());
	expect(first.results).toHaveLength(50);
	expect(first.results[0]?.name).toBe('D50 (draft)');
	const token = first.paginationToken as string;
	const second = await listSearch.searchDocuments.call(context(), undefined, token);
	expect(names(second)).toEqual(['D0 (draft)']);
	expect(second.paginationToken).toBeUndefined();
});

test('documents and templates are found in folders too', async () => {
	paper.draft('In the root');
	folderWith('In a folder');
	const first = await listSearch.searchDocuments.call(context());
	expect(names(first)).toEqual(['In the root (draft)']);
	const second = await listSearch.searchDocuments.call(
		context(),
		undefined,
		first.paginationToken as string,
	);
	expect(names(second)).toEqual(['In a folder (draft)']);
	expect(second.paginationToken).toBeUndefined();
});

test('a search passes over folders without a match', async () => {
	paper.draft('In the root');
	folderWith('The one');
	expect(names(await listSearch.searchDocuments.call(context(), 'the one'))).toEqual([
		'The one (draft)',
	]);
});

test('a search finds characters that are wildcards to Documenso', async () => {
	paper.draft('Plan a\\b 50%');
	paper.draft('Plan ab 501');
	expect(names(await listSearch.searchDocuments.call(context(), 'a\\b 50%'))).toEqual([
		'Plan a\\b 50% (draft)',
	]);
});

test('a search that takes too long says how far it has come, and can go on from there', async () => {
	folderWith('The one');
	suite.service.fail({ match: 'GET /envelope', times: 1, delayMs: 4100 });
	const first = await listSearch.searchDocuments.call(context(), 'the one');
	expect(first.results).toEqual([
		{ name: 'Nothing in 1 of 2 folders so far. Enter the ID instead.', value: '' },
	]);
	const token = first.paginationToken as string;
	const second = await listSearch.searchDocuments.call(context(), 'the one', token);
	expect(names(second)).toEqual(['The one (draft)']);
});

test('a search without a match asks for each folder once, several at a time', async () => {
	for (let count = 0; count < 6; count++) folderWith('x');
	suite.service.fail({ match: 'GET /envelope', times: 7, delayMs: 100 });
	expect(await listSearch.searchDocuments.call(context(), 'nothing of the kind')).toEqual({
		results: [],
	});
	expect(lines(suite.service).filter((line) => line === 'GET /envelope')).toHaveLength(7);
	expect(suite.service.maxInFlight).toBeGreaterThan(1);
});

test('where both may be chosen, the list says which are templates', async () => {
	paper.draft('Lease');
	const found: string[] = [];
	let token: string | undefined;
	do {
		const page = await listSearch.searchEnvelopes.call(context(), undefined, token);
		found.push(...names(page));
		token = page.paginationToken;
	} while (token);
	expect(found.sort()).toEqual([
		'Employment contract (template)',
		'Lease (draft)',
		'Mutual NDA (template)',
		'Rental agreement (template)',
	]);
});

test('folders are listed with what they hold', async () => {
	const id = folderWith('x');
	expect((await listSearch.searchFolders.call(context(), 'deal')).results).toEqual([
		{ name: 'Deals (documents)', value: id },
	]);
});

describe('parts of the chosen document', () => {
	type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

	const parts: Array<[string, Search, string[]]> = [
		['recipients', listSearch.searchRecipients, ['Tina, tenant@example.com (signer)']],
		['fields', listSearch.searchFields, ['Signature on page 1 (signature of Tina)']],
		['files', listSearch.searchFiles, ['data.pdf']],
		['attachments', listSearch.searchAttachments, ['Rules']],
	];

	test.each(parts)('%s are listed', async (_, search, expected) => {
		const attachment = [{ label: 'Rules', data: 'https://example.com' }];
		const { id } = await suite.document('create', {
			additionalFields: { attachments: { attachment } },
		});
		const chosen = { envelopeId: byId(id) };
		expect(names(await search.call(context(chosen)))).toEqual(expected);
		expect(names(await search.call(context(chosen), 'nothing of the kind'))).toEqual([]);
		expect(lines(suite.service)).toHaveLength(2);
	});
});

describe('while the document is not known', () => {
	const unknown: Array<[string, object]> = [
		['none is chosen', byId('')],
		['n8n cannot evaluate the expression', { ...byId(''), value: null }],
		['the expression arrives as it is written', byId('={{ $json.id }}')],
	];

	test.each(unknown)('because %s: no list of its parts is an error', async (_, value) => {
		const part = context({ envelopeId: value });
		const { searchRecipients, searchFields, searchFiles, searchAttachments } = listSearch;
		for (const search of [searchRecipients, searchFields, searchFiles, searchAttachments]) {
			expect(names(await search.call(part))).toEqual([
				'Choose the document or template first, or enter the ID',
			]);
		}
		const resend = context({ resource: 'document', operation: 'resend', documentId: value });
		expect(await loadOptions.getDocumentRecipients.call(resend)).toEqual([]);
		const use = { resource: 'template', operation: 'createDocument', templateId: value };
		expect(await loadOptions.getTemplateFiles.call(context(use))).toEqual([]);
		expect(lines(suite.service)).toEqual([]);
	});
});

test('the recipients of a document are offered with what they have done', async () => {
	const { id, recipients } = await suite.document('createAndSend');
	const chosen = context({ resource: 'document', operation: 'resend', documentId: byId(id) });
	expect(await loadOptions.getDocumentRecipients.call(chosen)).toEqual([
		{ name: 'Tina (signer, not signed)', value: recipients[0]?.id },
	]);
});

test('the files of a template are offered', async () => {
	const { id } = suite.template();
	const chosen = { resource: 'template', operation: 'createDocument', templateId: byId(id) };
	expect(await loadOptions.getTemplateFiles.call(context(chosen))).toEqual([
		{ name: 'Rental agreement.pdf', value: 'Rental agreement.pdf' },
	]);
});

describe('a list that never ends', () => {
	test('by the pages that Documenso counts is read to its first empty page', async () => {
		const body = { data: [], currentPage: 1, totalPages: 1_000_000_000, count: 0, perPage: 50 };
		suite.service.fail({ match: 'GET /envelope', times: 100, status: 200, body });
		expect(await listSearch.searchDocuments.call(context())).toEqual({ results: [] });
		expect(lines(suite.service).filter((line) => line === 'GET /envelope')).toHaveLength(1);
	});

	test.each(['x:y', '-1:1', '0:1e99', 'Infinity:1', ''])(
		'by its token %j begins with the first page',
		async (token) => {
			paper.draft('In the root');
			const page = await listSearch.searchDocuments.call(context(), undefined, token);
			expect(names(page)).toEqual(['In the root (draft)']);
		},
	);
});
