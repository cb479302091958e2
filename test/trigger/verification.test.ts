import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { DEMO_TOKEN } from '../../emulator';
import { Random } from '../../emulator/random';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { call, sendDocument } from '../emulator/api';
import { completed } from '../support/deliveries';
import { errorOf } from '../support/errors';
import { onlyItem, SECRET, useTrigger } from '../support/events';
import type { Credential } from '../support/n8n';
import { type Post, Poster, utf8 } from '../support/post';
import { credentialFor, lines } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const suite = useService({ seed: 'demo' });
const { serve } = useTrigger(suite);
const poster = new Poster();
afterAll(() => poster.close());

describe('a delivery to a trigger that has registered itself', () => {
	const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': '' };

	/** A trigger that has registered itself, and the address with its key. */
	async function registered(parameters: IDataObject = {}, changes: object = {}) {
		const usual = { registration: 'automatic', simple: false };
		const server = await serve({ ...usual, ...parameters }, { credential: changes });
		await server.publish();
		const url = suite.service.webhooks.list().at(-1)?.url ?? '';
		suite.service.webhooks.clear();
		suite.service.calls.length = 0;
		const post = async (event: string, payload: object) =>
			(await poster.post(url, { headers, body: JSON.stringify({ event, payload }) })).status;
		return { server, post };
	}

	/** What an event about an envelope says, as it is now. */
	function told(envelopeId: string, changes: object = {}) {
		const envelope = suite.service.store.envelopes.get(envelopeId);
		if (!envelope) throw new Error('There is no such envelope');
		const { legacyId: id, title, status } = envelope;
		return { ...completed.payload, id, envelopeId, title, status, ...changes };
	}

	test('a delivery that Documenso confirms starts an execution', async () => {
		const { id } = await sendDocument(suite.service);
		const { server, post } = await registered();
		expect(await post('DOCUMENT_SENT', told(id))).toBe(200);
		expect(await post('TEMPLATE_UPDATED', told(RENTAL_AGREEMENT.id))).toBe(200);
		expect(server.executions).toHaveLength(2);
	});

	test.each(['DOCUMENT_COMPLETED', 'DOCUMENT_REJECTED'])(
		'%s starts an execution only once the document has that status',
		async (event) => {
			const { id, tokens } = await sendDocument(suite.service);
			const { server, post } = await registered();
			expect(await post(event, told(id, { status: event.slice(9) }))).toBe(503);
			expect(server.executions).toEqual([]);
			if (event === 'DOCUMENT_COMPLETED') await suite.service.sign(String(tokens[0]));
			else await suite.service.reject(String(tokens[0]), 'No');
			await suite.service.settled();
			expect(await post(event, told(id))).toBe(200);
			expect(server.executions).toHaveLength(1);
		},
	);

	test('a delivery with the right key is answered like any other if its ID is malformed', async () => {
		const { server, post } = await registered();
		expect(await post('DOCUMENT_CANCELLED', { ...completed.payload, envelopeId: '..' })).toBe(400);
		expect(server.executions).toEqual([]);
		expect(suite.service.calls).toEqual([]);
	});

	test("the number has to be the document's", async () => {
		const { id } = await sendDocument(suite.service);
		await sendDocument(suite.service);
		const { server, post } = await registered();
		const envelope = suite.service.store.envelopes.get(id);
		if (envelope) envelope.legacyId = 142;
		for (const other of [141, 42, 2, 1420, 0, -142]) {
			expect(await post('DOCUMENT_SENT', told(id, { id: other }))).toBe(503);
		}
		expect(server.executions).toEqual([]);
	});

	test('an event that nobody knows yet may be about a template', async () => {
		const { post } = await registered();
		expect(await post('ENVELOPE_MOVED', told(RENTAL_AGREEMENT.id))).toBe(200);
	});

	test('a missing document is accepted only for the events that end one', async () => {
		const { server, post } = await registered();
		const gone = { ...completed.payload, envelopeId: 'envelope_doesnotexisthere' };
		const statuses: Record<string, number> = {};
		for (const event of [
			'DOCUMENT_CREATED',
			'DOCUMENT_COMPLETED',
			'TEMPLATE_CREATED',
			'DOCUMENT_CANCELLED',
			'TEMPLATE_DELETED',
		]) {
			statuses[event] = await post(event, gone);
		}
		expect(statuses).toEqual({
			DOCUMENT_CREATED: 503,
			DOCUMENT_COMPLETED: 503,
			TEMPLATE_CREATED: 503,
			DOCUMENT_CANCELLED: 200,
			TEMPLATE_DELETED: 200,
		});
		expect(server.executions).toHaveLength(2);
	});

	test('a cancellation is accepted whether the document is deleted or still there', async () => {
		const { id } = await sendDocument(suite.service);
		const { post } = await registered();
		const payload = told(id);
		expect(await post('DOCUMENT_CANCELLED', payload)).toBe(200);
		await call(suite.service, 'POST /envelope/delete', { envelopeId: id });
		expect(await post('DOCUMENT_CANCELLED', { ...payload, title: 'Deleted' })).toBe(200);
	});

	test.each([401, 403])(
		'while Documenso answers %d, a delivery starts nothing, and its retry is accepted',
		async (status) => {
			const { id } = await sendDocument(suite.service);
			const { server, post } = await registered();
			suite.service.fail({ match: 'GET /envelope/*', status, times: 1 });
			expect(await post('DOCUMENT_CANCELLED', told(id))).toBe(503);
			expect(server.executions).toEqual([]);
			expect(await post('DOCUMENT_CANCELLED', told(id))).toBe(200);
			expect(server.executions).toHaveLength(1);
		},
	);

	test("the dashboard's test is accepted without a look-up, and marked", async () => {
		const { server, post } = await registered();
		expect(await post('DOCUMENT_COMPLETED', { ...completed.payload, envelopeId: 'env_123' })).toBe(
			200,
		);
		expect(server.items.map(({ json }) => json.isTest)).toEqual([true]);
		expect(suite.service.calls).toEqual([]);
	});

	test('the document is read before the answer, and again in the execution for what is added', async () => {
		const { id } = await sendDocument(suite.service);
		const { server, post } = await registered({ enrich: ['details', 'values'] });
		expect(await post('DOCUMENT_SENT', told(id))).toBe(200);
		expect(lines(suite.service)).toEqual(Array(2).fill(`GET /envelope/${id}`));
		expect(server.items[0]?.json).toHaveProperty('details.id', id);
	});

	test('with manual registration nothing is looked up: the secret was checked', async () => {
		const server = await serve({ simple: false }, { credential: { webhookSecret: 's' } });
		const { status } = await poster.post(server.url, {
			headers: { ...headers, 'X-Documenso-Secret': 's' },
			body: JSON.stringify(completed),
		});
		expect([status, server.executions.length]).toEqual([200, 1]);
		expect(suite.service.calls).toEqual([]);
	});
});

