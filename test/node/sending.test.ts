import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { lines, sentTo } from '../support/service';
import {
	contract,
	createAndSend,
	fillFromRow,
	itemWithPdf,
	signature,
	signer,
	step,
	tina,
	USE,
	useService,
	WITH_LINKS,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

async function create(changes: IDataObject = {}): Promise<string> {
	const { items, error } = await suite.upload(changes);
	if (error) throw error;
	return items[0]?.json.id as string;
}

describe('Create', () => {
	test('makes a draft of several PDFs, with recipients, their fields and settings', async () => {
		const item = await itemWith({
			lease: { content: await pdf('The lease'), name: 'lease.pdf' },
			rules: { content: await pdf('House rules', 'Page two'), name: 'house "rules" ✓.pdf' },
		});
		const options = { identifier: '1', label: 'Place', required: false };
		const text = { ...signature, type: 'TEXT', page: 2, options };
		const parameters = {
			...{ ...createAndSend, operation: 'create', binaryPropertyName: 'lease, rules' },
			fields: { field: [signature, text] },
			additionalFields: {
				subject: 'Please sign',
				externalId: 'row-7',
				signatureTypes: ['typedSignatureEnabled'],
			},
		};
		const { items, error } = await suite.run(parameters, [item]);

		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: {
					id: expect.stringMatching(/^envelope_/) as string,
					title: 'Lease',
					status: 'DRAFT',
					url: expect.stringMatching(/\/t\/\w+\/documents\/envelope_\w+$/) as string,
					externalId: 'row-7',
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(lines(suite.service)).toContain('POST /envelope/create');
		const position = { page: 1, positionX: 10, positionY: 80, width: 30, height: 6 };
		expect(sentTo(suite.service, 'POST /envelope/create')).toEqual({
			type: 'DOCUMENT',
			title: 'Lease',
			externalId: 'row-7',
			recipients: [
				{
					...signer,
					fields: [
						{ type: 'SIGNATURE', ...position, fieldMeta: { type: 'signature', required: true } },
						{
							type: 'TEXT',
							...position,
							page: 2,
							identifier: 1,
							fieldMeta: { type: 'text', label: 'Place', required: false },
						},
					],
				},
			],
			meta: {
				subject: 'Please sign',
				typedSignatureEnabled: true,
				drawSignatureEnabled: false,
				uploadSignatureEnabled: false,
			},
		});
		const { body } = suite.service.calls.find(({ path }) => path === '/envelope/create') ?? {};
		expect((body as { files: Array<{ filename: string; type: string }> }).files).toMatchObject([
			{ name: 'files', filename: 'lease.pdf', type: 'application/pdf' },
			{ name: 'files', filename: 'house "rules" ✓.pdf', type: 'application/pdf' },
		]);
	});

	test('an order among the recipients makes them sign one after another', async () => {
		const cc = { email: 'cc@example.com', name: '', role: 'CC', signingOrder: 0 };
		await create({
			operation: 'create',
			recipients: { recipient: [{ ...signer, signingOrder: 2 }, cc] },
		});
		const { meta, recipients } = sentTo(suite.service, 'POST /envelope/create');
		expect(meta).toEqual({ signingOrder: 'SEQUENTIAL' });
		expect(recipients).toMatchObject([{ signingOrder: 2 }, { email: 'cc@example.com' }]);
	});

	test('recipients can come as JSON, with their fields', async () => {
		const { recipient: _, ...placed } = signature;
		await create({
			operation: 'create',
			specifyRecipients: 'json',
			recipientsJson: JSON.stringify([{ email: signer.email, name: 'Tina', fields: [placed] }]),
		});
		expect(sentTo(suite.service, 'POST /envelope/create').recipients).toEqual([
			{ ...signer, fields: [placed] },
		]);
	});

	test('placeholders in the PDF become fields', async () => {
		const { items } = await suite.run({ ...createAndSend, operation: 'create', fields: {} }, [
			await itemWithPdf('Sign here: {{signature, r1}}'),
		]);
		const draft = suite.service.store.envelopes.get(items[0]?.json.id as string);
		expect(draft?.fields.map(({ type }) => type)).toEqual(['SIGNATURE']);
	});

	test('a placeholder of a recipient that there is not is explained by the name of its file', async () => {
		const content = await pdf('Sign here: {{signature, r2}}');
		const item = await itemWith({ data: { content, name: 'lease.pdf' } });
		const { error } = await suite.run({ ...createAndSend, operation: 'create' }, [item]);
		expect(error?.message).toBe(
			'lease.pdf contains a placeholder for the recipient r2, but there is no such recipient',
		);
		expect(error?.description).toMatch(
			/^Add the recipient, or remove text such as \{\{signature, r2\}\} from the file: .*is off/,
		);
	});
});

describe('Create and Send', () => {
	test('sends what it made, and returns the signing links if they are chosen', async () => {
		const { items, error } = await suite.run({ ...createAndSend, ...WITH_LINKS }, [
			await itemWithPdf(),
		]);
		expect(error).toBeUndefined();
		const { id } = items[0]?.json ?? {};
		expect(lines(suite.service)).toEqual([
			'POST /envelope/create',
			// Only the draft tells what Documenso has added to it. It tells the document's address, too.
			`GET /envelope/${id as string}`,
			'POST /envelope/distribute',
		]);
		expect(items[0]?.json).toMatchObject({
			status: 'PENDING',
			recipients: [
				{ email: 'tenant@example.com', signingUrl: expect.stringContaining('/sign/') as string },
			],
		});
	});
});

describe('before anything is sent', () => {
	const inJson = (recipient: object) => ({
		...{ specifyRecipients: 'json', recipientsJson: JSON.stringify([recipient]) },
	});

	test.each<[string, IDataObject, string]>([
		['a missing binary field', { binaryPropertyName: 'other' }, "'other' [item 0]"],
		['binary fields that are only commas', { binaryPropertyName: ' , ,' }, "(s)' names no field"],
		[
			'what n8n tells an expression of a file that it holds in memory',
			{ binaryPropertyName: { mimeType: 'application/pdf', fileName: 'lease.pdf' } },
			"'Input Binary Field(s)' names no field: enter the name of a binary field, such as data, without an expression",
		],
		[
			'a binary field that only seems to be there',
			{ binaryPropertyName: 'constructor' },
			"The item has no file in 'constructor'",
		],
		['no recipient', { recipients: {}, fields: {} }, "'Recipients' is empty"],
		[
			'a file beyond the last',
			{ fields: { field: [{ ...signature, options: { identifier: 1 } }] } },
			"File' is 1, but there is no such file",
		],
		['a title that is a list', { title: '={{ [1] }}' }, "'Title' is not text"],
		[
			'JSON with nothing for a number',
			inJson({ email: 'a@b.co', signingOrder: null }),
			"Row 1 > signingOrder' is not a number",
		],
		[
			'JSON with nothing for a name',
			inJson({ email: 'a@b.co', name: null }),
			"Row 1 > name' is not text",
		],
	])('%s is refused', async (_, changes, message) => {
		const { error } = await suite.upload(changes);
		expect(error?.message).toContain(message);
		expect(lines(suite.service)).toEqual([]);
	});

	const named = (name: string) => ({
		recipients: { recipient: [{ ...signer, name }] },
	});

	test.each<[string, IDataObject, string]>([
		['a failed formula as a name', named('={{ $json.failed }}'), 'Name'],
		[
			'a failed formula as a name in JSON',
			{
				specifyRecipients: 'json',
				recipientsJson: JSON.stringify([{ ...signer, name: '#REF!' }]),
			},
			'Row 1 > name',
		],
		['a failed formula as the title', { title: '={{ $json.failed }}' }, 'Title'],
		['a title that was not evaluated', { title: 'Lease of {{ $json.name }}' }, 'Title'],
		[
			'an External ID that was not evaluated',
			{ additionalFields: { externalId: 'L-{{ $json.id }}' } },
			'External ID',
		],
	])('refuses %s before any request', async (_, changes, input) => {
		const item = await itemWith({ data: { content: await pdf() } }, { failed: '#REF!' });
		const { error } = await suite.run({ ...createAndSend, ...changes }, [item]);
		expect(error?.message).toContain(`${input}' `);
		expect(suite.service.calls).toEqual([]);
	});

	test('an empty file is refused', async () => {
		const item = await itemWith({ data: { content: Buffer.alloc(0) } });
		const error = await suite.refused(createAndSend, [item]);
		expect(error.message).toContain("'data' is empty [item 0]");
	});

	test('a signer without a signature field is no error while the PDF holds placeholders', async () => {
		await suite.outputOf({ ...createAndSend, fields: {}, placeholdersInPdf: true }, [
			await itemWithPdf('{{signature, r1}}'),
		]);
	});
});

describe('Send', () => {
	test('sends a draft with settings, and returns the signing links', async () => {
		const id = await create({ operation: 'create' });
		const meta = { distributionMethod: 'NONE', subject: 'Now' };
		const send = step('document.send', { documentId: id }, { additionalFields: meta });
		const { items } = await suite.run(send);
		expect(sentTo(suite.service, 'POST /envelope/distribute')).toEqual({ envelopeId: id, meta });
		expect(items[0]?.json).toMatchObject({ status: 'PENDING', id });
	});
});

test('Create passes on everything that a document can be given', async () => {
	const additionalFields = {
		allowDictateNextSigner: true,
		attachments: { attachment: [{ label: 'Rules', data: 'https://example.com/rules' }] },
		dateFormat: 'dd.MM.yyyy',
		delegatedDocumentOwner: 'boss@example.com',
		emailReplyTo: 'office@example.com',
		emailsOff: ['documentCompleted'],
		envelopeExpirationPeriod: { period: { expiresAmount: 2, expiresUnit: 'week' } },
		externalId: 'row-1',
		formValues: '{"Name":"Tina","Rooms":3,"Pets":false}',
		globalAccessAuth: ['ACCOUNT'],
		language: 'de',
		reminderSettings: {
			reminders: {
				...{ sendAfterAmount: 3, sendAfterUnit: 'day' },
				...{ repeatEveryAmount: 0, repeatEveryUnit: 'day' },
			},
		},
		timezone: 'Europe/Berlin',
		visibility: 'ADMIN',
	};
	await suite.outputOf(
		{ resource: 'document', operation: 'create', ...contract, additionalFields },
		[await itemWithPdf()],
	);
	expect(sentTo(suite.service, 'POST /envelope/create')).toMatchObject({
		attachments: [{ label: 'Rules', data: 'https://example.com/rules' }],
		delegatedDocumentOwner: 'boss@example.com',
		externalId: 'row-1',
		formValues: { Name: 'Tina', Rooms: 3, Pets: false },
		globalAccessAuth: ['ACCOUNT'],
		visibility: 'ADMIN',
		meta: {
			allowDictateNextSigner: true,
			dateFormat: 'dd.MM.yyyy',
			emailReplyTo: 'office@example.com',
			emailSettings: { documentCompleted: false },
			envelopeExpirationPeriod: { amount: 2, unit: 'week' },
			language: 'de',
			reminderSettings: { sendAfter: { amount: 3, unit: 'day' }, repeatEvery: { disabled: true } },
			timezone: 'Europe/Berlin',
		},
	});
});

describe('mails that are switched', () => {
	const off = { emailsOff: ['documentCompleted'] };

	test('Update leaves the others as they are stored, which the service would switch on', async () => {
		const { id } = await suite.document('create', { additionalFields: off });
		const updateFields = { emailsOff: ['recipientSigned'], emailsOn: ['documentPending'] };
		await suite.outputOf(step('document.update', { documentId: id }, { updateFields }));
		const { meta } = sentTo(suite.service, 'POST /envelope/update') as { meta: object };
		expect(meta).toMatchObject({
			emailSettings: { documentCompleted: false, recipientSigned: false, documentPending: true },
		});
	});

	test('Send does so too', async () => {
		const { id } = await suite.document('create', { additionalFields: off });
		const additionalFields = { emailsOff: ['recipientSigned'] };
		await suite.outputOf(step('document.send', { documentId: id }, { additionalFields }));
		expect(sentTo(suite.service, 'POST /envelope/distribute').meta).toMatchObject({
			emailSettings: { documentCompleted: false, recipientSigned: false },
		});
	});
});

const page = expect.stringMatching(/^http.*\/t\/\w+\/documents\/envelope_\w+$/) as unknown;

async function sent(changes: IDataObject = {}) {
	const { items, error } = await suite.upload(changes);
	if (error) throw error;
	return items[0]?.json ?? {};
}

describe('a new document', () => {
	test('has its title, status and address, and signing links instead of tokens', async () => {
		const output = await sent(WITH_LINKS);
		expect(output).toMatchObject({ title: contract.title, status: 'PENDING', url: page });
		expect(Object.keys(output)).toEqual([
			'id',
			'title',
			'status',
			'url',
			'externalId',
			'recipients',
		]);
		expect(output.recipients).toMatchObject([{ signingUrl: expect.any(String) as unknown }]);
		expect(JSON.stringify(output)).not.toContain('"token"');
	});

	test('from a template has them too, without another request', async () => {
		const [output] = await suite.outputOf(fillFromRow, [{ json: tina }]);
		expect(output).toMatchObject({ title: 'Rental agreement', status: 'PENDING', url: page });
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`, USE]);
		const [draft] = await suite.outputOf({ ...fillFromRow, send: false }, [{ json: tina }]);
		expect(draft).toMatchObject({ status: 'DRAFT' });
	});

	test('from a template of the organisation is read for its address: the template may be another team’s', async () => {
		suite.template().templateType = 'ORGANISATION';
		const [output] = await suite.outputOf(fillFromRow, [{ json: tina }]);
		expect(output).toMatchObject({ url: page });
		expect(lines(suite.service).at(-1)).toBe(`GET /envelope/${output?.id as string}`);
	});

	test('of many, one is read for the address of all', async () => {
		const files = await Promise.all(
			Array.from({ length: 5 }, async () => await itemWith({ data: { content: await pdf() } })),
		);
		const { items } = await suite.run({ ...createAndSend, operation: 'create' }, files);
		expect(items.map(({ json }) => json.url)).toEqual(Array(5).fill(page));
		const read = lines(suite.service).filter((line) => line.startsWith('GET /envelope/envelope_'));
		expect(read).toHaveLength(1);
	});

	test('is there without an address if it cannot be read', async () => {
		suite.service.fail({ match: 'GET /envelope/*', status: 403, body: { message: 'No' } });
		const [output] = await suite.outputOf({ ...createAndSend, operation: 'create' }, [
			await itemWithPdf(),
		]);
		expect(output).toMatchObject({ status: 'DRAFT' });
		expect(output?.url).toBeUndefined();
	});
});

test('a draft that cannot be looked at is not sent, and the error says so', async () => {
	suite.service.fail({ match: 'GET /envelope/*', ...refusal('No') });
	const { error } = await suite.upload();
	expect(error?.message).toBe('No');
	expect(error?.description).toContain(`The draft ${suite.documents()[0]?.id} was not sent`);
	expect(suite.calls('POST /envelope/distribute')).toHaveLength(0);
});

describe('a draft that is looked at before it is sent', () => {
	const send = 'POST /envelope/distribute';
	test('is not sent if it has another External ID, though it is for the same people', async () => {
		const other = await suite.document('create', { additionalFields: { externalId: 'RA-9' } });
		suite.service.fail({ match: 'POST /envelope/create', status: 200, body: { id: other.id } });
		const { error } = await suite.upload();
		expect(`${error?.message} ${error?.description}`).toContain('and was not sent');
		expect(suite.calls(send)).toHaveLength(0);
		expect(other.status).toBe('DRAFT');
	});

	test('is not sent if the answer shows another document', async () => {
		const other = await suite.document('create', { additionalFields: { externalId: 'RA-9' } });
		suite.service.intercept('GET /envelope/*', async ({ pass }) => {
			const answer = await pass();
			const made = suite.documents().find(({ id }) => id !== other.id)?.id ?? '';
			return { ...answer, body: answer.text.replaceAll(made, other.id) };
		});
		const { error } = await suite.upload();
		expect(error?.description).toContain('was not sent');
		expect(suite.calls(send)).toHaveLength(0);
	});

	test('is not sent again if it was sent meanwhile', async () => {
		suite.service.intercept('GET /envelope/*', async ({ pass }) => {
			const [made] = suite.documents();
			if (made) made.status = 'PENDING';
			return await pass();
		});
		const { items, error } = await suite.upload();
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ status: 'PENDING', url: page });
		expect(suite.calls(send)).toHaveLength(0);
	});
});

test('a document that was completed by the request whose answer is lost counts as sent', async () => {
	suite.service.fail({ match: 'POST /envelope/distribute', cut: 'after' });
	const people = { recipient: [{ email: 'copy@example.com', name: 'Copy', role: 'CC' }] };
	const item = await itemWithPdf();
	const { items, error } = await suite.run({ ...createAndSend, recipients: people, fields: {} }, [
		item,
	]);
	expect(error).toBeUndefined();
	expect(items[0]?.json.status).toMatch(/PENDING|COMPLETED/);
	expect(suite.calls('POST /envelope/distribute')).toHaveLength(1);
});

test('what an answer names is not said to be sent now if it was sent before', async () => {
	const other = await suite.document('createAndSend', {
		recipients: { recipient: [{ email: 'other@example.com', name: 'Other', role: 'SIGNER' }] },
	});
	suite.service.fail({ match: 'POST /envelope/create', status: 200, body: { id: other.id } });
	const { error } = await suite.upload();
	expect(`${error?.message} ${error?.description}`).toContain('and was not sent');
	expect(suite.calls('POST /envelope/distribute')).toHaveLength(0);
});

describe('Owner Email', () => {
	test('is told about if somebody else owns the document', async () => {
		const item = await itemWithPdf();
		const additionalFields = { delegatedDocumentOwner: 'chief@example.com' };
		const { error, hints } = await suite.run(
			{ resource: 'document', operation: 'create', title: 'Lease', additionalFields },
			[item, item, item],
		);
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringContaining('not chief@example.com')]);
		expect(hints[0]).toContain('Delegate Document Ownership');
		const reads = lines(suite.service).filter((line) => line.startsWith('GET /envelope/'));
		// One for the owner, and one for the team in the addresses.
		expect(reads).toHaveLength(2);
	});
});

describe('a document that cannot be sent', () => {
	hurry();

	const { calls, documents, upload } = suite;

	const states = () => documents().map(({ status }) => status);

	const deleting = { additionalFields: { ifSendingFails: 'delete' } };

	/** From now on, documents from the template cannot be sent, although everything in it looks right. */
	function forbidSending() {
		const [tenant] = suite.template().recipients;
		if (!tenant) throw new Error('The template has lost its recipient');
		tenant.email = '';
		tenant.authOptions = { accessAuth: ['ACCOUNT'], actionAuth: [] };
		return { ...fillFromRow, columns: { mappingMode: 'defineBelow', value: {} } };
	}

	const placeholders = (changes: IDataObject = {}) => ({
		additionalFields: { allowPlaceholders: true, ...changes },
	});

	describe('after it was created', () => {
		test('is kept and named by default, with the reason that the first answer hides', async () => {
			const { error } = await suite.run({ ...forbidSending(), ...placeholders() });
			expect(error?.message).toMatch(/^Recipient \d+ requires an email because they have auth/);
			const [draft] = documents();
			expect(draft?.status).toBe('DRAFT');
			expect(error?.description).toContain(`${draft?.id ?? ''} was created`);
		});

		test('is deleted on request, and the error says so', async () => {
			const { error } = await suite.run({
				...forbidSending(),
				...placeholders({ ifSendingFails: 'delete' }),
			});
			expect(documents()).toHaveLength(0);
			expect(error?.description).toMatch(/^The draft envelope_\w+ was deleted\./);
		});

		test('is kept where it cannot be deleted', async () => {
			suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No') });
			const { error } = await suite.run({
				...forbidSending(),
				...placeholders({ ifSendingFails: 'delete' }),
			});
			expect(error?.description).toContain(`${documents()[0]?.id ?? ''} was created`);
		});

		test('is sent when only the first attempt failed', async () => {
			const body = {
				message: 'x',
				data: { appError: { code: 'DOCUMENT_SEND_FAILED', message: 'x' } },
			};
			suite.service.fail({ match: USE, status: 400, takesEffect: true, body });
			const { error } = await suite.run(fillFromRow, [{ json: tina }]);
			expect(error).toBeUndefined();
			expect(states()).toEqual(['PENDING']);
		});

		test('is not deleted while nobody knows whether it is being sent', async () => {
			suite.service.fail({ match: 'POST /envelope/distribute', cut: 'before' });
			const { error } = await upload(deleting);
			expect(states()).toEqual(['DRAFT']);
			expect(error?.description).toContain(`${documents()[0]?.id ?? ''} was created`);
		});

		test('what was sent in spite of an error is not deleted', async () => {
			const body = { message: 'Busy' };
			const match = 'POST /envelope/distribute';
			suite.service.fail({ match, status: 400, takesEffect: true, body });
			await upload(deleting);
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
			expect(calls('POST /envelope/delete')).toHaveLength(0);
		});

		test('a send that the service refuses names the draft that is left', async () => {
			const code = 'RECIPIENT_LIMIT_EXCEEDED';
			const data = { code, appError: { code, message: 'Too many recipients' } };
			const body = { message: 'No', code: 'INTERNAL_SERVER_ERROR', data };
			suite.service.fail({ match: 'POST /envelope/distribute', status: 400, body });
			const { error } = await upload();
			const [draft] = documents();
			expect(error?.message).toContain('Too many recipients');
			expect(error?.description).toContain(`${draft?.id ?? ''} was created`);
			expect(documents()).toHaveLength(1);
		});

		test('a send that lacks a signature field names the signer and the draft', async () => {
			const { error } = await upload({ fields: {}, placeholdersInPdf: true });
			const [draft] = documents();
			expect(error?.message).toContain(
				'Tina (tenant@example.com) is a signer without a signature field',
			);
			expect(error?.description).toContain(`The draft ${draft?.id ?? ''} was not sent.`);
		});

		test('is named to programs too, though the answer lacks its ID', async () => {
			const { items } = await suite.run({ ...forbidSending(), ...placeholders() }, [{ json: {} }], {
				onError: 'continueRegularOutput',
			});
			const [draft] = documents();
			expect(draft?.status).toBe('DRAFT');
			expect(items[0]?.json.details).toMatchObject({
				code: 'INVALID_REQUEST',
				documentId: draft?.id,
				description: expect.stringContaining(`${draft?.id ?? ''} was created`) as string,
			});
		});
	});

	describe('with Retry On Fail', () => {
		test('a document that was created and not sent is sent by the retry, which does not search for it', async () => {
			suite.service.fail({ match: 'POST /envelope/distribute', ...refusal('Busy') });
			const { error } = await upload({}, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(calls('POST /envelope/create')).toHaveLength(1);
			expect(calls('GET /envelope')).toHaveLength(0);
			expect(states()).toEqual(['PENDING']);
		});

		test('after a deleted draft another is made and sent', async () => {
			const line = 'POST /envelope/distribute';
			suite.service.fail({ match: line, ...refusal('Busy') });
			const { error } = await upload(deleting, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(documents()).toMatchObject([{ status: 'PENDING' }]);
		});

		test('a draft that one answer says is gone is found again when another one is compared with it', async () => {
			const gone = { message: 'Envelope not found', data: { code: 'NOT_FOUND' } };
			suite.service.fail({ match: 'POST /envelope/distribute', ...refusal('Busy') });
			// The first look is the one before the draft is sent.
			suite.service.fail({ match: 'GET /envelope/*', delayMs: 0 });
			suite.service.fail({ match: 'GET /envelope/*', status: 404, body: gone });
			const { error } = await upload({}, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(documents().map(({ status }) => status)).toEqual(['PENDING']);
		});
	});
});
