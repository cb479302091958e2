import { ago, beforeCall, folder, paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { useService } from '../support/suite';

const suite = useService({ rateLimit: { limit: 1e6, windowMs: 60_000 } });
const paper = paperwork(suite);
let poller: Poller;
let stop = () => {};

beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});
afterEach(() => {
	stop();
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
		const reported = await poller.reported();
		expect(reported.filter((one) => one.startsWith('DOCUMENT_SENT'))).toHaveLength(247);
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
