import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator } from '../../emulator';
import {
	type Answer,
	call,
	createDocument,
	envelopeOf,
	form,
	sendDocument,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';

const member = { id: 2, name: 'Max', email: 'max@example.com' };
const manager = { id: 3, name: 'Mia', email: 'mia@example.com' };
const team = DEMO_TEAM;

const service = useEmulator({
	sealDelayMs: 5,
	tokens: [
		{ token: DEMO_TOKEN, user: DEMO_USER, team },
		{ token: 'api_member', user: member, team, role: 'MEMBER' },
		{ token: 'api_manager', user: manager, team, role: 'MANAGER' },
	],
});

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/${action}`, body);
}

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
	async function post(path: string, body: unknown, token?: string): Promise<Answer> {
		return await call(service, `POST /envelope/${path}`, body, token);
	}

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

	async function post(action: string, body: object) {
		return await call(service, `POST /envelope/attachment/${action}`, body);
	}

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
