import { clock } from '../../nodes/shared/api/clock';
import { ago, folder, paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);
let poller: Poller;
let passedMs = 0;

beforeEach(async () => {
	const { now } = clock;
	passedMs = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => now() + passedMs);
	await paper.begin();
	poller = new Poller(suite.service);
	poller.parameters = { events: ['DOCUMENT_CREATED', 'DOCUMENT_COMPLETED'] };
});

afterEach(() => jest.restoreAllMocks());

const MINUTE_MS = 60_000;

/** The next poll, a minute later. */
async function next(setup?: Parameters<Poller['reported']>[0]) {
	passedMs += MINUTE_MS;
	return await poller.reported(setup);
}

const folders = (count: number) =>
	Array.from({ length: count }, (_, index) => folder(suite.service, `F${index}`));

const EVENTS = [
	...['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_OPENED', 'DOCUMENT_RECIPIENT_COMPLETED'],
	...['DOCUMENT_SIGNED', 'DOCUMENT_COMPLETED'],
];

const done = ['DOCUMENT_COMPLETED A', 'DOCUMENT_COMPLETED B', 'DOCUMENT_COMPLETED C'];

/** Three documents that were open when the workflow was published. */
function three() {
	const documents = ['A', 'B', 'C'].map((title) => paper.draft(title, { createdAt: ago(1000) }));
	for (const document of documents) paper.send(document);
	return () => {
		for (const document of documents) paper.finish(document);
	};
}

describe.each(['memory', 'jobs', 'cursors'] as const)('where n8n keeps it by %s', (keeping) => {
	beforeEach(() => (poller.keeping = keeping));

	test('what happened while n8n was down is reported, once', async () => {
		const finish = three();
		await poller.publish();
		expect(await next()).toEqual([]);
		finish();
		poller.restart();
		expect(await next()).toEqual(done);
		poller.restart();
		expect(await next()).toEqual([]);
	});

	test('a new name of the node changes nothing', async () => {
		const finish = three();
		await poller.publish();
		expect(await next()).toEqual([]);
		poller.rename('Contracts');
		finish();
		const reported = await poller.publish();
		expect([...reported, ...(await next()), ...(await next())]).toEqual(done);
	});

	test('what a poll has found is found again if n8n drops it', async () => {
		await poller.publish();
		expect(await next()).toEqual([]);
		paper.draft('New');
		await poller.dropped();
		poller.loadAgain();
		const reported = await poller.publish();
		expect([...reported, ...(await next()), ...(await next())]).toEqual(['DOCUMENT_CREATED New']);
	});

	test('what an execution writes back is not gone on from', async () => {
		await poller.publish();
		await next();
		paper.draft('First');
		await next();
		const begun = structuredClone(poller.saved);
		await next();
		paper.draft('Second');
		expect([...(await next()), ...(await next())]).toEqual(['DOCUMENT_CREATED Second']);
		poller.saved = begun;
		if (keeping === 'memory') poller.loadAgain();
		expect(await next()).toEqual([]);
	});

	test('events that are selected later are reported from then on', async () => {
		poller.parameters = { events: ['DOCUMENT_COMPLETED'] };
		await poller.publish();
		await next();
		paper.draft('Old');
		expect([...(await next()), ...(await next())]).toEqual([]);
		poller.parameters = { events: ['DOCUMENT_CREATED'] };
		poller.loadAgain();
		expect(await poller.publish()).toEqual([]);
		paper.draft('New');
		expect(await next()).toEqual(['DOCUMENT_CREATED New']);
	});

	test('a first look that takes several polls is kept', async () => {
		const [place] = folders(40);
		const document = paper.draft('Late', { createdAt: ago(1000), folderId: place });
		await poller.publish();
		expect(await next()).toEqual([]);
		expect(await next()).toEqual([]);
		paper.finish(document);
		poller.restart();
		expect(await next()).toEqual(['DOCUMENT_COMPLETED Late']);
	});
});

