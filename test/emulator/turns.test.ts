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
	submit,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 1 });

const limited = { type: 'text', label: 'City', required: true, characterLimit: 4 };
const fields = [
	signatureField,
	{ ...signatureField, type: 'TEXT', fieldMeta: limited },
	{ ...signatureField, type: 'NAME' },
];
const later = { ...signer, fields, signingOrder: 2 };
const assistant = {
	email: 'assistant@example.com',
	name: 'Ada Assistant',
	role: 'ASSISTANT',
	signingOrder: 1,
};

describe('an assistant', () => {
	async function assisted(recipients: readonly object[], order = 'SEQUENTIAL') {
		const meta = { signingOrder: order };
		const { id, tokens } = await sendDocument(service, { recipients, meta });
		const envelope = envelopeOf(service, id);
		const fieldId = (type: string): string =>
			String(envelope.fields.find((field) => field.type === type)?.id);
		return { envelope, token: String(tokens[0]), tokens, fieldId };
	}

	test('fills in fields of those who sign later, who then have only the rest to do', async () => {
		const { envelope, token, tokens, fieldId } = await assisted([assistant, later]);
		await service.sign(token, { fields: { [fieldId('TEXT')]: 'Oslo' } });
		expect(envelope.fields.map(({ customText }) => customText)).toEqual(['', 'Oslo', '']);
		const { email } = assistant;
		expect(
			envelope.auditLog.filter(({ type }) => type === 'DOCUMENT_FIELD_PREFILLED'),
		).toMatchObject([{ email, data: { recipientEmail: email, field: { data: 'Oslo' } } }]);
		await service.sign(String(tokens[1]), { fields: {} });
		await service.settled();
		expect(envelope.status).toBe('COMPLETED');
	});

	test.each([
		['a value that the field does not take', 'TEXT', 'too long', 'Invalid'],
		['a signature', 'SIGNATURE', 'Sally', 'cannot sign signature fields'],
	])('cannot fill in %s', async (_, type, value, message) => {
		const { token, fieldId } = await assisted([assistant, later]);
		const sign = service.sign(token, { fields: { [fieldId(type)]: value } });
		await expect(sign).rejects.toThrow(message);
	});

	test.each([
		['signs before', [{ ...assistant, signingOrder: 3 }, later], 'SEQUENTIAL'],
		['has no order', [assistant, { ...later, signingOrder: undefined }], 'PARALLEL'],
	])('cannot fill in a field of somebody who %s', async (_, recipients, order) => {
		const { token, fieldId } = await assisted(recipients, order);
		const sign = service.sign(token, { fields: { [fieldId('TEXT')]: 'Oslo' } });
		await expect(sign).rejects.toThrow('not found');
	});

	test('cannot fill in fields whose link has expired', async () => {
		const { envelope, token, fieldId } = await assisted([assistant, later]);
		service.expire(envelope.recipients[1]?.id ?? 0);
		const sign = service.sign(token, { fields: { [fieldId('TEXT')]: 'Oslo' } });
		await expect(sign).rejects.toThrow('expired');
	});

	test('without an order cannot even fill in fields of their own', async () => {
		const own = { ...assistant, fields: [{ ...signatureField, type: 'NAME' }] };
		const { token } = await assisted([{ ...own, signingOrder: undefined }, later], 'PARALLEL');
		await expect(service.sign(token)).rejects.toThrow('not found');
	});

	test('empties fields without an entry in the log', async () => {
		const own = { ...assistant, fields: [{ ...signatureField, type: 'TEXT' }] };
		const { envelope, token, fieldId } = await assisted([own, later]);
		await service.sign(token, { fields: { [fieldId('TEXT')]: null } });
		expect(envelope.auditLog.map(({ type }) => type)).not.toContain('DOCUMENT_FIELD_UNINSERTED');
	});

	test('is shown those fields on the page, and may leave them empty', async () => {
		const { envelope, token, fieldId } = await assisted([assistant, later]);
		const page = await pageAt(service, `/sign/${token}`);
		expect(page).toContain('for Sally Signer');
		expect(page).not.toContain(`field-${fieldId('SIGNATURE')}`);
		const form = {
			action: 'sign',
			[`field-${fieldId('TEXT')}`]: '',
			[`field-${fieldId('NAME')}`]: 'Sally',
		};
		expect((await submit(service, `/sign/${token}`, form)).status).toBe(200);
		expect(envelope.fields.map(({ inserted }) => inserted)).toEqual([false, false, true]);
	});
});

