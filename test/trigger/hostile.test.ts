import { gzipSync } from 'node:zlib';

import { startEmulator } from '../../emulator';
import { Random } from '../../emulator/random';
import { completed } from '../support/deliveries';
import { Poster, type Post } from '../support/post';
import { credentialFor, type Service } from '../support/service';
import { serveTrigger, type TriggerServer } from '../support/webhook';
import { PAYLOAD_MAX_BYTES } from '../support/webhookBody';

const REQUESTS = 5_000;
const SECRET = 'secret of the webhook';
const right = { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET };
const valid = JSON.stringify(completed);

/** The fields that the node reads, and what they may hold. */
const fields: Record<string, string[]> = {
	event: ['text'],
	createdAt: ['text', 'nothing'],
	payload: ['object'],
	'payload.id': ['number'],
	'payload.envelopeId': ['text'],
	'payload.title': ['text'],
	'payload.status': ['text'],
	'payload.externalId': ['text', 'null', 'nothing'],
	'payload.source': ['text', 'null', 'nothing'],
	'payload.templateId': ['number', 'null', 'nothing'],
	'payload.teamId': ['number', 'null', 'nothing'],
	'payload.createdAt': ['text', 'null', 'nothing'],
	'payload.updatedAt': ['text', 'null', 'nothing'],
	'payload.completedAt': ['text', 'null', 'nothing'],
	'payload.deletedAt': ['text', 'null', 'nothing'],
	'payload.recipients': ['list', 'nothing'],
	'payload.recipients.0': ['object'],
	'payload.recipients.1': ['object', 'nothing'],
	'payload.recipients.0.id': ['number'],
	'payload.recipients.0.email': ['text'],
	'payload.recipients.0.name': ['text'],
	'payload.recipients.0.role': ['text'],
	'payload.recipients.0.token': ['text', 'nothing'],
	'payload.recipients.0.signingOrder': ['number', 'null', 'nothing'],
	'payload.recipients.0.readStatus': ['text'],
	'payload.recipients.0.sendStatus': ['text'],
	'payload.recipients.0.signingStatus': ['text'],
	'payload.recipients.1.signedAt': ['text', 'null', 'nothing'],
	'payload.recipients.1.expiresAt': ['text', 'null', 'nothing'],
	'payload.recipients.1.expirationNotifiedAt': ['text', 'null', 'nothing'],
	'payload.recipients.1.rejectionReason': ['text', 'null', 'nothing'],
	'payload.Recipient': ['list', 'null', 'nothing'],
	'payload.Recipient.0': ['object'],
};

/** JSON by the kind of value that it is. */
const values: Record<string, string[]> = {
	text: ['""', '"7"', '"NaN"', '"__proto__"', '"2026-01-01T00:00:00.000Z"', '"\\ud800"'],
	number: ['0', '-1', '7', '1.5e1'],
	huge: ['1e999', '-1e999', `1${'0'.repeat(400)}`],
	null: ['null'],
	flag: ['true', 'false'],
	object: ['{}', '{"0":{}}', '{"length":1}', '{"toString":null}', '{"$gt":""}'],
	list: ['[]', '[[]]', '[null]', '["text"]', '[[{}]]'],
};

/** Texts that take a key's place in the whole and are replaced by hostile JSON afterwards. */
const MARK = '"-mark-"';

const rowdy: Array<(random: Random) => string> = [
	wrongType,
	wrongType,
	wrongType,
	prototypeKey,
	prototypeKey,
	tooDeep,
	wrapped,
	notJson,
	cutOff,
	duplicateKey,
	brokenBytes,
	notAnEvent,
];

function wrongType(random: Random): string {
	const [path, kinds] = pick(random, Object.entries(fields));
	const wrong = Object.entries(values).filter(([kind]) => !kinds.includes(kind));
	const [, texts] = pick(random, wrong);
	if (!kinds.includes('nothing') && random.below(5) === 0) return at(path, undefined);
	return at(path, pick(random, texts));
}

