import { EventEmitter, once } from 'node:events';
import { request, type ClientRequest, type ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { startEmulator, type EmulatorOptions } from '../../emulator';
import { Random } from '../../emulator/random';
import { Receiver } from '../emulator/receiver';
import { call, createDocument, signatureField } from '../emulator/api';
import { delivered } from '../support/deliveries';
import { HEADERS as headers, SECRET } from '../support/events';
import { triggerPlace } from '../support/n8n';
import { Poster } from '../support/post';
import { credentialFor, type Service } from '../support/service';
import { serveTrigger, type TriggerOptions, type TriggerServer } from '../support/webhook';

const MINUTE_MS = 60_000;

let service: Service;
const closing: Array<() => Promise<void> | void> = [];
const poster = new Poster(50);

async function emulator(options: EmulatorOptions = {}) {
	const started = await startEmulator({
		sealDelayMs: 0,
		rateLimit: { limit: 1e6, windowMs: 1000 },
		...options,
	});
	closing.push(async () => await started.close());
	return started;
}

beforeAll(async () => {
	service = await startEmulator();
});

afterEach(async () => {
	jest.restoreAllMocks();
	for (const close of closing.splice(0)) await close();
});

afterAll(async () => {
	poster.close();
	await service.close();
});

/** A trigger for all events, whose output is the delivery as it came. */
async function trigger(parameters: IDataObject = {}, options: TriggerOptions = {}) {
	const server = await serveTrigger(
		credentialFor(service, { webhookSecret: SECRET }),
		{ events: ['*'], simple: false, ...parameters },
		options,
	);
	closing.push(async () => await server.close());
	return server;
}

const delivery = (number: number) =>
	delivered({ id: number, envelopeId: `envelope_${String(number)}` });

async function send({ url }: TriggerServer, number = 1): Promise<number> {
	return (await poster.post(url, { headers, body: delivery(number) })).status;
}

/** A trigger whose first start waits until it is told how it ends. */
async function gatedTrigger(parameters: IDataObject = {}) {
	const started: ServerResponse[] = [];
	const moments = new EventEmitter();
	let arrived = 0;
	let end: (error?: Error) => void = () => undefined;
	const gate = new Promise<void>((resolve, reject) => {
		end = (error) => (error ? reject(error) : resolve());
	});
	const server = await trigger(parameters, {
		beforehand: async () => {
			arrived += 1;
			moments.emit('moment');
		},
		start: async (response) => {
			started.push(response);
			moments.emit('moment');
			if (started.length === 1) await gate;
		},
	});
	async function until(isSo: () => boolean) {
		while (!isSo()) await once(moments, 'moment');
	}
	return {
		server,
		started,
		end: (error?: Error) => end(error),
		firstStart: async () => await until(() => started.length > 0),
		arrivals: async (count: number) => await until(() => arrived >= count),
	};
}

describe('1,000 events of real documents', () => {
	const DELIVERIES = 1_000;

	async function realDeliveries(): Promise<string[]> {
		const documenso = await emulator({ deliveries: 'concurrent' });
		const receiver = await new Receiver().start();
		closing.push(async () => await receiver.close());
		documenso.webhooks.add({ url: receiver.url });
		for (let number = 1; receiver.received.length < DELIVERIES; number += 1) {
			await liveThrough(documenso, number);
			await documenso.settled();
		}
		return receiver.received.slice(0, DELIVERIES).map(({ body }) => JSON.stringify(body));
	}

	async function liveThrough(documenso: Service, number: number) {
		const title = `Contract ${String(number)}`;
		const recipients = Array.from({ length: 6 }, (_, index) => ({
			email: `signer-${String(index)}@example.com`,
			name: '',
			role: 'SIGNER',
			fields: [signatureField],
		}));
		const id = await createDocument(documenso, { title, recipients });
		if (number % 7 === 0) {
			await call(documenso, 'POST /envelope/delete', { envelopeId: id });
			return;
		}
		await call(documenso, 'POST /envelope/distribute', { envelopeId: id });
		const [first, second] = documenso.store.envelopes.get(id)?.recipients ?? [];
		if (!first || !second) throw new Error('It has two recipients');
		await fetch(`${documenso.url}/sign/${first.token}`);
		await call(documenso, 'POST /envelope/redistribute', {
			envelopeId: id,
			recipients: [first.id],
		});
		if (number % 5 === 0) documenso.expire(second.id);
		else if (number % 3 === 0) await documenso.reject(first.token, 'No');
		else {
			await documenso.sign(first.token);
			await documenso.sign(second.token);
		}
	}

	test('each repeated up to four times, in any order and partly at once, start 1,000 executions', async () => {
		const random = new Random(1000);
		const bodies = await realDeliveries();
		const server = await trigger();
		const repeated = bodies.flatMap((body) => {
			const times = 1 + random.below(4);
			return Array.from({ length: times }, (_, attempt) =>
				// Only the date of the attempt differs, and its keys may come in another order.
				JSON.stringify(again(JSON.parse(body) as IDataObject, attempt)),
			);
		});
		// What stands side by side is sent at the same moment.
		const posts = random.shuffle(repeated).flatMap((body) => {
			const times = random.below(10) === 0 ? 3 : 1;
			return Array.from({ length: times }, () => ({ url: server.url, headers, body }));
		});
		const replies = await poster.postAll(posts, 50);
		const kinds = new Set(server.items.map(({ json }) => json.event));
		process.stdout.write(
			`1,000 events of ${kinds.size} kinds in ${posts.length.toLocaleString('en')} deliveries: ${server.executions.length.toLocaleString('en')} executions\n`,
		);
		expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
		expect(server.executions).toHaveLength(DELIVERIES);
		expect(new Set(server.items.map(({ json }) => json.eventId)).size).toBe(DELIVERIES);
		const sent = bodies.map((body) => (JSON.parse(body) as IDataObject).payload as IDataObject);
		const started = server.items.map(({ json }) => json.payload as IDataObject);
		const names = (payloads: IDataObject[]) => payloads.map(({ title }) => title).sort();
		expect(names(started)).toEqual(names(sent));
	});

	function again({ payload, ...body }: IDataObject, attempt: number): IDataObject {
		const date = new Date(Date.UTC(2026, 0, 1, 0, 0, attempt)).toISOString();
		const entries = Object.entries(payload as IDataObject);
		const turned = Object.fromEntries(attempt % 2 === 0 ? entries : entries.reverse());
		return { payload: turned, ...body, createdAt: date };
	}
});

describe('a start that fails', () => {
	test('is answered with an error, and the next delivery starts the execution', async () => {
		let attempts = 0;
		const server = await trigger(
			{},
			{
				start: async () => {
					attempts += 1;
					if (attempts < 4) throw new Error('The database is gone');
				},
			},
		);
		const statuses = [];
		for (let attempt = 1; attempt <= 5; attempt += 1) statuses.push(await send(server));
		expect(statuses).toEqual([500, 500, 500, 200, 200]);
		expect(server.executions).toHaveLength(1);
	});

	test('makes the duplicates that wait for it try, one after the other', async () => {
		const { server, started, end, firstStart, arrivals } = await gatedTrigger();
		const sending = send(server);
		await firstStart();
		const repeating = [send(server), send(server), send(server)];
		await arrivals(4);
		expect(started).toHaveLength(1);
		end(new Error('The database is gone'));
		expect(await sending).toBe(500);
		expect(await Promise.all(repeating)).toEqual([200, 200, 200]);
		expect(server.executions).toHaveLength(1);
		expect(started).toHaveLength(2);
	});
});

test('duplicates during the start wait for it, and start nothing once it has succeeded', async () => {
	const { server, started, end, firstStart, arrivals } = await gatedTrigger();
	const sending = send(server);
	await firstStart();
	const repeating = [send(server), send(server)];
	await arrivals(3);
	end();
	expect(await Promise.all([sending, ...repeating])).toEqual([200, 200, 200]);
	expect(started).toHaveLength(1);
	expect(server.executions).toHaveLength(1);
});

describe('a sender that hangs up', () => {
	function sendAndHold({ url }: TriggerServer): ClientRequest {
		const outgoing = request(url, { method: 'POST', headers, agent: false });
		outgoing.on('error', () => undefined);
		outgoing.end(Buffer.from(delivery(1)));
		return outgoing;
	}

	async function hangUp(outgoing: ClientRequest, response: ServerResponse | undefined) {
		if (!response) throw new Error('The delivery has not arrived');
		const closed = once(response, 'close');
		outgoing.destroy();
		await closed;
	}

	/** A delivery whose sender hung up while n8n was starting its execution, and one that repeats it. */
	async function hungUp() {
		const { server, started, end, firstStart, arrivals } = await gatedTrigger();
		const outgoing = sendAndHold(server);
		await firstStart();
		await hangUp(outgoing, started[0]);
		const repeating = send(server);
		await arrivals(2);
		return { server, started, end, repeating };
	}

	test('before n8n has started the execution: it is started, and the next delivery starts none', async () => {
		const { server, started, end, repeating } = await hungUp();
		end();
		expect(await repeating).toBe(200);
		expect(server.executions).toHaveLength(1);
		expect(started).toHaveLength(1);
	});

	test('before n8n has failed to start the execution: the next delivery starts it', async () => {
		const { server, end, repeating } = await hungUp();
		end(new Error('The database is gone'));
		expect(await repeating).toBe(200);
		expect(server.executions).toHaveLength(1);
	});

	test.each([
		['still starts it, and the next delivery starts none', false],
		['fails to start it, and the next delivery does', true],
	])('before n8n has asked the trigger: n8n %s', async (_, fails) => {
		const arrived: ServerResponse[] = [];
		let asks = 0;
		let starts = 0;
		let proceed: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => (proceed = resolve));
		let arrive: () => void = () => undefined;
		const arrival = new Promise<void>((resolve) => (arrive = resolve));
		const server = await trigger(
			{},
			{
				beforehand: async (response) => {
					arrived.push(response);
					arrive();
					asks += 1;
					if (asks === 1) await gate;
				},
				start: async () => {
					starts += 1;
					if (fails && starts === 1) throw new Error('The database is gone');
				},
			},
		);
		const outgoing = sendAndHold(server);
		await arrival;
		await hangUp(outgoing, arrived[0]);
		proceed();
		expect(await send(server)).toBe(200);
		expect(server.executions).toHaveLength(1);
		expect(starts).toBe(fails ? 2 : 1);
	});
});

