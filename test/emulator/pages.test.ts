import { startEmulator, type Emulator } from '../../emulator';
import { sendDocument, signer } from './api';
import { useReceiver } from './receiver';

const receiver = useReceiver();
let service: Emulator;

const second = { ...signer, email: 'second@example.com', name: 'Second Signer' };
const form = { action: 'sign' };

beforeAll(async () => void (service = await startEmulator({ seed: 'empty' })));
beforeEach(async () => await service.reset());
afterAll(async () => await service.close());

async function submit(path: string, fields: Array<[string, string]> | Record<string, string>) {
	const response = await fetch(service.url + path, {
		method: 'POST',
		body: new URLSearchParams(fields),
		redirect: 'manual',
	});
	const { status, headers } = response;
	return { status, location: headers.get('location'), page: await response.text() };
}

async function read(path: string): Promise<string> {
	return await (await fetch(service.url + path)).text();
}

describe('the page after signing', () => {
	test('names who is still to sign, with their signing page, and leads back to the document', async () => {
		const { id, tokens } = await sendDocument(service, { recipients: [signer, second] });
		const { page } = await submit(`/sign/${tokens[0]}`, form);
		expect(page).toContain('Still waiting for:');
		expect(page).toContain('Second Signer');
		expect(page).not.toContain('Sally Signer');
		expect(page).toContain(`href="${service.url}/sign/${tokens[1]}"`);
		expect(page).toContain(`href="${service.url}/#${id}"`);
	});

	test('says when everyone has signed', async () => {
		const { tokens } = await sendDocument(service, { recipients: [signer, second] });
		await submit(`/sign/${tokens[0]}`, form);
		const { page } = await submit(`/sign/${tokens[1]}`, form);
		expect(page).toContain('Everyone has signed Contract.');
		expect(page).not.toContain('Still waiting for');
	});

	test('links only to those whose turn it is', async () => {
		const third = { ...signer, email: 'third@example.com', name: 'Third' };
		const recipients = [signer, second, third].map((one, place) => ({
			...one,
			signingOrder: place + 1,
		}));
		const { tokens } = await sendDocument(service, {
			recipients,
			meta: { signingOrder: 'SEQUENTIAL' },
		});
		const { page } = await submit(`/sign/${tokens[0]}`, form);
		expect(page).toContain(`/sign/${tokens[1]}"`);
		expect(page).toContain('Third');
		expect(page).not.toContain(`/sign/${tokens[2]}"`);
	});

	test('says that a rejected document ends, and waits for nobody', async () => {
		const { tokens } = await sendDocument(service, { recipients: [signer, second] });
		const { page } = await submit(`/sign/${tokens[0]}`, { action: 'reject', reason: 'Too dear' });
		expect(page).toContain('Contract ends here');
		expect(page).not.toContain('Still waiting for');
	});

	test('shows names as text, never as markup', async () => {
		const name = '<img src=x onerror=alert(1)>';
		const recipients = [signer, { ...second, name }];
		const { tokens } = await sendDocument(service, { recipients, title: '<b>Contract</b>' });
		const { page } = await submit(`/sign/${tokens[0]}`, form);
		expect(page).toContain('&lt;img src=x');
		expect(page).not.toContain('<img');
		expect(page).not.toContain('<b>');
	});
});

test('who has signed already is led back to the list of documents', async () => {
	const { tokens } = await sendDocument(service, { recipients: [signer, second] });
	await submit(`/sign/${tokens[0]}`, form);
	const page = await read(`/sign/${tokens[0]}`);
	expect(page).toContain('You have already signed this document');
	expect(page).toContain(`href="${service.url}/"`);
});

test('PDFs opened from the pages are named after their document', async () => {
	const { id, tokens } = await sendDocument(service, { title: 'Contract 7, Ana Núñez' });
	await service.sign(String(tokens[0]));
	await service.settled();
	const itemId = service.store.envelopes.get(id)?.items[0]?.id;
	const nameOf = async (path: string) =>
		(await fetch(service.url + path)).headers.get('content-disposition');
	expect(await nameOf(`/sign/${tokens[0]}/files/${itemId}`)).toBe(
		'inline; filename="Contract 7, Ana Núñez.pdf"',
	);
	expect(await nameOf(`/__emulator/files/${itemId}?version=signed`)).toBe(
		'inline; filename="Contract 7, Ana Núñez (signed).pdf"',
	);
});

describe('the webhooks page', () => {
	const path = '/t/demo/settings/webhooks';
	const chosen: Array<[string, string]> = [
		['events', 'DOCUMENT_SENT'],
		['events', 'DOCUMENT_COMPLETED'],
	];

	async function register(url: string, secret = ''): Promise<string> {
		const { status, location } = await submit(path, [['url', url], ['secret', secret], ...chosen]);
		expect([status, location]).toEqual([303, path]);
		return await read(path);
	}

	test('is linked from the list of documents', async () => {
		expect(await read('/')).toContain(`href="${service.url}${path}"`);
		expect(await read(path)).toContain('No webhooks yet.');
	});

	test('registers a webhook, which gets the chosen events with its secret', async () => {
		const page = await register(receiver.url, 'from the form');
		expect(page).toContain(receiver.url);
		expect(page).toContain('document.sent, document.completed');
		// Nor is the secret shown again.
		expect(page).not.toContain('from the form');

		await sendDocument(service);
		await service.settled();
		expect(receiver.received.map(({ body }) => body.event)).toEqual(['DOCUMENT_SENT']);
		expect(receiver.received[0]?.headers['x-documenso-secret']).toBe('from the form');
	});

	test('deletes the webhook whose button was clicked, and no other', async () => {
		await register('http://127.0.0.1:9/first');
		const page = await register('http://127.0.0.1:9/second');
		const [action = ''] = /(?<=action=")[^"]*\/delete(?=")/.exec(page) ?? [];
		expect(await submit(action, {})).toMatchObject({ status: 303 });
		expect(service.webhooks.list().map(({ url }) => url)).toEqual(['http://127.0.0.1:9/second']);
		expect(await submit(action, {})).toMatchObject({ status: 404 });
	});

	test.each<[string, Array<[string, string]>, string]>([
		['no URL', [...chosen], 'Enter the whole URL'],
		['a URL that is no web address', [['url', 'javascript:alert(1)'], ...chosen], 'Enter a URL'],
		['no event', [['url', 'http://127.0.0.1:9/']], 'Choose at least one event'],
		[
			'an unknown event',
			[
				['url', 'http://127.0.0.1:9/'],
				['events', 'NONE'],
			],
			'NONE',
		],
	])('refuses %s, with the reason', async (_what, fields, reason) => {
		const { status, page } = await submit(path, fields);
		expect(status).toBe(400);
		expect(page).toContain(reason);
		expect(service.webhooks.list()).toEqual([]);
	});

	test('keeps what was entered in a refused form, as text', async () => {
		const { page } = await submit(path, [
			['url', '"><script>alert(1)</script>'],
			['secret', '"><img src=x>'],
			['events', 'DOCUMENT_SENT'],
		]);
		expect(page).toContain('value="&quot;&gt;&lt;script&gt;');
		expect(page).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
		expect(page).toMatch(/value="DOCUMENT_SENT"\s+checked/);
		expect(page).not.toContain('<script>');
		expect(page).not.toContain('<img');
	});

	test('shows registered URLs as text, and any name of a team', async () => {
		service.webhooks.add({ url: 'http://127.0.0.1:9/"><img src=x>' });
		const page = await read('/t/%22%3E%3Cimg%3E/settings/webhooks');
		expect(page).toContain('all events');
		expect(page).not.toContain('<img');
	});
});
