import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { conformance } from '../../../conformance/recordings/run';
import { startEmulator } from '../../../emulator';
import { makeRecordings, type MadeUp } from './recorder';

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

		expect(text).toContain('001-create  webhook DOCUMENT_CREATED to /hook: not recorded, emulated');
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
