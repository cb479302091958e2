import {
	call,
	createDocument,
	envelopeOf,
	pageAt,
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
		const { id, tokens } = await sendDocument(service, { recipients: two, meta });
		const body = JSON.stringify({ action: 'sign', fields: {}, nextSigner: given });
		const headers = { 'content-type': 'application/json' };
		const url = `${service.url}/sign/${tokens[0]}`;
		const { status } = await fetch(url, { method: 'POST', headers, body });
		return { status, envelope: envelopeOf(service, id), token: String(tokens[0]) };
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
