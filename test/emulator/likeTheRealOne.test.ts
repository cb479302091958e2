import {
	DEMO_TEAM,
	DEMO_TOKEN,
	DEMO_USER,
	startEmulator,
	type EmulatorOptions,
	type Emulator,
} from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, sendDocument, signatureField, signer } from './api';

/** What a real Documenso 2.17.0 does with what hardly anybody means to do. */
let service: Emulator;

const MEMBER = 'api_member';
const ELSEWHERE = 'api_elsewhere';
const OWN_ELSEWHERE = 'api_own_elsewhere';
const ADDRESS_OF_OWNER = 'api_address_of_owner';
const otto = { id: 2, name: 'Otto Other', email: 'otto@example.com' };

beforeAll(async () => {
	const tokens: EmulatorOptions['tokens'] = [
		{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
		{ token: MEMBER, user: otto, team: DEMO_TEAM, role: 'MEMBER' },
		{ token: ELSEWHERE, user: otto, team: { id: 2, url: 'two', name: 'Team Two' } },
		{ token: OWN_ELSEWHERE, user: DEMO_USER, team: { id: 2, url: 'two', name: 'Team Two' } },
		{
			token: ADDRESS_OF_OWNER,
			user: otto,
			team: { id: 3, url: 'three', name: 'Team Three', email: DEMO_USER.email },
		},
	];
	service = await startEmulator({ seed: 'empty', sealDelayMs: 1, tokens });
});
afterAll(async () => await service.close());

const first = { ...signer, email: 'first@example.com', name: 'First' };
const second = { ...signer, email: 'second@example.com', name: 'Second' };
const copied = { email: 'copy@example.com', name: 'Copy', role: 'CC' };
const numbered = [
	{ ...first, signingOrder: 1 },
	{ ...second, signingOrder: 2 },
];

function envelopeOf(id: unknown) {
	const envelope = service.store.envelopes.get(String(id));
	if (!envelope) throw new Error('No such envelope');
	return envelope;
}

async function sent(payload: object) {
	const { id, tokens } = await sendDocument(service, payload);
	return { envelope: envelopeOf(id), tokens };
}

async function post(token: string | undefined, body: object): Promise<number> {
	const { status } = await fetch(`${service.url}/sign/${token}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return status;
}

async function open(token: string | undefined): Promise<[number, string]> {
	const response = await fetch(`${service.url}/sign/${token}`, { redirect: 'manual' });
	return [response.status, (response.headers.get('location') ?? '').replace(/.*\//, '')];
}

function loggedTypes(id: unknown): string[] {
	return envelopeOf(id).auditLog.map(({ type }) => type);
}

describe('rejecting', () => {
	const rejection = { action: 'reject', reason: 'No' };

	test('is possible before one’s turn, and without words, and counts as sent', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sent({ meta, recipients: numbered });
		expect(await post(tokens[1], { action: 'reject', reason: '' })).toBe(200);
		await service.settled();
		expect(envelope).toMatchObject({
			status: 'REJECTED',
			recipients: [
				{ signingStatus: 'NOT_SIGNED' },
				{ signingStatus: 'REJECTED', rejectionReason: '', sendStatus: 'SENT' },
			],
		});
		expect(await post(tokens[0], rejection)).toBe(400);
	});

	test('is possible after signing', async () => {
		const { envelope, tokens } = await sent({ recipients: [first, second] });
		await service.sign(String(tokens[0]));
		expect(await post(tokens[0], rejection)).toBe(200);
		await service.settled();
		expect(envelope.status).toBe('REJECTED');
	});

	test('has no effect by who receives a copy', async () => {
		const { envelope, tokens } = await sent({ recipients: [first, copied] });
		expect(await post(tokens[1], rejection)).toBe(200);
		await service.settled();
		expect([envelope.status, envelope.recipients[1]?.signingStatus]).toEqual(['PENDING', 'SIGNED']);
	});

	test('by who receives a copy completes a document in which the others had nothing to fill in', async () => {
		const viewer = { ...first, role: 'VIEWER', fields: [] };
		const { envelope, tokens } = await sent({ recipients: [viewer, copied] });
		expect(await post(tokens[1], rejection)).toBe(200);
		await service.settled();
		expect([envelope.status, envelope.recipients[0]?.signingStatus]).toEqual([
			'COMPLETED',
			'NOT_SIGNED',
		]);
	});

	test('is not possible when the link has expired', async () => {
		const { envelope, tokens } = await sent({ recipients: [first, second] });
		service.expire(envelope.recipients[0]?.id ?? 0);
		expect(await post(tokens[0], rejection)).toBe(400);
	});
});

test.each([{ distributionMethod: 'NONE' }, { emailSettings: { recipientSigningRequest: false } }])(
	'with %j nobody counts as asked, also who rejects',
	async (meta) => {
		const { envelope, tokens } = await sent({ meta, recipients: [first, second] });
		expect(await post(tokens[0], { action: 'reject', reason: 'No' })).toBe(200);
		expect(envelope.recipients.map(({ sendStatus }) => sendStatus)).toEqual([
			'NOT_SENT',
			'NOT_SENT',
		]);
		expect(loggedTypes(envelope.id)).not.toContain('EMAIL_SENT');
	},
);

test('where links stop to expire, those that are there keep their deadline when it is sent again', async () => {
	const { envelope } = await sent({ recipients: [first] });
	const [before] = envelope.recipients.map(({ expiresAt }) => expiresAt);
	const meta = { envelopeExpirationPeriod: { disabled: true }, emailSettings: null };
	const { emailSettings } = envelope.documentMeta;
	emailSettings.documentPending = false;
	await call(service, 'POST /envelope/update', { envelopeId: envelope.id, meta });
	await call(service, 'POST /envelope/distribute', { envelopeId: envelope.id });
	expect(envelope.recipients[0]?.expiresAt).toEqual(before);
	// Null keeps them.
	expect(envelope.documentMeta.emailSettings.documentPending).toBe(false);
});

describe('whose turn it is', () => {
	test('is logged, with the email', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sent({ meta, recipients: numbered });
		await service.sign(String(tokens[0]));
		const mailed = envelope.auditLog.filter(({ type }) => type === 'EMAIL_SENT');
		expect(mailed).toMatchObject([
			{ data: { recipientEmail: first.email } },
			{ data: { recipientEmail: second.email } },
		]);
	});

	test('fields can be filled in before one’s turn, but the document cannot be completed', async () => {
		const meta = { signingOrder: 'SEQUENTIAL' };
		const { envelope, tokens } = await sent({ meta, recipients: numbered });
		expect(await post(tokens[1], { action: 'sign' })).toBe(400);
		expect(envelope.fields.map(({ inserted }) => inserted)).toEqual([false, true]);
		expect(envelope.recipients[1]?.signingStatus).toBe('NOT_SIGNED');
	});

	test.each([
		['EMAIL', 'the first, who was asked, waits for the second', [400, 200, 200]],
		['NONE', 'the first, whom nobody asked, does not', [200, 200, 400]],
	])('without signing orders and with %s, %s', async (distributionMethod, _what, statuses) => {
		const meta = { signingOrder: 'SEQUENTIAL', distributionMethod };
		const { tokens } = await sent({ meta, recipients: [first, second] });
		const answers = [];
		for (const token of [tokens[0], tokens[1], tokens[0]]) {
			answers.push(await post(token, { action: 'sign' }));
		}
		expect(answers).toEqual(statuses);
	});
});

describe('access authentication', () => {
	test('with an account, the link opens nothing for who is not logged in', async () => {
		const recipients = [{ ...first, accessAuth: ['ACCOUNT'] }, second];
		const { envelope, tokens } = await sent({ recipients });
		expect(await open(tokens[0])).toEqual([200, '']);
		await open(tokens[1]);
		expect(envelope.recipients.map(({ readStatus }) => readStatus)).toEqual([
			'NOT_OPENED',
			'OPENED',
		]);
	});

	test('with a second factor, nobody completes without it', async () => {
		const { envelope, tokens } = await sent({ globalAccessAuth: ['TWO_FACTOR_AUTH'] });
		expect(await open(tokens[0])).toEqual([200, '']);
		expect(await post(tokens[0], { action: 'sign' })).toBe(400);
		expect(envelope.recipients[0]?.signingStatus).toBe('NOT_SIGNED');
	});
});

describe('the audit log', () => {
	test('of a copy is empty', async () => {
		const { body } = await call(service, 'POST /envelope/duplicate', {
			envelopeId: await createDocument(service),
		});
		expect(loggedTypes(body.id)).toEqual([]);
	});

	test('says that a document of a template was made by the team', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const { body } = await call(service, 'POST /envelope/use', { payload: { envelopeId } });
		const [entry] = envelopeOf(body.id).auditLog;
		expect(entry).toMatchObject({ name: DEMO_TEAM.name, userId: null });
	});

	test('names the team of the token, also where the document belongs to another team', async () => {
		const envelopeId = await createDocument(service);
		const update = { envelopeId, data: { title: 'Renamed' } };
		await call(service, 'POST /envelope/update', update, OWN_ELSEWHERE);
		expect(envelopeOf(envelopeId).auditLog.at(-1)).toMatchObject({ name: 'Team Two' });
	});

	test('of a deprecated document has no entry about fields that fill themselves in', async () => {
		const field = { type: 'SIGNATURE', pageNumber: 1, pageX: 1, pageY: 1, width: 9, height: 9 };
		const payload = { title: 'Old', recipients: [{ ...first, fields: [field] }] };
		const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
		const { body } = await call(service, 'POST /document/create', form(payload, [file]));
		await call(service, 'POST /document/distribute', { documentId: body.id });
		expect(loggedTypes(body.envelopeId)).toEqual([
			'DOCUMENT_CREATED',
			'DOCUMENT_SENT',
			'EMAIL_SENT',
		]);
	});

	test('has null for a recipient without a name', async () => {
		const { envelope, tokens } = await sent({ recipients: [{ ...first, name: '' }] });
		await open(tokens[0]);
		expect(envelope.auditLog.at(-1)).toMatchObject({ type: 'DOCUMENT_OPENED', name: null });
	});

	test('notes a field that a script empties, but not one that the page leaves empty', async () => {
		const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text' } };
		const recipients = [{ ...first, fields: [signatureField, text] }];
		const entries = [];
		for (const isForm of [false, true]) {
			const { envelope, tokens } = await sent({ recipients });
			const id = envelope.fields[1]?.id;
			await fetch(`${service.url}/sign/${tokens[0]}`, {
				method: 'POST',
				headers: isForm ? {} : { 'content-type': 'application/json' },
				body: isForm
					? new URLSearchParams({ action: 'sign', [`field-${id}`]: '' })
					: JSON.stringify({ action: 'sign', fields: { [`${id}`]: null } }),
			});
			entries.push(loggedTypes(envelope.id).includes('DOCUMENT_FIELD_UNINSERTED'));
		}
		expect(entries).toEqual([true, false]);
	});
});

test('an expiration that an update removes is null, and then the default one', async () => {
	const envelopeId = await createDocument(service, {
		meta: { envelopeExpirationPeriod: { unit: 'day', amount: 1 } },
	});
	const meta = { envelopeExpirationPeriod: null };
	await call(service, 'POST /envelope/update', { envelopeId, meta });
	const envelope = envelopeOf(envelopeId);
	expect(envelope.documentMeta.envelopeExpirationPeriod).toBeNull();
	await call(service, 'POST /envelope/distribute', { envelopeId });
	const days = (Number(envelope.recipients[0]?.expiresAt) - Date.now()) / 86_400_000;
	expect(Math.round(days)).toBe(90);
});

test.each([
	{ unit: 'year', amount: 8000 },
	{ unit: 'month', amount: 1e9 },
])('an expiration that the database cannot store fails what would store it: %j', async (period) => {
	const meta = { envelopeExpirationPeriod: period };
	const draft = envelopeOf(await createDocument(service, { meta }));
	const { envelope } = await sent({});
	await call(service, 'POST /envelope/update', { envelopeId: envelope.id, meta });
	const template = await createDocument(service, { type: 'TEMPLATE', meta });
	const again = { envelopeId: envelope.id, recipients: [envelope.recipients[0]?.id] };
	const used = { payload: { envelopeId: template, distributeDocument: true } };
	const answers = [
		await call(service, 'POST /envelope/distribute', { envelopeId: draft.id }),
		await call(service, 'POST /envelope/redistribute', again),
		await call(service, 'POST /envelope/redistribute', { ...again, recipients: [0] }),
		await call(service, 'POST /envelope/use', used),
	];
	expect(answers.map(({ status }) => status)).toEqual([500, 500, 200, 400]);
	expect(answers[3]?.body.message).toBe('DOCUMENT_SEND_FAILED');
	expect(draft).toMatchObject({ status: 'DRAFT', recipients: [{ expiresAt: null }] });
});

test('a null for the expiration keeps that of the template', async () => {
	const period = { unit: 'day', amount: 1 };
	const envelopeId = await createDocument(service, {
		...{ type: 'TEMPLATE', meta: { envelopeExpirationPeriod: period } },
	});
	const payload = { envelopeId, override: { envelopeExpirationPeriod: null } };
	const { body } = await call(service, 'POST /envelope/use', { payload });
	expect(envelopeOf(body.id).documentMeta.envelopeExpirationPeriod).toEqual(period);
});

test('a recipient with an account deletes the document only for themselves', async () => {
	const { envelope } = await sent({ recipients: [first, { ...second, email: otto.email }] });
	const answer = await call(
		service,
		'POST /envelope/delete',
		{ envelopeId: envelope.id },
		ELSEWHERE,
	);
	expect(answer.status).toBe(200);
	const { body } = await call(service, `GET /envelope/${envelope.id}`);
	expect(body).toMatchObject({
		status: 'PENDING',
		recipients: [{ documentDeletedAt: null }, { documentDeletedAt: expect.any(String) as string }],
	});
});

describe('refuses', () => {
	const old = { title: 'Old', recipients: [{ email: '', name: 'A', role: 'SIGNER' }] };
	const requests: Array<[what: string, line: string, body: unknown, status: number, text: string]> =
		[
			[
				'a deprecated document whose recipient has no address',
				'POST /document/create',
				old,
				400,
				'Input validation failed',
			],
			[
				'to send a deprecated document that is not there',
				'POST /document/distribute',
				{ documentId: 999 },
				500,
				'Document not found',
			],
			[
				'to remind of one',
				'POST /document/redistribute',
				{ documentId: 999, recipients: [1] },
				500,
				'Document not found',
			],
			['one', 'GET /document/999/download-beta', undefined, 404, 'Envelope could not be found'],
			[
				'to change one',
				'POST /document/update',
				{ documentId: 999, data: {} },
				404,
				'Envelope not found',
			],
			['to copy one', 'POST /document/duplicate', { documentId: 999 }, 404, 'Document not found'],
			['to delete one', 'POST /document/delete', { documentId: 999 }, 404, 'Document not found'],
			['to delete none', 'POST /document/delete', { documentId: [] }, 404, 'Document not found'],
		];
	test.each(requests)('%s', async (_what, line, body, status, message) => {
		const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
		const sends = line === 'POST /document/create' ? form(body, [file]) : body;
		const answer = await call(service, line, sends);
		expect([answer.status, answer.body.message]).toEqual([status, message]);
	});

	test("to delete somebody else's document by its number", async () => {
		const { legacyId: documentId } = envelopeOf(await createDocument(service));
		const answer = await call(service, 'POST /document/delete', { documentId }, ELSEWHERE);
		expect([answer.status, answer.body.message]).toEqual([401, 'Not allowed']);
	});

	test('the pending version of a deprecated document', async () => {
		const { envelope } = await sent({});
		envelope.internalVersion = 1;
		const line = `GET /envelope/item/${envelope.items[0]?.id}/download?version=pending`;
		const { status, body } = await call(service, line);
		expect([status, body.error]).toEqual([
			400,
			`Envelope ${envelope.id} is a legacy envelope and does not support partially signed PDF downloads`,
		]);
	});

	test('a number that is none in the path of a deprecated download', async () => {
		const answer = await call(service, 'GET /document/abc/download');
		expect([answer.status, answer.body]).toMatchObject([
			400,
			{ data: { documentId: 'abc' }, success: false, error: [{ received: 'nan' }] },
		]);
		expect((await call(service, 'GET /document/0/download')).body).toEqual({
			error: 'Document not found',
		});
	});

	test('a member who deletes a recipient of a document that they cannot see', async () => {
		const envelope = envelopeOf(await createDocument(service, { visibility: 'ADMIN' }));
		const recipientId = envelope.recipients[0]?.id;
		const answer = await call(service, 'POST /envelope/recipient/delete', { recipientId }, MEMBER);
		expect([answer.status, answer.body.message]).toEqual([
			500,
			expect.stringContaining('prisma.recipient.delete'),
		]);
		expect(envelope.recipients).toHaveLength(1);
	});

	test('to move a field to no file', async () => {
		const envelopeId = await createDocument(service);
		const [field] = envelopeOf(envelopeId).fields;
		const { status, body } = await call(service, 'POST /envelope/field/update-many', {
			envelopeId,
			data: [{ id: field?.id, type: 'SIGNATURE', envelopeItemId: '' }],
		});
		expect([status, body.message]).toEqual([
			500,
			expect.stringContaining('Field_envelopeItemId_fkey'),
		]);
	});

	test('a file that is missing before a recipient that is', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const [item] = envelopeOf(envelopeId).items;
		const customDocumentData = [{ identifier: 0, envelopeItemId: item?.id }];
		const recipients = [{ id: 9999, email: 'a@example.com' }];
		const payload = { envelopeId, customDocumentData, recipients };
		const { body } = await call(service, 'POST /envelope/use', { payload });
		expect(body.message).toBe('File with identifier "0" not found in uploaded files');
	});

	test('fields of who has signed, in the words of each operation', async () => {
		const { envelope, tokens } = await sent({ recipients: [first, second] });
		await service.sign(String(tokens[0]));
		const [field] = envelope.fields;
		const update = { envelopeId: envelope.id, data: [{ id: field?.id, type: 'NAME' }] };
		const answers = [
			await call(service, 'POST /envelope/field/update-many', update),
			await call(service, 'POST /envelope/field/delete', { fieldId: field?.id }),
		];
		expect(answers.map(({ body }) => body.message)).toEqual([
			'Cannot modify a field where the recipient has already interacted with the document',
			'Recipient has already interacted with the document.',
		]);
	});
});

describe('using a template', () => {
	const use = async (envelopeId: string, payload: object = {}) =>
		await call(service, 'POST /envelope/use', form({ envelopeId, ...payload }, []));

	test('without files is refused, behind what is wrong with the folder', async () => {
		const id = await createDocument(service, { type: 'TEMPLATE' });
		const template = envelopeOf(id);
		template.items = [];
		const { status, body } = await use(id);
		expect([status, body.message]).toEqual([400, 'Template must have at least 1 envelope item']);
		expect((await use(id, { folderId: 'nowhere' })).status).toBe(404);
		const legacy = { templateId: template.legacyId, recipients: [] };
		expect((await call(service, 'POST /template/use', legacy)).status).toBe(400);
	});

	test('copies neither its form values, nor the numbers of files anew', async () => {
		const id = await createDocument(service, { type: 'TEMPLATE', formValues: { Rent: '900' } });
		const template = envelopeOf(id);
		for (const item of template.items) item.order = 7;
		for (const recipient of template.recipients) recipient.authOptions = null;
		const made = envelopeOf((await use(id)).body.id);
		expect(made).toMatchObject({
			formValues: null,
			items: [{ order: 7 }],
			recipients: [{ authOptions: { accessAuth: [], actionAuth: [] } }],
		});
	});
});

test.each([
	[{ folderId: 'nowhere', globalActionAuth: ['ACCOUNT'] }, 404],
	[{ meta: { emailId: 'x' }, recipients: [{ ...first, actionAuth: ['ACCOUNT'] }] }, 401],
])(
	'of several faults of a new envelope, the real one names this first: %j',
	async (payload, code) => {
		const whole = { type: 'DOCUMENT', title: 'Several', ...payload };
		const file = { filename: 'a.pdf', content: await pdf(), name: 'files' };
		const { status } = await call(service, 'POST /envelope/create', form(whole, [file]));
		expect(status).toBe(code);
	},
);

test.each<[unknown, string | null]>([
	[null, null],
	['', ''],
	['  ', '  '],
	['x'.repeat(300), 'x'.repeat(300)],
])('a deprecated template takes any external ID: %j', async (externalId, kept) => {
	const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
	const { status, body } = await call(
		service,
		'POST /template/create',
		form({ title: 'Old', externalId }, [file]),
	);
	expect([status, envelopeOf(body.envelopeId).externalId]).toEqual([200, kept]);
});

test.each([
	['tells which fields are missing', [{ ...first, fields: [] }], 'MISSING_SIGNATURE_FIELD'],
	['says no more than that where nobody has to sign', [], 'DOCUMENT_SEND_FAILED'],
])('using a deprecated template that cannot be sent %s', async (_, recipients, code) => {
	const template = envelopeOf(await createDocument(service, { type: 'TEMPLATE', recipients }));
	const { status, body } = await call(service, 'POST /template/use', {
		...{ templateId: template.legacyId, recipients: [], distributeDocument: true },
	});
	expect(status).toBe(400);
	expect(body.data).toMatchObject({ code });
});

test('what is filled in beforehand is filled in again until somebody is asked by email', async () => {
	const text = {
		...signatureField,
		type: 'TEXT',
		positionY: 60,
		fieldMeta: { type: 'text', text: 'Pre' },
	};
	const recipients = [{ ...first, fields: [signatureField, text] }];
	const meta = { distributionMethod: 'NONE' };
	const { envelope } = await sent({ meta, recipients });
	const field = envelope.fields.find(({ type }) => type === 'TEXT');
	Object.assign(field ?? {}, { customText: 'typed' });
	await call(service, 'POST /envelope/distribute', { envelopeId: envelope.id });
	expect(field?.customText).toBe('Pre');
});

test('using a deprecated template trims the external ID, and refuses a long one', async () => {
	const template = envelopeOf(await createDocument(service, { type: 'TEMPLATE' }));
	const use = async (externalId: string) =>
		await call(service, 'POST /template/use', {
			...{ templateId: template.legacyId, recipients: [], externalId },
		});
	expect((await use(' X ')).body.externalId).toBe('X');
	expect((await use('x'.repeat(256))).status).toBe(400);
});

test.each([null, '', 0])('a direct link for recipient %j gets one of its own', async (id) => {
	const template = envelopeOf(await createDocument(service, { type: 'TEMPLATE' }));
	const { status } = await call(service, 'POST /template/direct/create', {
		...{ templateId: template.legacyId, directRecipientId: id },
	});
	expect([status, template.recipients.length]).toEqual([200, 2]);
});

test('to verify an embed token needs no valid API token, and to create one reads it last', async () => {
	const answers = [
		await call(service, 'POST /embedding/verify-presign-token', { token: 'x' }, 'api_wrong'),
		await call(service, 'POST /embedding/verify-presign-token', {}, 'api_wrong'),
		await call(service, 'POST /embedding/create-presign-token', { expiresIn: 'x' }, 'api_wrong'),
		await call(service, 'POST /embedding/create-presign-token', {}, 'api_wrong'),
	];
	expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 401]);
	expect(answers[0]?.body).toEqual({ success: false });
});

test('a number is a wrong value of an enum, not a wrong type', async () => {
	const envelopeId = await createDocument(service);
	const { body } = await call(service, 'POST /envelope/update', {
		envelopeId,
		data: { visibility: 7 },
	});
	expect(body.issues).toMatchObject([{ code: 'invalid_enum_value', received: 7 }]);
});

test('a direct link gets no recipient of its own if somebody has that address already', async () => {
	const taken = { ...first, email: 'Direct.Link@documenso.com' };
	const template = envelopeOf(
		await createDocument(service, { type: 'TEMPLATE', recipients: [taken] }),
	);
	const link = { templateId: template.legacyId };
	const refused = await call(service, 'POST /template/direct/create', link);
	expect([refused.status, refused.body.message]).toEqual([
		400,
		'Cannot generate placeholder direct recipient',
	]);
	const given = { ...link, directRecipientId: template.recipients[0]?.id };
	expect((await call(service, 'POST /template/direct/create', given)).status).toBe(200);
});

test('nobody is reminded of a document that has got more recipients than the plan allows', async () => {
	const { envelope } = await sent({ recipients: [first] });
	const copies = Array.from({ length: 20 }, () => copied);
	const { id: envelopeId } = envelope;
	await call(service, 'POST /envelope/recipient/create-many', { envelopeId, data: copies });
	const recipients = [envelope.recipients[0]?.id];
	const { status } = await call(service, 'POST /envelope/redistribute', { envelopeId, recipients });
	expect(status).toBe(400);
});

test('sending a document with form values stores its files anew, even if it is refused', async () => {
	const id = await createDocument(service, {
		formValues: {},
		recipients: [{ ...first, fields: [] }],
	});
	const envelope = envelopeOf(id);
	const fileId = () => envelope.items[0]?.documentDataId;
	const [before, send] = [fileId(), { envelopeId: id }];
	expect((await call(service, 'POST /envelope/distribute', send)).status).toBe(400);
	const refused = fileId();
	expect(refused).not.toBe(before);
	for (const recipient of envelope.recipients) recipient.role = 'VIEWER';
	await call(service, 'POST /envelope/distribute', send);
	const sentFile = fileId();
	expect(sentFile).not.toBe(refused);
	await call(service, 'POST /envelope/distribute', send);
	expect(fileId()).toBe(sentFile);
});

test('who lacks a signature field is named in the signing order', async () => {
	const recipients = [undefined, 2, 1].map((signingOrder) => ({
		...first,
		name: `Signer ${signingOrder}`,
		signingOrder,
		fields: [],
	}));
	const envelopeId = await createDocument(service, { recipients });
	const { body } = await call(service, 'POST /envelope/distribute', { envelopeId });
	expect(body.message).toMatch(/Signer 1 .*Signer 2 .*Signer undefined /);
});

test('what an update of a template has emptied is missing in its documents', async () => {
	const template = envelopeOf(await createDocument(service, { type: 'TEMPLATE' }));
	const meta = { subject: '', message: '', redirectUrl: '', timezone: '' };
	await call(service, 'POST /envelope/update', { envelopeId: template.id, meta });
	const payload = { envelopeId: template.id };
	const { body } = await call(service, 'POST /envelope/use', { payload });
	const [before, after] = [template, envelopeOf(body.id)].map(({ documentMeta }) => documentMeta);
	expect(before).toMatchObject(meta);
	expect(after).toMatchObject({
		...{ subject: null, message: null, redirectUrl: null },
		timezone: 'Etc/UTC',
	});
});

test('a deprecated template is created without an expiration, even without looking at it', async () => {
	const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
	for (const envelopeExpirationPeriod of [{ disabled: true }, 'never']) {
		const payload = { title: 'Old', meta: { envelopeExpirationPeriod } };
		const { body } = await call(service, 'POST /template/create', form(payload, [file]));
		const { documentMeta } = envelopeOf(body.envelopeId);
		expect(documentMeta.envelopeExpirationPeriod).toEqual({ unit: 'month', amount: 3 });
	}
});

test('a file that is named twice in one update keeps what only one of them gives', async () => {
	const envelope = envelopeOf(await createDocument(service));
	const [item] = envelope.items;
	const update = async (...changes: object[]) => {
		const data = changes.map((change) => ({ envelopeItemId: item?.id, ...change }));
		const body = { envelopeId: envelope.id, data };
		return (await call(service, 'POST /envelope/item/update-many', body)).status;
	};
	expect([await update({ title: 'New' }, { order: 4 }), item]).toMatchObject([
		200,
		{ title: 'New', order: 4 },
	]);
	expect([await update({ order: 5 }, { title: 'Newer', order: 1e12 }), item]).toMatchObject([
		500,
		{ title: 'New', order: 5 },
	]);
	const renamed = loggedTypes(envelope.id).filter((type) => type === 'ENVELOPE_ITEM_UPDATED');
	expect(renamed).toHaveLength(1);
});

test('an empty ID of a sender’s address is stored as it is, also with a new document', async () => {
	const id = await createDocument(service, { meta: { emailId: '', subject: '' } });
	expect(envelopeOf(id).documentMeta).toMatchObject({ emailId: '', subject: null });
});

test('a template for the organisation is private where another team duplicates it', async () => {
	const id = await createDocument(service, { type: 'TEMPLATE' });
	const data = { templateType: 'ORGANISATION' };
	await call(service, 'POST /envelope/update', { envelopeId: id, data });
	const typeOfCopy = async (token: string) => {
		const { body } = await call(service, 'POST /envelope/duplicate', { envelopeId: id }, token);
		return envelopeOf(body.id).templateType;
	};
	expect(await typeOfCopy(DEMO_TOKEN)).toBe('ORGANISATION');
	expect(await typeOfCopy(OWN_ELSEWHERE)).toBe('PRIVATE');
});

test('a manager cannot cancel what their team’s address has sent in another team', async () => {
	const { envelope } = await sent({ recipients: [first] });
	const { status } = await call(
		service,
		'POST /envelope/cancel',
		{ envelopeId: envelope.id },
		ADDRESS_OF_OWNER,
	);
	expect([status, envelope.status]).toEqual([401, 'PENDING']);
});

test('nobody makes a direct link for a template that only their team’s address has to do with', async () => {
	const template = envelopeOf(await createDocument(service, { type: 'TEMPLATE' }));
	const input = { templateId: template.legacyId };
	const { status } = await call(service, 'POST /template/direct/create', input, ADDRESS_OF_OWNER);
	expect([status, template.directLink]).toEqual([500, null]);
});

test('in a duplicate, values are filled in for who receives a copy, too', async () => {
	const email = { ...signatureField, type: 'EMAIL' };
	const recipients = [first, { ...copied, fields: [email] }];
	const original = await createDocument(service, { recipients });
	const copy = await call(service, 'POST /envelope/duplicate', { envelopeId: original });
	for (const id of [original, copy.body.id]) {
		await call(service, 'POST /envelope/distribute', { envelopeId: id });
		await service.sign(String(envelopeOf(id).recipients[0]?.token));
	}
	await service.settled();
	const statuses = [original, copy.body.id].map((id) => envelopeOf(id).status);
	expect(statuses).toEqual(['PENDING', 'COMPLETED']);
});
