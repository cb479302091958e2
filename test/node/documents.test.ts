import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { bytesOf, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { lines, sentTo } from '../support/service';
import {
	createAndSend,
	ending,
	fillFromRow,
	row,
	signature,
	step,
	tenants,
	useService,
	wholeRow,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const onDocument = (operation: string, id: unknown, changes: IDataObject = {}) =>
	step(`document.${operation}`, { documentId: id }, changes);
const byIds = (idType: string, id: unknown = '={{ $json.id }}') =>
	step('document.getByIds', {}, { idType, id } as IDataObject);
const draft = async (changes: object = {}) => (await suite.document('create', changes)).id;
const sent = async () => (await suite.document('createAndSend')).id;

describe('Get Many by IDs', () => {
	test('reads documents and templates by either kind of ID, in batches of one kind', async () => {
		const one = await suite.document();
		const two = await suite.document();
		const asked = [
			{ kind: 'envelopeId', id: one.id },
			{ kind: 'documentId', id: two.legacyId },
			{ kind: 'documentId', id: String(one.legacyId) },
			{ kind: 'templateId', id: suite.template().legacyId },
			{ kind: 'envelopeId', id: two.id },
		];
		const read = await suite.outputOf(
			byIds('={{ $json.kind }}'),
			asked.map((json) => ({ json })),
		);
		expect(read.map(({ id }) => id)).toEqual([one.id, two.id, one.id, suite.template().id, two.id]);
		expect(suite.service.calls.map(({ body }) => body)).toEqual(
			expect.arrayContaining([
				{ ids: { type: 'envelopeId', ids: [one.id, two.id] } },
				{ ids: { type: 'documentId', ids: [two.legacyId, one.legacyId] } },
				{ ids: { type: 'templateId', ids: [suite.template().legacyId] } },
			]),
		);
	});

	test('an ID such as document_7 says itself of which kind it is', async () => {
		const { id, legacyId } = await suite.document();
		const template = suite.template();
		const read = await suite.outputOf(
			byIds('envelopeId'),
			[`document_${legacyId}`, `template_${template.legacyId}`].map((one) => ({
				json: { id: one },
			})),
		);
		expect(read.map((one) => one.id)).toEqual([id, template.id]);
	});

	test('45 IDs take three requests; one that is missing fails only its own item', async () => {
		const { id, legacyId } = await suite.document();
		const ids = [legacyId, ...Array.from({ length: 44 }, (_, index) => 9000 + index)];
		const { items } = await suite.run(
			byIds('documentId'),
			ids.map((one) => ({ json: { id: one } })),
			{ onError: 'continueRegularOutput' },
		);
		expect(lines(suite.service).slice(0, 3)).toEqual(Array(3).fill('POST /envelope/get-many'));
		expect(items[0]?.json.id).toBe(id);
		expect(items[1]?.json.error).toBe(
			"'ID' is 9000, but Documenso has nothing with this ID [item 1]",
		);
		expect(items).toHaveLength(45);
	});

	test('an ID that should be a number is refused before any request', async () => {
		const error = await suite.refused(byIds('documentId', 'envelope_abc'));
		expect(error.message).toContain('is not a number');
	});
});

describe('Resend', () => {
	const two = {
		recipients: {
			recipient: [
				{ email: 'tenant@example.com', role: 'SIGNER' },
				{ email: 'anna@example.com', role: 'APPROVER' },
				{ email: 'copy@example.com', role: 'CC' },
			],
		},
	};

	test('those who share a document are reminded once, though each is an item', async () => {
		const [made] = await suite.outputOf(fillFromRow, tenants(1));
		const resend = onDocument('resend', '={{ $json.id }}');
		const people = [1, 2, 3].map((person) => ({ json: { id: made?.id as string, person } }));
		const output = await suite.outputOf(resend, people);
		expect(output).toHaveLength(3);
		expect(new Set(output.map((json) => JSON.stringify(json))).size).toBe(1);
		expect(suite.calls('POST /envelope/redistribute')).toHaveLength(1);
		// In another run, they are reminded again.
		await suite.outputOf(resend, people);
		expect(suite.calls('POST /envelope/redistribute')).toHaveLength(2);
	});

	test('nobody is reminded again by a retry, nor because IDs come in another order', async () => {
		const rows = await suite.outputOf(fillFromRow, tenants(2));
		const [first, second] = rows.map(({ id }) => id as string);
		const [ids = [], others = []] = suite
			.documents()
			.map(({ recipients }) => recipients.map(({ id }) => id));
		const settings = { recipientIds: '={{ $json.ids }}', options: { maxInFlight: 1 } };
		const resend = onDocument('resend', '={{ $json.id }}', settings);
		const match = 'POST /envelope/redistribute';
		suite.service.fail({ match, delayMs: 0 });
		suite.service.fail({ match, ...refusal('Busy') });
		const run = await suite.run(
			resend,
			[
				{ json: { id: first, ids: ids.join() } },
				{ json: { id: second, ids: others.join() } },
				{ json: { id: first, ids: [...ids].reverse().join() } },
			],
			{ maxTries: 2 },
		);
		expect(run.error).toBeUndefined();
		const sent = suite.service.calls.filter(({ path }) => path === '/envelope/redistribute');
		// The second one was refused at first.
		const asked = sent.map(({ body }) => (body as IDataObject).envelopeId);
		expect(asked).toEqual([first, second, second]);
		const [one, , other] = run.items.map(({ json }) => json);
		expect(other).toEqual(one);
	});

	test('goes to everyone who has not acted', async () => {
		const { id, recipients } = await suite.document('createAndSend', two);
		const [tenant, anna, copy] = recipients;
		// A duplicated document has its CC unsigned (documenso-api.md: Duplicating).
		if (copy) copy.signingStatus = 'NOT_SIGNED';
		await suite.service.sign(tenant?.token ?? '');
		const [sent] = await suite.outputOf(onDocument('resend', id));
		expect(sentTo(suite.service, 'POST /envelope/redistribute')).toEqual({
			envelopeId: id,
			recipients: [anna?.id],
		});
		const resentTo = [{ id: anna?.id, name: '', email: 'anna@example.com' }];
		expect(sent).toMatchObject({ id, resentTo, notEmailed: [] });
	});

	describe('of a document that is signed in an order', () => {
		const inOrder = {
			recipients: {
				recipient: [
					{ email: 'third@example.com', role: 'APPROVER', signingOrder: 3 },
					{ email: 'tenant@example.com', name: 'Tina', role: 'SIGNER', signingOrder: 1 },
					{ email: 'second@example.com', role: 'APPROVER', signingOrder: 2 },
				],
			},
			fields: { field: [{ ...signature, recipient: 'tenant@example.com' }] },
		};
		const named = (
			recipients: Array<{ email: string; id: number; token: string }>,
			email: string,
		) => recipients.find((one) => one.email === email);

		test('goes only to the one whose turn it is', async () => {
			const { id, recipients } = await suite.document('createAndSend', inOrder);
			const [sent] = await suite.outputOf(onDocument('resend', id));
			expect(sent?.resentTo).toEqual([expect.objectContaining({ email: 'tenant@example.com' })]);
			await suite.service.sign(named(recipients, 'tenant@example.com')?.token ?? '');
			const [later] = await suite.outputOf(onDocument('resend', id));
			expect(later?.resentTo).toEqual([expect.objectContaining({ email: 'second@example.com' })]);
		});

		test('goes to others only if they are chosen, and warns that it is not their turn', async () => {
			const { id, recipients } = await suite.document('createAndSend', inOrder);
			const recipientIds = [named(recipients, 'third@example.com')?.id];
			const { items, hints } = await suite.run(onDocument('resend', id, { recipientIds }));
			expect(items[0]?.json.resentTo).toEqual([
				expect.objectContaining({ email: 'third@example.com' }),
			]);
			expect(hints).toEqual([expect.stringMatching(/not their turn.*third@example\.com/)]);
		});

		test('names nobody twice among equals: with the same order, the one who was added first is next', async () => {
			const { id, recipients } = await suite.document('createAndSend', inOrder);
			for (const recipient of recipients) recipient.signingOrder = 1;
			const [sent] = await suite.outputOf(onDocument('resend', id));
			const first = Math.min(...recipients.map((recipient) => recipient.id));
			expect(sent?.resentTo).toEqual([expect.objectContaining({ id: first })]);
		});
	});

	test.each([
		['that is passed on without emails', { distributionMethod: 'NONE' }, 'not sent by email'],
		[
			'whose emails for signing requests are off',
			{ emailSettings: { recipientSigningRequest: false } },
			'turned off',
		],
	])('of a document %s says that nobody got an email', async (_, meta, reason) => {
		const { id, documentMeta } = await suite.document('createAndSend', two);
		Object.assign(documentMeta, meta);
		const { items, hints } = await suite.run(onDocument('resend', id));
		expect(suite.calls('POST /envelope/redistribute')).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			resentTo: [],
			notEmailed: [{ email: 'tenant@example.com' }, { email: 'anna@example.com' }],
		});
		expect(hints).toEqual([expect.stringMatching(new RegExp(`emails nobody of these.*${reason}`))]);
	});

	test('goes to chosen recipients', async () => {
		const { id, recipients } = await suite.document('createAndSend', two);
		const recipientIds = `={{ "${recipients[0]?.id ?? ''}" }}`;
		await suite.outputOf(onDocument('resend', id, { recipientIds }));
		expect(sentTo(suite.service, 'POST /envelope/redistribute').recipients).toEqual([
			recipients[0]?.id,
		]);
	});

	test('refuses a recipient who has nothing to do, whom the service would silently skip', async () => {
		const { id, recipients } = await suite.document('createAndSend', two);
		const recipientIds = [recipients[2]?.id];
		const { error } = await suite.run(onDocument('resend', id, { recipientIds }));
		expect(error?.message).toContain(`recipient ${recipients[2]?.id ?? ''}, who has already acted`);
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	});

	test('refuses a document that is not waiting for anybody', async () => {
		const { id } = await suite.document();
		const { error } = await suite.run(onDocument('resend', id));
		expect(error?.message).toContain(`${id} isn't pending (status: draft)`);
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	});
});

