import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { pdf } from '../support/pdf';
import {
	call,
	create,
	createDocument,
	envelopeOf,
	form,
	getting,
	posting,
	sendDocument,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 5 });

describe('recipients', () => {
	const viewer = { email: 'viewer@example.com', name: 'Vera Viewer', role: 'VIEWER' };

	const post = posting(service, '/envelope/recipient');

	function recipientsOf(envelopeId: string) {
		return service.store.envelopes.get(envelopeId)?.recipients ?? [];
	}

	describe('create-many', () => {
		test('keeps how the recipient has to identify, but no action auth without the plan', async () => {
			const envelopeId = await createDocument(service);
			const known = { ...viewer, accessAuth: ['ACCOUNT'] };
			await post('create-many', { envelopeId, data: [known] });
			expect(recipientsOf(envelopeId)[1]?.authOptions?.accessAuth).toEqual(['ACCOUNT']);
			const refused = await post('create-many', {
				envelopeId,
				data: [{ ...viewer, actionAuth: ['PASSKEY'] }],
			});
			expect(refused.status).toBe(401);
		});
	});

	describe('update-many', () => {
		test('keeps the auth that is left out', async () => {
			const recipients = [{ ...signer, accessAuth: ['ACCOUNT'] }];
			const envelopeId = await createDocument(service, { recipients });
			await post('update-many', { envelopeId, data: [{ id: 1, name: 'Sal' }] });
			expect(recipientsOf(envelopeId)[0]?.authOptions).toEqual({
				accessAuth: ['ACCOUNT'],
				actionAuth: [],
			});
		});

		test('to CC or VIEWER takes the fields away', async () => {
			const envelopeId = await createDocument(service);
			const { body } = await post('update-many', { envelopeId, data: [{ id: 1, role: 'CC' }] });
			expect(body.data).toMatchObject([{ signingStatus: 'SIGNED', sendStatus: 'SENT' }]);
			expect(service.store.envelopes.get(envelopeId)?.fields).toEqual([]);
		});

		test('changes nobody when one of them is unknown', async () => {
			const envelopeId = await createDocument(service);
			const data = [{ id: 1, name: 'Sal' }, { id: 99 }];
			const { status, body } = await post('update-many', { envelopeId, data });
			expect([status, body.message]).toEqual([404, 'Recipient with id 99 not found']);
			expect(recipientsOf(envelopeId)[0]?.name).toBe(signer.name);
		});

		test('and delete refuse a recipient with a filled field', async () => {
			const preset = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', text: 'x' } };
			const recipients = [{ ...signer, fields: [signatureField, preset] }];
			const { id: envelopeId } = await sendDocument(service, { recipients });
			const updated = await post('update-many', { envelopeId, data: [{ id: 1 }] });
			expect(updated.body.data).toMatchObject({ code: 'INVALID_REQUEST', httpStatus: 400 });
			expect((await post('delete', { recipientId: 1 })).status).toBe(400);
		});
	});

	describe('delete', () => {
		test('takes the fields along, once', async () => {
			const envelopeId = await createDocument(service);
			expect((await post('delete', { recipientId: 1 })).body).toEqual({ success: true });
			expect(service.store.envelopes.get(envelopeId)).toMatchObject({ recipients: [], fields: [] });
			const again = await post('delete', { recipientId: 1 });
			expect([again.status, again.body.message]).toEqual([404, 'Document not found']);
		});
	});

	describe('reject', () => {
		const reason = 'Declined by phone';

		test('wants a reason, a waiting recipient of that document, and time left', async () => {
			const { id: envelopeId, tokens } = await sendDocument(service, {
				recipients: [signer, signer],
			});
			const other = await createDocument(service);
			await service.sign(tokens[0] ?? '');
			service.expire(2);
			const answers = [
				await post('1/reject', { envelopeId, reason: '' }),
				await post('1/reject', { envelopeId: other, reason }),
				await post('1/reject', { envelopeId, reason }),
				await post('2/reject', { envelopeId, reason }),
			];
			const codes = answers.map(({ body }) => (body.data as { code: string }).code);
			expect(codes).toEqual(['BAD_REQUEST', 'NOT_FOUND', 'INVALID_REQUEST', 'RECIPIENT_EXPIRED']);
		});

		test('is done in the name of a team member only', async () => {
			const { id: envelopeId } = await sendDocument(service);
			const stranger = { envelopeId, reason, actAsEmail: 'stranger@example.com' };
			expect((await post('1/reject', stranger)).status).toBe(401);
			const member = { ...stranger, actAsEmail: 'owner@example.com' };
			expect((await post('1/reject', member)).status).toBe(200);
		});
	});
});

