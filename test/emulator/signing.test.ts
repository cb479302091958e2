import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument, signatureField, signer, statusOf } from './api';

let service: Emulator;

const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', label: 'City' } };
const choice = {
	...signatureField,
	type: 'DROPDOWN',
	fieldMeta: { type: 'dropdown', label: 'Size', values: [{ value: 'S' }, { value: 'L' }] },
};
const full = { ...signer, fields: [signatureField, text, choice] };
const second = { ...signer, email: 'second@example.com', name: 'Second' };

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 300 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(token: string | undefined, body: object | URLSearchParams): Promise<Response> {
	const isForm = body instanceof URLSearchParams;
	return await fetch(`${service.url}/sign/${token}`, {
		method: 'POST',
		headers: isForm ? {} : { 'content-type': 'application/json' },
		body: isForm ? body : JSON.stringify(body),
	});
}

test('without values, every field gets one that its rules allow', async () => {
	const { id, tokens } = await sendDocument(service, { recipients: [full] });
	expect((await post(tokens[0], { action: 'sign' })).status).toBe(200);
	expect(service.store.envelopes.get(id)?.fields).toMatchObject([
		{ inserted: true, customText: '', signature: 'Sally Signer' },
		{ inserted: true, customText: 'City' },
		{ inserted: true, customText: 'S' },
	]);
});

test('with values, the signer types only those', async () => {
	const { id, tokens } = await sendDocument(service, { recipients: [full] });
	const response = await post(tokens[0], { action: 'sign', fields: { City: 'Oslo' } });
	expect(response.status).toBe(200);
	expect(service.store.envelopes.get(id)?.fields).toMatchObject([
		{ inserted: true, signature: 'Sally Signer' },
		{ inserted: true, customText: 'Oslo' },
		{ inserted: false, customText: '' },
	]);
});

test('the document stays pending until it is sealed', async () => {
	const { id, tokens } = await sendDocument(service);
	await service.sign(String(tokens[0]));
	expect(await statusOf(service, id)).toBe('PENDING');
	await service.settled();
	expect(await statusOf(service, id)).toBe('COMPLETED');
});

test('a refused value signs nothing, but the fields before it stay filled in', async () => {
	const { id, tokens } = await sendDocument(service, { recipients: [full] });
	const values = { City: 'Oslo', Size: 'XXL' };
	expect((await post(tokens[0], { action: 'sign', fields: values })).status).toBe(400);
	const envelope = service.store.envelopes.get(id);
	expect(envelope?.recipients[0]?.signingStatus).toBe('NOT_SIGNED');
	expect(envelope?.fields.map(({ inserted }) => inserted)).toEqual([true, true, false]);
	expect((await post(tokens[0], { action: 'sign', fields: { City: null } })).status).toBe(200);
	expect(envelope?.fields[1]).toMatchObject({ inserted: false, customText: '' });
});

test('a form with empty inputs leaves those fields empty, and an unticked box unticked', async () => {
	const box = {
		type: 'checkbox',
		values: [{ id: 1, checked: false, value: 'Yes' }],
		required: true,
	};
	const fields = [signatureField, text, { ...signatureField, type: 'CHECKBOX', fieldMeta: box }];
	const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
	const [, city, yes] = service.store.envelopes.get(id)?.fields ?? [];
	const answers = { action: 'sign', [`field-${city?.id}`]: '' };
	expect((await post(tokens[0], new URLSearchParams(answers))).status).toBe(400);
	const ticked = { ...answers, [`choice-${yes?.id}`]: 'Yes' };
	expect((await post(tokens[0], new URLSearchParams(ticked))).status).toBe(200);
	expect([city?.inserted, yes?.customText]).toEqual([false, '[0]']);
});

test('who was invited without a name has the one that they filled in', async () => {
	const fields = [signatureField, { ...signatureField, type: 'NAME' }];
	const { id, tokens } = await sendDocument(service, {
		recipients: [{ ...signer, name: '', fields }],
	});
	await service.sign(String(tokens[0]), { fields: { name: 'Ann Other' } });
	expect(service.store.envelopes.get(id)?.recipients[0]?.name).toBe('Ann Other');
});

test('who was invited without an address can sign only with an email field', async () => {
	const { tokens } = await sendDocument(service, { recipients: [{ ...signer, email: '' }] });
	await expect(service.sign(String(tokens[0]))).rejects.toThrow('Recipient email is required');
});