function prototypeKey(random: Random): string {
	const key = pick(random, ['"__proto__"', '"\\u005f_proto__"', '"__proto\\u005f\\u005f"']);
	const poison = pick(random, [
		'{"polluted":true}',
		'{"event":"DOCUMENT_COMPLETED"}',
		'{"status":"polluted","isTest":true}',
		'null',
		'[]',
		valid,
	]);
	const objects = [...valid.matchAll(/\{/g)].map(({ index }) => index);
	const place = pick(random, objects) + 1;
	const constructor = `"constructor":{"prototype":{"polluted":true}},`;
	return `${valid.slice(0, place)}${pick(random, ['', constructor])}${key}:${poison},${valid.slice(place)}`;
}

function tooDeep(random: Random): string {
	const depth = 33 + random.below(5_000);
	const [open, close] = pick(random, [
		['[', ']'],
		['{"a":', '}'],
		['[{"__proto__":', '}]'],
	]);
	const deep = `${open.repeat(depth)}0${close.repeat(depth)}`;
	const path = pick(random, [
		'more',
		'payload.more',
		'payload.recipients.0.authOptions',
		'payload',
	]);
	return at(path, deep);
}

function wrapped(random: Random): string {
	const depth = 1 + random.below(2_000);
	const [open, close] = pick(random, [
		['[', ']'],
		['{"event":', '}'],
		['{"payload":', '}'],
		['{"body":', '}'],
		['{"constructor":{"prototype":', '}}'],
	]);
	return `${open.repeat(depth)}${valid}${close.repeat(depth)}`;
}

function notJson(random: Random): string {
	const value = pick(random, [
		'NaN',
		'Infinity',
		'-Infinity',
		'undefined',
		'0x7',
		'07',
		'+7',
		"'7'",
	]);
	return pick(random, [
		at('payload.id', value),
		at('payload.recipients.0.signingOrder', value),
		`${valid}${valid}`,
		`(${valid})`,
		`)]}',\n${valid}`,
		`callback(${valid})`,
		`// event\n${valid}`,
		valid.replaceAll('"', "'"),
		valid.replace('}', ',}'),
		value,
		' ',
		'\0',
	]);
}

function cutOff(random: Random): string {
	return valid.slice(0, 1 + random.below(valid.length - 1));
}

/** The last of two counts. */
function duplicateKey(random: Random): string {
	const [key, value] = pick(random, [
		['event', '7'],
		['event', '["DOCUMENT_COMPLETED"]'],
		['payload', 'null'],
		['payload', '[]'],
		['payload', '{}'],
	]);
	return `${valid.slice(0, -1)},"${key}":${value}}`;
}

/** In names and keys; in the middle of a text n8n puts question marks in their place. */
function brokenBytes(random: Random): string {
	const bytes = pick(random, ['\u00ff', '\u00c3', '\u00ed\u00a0\u0080', '\u00f8', '\u00c0\u0080']);
	const word = pick(random, ['event', 'payload', 'DOCUMENT_COMPLETED', 'envelopeId']);
	const place = valid.indexOf(word) + random.below(4);
	return valid.slice(0, place) + bytes + valid.slice(place);
}

function notAnEvent(random: Random): string {
	const name = pick(random, [
		'',
		'document_completed',
		'DOCUMENT COMPLETED',
		' DOCUMENT_COMPLETED',
		'DOCUMENT_COMPLETED\n',
		'DOCUMENT_COMPLETED\u0000',
		'__proto__',
		'constructor',
		'*',
		'_',
		'7',
		'\u0414OCUMENT_COMPLETED',
	]);
	return pick(random, [
		at('event', JSON.stringify(name)),
		'{}',
		'[]',
		'null',
		'true',
		'7',
		'"DOCUMENT_COMPLETED"',
		`"${'x'.repeat(1 + random.below(10_000))}"`,
		`[${Array.from({ length: random.below(2_000) }, () => '{}').join()}]`,
	]);
}

/** The valid delivery with other JSON in one place; `undefined` leaves the place out. */
function at(path: string, json: string | undefined): string {
	const body = structuredClone(completed) as Record<string, unknown>;
	const keys = path.split('.');
	const last = keys.pop() ?? '';
	const owner = keys.reduce((thing, key) => thing[key] as Record<string, unknown>, body);
	owner[last] = json === undefined ? undefined : '-mark-';
	// A list has `null` where nothing is.
	return JSON.stringify(body).replace(MARK, () => json ?? '');
}

function pick<Thing>(random: Random, things: readonly Thing[]): Thing {
	return things[random.below(things.length)] as Thing;
}

/** An event in another form than the one that Documenso sends. */
const forms: Array<Post & { name: string }> = [
	{ name: 'no type', headers: { 'Content-Type': [] } },
	{ name: 'text', headers: { 'Content-Type': 'text/plain' } },
	{ name: 'bytes', headers: { 'Content-Type': 'application/octet-stream' } },
	{ name: 'a kind of JSON', headers: { 'Content-Type': 'application/vnd.api+json' } },
	{
		name: 'JSON by a typing error',
		headers: { 'Content-Type': 'application/json ; charset=utf-8' },
	},
	{ name: 'UTF-16', headers: { 'Content-Type': 'application/json; charset=utf-16le' } },
	{ name: 'an unknown charset', headers: { 'Content-Type': 'application/json; charset=klingon' } },
	{ name: 'hexadecimal digits', headers: { 'Content-Type': 'application/json; charset=hex' } },
	{ name: 'XML by its type', headers: { 'Content-Type': 'text/xml' } },
	{ name: 'a form by its type', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
	{ name: 'another compression', headers: { 'Content-Encoding': 'br' }, body: gzipSync(valid) },
	{
		name: 'a form',
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: `event=DOCUMENT_COMPLETED&payload[id]=7&payload=${encodeURIComponent(valid)}`,
	},
	{
		name: 'XML',
		headers: { 'Content-Type': 'application/xml' },
		body: '<event>DOCUMENT_COMPLETED</event>',
	},
	{
		name: 'a form in parts',
		headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
		body: `--b\r\nContent-Disposition: form-data; name="event"\r\n\r\nDOCUMENT_COMPLETED\r\n--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${valid}\r\n--b--`,
	},
	{ name: 'nothing at all', body: '' },
];

let service: Service;
let servers: TriggerServer[];
const poster = new Poster();

beforeAll(async () => {
	service = await startEmulator();
	const credential = credentialFor(service, { webhookSecret: SECRET });
	const enrich = ['details', 'values', 'signedFiles'];
	const options = { withoutMissing: true };
	servers = [
		await serveTrigger(credential, { events: ['*'] }),
		await serveTrigger(credential, { events: ['*'], simple: false }),
		await serveTrigger(credential, { events: ['DOCUMENT_COMPLETED'], enrich, options }),
		await serveTrigger(credential, {
			events: ['*'],
			simple: false,
			options: { ...options, repetitionWindow: 0, includeSigningLinks: true },
			filters: { lastRecipientOnly: true, recipientEmail: 'tenant@example.com' },
		}),
	];
});

beforeEach(() => {
	for (const { executions } of servers) executions.length = 0;
	service.calls.length = 0;
});

afterAll(async () => {
	poster.close();
	await Promise.all(servers.map(async (server) => await server.close()));
	await service.close();
});

const started = () => servers.flatMap(({ executions }) => executions);

function expectUnpolluted() {
	expect(Object.keys(Object.prototype)).toEqual([]);
	for (const key of ['polluted', 'event', 'status', 'isTest']) expect({}).not.toHaveProperty(key);
}

test('of 5,000 hostile bodies with the right secret none starts anything, or is an error of ours', async () => {
	const random = new Random(7);
	const posts = Array.from({ length: REQUESTS }, () => {
		const { url } = pick(random, servers);
		if (random.below(20) === 0) {
			const form = pick(random, forms);
			return { url, body: form.body ?? valid, headers: { ...right, ...form.headers } };
		}
		const body = Buffer.from(pick(random, rowdy)(random), 'latin1');
		return { url, body, headers: right };
	});
	const replies = await poster.postAll(posts);
	const counts = replies.reduce<Record<number, number>>((sum, { status }) => {
		return { ...sum, [status]: (sum[status] ?? 0) + 1 };
	}, {});
	process.stdout.write(
		`5,000 hostile bodies: ${Object.entries(counts)
			.map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
			.join(', ')}, ${started().length} executions\n`,
	);
	const letThrough = posts.filter((_, index) => ![400, 422].includes(replies[index]?.status ?? 0));
	expect(letThrough.map(({ body }) => body.toString('latin1').slice(0, 2_000))).toEqual([]);
	expect(replies.filter(({ status, body }) => status === 400 && body !== '')).toEqual([]);
	expect(started()).toEqual([]);
	expect(service.calls).toEqual([]);
	expectUnpolluted();
});

test.each(forms)('an event as $name is none', async ({ body = valid, headers }) => {
	for (const { url } of servers) {
		const { status } = await poster.post(url, { body, headers: { ...right, ...headers } });
		expect([400, 422]).toContain(status);
	}
	expect(started()).toEqual([]);
});

describe('the largest bodies', () => {
	const filled = (length: number) => {
		const whole = at('more', '""');
		return whole.replace('"more":""', `"more":"${'x'.repeat(length - whole.length)}"`);
	};

	test.each([
		['a text of 16 MB in an event', filled(PAYLOAD_MAX_BYTES)],
		['a list of 8 million numbers in an event', at('payload.more', `[${'0,'.repeat(7_999_999)}0]`)],
		['a list of lists, a million deep', '['.repeat(1e6) + ']'.repeat(1e6)],
		['brackets without end', '['.repeat(4e6)],
		[
			'100,000 recipients in an event',
			at(
				'payload.recipients',
				`[${`${JSON.stringify(completed.payload.recipients[0])},`.repeat(5e4)}{}]`,
			),
		],
	])('%s is refused', async (_, body) => {
		const { status } = await poster.post(servers[0]?.url ?? '', { body, headers: right });
		expect([400, 422]).toContain(status);
		expect(started()).toEqual([]);
	});

	test('more than n8n takes is its own error, and the trigger never sees it', async () => {
		const body = filled(PAYLOAD_MAX_BYTES + 1);
		const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '['));
		const headers = { ...right, 'Content-Encoding': 'gzip' };
		for (const post of [
			{ body, headers: right },
			{ body: bomb, headers },
			{ body, headers },
		]) {
			expect((await poster.post(servers[0]?.url ?? '', post)).status).toBe(500);
		}
		expect(started()).toEqual([]);
	});
});