describe('Simplify', () => {
	test('gives at most ten keys, the most useful first, and no signing token', async () => {
		const { id } = await suite.document('createAndSend');
		const [simple] = await suite.outputOf(onDocument('get', id));
		expect(Object.keys(simple ?? {})).toEqual([
			'id',
			'type',
			'status',
			'title',
			'externalId',
			'folderId',
			'createdAt',
			'updatedAt',
			'completedAt',
			'recipients',
		]);
		expect(JSON.stringify(simple)).not.toContain('token');
	});

	test('switched off, everything passes, also what nobody knows yet', async () => {
		const { id } = await suite.document();
		const body = { id, status: 'ARCHIVED', brandNew: { deep: [1] } };
		suite.service.fail({ match: `GET /envelope/${id}`, status: 200, body });
		expect(await suite.outputOf(onDocument('get', id, { output: 'raw' }))).toEqual([body]);
	});
});

describe('why a document ended', () => {
	const withReason = { options: { addCancellation: true } };

	test('a rejection is told with who, when and why, by Get, Get Many and Get Many by IDs', async () => {
		const { id, recipients } = await suite.document('createAndSend');
		await suite.service.reject(recipients[0]?.token ?? '', 'The rent is wrong');
		await suite.service.settled();
		const rejection = {
			...{ name: 'Tina', email: 'tenant@example.com', reason: 'The rent is wrong' },
			rejectedAt: expect.any(String) as string,
		};
		for (const one of [onDocument('get', id), step('document.getAll'), byIds('envelopeId', id)]) {
			expect(await suite.outputOf(one)).toMatchObject([{ rejection }]);
		}
	});

	test('the reason of a cancellation is read only when it is asked for', async () => {
		const { id } = await suite.document('createAndSend');
		await suite.outputOf(onDocument('cancel', id, { reason: 'Sold' }));
		suite.service.calls.length = 0;
		const [plain] = await suite.outputOf(onDocument('get', id));
		expect(plain).not.toHaveProperty('cancellation');
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
		expect(await suite.outputOf(onDocument('get', id, withReason))).toMatchObject([
			{ cancellation: { reason: 'Sold', cancelledAt: expect.any(String) as string } },
		]);
	});

	test('nothing is said of a document that goes on', async () => {
		const { id } = await suite.document('createAndSend');
		const [open] = await suite.outputOf(onDocument('get', id, withReason));
		expect(open).not.toHaveProperty('rejection');
		expect(suite.calls(`GET /envelope/${id}/audit-log`)).toEqual([]);
	});
});