describe('fields', () => {
	const post = posting(service, '/envelope/field');

	async function createFields(envelopeId: string, ...data: object[]) {
		return await post('create-many', {
			envelopeId,
			data: data.map((field) => ({ type: 'NAME', recipientId: 1, ...field })),
		});
	}

	describe('create-many by coordinates', () => {
		test('answers sizes as text, default settings, and the first item by default', async () => {
			const envelopeId = await createDocument(service);
			const { status, body } = await createFields(envelopeId, signatureField, {
				...signatureField,
				type: 'DATE',
			});
			expect(status).toBe(200);
			const place = { page: 1, positionX: '10', positionY: '20', width: '30', height: '5' };
			expect(body.data).toMatchObject([
				{ envelopeId, type: 'SIGNATURE', ...place, customText: '', inserted: false },
				{
					type: 'DATE',
					fieldMeta: { type: 'date', fontSize: 12 },
					documentId: 1,
					templateId: null,
				},
			]);
			const [item] = envelopeOf(service, envelopeId).items;
			expect(body.data).toHaveProperty([0, 'envelopeItemId'], item?.id);
		});

		test.each([
			[10.1, '10.1'],
			[78.96, '78.95999999999999'],
			[33.333333333333336, '33.33333333333334'],
			[0.30000000000000004, '0.3'],
			[1e-7, '1e-7'],
		])('keeps 16 digits of the size %d: %s', async (width, stored) => {
			const envelopeId = await createDocument(service);
			const { body } = await createFields(envelopeId, { ...signatureField, width });
			const [field] = body.data as Array<{ id: number; width: string }>;
			expect(field?.width).toBe(stored);
			await post('update-many', { envelopeId, data: [{ id: field?.id, type: 'NAME', width: 50 }] });
			expect(envelopeOf(service, envelopeId).auditLog.at(-1)?.data).toMatchObject({
				changes: [{ from: { width: Number(stored) }, to: { width: 50 } }],
			});
		});

		test('refuses an unknown recipient or item, and one who takes no fields', async () => {
			const envelopeId = await createDocument(service, {
				recipients: [signer, { ...signer, role: 'VIEWER', fields: [] }],
			});
			const answers = [
				await createFields(envelopeId, { ...signatureField, recipientId: 99 }),
				await createFields(envelopeId, { ...signatureField, envelopeItemId: 'envelope_item_x' }),
				await createFields(envelopeId, { ...signatureField, recipientId: 2 }),
			];
			expect(answers[0]?.body.message).toBe('Recipient 99 not found');
			for (const { status, body } of answers) {
				expect([status, (body.data as { code: string }).code]).toEqual([400, 'INVALID_REQUEST']);
			}
			expect(envelopeOf(service, envelopeId).fields).toHaveLength(1);
		});

		test('refuses who has signed', async () => {
			const recipients = [signer, { ...signer, email: 'two@example.com' }];
			const { id, tokens } = await sendDocument(service, { recipients });
			await service.sign(tokens[0] ?? '');
			expect((await createFields(id, signatureField)).status).toBe(400);
			expect((await createFields(id, { ...signatureField, recipientId: 2 })).status).toBe(200);
		});
	});

	describe('create-many by text', () => {
		async function upload(...texts: string[]): Promise<string> {
			const payload = { type: 'DOCUMENT', title: 'Texts', recipients: [{ ...signer, fields: [] }] };
			const uploads = [{ filename: 'a.pdf', content: await pdf(...texts) }];
			const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
			return String(body.id);
		}

		test('finds it once, or everywhere with matchAll', async () => {
			const envelopeId = await upload('Sign: [[SIG]]', 'And [[SIG]] here, (a+b)');
			const once = await createFields(envelopeId, { placeholder: '[[SIG]]' });
			expect(once.body.data).toMatchObject([{ page: 1 }]);
			const all = await createFields(envelopeId, { placeholder: '[[SIG]]', matchAll: true });
			expect(all.body.data).toMatchObject([{ page: 1 }, { page: 2 }]);
			const literal = await createFields(envelopeId, { placeholder: '(a+b)' });
			expect(literal.body.data).toMatchObject([{ page: 2 }]);
		});

		test('puts the field where the text is, by default in its size', async () => {
			const envelopeId = await upload('[[SIG]]');
			const { body } = await createFields(
				envelopeId,
				{ placeholder: '[[SIG]]' },
				{ placeholder: '[[SIG]]', width: 40, height: 8 },
			);
			const [given, sized] = body.data as Array<Record<string, string>>;
			// Helvetica of 12 points at x 60 on a page of 595 x 842.
			expect(Number(given?.positionX)).toBeCloseTo((60 / 595) * 100, 6);
			expect(Number(given?.height)).toBeCloseTo((12 / 842) * 100, 6);
			expect(sized).toMatchObject({ positionX: given?.positionX, width: '40', height: '8' });
		});

		test('covers the text in the file, which becomes another one', async () => {
			const envelopeId = await upload('[[SIG]]');
			const [item] = envelopeOf(service, envelopeId).items;
			const before = { ...item };
			await createFields(envelopeId, { placeholder: '[[SIG]]' });
			expect(item?.original.sha256).not.toBe(before.original?.sha256);
			expect(item?.documentDataId).not.toBe(before.documentDataId);
		});

		test('adds nothing when one text is missing', async () => {
			const envelopeId = await upload('[[SIG]]');
			const [item] = envelopeOf(service, envelopeId).items;
			const before = item?.original;
			const { status, body } = await createFields(
				envelopeId,
				{ placeholder: '[[SIG]]' },
				{ placeholder: '{{nope}}' },
			);
			expect([status, body.message]).toEqual([400, 'Placeholder "{{nope}}" not found in PDF']);
			expect(envelopeOf(service, envelopeId).fields).toEqual([]);
			expect(item?.original).toBe(before);
		});

		test('gives way to coordinates', async () => {
			const envelopeId = await upload('[[SIG]]');
			const { body } = await createFields(envelopeId, {
				...signatureField,
				placeholder: '[[SIG]]',
			});
			expect(body.data).toMatchObject([{ positionX: '10' }]);
		});
	});

	describe('update-many', () => {
		test('wants the type, and resets the settings that are left out', async () => {
			const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', label: 'City' } };
			const envelopeId = await createDocument(service, {
				recipients: [{ ...signer, fields: [text] }],
			});
			const untyped = await post('update-many', { envelopeId, data: [{ id: 1, width: 9 }] });
			expect(untyped.body.issues).toMatchObject([{ path: ['data', 0, 'type'] }]);
			await post('update-many', { envelopeId, data: [{ id: 1, type: 'TEXT' }] });
			expect(envelopeOf(service, envelopeId).fields[0]?.fieldMeta).toMatchObject({
				label: '',
				fontSize: 12,
			});
		});
	});
});

