import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { call, createDocument, signatureField } from '../emulator/api';
import { SECRET, useTrigger } from '../support/events';
import { triggerPlace, type TriggerPlace } from '../support/n8n';
import { processedData } from '../support/history';
import { ago, paperwork } from '../support/polling';
import { lines } from '../support/service';
import { useService } from '../support/suite';
import { freshTrigger, type TriggerServer } from '../support/webhook';

const team = { ...DEMO_TEAM, email: 'contracts@example.com' };
const owner = { user: DEMO_USER, team };
const NEW_TOKEN = 'api_new_token';
const suite = useService({
	tokens: [DEMO_TOKEN, NEW_TOKEN].map((token) => ({ token, ...owner })),
});
const { serve, listen } = useTrigger(suite);
const paper = paperwork(suite);

const MINUTE_MS = 60_000;
const LEFT_TO_DELIVERY_MS = 30_000;
let now = 0;
/** By how much somebody has set n8n's clock back. */
let setBack = 0;

beforeEach(() => {
	const { now: realNow, uptime } = clock;
	now = 0;
	setBack = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => realNow() + now - setBack);
	jest.spyOn(clock, 'uptime').mockImplementation(() => uptime() + now);
});

afterEach(() => {
	jest.restoreAllMocks();
	processedData.isUndone = false;
});

/** The first look is when n8n has stored what publishing has put into the static data. */
async function firstLook(server: TriggerServer) {
	now += 70_000;
	await server.check();
}

/** A trigger of a published workflow, after its first look. Nothing is delivered to it. */
async function watching(parameters: IDataObject = {}, place = triggerPlace()) {
	const server = await serve(parameters, { place, trigger: freshTrigger() });
	await server.publish();
	await firstLook(server);
	return server;
}

const placeWith = (settings: TriggerPlace['settings']) => ({ ...triggerPlace(), settings });

/** n8n starts again: its memory is gone. */
async function restarted(place: TriggerPlace, parameters: IDataObject = {}) {
	const server = await serve(parameters, { place, trigger: freshTrigger() });
	await server.restart();
	now += 10_000;
	await server.check();
	now += LEFT_TO_DELIVERY_MS;
	await server.check();
	return server;
}

/** From now on, everything is delivered to it. */
function deliverTo({ url }: TriggerServer) {
	suite.service.webhooks.add({ url, secret: SECRET });
}

/** A look when it is due, and the poll after which it starts what no delivery has brought until then. */
async function later(server: TriggerServer, minutes = 30, meanwhile = () => {}) {
	now += minutes * MINUTE_MS;
	await server.check();
	now += LEFT_TO_DELIVERY_MS;
	meanwhile();
	await server.check();
}

/** The first readings of a document are refused. */
function refuse(times: number) {
	suite.service.fail({ match: 'GET /envelope/*', status: 403, times });
}

function refuseOnce() {
	refuse(1);
}

async function sent(title = 'Lease', emails = ['tina@example.com']) {
	const recipients = emails.map((email) => {
		return { email, name: 'Tina', role: 'SIGNER', fields: [signatureField] };
	});
	const id = await createDocument(suite.service, { title, recipients });
	await call(suite.service, 'POST /envelope/distribute', { envelopeId: id });
	return id;
}

/** Waits for longer than it takes until what was recorded is confirmed. */
async function confirmed() {
	await clock.sleep(1_500);
}

const events = ({ items }: TriggerServer) => items.map(({ json }) => json.event);

test('what happened before the workflow was published is not reported', async () => {
	await suite.complete(await sent());
	const server = await watching();
	await later(server);
	expect(server.items).toEqual([]);
});

test('what no delivery has brought is found, one execution for each event, and once', async () => {
	const server = await watching();
	await suite.complete(await sent());
	await later(server);
	expect(events(server)).toEqual([
		'DOCUMENT_CREATED',
		'DOCUMENT_SENT',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_SIGNED',
		'DOCUMENT_COMPLETED',
	]);
	expect(server.executions).toHaveLength(5);
	expect(server.items.map(({ json }) => json.foundBy)).toEqual(Array(5).fill('check'));
	await later(server);
	expect(server.items).toHaveLength(5);
});

