import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compareBodies, compareHeaders } from '../../conformance/recordings/compare';
import { IdMap } from '../../conformance/recordings/ids';
import { type Receiver, startReceiver } from '../../conformance/recordings/receiver';
import { conformance } from '../../conformance/recordings/run';
import { startEmulator } from '../../emulator';
import { type MadeUp, makeRecordings } from './recorder';

describe('a replay', () => {
	let recordings: MadeUp;

	beforeEach(async () => {
		const service = await startEmulator({ sealDelayMs: 0 });
		recordings = await makeRecordings(service);
		await service.close();
	});

	afterEach(async () => await rm(recordings.folder, { recursive: true }));

	async function run(listed: Record<string, string> = {}): Promise<{ code: number; text: string }> {
		const path = join(recordings.folder, 'differences.json');
		await writeFile(path, JSON.stringify(listed));
		let text = '';
		const print = (printed: string): void => void (text += printed);
		return { code: await conformance(recordings.folder, print, path), text };
	}

	describe('replaying recordings', () => {
		it('matches what a local Documenso answered and delivered, signatures in between included', async () => {
			const { code, text } = await run();

			expect(text).toBe('captures: 6/6 matched\nwebhooks: 7/7 matched');
			expect(code).toBe(0);
		});

		it('reports a changed type in one line and exits 1', async () => {
			await recordings.change('captures/004-get-completed.json', (text) =>
				text.replace('"title":"Made-up contract"', '"title":7'),
			);

			const { code, text } = await run();

			expect(text).toContain('004-get-completed  .title: 7, emulated "Made-up contract"');
			expect(text).toContain('004-get-completed  is not listed in differences.json');
			expect(text).toContain('captures: 5/6 matched');
			expect(code).toBe(1);
		});

		it('reports another status, and nothing else about that answer', async () => {
			await recordings.change('captures/006-no-such-route.json', (text) =>
				text.replace('"status":404', '"status":405'),
			);

			const { text } = await run({ '006-no-such-route': 'Made up.' });
			const lines = text.split('\n').filter((line) => line.startsWith('006'));
			expect(lines).toHaveLength(2);
			expect(lines[0]).toMatch(/^006-no-such-route {2}status: 405, emulated 404 /);
			expect(lines[1]).toBe('006-no-such-route  (listed: Made up.)');
		});

		it('reports a header that is missing', async () => {
			await recordings.change('captures/002-get-draft.json', (text) =>
				text.replace('"access-control-allow-origin"', '"etag","1"],["x-other"'),
			);

			const { text } = await run();

			expect(text).toContain('002-get-draft  header etag: 1, emulated none');
			expect(text).toContain('header access-control-allow-origin: none, emulated *');
		});

		it('reports what a webhook says differently', async () => {
			const file = recordings.webhook('DOCUMENT_SENT');
			await recordings.change(file, (text) =>
				text.replace('"made up"', '"other"').replace('"formValues":null', '"formValues":{}'),
			);

			const { code, text } = await run();
			const name = basename(file, '.json');
			expect(text).toContain(`${name}  header x-documenso-secret: other, emulated made up`);
			expect(text).toContain(`${name}  .payload.formValues: {}, emulated null`);
			expect(text).toContain('webhooks: 6/7 matched');
			expect(code).toBe(1);
		});

		it('reports a delivery the recordings do not have, and one only they have', async () => {
			await recordings.change(recordings.webhook('DOCUMENT_CREATED'), (text) =>
				text.replace('"event":"DOCUMENT_CREATED"', '"event":"DOCUMENT_OPENED"'),
			);

			const { text } = await run();

			expect(text).toContain(
				'001-create  webhook DOCUMENT_CREATED to /hook: not recorded, emulated',
			);
			expect(text).toContain('DOCUMENT_CREATED  not delivered by the local Documenso');
		});

		it('exits 0 when every difference is listed', async () => {
			await recordings.change('captures/002-get-draft.json', (text) =>
				text.replace('"status":"DRAFT"', '"status":"PENDING"'),
			);

			const { code } = await run({ '002-get-draft': 'Made up.' });

			expect(code).toBe(0);
		});

		it('exits 1 when a listed difference no longer occurs', async () => {
			const { code, text } = await run({ '002-get-draft': 'Made up.' });

			expect(text).toContain('002-get-draft  is listed in differences.json and no longer differs');
			expect(code).toBe(1);
		});
	});

	it('exits 2 with one sentence when there is no such folder', async () => {
		const printed: string[] = [];
		const code = await conformance('/no/such/folder', (text) => printed.push(text));

		expect(code).toBe(2);
		expect(printed).toEqual([
			'There are no captures/ and webhooks/ in the folder "/no/such/folder".',
		]);
	});
});