describe('settings of fields', () => {
	const post = posting(service, '/envelope');
	const get = getting(service);

	async function withField(field: object, payload: object = {}): Promise<string> {
		const fields = [signatureField, { ...signatureField, ...field }];
		return await createDocument(service, { recipients: [{ ...signer, fields }], ...payload });
	}

	test('a free signature takes no settings, and without them cannot be sent', async () => {
		const envelopeId = await createDocument(service);
		const create = async (more: object) =>
			await post('field/create-many', {
				envelopeId,
				data: [{ ...signatureField, type: 'FREE_SIGNATURE', recipientId: 1, ...more }],
			});
		for (const fieldMeta of [{}, null, { type: 'signature' }]) {
			expect((await create({ fieldMeta })).status).toBe(400);
		}
		expect((await create({})).body.data).toMatchObject([{ fieldMeta: null }]);
		const answer = await post('distribute', { envelopeId });
		expect(answer.body.data).toMatchObject({ code: 'INVALID_REQUEST' });
		expect(statusAndMessage(answer)[1]).toMatch(
			/^One or more fields have invalid metadata\. Error: .*Expected undefined, received null/s,
		);
		expect(envelopeOf(service, envelopeId)).toMatchObject({ status: 'DRAFT', auditLog: [{}, {}] });
		const data = [{ id: 1, type: 'FREE_SIGNATURE' }];
		expect(statusAndMessage(await post('field/update-many', { envelopeId, data }))).toEqual([
			400,
			'Field meta type does not match the field type',
		]);
	});

	test('a field behind the last page lands on the certificate, and the document completes', async () => {
		const fields = [{ ...signatureField, page: 2 }];
		const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		const itemId = envelopeOf(service, id).items[0]?.id;
		expect((await get(`/envelope/item/${itemId}/download?version=pending`)).status).toBe(200);
		await service.sign(String(tokens[0]));
		await service.settled();
		expect(envelopeOf(service, id).status).toBe('COMPLETED');
	});

	const boxes = (checked: number) =>
		['A', 'B', 'C'].map((value, index) => ({ id: index + 1, checked: index < checked, value }));

	test.each([
		['Select at least', 2, 1, ''],
		['Select at least', 2, 2, '[0,1]'],
		['Select exactly', 2, 3, ''],
		['Select exactly', 2, 2, '[0,1]'],
		['Select at most', 1, 2, ''],
		['Select at most', 1, 1, '[0]'],
		['Select at least', 5, 3, ''],
		['Select at least', 0, 1, '[0]'],
	])('"%s %i" with %i boxes checked fills in "%s"', async (rule, length, checked, text) => {
		const values = boxes(checked);
		const meta = { type: 'checkbox', values, validationRule: rule, validationLength: length };
		const id = await withField({ type: 'CHECKBOX', fieldMeta: meta });
		expect((await post('distribute', { envelopeId: id })).status).toBe(200);
		const field = envelopeOf(service, id).fields.find(({ type }) => type === 'CHECKBOX');
		expect(field).toMatchObject({ customText: text, inserted: text !== '' });
	});

	test('an unknown rule of a checkbox field stops distribute', async () => {
		const meta = { type: 'checkbox', values: boxes(1), validationRule: '>=', validationLength: 1 };
		const envelopeId = await withField({ type: 'CHECKBOX', fieldMeta: meta });
		const answer = await post('distribute', { envelopeId });
		expect(statusAndMessage(answer)).toEqual([400, 'Invalid checkbox validation rule']);
		expect(envelopeOf(service, envelopeId)).toMatchObject({ status: 'DRAFT', auditLog: [{}] });
	});

	test('a dropdown default that is no option is not filled in', async () => {
		const meta = { type: 'dropdown', values: [{ value: 'A' }], defaultValue: 'Z' };
		const envelopeId = await withField({ type: 'DROPDOWN', fieldMeta: meta });
		await post('distribute', { envelopeId });
		expect(envelopeOf(service, envelopeId).fields[1]).toMatchObject({
			inserted: false,
			customText: '',
		});
	});

	test('an item of another document is worded by the operation', async () => {
		const envelopeId = await createDocument(service);
		const foreign = envelopeOf(service, await createDocument(service)).items[0]?.id;
		const place = { ...signatureField, envelopeItemId: foreign };
		const answers = [
			await post('field/create-many', { envelopeId, data: [{ ...place, recipientId: 1 }] }),
			await post('field/update-many', { envelopeId, data: [{ ...place, id: 1 }] }),
		];
		expect(answers.map(statusAndMessage)).toEqual([
			[400, 'Item to attach fields to must belong to the document'],
			[400, 'Envelope item not found'],
		]);
	});
});