describe('Get', () => {
	test('reads one document by its own request', async () => {
		const id = await sent();
		const [read] = await suite.outputOf(onDocument('get', id));
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
		expect(read).toMatchObject({ id, title: 'Lease', status: 'PENDING' });
	});

	test('accepts the address of the document in Documenso as its ID', async () => {
		const id = await sent();
		const back = encodeURI(`/t/team/documents/${await sent()}`);
		const url = `https://app.documenso.com/t/team/documents/${id}/edit?step=2&back=${back}`;
		const documentId = { __rl: true, mode: 'url', value: url };
		const get = step('document.get', {}, { documentId });
		expect(await suite.outputOf(get)).toMatchObject([{ id }]);
	});
});

describe('Update', () => {
	const update = (id: string, updateFields: IDataObject = {}) =>
		onDocument('update', id, { updateFields });

	test('changes the title and the settings', async () => {
		const id = await draft();
		const changed = { title: 'New lease', subject: 'Sign this' };
		const output = await suite.outputOf(update(id, changed));
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: { title: 'New lease' },
			meta: { subject: 'Sign this' },
		});
		expect(output).toMatchObject([{ id, title: 'New lease' }]);
	});

	test('empties what is added and left empty', async () => {
		const id = await draft({ additionalFields: { externalId: 'row-1' } });
		const emptied = { externalId: '', subject: '', redirectUrl: '', emailReplyTo: '', emailId: '' };
		const [output] = await suite.outputOf(update(id, emptied));
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: { externalId: null },
			meta: { subject: '', redirectUrl: '', emailReplyTo: null, emailId: null },
		});
		expect(output?.externalId).toBeNull();
	});

	test('with nothing to change is refused', async () => {
		const error = await suite.refused(update('envelope_abcdefghijklmnop'));
		expect(error.message).toBe("'Update Fields' is empty [item 0]");
	});

	test('leaves alone what an expression leaves empty', async () => {
		const id = await draft();
		await suite.outputOf(update(id, { title: '={{ null }}', subject: 'Sign' }));
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: {},
			meta: { subject: 'Sign' },
		});
	});
});