test('an event that nobody selected starts nothing, whatever else it says', async () => {
	const body = JSON.stringify({ ...completed, event: 'DOCUMENT_ARCHIVED' });
	const { status } = await poster.post(servers[2]?.url ?? '', { body, headers: right });
	expect(status).toBe(200);
	expect(started()).toEqual([]);
	expect(service.calls).toEqual([]);
});

const LONG = 'x'.repeat(1_000_000);

test.each([
	['two dots', '..'],
	['a dot', '.'],
	['nothing', ''],
	['a path', '../me'],
	['an encoded path', '..%2Fme'],
	['two segments', 'a/b'],
	['a query', 'a?b'],
	['an endpoint', 'attachment'],
	['two lines', 'a\nb'],
	['half a character', '\ud800'],
	['a megabyte', LONG],
])(
	'an event about a document whose ID is %s is none, and asks Documenso nothing',
	async (_, envelopeId) => {
		const body = JSON.stringify({ ...completed, payload: { ...completed.payload, envelopeId } });
		for (const { url } of servers) {
			const reply = await poster.post(url, { body, headers: right });
			expect(reply).toMatchObject({ status: 400, body: '' });
		}
		expect(started()).toEqual([]);
		expect(service.calls).toEqual([]);
	},
);

test('keys that nobody knows are no harm: such an event starts an execution, and changes no prototype', async () => {
	const more = '{"constructor":{"prototype":{"polluted":true}},"prototype":1,"toString":null}';
	const bodies = [
		at('more', more),
		at('constructor', more),
		at('payload.toJSON', more),
		at('payload.hasOwnProperty', more),
		at('payload.recipients.0.constructor', more),
		at('payload.eventId', '"mine"'),
		at('eventId', '"mine"'),
	];
	for (const [index, hostile] of bodies.entries()) {
		const letter = String.fromCharCode('a'.charCodeAt(0) + index);
		const body = hostile.replaceAll('envelope_abcdefghijklmno', `envelope_abcdefghijklmn${letter}`);
		for (const { url } of servers) {
			expect((await poster.post(url, { body, headers: right })).status).toBe(200);
		}
	}
	expect(started()).toHaveLength(bodies.length * servers.length);
	expect(servers.flatMap(({ items }) => items.map(({ json }) => json.eventId))).not.toContain(
		'mine',
	);
	expectUnpolluted();
});
