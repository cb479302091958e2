import { createHash } from 'node:crypto';

import { clock } from '../../nodes/shared/api/clock';
import { startEmulator } from '../../emulator';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { errorOf } from '../support/errors';
import { pollContext } from '../support/n8n';
import { ago, beforeCall, paperwork, Poller } from '../support/polling';
import { useService } from '../support/suite';

const SECOND_TOKEN = 'api_another_of_the_same';
const user = { id: 1, name: 'Demo Owner', email: 'owner@example.com' };
const team = { id: 1, url: 'demo', name: 'Demo Team' };

const suite = useService({
	tokens: [
		{ token: 'api_local_emulator_only', user, team },
		{ token: SECOND_TOKEN, user, team },
	],
});
const paper = paperwork(suite);
let poller: Poller;

beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});

test('after a failed poll the next one reports everything, and once', async () => {
	const known = paper.drafts(60, (index) => `Known ${index}`, { createdAt: ago(1000) });
	await poller.poll();
	const before = JSON.stringify(poller.stored);
	for (const document of known) paper.remove(document);
	paper.drafts(60, (index) => `New ${index}`);
	for (const [match, answered] of [
		['GET /folder', 0],
		['GET /envelope', 0],
		['POST /envelope/get-many', 0],
		['POST /envelope/get-many', 3],
	] as const) {
		if (answered > 0) suite.service.fail({ match, times: answered, delayMs: 0 });
		suite.service.fail({ match, status: 500 });
		const error = await errorOf(async () => await poller.poll());
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '500' });
		expect(JSON.stringify(poller.stored) === before).toBe(true);
	}
	expect(new Set(await poller.reported()).size).toBe(120);
	expect(await poller.reported()).toEqual([]);
});

test.each([
	['a list', 'GET /envelope'],
	['the documents', 'POST /envelope/get-many'],
])('an answer that does not hold %s is an error, not an empty account', async (_, match) => {
	paper.drafts(3, undefined, { createdAt: ago(1000) });
	for (const index of Array.from({ length: 100 }).keys()) {
		paper.finish(paper.draft('Done', { createdAt: ago(index + 1) }));
	}
	await poller.poll();
	suite.service.fail({ match, status: 200, body: { data: 'none' } });
	expect((await errorOf(async () => await poller.poll())).message).toBe(
		"Documenso's answer could not be read",
	);
	expect(await poller.reported()).toEqual([]);
});

test('a first poll that fails has recorded nothing, and the next one is the first', async () => {
	paper.draft('Old');
	suite.service.fail({ match: 'GET /envelope', status: 500 });
	await errorOf(async () => await poller.poll());
	expect(await poller.poll()).toEqual([]);
	paper.draft('New');
	expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
});

test('a poll that n8n begins while another is under way reports nothing twice', async () => {
	await poller.poll();
	paper.drafts(30);
	const first = pollContext(poller.credential, poller.parameters, {
		...{ workflowId: poller.workflowId, staticData: poller.stored },
	});
	const poll = async () => await new DocumensoPollingTrigger().poll.call(first.context);
	const outputs = await Promise.all([poll(), poll()]);
	expect(outputs.map((output) => output?.[0]?.length ?? 0).sort()).toEqual([0, 30]);
	poller.stored = first.workflow.staticData;
	expect(await poller.poll()).toEqual([]);
});

