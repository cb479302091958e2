import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { DEMO_TEAM, startEmulator, type WebhookEvent } from '../../emulator';
import { Random } from '../../emulator/random';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import { parse } from '../../nodes/DocumensoTrigger/parse';
import { call, sendDocument, signatureField } from '../emulator/api';
import { Receiver } from '../emulator/receiver';
import { completed, delivered } from '../support/deliveries';
import { HEADERS as right, SECRET } from '../support/events';
import { type Post, Poster } from '../support/post';
import { credentialFor, type Service } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';
import { PAYLOAD_MAX_BYTES } from '../support/webhookBody';

const poster = new Poster();
afterAll(() => poster.close());

describe('a hostile delivery', () => {
	const REQUESTS = 5_000;
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
		const bytes = pick(random, [
			'\u00ff',
			'\u00c3',
			'\u00ed\u00a0\u0080',
			'\u00f8',
			'\u00c0\u0080',
		]);
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
		{
			name: 'an unknown charset',
			headers: { 'Content-Type': 'application/json; charset=klingon' },
		},
		{ name: 'hexadecimal digits', headers: { 'Content-Type': 'application/json; charset=hex' } },
		{ name: 'XML by its type', headers: { 'Content-Type': 'text/xml' } },
		{
			name: 'a form by its type',
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		},
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
		const letThrough = posts.filter(
			(_, index) => ![400, 422].includes(replies[index]?.status ?? 0),
		);
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
			[
				'a list of 8 million numbers in an event',
				at('payload.more', `[${'0,'.repeat(7_999_999)}0]`),
			],
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
			const body = delivered({ envelopeId });
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
			const body = hostile.replaceAll(
				'envelope_abcdefghijklmno',
				`envelope_abcdefghijklmn${letter}`,
			);
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
});

