import type { IDataObject } from 'n8n-workflow';
import { Random } from '../../emulator/random';
import { World } from './world';
import { EVENTS } from '../../nodes/shared/events/names';
import { call, createDocument, signatureField } from '../emulator/api';
import { useTrigger } from '../support/events';
import { ago, beforeCall, folder, paperwork, Poller } from '../support/polling';
import { errorOf } from '../support/errors';
import { refusal } from '../support/refusal';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService({ seed: 'empty', rateLimit: { limit: 1e6, windowMs: 60_000 } });
const { listen } = useTrigger(suite);
const paper = paperwork(suite);
let poller: Poller;
let stop = () => {};

beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});
afterEach(() => stop());

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

describe('what is added to the events of a poll', () => {
	/** Documents that were sent before, and that are completed since the last poll. */
	async function completedTwo() {
		const both = [await suite.document('createAndSend'), await suite.document('createAndSend')];
		poller.parameters = { events: ['DOCUMENT_COMPLETED'], enrich: ['values'] };
		await poller.poll();
		for (const { id } of both) await suite.complete(id);
		return both;
	}

	test('lacks what was deleted meanwhile, and the others go on', async () => {
		const [gone, there] = await completedTwo();
		suite.service.intercept(`GET /envelope/${gone?.id}`, async ({ pass }) => {
			suite.service.store.envelopes.delete(gone?.id ?? '');
			return await pass();
		});
		const items = await poller.poll();
		expect(items).toHaveLength(2);
		expect(items.find(({ document }) => (document as IDataObject).id === gone?.id)).toMatchObject({
			missing: [{ part: 'values' }],
		});
		const other = items.find(({ document }) => (document as IDataObject).id === there?.id);
		expect(other).toHaveProperty('values');
		expect(other).not.toHaveProperty('missing');
	});

	test('fails with the name of the document that cannot be read', async () => {
		const [unreadable] = await completedTwo();
		suite.service.fail({ match: `GET /envelope/${unreadable?.id}`, ...refusal('No', 500) });
		const error = await errorOf(async () => await poller.poll());
		expect(error.description).toContain(
			`It failed for DOCUMENT_COMPLETED of "Lease" (${unreadable?.id}). A retry goes on with all 2 events`,
		);
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

describe('what recipients do', () => {
	beforeEach(() => {
		poller.parameters = { events: EVENTS.map(({ value }) => value) };
	});

	/** A sent document that two people sign. */
	async function contract(title = 'Lease') {
		const recipients = ['anna', 'ben'].map((name) => ({
			email: `${name}@example.com`,
			name,
			role: 'SIGNER',
			fields: [signatureField],
		}));
		const id = await createDocument(suite.service, { title, recipients });
		await call(suite.service, 'POST /envelope/distribute', { envelopeId: id });
		const [anna, ben] = suite.service.store.envelopes.get(id)?.recipients ?? [];
		if (!anna || !ben) throw new Error('It has two recipients');
		return { id, anna, ben };
	}

	async function open(token: string) {
		await fetch(`${suite.service.url}/sign/${token}`);
	}

	const who = ({ causedBy }: IDataObject) => (causedBy as IDataObject | undefined)?.name;

	async function found() {
		return (await poller.poll()).map((item) => [item.event, who(item)]);
	}

	test('with Only When All Acted, of two signatures since the last poll only the last is reported', async () => {
		Object.assign(poller.parameters, { filters: { lastRecipientOnly: true } });
		await poller.poll();
		const { id } = await contract();
		await suite.complete(id);
		const [finished, signed, ...rest] = await found();
		expect(finished).toEqual(['DOCUMENT_RECIPIENT_COMPLETED', 'ben']);
		expect(signed).toEqual(['DOCUMENT_SIGNED', 'ben']);
		expect(rest.map(([event]) => event)).toEqual(['DOCUMENT_COMPLETED']);
	});

	test('with Only When All Acted, what was signed before a rejection is not reported', async () => {
		Object.assign(poller.parameters, { filters: { lastRecipientOnly: true } });
		await poller.poll();
		const { anna, ben } = await contract();
		await suite.service.sign(anna.token);
		await suite.service.reject(ben.token, 'No');
		await suite.service.settled();
		expect((await found()).map(([event]) => event)).toEqual(['DOCUMENT_REJECTED']);
	});

	test('a poll tells who has opened and signed since the last one, once, and in order', async () => {
		const { anna, ben } = await contract();
		await poller.poll();
		await open(anna.token);
		expect(await found()).toEqual([['DOCUMENT_OPENED', 'anna']]);
		await open(ben.token);
		await suite.service.sign(anna.token);
		await suite.service.settled();
		expect(await found()).toEqual([
			['DOCUMENT_OPENED', 'ben'],
			['DOCUMENT_RECIPIENT_COMPLETED', 'anna'],
			['DOCUMENT_SIGNED', 'anna'],
		]);
		expect(await found()).toEqual([]);
		await suite.service.sign(ben.token);
		await suite.service.settled();
		expect(await found()).toEqual([
			['DOCUMENT_RECIPIENT_COMPLETED', 'ben'],
			['DOCUMENT_SIGNED', 'ben'],
			['DOCUMENT_COMPLETED', 'ben'],
		]);
		expect(await found()).toEqual([]);
	});

	test('a poll tells whose link has expired, and tells it again after another deadline', async () => {
		const { anna } = await contract();
		await poller.poll();
		suite.service.expire(anna.id);
		const [first, ...others] = await poller.poll();
		expect([first?.event, who(first ?? {}), others]).toEqual(['RECIPIENT_EXPIRED', 'anna', []]);
		expect(await found()).toEqual([]);
		Object.assign(anna, {
			expiresAt: new Date(Date.now() - 1_000),
			expirationNotifiedAt: new Date(),
		});
		const [again] = await poller.poll();
		expect(again?.event).toBe('RECIPIENT_EXPIRED');
		expect(again?.eventId).not.toBe(first?.eventId);
	});

	test('what recipients do costs no request beyond those of a poll that finds nothing', async () => {
		const { anna } = await contract();
		await poller.poll();
		const requests = async () => {
			suite.service.calls.length = 0;
			await poller.poll();
			return lines(suite.service).length;
		};
		const without = await requests();
		await open(anna.token);
		await suite.service.sign(anna.token);
		await suite.service.settled();
		expect(await requests()).toBe(without);
	});

	describe('each event has the same ID from a delivery and from polls', () => {
		async function happenings(poll: () => Promise<void>) {
			const { anna, ben } = await contract();
			await poll();
			await open(anna.token);
			await open(ben.token);
			await poll();
			await suite.service.sign(ben.token);
			await suite.service.settled();
			await poll();
			await suite.service.sign(anna.token);
			const rejected = await contract('Rejected');
			await suite.service.reject(rejected.anna.token, 'No');
			const expired = await contract('Expired');
			suite.service.expire(expired.anna.id);
			suite.service.expire(expired.ben.id);
			const deleted = await contract('Deleted');
			await suite.service.settled();
			await poll();
			await call(suite.service, 'POST /envelope/delete', { envelopeId: deleted.id });
			await suite.service.settled();
		}

		const named = ({ event, eventId, document }: IDataObject) =>
			`${event as string} of ${(document as IDataObject).title as string}: ${eventId as string}`;

		test.each([
			['at every step', true],
			['when most of it has happened', false],
		])('%s', async (_, isEachStep) => {
			const trigger = await listen({});
			await poller.poll();
			const polled: IDataObject[] = [];
			// A document that is made and deleted between two polls leaves no trace.
			await happenings(async () => {
				if (isEachStep || suite.service.store.envelopes.size >= 4)
					polled.push(...(await poller.poll()));
			});
			polled.push(...(await poller.poll()));
			const delivered = trigger.items.map(({ json }) => named(json)).sort();
			expect(delivered).toHaveLength(19);
			expect(new Set(delivered).size).toBe(19);
			expect(polled.map(named).sort()).toEqual(delivered);
		});
	});
});

const created = (titles: string[]) => titles.map((title) => `DOCUMENT_CREATED ${title}`);

const titles = (count: number, prefix = 'D') =>
	Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const minutesAgo = (minutes: number) => ({ createdAt: ago(minutes) });

/** What several polls report together, sorted. */
async function reportedBy(polls: number): Promise<string[]> {
	const reported: string[] = [];
	for (let poll = 1; poll <= polls; poll++) reported.push(...(await poller.reported()));
	return reported.sort();
}

describe('more than fits on a page', () => {
	test('250 documents created between two polls are reported in the order of their creation', async () => {
		await poller.poll();
		for (const index of titles(250).keys()) paper.draft(`D${index}`, minutesAgo(250 - index));
		expect(await poller.reported()).toEqual(created(titles(250)));
		expect(await poller.reported()).toEqual([]);
	});

	test('250 documents created at the same moment are reported once each', async () => {
		await poller.poll();
		paper.drafts(250, undefined, minutesAgo(1));
		expect((await poller.reported()).sort()).toEqual(created(titles(250)).sort());
		paper.drafts(5, (index) => `more ${index}`, minutesAgo(1));
		expect((await poller.reported()).sort()).toEqual(created(titles(5, 'more ')).sort());
		expect(await poller.reported()).toEqual([]);
	});

	test('250 documents completed between two polls are reported once each', async () => {
		const documents = paper.drafts(250, undefined, minutesAgo(60));
		for (const document of documents) paper.send(document);
		await poller.poll();
		for (const document of documents) paper.finish(document);
		const expected = titles(250).map((title) => `DOCUMENT_COMPLETED ${title}`);
		expect((await poller.reported()).sort()).toEqual(expected.sort());
		expect(await poller.reported()).toEqual([]);
	});

	test('an old document is followed behind hundreds of newer ones', async () => {
		const old = paper.draft('Old', minutesAgo(100_000));
		for (const document of paper.drafts(300)) paper.finish(document);
		await poller.poll();
		paper.send(old);
		expect(await poller.reported()).toEqual(['DOCUMENT_SENT Old']);
	});

	test.each([40, 400])('of %d old open documents each is followed', async (count) => {
		const documents = paper.drafts(count, undefined, minutesAgo(1000));
		for (const document of paper.drafts(100, undefined, minutesAgo(10))) paper.finish(document);
		for (const document of documents.slice(0, count / 2)) paper.send(document);
		await poller.poll();
		const [sent, drafted] = [documents[1], documents.at(-2)];
		const [deleted, deletedDraft] = [documents[0], documents.at(-1)];
		if (!sent || !drafted || !deleted || !deletedDraft) throw new Error('Too few documents');
		paper.finish(sent);
		paper.send(drafted);
		paper.remove(deleted);
		paper.remove(deletedDraft);
		expect((await poller.reported()).sort()).toEqual([
			'DOCUMENT_CANCELLED D0',
			`DOCUMENT_CANCELLED D${count - 1}`,
			'DOCUMENT_COMPLETED D1',
			`DOCUMENT_SENT D${count - 2}`,
		]);
		expect(await poller.reported()).toEqual([]);
	});

	test('each of 50 folders with documents is read', async () => {
		const folders = titles(50, 'F').map((name) => folder(suite.service, name));
		await poller.poll();
		await poller.poll();
		for (const folderId of folders) paper.draft(folderId, { folderId });
		expect((await poller.reported()).sort()).toEqual(created(folders).sort());
	});
});

describe('while pages are being read', () => {
	test('documents that are created draw nothing past the reader', async () => {
		await poller.poll();
		paper.drafts(250);
		let added = 0;
		stop = beforeCall(suite.service, (line) => {
			if (line.includes('GET /envelope')) paper.draft(`new ${added++}`);
		});
		const first = await poller.reported();
		stop();
		const all = [...first, ...(await poller.reported())];
		expect(all.sort()).toEqual(created([...titles(250), ...titles(added, 'new ')]).sort());
		expect(added).toBeGreaterThan(2);
	});

	test('documents that vanish draw none of the others past the reader', async () => {
		await poller.poll();
		const documents = paper.drafts(250);
		let deleted = 0;
		stop = beforeCall(suite.service, (line) => {
			const last = documents.at(-1);
			if (!last || !/GET .*[&?]page=[23]/.test(line) || deleted >= 5) return;
			documents.pop();
			paper.remove(last);
			deleted++;
		});
		const reported = await poller.reported();
		stop();
		expect(deleted).toBeGreaterThan(1);
		expect(reported.filter((one) => one.startsWith('DOCUMENT_CREATED')).sort()).toEqual(
			created(titles(250)).sort(),
		);
		const cancelled = (await poller.reported()).sort();
		expect(cancelled).toHaveLength(deleted);
		expect(cancelled.every((one) => one.startsWith('DOCUMENT_CANCELLED'))).toBe(true);
	});

	test('so many may vanish at once that others are drawn over a whole page', async () => {
		await poller.poll();
		const documents = paper.drafts(450);
		stop = beforeCall(suite.service, (line) => {
			if (!/GET .*[&?]page=4/.test(line)) return;
			for (const document of documents.splice(-150)) paper.remove(document);
		});
		const reported = await poller.reported();
		stop();
		expect(new Set(reported.filter((one) => one.startsWith('DOCUMENT_CREATED'))).size).toBe(450);
	});

	test('one that the reader missed is found by the next poll, however long ago it was created', async () => {
		const deals = folder(suite.service, 'Deals');
		paper.draft('Known', minutesAgo(120));
		await poller.poll();
		const document = paper.draft('Wanderer', { ...minutesAgo(50), folderId: deals });
		paper.draft('Newest');
		stop = beforeCall(suite.service, (line) => {
			// The root has been read by now: it is asked first.
			if (line.includes(`folderId=${deals}`)) {
				if (document.folderId) paper.draft('Later', { folderId: null });
				document.folderId = null;
			}
		});
		const first = await poller.reported();
		stop();
		const all = [...first, ...(await reportedBy(2))];
		expect(all.sort()).toEqual(created(['Later', 'Newest', 'Wanderer']));
	});

	test('none of those that are there before the first poll is missed when others vanish during it', async () => {
		const documents = paper.drafts(250, undefined, minutesAgo(600));
		let isDone = false;
		stop = beforeCall(suite.service, (line) => {
			if (isDone || !line.includes('status=DRAFT') || !line.includes('page=2')) return;
			isDone = true;
			for (const document of documents.splice(-3)) paper.remove(document);
		});
		expect(await poller.poll()).toEqual([]);
		stop();
		expect(isDone).toBe(true);
		for (const document of documents) paper.send(document);
		// The first look may go on in the second poll.
		const reported = await reportedBy(2);
		expect(reported.filter((one) => one.startsWith('DOCUMENT_SENT'))).toHaveLength(247);
	});

	test('none is missed when one leaves a list for another that joins it during the first look', async () => {
		for (let number = 0; number < 5; number++) folder(suite.service, `Deals ${number}`);
		const documents = paper.drafts(250);
		for (const [number, one] of documents.entries()) Object.assign(one, minutesAgo(600 - number));
		const [draft, ...sent] = documents;
		for (const document of sent) paper.send(document);
		let isDone = false;
		stop = beforeCall(suite.service, (line) => {
			const last = sent.at(-1);
			if (isDone || !draft || !last || !/status=PENDING.*page=2/.test(line)) return;
			isDone = true;
			paper.finish(last);
			paper.send(draft);
		});
		await poller.poll();
		await reportedBy(2);
		stop();
		expect(isDone).toBe(true);
		for (const document of documents) if (document.status === 'PENDING') paper.finish(document);
		const reported = await reportedBy(3);
		expect(reported.filter((one) => one.startsWith('DOCUMENT_COMPLETED'))).toHaveLength(249);
	});

	test('one that is sent during the first poll is known after it', async () => {
		const document = paper.draft('Draft', minutesAgo(600));
		for (const index of titles(150).keys()) paper.finish(paper.draft('Done', minutesAgo(index)));
		stop = beforeCall(suite.service, (line) => {
			if (line.includes('status=PENDING') && document.status === 'DRAFT') paper.send(document);
		});
		await poller.poll();
		stop();
		paper.finish(document);
		expect(await poller.reported()).toEqual(['DOCUMENT_COMPLETED Draft']);
	});
});

test('a document that appears minutes after its date is reported once, also when it is finished', async () => {
	paper.draft('Known', minutesAgo(1));
	await poller.poll();
	expect(await poller.poll()).toEqual([]);
	paper.finish(paper.draft('Late', minutesAgo(9)));
	expect(await poller.reported()).toEqual([
		'DOCUMENT_CREATED Late',
		'DOCUMENT_SENT Late',
		'DOCUMENT_COMPLETED Late',
	]);
	expect(await poller.reported()).toEqual([]);
});

describe('a poll without news', () => {
	const idle = async () => {
		for (let poll = 1; poll <= 3; poll++) await poller.poll();
		suite.service.calls.length = 0;
		await poller.poll();
		return lines(suite.service);
	};

	test('of an account without folders takes two requests', async () => {
		paper.drafts(30);
		expect(await idle()).toEqual(['GET /folder', 'GET /envelope']);
	});

	test('takes one more for each folder, and one for twenty older open documents', async () => {
		for (const name of titles(5, 'F')) folder(suite.service, name);
		paper.drafts(30, undefined, minutesAgo(1000));
		for (const index of titles(100).keys()) paper.finish(paper.draft('Done', minutesAgo(index)));
		expect((await idle()).sort()).toEqual([
			...Array.from({ length: 6 }, () => 'GET /envelope'),
			'GET /folder',
			'POST /envelope/get-many',
			'POST /envelope/get-many',
		]);
	});

	test('of an account with 2000 open documents takes 23', async () => {
		paper.drafts(1900, undefined, minutesAgo(1000));
		for (const document of paper.drafts(100)) paper.send(document);
		const made = await idle();
		expect(made).toHaveLength(23);
		expect(made).not.toContain('POST /envelope/get-many');
	});

	test('writes nothing down', async () => {
		for (const name of titles(2, 'F')) folder(suite.service, name);
		paper.drafts(30, undefined, minutesAgo(1000));
		for (const index of titles(100).keys())
			paper.finish(paper.draft('Done', minutesAgo(index + 1)));
		for (let poll = 1; poll <= 3; poll++) await poller.poll();
		const before = JSON.stringify(poller.stored);
		await poller.poll();
		expect(JSON.stringify(poller.stored) === before).toBe(true);
	});
});

describe('random changes', () => {
	const CHANGES = 1000;

	test.each([1, 2, 3])(
		`${CHANGES} random changes, in order %i, are each reported once and nothing else is`,
		async (seed) => {
			const random = new Random(seed);
			const world = new World(suite, paper, random);
			await poller.poll();
			const reported: string[] = [];
			let failures = 0;
			while (world.changes < CHANGES) {
				const burst = random.below(12) === 0 ? 150 : random.below(20);
				for (let index = 0; index < burst; index++) world.change(false);
				if (random.below(25) === 0) for (let index = 0; index < 130; index++) world.create();
				if (random.below(5) === 0) {
					const match = random.below(2) === 0 ? 'GET /envelope' : 'POST /envelope/get-many';
					suite.service.fail({ match, times: 1 + random.below(3), delayMs: 0 });
					suite.service.fail({ match, status: 500 });
				}
				try {
					reported.push(...(await world.during(async () => await poller.reported())));
				} catch {
					failures++;
				}
			}
			for (let poll = 1; poll <= 4; poll++) {
				reported.push(...(await poller.reported().catch(() => [])));
			}
			const expected = world.all.flatMap(({ document, expected: events }) =>
				events.map((event) => `${event} ${document.title}`),
			);
			expect(reported.sort()).toEqual(expected.sort());
			expect(failures).toBeGreaterThan(0);
			expect(world.polls).toBeGreaterThan(10);
		},
		60_000,
	);
});