describe('the window', () => {
	const START = Date.parse('2026-01-01T00:00:00Z');

	/** So many milliseconds have passed. */
	function passed(ms: number, setBack = 0) {
		jest.spyOn(clock, 'uptime').mockReturnValue(ms);
		jest.spyOn(clock, 'now').mockReturnValue(START + ms - setBack);
	}

	test.each([
		[undefined, 60],
		[5, 5],
		[0.5, 0.5],
		['2.5', 2.5],
		['nonsense', 60],
		[-1, 60],
	])(
		'of %j minutes lasts for %d at least, and for twice as long at most',
		async (repetitionWindow, minutes) => {
			passed(0);
			const server = await trigger({
				options: repetitionWindow === undefined ? {} : { repetitionWindow },
			});
			await send(server);
			passed(minutes * MINUTE_MS - 1);
			await send(server);
			expect(server.executions).toHaveLength(1);
			passed(2 * minutes * MINUTE_MS);
			await send(server);
			expect(server.executions).toHaveLength(2);
			passed(3 * minutes * MINUTE_MS - 1);
			await send(server);
			expect(server.executions).toHaveLength(2);
		},
	);

	test('begins when n8n has taken the delivery, not when a duplicate of it arrives', async () => {
		const server = await trigger({ options: { repetitionWindow: 10 } });
		for (const minute of [0, 9, 19, 20, 29]) {
			passed(minute * MINUTE_MS);
			await send(server);
		}
		expect(server.executions).toHaveLength(2);
	});

	test('grows by nothing when the clock is set back', async () => {
		const server = await trigger({ options: { repetitionWindow: 10 } });
		passed(0);
		await send(server);
		passed(5 * MINUTE_MS, 1_000 * MINUTE_MS);
		await send(server);
		expect(server.executions).toHaveLength(1);
		passed(20 * MINUTE_MS, 1_000 * MINUTE_MS);
		await send(server);
		expect(server.executions).toHaveLength(2);
	});

	test('of nothing lets every delivery start an execution, also at once', async () => {
		const options = { repetitionWindow: 0 };
		const { server, end, firstStart } = await gatedTrigger({ options });
		const sending = send(server);
		await firstStart();
		expect(await Promise.all([send(server), send(server)])).toEqual([200, 200]);
		end();
		await sending;
		await send(server);
		expect(server.executions).toHaveLength(4);
	});
});