describe('a usual delivery', () => {
	const FOLDER = join(__dirname, '../../../shared/service/webhooks');

	interface Body extends IDataObject {
		event: string;
		payload: IDataObject & { recipients: IDataObject[] };
	}

	let now = Date.parse('2026-01-01T00:00:00Z');

	/** Nothing happens at the same moment as anything else. */
	const clock = () => new Date((now += 10));
	const suite = useService({ seed: 'demo', clock });

	/** What the trigger makes of a delivery. */
	async function received(body: Body, parameters: IDataObject = {}): Promise<IDataObject> {
		const credential = credentialFor(suite.service, { webhookSecret: SECRET });
		const server = await serveTrigger(credential, { events: ['*'], ...parameters });
		await server.publish();
		suite.service.calls.length = 0;
		const posted = { headers: right, body: JSON.stringify(body) };
		const { status } = await poster.post(server.url, posted);
		await server.close();
		const [item] = server.items;
		if (status !== 200 || !item) throw new Error(`${body.event} was answered ${String(status)}`);
		return item.json;
	}

	const without = (record: IDataObject, ...keys: string[]) =>
		Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

	/** What the simplified output leaves out of a recipient, next to his token. */
	const LEFT_OUT = [
		'token',
		'envelopeId',
		'documentId',
		'templateId',
		'authOptions',
		'documentDeletedAt',
	];

	function expectNothingLost(output: IDataObject, { event, payload, createdAt }: Body) {
		const kind =
			event.startsWith('TEMPLATE_') && event !== 'TEMPLATE_USED' ? 'template' : 'document';
		expect(output).toMatchObject({
			event,
			eventId: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
			deliveredAt: createdAt,
			[kind]: {
				id: payload.envelopeId,
				title: payload.title,
				status: payload.status,
				externalId: payload.externalId,
				source: payload.source,
				templateNumber: payload.templateId,
				createdAt: payload.createdAt,
				updatedAt: payload.updatedAt,
				completedAt: payload.completedAt,
				deletedAt: payload.deletedAt,
			},
			recipients: payload.recipients.map((recipient) => without(recipient, ...LEFT_OUT)),
		});
		expect(output).not.toHaveProperty(kind === 'template' ? 'document' : 'template');
		expect(output).not.toHaveProperty('Recipient');
		const written = JSON.stringify(output);
		for (const { token } of payload.recipients)
			expect(written).not.toContain(`"${token as string}"`);
		expect(written).not.toContain('"token"');
	}

	function expectRawWithoutTokens(output: IDataObject, body: Body) {
		const untold = (recipients: IDataObject[]) => recipients.map((one) => without(one, 'token'));
		const { recipients, Recipient = [] } = body.payload;
		expect(without(output, 'eventId', 'deliveryId', 'foundBy', 'isTest')).toEqual({
			...without(body, 'webhookEndpoint'),
			payload: {
				...body.payload,
				recipients: untold(recipients),
				Recipient: untold(Recipient as IDataObject[]),
			},
		});
	}

	/** Who caused what in the recording, read by hand off what changed from one delivery to the next. */
	const CAUSES: Record<string, number> = {
		'0182': 18,
		'0183': 1,
		'0184': 1,
		'0185': 8,
		'0186': 8,
		'0187': 8,
		'0219': 34,
		'0220': 34,
		'0221': 35,
		'0225': 37,
		'0226': 37,
		'0227': 36,
		'0228': 36,
		'0229': 36,
		'0239': 43,
		'0268': 44,
		'0269': 43,
	};

	const files = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];

	const recorded = files.map((file) => {
		const { body } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { body: Body };
		return [file, body] as const;
	});

	(recorded.length > 0 ? describe : describe.skip)('what a real Documenso delivered', () => {
		afterAll(() => {
			const kinds = new Set(recorded.map(([, { event }]) => event));
			process.stdout.write(
				`${recorded.length} recorded webhooks of ${kinds.size} kinds: ${recorded.length} accepted\n`,
			);
		});

		test.each(recorded.length > 0 ? recorded : [['', {} as Body]])(
			'%s is accepted and simplified without loss',
			async (file, body) => {
				const output = await received(body);
				expectNothingLost(output, body);
				expect(output.isTest).toBe(false);
				const { id } = (output.causedBy ?? {}) as IDataObject;
				expect([file, id]).toEqual([file, CAUSES[file.slice(0, 4)]]);
			},
		);

		test.each(recorded.length > 0 ? recorded : [['', {} as Body]])(
			'%s is whole but for its tokens when it is not simplified',
			async (_, body) => {
				expectRawWithoutTokens(await received(body, { simple: false }), body);
			},
		);

		test('all of them are told apart, but for what came several times', () => {
			const ids = recorded.map(([file, body]) => [parse(body)?.id, file] as const);
			const files = new Map<unknown, string[]>();
			for (const [id, file] of ids) files.set(id, [...(files.get(id) ?? []), file]);
			const repeated = [...files.values()].filter((same) => same.length > 1);
			expect(repeated.map((same) => same.map((file) => file.slice(0, 4)))).toEqual([
				// A completed document, deleted twice: nothing in it changed by the second time.
				['0231', '0232'],
				// One event to several endpoints, some of which failed and got it four times.
				[...Array.from({ length: 17 }, (_, index) => String(240 + index).padStart(4, '0'))],
			]);
		});
	});

	async function collected(cause: () => Promise<unknown>): Promise<Body[]> {
		const receiver = await new Receiver().start();
		suite.service.webhooks.add({ url: receiver.url });
		await cause();
		await suite.service.settled();
		await receiver.close();
		return receiver.received.map(({ body }) => body as unknown as Body);
	}

	test.each(WEBHOOK_EVENTS)('a %s is accepted and simplified without loss', async (event) => {
		const isTemplate = event.startsWith('TEMPLATE_') && event !== 'TEMPLATE_USED';
		const id = isTemplate ? RENTAL_AGREEMENT.id : (await sendDocument(suite.service)).id;
		const [body] = await collected(async () => await suite.service.deliver(event, id));
		if (!body) throw new Error('Nothing was delivered');
		const output = await received(body, { options: { includeSigningLinks: false } });
		expectNothingLost(output, body);
		expect(output.isTest).toBe(false);
		const page = `${suite.service.url}/t/${DEMO_TEAM.url}/${isTemplate ? 'templates' : 'documents'}/${id}`;
		expect(output[isTemplate ? 'template' : 'document']).toHaveProperty('url', page);
		expectRawWithoutTokens(await received(body, { simple: false }), body);
	});

	test.each(WEBHOOK_EVENTS)("the dashboard's test of %s is accepted, and marked", async (event) => {
		const [body] = await collected(async () => await suite.service.webhooks.test(event));
		if (!body) throw new Error('Nothing was delivered');
		const output = await received(body);
		expectNothingLost(output, body);
		expect(output.isTest).toBe(true);
		expect(output.document ?? output.template).not.toHaveProperty('url');
		expect(suite.service.calls).toEqual([]);
		const raw = await received(body, { simple: false });
		expectRawWithoutTokens(raw, body);
		expect(raw.isTest).toBe(true);
		expect(suite.service.calls).toEqual([]);
	});

	test('the signing links are given when asked for, to whoever has a signing page', async () => {
		const recipients = [
			{ email: 'a@example.com', name: 'A', role: 'SIGNER', fields: [signatureField] },
			{ email: 'cc@example.com', name: 'C', role: 'CC' },
		];
		const [, body] = await collected(async () => await sendDocument(suite.service, { recipients }));
		if (!body) throw new Error('It was not sent');
		const options = { includeSigningLinks: true };
		const links = ((await received(body, { options })).recipients as IDataObject[]).map(
			({ email, signingUrl }) => [email, signingUrl],
		);
		const token = body.payload.recipients.find(({ role }) => role === 'SIGNER')?.token;
		expect(Object.fromEntries(links)).toEqual({
			'a@example.com': `${suite.service.url}/sign/${token as string}`,
			'cc@example.com': undefined,
		});
		const raw = await received(body, { simple: false, options });
		expect(raw.payload).toEqual(body.payload);
		const envelope = suite.service.store.envelopes.get(body.payload.envelopeId as string);
		// As Documenso shows recipients of other users' documents.
		for (const recipient of envelope?.recipients ?? []) recipient.token = '';
		for (const recipient of (await received(body, { options })).recipients as IDataObject[]) {
			expect(recipient).not.toHaveProperty('signingUrl');
		}
	});

	test('who caused an event is told as often as its deliveries tell', async () => {
		const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
		const recipients = emails.map((email) => ({
			email,
			name: '',
			role: 'SIGNER',
			fields: [signatureField],
		}));
		const bodies = await collected(async () => {
			const { id, tokens } = await sendDocument(suite.service, { recipients });
			for (const token of tokens) {
				await fetch(`${suite.service.url}/sign/${token}`);
				await suite.service.sign(token);
			}
			await suite.service.settled();
			const other = await sendDocument(suite.service, { recipients });
			const [, second] = suite.service.store.envelopes.get(other.id)?.recipients ?? [];
			suite.service.expire(second?.id ?? 0);
			await suite.service.reject(String(other.tokens[2]), 'No');
			await suite.service.settled();
			await call(suite.service, 'POST /envelope/delete', { envelopeId: id });
		});
		const causes = bodies.map((body) => {
			return [body.event, parse(body)?.event.by?.email];
		});
		const signed = (email: string): Array<[WebhookEvent, string]> => [
			['DOCUMENT_OPENED', email],
			['DOCUMENT_RECIPIENT_COMPLETED', email],
			['DOCUMENT_SIGNED', email],
		];
		expect(causes).toEqual([
			['DOCUMENT_CREATED', undefined],
			['DOCUMENT_SENT', undefined],
			...emails.flatMap(signed),
			['DOCUMENT_COMPLETED', 'c@example.com'],
			['DOCUMENT_CREATED', undefined],
			['DOCUMENT_SENT', undefined],
			['RECIPIENT_EXPIRED', 'b@example.com'],
			['DOCUMENT_REJECTED', 'c@example.com'],
			['DOCUMENT_CANCELLED', undefined],
		]);
	});
});
