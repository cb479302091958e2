import type { IDataObject, INode } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { processedData } from '../support/history';
import { completed, delivered } from '../support/deliveries';
import { HEADERS as headers, SECRET, useTrigger } from '../support/events';
import { triggerPlace, type TriggerPlace } from '../support/n8n';
import { Poster } from '../support/post';
import { useService } from '../support/suite';
import { freshTrigger, type TriggerServer } from '../support/webhook';

const suite = useService();
const { serve } = useTrigger(suite);
const poster = new Poster(50);
afterAll(() => poster.close());

afterEach(() => {
	processedData.failing = 0;
	processedData.between = undefined;
	processedData.busy = undefined;
	processedData.overwritten = 0;
	processedData.cut = 0;
	processedData.isUndone = false;
	jest.restoreAllMocks();
});

/** A trigger in a process of n8n that remembers nothing of deliveries. */
async function process(place: TriggerPlace = triggerPlace(), parameters: IDataObject = {}) {
	processedData.workflow = place.workflowId;
	return await serve(parameters, { place, trigger: freshTrigger() });
}

const delivery = (number: number, changes: IDataObject = {}, event?: string) =>
	delivered({ envelopeId: `envelope_${String(number)}`, ...changes }, event);

async function send({ url }: TriggerServer, body: string) {
	expect((await poster.post(url, { headers, body })).status).toBe(200);
}

const settled = (settings: Partial<INode>) => ({ ...triggerPlace(), settings });

test('200 events at once, n8n started again, and the same 200 again: none goes on twice', async () => {
	const place = triggerPlace();
	const deliver = async () => {
		const { url, executions } = await process(place);
		const bodies = Array.from({ length: 200 }, (_, number) => delivery(number));
		await poster.postAll(
			bodies.map((body) => ({ url, headers, body })),
			50,
		);
		return executions.length;
	};
	expect(await deliver()).toBe(200);
	expect(await deliver()).toBe(0);
});

test('the editor says why the execution of a duplicate delivery is empty', async () => {
	const place = triggerPlace();
	await send(await process(place), delivery(1));
	const second = await process(place);
	await send(second, delivery(1));
	expect(second.items).toEqual([]);
	expect(second.hints).toEqual([[expect.stringContaining('earlier execution has had this event')]]);
});

test('an event that a killed worker took with it starts the workflow when it is resent after its time, but not before', async () => {
	const place = triggerPlace();
	await send(await process(place), delivery(1));
	const start = clock.now();
	for (const [minutes, items] of [
		[59, 0],
		[120, 1],
	] as const) {
		jest.spyOn(clock, 'now').mockReturnValue(start + minutes * 60_000);
		const another = await process(place);
		await send(another, delivery(1));
		expect(another.items).toHaveLength(items);
	}
});

test('a document that is sent again is another event, and repetitions of both sendings are none', async () => {
	const place = triggerPlace();
	const sendings = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z'].map((updatedAt) =>
		delivery(1, { updatedAt }, 'DOCUMENT_SENT'),
	);
	const first = await process(place);
	for (const body of [...sendings, ...sendings]) await send(first, body);
	const ids = first.items.map(({ json }) => json.eventId);
	expect(new Set(ids).size).toBe(2);
	expect(ids).toHaveLength(2);
	const second = await process(place);
	for (const body of sendings) await send(second, body);
	expect(second.items).toEqual([]);
});

test('each test from the dashboard starts the workflow, also the second within an hour', async () => {
	const server = await process();
	for (const minute of [1, 2]) {
		await send(
			server,
			delivery(1, { envelopeId: 'env_123', updatedAt: `2026-01-01T00:0${minute}:00.000Z` }),
		);
	}
	expect(server.items).toHaveLength(2);
});

test('cancelling a document and deleting it are two events, each of which starts the workflow once', async () => {
	const place = triggerPlace();
	const status = 'CANCELLED';
	const bodies = [null, '2026-01-01T00:00:00.000Z'].map((deletedAt) =>
		delivery(1, { status, deletedAt }, 'DOCUMENT_CANCELLED'),
	);
	for (const items of [2, 0]) {
		const server = await process(place);
		for (const body of bodies) await send(server, body);
		expect(server.items).toHaveLength(items);
	}
});

test('the first events of two processes, which both make the history, both go on', async () => {
	const place = triggerPlace();
	const [one, other] = [await process(place), await process(place)];
	await Promise.all([send(one, delivery(1)), send(other, delivery(2))]);
	expect([one.executions.length, other.executions.length]).toEqual([1, 1]);
	const third = await process(place);
	for (const number of [1, 2]) await send(third, delivery(number));
	expect(third.items).toEqual([]);
});

test('of one first event in two processes, which both make the history, one goes on, and none fails', async () => {
	const place = triggerPlace();
	const servers = [await process(place), await process(place)];
	await Promise.all(servers.map(async (server) => await send(server, delivery(1))));
	expect(servers.flatMap(({ items }) => items)).toHaveLength(1);
	expect(servers.flatMap(({ failures }) => failures)).toEqual([]);
});

