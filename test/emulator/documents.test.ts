import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator } from '../../emulator';
import { pdf } from '../support/pdf';
import {
	call,
	createDocument,
	envelopeOf,
	form,
	member,
	openPage,
	posting,
	postToPage,
	secondTeam,
	sendDocument,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 5 });
const post = posting(service, '/envelope');
const typesLogged = (id: unknown) => envelopeOf(service, id).auditLog.map(({ type }) => type);

const first = { ...signer, email: 'first@example.com', name: 'First' };
const second = { ...signer, email: 'second@example.com', name: 'Second' };
const copied = { email: 'copy@example.com', name: 'Copy', role: 'CC' };

test('a new document has the default recipients of the team, too', async () => {
	const boss = { email: 'boss@example.com', name: '', role: 'CC' as const };
	const team = { ...DEMO_TEAM, defaultRecipients: [boss] };
	const tokens = [{ token: DEMO_TOKEN, user: DEMO_USER, team }];
	const ofTeam = await startEmulator({ tokens });
	const id = await createDocument(ofTeam, { recipients: [signer] });
	const { body } = await call(ofTeam, `GET /envelope/${id}`);
	await ofTeam.close();
	expect(body.recipients).toMatchObject([{ email: signer.email }, { email: boss.email }]);
});

describe('distribute', () => {
	test('keeps its meta even when it fails', async () => {
		const envelopeId = await createDocument(service, { recipients: [] });
		await post('distribute', { envelopeId, meta: { subject: 'Hello' } });
		const { body } = await call(service, `GET /envelope/${envelopeId}`);
		expect(body.documentMeta).toMatchObject({ subject: 'Hello' });
	});

	test('fills in what is preset, and the e-mail', async () => {
		const fields = [
			signatureField,
			{ ...signatureField, type: 'EMAIL' },
			{ ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', text: 'Berlin' } },
			{ ...signatureField, type: 'DATE' },
		];
		const { id } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		expect(service.store.envelopes.get(id)?.fields).toMatchObject([
			{ type: 'SIGNATURE', inserted: false },
			{ type: 'EMAIL', inserted: true, customText: 'signer@example.com' },
			{ type: 'TEXT', inserted: true, customText: 'Berlin' },
			{ type: 'DATE', inserted: false },
		]);
	});
});

describe('update', () => {
	test('reads any text as true, and resets broken e-mail settings to all', async () => {
		const before = { typedSignatureEnabled: false, emailSettings: { documentPending: false } };
		const envelopeId = await createDocument(service, { meta: before });
		const emailSettings = { recipientSigned: false, documentDeleted: 'no' };
		const meta = { typedSignatureEnabled: 'false', emailSettings };
		expect((await post('update', { envelopeId, meta })).status).toBe(200);
		expect(service.store.envelopes.get(envelopeId)?.documentMeta).toMatchObject({
			typedSignatureEnabled: true,
			emailSettings: { recipientSigned: true, documentPending: true },
		});
	});

	test.each(['AES', 'QES'] as const)(
		'is refused for a document with %s signatures as soon as it is sent, and says its status',
		async (signatureLevel) => {
			const signing = await startEmulator({ sealDelayMs: 5, signatureLevel });
			const asked = { recipients: [signer] };
			const envelopeId = await createDocument(signing, asked);
			const update = async (id: string, externalId: string) =>
				await call(signing, 'POST /envelope/update', { envelopeId: id, data: { externalId } });
			const codeOf = async (id: string) => {
				const { status, body } = await update(id, 'RA-2');
				return [status, (body.data as { code: string }).code];
			};
			expect((await update(envelopeId, 'RA-1')).status).toBe(200);
			await call(signing, 'POST /envelope/distribute', { envelopeId });
			expect(await codeOf(envelopeId)).toEqual([400, 'ENVELOPE_TSP_LOCKED']);
			const [recipient] = signing.store.envelopes.get(envelopeId)?.recipients ?? [];
			await signing.sign(recipient?.token ?? '');
			await signing.settled();
			expect(await codeOf(envelopeId)).toEqual([400, 'ENVELOPE_COMPLETED']);
			const rejected = await sendDocument(signing, asked);
			await signing.reject(rejected.tokens[0] ?? '', 'No');
			await signing.settled();
			expect(await codeOf(rejected.id)).toEqual([400, 'ENVELOPE_REJECTED']);
			const cancelled = await sendDocument(signing, asked);
			await call(signing, 'POST /envelope/cancel', { envelopeId: cancelled.id });
			expect(await codeOf(cancelled.id)).toEqual([400, 'ENVELOPE_CANCELLED']);
			expect(signing.store.envelopes.get(envelopeId)?.externalId).toBe('RA-1');
			await signing.close();
		},
	);
});

describe('visibility', () => {
	test.each([
		['member', 'MANAGER_AND_ABOVE', 401],
		['member', 'ADMIN', 401],
		['member', 'EVERYONE', 200],
		['manager', 'ADMIN', 401],
		['manager', 'MANAGER_AND_ABOVE', 200],
	] as const)(
		"a %s who sets the visibility of somebody else's document to %s: %i",
		async (who, visibility, status) => {
			const envelopeId = await createDocument(service);
			const body = { envelopeId, data: { visibility } };
			const answer = await call(service, 'POST /envelope/update', body, `api_${who}`);
			expect(answer.status).toBe(status);
			if (status === 200) return;
			expect(answer.body.message).toBe(
				'You do not have permission to update the envelope visibility',
			);
			expect(service.store.envelopes.get(envelopeId)?.visibility).toBe('EVERYONE');
		},
	);

	test('the owner chooses any visibility', async () => {
		const envelopeId = await createDocument(service);
		const mine = service.store.envelopes.get(envelopeId);
		if (mine) mine.user = member;
		const body = { envelopeId, data: { visibility: 'ADMIN' } };
		expect((await call(service, 'POST /envelope/update', body, 'api_member')).status).toBe(200);
	});
});

describe('a copy', () => {
	const cc = { email: 'cc@example.com', name: 'Carl Copy', role: 'CC', accessAuth: ['ACCOUNT'] };

	async function duplicate(envelopeId: string, options: object = {}) {
		const { body } = await call(service, 'POST /envelope/duplicate', { envelopeId, ...options });
		return (await call(service, `GET /envelope/${String(body.id)}`)).body;
	}

	test('a copy is a draft of the original file with nobody asked yet', async () => {
		const { id, tokens } = await sendDocument(service, {
			recipients: [signer, cc],
			meta: { subject: 'Hello' },
			externalId: 'row-1',
			attachments: [{ label: 'Policy', data: 'https://example.com' }],
		});
		await service.sign(tokens[0] ?? '');
		await service.settled();
		const copy = await duplicate(id);
		const waiting = { signingStatus: 'NOT_SIGNED', sendStatus: 'NOT_SENT', authOptions: null };
		expect(copy).toMatchObject({
			title: 'Contract (copy)',
			status: 'DRAFT',
			externalId: null,
			documentMeta: { subject: 'Hello' },
			recipients: [
				{ email: signer.email, ...waiting },
				{ email: cc.email, role: 'CC', ...waiting },
			],
			fields: [{ type: 'SIGNATURE', inserted: false, customText: '' }],
		});
		const [original, copied] = [id, String(copy.id)].map((key) => service.store.envelopes.get(key));
		expect(copied?.items[0]?.signed).toBe(original?.items[0]?.original);
		expect(copied?.fields[0]?.envelopeItemId).toBe(copied?.items[0]?.id);
		expect(copied?.attachments).toEqual([]);
		expect(copied?.documentMeta.id).not.toBe(original?.documentMeta.id);
	});

	test('recipients and fields can stay behind; fields never come alone', async () => {
		const id = await createDocument(service);
		const bare = await duplicate(id, { includeRecipients: false });
		expect(bare).toMatchObject({ recipients: [], fields: [] });
		const unfielded = await duplicate(id, { includeFields: false });
		expect(unfielded).toMatchObject({ recipients: [{ email: signer.email }], fields: [] });
	});

	test('a document announces its copy, a template does not', async () => {
		const document = await createDocument(service);
		const template = await createDocument(service, { type: 'TEMPLATE' });
		service.webhooks.add({ url: 'http://127.0.0.1:9/' });
		const { id } = await duplicate(document);
		const copied = await duplicate(template);
		expect(copied).toMatchObject({ type: 'TEMPLATE', secondaryId: 'template_2' });
		await service.settled();
		const firsts = service.deliveries.filter(({ attempt }) => attempt === 1);
		const events = firsts.map(({ event, body }) => [event, body.payload.envelopeId]);
		expect(events).toEqual([['DOCUMENT_CREATED', id]]);
	});
});

async function logOf(id: string, query = 'orderByDirection=asc') {
	const { body } = await call(service, `GET /envelope/${id}/audit-log?${query}`);
	return body.data as Array<{ type: string; data: Record<string, unknown> }>;
}

describe('the audit log and the certificate', () => {
	describe('the audit log', () => {
		it('has an entry for each change of a setting, a recipient and a field', async () => {
			const id = await createDocument(service, { externalId: 'a' });
			await call(service, 'POST /envelope/update', {
				envelopeId: id,
				data: { title: 'New', externalId: null, visibility: 'ADMIN' },
			});
			const recipientId = service.store.envelopes.get(id)?.recipients[0]?.id;
			await call(service, 'POST /envelope/recipient/update-many', {
				envelopeId: id,
				data: [{ id: recipientId, name: 'Renamed' }],
			});
			const fieldId = service.store.envelopes.get(id)?.fields[0]?.id;
			const data = [{ id: fieldId, type: 'SIGNATURE', width: 33 }];
			await call(service, 'POST /envelope/field/update-many', { envelopeId: id, data });
			await call(service, 'POST /envelope/field/delete', { fieldId });

			const entries = await logOf(id);

			expect(entries.slice(1).map(({ type, data: about }) => [type, about])).toEqual([
				['DOCUMENT_EXTERNAL_ID_UPDATED', { from: 'a', to: '' }],
				['DOCUMENT_TITLE_UPDATED', { from: 'Contract', to: 'New' }],
				['DOCUMENT_VISIBILITY_UPDATED', { from: 'EVERYONE', to: 'ADMIN' }],
				[
					'RECIPIENT_UPDATED',
					expect.objectContaining({
						changes: [{ type: 'NAME', from: signer.name, to: 'Renamed' }],
					}),
				],
				['FIELD_UPDATED', expect.objectContaining({ fieldRecipientId: recipientId })],
				['FIELD_DELETED', expect.objectContaining({ fieldRecipientId: recipientId })],
			]);
		});

		it('is paged, the newest first, 50 to a page', async () => {
			const { id } = await sendDocument(service);
			const { body } = await call(service, `GET /envelope/${id}/audit-log?perPage=1&page=2`);
			const whole = await call(service, `GET /envelope/${id}/audit-log`);

			expect(body).toMatchObject({ count: 4, currentPage: 2, perPage: 1, totalPages: 4 });
			expect(body.data).toMatchObject([{ type: 'DOCUMENT_FIELDS_AUTO_INSERTED' }]);
			expect(whole.body.perPage).toBe(50);
		});
	});

	test('of a copy is empty', async () => {
		const { body } = await call(service, 'POST /envelope/duplicate', {
			envelopeId: await createDocument(service),
		});
		expect(typesLogged(body.id)).toEqual([]);
	});

	test('says that a document of a template was made by the team', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const { body } = await call(service, 'POST /envelope/use', { payload: { envelopeId } });
		const [entry] = envelopeOf(service, body.id).auditLog;
		expect(entry).toMatchObject({ name: DEMO_TEAM.name, userId: null });
	});

	test('names the team of the token, also where the document belongs to another team', async () => {
		const envelopeId = await createDocument(service);
		const update = { envelopeId, data: { title: 'Renamed' } };
		await call(service, 'POST /envelope/update', update, 'api_second_team');
		expect(envelopeOf(service, envelopeId).auditLog.at(-1)).toMatchObject({
			name: secondTeam.name,
		});
	});

	test('of a deprecated document has no entry about fields that fill themselves in', async () => {
		const field = { type: 'SIGNATURE', pageNumber: 1, pageX: 1, pageY: 1, width: 9, height: 9 };
		const payload = { title: 'Old', recipients: [{ ...first, fields: [field] }] };
		const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
		const { body } = await call(service, 'POST /document/create', form(payload, [file]));
		await call(service, 'POST /document/distribute', { documentId: body.id });
		expect(typesLogged(body.envelopeId)).toEqual([
			'DOCUMENT_CREATED',
			'DOCUMENT_SENT',
			'EMAIL_SENT',
		]);
	});

	test('has null for a recipient without a name', async () => {
		const { envelope, tokens } = await sendDocument(service, {
			recipients: [{ ...first, name: '' }],
		});
		await openPage(service, tokens[0]);
		expect(envelope.auditLog.at(-1)).toMatchObject({ type: 'DOCUMENT_OPENED', name: null });
	});

	test('notes a field that a script empties, but not one that the page leaves empty', async () => {
		const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text' } };
		const recipients = [{ ...first, fields: [signatureField, text] }];
		const entries = [];
		for (const isForm of [false, true]) {
			const { envelope, tokens } = await sendDocument(service, { recipients });
			const id = envelope.fields[1]?.id;
			const emptied = isForm
				? new URLSearchParams({ action: 'sign', [`field-${id}`]: '' })
				: { action: 'sign', fields: { [`${id}`]: null } };
			await postToPage(service, tokens[0], emptied);
			entries.push(typesLogged(envelope.id).includes('DOCUMENT_FIELD_UNINSERTED'));
		}
		expect(entries).toEqual([true, false]);
	});

	it('notes an automatic reminder as sent by nobody', async () => {
		const { id } = await sendDocument(service);

		service.remind(id);

		expect((await logOf(id)).at(-1)).toMatchObject({
			...{ type: 'EMAIL_SENT', name: null, email: null, userId: null },
			data: { recipientEmail: signer.email, emailType: 'REMINDER', isResending: false },
		});
	});

	describe('the certificate', () => {
		it('exists once a document is finished', async () => {
			const { id, tokens } = await sendDocument(service);
			const early = await call(service, `GET /envelope/${id}/certificate/download`);
			await service.reject(tokens[0] ?? '', 'No');
			await service.settled();

			const { status, headers, bytes } = await call(
				service,
				`GET /envelope/${id}/certificate/download`,
			);

			expect([early.status, early.body]).toEqual([
				500,
				{ error: 'Something went wrong', code: 'DOCUMENT_NOT_COMPLETE' },
			]);
			expect(status).toBe(200);
			expect(headers.get('content-disposition')).toBe(
				'attachment; filename="Contract_certificate.pdf"',
			);
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		});
	});

	it('and the certificate are named after the title without its ending', async () => {
		const { id, tokens } = await sendDocument(service, { title: 'Lease 12.PDF' });
		await service.sign(tokens[0] ?? '');
		await service.settled();
		const nameOf = async (path: string) =>
			(await call(service, `GET /envelope/${id}/${path}/download`)).headers.get(
				'content-disposition',
			);

		expect(await nameOf('certificate')).toBe('attachment; filename="Lease 12_certificate.pdf"');
		expect(await nameOf('audit-log')).toBe('attachment; filename="Lease 12_audit-log.pdf"');
	});
});

