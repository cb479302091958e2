import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { startEmulator } from '../../emulator';
import { hurry } from '../support/hurry';
import { bytesOf, itemWith, runNode, useBinaryMode, type BinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { close, listen } from '../support/server';
import { credentialFor, type Service } from '../support/service';
import { byId, ending } from '../support/suite';

// n8n reads these once. The local Documenso is allowed by its address, and localhost by its name.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';
process.env.N8N_SSRF_BLOCKED_HOSTNAMES = 'localhost';
process.env.N8N_SSRF_ALLOWED_HOSTNAMES = 'localhost';
const protection = Container.get(SsrfProtectionConfig);
const { enabled: isEnabled } = protection;
protection.enabled = false;

/** How a file is answered; the bytes are those that it has. */
type FileAnswer = (response: ServerResponse, content: Buffer) => void;

let service: Service;
const state: { answer?: FileAnswer } = {};
let download: { resource: string; operation: string; version: string; documentId: object };
let content: Buffer;
let signed: typeof download & { options: object };

beforeAll(async () => {
	service = await startEmulator();
	service.intercept('GET *download', async ({ pass }) => {
		const { body } = await pass();
		return (response) => state.answer?.(response, body);
	});
	await useBinaryMode('default');
	content = Buffer.concat([
		await pdf('A large scan'),
		Buffer.from(`\n%${'x'.repeat(1_000_000)}\n`),
	]);
	const { items } = await runNode(
		credentialFor(service),
		{ resource: 'document', operation: 'create', title: 'Scan' },
		[await itemWith({ data: { content } })],
	);
	const documentId = byId(items[0]?.json.id);
	download = { resource: 'document', operation: 'download', version: 'original', documentId };
	signed = { ...download, version: 'signed', options: { allowUnfinished: true } };
});
afterAll(async () => {
	await service.close();
});

async function answered(answer: FileAnswer) {
	state.answer = answer;
	return await runNode(credentialFor(service), download);
}

/** All files that n8n keeps. */
async function storedFiles(): Promise<string[]> {
	const folder = join(process.env.N8N_USER_FOLDER ?? '', '.n8n');
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Sends the head and a part of the body, and breaks the connection off. */
const cutAt =
	(part: (length: number) => number, headers: (body: Buffer) => Record<string, string | number>) =>
	(response: Parameters<FileAnswer>[0], body: Buffer) => {
		response.writeHead(200, { 'content-type': 'application/pdf', ...headers(body) });
		response.flushHeaders();
		response.write(body.subarray(0, part(body.length)), () => response.destroy());
	};

const lengthOf = ({ length }: Buffer) => ({ 'content-length': length });
const chunked = () => ({ 'transfer-encoding': 'chunked' });
const places = {
	'at its beginning': () => 1,
	'in the middle': (length: number) => length / 2,
	'one byte before its end': (length: number) => length - 1,
};

const broken: Array<[string, FileAnswer]> = [
	...Object.entries(places).flatMap(([place, part]): Array<[string, FileAnswer]> => [
		[`breaks off ${place}`, cutAt(part, lengthOf)],
		[`comes in chunks and breaks off ${place}`, cutAt(part, chunked)],
		[
			`is compressed and breaks off ${place}`,
			(response, body) => {
				cutAt(part, () => ({ 'content-encoding': 'gzip' }))(response, gzipSync(body, { level: 0 }));
			},
		],
	]),
	[
		'breaks off before its first byte',
		(response) => {
			response.writeHead(200, { 'content-length': 1000 }).flushHeaders();
			setImmediate(() => response.destroy());
		},
	],
	[
		'ends before the length that it has announced',
		(response, body) => {
			response.writeHead(200, { 'content-length': body.length + 1, connection: 'close' });
			response.write(body, () => response.socket?.end());
		},
	],
];

const text =
	(type: string, body: string, status = 200): FileAnswer =>
	(response) =>
		response.writeHead(status, { 'content-type': type }).end(body);

const wrong: Array<[string, FileAnswer]> = [
	['is answered 204', (response) => response.writeHead(204).end()],
	['is empty', text('application/pdf', '')],
	['is JSON', text('application/json', '{"message":"Soon"}')],
	['is a page of a proxy’s', text('text/html', '<html>Sign in</html>')],
	['is a page that calls itself a PDF', text('application/pdf', '<html>Sign in</html>')],
];

describe.each<BinaryMode>(['default', 'filesystem', 's3', 'combined'])('in the mode %s', (mode) => {
	// A download that breaks off is tried several times.
	hurry(100);
	beforeAll(async () => await useBinaryMode(mode));
	afterAll(async () => await useBinaryMode('default'));

	test.each<[string, FileAnswer]>([
		['with a length', (response, body) => response.writeHead(200, lengthOf(body)).end(body)],
		['in chunks', (response, body) => response.writeHead(200, chunked()).end(body)],
		[
			'compressed',
			(response, body) =>
				response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body)),
		],
		[
			'without a length, up to the end of the connection',
			(response, body) => {
				response.useChunkedEncodingByDefault = false;
				response.writeHead(200, { connection: 'close' }).end(body);
			},
		],
	])('a file that comes %s comes out byte for byte', async (_, answer) => {
		const { items, error } = await answered(answer);
		expect(error).toBeUndefined();
		expect((await bytesOf(items[0])).equals(content)).toBe(true);
	});

	test.each(broken)('a file that %s is an error, and nothing of it is kept', async (_, answer) => {
		const before = await storedFiles();
		state.answer = answer;
		for (const parameters of [download, signed]) {
			const { items, error } = await runNode(credentialFor(service), parameters);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
			expect(error?.context?.itemIndex).toBe(0);
		}
		expect(await storedFiles()).toEqual(before);
	});

	const short = (length: number) => length - 40;
	test.each<[string, FileAnswer]>([
		[
			'without a length, as if that were all',
			(response, body) => {
				response.useChunkedEncodingByDefault = false;
				response.writeHead(200, { connection: 'close' }).end(body.subarray(0, short(body.length)));
			},
		],
		[
			'in chunks, as if that were all',
			(response, body) => response.writeHead(200).end(body.subarray(0, short(body.length))),
		],
	])('a signed file that is cut short %s, is an error', async (_, answer) => {
		state.answer = answer;
		const { items, error } = await runNode(credentialFor(service), signed);
		expect(items).toEqual([]);
		expect(error?.message).toContain('is cut short: its end is missing');
	});

	test('a file that breaks off once is downloaded again', async () => {
		const answers = [cutAt(places['in the middle'], lengthOf)];
		const { items, error } = await answered((response, body) => {
			const cut = answers.pop();
			if (cut) cut(response, body);
			else response.writeHead(200, lengthOf(body)).end(body);
		});
		expect(error).toBeUndefined();
		expect((await bytesOf(items[0])).equals(content)).toBe(true);
	});

	test.each(wrong)('a file that %s is an error', async (_, answer) => {
		const { items, error } = await answered(answer);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The downloaded Scan \(\w{8}\)\.pdf is not a PDF \[item 0]$/);
		expect(error?.description).toContain('whether a proxy or a login page stands in front');
	});

	test('an error instead of a file is read like any other', async () => {
		const body = JSON.stringify({ error: 'Something went wrong', code: 'EXPIRED_CODE' });
		const json = await answered(text('application/json', body, 400));
		expect(json.error).toMatchObject({ message: 'Something went wrong', httpCode: '400' });
		expect(json.error?.description).toContain('Create a new API token');
		const page = await answered(text('text/html', '<html>Not here</html>', 404));
		expect(page.error).toMatchObject({ httpCode: '404' });
		expect(page.error?.description).toContain('Check the base URL');
	});
});