describe('what is told apart', () => {
	test('two workflows, and two nodes of one, each take a delivery', async () => {
		const place = triggerPlace();
		const servers = [
			await trigger({}, { place }),
			await trigger({}, { place: { ...place, node: 'Another Trigger', nodeId: 'another' } }),
			await trigger({}, { place: { ...place, workflowId: 'another workflow' } }),
		];
		for (const server of [...servers, ...servers]) await send(server);
		expect(servers.map(({ executions }) => executions.length)).toEqual([1, 1, 1]);
	});

	test('a workflow that is published anew still knows what it has taken', async () => {
		const place = triggerPlace();
		const before = await trigger({}, { place });
		await send(before);
		const after = await trigger({}, { place });
		await send(after);
		expect(after.executions).toHaveLength(0);
	});

	test('who tries the node out in the editor sees each delivery, also repeated', async () => {
		const place = triggerPlace();
		const published = await trigger({}, { place });
		const tried = await trigger({}, { place: { ...place, mode: 'manual' } });
		await send(published);
		await send(tried);
		await send(tried);
		expect(tried.executions).toHaveLength(2);
		await tried.switchOff();
		await send(published);
		expect(published.stored).toHaveLength(1);
	});

	test('a delivery that was left out by the events or filters does not count as taken', async () => {
		const place = triggerPlace();
		const narrow = await trigger({ events: ['DOCUMENT_SENT'] }, { place });
		await send(narrow);
		const wide = await trigger({}, { place });
		await send(wide);
		expect([narrow.executions.length, wide.executions.length]).toEqual([0, 1]);
	});
});