test('Duplicate copies a document, without its recipients if the user wants that', async () => {
	const { id } = await suite.document();
	const [copy] = await suite.outputOf(onDocument('duplicate', id, { includeRecipients: false }));
	expect(sentTo(suite.service, 'POST /envelope/duplicate')).toEqual({
		envelopeId: id,
		includeRecipients: false,
		includeFields: false,
	});
	expect(suite.service.store.envelopes.get(copy?.id as string)).toMatchObject({
		title: 'Lease (copy)',
		recipients: [],
	});
});

test('Duplicate tells which dates are lost', async () => {
	const { items } = await suite.run(fillFromRow, [row(wholeRow)]);
	const id = items[0]?.json.id as string;
	const { hints } = await suite.run(onDocument('duplicate', id));
	expect(hints.join()).toContain(`does not copy dates that were filled in`);
	expect(hints.join()).toContain(`${id}: Start date`);
	const bare = onDocument('duplicate', id, { includeFields: false });
	expect((await suite.run(bare)).hints).toEqual([]);
});

test('Get Audit Log lists what happened, oldest first when asked for', async () => {
	const { id } = await suite.document('createAndSend');
	const oldestFirst = { orderByDirection: 'asc' };
	const entries = await suite.outputOf(onDocument('getAuditLog', id, oldestFirst));
	expect(lines(suite.service)).toEqual([`GET /envelope/${id}/audit-log`]);
	expect(suite.service.calls[0]?.query).toEqual({
		orderByColumn: 'createdAt',
		orderByDirection: 'asc',
		page: '1',
		perPage: '50',
	});
	expect(entries.map(({ type }) => type)).toEqual(
		expect.arrayContaining(['DOCUMENT_CREATED', 'DOCUMENT_SENT']),
	);
});