describe('entries of the audit log', () => {
	test('has the newest entry first; AUTO_INSERTED precedes SENT, names no user and may be empty', async () => {
		const { id } = await sendDocument(service);
		const [, inserted, sent] = await logOf(id, '');
		expect(inserted).toMatchObject({
			type: 'DOCUMENT_FIELDS_AUTO_INSERTED',
			name: null,
			userAgent: null,
			ipAddress: null,
			data: { fields: [] },
		});
		expect(sent).toMatchObject({ type: 'DOCUMENT_SENT', name: DEMO_TEAM.name });
	});

	test('notes the client and the address a proxy names', async () => {
		const id = await createDocument(service);
		await fetch(`${service.url}/api/v2/envelope/distribute`, {
			method: 'POST',
			headers: {
				authorization: DEMO_TOKEN,
				'content-type': 'application/json',
				'user-agent': 'mine/2',
				'x-forwarded-for': '203.0.113.7, 10.0.0.1',
			},
			body: JSON.stringify({ envelopeId: id }),
		});
		const [mailed, , sent, created] = await logOf(id, '');
		const noted = { userAgent: 'mine/2', ipAddress: '203.0.113.7' };
		expect([mailed, sent]).toMatchObject([noted, noted]);
		expect(created).toMatchObject({ userAgent: 'node', ipAddress: null });
	});

	test('has the texts and switches sent along with distribute, not the way or the language', async () => {
		const envelopeId = await createDocument(service);
		const silent = { distributionMethod: 'NONE', language: 'de', subject: '' };
		await post('distribute', { envelopeId, meta: silent });
		expect((await logOf(envelopeId, '')).map(({ type }) => type)).not.toContain(
			'DOCUMENT_META_UPDATED',
		);
		const meta = {
			subject: 'S',
			emailReplyTo: 'r@x.example',
			emailSettings: { documentPending: false },
		};
		await post('distribute', { envelopeId, meta });
		const entry = (await logOf(envelopeId, '')).find(
			({ type }) => type === 'DOCUMENT_META_UPDATED',
		);
		expect(entry?.data).toEqual({
			changes: [
				{ type: 'SUBJECT', from: '', to: 'S' },
				{ type: 'EMAIL_REPLY_TO', from: null, to: 'r@x.example' },
				{
					type: 'EMAIL_SETTINGS',
					from: expect.stringMatching(/^\{"documentDeleted":true,"documentPending":true/) as string,
					to: expect.stringMatching(/^\{"documentDeleted":true,"documentPending":false/) as string,
				},
			],
		});
	});

	test.each([undefined, DEMO_USER.email])(
		'a rejection recorded for %s ends the document',
		async (actAsEmail) => {
			const { id: envelopeId } = await sendDocument(service);
			await post('recipient/1/reject', { envelopeId, reason: 'No', actAsEmail });
			await service.settled();
			const [ended, rejected] = await logOf(envelopeId, '');
			expect(ended?.type).toBe('DOCUMENT_COMPLETED');
			expect(rejected).toMatchObject({
				type: 'DOCUMENT_RECIPIENT_REJECTED',
				name: DEMO_USER.name,
				email: DEMO_USER.email,
				userId: DEMO_USER.id,
				data: { reason: 'No', isExternal: true },
			});
			// Named only if the request names it.
			expect(rejected?.data.onBehalfOfUserEmail).toBe(actAsEmail);
		},
	);

	test('distribute of a template is 500, but its settings are kept', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const answer = await post('distribute', { envelopeId, meta: { subject: 'Kept' } });
		expect(statusAndMessage(answer)).toEqual([500, 'Document not found']);
		expect(envelopeOf(service, envelopeId).documentMeta.subject).toBe('Kept');
	});
});

test('the audit log notes access, null as it was, and emails before roles before names', async () => {
	const envelopeId = await createDocument(service);
	await call(service, 'POST /envelope/update', {
		envelopeId,
		data: { externalId: '', globalAccessAuth: ['ACCOUNT'] },
	});
	const changed = { email: 'b@x.example', name: 'B', role: 'APPROVER', accessAuth: ['ACCOUNT'] };
	await call(service, 'POST /envelope/recipient/update-many', {
		envelopeId,
		data: [{ id: 1, ...changed }],
	});
	const { body } = await call(service, `GET /envelope/${envelopeId}/audit-log`);
	const [recipient, access, externalId] = body.data as Array<{ data: { changes: object[] } }>;
	expect(recipient?.data.changes).toMatchObject([
		{ type: 'ACCESS_AUTH', from: [], to: ['ACCOUNT'] },
		{ type: 'EMAIL' },
		{ type: 'ROLE' },
		{ type: 'NAME' },
	]);
	expect(access?.data).toEqual({ from: [], to: ['ACCOUNT'] });
	expect(externalId?.data).toEqual({ from: null, to: '' });
});

describe('attachments', () => {
	const policy = { label: 'Policy', data: 'https://example.com/policy' };

	const post = posting(service, '/envelope/attachment');

	async function list(envelopeId: string, query = '', token?: string | null) {
		const line = `GET /envelope/attachment?envelopeId=${envelopeId}${query}`;
		return await call(service, line, undefined, token);
	}

	test('they come with a new document, and from its template too', async () => {
		const template = await createDocument(service, { type: 'TEMPLATE', attachments: [policy] });
		const more = { label: 'Terms', data: 'https://example.com/terms' };
		const payload = { envelopeId: template, attachments: [more] };
		const { body } = await call(service, 'POST /envelope/use', form(payload, []));
		expect((await list(String(body.id))).body.data).toMatchObject([policy, more]);
	});

	test('a recipient reads those of his document without an API token', async () => {
		const { id, tokens } = await sendDocument(service, { attachments: [policy] });
		const other = await createDocument(service);
		expect((await list(id, `&token=${tokens[0]}`, null)).body.data).toMatchObject([policy]);
		expect((await list(other, `&token=${tokens[0]}`, null)).status).toBe(404);
		expect((await list(id, '', null)).status).toBe(401);
		expect((await list('envelope_unknown')).status).toBe(404);
	});

	test('those of a finished document stay as they are', async () => {
		const { id: envelopeId, tokens } = await sendDocument(service, { attachments: [policy] });
		await service.sign(tokens[0] ?? '');
		await service.settled();
		const [attachment] = (await list(envelopeId)).body.data as Array<{ id: string }>;
		const refused = [
			await post('create', { envelopeId, data: policy }),
			await post('update', { id: attachment?.id, data: policy }),
			await post('delete', { id: attachment?.id }),
		];
		for (const { body } of refused) {
			expect(body.data).toMatchObject({ code: 'INVALID_REQUEST', httpStatus: 400 });
		}
	});
});

test('where links stop to expire, those that are there keep their deadline when it is sent again', async () => {
	const { envelope } = await sendDocument(service, { recipients: [first] });
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

test('an expiration that an update removes is null, and then the default one', async () => {
	const envelopeId = await createDocument(service, {
		meta: { envelopeExpirationPeriod: { unit: 'day', amount: 1 } },
	});
	const meta = { envelopeExpirationPeriod: null };
	await call(service, 'POST /envelope/update', { envelopeId, meta });
	const envelope = envelopeOf(service, envelopeId);
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
	const draft = envelopeOf(service, await createDocument(service, { meta }));
	const { envelope } = await sendDocument(service, {});
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
	expect(envelopeOf(service, body.id).documentMeta.envelopeExpirationPeriod).toEqual(period);
});

test('a recipient with an account deletes the document only for themselves', async () => {
	const { envelope } = await sendDocument(service, {
		recipients: [first, { ...second, email: member.email }],
	});
	const answer = await call(
		service,
		'POST /envelope/delete',
		{ envelopeId: envelope.id },
		'api_stranger',
	);
	expect(answer.status).toBe(200);
	const { body } = await call(service, `GET /envelope/${envelope.id}`);
	expect(body).toMatchObject({
		status: 'PENDING',
		recipients: [{ documentDeletedAt: null }, { documentDeletedAt: expect.any(String) as string }],
	});
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
	const { envelope } = await sendDocument(service, { meta, recipients });
	const field = envelope.fields.find(({ type }) => type === 'TEXT');
	Object.assign(field ?? {}, { customText: 'typed' });
	await call(service, 'POST /envelope/distribute', { envelopeId: envelope.id });
	expect(field?.customText).toBe('Pre');
});

test('nobody is reminded of a document that has got more recipients than the plan allows', async () => {
	const { envelope } = await sendDocument(service, { recipients: [first] });
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
	const envelope = envelopeOf(service, id);
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
	const template = envelopeOf(service, await createDocument(service, { type: 'TEMPLATE' }));
	const meta = { subject: '', message: '', redirectUrl: '', timezone: '' };
	await call(service, 'POST /envelope/update', { envelopeId: template.id, meta });
	const payload = { envelopeId: template.id };
	const { body } = await call(service, 'POST /envelope/use', { payload });
	const [before, after] = [template, envelopeOf(service, body.id)].map(
		({ documentMeta }) => documentMeta,
	);
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
		const { documentMeta } = envelopeOf(service, body.envelopeId);
		expect(documentMeta.envelopeExpirationPeriod).toEqual({ unit: 'month', amount: 3 });
	}
});

test('a file that is named twice in one update keeps what only one of them gives', async () => {
	const envelope = envelopeOf(service, await createDocument(service));
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
	const renamed = typesLogged(envelope.id).filter((type) => type === 'ENVELOPE_ITEM_UPDATED');
	expect(renamed).toHaveLength(1);
});

test('an empty ID of a sender’s address is stored as it is, also with a new document', async () => {
	const id = await createDocument(service, { meta: { emailId: '', subject: '' } });
	expect(envelopeOf(service, id).documentMeta).toMatchObject({ emailId: '', subject: null });
});

test('a manager cannot cancel what their team’s address has sent in another team', async () => {
	const { envelope } = await sendDocument(service, { recipients: [first] });
	const { status } = await call(
		service,
		'POST /envelope/cancel',
		{ envelopeId: envelope.id },
		'api_address_of_owner',
	);
	expect([status, envelope.status]).toEqual([401, 'PENDING']);
});

test('in a duplicate, values are filled in for who receives a copy, too', async () => {
	const email = { ...signatureField, type: 'EMAIL' };
	const recipients = [first, { ...copied, fields: [email] }];
	const original = await createDocument(service, { recipients });
	const copy = await call(service, 'POST /envelope/duplicate', { envelopeId: original });
	for (const id of [original, copy.body.id]) {
		await call(service, 'POST /envelope/distribute', { envelopeId: id });
		await service.sign(String(envelopeOf(service, id).recipients[0]?.token));
	}
	await service.settled();
	const statuses = [original, copy.body.id].map((id) => envelopeOf(service, id).status);
	expect(statuses).toEqual(['PENDING', 'COMPLETED']);
});
