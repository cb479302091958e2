import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startEmulator } from '../../emulator';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { clock } from '../../nodes/shared/api/clock';
import { errorOf } from '../support/errors';
import { pollContext } from '../support/n8n';
import { ago, beforeCall, EVERY_EVENT, folder, paperwork, Poller } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

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
			listedAt: expect.any(Number) as number,
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

describe('what polls leave', () => {
	let passedMs = 0;

	beforeEach(() => {
		const { now, uptime } = clock;
		passedMs = 0;
		jest.spyOn(clock, 'now').mockImplementation(() => now() + passedMs);
		jest.spyOn(clock, 'uptime').mockImplementation(() => uptime() + passedMs);
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

	test('a document that was hidden for a while is followed again after a day at the latest', async () => {
		const { envelopes } = suite.service.store;
		const hidden = paper.draft('Hidden', { createdAt: ago(1000) });
		paper.send(hidden);
		for (const [index, document] of paper.drafts(150).entries()) {
			Object.assign(document, { createdAt: ago(500 - index) });
			paper.finish(document);
		}
		poller.parameters = {
			events: ['DOCUMENT_CREATED', 'DOCUMENT_CANCELLED', 'DOCUMENT_COMPLETED'],
		};
		await poller.publish();
		envelopes.delete(hidden.id);
		expect(await next()).toContain('DOCUMENT_CANCELLED Hidden');
		const newer = [...envelopes];
		envelopes.clear();
		for (const [id, envelope] of [[hidden.id, hidden] as const, ...newer])
			envelopes.set(id, envelope);
		expect(await next()).toEqual([]);
		suite.service.calls.length = 0;
		expect(await next()).toEqual([]);
		const [usual] = [suite.service.calls.length];
		passedMs += 24 * 60 * MINUTE_MS;
		suite.service.calls.length = 0;
		expect(await next()).toEqual([]);
		// The pages of drafts and of pending documents.
		expect(suite.service.calls.length).toBeLessThanOrEqual(usual + 3);
		paper.finish(hidden);
		expect(await next()).toEqual(['DOCUMENT_COMPLETED Hidden']);
	});

	describe('when n8n publishes the workflow again', () => {
		/** Time-outs come a hundred times as soon. */
		const withLittleTime = () => {
			const { timeout } = clock;
			jest.spyOn(clock, 'timeout').mockImplementation((ms) => timeout(ms / 100));
		};

		test('the poll takes little time, and the next one reports what it has found', async () => {
			const [place] = folders(100);
			await poller.publish();
			await next();
			paper.draft('New', { folderId: place });
			poller.saved = structuredClone(poller.stored);
			poller.loadAgain();
			withLittleTime();
			suite.service.fail({ match: 'GET /envelope', times: 101, delayMs: 40 });
			suite.service.calls.length = 0;
			expect(await poller.publish()).toEqual([]);
			expect(suite.service.calls.length).toBeLessThan(60);
			expect(await next()).toEqual(['DOCUMENT_CREATED New']);
		});

		test('what such a look has begun is dropped if another process has looked meanwhile', async () => {
			const [place] = folders(40);
			poller.keeping = 'cursors';
			await poller.publish();
			await next();
			await next();
			const other = new Poller(suite.service);
			Object.assign(other, { workflowId: poller.workflowId, parameters: poller.parameters });
			other.keeping = 'cursors';
			paper.draft('New', { folderId: place });
			const share = (from: Poller, to: Poller) => {
				to.cursor = structuredClone(from.cursor);
				to.saved = structuredClone(from.saved);
			};
			share(poller, other);
			other.restart();
			// It goes on while another process polls.
			suite.service.fail({ match: 'GET /envelope', times: 41, delayMs: 30 });
			expect(await other.reported({ budgetMs: 20 })).toEqual([]);
			expect(await next()).toEqual(['DOCUMENT_CREATED New']);
			share(poller, other);
			passedMs += MINUTE_MS;
			expect(await other.reported()).toEqual([]);
		});
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
			// What happens in the millisecond of the publishing is reported.
			passedMs += 1000;
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
});

describe('the settings', () => {
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
			poller.parameters = {
				events: ['DOCUMENT_COMPLETED', 'DOCUMENT_CREATED', 'DOCUMENT_REJECTED'],
			};
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
});
