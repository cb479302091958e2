import {
	call,
	createDocument,
	envelopeOf,
	openPage,
	pageAt,
	postToPage,
	sendDocument,
	signatureField,
	signer,
	statusOf,
	submit,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 300 });
const second = { ...signer, email: 'second@example.com', name: 'Second Signer' };
const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', label: 'City' } };

const choice = {
	...signatureField,
	type: 'DROPDOWN',
	fieldMeta: { type: 'dropdown', label: 'Size', values: [{ value: 'S' }, { value: 'L' }] },
};

const full = { ...signer, fields: [signatureField, text, choice] };

const post = async (token: string | undefined, body: object) =>
	await postToPage(service, token, body);

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

test('of a document of version 1, the page fills in what is there beforehand, and stores options', async () => {
	const values = [
		{ id: 1, value: 'S', checked: false },
		{ id: 2, value: 'L', checked: true },
	];
	const fields = [
		signatureField,
		{ ...text, fieldMeta: { type: 'text', text: 'Oslo', readOnly: true } },
		{ ...signatureField, type: 'RADIO', fieldMeta: { type: 'radio', values } },
		{ ...signatureField, type: 'CHECKBOX', fieldMeta: { type: 'checkbox', values } },
		{ ...choice, fieldMeta: { ...choice.fieldMeta, defaultValue: 'L' } },
	];
	const id = await createDocument(service, { recipients: [{ ...signer, fields }] });
	const envelope = envelopeOf(service, id);
	envelope.internalVersion = 1;
	await call(service, 'POST /envelope/distribute', { envelopeId: id });
	expect(envelope.fields.map(({ inserted }) => inserted)).toEqual(fields.map(() => false));
	await service.sign(envelope.recipients[0]?.token ?? '');
	expect(envelope.fields.map(({ customText }) => customText)).toEqual([
		...['', 'Oslo', 'L', '["L"]', 'L'],
	]);
	await service.settled();
	expect(envelope.status).toBe('COMPLETED');
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

test.each([
	[{ action: 'sign' }, 'for signing'],
	[{ action: 'reject', reason: 'Too dear' }, 'to reject'],
])('a draft has to be sent before anybody can %j', async (action, what) => {
	const draft = envelopeOf(service, await createDocument(service));
	const refused = await post(draft.recipients[0]?.token, action);
	expect([refused.status, await refused.json()]).toEqual([
		400,
		{ code: 'INVALID_REQUEST', error: `Document ${draft.id} must be pending ${what}` },
	]);
	const template = envelopeOf(service, await createDocument(service, { type: 'TEMPLATE' }));
	expect((await post(template.recipients[0]?.token, action)).status).toBe(404);
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
		expect(await openPage(service, visited)).toEqual([302, `/sign/${visited}/${place}`]);
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
		expect(await openPage(service, tokens[0])).toEqual([200, null]);
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

describe('a value that the signer gives', () => {
	const service = useEmulator({ sealDelayMs: 1 });

	type Value = string | number | boolean | null | ReadonlyArray<string | number>;

	type Setting = Record<string, unknown>;

	const boxes = (...texts: string[]): Setting => ({
		values: texts.map((value, index) => ({ id: index + 1, checked: false, value })),
	});

	const options = (...texts: string[]): Setting => ({ values: texts.map((value) => ({ value })) });

	const rule = (validationRule: string, validationLength?: number): Setting => ({
		...boxes('A', 'B', 'C'),
		...{ validationRule, validationLength },
	});

	/** Sends a document with a signature and that field, whose signer types the value. */
	async function typed(type: string, settings: Setting, value: Value) {
		const field = { ...signatureField, type, fieldMeta: { type: type.toLowerCase(), ...settings } };
		const fields = type === 'SIGNATURE' ? [field] : [signatureField, field];
		const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		const envelope = service.store.envelopes.get(id);
		const stored = envelope?.fields.at(-1);
		const values = { [stored?.id ?? 0]: value };
		const response = await postToPage(service, tokens[0], { action: 'sign', fields: values });
		const { error } = (await response.json()) as { error?: string };
		return {
			error,
			customText: stored?.customText,
			isInserted: stored?.inserted,
			status: envelope?.recipients[0]?.signingStatus,
		};
	}

	describe('stores and signs', () => {
		const accepted: Array<[type: string, settings: Setting, value: Value, stored?: string]> = [
			['TEXT', { characterLimit: 5 }, '12345'],
			['TEXT', { characterLimit: 0 }, '123456'],
			['TEXT', { required: true }, ' '],
			['TEXT', {}, ''],
			['TEXT', { text: 'preset' }, 'changed'],
			['NUMBER', { minValue: 10 }, '10'],
			['NUMBER', { maxValue: 10 }, '10'],
			['NUMBER', {}, ' 5 '],
			['NUMBER', {}, '1,2.3,4'],
			['NUMBER', { minValue: 3, maxValue: 8 }, '.'],
			['NUMBER', { value: '5' }, '6'],
			['NUMBER', { numberFormat: '123,456,789.00' }, '1,234.50'],
			['NUMBER', { numberFormat: '123,456,789.00' }, '1234.5'],
			['NUMBER', { numberFormat: '123.456.789,00' }, '1.234,50'],
			['NUMBER', { numberFormat: '123456,789.00' }, '1234,567.00'],
			['RADIO', boxes('A', 'B'), 1, '1'],
			['RADIO', boxes('A', 'B'), 'B', '1'],
			['CHECKBOX', rule('Select exactly', 2), [0, 2], '[0,2]'],
			['CHECKBOX', rule('Select at least', 2), ['A', 'B', 'C'], '[0,1,2]'],
			['CHECKBOX', rule('Select at most', 2), ['C'], '[2]'],
			['CHECKBOX', rule('Select exactly'), [0, 1], '[0,1]'],
			['CHECKBOX', boxes('A', 'B'), [0, 0], '[0,0]'],
			['DROPDOWN', options('S', 'L'), 'L'],
			['DROPDOWN', options('S', 'L'), ''],
			['NAME', {}, 'Ann'],
			['INITIALS', {}, 'AB'],
			['EMAIL', {}, 'a@b'],
			['SIGNATURE', {}, 'Ann', ''],
		];
		test.each(accepted)('%s %j: %j', async (type, settings, value, stored = String(value)) => {
			const signed = { error: undefined, customText: stored, isInserted: true, status: 'SIGNED' };
			expect(await typed(type, settings, value)).toEqual(signed);
		});
	});

	describe('leaves an optional field empty, and signs', () => {
		const empty: Array<[type: string, settings: Setting, value: Value]> = [
			['TEXT', {}, null],
			['NUMBER', {}, ''],
			['RADIO', boxes('A', 'B'), null],
			['CHECKBOX', rule('Select at most', 2), []],
			['CHECKBOX', rule('Select at least', 2), []],
			['DROPDOWN', options('S', 'L'), null],
		];
		test.each(empty)('%s %j: %j', async (type, settings, value) => {
			const signed = { error: undefined, customText: '', isInserted: false, status: 'SIGNED' };
			expect(await typed(type, settings, value)).toEqual(signed);
		});
	});

	describe('refuses', () => {
		const refused: Array<[type: string, settings: Setting, value: Value, error: string]> = [
			['TEXT', { characterLimit: 5 }, '123456', 'Invalid email'],
			['TEXT', { characterLimit: 2 }, '😀x', 'Invalid email'],
			['TEXT', { required: true }, '', 'Invalid email'],
			['NUMBER', { minValue: 10 }, '9', 'Invalid number'],
			['NUMBER', { maxValue: 10 }, '11', 'Invalid number'],
			['NUMBER', { minValue: -5 }, '-4', 'Invalid number'],
			['NUMBER', { minValue: 10, maxValue: 5 }, '7', 'Invalid number'],
			['NUMBER', {}, 'abc', 'Invalid number'],
			['NUMBER', {}, '1e5', 'Invalid number'],
			['NUMBER', {}, '1 000', 'Invalid number'],
			['NUMBER', { numberFormat: '123,456,789.00' }, '1.234,50', 'Invalid number'],
			['NUMBER', { numberFormat: '123,456,789.00' }, '1234.567', 'Invalid number'],
			['NUMBER', { numberFormat: '123.456.789,00' }, '1,234.50', 'Invalid number'],
			['NUMBER', { numberFormat: '123.456.789,00', minValue: 100 }, '1.250,00', 'Invalid number'],
			['NUMBER', { numberFormat: '123456,789.00' }, '1234.50', 'Invalid number'],
			['NUMBER', { numberFormat: 'unknown' }, '1', 'Invalid number'],
			['RADIO', boxes('A', 'B'), 2, 'Invalid radio value'],
			['RADIO', boxes('A', 'B'), 'C', 'Invalid radio value'],
			['CHECKBOX', boxes('A', 'B'), [2], 'Invalid checkbox values'],
			['CHECKBOX', boxes('A', 'B'), ['C'], 'Invalid checkbox values'],
			['CHECKBOX', rule('Select exactly', 2), [0], 'Checkbox values failed length validation'],
			['CHECKBOX', rule('Select at least', 2), [0], 'Checkbox values failed length validation'],
			['CHECKBOX', rule('Select at most', 1), [0, 1], 'Checkbox values failed length validation'],
			['DROPDOWN', options('S', 'L'), 'XL', 'Invalid dropdown value'],
			['DROPDOWN', options('S', 'S'), 'S', 'Invalid dropdown value'],
			['DROPDOWN', { ...options('S'), defaultValue: 'Z' }, 'S', 'Invalid dropdown value'],
			['DROPDOWN', options('', 'S'), 'S', 'Invalid dropdown value'],
			['DROPDOWN', { ...options('S'), required: true }, '', 'Invalid dropdown value'],
			['NAME', {}, '', 'Value is required'],
			['INITIALS', {}, '', 'Value is required'],
			['NAME', {}, 'a\0b', 'Invalid text'],
			['TEXT', {}, 'a\ud800b', 'Invalid text'],
		];
		test.each(refused)('%s %j: %j (%s)', async (type, settings, value, error) => {
			const open = { error, customText: '', isInserted: false, status: 'NOT_SIGNED' };
			expect(await typed(type, settings, value)).toEqual(open);
		});

		const missing: Array<[type: string, settings: Setting, value: Value]> = [
			['TEXT', { required: true }, null],
			['NUMBER', { required: true }, ''],
			['RADIO', { ...boxes('A', 'B'), required: true }, null],
			['CHECKBOX', { ...boxes('A', 'B'), required: true }, []],
			['DROPDOWN', { ...options('S'), required: true }, null],
			['NAME', {}, null],
			['EMAIL', {}, null],
			['SIGNATURE', {}, ''],
			['SIGNATURE', {}, null],
		];
		test.each(missing)('a required %s %j without a value: %j', async (type, settings, value) => {
			expect(await typed(type, settings, value)).toEqual({
				error: expect.stringMatching(/^Recipient \d+ has unsigned fields$/) as string,
				customText: '',
				isInserted: false,
				status: 'NOT_SIGNED',
			});
		});

		test('an address that is none, and the one from before stays', async () => {
			expect(await typed('EMAIL', {}, 'no')).toMatchObject({
				...{ error: 'Invalid email', customText: signer.email, isInserted: true },
			});
		});

		test('any value of a field that is read only', async () => {
			const answer = await typed('TEXT', { text: 'set', readOnly: true }, 'set');
			expect(answer).toMatchObject({
				error: expect.stringMatching(/^Field \d+ is read only$/) as string,
				...{ customText: 'set', status: 'NOT_SIGNED' },
			});
		});

		test('a typed signature where signatures must be drawn', async () => {
			const { id, tokens } = await sendDocument(service, {
				meta: { typedSignatureEnabled: false },
			});
			const label = { signature: 'Sally' };
			await expect(service.sign(String(tokens[0]), { fields: label })).rejects.toThrow(
				'Typed signatures are not allowed. Please draw your signature',
			);
			await service.sign(String(tokens[0]));
			await service.settled();
			expect(service.store.envelopes.get(id)?.status).toBe('COMPLETED');
		});
	});

	test.each([true, false, '1999-12-31', null])(
		'a date is that of the signing, whatever the signer gives: %j',
		async (value) => {
			const { customText, status } = await typed('DATE', {}, value);
			const today = new Date().toISOString().slice(0, 10);
			expect([customText?.slice(0, 10), status]).toEqual([today, 'SIGNED']);
		},
	);

	describe('a date in the time zone', () => {
		const now = new Date('2026-03-04T22:05:06.007Z');
		const service = useEmulator({ clock: () => now });

		test.each([
			['Europe/Berlin', '2026-03-04T23:05:06.007XXX'],
			['utc', '2026-03-04T22:05:06.007XXX'],
			['UTC+3', '2026-03-05T01:05:06.007XXX'],
			['UTC-04:30', '2026-03-04T17:35:06.007XXX'],
			['UTC-0:30', '2026-03-04T21:35:06.007XXX'],
			['UTC+99:99', '2026-03-09T02:44:06.007XXX'],
			['+0200', '2026-03-05T00:05:06.007XXX'],
			['-04:30', '2026-03-04T17:35:06.007XXX'],
			['+25:00', 'Invalid DateTime'],
			['GMT+3', 'Invalid DateTime'],
			['Z', 'Invalid DateTime'],
			['Mars/Base', 'Invalid DateTime'],
			[' Europe/Berlin ', 'Invalid DateTime'],
		])('%s is %s', async (timezone, stored) => {
			const fields = [signatureField, { ...signatureField, type: 'DATE' }];
			const meta = { timezone, dateFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" };
			const { id, tokens } = await sendDocument(service, {
				recipients: [{ ...signer, fields }],
				meta,
			});
			await service.sign(String(tokens[0]));
			expect(service.store.envelopes.get(id)?.fields[1]?.customText).toBe(stored);
		});
	});

	test('a field that is read only and required, but empty, can never be signed', async () => {
		const settings = { type: 'text', readOnly: true, required: true };
		const fields = [signatureField, { ...signatureField, type: 'TEXT', fieldMeta: settings }];
		const { tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		await expect(service.sign(String(tokens[0]))).rejects.toThrow('has unsigned fields');
	});
});

describe('a page', () => {
	const service = useEmulator();
	const form = { action: 'sign' };

	describe('the page after signing', () => {
		test('names who is still to sign, with their signing page, and leads back to the document', async () => {
			const { id, tokens } = await sendDocument(service, { recipients: [signer, second] });
			const { page } = await submit(service, `/sign/${tokens[0]}`, form);
			expect(page).toContain('Still waiting for:');
			expect(page).toContain('Second Signer');
			expect(page).not.toContain('Sally Signer');
			expect(page).toContain(`href="${service.url}/sign/${tokens[1]}"`);
			expect(page).toContain(`href="${service.url}/#${id}"`);
		});

		test('says when everyone has signed', async () => {
			const { tokens } = await sendDocument(service, { recipients: [signer, second] });
			await submit(service, `/sign/${tokens[0]}`, form);
			const { page } = await submit(service, `/sign/${tokens[1]}`, form);
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
			const { page } = await submit(service, `/sign/${tokens[0]}`, form);
			expect(page).toContain(`/sign/${tokens[1]}"`);
			expect(page).toContain('Third');
			expect(page).not.toContain(`/sign/${tokens[2]}"`);
		});

		test('says that a rejected document ends, and waits for nobody', async () => {
			const { tokens } = await sendDocument(service, { recipients: [signer, second] });
			const { page } = await submit(service, `/sign/${tokens[0]}`, {
				action: 'reject',
				reason: 'Too dear',
			});
			expect(page).toContain('Contract ends here');
			expect(page).not.toContain('Still waiting for');
		});

		test('shows names as text, never as markup', async () => {
			const name = '<img src=x onerror=alert(1)>';
			const recipients = [signer, { ...second, name }];
			const { tokens } = await sendDocument(service, { recipients, title: '<b>Contract</b>' });
			const { page } = await submit(service, `/sign/${tokens[0]}`, form);
			expect(page).toContain('&lt;img src=x');
			expect(page).not.toContain('<img');
			expect(page).not.toContain('<b>');
		});
	});

	test('who has signed already is led back to the list of documents', async () => {
		const { tokens } = await sendDocument(service, { recipients: [signer, second] });
		await submit(service, `/sign/${tokens[0]}`, form);
		const page = await pageAt(service, `/sign/${tokens[0]}`);
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
});