describe('the endpoint that a replay delivers to', () => {
	let receiver: Receiver;

	beforeEach(async () => void (receiver = await startReceiver()));

	afterEach(async () => await receiver.close());

	async function deliver(path: string): Promise<Response> {
		const body = JSON.stringify({ event: 'DOCUMENT_SENT', payload: {} });
		return await fetch(receiver.origin + path, { method: 'POST', body });
	}

	it('responds with the status in its address', async () => {
		expect((await deliver('/fail?status=500')).status).toBe(500);
		expect(receiver.take()).toMatchObject([{ url: '/fail?status=500' }]);
	});

	it('drops the connection where the service gave up waiting, instead of racing its timeout', async () => {
		await expect(deliver('/slow?ms=12000')).rejects.toThrow('fetch failed');
		expect(receiver.take()).toMatchObject([{ url: '/slow?ms=12000' }]);
	});
});

describe('a comparison', () => {
	function compare(recorded: unknown, emulated: unknown, ids = new IdMap()): string[] {
		const context = '/api/v2/envelope';
		ids.learn(recorded, emulated, context);
		return compareBodies(recorded, emulated, { ids, context });
	}

	describe('bodies', () => {
		it.each([
			['a type', { page: 1 }, { page: '1' }, '.page: 1, emulated "1"'],
			['null', { a: null }, { a: {} }, '.a: null, emulated {}'],
			['an array', { a: [] }, { a: {} }, '.a: [], emulated {}'],
			['a missing key', { a: 1, b: 2 }, { a: 1 }, '.b: 2, emulated no such key'],
			['a new key', { a: 1 }, { a: 1, b: 2 }, '.b: no such key, emulated 2'],
			[
				'a word',
				{ status: 'DRAFT' },
				{ status: 'PENDING' },
				'.status: "DRAFT", emulated "PENDING"',
			],
			['the whole body', 'text', {}, 'body: "text", emulated {}'],
		])('tell %s apart', (_what, recorded, emulated, line) => {
			expect(compare(recorded, emulated)).toEqual([line]);
		});

		it('name the place in a nested list', () => {
			const recorded = { data: [{ id: 1, tags: [{ ok: true }] }] };
			const emulated = { data: [{ id: 1, tags: [{ ok: false }] }] };

			expect(compare(recorded, emulated)).toEqual(['.data[0].tags[0].ok: true, emulated false']);
		});

		it('count the elements of a list', () => {
			expect(compare({ data: ['a', 'b'] }, { data: ['b'] })).toEqual([
				'.data: 2 elements, emulated 1',
			]);
		});

		it('do not mind the order of people', () => {
			const [anna, bert] = [
				{ email: 'anna@example.com', order: 1 },
				{ email: 'bert@example.com', order: 2 },
			];

			expect(compare({ recipients: [anna, bert] }, { recipients: [bert, anna] })).toEqual([]);
		});

		it('take any id, token and date for any other, and nothing else for them', () => {
			const recorded = {
				id: 'envelope_abcdefghijklmnop',
				token: 'abc',
				createdAt: '2026-01-01T00:00:00.000Z',
			};

			const other = {
				id: 'envelope_ponmlkjihgfedcba',
				token: 'xyz',
				createdAt: '2027-02-02T11:22:33.444Z',
			};
			expect(compare(recorded, other)).toEqual([]);
			expect(compare(recorded, { id: 'x', token: 'xyz', createdAt: 'today' })).toHaveLength(2);
		});

		it('notice an id that stood for another one before', () => {
			const ids = new IdMap();
			ids.add('envelope_abcdefghijklmnop', 'envelope_ponmlkjihgfedcba');
			const recorded = { envelopeId: 'envelope_abcdefghijklmnop' };

			expect(compare(recorded, { envelopeId: 'envelope_aaaaaaaaaaaaaaaa' }, ids)).toHaveLength(1);
		});

		it('look for known ids in messages', () => {
			const ids = new IdMap();
			ids.add('envelope_abcdefghijklmnop', 'envelope_ponmlkjihgfedcba');
			const recorded = { message: 'No envelope_abcdefghijklmnop, 5 tried' };

			expect(compare(recorded, { message: 'No envelope_ponmlkjihgfedcba, 6 tried' }, ids)).toEqual(
				[],
			);
			expect(compare(recorded, { message: 'No envelope_abcdefghijklmnop' }, ids)).toHaveLength(1);
		});
	});

	describe('headers', () => {
		const emulated = new Headers({ 'content-type': 'application/json', 'x-request-id': '2' });

		it('are compared by value or by presence', () => {
			const recorded: Array<[string, string]> = [
				['Content-Type', 'application/pdf'],
				['X-Request-Id', '1'],
				['Retry-After', '46'],
				['Date', 'yesterday'],
			];

			expect(compareHeaders(recorded, emulated)).toEqual([
				'header content-type: application/pdf, emulated application/json',
				'header retry-after: 46, emulated none',
			]);
		});

		it('are reported when only the local Documenso has them', () => {
			expect(compareHeaders([['content-type', 'application/json']], emulated)).toEqual([
				'header x-request-id: none, emulated 2',
			]);
		});
	});
});