describe('a webhook that was entered by hand', () => {
	const own = { 'X-Documenso-Secret': SECRET };
	const taking = async (parameters = {}, credential: Partial<Credential> = {}) =>
		await serve({ events: ['DOCUMENT_COMPLETED'], simple: false, ...parameters }, { credential });
	const post = async (url: string, changes: object = {}, secret: Record<string, string> = own) =>
		await poster.post(url, {
			headers: { 'Content-Type': 'application/json', ...secret },
			body: JSON.stringify({ ...completed, ...changes }),
		});

	test('a delivery with its secret starts an execution with the whole event', async () => {
		const { id, envelopeId, title, status } = completed.payload;
		const { event: name, createdAt } = completed;
		const event = { event: name, createdAt, payload: { id, envelopeId, title, status } };
		const { url, executions } = await taking();
		expect(await post(url, event)).toMatchObject({ status: 200, body: '{"received":true}' });
		expect(executions).toEqual([
			[expect.objectContaining({ json: expect.objectContaining(event) as unknown })],
		]);
	});

	test('an event that Documenso adds later starts an execution when all are selected', async () => {
		const { url, executions } = await taking({ events: ['*'] });
		await post(url, { event: 'DOCUMENT_ARCHIVED' });
		expect(executions).toHaveLength(1);
	});

	const options = { acceptUnverified: true };

	test.each(['', ' \t '])(
		'if unverified deliveries are accepted, the credential need not have a secret (%j)',
		async (webhookSecret) => {
			const { url, executions } = await taking({ options }, { webhookSecret });
			expect((await post(url, {}, {})).status).toBe(200);
			expect(executions).toHaveLength(1);
		},
	);

	test('accepting unverified deliveries does not weaken a secret that is set', async () => {
		const { url } = await taking({ options });
		expect((await post(url, {}, {})).status).toBe(401);
	});
});