test.each([
	['memory', 'cursors'],
	['cursors', 'memory'],
	['memory', 'jobs'],
	['jobs', 'memory'],
	['jobs', 'cursors'],
] as const)('n8n may keep it by %s at first, and later by %s', async (first, then) => {
	const finish = three();
	poller.keeping = first;
	await poller.publish();
	expect(await next()).toEqual([]);
	finish();
	poller.keeping = then;
	poller.restart();
	expect(await next()).toEqual(done);
	paper.draft('New');
	poller.keeping = first;
	poller.restart();
	expect(await next()).toEqual(['DOCUMENT_CREATED New']);
});

test('with poll jobs that keep nothing, an execution stores it once an hour, and goes no further', async () => {
	poller.keeping = 'jobs';
	poller.parameters = { events: ['DOCUMENT_COMPLETED'] };
	folders(40);
	await poller.publish();
	expect(poller.executions).toBe(0);
	for (let minute = 0; minute < 150; minute++) {
		paper.draft('Not reported');
		expect(await next()).toEqual([]);
	}
	expect(poller.executions).toBe(3);
	expect(poller.hints).toEqual([expect.stringContaining('No event: this execution stores')]);
	poller.restart();
	suite.service.calls.length = 0;
	await next();
	// No first look: that would read each folder once more.
	expect(lines(suite.service).filter((line) => line === 'GET /envelope')).toHaveLength(41);
});

describe('the first look', () => {
	test('reads each of 300 empty folders once, and few of them while n8n publishes', async () => {
		folders(300);
		await poller.publish();
		expect(suite.service.calls.length).toBeLessThanOrEqual(20);
		await next();
		expect(poller.state).toContain('"since"');
		expect(suite.service.calls.length).toBeLessThanOrEqual(301 + 5);
	});

	test('goes on if polls are a day apart', async () => {
		folders(40);
		await poller.publish();
		passedMs += 24 * 60 * MINUTE_MS;
		paper.draft('New');
		const reported = await poller.reported();
		passedMs += 24 * 60 * MINUTE_MS;
		expect([...reported, ...(await poller.reported())]).toEqual(['DOCUMENT_CREATED New']);
	});

	test('is begun anew with another credential, which publishing tries', async () => {
		folders(40);
		await poller.publish();
		poller.loadAgain();
		poller.credential = { ...poller.credential, apiToken: 'api_wrong' };
		await expect(poller.publish()).rejects.toThrow('Invalid token');
	});

	test('of 5,000 fresh documents goes on from poll to poll, and begins nothing anew', async () => {
		paper.drafts(5_000);
		poller.keeping = 'jobs';
		suite.service.fail({ match: 'GET /envelope', times: 200, delayMs: 20 });
		await poller.publish();
		let polls = 1;
		for (; !JSON.stringify(poller.saved).includes('since'); polls++) {
			await next({ budgetMs: 300 });
		}
		expect(polls).toBeGreaterThan(2);
		// One list of the newest, one of the drafts, one of those with markers, and the others' first pages.
		expect(suite.service.calls.length).toBeLessThanOrEqual(160);
	});

	test('reports what has happened since the workflow was published', async () => {
		poller.parameters = { events: EVENTS };
		const [place] = folders(40);
		const old = { createdAt: ago(1000), folderId: place };
		const open = paper.draft('Open', old);
		const signed = paper.draft('Signed', old);
		const before = paper.draft('Before', old);
		for (const document of [open, signed, before]) paper.send(document);
		paper.finish(before);
		await poller.publish();
		passedMs += 10_000;
		Object.assign(open.recipients[0] ?? {}, { readStatus: 'OPENED' });
		const signedAt = new Date(clock.now());
		Object.assign(signed.recipients[0] ?? {}, { signingStatus: 'SIGNED', signedAt });
		paper.finish(signed);
		paper.send(paper.draft('New', { folderId: place }));
		expect((await next()).sort()).toEqual([
			'DOCUMENT_COMPLETED Signed',
			'DOCUMENT_CREATED New',
			'DOCUMENT_RECIPIENT_COMPLETED Signed',
			'DOCUMENT_SENT New',
			'DOCUMENT_SIGNED Signed',
		]);
		expect(await next()).toEqual([]);
	});
});