test('what a process remembers of deliveries ends when the workflow is unpublished; the history is still there', async () => {
	const server = await process();
	await server.publish();
	for (let time = 0; time < 2; time++) await send(server, delivery(1));
	expect(server.stored).toHaveLength(1);
	await server.switchOff();
	await send(server, delivery(1));
	expect(server.stored).toHaveLength(2);
	expect(server.items).toHaveLength(1);
});

/** From now on, the database has been gone for longer than the node waits for it. */
function losePatience() {
	let now = clock.uptime();
	jest.spyOn(clock, 'uptime').mockImplementation(() => (now += 61_000));
}

test('while the history cannot be read, the execution waits, and if it stays so, somebody tries again', async () => {
	const server = await process();
	processedData.failing = 2;
	await send(server, delivery(1));
	expect(server.items).toHaveLength(1);
	processedData.failing = 100;
	losePatience();
	await send(server, delivery(2));
	jest.restoreAllMocks();
	expect(server.failures).toHaveLength(1);
	processedData.failing = 0;
	await server.retry();
	expect(server.items).toHaveLength(2);
});

test('an event that was recorded although the answer was lost is not left out without a word', async () => {
	const server = await process();
	await send(server, delivery(1));
	processedData.cut = 1;
	await send(server, delivery(2));
	expect(server.items).toHaveLength(1);
	expect(server.failures.map(({ message }) => message)).toEqual([
		expect.stringContaining('retry this execution'),
	]);
	await server.retry();
	expect(server.items).toHaveLength(2);
});

