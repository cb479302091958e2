import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { startEmulator } from '../../emulator';
import { Random } from '../../emulator/random';
import { completed } from '../support/deliveries';
import { Poster, utf8, type Post } from '../support/post';
import { credentialFor, type Service } from '../support/service';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const FORGERIES = 10_000;
const SECRET = 'Grüße-Sécret of/the+Webhook=42';
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

let service: Service;
let usual: TriggerServer;
let branded: TriggerServer;
let automatic: TriggerServer;
let others: TriggerServer;
let key: string;
const poster = new Poster();

beforeAll(async () => {
	service = await startEmulator();
	const credential = credentialFor(service, { webhookSecret: SECRET });
	const parameters = { events: ['DOCUMENT_COMPLETED'] };
	usual = await serveTrigger(credential, parameters);
	branded = await serveTrigger({ ...credential, webhookHeader: 'X-Brand' }, parameters);
	others = await serveTrigger({ ...credential, webhookSecret: OTHERS_SECRET }, parameters);
	automatic = await serveTrigger(credential, { ...parameters, registration: 'automatic' });
	await automatic.publish();
	key = new URL(service.webhooks.list()[0]?.url ?? '').searchParams.get('key') ?? '';
	service.calls.length = 0;
});

afterAll(async () => {
	poster.close();
	await Promise.all(
		[usual, branded, automatic, others].map(async (server) => await server.close()),
	);
	await service.close();
});

function forgery(random: Random): Post & { url: string } {
	const body = pick(random, bodies);
	const json = { 'Content-Type': 'application/json' };
	const kind = random.below(5);
	if (kind === 0) {
		const url = automatic.url + pick(random, ['?', '?a=b&']) + wrongKey(key, random);
		return { url, body, headers: { ...json, [HEADER]: pick(random, [SECRET, '', key]) } };
	}
	if (kind === 1) {
		const { query = '', headers, ...post } = pick(random, elsewhere)(SECRET);
		const url = `${usual.url}?${query}`;
		return { body, ...post, url, headers: { ...json, ...headers } };
	}
	if (kind === 2) {
		// Where the credential names a header of its own, the usual ones count for nothing.
		const name = pick(random, [HEADER, 'X-Service-Secret', 'Brand']);
		return { url: branded.url, body, headers: { ...json, [name]: SECRET } };
	}
	const written = pick(random, Object.values(almost))(SECRET, random);
	const name = pick(random, [HEADER, 'x-documenso-secret', 'X-SERVICE-SECRET']);
	return { url: usual.url, body, headers: { ...json, [name]: written } };
}

test('of 10,000 forged requests none starts anything, and the answer never tells what was wrong', async () => {
	const random = new Random(2026);
	const disguises = Object.values(almost).map((write) => write(SECRET, random));
	expect(disguises).not.toContain(SECRET);
	expect(disguises).not.toContain(utf8(SECRET));
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
	expect(service.calls).toEqual([]);
});

test('the right secret, or the right key, is let in by each of these triggers', async () => {
	const json = { 'Content-Type': 'application/json' };
	const body = JSON.stringify({
		...completed,
		// The test of the dashboard is about no document, so that nothing has to be there.
		payload: { ...completed.payload, envelopeId: 'env_123' },
	});
	const answers = await poster.postAll([
		{ url: usual.url, body, headers: { ...json, [HEADER]: SECRET } },
		{ url: usual.url, body, headers: { ...json, 'X-Service-Secret': utf8(SECRET) } },
		{ url: branded.url, body, headers: { ...json, 'X-Brand': SECRET } },
		{ url: others.url, body, headers: { ...json, [HEADER]: OTHERS_SECRET } },
		{ url: `${automatic.url}?key=${key}`, body, headers: { ...json, [HEADER]: '' } },
	]);
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test.each([
	['a zero byte behind it', `${SECRET}\0`],
	['a zero byte in it', `${SECRET.slice(0, 5)}\0${SECRET.slice(5)}`],
	['a line feed', `${SECRET.slice(0, 5)}\n${SECRET.slice(5)}`],
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

test('a trigger whose credential lost its secret refuses everybody', async () => {
	const blank = await serveTrigger(credentialFor(service, { webhookSecret: ' \t ' }), {
		events: ['*'],
	});
	const secrets = ['', ' ', 'undefined', 'null', SECRET];
	const replies = await poster.postAll(
		secrets.map((secret) => ({
			url: blank.url,
			body: JSON.stringify(completed),
			headers: { 'Content-Type': 'application/json', [HEADER]: secret },
		})),
	);
	expect(replies.map(({ status }) => status)).toEqual(secrets.map(() => 401));
	expect(blank.executions).toEqual([]);
	await blank.close();
});

test('a key that was never made is not matched by an empty one', async () => {
	const unpublished = await serveTrigger(credentialFor(service), {
		events: ['*'],
		registration: 'automatic',
	});
	const replies = await poster.postAll(
		['', '?key', '?key=', '?key=undefined', '?key=null', '?key[]='].map((query) => ({
			url: unpublished.url + query,
			body: JSON.stringify(completed),
			headers: { 'Content-Type': 'application/json' },
		})),
	);
	expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
	expect(unpublished.executions).toEqual([]);
	await unpublished.close();
});