test('a field can count the files from the end, and a fraction is cut off', async () => {
	for (const identifier of [-1, 0.5]) {
		const recipients = [{ ...signer, fields: [{ ...signatureField, identifier }] }];
		expect((await create(service, { recipients })).status).toBe(200);
	}
});

describe('placeholders', () => {
	const people = [
		{ email: 'one@example.com', name: 'One', role: 'SIGNER' },
		{ email: 'two@example.com', name: 'Two', role: 'SIGNER' },
	];

	async function create(texts: string[], recipients?: object[]) {
		const uploads = [{ filename: 'a.pdf', content: await pdf(...texts) }];
		const payload = { type: 'DOCUMENT', title: 'Placeholders', recipients };
		const answer = await call(service, 'POST /envelope/create', form(payload, uploads));
		return { ...answer, envelope: service.store.envelopes.get(String(answer.body.id)) };
	}

	test('a placeholder becomes a field of its recipient, where its text stands', async () => {
		const { envelope } = await create(['{{signature, r2}}', 'Name: {{NAME, R1}} here'], people);
		const [one, two] = envelope?.recipients ?? [];
		// The text of 12 points at x 60, y 760 of a page of 595 x 842; its width is Helvetica's.
		expect(envelope?.fields).toMatchObject([
			{ type: 'SIGNATURE', page: 1, recipientId: two?.id, fieldMeta: { fontSize: 18 } },
			{ type: 'NAME', page: 2, recipientId: one?.id },
		]);
		const [signature] = envelope?.fields ?? [];
		expect(signature?.positionX).toBeCloseTo((60 / 595) * 100, 6);
		expect(signature?.positionY).toBeCloseTo(((842 - 769.6) / 842) * 100, 6);
		expect(signature?.width).toBeCloseTo((82.728 / 595) * 100, 6);
		expect(signature?.height).toBeCloseTo((12 / 842) * 100, 6);
	});

	test('its text is found in whatever way the PDF draws it', async () => {
		const document = await PDFDocument.create();
		const font = await document.embedFont(StandardFonts.Helvetica);
		const page = document.addPage([595, 842]);
		page.drawText('{{date,', { x: 60, y: 700, size: 10, font });
		const x = 60 + font.widthOfTextAtSize('{{date,', 10);
		page.drawText(' r1}}', { x, y: 700, size: 10, font });
		const uploads = [{ filename: 'a.pdf', content: await document.save() }];
		const payload = { type: 'DOCUMENT', title: 'Split', recipients: people };
		const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
		expect(service.store.envelopes.get(String(body.id))?.fields).toMatchObject([{ type: 'DATE' }]);
	});

	test('its options become the settings of the field', async () => {
		const { envelope } = await create(
			['{{text, r1, label=City, required=true, fontSize=10}}'],
			people,
		);
		expect(envelope?.fields[0]?.fieldMeta).toEqual({
			type: 'text',
			label: 'City',
			required: true,
			fontSize: 10,
		});
	});

	test('a setting the field cannot have fails the upload with 500', async () => {
		expect((await create(['{{text, r1, fontSize=200}}'], people)).status).toBe(500);
	});

	test('an option without a value counts as left out', async () => {
		const { envelope } = await create(['{{text, r1, label, fontSize, required}}'], people);
		expect(envelope?.fields[0]?.fieldMeta).toEqual({ type: 'text', required: false });
	});

	test('without recipients in the payload, recipients are invented', async () => {
		const { envelope } = await create(['{{signature, r1}}']);
		expect(envelope?.recipients).toMatchObject([
			{
				email: 'recipient.1@documenso.com',
				name: 'Recipient 1',
				signingOrder: 1,
				authOptions: null,
			},
		]);
	});

	test('a recipient beyond the list is 400', async () => {
		for (const [written, number] of Object.entries({ r3: 3, r0: 0, R03: 3 })) {
			const { status, body } = await create([`{{signature, ${written}}}`], people);
			expect([status, body.message]).toEqual([
				400,
				`Recipient placeholder ${written} (index ${number}) is out of range. Provided 2 recipient(s).`,
			]);
			expect(body.data).toMatchObject({ code: 'INVALID_BODY' });
		}
	});

	test('numbers among its options are read as such', async () => {
		const { envelope } = await create(['{{text, r1, lineHeight=2}}'], people);
		expect(envelope?.fields[0]?.fieldMeta).toMatchObject({ lineHeight: 2 });
	});

	test('braces without a recipient, or with an unknown type, are left alone', async () => {
		const { envelope } = await create(['{{signature}} {{city, r1}}'], people);
		expect(envelope?.fields).toEqual([]);
		expect(envelope?.items[0]?.original).toBe(envelope?.items[0]?.signed);
	});
});