test('what is delivered just after a look has found it starts nothing for the look', async () => {
	const server = await watching({ events: ['DOCUMENT_COMPLETED'] });
	const id = await sent();
	await suite.complete(id);
	now += 30 * MINUTE_MS;
	await server.check();
	now += LEFT_TO_DELIVERY_MS - 10_000;
	await server.check();
	deliverTo(server);
	await suite.service.deliver('DOCUMENT_COMPLETED', id);
	now += 10_000;
	await server.check();
	expect(server.items.map(({ json }) => json.foundBy)).toEqual(['webhook']);
	expect(server.stored.flat(2).filter(({ json }) => json.foundBy === 'check')).toEqual([]);
});

test('what is found goes on while another process writes to the same history', async () => {
	const server = await watching();
	processedData.isUndone = true;
	await suite.complete(await sent());
	await later(server);
	expect(server.items).toHaveLength(5);
});

test('what could not be fetched is taken back, and found again after a restart', async () => {
	const place = triggerPlace();
	const parameters = { events: ['DOCUMENT_COMPLETED'], enrich: ['values'] };
	const server = await watching(parameters, place);
	await suite.complete(await sent());
	await later(server, 30, refuseOnce);
	expect(server.failures).toHaveLength(1);
	await confirmed();
	const again = await restarted(place, parameters);
	expect(events(again)).toEqual(['DOCUMENT_COMPLETED']);
});