describe('the state', () => {
	test('holds neither the API token nor signing tokens', async () => {
		const document = paper.draft('Draft');
		await poller.poll();
		const text = JSON.stringify(poller.stored);
		expect(text).toContain(document.id);
		expect(text).not.toContain(poller.credential.apiToken);
		expect(text).not.toContain(document.recipients[0]?.token);
	});

	test('holds of open documents what SECURITY.md says, and of finished ones their IDs and dates', async () => {
		const open = paper.draft('Open');
		const done = paper.draft('Done');
		paper.finish(done);
		await poller.poll();
		const later = paper.draft('Later');
		await poller.poll();
		paper.finish(later);
		await poller.poll();
		const { account, ...state } = JSON.parse(poller.state) as Record<string, unknown>;
		const { baseUrl, apiToken } = poller.credential;
		const hash = createHash('sha256').update(`${baseUrl}\n${apiToken}`);
		expect(account).toBe(hash.digest('hex'));
		expect(state).toEqual({
			since: expect.any(Number) as number,
			next: expect.any(Number) as number,
			unreached: [],
			teams: [1],
			open: {
				[open.id]: {
					status: 'DRAFT',
					createdAt: open.createdAt.getTime(),
					secondaryId: `document_${open.legacyId}`,
					title: 'Open',
					externalId: open.externalId,
					source: open.source,
					recipients: open.recipients.map(({ email, id }) => ({ email, id })),
				},
			},
			finished: expect.objectContaining({ [later.id]: later.createdAt.getTime() }) as unknown,
		});
	});

	test('of 20,000 open documents takes less than 6 MB', async () => {
		for (const document of paper.drafts(20_000, (index) => `Rental agreement ${index}`)) {
			paper.send(document);
		}
		await poller.poll();
		await poller.poll();
		expect(Object.keys((JSON.parse(poller.state) as { open: object }).open)).toHaveLength(20_000);
		expect(poller.state.length).toBeLessThan(6_000_000);
	});

	test('that cannot be read is replaced', async () => {
		paper.draft('Old');
		poller.state = '{"account":7}';
		expect(await poller.poll()).toEqual([]);
		paper.draft('New');
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	});
});

describe('another account', () => {
	test('with another token starts over, and none of its existing documents are reported', async () => {
		paper.draft('Old');
		await poller.poll();
		paper.draft('Meanwhile');
		poller.credential = { ...poller.credential, apiToken: SECOND_TOKEN };
		expect(await poller.poll()).toEqual([]);
		paper.draft('New');
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	});

	test('at another Documenso does not report the documents of the first one as deleted', async () => {
		paper.draft('Old');
		await poller.poll();
		const other = await startEmulator();
		poller.credential = { ...poller.credential, baseUrl: other.url };
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		await other.close();
	});

	test('is not assumed when the same base URL is written differently', async () => {
		await poller.poll();
		paper.draft('New');
		poller.credential = { ...poller.credential, baseUrl: `${poller.credential.baseUrl}/api/v2/` };
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	});
});

describe('when the time that n8n gives a poll runs short', () => {
	test('the next poll goes on with a look that takes longer', async () => {
		await poller.poll();
		paper.draft('New');
		suite.service.fail({ match: 'GET /envelope', times: 1, delayMs: 1_000 });
		expect(await poller.poll({ budgetMs: 200 })).toEqual([]);
		const requests = suite.service.calls.length;
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
		expect(suite.service.calls.slice(requests).map(({ path }) => path)).not.toContain('/folder');
	});

	/** Each of the next such calls takes more than half of a poll's time, by the clock that the node and the service read. */
	const slow = (match: string, times: number) => {
		const { now } = clock;
		let passedMs = 0;
		let left = times;
		jest.spyOn(clock, 'now').mockImplementation(() => now() + passedMs);
		beforeCall(suite.service, (line) => {
			if (line.startsWith(match) && left-- > 0) passedMs += 151_000;
		});
	};
	afterEach(() => jest.restoreAllMocks());
	const counted = async (polls: number) => {
		const reported: string[][] = [];
		for (let poll = 1; poll <= polls; poll++) reported.push(await poller.reported());
		expect(new Set(reported.flat()).size).toBe(reported.flat().length);
		return reported.map(({ length }) => length);
	};

	test('what was read is reported, and the rest by the next polls, all of it once', async () => {
		const known = paper.drafts(40, (index) => `Known ${index}`, { createdAt: ago(1000) });
		for (const document of known) paper.send(document);
		await poller.poll();
		for (const document of known) paper.finish(document);
		for (let index = 0; index < 200; index++) {
			paper.draft(`New ${index}`, { createdAt: ago(500 - index) });
		}
		slow('POST /envelope/get-many', 12);
		expect(await counted(4)).toEqual([80, 80, 80, 0]);
	});

	test('a few documents are read even when the lists have taken too long', async () => {
		await poller.poll();
		paper.draft('New');
		slow('GET /envelope', 1);
		expect(await poller.reported()).toEqual(['DOCUMENT_CREATED New']);
	});

	test('an n8n that does not say how much time there is polls as well', async () => {
		await poller.poll({ budgetMs: 'unsaid' });
		paper.draft('New');
		expect(await poller.reported({ budgetMs: 'unsaid' })).toEqual(['DOCUMENT_CREATED New']);
	});
});