describe('the next signer', () => {
	const nextSigner = { name: 'Nora Next', email: 'Next@example.com' };
	const two = [
		{ ...signer, signingOrder: 1 },
		{ ...later, fields: [signatureField], email: 'second@example.com', name: 'Second' },
	];

	async function signed(meta: object, given: object = nextSigner) {
		const { envelope, tokens } = await sendDocument(service, { recipients: two, meta });
		const status = await statusOfPost(tokens[0], { action: 'sign', fields: {}, nextSigner: given });
		return { status, envelope };
	}

	const sequence = { signingOrder: 'SEQUENTIAL', allowDictateNextSigner: true };

	test('is whom the signer names', async () => {
		const { envelope } = await signed(sequence);
		expect(envelope.recipients[1]).toMatchObject(nextSigner);
		const updates = envelope.auditLog.filter(({ type }) => type === 'RECIPIENT_UPDATED');
		expect(updates).toMatchObject([
			{
				email: signer.email,
				data: {
					recipientEmail: 'second@example.com',
					changes: [{ to: nextSigner.name }, { to: nextSigner.email }],
				},
			},
		]);
	});

	test.each([{ ...sequence, allowDictateNextSigner: false }, { allowDictateNextSigner: true }])(
		'stays the same with %j',
		async (meta) => {
			const { status, envelope } = await signed(meta);
			expect([status, envelope.recipients[1]?.email]).toEqual([200, 'second@example.com']);
		},
	);

	test.each([
		{ ...nextSigner, email: 'nobody' },
		{ ...nextSigner, name: '' },
	])('cannot be %j', async (given) => {
		const { status, envelope } = await signed(sequence, given);
		expect([status, envelope.recipients[0]?.signingStatus]).toEqual([400, 'NOT_SIGNED']);
	});

	test('is asked for on the page', async () => {
		const { id, tokens } = await sendDocument(service, { recipients: two, meta: sequence });
		const path = `/sign/${tokens[0]}`;
		expect(await pageAt(service, path)).toContain('value="second@example.com"');
		const signature = envelopeOf(service, id).fields[0]?.id;
		const answers = {
			action: 'sign',
			[`field-${signature}`]: 'Sally',
			'next-name': nextSigner.name,
			'next-email': nextSigner.email,
		};
		await submit(service, path, answers);
		expect(envelopeOf(service, id).recipients[1]).toMatchObject(nextSigner);
	});
});

describe('a direct link', () => {
	async function link(payload: object): Promise<string> {
		await createDocument(service, { type: 'TEMPLATE', ...payload });
		const input = { templateId: 1, directRecipientId: 1 };
		const { body } = await call(service, 'POST /template/direct/create', input);
		return String(body.token);
	}

	const visitor = { email: 'visitor@example.com', name: 'Vera Visitor' };

	test.each([
		['an invalid address', {}, 'nobody', 'Invalid email'],
		['no address', {}, '', 'Invalid email'],
		['a copy', { recipients: [{ ...assistant, role: 'CC' }, later] }, visitor.email, 'recipient'],
		['a login', { globalAccessAuth: ['ACCOUNT'] }, visitor.email, 'logged in'],
		['a code', { globalAccessAuth: ['TWO_FACTOR_AUTH'] }, visitor.email, 'logged in'],
	])('leads nowhere for %s', async (_, payload, email, message) => {
		const token = await link(payload);
		const visit = service.useDirectLink(token, { ...visitor, email });
		await expect(visit).rejects.toThrow(message);
	});

	test('makes a document without the template’s external ID, for everyone, with its reply-to', async () => {
		const meta = { emailReplyTo: 'reply@example.com' };
		const token = await link({ externalId: 'T-1', visibility: 'ADMIN', meta });
		const id = await service.useDirectLink(token, visitor);
		expect(envelopeOf(service, id)).toMatchObject({
			externalId: null,
			visibility: 'EVERYONE',
			documentMeta: meta,
		});
	});

	test('lets its visitor sign first, whatever their order', async () => {
		const recipients = [
			{ ...later, fields: [signatureField], signingOrder: 2 },
			{ ...later, fields: [signatureField], signingOrder: 1 },
		];
		const token = await link({ recipients, meta: { signingOrder: 'SEQUENTIAL' } });
		const id = await service.useDirectLink(token, visitor);
		const { recipients: people } = envelopeOf(service, id);
		expect(people.map(({ signingStatus }) => signingStatus)).toEqual(['SIGNED', 'NOT_SIGNED']);
	});

	test('leaves the visitor’s email field empty in a document that is made without a visit', async () => {
		const email = { ...signatureField, type: 'EMAIL' };
		await link({ recipients: [{ ...signer, fields: [signatureField, email] }] });
		const template = [...service.store.envelopes.values()][0];
		const payload = { envelopeId: template?.id, distributeDocument: true };
		const { body } = await call(service, 'POST /envelope/use', { payload });
		expect(envelopeOf(service, body.id).fields[1]?.inserted).toBe(false);
	});
});

const first = { ...signer, email: 'first@example.com', name: 'First' };
const second = { ...signer, email: 'second@example.com', name: 'Second' };
const copied = { email: 'copy@example.com', name: 'Copy', role: 'CC' };
const numbered = [
	{ ...first, signingOrder: 1 },
	{ ...second, signingOrder: 2 },
];

const statusOfPost = async (token: string | undefined, body: object) =>
	(await postToPage(service, token, body)).status;