describe('Cancel and Delete', () => {
	test('Cancel calls a sent document back', async () => {
		const id = await sent();
		const output = await suite.outputOf(onDocument('cancel', id, { reason: 'Typo' }));
		expect(sentTo(suite.service, 'POST /envelope/cancel')).toEqual({
			envelopeId: id,
			reason: 'Typo',
		});
		expect(output).toEqual([{ id, success: true }]);
	});

	test('Cancel of a draft passes on why it cannot be', async () => {
		const { error } = await suite.run(onDocument('cancel', await draft()));
		expect(error).toMatchObject({
			httpCode: '400',
			message: 'Only pending documents can be cancelled',
		});
		expect(error?.description).toContain('INVALID_REQUEST');
	});

	test('Delete removes a document', async () => {
		const id = await sent();
		expect(await suite.outputOf(onDocument('delete', id))).toEqual([{ id, deleted: true }]);
		expect(sentTo(suite.service, 'POST /envelope/delete')).toEqual({ envelopeId: id });
		expect((await suite.run(onDocument('get', id))).error?.httpCode).toBe('404');
	});
});

describe('Download', () => {
	const download = (id: unknown, changes: IDataObject = {}) => onDocument('download', id, changes);
	/** A document that is completed. */
	async function completed() {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		return id;
	}

	test('returns each signed file of a completed document as a separate item', async () => {
		const item = await itemWith({
			a: { content: await pdf('First'), name: 'a.pdf' },
			b: { content: await pdf('Second'), name: 'b.pdf' },
		});
		const create = { ...createAndSend, binaryPropertyName: 'a,b' };
		const [{ id } = { id: '' }] = await suite.outputOf(create, [item]);
		await suite.complete(id as string);
		const { items } = await suite.run(download(id, { binaryPropertyName: 'file' }));
		const nameOf = (file: string) => `Lease - ${file}_signed${ending(id)}.pdf`;
		expect(items).toMatchObject(
			['a', 'b'].map((file) => ({
				json: { id, status: 'COMPLETED', fileName: nameOf(file), version: 'signed' },
				pairedItem: { item: 0 },
			})),
		);
		const mimeType = 'application/pdf';
		expect(items[0]?.binary?.file).toMatchObject({ fileName: nameOf('a'), mimeType });
		const bytes = await bytesOf(items[0], 'file');
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(bytes.equals(await pdf('First'))).toBe(false);
	});

	test('the signed file of an unfinished document is an error that says so', async () => {
		const id = await sent();
		const { error } = await suite.run(download(id));
		expect(error?.message).toBe(
			`'Document' ${id} isn't completed yet (status: pending): it waits for Tina (tenant@example.com) [item 0]`,
		);
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	});

	test('of a cancelled document there will be no signed file, and the error does not say to wait', async () => {
		const id = await sent();
		await suite.outputOf(onDocument('cancel', id));
		const { error } = await suite.run(download(id));
		expect(error?.message).toBe(
			`'Document' ${id} was cancelled, so there is no signed file [item 0]`,
		);
		expect(error?.description).not.toContain('Wait');
	});

	test('a file says which row it belongs to: by the External ID, without the markers of waits', async () => {
		const made = await suite.document('createAndSend');
		made.externalId = `RA-1 n8n-wait:${'x'.repeat(80)}`;
		const original = download(made.id, { version: 'original' });
		expect((await suite.outputOf(original))[0]).toHaveProperty('externalId', 'RA-1');
	});

	test('an unfinished document can be downloaded when that is asked for', async () => {
		const id = await sent();
		const [file] = await suite.outputOf(download(id, { options: { allowUnfinished: true } }));
		// It is not signed.
		expect(file?.fileName).toBe(`Lease_pending${ending(id)}.pdf`);
	});

	test.each(['certificate', 'audit-log'])('returns the %s as a separate PDF', async (version) => {
		const id = await completed();
		const { items } = await suite.run(download(id, { version }));
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${id}`,
			`GET /envelope/${id}/${version}/download`,
		]);
		const fileName = `Lease_${version}${ending(id)}.pdf`;
		expect(items.map(({ json }) => json)).toMatchObject([{ id, fileName, version }]);
		expect((await bytesOf(items[0])).subarray(0, 5).toString()).toBe('%PDF-');
	});

	test('returns the certificate and the audit log after the signed files', async () => {
		const id = await completed();
		const options = { alsoDownload: ['certificate', 'audit-log'] };
		const { items } = await suite.run(download(id, { version: 'signed', options }));
		expect(items.map(({ json }) => [json.version, json.fileName])).toEqual([
			['signed', `Lease_signed${ending(id)}.pdf`],
			['certificate', `Lease_certificate${ending(id)}.pdf`],
			['audit-log', `Lease_audit-log${ending(id)}.pdf`],
		]);
		const files = await Promise.all(items.map(async (item) => await bytesOf(item)));
		expect(new Set(files.map((file) => file.toString('latin1'))).size).toBe(3);
	});

	test('takes no version of the files for something beside them', async () => {
		const options = { alsoDownload: '={{ ["signed"] }}' };
		const { error } = await suite.run(download(await sent(), { version: 'original', options }));
		expect(error?.message).toBe(
			"'Options > Also Download > Row 1' is neither the certificate nor the audit log [item 0]",
		);
	});

	test('returns the file with what has been filled in so far', async () => {
		const id = await sent();
		const { items } = await suite.run(download(id, { version: 'pending' }));
		expect(items[0]?.json.fileName).toBe(`Lease_pending${ending(id)}.pdf`);
	});

	test('passes on why there is no certificate yet', async () => {
		const { error } = await suite.run(download(await sent(), { version: 'certificate' }));
		expect(error?.message).toBe('The document has no certificate yet');
		expect(error?.context?.code).toBe('DOCUMENT_NOT_COMPLETE');
		expect(error?.description).toContain('completed or rejected');
	});
});

describe('Output', () => {
	async function made(changes: IDataObject) {
		const { items, error } = await suite.upload(changes);
		if (error) throw error;
		return items[0]?.json ?? {};
	}

	test.each([
		['names with commas', ' id, title '],
		['a list of an expression', '={{ ["id", "title"] }}'],
	])('Selected Fields has only those: %s', async (_, outputFields) => {
		const output = await made({ output: 'selected', outputFields });
		expect(Object.keys(output)).toEqual(['id', 'title']);
	});

	const select = async (outputFields: string) =>
		await suite.run(onDocument('get', await draft(), { output: 'selected', outputFields }));

	test('Selected Fields may name fields of the raw record', async () => {
		const { items, hints } = await select('visibility, source');
		expect(items[0]?.json).toEqual({ visibility: 'EVERYONE', source: 'DOCUMENT' });
		expect(hints).toEqual([]);
	});

	test('Selected Fields say which names no record has, and which ones there are', async () => {
		const { items, hints } = await select('visibility, statsu, constructor');
		expect(items[0]?.json).toEqual({ visibility: 'EVERYONE' });
		expect(hints).toEqual([
			expect.stringMatching(/no record of this run has: statsu, constructor\..*status/),
		]);
	});
});

describe('several items of one document', () => {
	const three = (changes: (index: number) => IDataObject) =>
		[0, 1, 2].map((index) => ({ json: changes(index) }));
	const name = (index: number) => ({ name: ['First', 'Second', 'Last'][index] });
	const off = ['recipientSigned', 'documentPending', 'documentCompleted'];

	test.each(['document', 'template'])('%s: Update keeps what each of them changes', async (of) => {
		const { id } = of === 'document' ? await suite.document() : suite.template();
		const updateFields = { emailsOff: '={{ [$json.email] }}' };
		await suite.outputOf(
			step(`${of}.update`, { [`${of}Id`]: id }, { updateFields }),
			three((index) => ({ email: off[index] })),
		);
		const changed = suite.service.store.envelopes.get(id);
		const emails = Object.entries(changed?.documentMeta.emailSettings ?? {});
		expect(emails.filter(([, isOn]) => !isOn).map(([name]) => name)).toEqual(
			expect.arrayContaining(off),
		);
	});

	test('Field: Update keeps what each of them changes', async () => {
		const { id } = suite.field('rent');
		const inJson = { specifySettings: 'json', settingsJson: '={{ $json.settings }}' };
		const changes = ['{"label": "Monthly rent"}', '{"placeholder": "In euros"}', '{"fontSize": 9}'];
		await suite.outputOf(
			step('field.update', { fieldId: id }, inJson),
			three((index) => ({ settings: changes[index] })),
		);
		expect(suite.field('rent').fieldMeta).toMatchObject({
			...{ label: 'Monthly rent', placeholder: 'In euros', fontSize: 9 },
		});
	});

	/** The first request of this kind comes late. */
	function delayFirst(line: `POST ${string}`) {
		let isFirst = true;
		suite.service.intercept(line, async ({ pass }) => {
			const pause = isFirst ? 200 : 0;
			isFirst = false;
			await new Promise((resolve) => setTimeout(resolve, pause));
			return await pass();
		});
	}

	test('File: Add adds their files in their order, though the first is slow', async () => {
		const { id } = await suite.document('create');
		const names = ['1-contract.pdf', '2-annex.pdf', '3-annex.pdf'];
		delayFirst('POST /envelope/item/create-many');
		const items = await Promise.all(
			names.map(async (name) => await itemWith({ data: { content: await pdf(), name } })),
		);
		await suite.outputOf(step('file.add', { envelopeId: id }), items);
		const files = suite.service.store.envelopes.get(id)?.items ?? [];
		const added = [...files].sort((a, b) => a.order - b.order).slice(1);
		expect(added.map(({ title }) => title)).toEqual(names);
	});

	const renamed = ({ id, items }: Envelope) => {
		const updateFields = { title: '={{ `${$json.name} name` }}' };
		return step('file.update', { envelopeId: id, envelopeItemId: items[0]?.id }, { updateFields });
	};

	test.each<[string, () => void]>([
		['the first is slow', () => delayFirst('POST /envelope/item/update-many')],
		[
			'Retry On Fail does the first again',
			() => suite.service.fail({ match: 'POST /envelope/item/update-many', ...refusal('No', 500) }),
		],
	])('File: Update leaves the name that the last one gives, though %s', async (_, arrange) => {
		const document = await suite.document('create');
		arrange();
		await suite.outputOf(renamed(document), three(name), { maxTries: 2 });
		expect(document.items).toMatchObject([{ title: 'Last name' }]);
	});

	test('Attachment: Update leaves the label that the last one gives, though the first is slow', async () => {
		const { id } = await suite.document('create');
		const link = { label: 'Rules', data: 'https://example.com' };
		const [made] = await suite.outputOf(step('attachment.create', { envelopeId: id }, link));
		delayFirst('POST /envelope/attachment/update');
		const named = { ...link, label: '={{ $json.name }}' };
		const update = step('attachment.update', { attachmentId: made?.id }, named);
		expect((await suite.run(update, three(name))).error).toBeUndefined();
		const list = step('attachment.getAll', { envelopeId: id });
		expect(await suite.outputOf(list)).toMatchObject([{ label: 'Last' }]);
	});

	test('Folder: Update and Move leave what the last one gives, though the first is slow', async () => {
		const names = ['First', 'Second', 'Last'];
		const create = step('folder.create', {}, { name: '={{ $json.name }}' });
		const made = await suite.outputOf(create, three(name));
		const of = (name: string) => made.find((one) => one.name === name)?.id as string;
		expect(names.map(of)).not.toContain(undefined);
		delayFirst('POST /folder/update');
		const updateFields = { name: '={{ `${$json.name} name` }}' };
		const update = step('folder.update', { folderId: of('First') }, { updateFields });
		expect((await suite.run(update, three(name))).error).toBeUndefined();
		expect(suite.service.store.folders.get(of('First'))?.name).toBe('Last name');

		const { id } = await suite.document('create');
		delayFirst('POST /envelope/update');
		const ids = { envelopeId: id, folderId: '={{ $json.target }}' };
		const targets = names.map((one) => ({ json: { target: of(one) } }));
		await suite.outputOf(step('folder.moveEnvelope', ids), targets);
		expect(suite.service.store.envelopes.get(id)?.folderId).toBe(of('Last'));
	});

	test.each<[string, 'create' | 'createAndSend', string]>([
		['cancel', 'createAndSend', 'POST /envelope/cancel'],
		['delete', 'createAndSend', 'POST /envelope/delete'],
		['send', 'create', 'POST /envelope/distribute'],
	])('%s does it once, and all of them succeed', async (operation, made, line) => {
		const { id } = await suite.document(made);
		const { items, error } = await suite.run(
			onDocument(operation, id),
			three(() => ({})),
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(suite.calls(line)).toHaveLength(1);
	});
});

describe('an attachment', () => {
	const link = { label: 'House rules', data: 'https://example.com/rules' };

	async function attached() {
		const { id } = await suite.document();
		const [attachment] = await suite.outputOf(step('attachment.create', { envelopeId: id }, link));
		return { id, attachmentId: attachment?.id };
	}

	test('Create puts a link beside a document, and Get Many lists it', async () => {
		const { id, attachmentId } = await attached();
		expect(sentTo(suite.service, 'POST /envelope/attachment/create')).toEqual({
			envelopeId: id,
			data: link,
		});
		expect(await suite.outputOf(step('attachment.getAll', { envelopeId: id }))).toEqual([
			{ id: attachmentId, type: 'link', ...link },
		]);
	});

	test('Update changes label and address', async () => {
		const { attachmentId } = await attached();
		const changed = { label: 'New rules', data: 'https://example.com/new' };
		const update = step('attachment.update', { attachmentId }, changed);
		expect(await suite.outputOf(update)).toEqual([{ id: attachmentId, ...changed }]);
		expect(sentTo(suite.service, 'POST /envelope/attachment/update')).toEqual({
			id: attachmentId,
			data: changed,
		});
	});

	test('Delete takes the link away', async () => {
		const { id, attachmentId } = await attached();
		const remove = step('attachment.delete', { attachmentId });
		expect(await suite.outputOf(remove)).toEqual([{ id: attachmentId, deleted: true }]);
		expect(sentTo(suite.service, 'POST /envelope/attachment/delete')).toEqual({ id: attachmentId });
		expect(await suite.outputOf(step('attachment.getAll', { envelopeId: id }))).toEqual([]);
	});

	test.each([
		['update', { label: 'New rules', data: 'https://example.com/new' }],
		['delete', {}],
	])('%s leaves one of another document than the named one alone', async (operation, changes) => {
		const { id, attachmentId } = await attached();
		const other = await suite.document();
		suite.service.calls.length = 0;
		const ids = (envelopeId: string) => ({ attachmentId, envelopeId });
		const { error } = await suite.run(step(`attachment.${operation}`, ids(other.id), changes));
		expect(error?.message).toContain(
			`'Document or Template' is ${other.id}, but the attachment is not there`,
		);
		expect(lines(suite.service)).toEqual(['GET /envelope/attachment']);
		const right = await suite.run(step(`attachment.${operation}`, ids(id), changes));
		expect(right.error).toBeUndefined();
	});

	test.each([
		[{ data: 'ftp://example.com' }, "'URL' is not a URL with http:// or https://"],
		[{ label: '={{ "" }}' }, "'Label' is empty"],
	])('%j is refused before any request', async (changes, message) => {
		const { id } = await suite.document();
		const create = step('attachment.create', { envelopeId: id }, { ...link, ...changes });
		const error = await suite.refused(create);
		expect(error.message).toContain(message);
	});
});

describe('a token for embedding', () => {
	test('Create makes a token for one document, and Verify finds it good', async () => {
		const { id } = await suite.document();
		const create = step('embedToken.create', { envelopeId: id }, { expiresIn: 30 });
		const [made] = await suite.outputOf(create);
		const scope = `envelopeId:${id}`;
		expect(sentTo(suite.service, 'POST /embedding/create-presign-token')).toEqual({
			expiresIn: 30,
			scope,
		});
		expect(made).toMatchObject({ token: expect.any(String) as string, expiresIn: 1800 });

		const verify = step('embedToken.verify', {}, { token: made?.token, scope });
		expect(await suite.outputOf(verify)).toEqual([{ success: true }]);
		expect(sentTo(suite.service, 'POST /embedding/verify-presign-token')).toEqual({
			token: made?.token,
			scope,
		});
	});

	test.each([
		[10_081, 'is above 10080 minutes, which is a week'],
		[-1, 'is below 0'],
		...[0, 1, 4].map((expiresIn) => [
			...[expiresIn, 'is below 5 minutes; Documenso would use 60 minutes instead'],
		]),
	])('%s minutes are refused before any request', async (expiresIn, message) => {
		const error = await suite.refused(step('embedToken.create', {}, { expiresIn }));
		expect(error.message).toContain(message);
	});
});