test('what could not be fetched goes on at the second try, also if its record could not be taken back', async () => {
	const place = placeWith({ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
	const parameters = { events: ['DOCUMENT_COMPLETED'], enrich: ['values'] };
	const server = await watching(parameters, place);
	await suite.complete(await sent());
	await later(server, 30, () => {
		processedData.isUndone = true;
		refuseOnce();
	});
	expect(server.failures).toEqual([]);
	expect(events(server)).toEqual(['DOCUMENT_COMPLETED']);
});

const TWO = ['anna@example.com', 'ben@example.com'];

/** Lets the first of the recipients sign, or the second. */
async function sign(id: string, index: number) {
	const token = suite.service.store.envelopes.get(id)?.recipients[index]?.token ?? '';
	await suite.service.sign(token);
	await suite.service.settled();
}

test('with Only When All Acted, the first of two signatures is not found when both have signed', async () => {
	const filters = { lastRecipientOnly: true };
	const events = ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_OPENED', 'DOCUMENT_SIGNED'];
	const server = await watching({ events, filters });
	const id = await sent('Lease', TWO);
	for (const { token } of suite.service.store.envelopes.get(id)?.recipients ?? []) {
		await fetch(`${suite.service.url}/sign/${token}`);
	}
	await suite.complete(id);
	await later(server);
	expect(server.items.map(({ json }) => [json.event, json.causedBy])).toEqual([
		['DOCUMENT_SIGNED', expect.objectContaining({ email: TWO[1] })],
	]);
});

test('a signature that was delivered and filtered out is not found after a restart, when all have acted', async () => {
	const place = triggerPlace();
	const parameters = { events: ['DOCUMENT_SIGNED'], filters: { lastRecipientOnly: true } };
	const server = await watching(parameters, place);
	deliverTo(server);
	const id = await sent('Lease', TWO);
	await sign(id, 0);
	expect(server.items).toEqual([]);
	now += 30 * MINUTE_MS;
	await sign(id, 1);
	expect(server.items).toHaveLength(1);
	expect((await restarted(place, parameters)).items).toEqual([]);
});

/** A document that somebody has sent to the address of our team. */
async function fromStranger(title: string, createdAt = new Date(clock.now())) {
	await paper.begin();
	const document = paper.draft(title, {
		createdAt,
		user: { id: 99, name: 'Stranger', email: 'stranger@example.com' },
		team: { id: 77, url: 'strangers', name: 'Strangers' },
	});
	Object.assign(document.recipients[0] ?? {}, { email: team.email });
	paper.send(document);
	return document;
}

test('nobody can start a workflow by sending a document to the address of the team', async () => {
	const before = await fromStranger('Before');
	const server = await watching();
	const after = await fromStranger('After');
	await later(server);
	for (const document of [before, after]) paper.finish(document);
	await later(server);
	expect(server.items).toEqual([]);
	await sent('Ours');
	await later(server);
	expect(events(server)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test("strangers' documents are not read for ever, and not before ours", async () => {
	const server = await watching();
	for (const title of ['A', 'B', 'C']) await fromStranger(title, ago(20));
	await later(server);
	suite.service.calls.length = 0;
	await later(server);
	expect(lines(suite.service)).not.toContain('POST /envelope/get-many');
	const ours = await sent('Ours');
	await later(server);
	await fromStranger('D');
	await suite.complete(ours);
	suite.service.calls.length = 0;
	await later(server);
	const [read] = suite.service.calls.filter(({ path }) => path === '/envelope/get-many');
	const { ids } = (read?.body as { ids: { ids: string[] } }).ids;
	expect(ids).toHaveLength(2);
	expect(ids[0]).toBe(ours);
});

test('a team whose only documents were those of strangers is known by the first of its own', async () => {
	await fromStranger('Before');
	const server = await watching();
	await suite.complete(await sent('Ours'));
	await fromStranger('After');
	await later(server);
	const titles = server.items.map(({ json }) => (json.document as IDataObject).title);
	expect(new Set(titles)).toEqual(new Set(['Ours']));
	expect(titles).toHaveLength(5);
});

test.each(['the first look', 'a later look'])(
	'what happened while Missed Events was off is not found later, although %s was under way then',
	async (which) => {
		const place = triggerPlace();
		const trigger = freshTrigger();
		const published = async (missedEvents: string) => {
			const server = await serve({ missedEvents }, { place, trigger });
			await server.publish();
			return server;
		};
		const before = await published('find');
		if (which === 'a later look') await firstLook(before);
		now += 30 * MINUTE_MS;
		suite.service.fail({ match: 'GET /envelope', times: 2, delayMs: 300 });
		const look = before.check();
		await published('off');
		await look;
		await sent();
		const server = await published('find');
		await firstLook(server);
		await later(server);
		expect(server.items).toEqual([]);
		expect((await restarted(place)).items).toEqual([]);
	},
);

test('under a new name, the trigger still knows after a restart what it has seen', async () => {
	const place = triggerPlace();
	const trigger = freshTrigger();
	const before = await serve({}, { place, trigger });
	await before.publish();
	await firstLook(before);
	await later(before, 65);
	place.node = 'Contracts';
	const renamed = await serve({}, { place, trigger });
	await renamed.publish();
	await firstLook(renamed);
	await sent();
	expect(events(await restarted(place))).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('a main process that leads again goes on from what the other one has stored', async () => {
	const place = triggerPlace();
	const one = await watching({}, place);
	const other = await serve({}, { place, trigger: freshTrigger() });
	await later(one, 20);
	await other.lead();
	await firstLook(other);
	const id = await sent();
	for (let hour = 0; hour < 3; hour++) await later(other, 65);
	expect(events(other)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
	const started = one.stored.length;
	await one.lead();
	await firstLook(one);
	await later(one, 65);
	const foundBy = (server: TriggerServer) =>
		server.stored.slice(started).flatMap((begins) => begins.flat().map(({ json }) => json.foundBy));
	expect(foundBy(one)).not.toContain('check');
	expect(events(await restarted(place))).toEqual([]);
	expect(JSON.stringify(place.staticData)).toContain(id);
});

test('a clock that was a year ahead when n8n started does not keep the trigger from storing what it has seen', async () => {
	now = 365 * 24 * 60 * MINUTE_MS;
	const place = triggerPlace();
	const server = await watching({}, place);
	setBack = now;
	const stored = server.stored.length;
	for (let look = 0; look < 3; look++) await later(server);
	expect(server.stored.length).toBeGreaterThan(stored);
});

test('what was delivered is not found again, also after a restart of n8n', async () => {
	const place = triggerPlace();
	const server = await watching({}, place);
	deliverTo(server);
	const id = await sent();
	await suite.complete(id);
	await suite.service.settled();
	expect(server.items).toHaveLength(5);
	await later(server);
	expect(server.stored.flat(2).filter((item) => item.json.foundBy === 'check')).toEqual([]);
	const again = await restarted(place);
	expect(again.items).toEqual([]);
	await later(again);
	expect(again.items).toEqual([]);
});

test('what happened while n8n was down is found when it starts', async () => {
	const place = triggerPlace();
	const before = await watching({ events: ['DOCUMENT_COMPLETED'] }, place);
	await before.close();
	for (const title of ['A', 'B', 'C']) await suite.complete(await sent(title));
	const after = await restarted(place, { events: ['DOCUMENT_COMPLETED'] });
	expect(after.items.map(({ json }) => (json.document as IDataObject).title)).toEqual([
		'A',
		'B',
		'C',
	]);
	await later(after);
	expect(after.items).toHaveLength(3);
	expect((await restarted(place, { events: ['DOCUMENT_COMPLETED'] })).items).toEqual([]);
});

test('a delivery that comes after the check has found its event starts nothing, a later sending does', async () => {
	const server = await watching({ events: ['DOCUMENT_SENT', 'DOCUMENT_COMPLETED'] });
	const id = await sent();
	await later(server);
	expect(events(server)).toEqual(['DOCUMENT_SENT']);
	deliverTo(server);
	await suite.service.deliver('DOCUMENT_SENT', id);
	expect(events(server)).toEqual(['DOCUMENT_SENT']);
	await call(suite.service, 'POST /envelope/distribute', { envelopeId: id });
	await suite.service.settled();
	expect(events(server)).toEqual(['DOCUMENT_SENT', 'DOCUMENT_SENT']);
});

test('with two processes, a later sending goes on, too, after the first delivery of what the other has found', async () => {
	const place = triggerPlace();
	const parameters = { events: ['DOCUMENT_SENT'] };
	const looking = await watching(parameters, place);
	const receiving = await serve(parameters, { place, trigger: freshTrigger() });
	const id = await sent();
	await later(looking);
	expect(events(looking)).toEqual(['DOCUMENT_SENT']);
	deliverTo(receiving);
	await suite.service.deliver('DOCUMENT_SENT', id);
	expect(events(receiving)).toEqual([]);
	await confirmed();
	await call(suite.service, 'POST /envelope/distribute', { envelopeId: id });
	await suite.service.settled();
	expect(events(receiving)).toEqual(['DOCUMENT_SENT']);
});

test('publishing and starting ask Documenso nothing but what registration needs', async () => {
	await sent();
	const server = await serve({ missedEvents: 'find' }, { trigger: freshTrigger() });
	suite.service.calls.length = 0;
	await server.publish();
	await server.restart();
	expect(lines(suite.service)).toEqual([]);
});

test('no execution stores anything until n8n has stored what publishing needs to keep', async () => {
	const server = await serve({}, { trigger: freshTrigger() });
	await server.publish();
	suite.service.calls.length = 0;
	await server.check();
	expect(server.stored).toEqual([]);
	expect(lines(suite.service)).toEqual([]);
	await firstLook(server);
	expect(server.stored).toHaveLength(1);
});

test('with durable poll jobs, which n8n gives a context each, it looks as well', async () => {
	const server = await serve({}, { trigger: freshTrigger() });
	await server.publish();
	const look = async () => {
		now += MINUTE_MS;
		await server.checkAsJob();
	};
	for (let minute = 0; minute < 3; minute++) await look();
	await sent();
	for (let minute = 0; minute < 30; minute++) await look();
	expect(events(server)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

describe('with durable cursors', () => {
	/** As n8n's durable poll jobs, which go on when n8n starts again. */
	async function jobs(server: TriggerServer, minutes: number) {
		for (let minute = 0; minute < minutes; minute++) {
			now += MINUTE_MS;
			await server.checkAsJob();
		}
	}

	test('what happened while n8n was down is found, and nothing is executed to store what was seen', async () => {
		const place = { ...triggerPlace(), cursor: {} };
		const before = await serve({}, { place, trigger: freshTrigger() });
		await before.publish();
		await jobs(before, 4);
		expect(before.stored).toEqual([]);
		const ids = [await sent('A'), await sent('B'), await sent('C')];
		for (const id of ids) await suite.complete(id);
		const parameters = { events: ['DOCUMENT_COMPLETED'] };
		const server = await serve(parameters, { place, trigger: freshTrigger() });
		await server.restart();
		await jobs(server, 6);
		expect(events(server)).toEqual(Array(3).fill('DOCUMENT_COMPLETED'));
	});

	test.each([
		[0, 'publish'],
		[2, 'publish'],
		[2, 'restart'],
	] as const)(
		'what happened while Missed Events was off for %d polls, after a %s, is not found later',
		async (polls, beginning) => {
			const place = { ...triggerPlace(), cursor: {} };
			const trigger = freshTrigger();
			const on = await serve({}, { place, trigger });
			await on[beginning]();
			await jobs(on, 4);
			now += MINUTE_MS;
			const off = await serve({ missedEvents: 'off' }, { place, trigger });
			await off.publish();
			await jobs(off, polls);
			await sent();
			now += MINUTE_MS;
			const server = await serve({}, { place, trigger: freshTrigger() });
			await server.publish();
			await jobs(server, 6);
			expect(server.items).toEqual([]);
		},
	);
});

describe('what happens after the workflow is published and before the first look', () => {
	const events = ['DOCUMENT_COMPLETED', 'DOCUMENT_SENT'];

	async function published(place = triggerPlace()) {
		const old = await sent('Old');
		now += 60 * MINUTE_MS;
		const server = await serve({ events }, { place, trigger: freshTrigger() });
		await server.publish();
		now += 5_000;
		await suite.complete(old);
		await sent('New');
		return server;
	}

	const titles = ({ items }: TriggerServer) =>
		items.map(
			({ json }) => `${json.event as string} ${(json.document as IDataObject).title as string}`,
		);
	const found = ['DOCUMENT_COMPLETED Old', 'DOCUMENT_SENT New'];

	test('is found, once', async () => {
		const server = await published();
		await firstLook(server);
		await later(server);
		expect(titles(server).sort()).toEqual(found);
		await later(server, 65);
		expect(server.items).toHaveLength(2);
	});

	test('is found also if n8n is killed before it has started anything for it', async () => {
		const place = triggerPlace();
		await firstLook(await published(place));
		const server = await restarted(place, { events });
		await later(server, 65);
		expect(titles(server).sort()).toEqual(found);
	});

	test('is not looked for if n8n only starts the workflow', async () => {
		const place = triggerPlace();
		const server = await serve({ events }, { place, trigger: freshTrigger() });
		await server.restart();
		now += 5_000;
		await sent();
		await firstLook(server);
		await later(server);
		expect(server.items).toEqual([]);
	});
});

test('a workflow that is published again does not look before that has ended', async () => {
	const server = await watching();
	await later(server);
	const stored = server.stored.length;
	await sent();
	now += 30 * MINUTE_MS;
	suite.service.calls.length = 0;
	await server.publish();
	expect(lines(suite.service)).toEqual([]);
	expect(server.stored).toHaveLength(stored);
	await firstLook(server);
	await later(server);
	expect(events(server)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('the editor says that no delivery has brought an event, and which execution has none', async () => {
	const server = await watching();
	expect(server.hints).toEqual([[expect.stringContaining('stores what the trigger has seen')]]);
	const id = await createDocument(suite.service, { title: 'Lease' });
	await later(server);
	expect(server.items.map(({ json }) => json.document)).toEqual([expect.objectContaining({ id })]);
	expect(server.hints.slice(1)).toEqual([
		[expect.stringContaining('No delivery started the workflow')],
	]);
});

test('while Documenso is down, nothing fails, one line in the log says so, and what happened is found afterwards', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn');
	const server = await watching();
	suite.service.fail({ match: 'GET *', status: 503, times: 6 });
	await later(server);
	expect(server.failures).toEqual([]);
	expect(warn.mock.calls).toEqual([
		[expect.stringMatching(/^The workflow 'Contracts' could not look .*, and tries again.*: ./)],
	]);
	await sent();
	await later(server, 400);
	expect(events(server)).toContain('DOCUMENT_SENT');
});

test('after the API token was replaced, one line in the log says what that means, and only new events are found', async () => {
	const place = triggerPlace();
	const before = await watching({}, place);
	await sent('Old');
	await before.close();
	const warn = jest.spyOn(Container.get(Logger), 'warn');
	const credential = { apiToken: NEW_TOKEN };
	const server = await serve({}, { place, trigger: freshTrigger(), credential });
	await server.restart();
	await firstLook(server);
	await later(server);
	expect(server.items).toEqual([]);
	expect(warn.mock.calls).toEqual([
		[expect.stringMatching(/token .*was replaced.* executions that wait .*are not woken: cancel/)],
	]);
	await sent('New');
	await later(server);
	expect(events(server)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('switched off, it asks nothing', async () => {
	const server = await serve({ missedEvents: 'off' }, { trigger: freshTrigger() });
	await server.publish();
	suite.service.calls.length = 0;
	await later(server);
	expect(lines(suite.service)).toEqual([]);
});

test('it looks no more often than one hundredth of the rate limit allows', async () => {
	const server = await watching();
	suite.service.calls.length = 0;
	for (let minute = 0; minute < 240; minute++) await later(server, 1);
	// 1,000 a minute at the local Documenso, or 100 where it does not say.
	expect(lines(suite.service).length).toBeLessThanOrEqual(2_400);
	expect(lines(suite.service).length).toBeGreaterThan(100);
});

test('5,000 documents that are there when the workflow is published are not reported', async () => {
	await paper.begin();
	for (const [index, document] of paper.drafts(5_000).entries()) {
		if (index % 2 > 0) paper.send(document);
		if (index % 10 > 6) paper.finish(document);
	}
	const server = await watching();
	await later(server);
	await later(server);
	expect(events(server)).toEqual([]);
});

test('4,000 open documents are looked at no more often than one hundredth of the rate limit allows', async () => {
	await paper.begin();
	const documents = paper.drafts(4_000);
	for (const document of documents) paper.send(document);
	const server = await watching();
	for (const document of documents.slice(0, 1)) paper.finish(document);
	suite.service.calls.length = 0;
	const minutes = 60;
	for (let minute = 0; minute < minutes; minute++) {
		now += MINUTE_MS;
		await server.check();
	}
	expect(events(server)).toContain('DOCUMENT_COMPLETED');
	const oneLook = 60;
	expect(lines(suite.service).length).toBeLessThanOrEqual(minutes * 10 + oneLook);
});

describe.each([10, -10])('with a clock that is %d minutes off', (minutes) => {
	beforeEach(() => {
		now = minutes * MINUTE_MS;
	});

	test('what was delivered is not found again, and what was not is found once, across a restart', async () => {
		const place = triggerPlace();
		const before = await listen({}, { place, trigger: freshTrigger() });
		await firstLook(before);
		await suite.complete(await sent('Delivered'));
		await suite.service.settled();
		suite.service.webhooks.clear();
		await later(before, 1);
		await suite.complete(await sent('Missed'));
		const after = await restarted(place);
		for (let times = 0; times < 3; times++) await later(after);
		expect(events(before)).toHaveLength(5);
		expect(events(after)).toHaveLength(5);
		const titles = after.items.map(({ json }) => (json.document as IDataObject).title);
		expect(new Set(titles)).toEqual(new Set(['Missed']));
	});
});

test('after its clock was set back by hours, n8n goes on looking', async () => {
	const server = await watching();
	await later(server);
	setBack = 6 * 60 * MINUTE_MS;
	await sent();
	await later(server);
	await later(server);
	expect(events(server)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('what other nodes have stored meanwhile is left alone', async () => {
	const place = triggerPlace();
	const server = await watching({}, place);
	place.staticData.global = { count: 7 };
	for (const title of ['A', 'B', 'C']) {
		await sent(title);
		await later(server, 61);
	}
	expect(place.staticData.global).toMatchObject({ count: 7 });
	expect(JSON.stringify(place.staticData)).toContain('"state"');
});

test('an item that carries what the node has to remember comes to no other node', async () => {
	const server = await watching();
	for (let hour = 0; hour < 3; hour++) await later(server, 61);
	expect(server.stored.length).toBeGreaterThan(1);
	expect(server.items).toEqual([]);
	expect(server.failures).toEqual([]);
});

test('what was found before the workflow was published again starts only what is still selected', async () => {
	const [place, trigger] = [triggerPlace(), freshTrigger()];
	const before = await serve({ events: ['DOCUMENT_CREATED', 'DOCUMENT_SENT'] }, { place, trigger });
	await before.publish();
	await firstLook(before);
	await sent();
	now += 30 * MINUTE_MS;
	await before.check();
	await before.switchOff();
	const after = await serve({ events: ['DOCUMENT_CREATED'] }, { place, trigger });
	await after.publish();
	now += LEFT_TO_DELIVERY_MS;
	await after.check();
	expect(events(before)).toEqual([]);
	expect(events(after)).toEqual(['DOCUMENT_CREATED']);
});

test('an execution that n8n could not start is started by the next look', async () => {
	let refusals = 3;
	const startCheck = async () => {
		if (refusals > 0 && happened) {
			refusals -= 1;
			throw new Error('The database is gone');
		}
	};
	let happened = false;
	const server = await serve({}, { trigger: freshTrigger(), startCheck });
	await server.publish();
	await firstLook(server);
	happened = true;
	await sent();
	await later(server);
	expect(events(server)).toEqual([]);
	await later(server);
	await later(server);
	expect(events(server).sort()).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('with Always Output Data, no execution is started for what the node has to remember', async () => {
	const place = placeWith({ alwaysOutputData: true });
	const server = await watching({}, place);
	await later(server, 61);
	await later(server, 61);
	expect(server.stored).toEqual([]);
});

test('with Always Output Data, nothing that happened before n8n started is found', async () => {
	const place = placeWith({ alwaysOutputData: true });
	const server = await serve({}, { place, trigger: freshTrigger() });
	await server.publish();
	await firstLook(server);
	await later(server);
	now += 60 * MINUTE_MS;
	await sent();
	now += 60 * MINUTE_MS;
	expect((await restarted(place)).items).toEqual([]);
});

test('with Always Output Data, what was stored before that was set starts nothing', async () => {
	const place = triggerPlace();
	const before = await watching({}, place);
	await later(before, 65);
	await before.close();
	await sent();
	place.settings = { alwaysOutputData: true };
	expect((await restarted(place)).stored).toEqual([]);
});

test('On Error: Continue, what could not be fetched when it was delivered is not found again', async () => {
	const place = placeWith({ onError: 'continueRegularOutput' });
	const parameters = { events: ['DOCUMENT_SENT'], enrich: ['details'] };
	const server = await watching(parameters, place);
	deliverTo(server);
	// For the address of its team, and for the details.
	refuse(2);
	await sent();
	await suite.service.settled();
	expect(server.items.map(({ json }) => [json.event, json.error])).toEqual([
		['DOCUMENT_SENT', expect.any(String)],
	]);
	expect((await restarted(place, parameters)).items).toEqual([]);
});

test('On Error: Continue, what was found and could not be fetched goes on once', async () => {
	const place = placeWith({ onError: 'continueRegularOutput' });
	const parameters = { events: ['DOCUMENT_SENT'], enrich: ['details'] };
	const server = await watching(parameters, place);
	const id = await sent();
	await later(server, 30, refuseOnce);
	deliverTo(server);
	await suite.service.deliver('DOCUMENT_SENT', id);
	expect(events(server)).toEqual(['DOCUMENT_SENT']);
});

test('nothing is fetched for an event that is found again', async () => {
	const place = triggerPlace();
	const parameters = { events: ['DOCUMENT_SENT'], enrich: ['details'] };
	const server = await watching(parameters, place);
	deliverTo(server);
	const id = await sent();
	await suite.service.settled();
	expect(server.items).toHaveLength(1);
	suite.service.calls.length = 0;
	const again = await restarted(place, parameters);
	expect(again.stored.flat(2).map(({ json }) => json.foundBy)).toContain('check');
	expect(again.items).toEqual([]);
	expect(lines(suite.service)).not.toContain(`GET /envelope/${id}`);
});
