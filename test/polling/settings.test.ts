import type { IDataObject } from 'n8n-workflow';

import { errorOf } from '../support/errors';
import { ago, EVERY_EVENT, folder, paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const paper = paperwork(suite);
let poller: Poller;

beforeEach(async () => {
	await paper.begin();
	for (const document of suite.service.store.documents) {
		suite.service.store.envelopes.delete(document.id);
	}
	poller = new Poller(suite.service);
});

const titleIs = (value: string) => ({
	title: { rule: { condition: 'equals', value } },
});

describe('the chosen events', () => {
	test('are reported, and no others', async () => {
		poller.parameters = { events: ['DOCUMENT_COMPLETED'] };
		await poller.poll();
		for (const document of paper.drafts(2)) paper.finish(document);
		paper.draft('Open');
		expect(await poller.reported()).toEqual(['DOCUMENT_COMPLETED D0', 'DOCUMENT_COMPLETED D1']);
	});

	test('can be changed: what happened before is not reported, what happens then is', async () => {
		poller.parameters = { events: ['DOCUMENT_REJECTED'] };
		await poller.poll();
		const document = paper.draft('Draft');
		expect(await poller.reported()).toEqual([]);
		poller.parameters = { events: EVERY_EVENT };
		paper.send(document);
		expect(await poller.reported()).toEqual(['DOCUMENT_SENT Draft']);
		poller.parameters = { events: [] };
		paper.finish(document);
		expect(await poller.reported()).toEqual([]);
		poller.parameters = { events: EVERY_EVENT };
		expect(await poller.reported()).toEqual([]);
	});
});

describe('the filters', () => {
	test('let through what passes them', async () => {
		poller.parameters = { events: EVERY_EVENT, filters: titleIs('d1') };
		await poller.poll();
		paper.drafts(3);
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED D1']);
	});

	test('can be changed while documents are followed', async () => {
		poller.parameters = { events: EVERY_EVENT, filters: titleIs('D1') };
		await poller.poll();
		const documents = paper.drafts(3);
		await poller.poll();
		poller.parameters = { events: EVERY_EVENT, filters: titleIs('D2') };
		for (const document of documents) paper.send(document);
		expect(await poller.reported()).toEqual(['DOCUMENT_SENT D2']);
	});

	test.each([
		['Title', titleIs('Lease'), titleIs('Other')],
		['Recipient Email', { recipientEmail: 'TENANT@example.com' }, { recipientEmail: 'a@b.c' }],
		['Source', { source: ['TEMPLATE'] }, { source: ['DOCUMENT'] }],
		['Template', { template: byId('template_7') }, { template: byId('8') }],
		[
			'External ID',
			{ externalId: { rule: { condition: 'startsWith', value: 'crm-' } } },
			{ externalId: { rule: { condition: 'startsWith', value: 'erp-' } } },
		],
		['Only When the Last Recipient Has Acted', {}, { lastRecipientOnly: true }],
	])('work for a deleted document too: %s', async (_, passing, failing) => {
		const changes = { externalId: 'crm-1', source: 'TEMPLATE', templateId: 7 } as const;
		const deleted = async (filters: IDataObject) => {
			poller.parameters = { events: EVERY_EVENT, filters };
			const document = paper.draft('Lease', changes);
			await poller.poll();
			paper.remove(document);
			return await poller.reported();
		};
		expect(await deleted(passing)).toEqual(['DOCUMENT_CANCELLED Lease']);
		expect(await deleted(failing)).toEqual([]);
	});

	test('know of a deleted document what it was last called', async () => {
		poller.parameters = { events: EVERY_EVENT, filters: titleIs('New name') };
		const old = paper.draft('Old name', { createdAt: ago(1000) });
		const recent = paper.draft('Old name');
		await poller.poll();
		for (const document of [old, recent]) document.title = 'New name';
		await poller.poll();
		for (const document of [old, recent]) paper.remove(document);
		expect(await poller.reported()).toHaveLength(2);
	});

	test('that cannot be used are an error that names them, before anything is asked', async () => {
		poller.parameters = { events: EVERY_EVENT, filters: { recipientEmail: '' } };
		const error = await errorOf(async () => await poller.poll());
		expect(error.message).toContain("'Filters > Recipient Email'");
		expect(lines(suite.service)).toEqual([]);
	});
});

describe('the items', () => {
	const completed = async (parameters: IDataObject) => {
		poller.parameters = { events: ['DOCUMENT_COMPLETED'], ...parameters };
		const document = await suite.document('createAndSend');
		await poller.poll();
		await suite.complete(document.id);
		const [item = {}] = await poller.poll();
		return { document, item };
	};

	test('are simplified', async () => {
		const { document, item } = await completed({});
		expect(Object.keys(item)).toEqual([
			'event',
			'eventId',
			'isTest',
			'document',
			'recipients',
			'causedBy',
		]);
		expect(item).toMatchObject({
			event: 'DOCUMENT_COMPLETED',
			document: {
				id: document.id,
				status: 'COMPLETED',
				url: `${suite.service.url}/t/demo/documents/${document.id}`,
			},
			recipients: [{ email: 'tenant@example.com', signingStatus: 'SIGNED' }],
			causedBy: { email: 'tenant@example.com' },
		});
	});

	test('are the document as the API has it without Simplify', async () => {
		const { document, item } = await completed({ simple: false });
		expect(Object.keys(item)).toEqual(['event', 'eventId', 'document']);
		expect(item.document).toMatchObject({
			id: document.id,
			secondaryId: `document_${document.legacyId}`,
			documentMeta: { signingOrder: 'PARALLEL' },
			fields: [{ type: 'SIGNATURE' }],
			envelopeItems: [{ order: 1 }],
		});
	});

	test.each([true, false])('hold no signing token unless asked (Simplify %s)', async (simple) => {
		const { document, item } = await completed({ simple });
		const [{ token } = { token: '' }] = document.recipients;
		expect(token).toHaveLength(21);
		expect(JSON.stringify(item)).not.toContain(token);
	});

	test.each([true, false])('hold the signing links when asked (Simplify %s)', async (simple) => {
		const options = { includeSigningLinks: true };
		const { document, item } = await completed({ simple, options });
		const [{ token } = { token: '' }] = document.recipients;
		expect(JSON.stringify(item)).toContain(simple ? `/sign/${token}"` : `"token":"${token}"`);
	});

	test('of a deleted document are what was kept of it without Simplify', async () => {
		poller.parameters = { events: EVERY_EVENT, simple: false };
		const document = await suite.document();
		await poller.poll();
		paper.remove(document);
		const [{ document: kept } = {}] = await poller.poll();
		expect(kept).toEqual({
			id: document.id,
			type: 'DOCUMENT',
			status: 'DRAFT',
			secondaryId: `document_${document.legacyId}`,
			title: 'Lease',
			externalId: document.externalId,
			source: 'DOCUMENT',
			templateId: null,
			createdAt: document.createdAt.toISOString(),
			recipients: [{ email: 'tenant@example.com' }],
		});
	});
});

describe('trying it out in the editor', () => {
	const tried = async () => await poller.reported({ mode: 'manual' });

	test('gives a recent document for each chosen event', async () => {
		poller.parameters = { events: ['DOCUMENT_COMPLETED', 'DOCUMENT_CREATED', 'DOCUMENT_REJECTED'] };
		for (const minutes of [3, 2, 1]) {
			paper.finish(paper.draft(`Done ${minutes}`, { createdAt: ago(minutes) }));
		}
		expect(await tried()).toEqual(['DOCUMENT_CREATED Done 1', 'DOCUMENT_COMPLETED Done 1']);
	});

	test('gives a finished document as one that was sent, but no draft', async () => {
		poller.parameters = { events: ['DOCUMENT_SENT'] };
		paper.finish(paper.draft('Done', { createdAt: ago(2) }));
		paper.draft('Draft');
		expect(await tried()).toEqual(['DOCUMENT_SENT Done']);
	});

	test('gives what passes the filters, from any folder', async () => {
		poller.parameters = { events: ['DOCUMENT_SENT'], filters: titleIs('Deal') };
		paper.send(paper.draft('Lease'));
		const folderId = folder(suite.service, 'Deals');
		paper.send(paper.draft('Deal', { folderId }));
		expect(await tried()).toEqual(['DOCUMENT_SENT Deal']);
	});

	test('gives the whole document', async () => {
		poller.parameters = { events: ['DOCUMENT_CREATED'], simple: false };
		await suite.document();
		const [item] = await poller.poll({ mode: 'manual' });
		expect(item?.document).toMatchObject({ title: 'Lease', fields: [{ type: 'SIGNATURE' }] });
	});

	test('leaves the state alone', async () => {
		await poller.poll();
		const before = JSON.stringify(poller.stored);
		paper.draft('New');
		expect(await tried()).toEqual(['DOCUMENT_CREATED New']);
		expect(JSON.stringify(poller.stored)).toBe(before);
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	});

	test('gives nothing where there is nothing, and says so', async () => {
		expect(await tried()).toEqual([]);
		expect(poller.hints).toEqual([expect.stringContaining('no document that fits the events')]);
		expect(poller.stored).toEqual({});
	});
});