test('a second try of an execution does not take its own record for that of another', async () => {
	const place = settled({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
	const server = await process(place);
	const sending = (updatedAt: string) => delivery(1, { updatedAt }, 'DOCUMENT_SENT');
	await send(server, sending('2026-01-01T00:00:00.000Z'));
	// The second sending is recorded, but the answer is lost, and it cannot be taken back.
	processedData.between = () => {
		processedData.between = undefined;
		processedData.cut = 1;
		processedData.isUndone = true;
		losePatience();
	};
	await send(server, sending('2026-01-01T00:05:00.000Z'));
	expect(server.items).toHaveLength(2);
});

/** How many entries of the history an event takes. */
const ENTRIES = 2;

test.each(['at the same moment', 'later'])(
	'a record that another process writes over %s is made again',
	async (moment) => {
		const place = triggerPlace();
		const server = await process(place);
		await send(server, delivery(1));
		const writeBack = processedData.readByAnother();
		if (moment !== 'later') processedData.overwritten = 1;
		await send(server, delivery(2));
		if (moment === 'later') writeBack();
		expect(processedData.count()).toBe(ENTRIES);
		while (processedData.count() < 2 * ENTRIES) {
			await clock.sleep(50);
		}
		const again = await process(place);
		await send(again, delivery(2));
		expect(server.items).toHaveLength(2);
		expect(again.items).toEqual([]);
	},
);

test('an event is recorded by one write of at most three entries', async () => {
	const place = triggerPlace();
	const server = await process(place);
	const sending = (minute: number) =>
		delivery(1, { updatedAt: `2026-01-01T00:0${minute}:00.000Z` }, 'DOCUMENT_SENT');
	const writesAndEntries = async (body: string) => {
		const counts = () => [
			processedData.questions.get(place.workflowId) ?? 0,
			processedData.count(),
		];
		const before = counts();
		await send(server, body);
		return counts().map((count, index) => count - (before[index] ?? 0));
	};
	expect(await writesAndEntries(delivery(2))).toEqual([1, ENTRIES]);
	expect(await writesAndEntries(sending(0))).toEqual([1, 3]);
	// That the document was sent is known, so the period before has to be asked, too.
	expect(await writesAndEntries(sending(1))).toEqual([2, 2]);
});

test('a duplicate is known to the process that has recorded it, although another one has written over the record', async () => {
	const place = triggerPlace();
	await send(await process(place), delivery(2));
	const server = await process(place);
	const writeBack = processedData.readByAnother();
	await send(server, delivery(1));
	writeBack();
	await server.repeat();
	expect(server.items).toHaveLength(1);
});

/** Lets the database answer only when all of these deliveries have started an execution. */
async function sendTogether(server: TriggerServer, bodies: string[]) {
	let answer: () => void = () => undefined;
	processedData.busy = new Promise((resolve) => (answer = resolve));
	const wanted = server.stored.length + bodies.length;
	const sending = bodies.map(async (body) => {
		await send(server, body);
	});
	while (server.stored.length < wanted) await new Promise((resolve) => setImmediate(resolve));
	return async () => {
		answer();
		await Promise.all(sending);
	};
}

test('two later sendings at the same moment both go on', async () => {
	const server = await process();
	const sending = (minute: number) =>
		delivery(1, { updatedAt: `2026-01-01T00:0${minute}:00.000Z` }, 'DOCUMENT_SENT');
	await send(server, sending(0));
	const bodies = [delivery(2), sending(1), sending(2)];
	await (
		await sendTogether(server, bodies)
	)();
	expect(server.items).toHaveLength(4);
});

test('a try that the database has refused leaves no doubt about what was recorded long ago', async () => {
	const server = await process();
	await send(server, delivery(1));
	const ended = await sendTogether(server, [delivery(2), delivery(3)]);
	const repeated = server.repeat();
	processedData.failing = 1;
	await Promise.all([ended(), repeated]);
	expect(server.failures).toEqual([]);
	expect(server.items).toHaveLength(3);
});

test('executions that wait for a slow database are recorded together', async () => {
	const place = triggerPlace();
	const server = await process(place);
	const bodies = Array.from({ length: 40 }, (_, number) => delivery(number));
	const ended = await sendTogether(server, bodies);
	await ended();
	expect(server.items).toHaveLength(40);
	// That of the first, that of all others, and one that records them again.
	expect(processedData.questions.get(place.workflowId)).toBeLessThanOrEqual(3);
});

test('a retry in n8n gives the event again, although it is on record', async () => {
	const server = await process();
	await send(server, delivery(1));
	await server.retry();
	expect(server.items).toHaveLength(2);
});

test('a test in the editor is neither recorded nor left out', async () => {
	const place = triggerPlace();
	const tried = await process({ ...place, mode: 'manual' });
	for (let time = 0; time < 2; time++) await send(tried, delivery(1));
	expect(tried.items).toHaveLength(2);
	const published = await process(place);
	await send(published, delivery(1));
	expect(published.items).toHaveLength(1);
});

describe('with the settings of the node', () => {
	test('Always Output Data, a duplicate gives an empty item, as n8n does for any node', async () => {
		const place = settled({ alwaysOutputData: true });
		await send(await process(place), delivery(1));
		const server = await process(place);
		await send(server, delivery(1));
		expect(server.items.map(({ json }) => json)).toEqual([{}]);
	});

	test('On Error: Continue, what cannot be completed goes on as it came, without tokens', async () => {
		const place = settled({ onError: 'continueRegularOutput' });
		const server = await process(place, { enrich: ['details'] });
		await send(server, delivery(1));
		const [item] = server.items;
		expect(item?.json).toMatchObject({
			event: 'DOCUMENT_COMPLETED',
			eventId: expect.any(String) as unknown,
			document: { id: 'envelope_1' },
			error: expect.any(String) as unknown,
		});
		expect(JSON.stringify(item)).not.toContain('token');
	});

	test.each([
		['Retry On Fail', {}],
		['On Error: Continue and Retry On Fail', { onError: 'continueRegularOutput' as const }],
	])('%s, what Documenso refused at first is fetched, and goes on once', async (_, more) => {
		const made = await suite.document('createAndSend');
		const place = settled({ ...more, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
		const server = await process(place, { enrich: ['details'] });
		// For the address of its team, and for the details.
		suite.service.fail({ match: 'GET /envelope/*', status: 403, times: 2 });
		await send(server, delivery(1, { envelopeId: made.id }, 'DOCUMENT_SENT'));
		expect(server.items.map(({ json }) => [json.details, json.error])).toEqual([
			[expect.objectContaining({ id: made.id }), undefined],
		]);
	});

	test('On Error: Continue (using error output), what cannot be completed is there, with its event', async () => {
		const place = settled({ onError: 'continueErrorOutput' });
		const server = await process(place, { enrich: ['details'] });
		await send(server, delivery(1));
		expect(server.items).toEqual([]);
		expect(server.errorItems.map(({ json }) => json)).toEqual([
			{
				error: expect.any(String) as unknown,
				message: expect.objectContaining({ foundBy: 'webhook' }) as unknown,
			},
		]);
	});

	test('Execute Once, each delivery goes on: it is one item', async () => {
		const server = await process(settled({ executeOnce: true }));
		for (const number of [1, 2]) await send(server, delivery(number));
		expect(server.items).toHaveLength(2);
	});
});

test('no signing token and no secret is in what n8n stores', async () => {
	for (const simple of [true, false]) {
		const server = await process(triggerPlace(), {
			simple,
			options: { includeSigningLinks: true },
		});
		await send(server, delivery(1));
		const stored = JSON.stringify(server.stored);
		for (const { token } of completed.payload.recipients) expect(stored).not.toContain(token);
		expect(stored).not.toContain(SECRET);
	}
});

test("with Ignore Tests From Documenso, the dashboard's test starts nothing", async () => {
	const server = await process(triggerPlace(), { options: { ignoreTests: true } });
	await send(server, delivery(1, { envelopeId: 'env_123' }));
	await send(server, delivery(2));
	expect(server.items.map(({ json }) => json.isTest)).toEqual([false]);
});

test('a delivery that claims to be what the node has to remember is an event like any other', async () => {
	const place = triggerPlace();
	const server = await process(place, { simple: false });
	const hostile = { ...(JSON.parse(delivery(1)) as IDataObject), documensoCheck: 'mine' };
	await send(server, JSON.stringify(hostile));
	expect(server.items).toHaveLength(1);
	expect(JSON.stringify(place.staticData)).not.toContain('mine');
});