describe('ids', () => {
	const envelope = ['envelope_aaaaaaaaaaaaaaaa', 'envelope_bbbbbbbbbbbbbbbb'] as const;

	function learned(recorded: unknown, emulated: unknown, context = '/api/v2/envelope'): IdMap {
		const ids = new IdMap();
		ids.learn(recorded, emulated, context);
		return ids;
	}

	function person(id: number, name: string) {
		return { id, name, email: `${name}@example.com`, role: 'SIGNER' };
	}

	it('are replaced in bodies, paths and texts', () => {
		const ids = learned({ id: envelope[0] }, { id: envelope[1] });

		expect(ids.translate({ envelopeId: envelope[0] }, '')).toEqual({ envelopeId: envelope[1] });
		expect(ids.translateText(`/api/v2/envelope/${envelope[0]}?a=1`)).toBe(
			`/api/v2/envelope/${envelope[1]}?a=1`,
		);
	});

	it('stay as they are when nothing is known of them', () => {
		const body = { envelopeId: 'envelope_doesnotexist', recipientId: 99_999_999 };

		expect(new IdMap().translate(body, '/api/v2/envelope/field')).toEqual(body);
	});

	it('of recipients are learned from whoever is the same person', () => {
		const recorded = { recipients: [person(1, 'a'), person(2, 'b')] };
		const emulated = { recipients: [person(8, 'b'), person(9, 'a')] };
		const ids = learned(recorded, emulated);

		expect(ids.translate({ recipientId: 1 }, '')).toEqual({ recipientId: 9 });
		expect(ids.translate({ recipients: [2, 1] }, '/envelope/redistribute')).toEqual({
			recipients: [8, 9],
		});
		expect(ids.translateText('/api/v2/envelope/recipient/2/reject')).toBe(
			'/api/v2/envelope/recipient/8/reject',
		);
	});

	it('of fields are learned by the recipient they belong to', () => {
		const field = (id: number, recipientId: number) => ({ id, recipientId, type: 'SIGNATURE' });
		const ids = learned(
			{ recipients: [person(1, 'a'), person(2, 'b')], fields: [field(1, 1), field(2, 2)] },
			{ recipients: [person(1, 'b'), person(2, 'a')], fields: [field(5, 1), field(6, 2)] },
		);

		expect(ids.translate({ fieldId: 1 }, '')).toEqual({ fieldId: 6 });
	});

	it('of different kinds are not mixed up', () => {
		const ids = learned({ documentId: 1, templateId: 1 }, { documentId: 4, templateId: 7 });

		expect(ids.translate({ ids: { type: 'documentId', ids: [1] } }, '')).toEqual({
			ids: { type: 'documentId', ids: [4] },
		});
		expect(ids.translate({ templateId: 1, page: 1 }, '')).toEqual({ templateId: 7, page: 1 });
	});
});