describe('rejecting', () => {
	const rejection = { action: 'reject', reason: 'No' };

	test('is possible before one’s turn, and without words, and counts as sent', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sendDocument(service, { meta, recipients: numbered });
		expect(await statusOfPost(tokens[1], { action: 'reject', reason: '' })).toBe(200);
		await service.settled();
		expect(envelope).toMatchObject({
			status: 'REJECTED',
			recipients: [
				{ signingStatus: 'NOT_SIGNED' },
				{ signingStatus: 'REJECTED', rejectionReason: '', sendStatus: 'SENT' },
			],
		});
		expect(await statusOfPost(tokens[0], rejection)).toBe(400);
	});

	test('is possible after signing', async () => {
		const { envelope, tokens } = await sendDocument(service, { recipients: [first, second] });
		await service.sign(String(tokens[0]));
		expect(await statusOfPost(tokens[0], rejection)).toBe(200);
		await service.settled();
		expect(envelope.status).toBe('REJECTED');
	});

	test('has no effect by who receives a copy', async () => {
		const { envelope, tokens } = await sendDocument(service, { recipients: [first, copied] });
		expect(await statusOfPost(tokens[1], rejection)).toBe(200);
		await service.settled();
		expect([envelope.status, envelope.recipients[1]?.signingStatus]).toEqual(['PENDING', 'SIGNED']);
	});

	test('by who receives a copy completes a document in which the others had nothing to fill in', async () => {
		const viewer = { ...first, role: 'VIEWER', fields: [] };
		const { envelope, tokens } = await sendDocument(service, { recipients: [viewer, copied] });
		expect(await statusOfPost(tokens[1], rejection)).toBe(200);
		await service.settled();
		expect([envelope.status, envelope.recipients[0]?.signingStatus]).toEqual([
			'COMPLETED',
			'NOT_SIGNED',
		]);
	});

	test('is not possible when the link has expired', async () => {
		const { envelope, tokens } = await sendDocument(service, { recipients: [first, second] });
		service.expire(envelope.recipients[0]?.id ?? 0);
		expect(await statusOfPost(tokens[0], rejection)).toBe(400);
	});
});

test.each([{ distributionMethod: 'NONE' }, { emailSettings: { recipientSigningRequest: false } }])(
	'with %j nobody counts as asked, also who rejects',
	async (meta) => {
		const { envelope, tokens } = await sendDocument(service, { meta, recipients: [first, second] });
		expect(await statusOfPost(tokens[0], { action: 'reject', reason: 'No' })).toBe(200);
		expect(envelope.recipients.map(({ sendStatus }) => sendStatus)).toEqual([
			'NOT_SENT',
			'NOT_SENT',
		]);
		expect(envelope.auditLog.map(({ type }) => type)).not.toContain('EMAIL_SENT');
	},
);

describe('whose turn it is', () => {
	test('is logged, with the email', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sendDocument(service, { meta, recipients: numbered });
		await service.sign(String(tokens[0]));
		const mailed = envelope.auditLog.filter(({ type }) => type === 'EMAIL_SENT');
		expect(mailed).toMatchObject([
			{ data: { recipientEmail: first.email } },
			{ data: { recipientEmail: second.email } },
		]);
	});

	test('fields can be filled in before one’s turn, but the document cannot be completed', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sendDocument(service, { meta, recipients: numbered });
		expect(await statusOfPost(tokens[1], { action: 'sign' })).toBe(400);
		expect(envelope.fields.map(({ inserted }) => inserted)).toEqual([false, true]);
		expect(envelope.recipients[1]?.signingStatus).toBe('NOT_SIGNED');
	});

	test.each([
		['EMAIL', 'the first, who was asked, waits for the second', [400, 200, 200]],
		['NONE', 'the first, whom nobody asked, does not', [200, 200, 400]],
	])('without signing orders and with %s, %s', async (distributionMethod, _what, statuses) => {
		const meta = { signingOrder: 'SEQUENTIAL', distributionMethod };
		const { tokens } = await sendDocument(service, { meta, recipients: [first, second] });
		const answers = [];
		for (const token of [tokens[0], tokens[1], tokens[0]]) {
			answers.push(await statusOfPost(token, { action: 'sign' }));
		}
		expect(answers).toEqual(statuses);
	});
});

describe('access authentication', () => {
	test('with an account, the link opens nothing for who is not logged in', async () => {
		const recipients = [{ ...first, accessAuth: ['ACCOUNT'] }, second];
		const { envelope, tokens } = await sendDocument(service, { recipients });
		expect(await openPage(service, tokens[0])).toEqual([200, null]);
		await openPage(service, tokens[1]);
		expect(envelope.recipients.map(({ readStatus }) => readStatus)).toEqual([
			'NOT_OPENED',
			'OPENED',
		]);
	});

	test('with a second factor, nobody completes without it', async () => {
		const { envelope, tokens } = await sendDocument(service, {
			globalAccessAuth: ['TWO_FACTOR_AUTH'],
		});
		expect(await openPage(service, tokens[0])).toEqual([200, null]);
		expect(await statusOfPost(tokens[0], { action: 'sign' })).toBe(400);
		expect(envelope.recipients[0]?.signingStatus).toBe('NOT_SIGNED');
	});
});