describe.each([
	['without n8n’s protection', false],
	['with the host in N8N_SSRF_ALLOWED_HOSTNAMES', isEnabled],
])('%s', (_, enabled) => {
	beforeAll(() => {
		protection.enabled = enabled;
	});
	afterAll(() => {
		protection.enabled = false;
	});

	test('a redirect is followed to where the file lies, without the token', async () => {
		const seen: Array<string | undefined> = [];
		const { items } = await storedElsewhere((incoming, response) => {
			seen.push(incoming.headers.authorization);
			// Such a store may keep copies itself.
			response.setHeader('age', '7200').end(content);
		});
		expect((await bytesOf(items[0])).equals(content)).toBe(true);
		expect(seen).toEqual([undefined]);
	});
});

/** A run whose file lies in a store of its own. */
async function storedElsewhere(answer: RequestListener) {
	const store = createServer(answer);
	const location = `http://localhost:${await listen(store)}/signed?X-Amz-Signature=abc`;
	try {
		return await answered((response) => response.writeHead(302, { location }).end());
	} finally {
		close(store);
	}
}

test('a store that refuses a link is named, and not the credential', async () => {
	const body =
		'<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
	const { items, error } = await storedElsewhere((_, response) =>
		response.writeHead(403).end(body),
	);
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/^Documenso's file store at localhost:\d+ refused the download$/);
	expect(error?.description).toContain('The answer was 403: Request has expired.');
	expect(error?.description).not.toMatch(/credential|Amz/);
});