test('rejecting needs a reason, and ends the document', async () => {
	const { id, tokens } = await sendDocument(service, { recipients: [signer, second] });
	expect((await post(tokens[0], { action: 'reject' })).status).toBe(400);
	expect((await post(tokens[0], { action: 'reject', reason: 'Too dear' })).status).toBe(200);
	await service.settled();
	expect(await statusOf(service, id)).toBe('REJECTED');
	expect((await post(tokens[1], { action: 'sign' })).status).toBe(400);
});

test('who has signed, or whose link has expired, cannot sign', async () => {
	const { id, tokens } = await sendDocument(service, { recipients: [signer, second] });
	await service.sign(String(tokens[0]));
	const again = await post(tokens[0], { action: 'sign' });
	expect(await again.json()).toMatchObject({ code: 'RECIPIENT_ALREADY_SIGNED' });
	service.expire(service.store.envelopes.get(id)?.recipients[1]?.id ?? 0);
	const late = await post(tokens[1], { action: 'sign' });
	expect([late.status, await late.json()]).toMatchObject([400, { code: 'RECIPIENT_EXPIRED' }]);
});

test('in a sequence only the next one may sign', async () => {
	const { id, tokens } = await sendDocument(service, {
		recipients: [
			{ ...second, signingOrder: 2 },
			{ ...signer, signingOrder: 1 },
		],
		meta: { signingOrder: 'SEQUENTIAL' },
	});
	const sendStatuses = (): unknown[] =>
		service.store.envelopes.get(id)?.recipients.map(({ sendStatus }) => sendStatus) ?? [];
	expect(sendStatuses()).toEqual(['NOT_SENT', 'SENT']);
	const early = await post(tokens[0], { action: 'sign' });
	expect(await early.json()).toMatchObject({ code: 'RECIPIENT_OUT_OF_TURN' });
	await service.sign(String(tokens[1]));
	expect(sendStatuses()).toEqual(['SENT', 'SENT']);
	await service.sign(String(tokens[0]));
});

describe('the signing page leads elsewhere', () => {
	const eventsOf = (id: string): string[] =>
		(service.store.envelopes.get(id)?.auditLog ?? []).map(({ type }) => type);

	async function opened(token: string | undefined) {
		const { status, headers } = await fetch(`${service.url}/sign/${token}`, { redirect: 'manual' });
		return [status, headers.get('location')];
	}

	test.each([
		['before its turn', 'waiting'],
		['after signing', 'complete'],
		['after rejecting', 'rejected'],
		['after the deadline', 'expired'],
	])('%s: to %s, without an entry or event', async (_, place) => {
		const first = { ...signer, signingOrder: 1 };
		const { id, tokens } = await sendDocument(service, {
			recipients: [first, { ...second, signingOrder: 2 }],
			meta: { signingOrder: 'SEQUENTIAL' },
		});
		const [token = '', later] = tokens;
		if (place === 'complete') await service.sign(token);
		if (place === 'rejected') await service.reject(token, 'No');
		if (place === 'expired') {
			service.expire(service.store.envelopes.get(id)?.recipients[0]?.id ?? 0);
		}
		const entries = eventsOf(id);
		const visited = place === 'waiting' ? later : token;
		expect(await opened(visited)).toEqual([302, `/sign/${visited}/${place}`]);
		expect((await fetch(`${service.url}/sign/${visited}`)).status).toBe(200);
		expect(eventsOf(id)).toEqual(entries);
		const visitor = service.store.findByToken(visited ?? '')?.recipient;
		expect(visitor?.readStatus).toBe('NOT_OPENED');
	});

	test('and back, once the recipient can sign', async () => {
		const { tokens } = await sendDocument(service);
		const answer = await fetch(`${service.url}/sign/${tokens[0]}/waiting`, { redirect: 'manual' });
		expect(answer.headers.get('location')).toBe(`${service.url}/sign/${tokens[0]}`);
	});

	test('but opens for a cancelled document, which is an event', async () => {
		const { id, tokens } = await sendDocument(service);
		await call(service, 'POST /envelope/cancel', { envelopeId: id });
		expect(await opened(tokens[0])).toEqual([200, null]);
		expect(eventsOf(id).slice(-2)).toEqual(['DOCUMENT_VIEWED', 'DOCUMENT_OPENED']);
		const page = await (await fetch(`${service.url}/sign/${tokens[0]}`)).text();
		expect(page).toContain('This document has been cancelled');
		expect((await post(tokens[0], { action: 'sign' })).status).toBe(400);
	});
});

