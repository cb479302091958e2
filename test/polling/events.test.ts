import { folder, paperwork, Poller } from '../support/polling';
import { byId, useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);
let poller: Poller;

beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});

async function operate(operation: string, id: string) {
	await suite.outputOf({ resource: 'document', operation, documentId: byId(id) });
}

async function reject(token = '') {
	await suite.service.reject(token, 'No');
	await suite.service.settled();
}

test('the first poll reports nothing of what there is', async () => {
	paper.draft('Draft');
	paper.send(paper.draft('Sent'));
	paper.finish(paper.draft('Done'));
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toEqual([]);
});

test('the first document of an empty account is reported', async () => {
	await poller.poll();
	paper.draft('First');
	expect(await poller.reported()).toEqual(['DOCUMENT_CREATED First']);
});

describe('each step of a document is reported at the next poll, and once', () => {
	test('created, sent, completed', async () => {
		await poller.poll();
		const document = await suite.document();
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED Lease']);
		await operate('send', document.id);
		expect(await poller.reported()).toEqual(['DOCUMENT_SENT Lease']);
		await suite.complete(document.id);
		expect(await poller.reported()).toEqual(['DOCUMENT_COMPLETED Lease']);
		expect(await poller.reported()).toEqual([]);
	});

	test('rejected', async () => {
		const document = await suite.document('createAndSend');
		await poller.poll();
		await reject(document.recipients[0]?.token);
		const [item, ...others] = await poller.poll();
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			event: 'DOCUMENT_REJECTED',
			document: { status: 'REJECTED' },
			causedBy: { email: 'tenant@example.com', rejectionReason: 'No' },
			rejection: { email: 'tenant@example.com', reason: 'No' },
		});
	});

	test('cancelled', async () => {
		const document = await suite.document('createAndSend');
		await poller.poll();
		await operate('cancel', document.id);
		expect(await poller.reported()).toEqual(['DOCUMENT_CANCELLED Lease']);
		await operate('delete', document.id);
		expect(await poller.reported()).toEqual([]);
	});

	test('sending the mail again is no step', async () => {
		const document = await suite.document('createAndSend');
		await poller.poll();
		await operate('resend', document.id);
		await operate('send', document.id);
		expect(await poller.reported()).toEqual([]);
	});
});

test('a document first seen as COMPLETED was created, sent and finished, in this order', async () => {
	await poller.poll();
	paper.finish(paper.draft('Quick'));
	expect(await poller.reported()).toEqual([
		'DOCUMENT_CREATED Quick',
		'DOCUMENT_SENT Quick',
		'DOCUMENT_COMPLETED Quick',
	]);
});

describe('deleting', () => {
	test('of a document that was sent is reported as cancelling, with what is known of it', async () => {
		const document = await suite.document('createAndSend');
		await poller.poll();
		await operate('delete', document.id);
		const items = await poller.poll();
		expect(items).toEqual([
			{
				event: 'DOCUMENT_CANCELLED',
				eventId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
				isTest: false,
				document: {
					id: document.id,
					title: 'Lease',
					status: 'PENDING',
					externalId: document.externalId,
					source: 'DOCUMENT',
					templateNumber: null,
					createdAt: document.createdAt.toISOString(),
					updatedAt: null,
					completedAt: null,
					deletedAt: null,
				},
				recipients: [{ email: 'tenant@example.com' }],
			},
		]);
		expect(await poller.poll()).toEqual([]);
	});

	test('of a document that was completed since the last poll is reported after its completion', async () => {
		const document = await suite.document('createAndSend');
		await poller.poll();
		await suite.complete(document.id);
		await operate('delete', document.id);
		expect(await poller.reported()).toEqual([
			'DOCUMENT_COMPLETED Lease',
			'DOCUMENT_CANCELLED Lease',
		]);
		expect(await poller.reported()).toEqual([]);
	});
});

describe('folders', () => {
	test('documents are found in all of them', async () => {
		const folderId = folder(suite.service, 'Deals');
		await poller.poll();
		paper.draft('Inside', { folderId });
		paper.draft('Outside');
		expect((await poller.reported()).sort()).toEqual([
			'DOCUMENT_CREATED Inside',
			'DOCUMENT_CREATED Outside',
		]);
	});

	test('a move is no step, and what happens after it is reported', async () => {
		const document = paper.draft('Wanderer');
		await poller.poll();
		document.folderId = folder(suite.service, 'Deals');
		expect(await poller.reported()).toEqual([]);
		paper.send(document);
		document.folderId = null;
		expect(await poller.reported()).toEqual(['DOCUMENT_SENT Wanderer']);
	});

	test('deleting one is not deleting what was in it', async () => {
		const folderId = folder(suite.service, 'Deals');
		const document = paper.draft('Inside', { folderId });
		await poller.poll();
		suite.service.store.folders.delete(folderId);
		document.folderId = null;
		expect(await poller.reported()).toEqual([]);
	});
});

test('a status that nobody knows yet is no step; what is known is reported before and after it', async () => {
	await poller.poll();
	const document = paper.draft('New', { status: 'WITNESSED' as never });
	expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	expect(await poller.reported()).toEqual([]);
	paper.finish(document);
	expect(await poller.reported()).toEqual(['DOCUMENT_SENT New', 'DOCUMENT_COMPLETED New']);
});

test('templates are not documents', async () => {
	await poller.poll();
	paper.draft('Template', { type: 'TEMPLATE' });
	expect(await poller.reported()).toEqual([]);
});

test('an event has the same ID whoever reports it, and another than every other event', async () => {
	const other = new Poller(suite.service);
	await poller.poll();
	await other.poll();
	for (const document of paper.drafts(3)) paper.finish(document);
	const ids = (await poller.poll()).map(({ eventId }) => eventId);
	expect(new Set(ids).size).toBe(9);
	expect((await other.poll()).map(({ eventId }) => eventId)).toEqual(ids);
});