test('10,000 deliveries are remembered; with the next one the oldest is forgotten', async () => {
	const server = await trigger();
	const numbered = (numbers: number[]) =>
		numbers.map((number) => ({ url: server.url, headers, body: delivery(number) }));
	await poster.postAll(numbered([0, 1]), 1);
	await poster.postAll(numbered(Array.from({ length: 9_998 }, (_, index) => index + 2)));
	await poster.postAll(numbered([0, 1, 9_999]), 1);
	expect(server.executions).toHaveLength(10_000);
	await send(server, 10_000);
	await poster.postAll(numbered([1, 9_999, 10_000]), 1);
	expect(server.executions).toHaveLength(10_001);
	await send(server, 0);
	expect(server.executions).toHaveLength(10_002);
});

describe('what Documenso does twice', () => {
	async function sentDocument(documenso: Service, meta: object = {}) {
		const envelopeId = await createDocument(documenso, { meta });
		await call(documenso, 'POST /envelope/distribute', { envelopeId });
		const ids = (documenso.store.envelopes.get(envelopeId)?.recipients ?? []).map(({ id }) => id);
		return { envelopeId, recipients: ids };
	}

	async function namesAfter(meta: object, line: string) {
		let now = Date.parse('2026-01-01T00:00:00Z');
		const documenso = await emulator({ clock: () => new Date((now += 1_000)) });
		const server = await trigger();
		const { envelopeId, recipients } = await sentDocument(documenso, meta);
		documenso.webhooks.add({ url: server.url, secret: SECRET });
		const body = line.endsWith('redistribute') ? { envelopeId, recipients } : { envelopeId };
		await call(documenso, line, body);
		await call(documenso, line, body);
		await documenso.settled();
		expect(documenso.deliveries).toHaveLength(2);
		return server.items.map(({ json }) => json.event);
	}

	const endless = { envelopeExpirationPeriod: { disabled: true } };
	const REMIND = 'POST /envelope/redistribute';
	const SEND = 'POST /envelope/distribute';

	test.each([
		['two reminders are two events: each renews the expiry', {}, REMIND, 2],
		['sending twice is two events', {}, SEND, 2],
		// Nothing in the two deliveries differs then but the date that differs for each attempt at one, too.
		['two reminders of a document that never expires count as one', endless, REMIND, 1],
		['sending one that never expires twice is two events, for it changes', endless, SEND, 2],
	])('%s', async (_, meta, line, count) => {
		const event = line === SEND ? 'DOCUMENT_SENT' : 'DOCUMENT_REMINDER_SENT';
		expect(await namesAfter(meta, line)).toEqual(Array(count).fill(event));
	});

	// Nothing tells for whom a reminder was.
	test('the automatic reminders that a document sends to several recipients at once count as one', async () => {
		const documenso = await emulator();
		const server = await trigger();
		const recipients = ['a@example.com', 'b@example.com'].map((email) => ({
			email,
			name: '',
			role: 'SIGNER',
			fields: [signatureField],
		}));
		const envelopeId = await createDocument(documenso, { recipients });
		await call(documenso, 'POST /envelope/distribute', { envelopeId });
		documenso.webhooks.add({ url: server.url, secret: SECRET });
		documenso.remind(envelopeId);
		await documenso.settled();
		expect(documenso.deliveries).toHaveLength(2);
		expect(server.executions).toHaveLength(1);
	});
});

test("a start that takes longer than Documenso waits is not started again by Documenso's retries", async () => {
	const { server, started, end, firstStart } = await gatedTrigger();
	const documenso = await emulator({ webhookTimeoutMs: 100 });
	documenso.webhooks.add({ url: server.url, secret: SECRET });
	await createDocument(documenso);
	await firstStart();
	await documenso.settled();
	expect(documenso.deliveries.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
	end();
	await documenso.webhooks.resend(-1);
	expect(documenso.deliveries.at(-1)?.status).toBe(200);
	expect(started).toHaveLength(1);
	expect(server.executions).toHaveLength(1);
});