describe('a document stays pending for ever', () => {
	const copy = { email: 'copy@example.com', name: 'Copy', role: 'CC' };

	test.each([
		['SIGNATURE', {}, 'PENDING'],
		['TEXT', { required: true }, 'PENDING'],
		['TEXT', {}, 'COMPLETED'],
	])('with a required field of a CC: %s %j leaves it %s', async (type, settings, status) => {
		const fieldMeta = { type: type.toLowerCase(), ...settings };
		const fields = [{ ...signatureField, type, fieldMeta }];
		const { id, tokens } = await sendDocument(service, {
			recipients: [signer, { ...copy, fields }],
		});
		await service.sign(String(tokens[0]));
		await service.settled();
		expect(await statusOf(service, id)).toBe(status);
	});

	test('with somebody who was added before it was sealed', async () => {
		const { id, tokens } = await sendDocument(service);
		await service.sign(String(tokens[0]));
		const data = [{ email: 'late@example.com', name: 'Late', role: 'SIGNER' }];
		await call(service, 'POST /envelope/recipient/create-many', { envelopeId: id, data });
		await service.settled();
		expect(await statusOf(service, id)).toBe('PENDING');
	});
});

describe('the page', () => {
	test('opens the document, shows its inputs and takes their form', async () => {
		const { id, tokens } = await sendDocument(service, { recipients: [full] });
		const page = await (await fetch(`${service.url}/sign/${tokens[0]}`)).text();
		const envelope = service.store.envelopes.get(id);
		expect(envelope?.recipients[0]?.readStatus).toBe('OPENED');
		const [signature, city, size] = envelope?.fields ?? [];
		expect(page).toContain(`name="field-${city?.id}"`);
		expect(page).toContain('<option>L</option>');
		const answers = new URLSearchParams({
			[`field-${signature?.id}`]: 'S. Signer',
			[`field-${city?.id}`]: 'Lima',
			[`field-${size?.id}`]: 'L',
			action: 'sign',
		});
		const done = await post(tokens[0], answers);
		expect(await done.text()).toContain('Thank you');
		expect([signature?.signature, city?.customText, size?.customText]).toEqual([
			'S. Signer',
			'Lima',
			'L',
		]);
	});

	test('shows titles and names as text, never as markup', async () => {
		const name = '"><img src=x onerror=alert(1)>';
		const { tokens } = await sendDocument(service, {
			title: '<script>alert(1)</script>',
			recipients: [{ ...signer, name }],
		});
		for (const path of [`/sign/${tokens[0]}`, '/']) {
			const page = await (await fetch(service.url + path)).text();
			expect(page).toContain('&lt;script&gt;alert(1)');
			expect(page).not.toContain('<script>alert');
			expect(page).not.toContain('<img');
		}
	});

	test('serves the files, with the places to fill in', async () => {
		const { id, tokens } = await sendDocument(service);
		const itemId = service.store.envelopes.get(id)?.items[0]?.id;
		const file = await fetch(`${service.url}/sign/${tokens[0]}/files/${itemId}`);
		expect(file.headers.get('content-type')).toBe('application/pdf');
		expect((await file.text()).slice(0, 5)).toBe('%PDF-');
	});

	test('does not exist for drafts and unknown tokens', async () => {
		const id = await createDocument(service);
		const token = service.store.envelopes.get(id)?.recipients[0]?.token;
		for (const path of [`/sign/${token}`, '/sign/unknown']) {
			expect((await fetch(service.url + path)).status).toBe(404);
		}
	});
});

test("a document's own page is in the list of documents, and is missing for no document", async () => {
	const id = await createDocument(service);
	const page = await fetch(`${service.url}/t/demo/documents/${id}`, { redirect: 'manual' });
	expect(page.headers.get('location')).toBe(`${service.url}/#${id}`);
	expect(await (await fetch(`${service.url}/`)).text()).toContain(`id="${id}"`);
	expect((await fetch(`${service.url}/t/demo/documents/envelope_none`)).status).toBe(404);
});