describe('a forged delivery', () => {
	const FORGERIES = 10_000;
	const ODD_SECRET = 'Grüße-Sécret of/the+Webhook=42';
	const OTHERS_SECRET = 'secret of another credential';
	const HEADER = 'X-Documenso-Secret';

	/** Texts that are not the secret, though each is made of it. */
	const almost: Record<string, (secret: string, random: Random) => string> = {
		'a prefix': (secret, random) => secret.slice(0, random.below(secret.length)),
		'a suffix': (secret, random) => secret.slice(1 + random.below(secret.length - 1)),
		'longer at the end': (secret, random) => secret + letter(random),
		'longer at the start': (secret, random) => letter(random) + secret,
		'one letter another': (secret, random) => {
			const at = random.below(secret.length);
			return secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
		},
		'one letter missing': (secret, random) => {
			const at = random.below(secret.length);
			return secret.slice(0, at) + secret.slice(at + 1);
		},
		'upper case': (secret) => secret.toUpperCase().replace('SS', 'ß'),
		'lower case': (secret) => secret.toLowerCase(),
		reversed: (secret) => Array.from(secret).reverse().join(''),
		twice: (secret) => secret + secret,
		'in quotes': (secret) => JSON.stringify(secret),
		'with a scheme': (secret) => `Bearer ${secret}`,
		'behind a comma': (secret) => `, ${secret}`,
		'in a list': (secret) => `wrong, ${secret}`,
		'URL-encoded': (secret) => encodeURIComponent(secret),
		'URL-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
		base64: (secret) => Buffer.from(secret).toString('base64'),
		base64url: (secret) => Buffer.from(secret).toString('base64url'),
		'base64 of Latin-1': (secret) => Buffer.from(secret, 'latin1').toString('base64'),
		hex: (secret) => Buffer.from(secret).toString('hex'),
		'UTF-8 twice': (secret) => utf8(utf8(secret)),
		decomposed: (secret) => utf8(secret.normalize('NFD')),
		'decomposed, compatibility': (secret) => utf8(secret.normalize('NFKD')),
		'full-width letters': (secret) =>
			utf8(secret.replace(/[a-z]/i, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))),
		'Cyrillic letters': (secret) => utf8(secret.replace('e', '\u0435')),
		'a letter in another composition': (secret) => utf8(secret.replace('é', 'e\u0301')),
		'without accents': (secret) => secret.normalize('NFD').replace(/[^ -~]/g, ''),
		'a zero-width space': (secret, random) => {
			const at = random.below(secret.length + 1);
			return utf8(`${secret.slice(0, at)}\u200b${secret.slice(at)}`);
		},
		'a byte order mark': (secret) => utf8(`\ufeff${secret}`),
		'a soft hyphen': (secret) => utf8(`${secret}\u00ad`),
		'a blank that does not break': (secret) => `${secret}\u00a0`,
		'a blank in between': (secret) => secret.replace('-', '- '),
		'bytes that are no UTF-8': (secret) => `${utf8(secret)}\u00ff`,
		'an escape for a zero byte': (secret) => `${secret}%00`,
		'a letter for all others': () => '*',
		'the name of a type': () => 'undefined',
		random: (secret, random) => Array.from(secret, () => letter(random)).join(''),
		'of another credential': () => OTHERS_SECRET,
	};

	/** Places where the right secret is none. */
	const elsewhere: Array<(secret: string) => Post & { query?: string }> = [
		() => ({}),
		() => ({ headers: { [HEADER]: '' } }),
		() => ({ headers: { [HEADER]: '   \t ' } }),
		(secret) => ({ headers: { [HEADER]: [secret, secret] } }),
		(secret) => ({ headers: { [HEADER]: [secret, ''] } }),
		(secret) => ({ headers: { [HEADER]: ['', secret] } }),
		(secret) => ({ headers: { [HEADER]: ['wrong', secret] } }),
		(secret) => ({ headers: { [`${HEADER}s`]: secret } }),
		(secret) => ({ headers: { X_Documenso_Secret: secret } }),
		(secret) => ({ headers: { 'Documenso-Secret': secret } }),
		(secret) => ({ headers: { 'X-Webhook-Secret': secret } }),
		(secret) => ({ headers: { Authorization: secret } }),
		(secret) => ({ headers: { Authorization: `Bearer ${secret}` } }),
		(secret) => ({ headers: { 'Proxy-Authorization': secret } }),
		(secret) => ({ headers: { Cookie: `${HEADER}=${secret}` } }),
		(secret) => ({ headers: { 'Set-Cookie': [secret, secret] } }),
		(secret) => ({ headers: { 'User-Agent': secret } }),
		(secret) => ({ query: `secret=${encodeURIComponent(secret)}` }),
		(secret) => ({ query: `${HEADER}=${encodeURIComponent(secret)}` }),
		(secret) => ({ query: `key=${encodeURIComponent(secret)}` }),
		(secret) => ({ body: JSON.stringify({ ...completed, secret }) }),
		(secret) => ({ body: JSON.stringify({ ...completed, [HEADER]: secret, headers: { secret } }) }),
	];

	/** Queries that are not the one with the key that a registered webhook has. */
	function wrongKey(key: string, random: Random): string {
		const [name, write] = pick(random, Object.entries(almost));
		const forgeries = [
			'',
			'key',
			'key=',
			`key=${key}&key=${key}`,
			`key=${key}&key=`,
			`key=wrong&key=${key}`,
			`key[]=${key}`,
			`key[0]=${key}`,
			`key[key]=${key}`,
			`Key=${key}`,
			`secret=${key}`,
			`%6Bey=${key.slice(1)}`,
		];
		if (random.below(2) === 0) return pick(random, forgeries);
		// A key of hexadecimal digits looks the same in some of the disguises.
		const written = name === 'lower case' ? key.slice(2) : write(key, random);
		return `key=${encodeURIComponent(written === key ? `${key}0` : written)}`;
	}

	function letter(random: Random): string {
		return String.fromCharCode(0x21 + random.below(0x7e - 0x21));
	}

	function pick<Thing>(random: Random, things: readonly Thing[]): Thing {
		return things[random.below(things.length)] as Thing;
	}

	const bodies = [
		JSON.stringify(completed),
		JSON.stringify({ ...completed, event: 'DOCUMENT_SENT' }),
		JSON.stringify({ hello: 'world' }),
		'[]',
		'{}',
		'',
	];

	let usual: TriggerServer;
	let branded: TriggerServer;
	let automatic: TriggerServer;
	let others: TriggerServer;
	let key: string;

	beforeAll(async () => {
		const credential = credentialFor(suite.service, { webhookSecret: ODD_SECRET });
		const parameters = { events: ['DOCUMENT_COMPLETED'] };
		usual = await serveTrigger(credential, parameters);
		branded = await serveTrigger({ ...credential, webhookHeader: 'X-Brand' }, parameters);
		others = await serveTrigger({ ...credential, webhookSecret: OTHERS_SECRET }, parameters);
		automatic = await serveTrigger(credential, { ...parameters, registration: 'automatic' });
		await automatic.publish();
		key = new URL(suite.service.webhooks.list()[0]?.url ?? '').searchParams.get('key') ?? '';
		suite.service.calls.length = 0;
	});

	afterAll(async () => {
		await Promise.all(
			[usual, branded, automatic, others].map(async (server) => await server.close()),
		);
	});

	function forgery(random: Random): Post & { url: string } {
		const body = pick(random, bodies);
		const json = { 'Content-Type': 'application/json' };
		const kind = random.below(5);
		if (kind === 0) {
			const url = automatic.url + pick(random, ['?', '?a=b&']) + wrongKey(key, random);
			return { url, body, headers: { ...json, [HEADER]: pick(random, [ODD_SECRET, '', key]) } };
		}
		if (kind === 1) {
			const { query = '', headers, ...post } = pick(random, elsewhere)(ODD_SECRET);
			const url = `${usual.url}?${query}`;
			return { body, ...post, url, headers: { ...json, ...headers } };
		}
		if (kind === 2) {
			// Where the credential names a header of its own, the usual ones count for nothing.
			const name = pick(random, [HEADER, 'X-Service-Secret', 'Brand']);
			return { url: branded.url, body, headers: { ...json, [name]: ODD_SECRET } };
		}
		const written = pick(random, Object.values(almost))(ODD_SECRET, random);
		const name = pick(random, [HEADER, 'x-documenso-secret', 'X-SERVICE-SECRET']);
		return { url: usual.url, body, headers: { ...json, [name]: written } };
	}

	test('of 10,000 forged requests none starts anything, and the answer never tells what was wrong', async () => {
		const random = new Random(2026);
		const disguises = Object.values(almost).map((write) => write(ODD_SECRET, random));
		expect(disguises).not.toContain(ODD_SECRET);
		expect(disguises).not.toContain(utf8(ODD_SECRET));
		const forged = Array.from({ length: FORGERIES }, () => forgery(random));
		const replies = await poster.postAll(forged);
		const refusals = replies.filter(({ status }) => status === 401);
		const executions = [usual, branded, automatic].flatMap((server) => server.executions);
		process.stdout.write(
			`10,000 forged requests: ${refusals.length.toLocaleString('en')} × 401, ${executions.length} executions\n`,
		);
		const letIn = forged.filter((_, index) => replies[index]?.status !== 401);
		expect(letIn).toEqual([]);
		expect(executions).toEqual([]);
		expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
		expect(replies[0]?.body).toBe('');
		expect(suite.service.calls).toEqual([]);
	});

	test('the right secret, or the right key, is let in by each of these triggers', async () => {
		const json = { 'Content-Type': 'application/json' };
		const body = JSON.stringify({
			...completed,
			// The test of the dashboard is about no document, so that nothing has to be there.
			payload: { ...completed.payload, envelopeId: 'env_123' },
		});
		const answers = await poster.postAll([
			{ url: usual.url, body, headers: { ...json, [HEADER]: ODD_SECRET } },
			{ url: usual.url, body, headers: { ...json, 'X-Service-Secret': utf8(ODD_SECRET) } },
			{ url: branded.url, body, headers: { ...json, 'X-Brand': ODD_SECRET } },
			{ url: others.url, body, headers: { ...json, [HEADER]: OTHERS_SECRET } },
			{ url: `${automatic.url}?key=${key}`, body, headers: { ...json, [HEADER]: '' } },
		]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	});

	test.each([
		['a zero byte behind it', `${ODD_SECRET}\0`],
		['a zero byte in it', `${ODD_SECRET.slice(0, 5)}\0${ODD_SECRET.slice(5)}`],
		['a line feed', `${ODD_SECRET.slice(0, 5)}\n${ODD_SECRET.slice(5)}`],
	])('the secret with %s never reaches the trigger', async (_, secret) => {
		const { hostname, port, pathname } = new URL(usual.url);
		const before = usual.executions.length;
		const body = JSON.stringify(completed);
		const socket = connect(Number(port), hostname);
		socket.end(
			Buffer.from(
				`POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${HEADER}: ${secret}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
				'latin1',
			),
		);
		expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[01] /);
		expect(usual.executions).toHaveLength(before);
	});

	test.each(['', ' \t '])(
		'a trigger whose credential lost its secret (%j) refuses everybody',
		async (webhookSecret) => {
			const blank = await serve({}, { credential: { webhookSecret } });
			const secrets = ['', ' ', 'undefined', 'null', ODD_SECRET];
			const replies = await poster.postAll(
				secrets.map((secret) => ({
					url: blank.url,
					body: JSON.stringify(completed),
					headers: { 'Content-Type': 'application/json', [HEADER]: secret },
				})),
			);
			expect(replies.map(({ status }) => status)).toEqual(secrets.map(() => 401));
			expect(blank.executions).toEqual([]);
		},
	);

	test('a key that was never made is not matched by an empty one', async () => {
		const unpublished = await serve({ registration: 'automatic' });
		const replies = await poster.postAll(
			['', '?key', '?key=', '?key=undefined', '?key=null', '?key[]='].map((query) => ({
				url: unpublished.url + query,
				body: JSON.stringify(completed),
				headers: { 'Content-Type': 'application/json' },
			})),
		);
		expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
		expect(unpublished.executions).toEqual([]);
	});
});

describe('secrets', () => {
	const { serve, listen } = useTrigger(suite);
	const echo = { message: `You sent ${DEMO_TOKEN}`, code: `UNKNOWN_${DEMO_TOKEN}` };
	const events = ['DOCUMENT_SENT'];
	let log: jest.SpyInstance;

	beforeEach(() => {
		log = jest.spyOn(Container.get(Logger), 'warn');
	});

	afterEach(() => log.mockRestore());

	const logged = () => JSON.stringify(log.mock.calls);

	test('neither the API token nor the webhook secret is in an output or a log, though Documenso echoes them', async () => {
		const options = { withoutMissing: true };
		const enrich = ['details', 'values'];
		const trigger = await listen({ events, simple: false, enrich, options });
		// The draft is looked at before it is sent.
		suite.service.fail({ match: 'GET /envelope/*', delayMs: 0 });
		suite.service.fail({ match: 'GET /envelope/*', status: 400, body: echo, times: 9 });
		await suite.document('createAndSend');
		await suite.service.settled();
		const item = JSON.stringify(onlyItem(trigger));
		expect(item).toContain('You sent ***');
		expect(item).not.toContain(DEMO_TOKEN);
		expect(item).not.toContain(SECRET);
		expect(logged()).toContain('You sent ***');
		expect(logged()).not.toContain(DEMO_TOKEN);
		expect(logged()).not.toContain(SECRET);
	});

	test('nor the API token in the error of a workflow that cannot be published, or in the log when it ends', async () => {
		const trigger = await serve({ registration: 'automatic', events });
		suite.service.fail({ match: '*/zapier/subscribe', status: 400, body: echo });
		const error = await errorOf(trigger.publish);
		expect(error.message).toContain('You sent ***');
		expect(JSON.stringify([error, error.message, error.stack])).not.toContain(DEMO_TOKEN);
		await trigger.publish();
		suite.service.fail({ match: '*/zapier/unsubscribe', status: 400, body: echo });
		await trigger.switchOff();
		expect(logged()).toContain('You sent ***');
		expect(logged()).not.toContain(DEMO_TOKEN);
	});

	/** As a later Documenso might nest them. */
	const nested = {
		recipients: [{ id: 1, token: 'secret-1', delegate: { token: 'secret-2' } }],
		fields: [{ id: 2, recipient: { email: 'tina@example.com', token: 'secret-3' } }],
		directLink: { id: 'link', token: 'secret-4' },
		distribution: [[{ signingUrl: 'https://sign.example.com/sign/secret-5' }]],
		formValues: { token: 'the name of a form field' },
	};

	test('raw data has no signing tokens, however deep they are, and all of them with Include Signing Links', async () => {
		const id = completed.payload.envelopeId;
		const deliver = async (parameters: object) => {
			const raw = { events: ['*'], simple: false, enrich: ['details'], ...parameters };
			const trigger = await listen(raw);
			suite.service.fail({ match: 'GET /envelope/*', status: 200, body: { ...nested, id } });
			const payload = { ...completed.payload, documentData: nested };
			await fetch(trigger.url, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET },
				body: JSON.stringify({ ...completed, payload, meta: nested }),
			});
			return onlyItem(trigger).json;
		};
		const { payload, meta, details } = await deliver({});
		expect(JSON.stringify([payload, meta, details])).not.toMatch(/secret-|token-/);
		expect(details).toMatchObject({
			fields: [{ id: 2, recipient: { email: 'tina@example.com' } }],
			formValues: nested.formValues,
		});
		const { details: whole } = await deliver({ options: { includeSigningLinks: true } });
		expect(whole).toMatchObject(nested);
	});
});