test('a store that asks to wait is asked again', async () => {
	let asked = 0;
	const { items } = await storedElsewhere((_, response) => {
		asked += 1;
		if (asked > 1) return response.end(content);
		return response.writeHead(429, { 'retry-after': '0' }).end();
	});
	expect((await bytesOf(items[0])).equals(content)).toBe(true);
	expect(asked).toBe(2);
});

test('the connection of a redirect is closed, however long its answer is', async () => {
	const closed: Array<Promise<unknown>> = [];
	const { items } = await answered((response, body) => {
		if (closed.length > 0) return response.end(body);
		closed.push(once(response, 'close'));
		response.writeHead(302, { location: response.req.url });
		return new Readable({
			read() {
				this.push(Buffer.alloc(16_384));
			},
		}).pipe(response);
	});
	expect((await bytesOf(items[0])).equals(content)).toBe(true);
	await Promise.all(closed);
});

describe('a file that a cache has kept', () => {
	hurry(30);

	/** An old copy, until a request says that no cache should answer it, if the cache heeds that. */
	const cached =
		(isHeeded: boolean, asked: unknown[] = []): FileAnswer =>
		(response, body) => {
			const { 'cache-control': wanted } = response.req.headers;
			asked.push(wanted);
			if (isHeeded && wanted === 'no-cache') return response.end(body);
			return response.setHeader('age', '7200').end('%PDF-1.7 before it was signed');
		};

	test('is asked for again, from Documenso', async () => {
		const asked: unknown[] = [];
		const { items } = await answered(cached(true, asked));
		expect((await bytesOf(items[0])).equals(content)).toBe(true);
		expect(asked).toEqual([undefined, 'no-cache']);
	});

	test('is not taken for the one that Documenso has now', async () => {
		const { items, error } = await answered(cached(false));
		expect(items).toEqual([]);
		expect(error?.message).toBe('A cache in front of Documenso gave an answer that is 7200 s old');
	});
});

/** How often the file was asked for, where each answer leads to this address, and the error. */
async function redirectedTo(location: string) {
	let asked = 0;
	const { items, error } = await answered((response) => {
		asked += 1;
		response.writeHead(302, { location }).end();
	});
	expect(items).toEqual([]);
	return { asked, error };
}

test('redirects in circles are followed once', async () => {
	const { asked, error } = await redirectedTo('/api/v2/envelope/item/x/download');
	expect(asked).toBe(22);
	expect(error?.message).toMatch(/^The request to .* was redirected more than 21 times$/);
	expect(error?.description).toContain('lead in circles');
});

describe('with N8N_SSRF_PROTECTION_ENABLED', () => {
	beforeAll(() => {
		protection.enabled = isEnabled;
	});
	afterAll(() => {
		protection.enabled = false;
	});

	test.each(['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://[::1]/'])(
		'a redirect to the private address %s is not followed',
		async (location) => {
			const { asked, error } = await redirectedTo(location);
			expect(asked).toBe(1);
			expect(error?.message).toMatch(/^n8n blocked the request to Documenso at .*, or a redirect/);
			expect(error?.description).toContain('N8N_SSRF_PROTECTION_ENABLED');
		},
	);
});

test('a title’s control and direction characters are not in the file’s name', async () => {
	const envelope = service.store.envelopes.get((download.documentId as { value: string }).value);
	if (!envelope) throw new Error('There is no document');
	const { title } = envelope;
	envelope.title = 'Lease\u202Efdp\r\n.pdf';
	const { items } = await answered((response, body) => response.end(body));
	envelope.title = title;
	const name = `Leasefdp${ending(envelope.id)}.pdf`;
	expect(items[0]?.json.fileName).toBe(name);
	expect(items[0]?.binary?.data?.fileName).toBe(name);
});
