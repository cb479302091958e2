import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Envelope, Field } from '../../emulator/entities';
import type { Setup } from '../support/n8n';
import { lines } from '../support/service';
import {
	createAndSend,
	fillFromRow,
	itemWithPdf,
	row,
	signature,
	step,
	USE,
	useService,
	wholeRow,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const ada = { email: 'ada@example.com', name: 'Ada', role: 'SIGNER' };

const bob = { email: 'bob@example.com', name: 'Bob', role: 'SIGNER' };

const cc = { email: 'cleo@example.com', name: 'Cleo', role: 'CC' };

const help = { email: 'hal@example.com', name: 'Hal', role: 'ASSISTANT' };

const { recipient: _recipient, ...place } = signature;

const lower = { ...signature, recipient: 'r2', positionY: 90 };

/** Creates and sends a document for these people; `text` is the PDF's. */
async function send(recipients: object[], fields: object[], changes: IDataObject = {}) {
	const { text = 'A lease', ...rest } = changes;
	const parameters = {
		...{ resource: 'document', operation: 'createAndSend', title: 'Lease' },
		...{ recipients: { recipient: recipients }, fields: { field: fields } },
		...rest,
	};
	return await suite.run(parameters, [await itemWithPdf(text as string)], { mode: 'manual' });
}

const sendIt = async ({ id }: Envelope, settings: IDataObject = {}) =>
	await suite.run(step('document.send', { documentId: id }, settings));

/** Gives another field to somebody who has one already, at Documenso itself. Returns its settings. */
function putField({ fields }: Envelope, type: string, meta: object, place: object = {}) {
	const fieldMeta = { ...meta, type: type.toLowerCase() } as Field['fieldMeta'] & object;
	const own = { id: 9_000 + fields.length, type, positionY: 20, ...place, fieldMeta };
	fields.push({ ...fields[0], ...own } as Field);
	return fieldMeta;
}

const { changes } = suite;

describe('a required field of somebody who only gets a copy', () => {
	const fault =
		"'Recipients > Row 2' only gets a copy, but has a required field: text on page 1 [item 0]";
	const text = { ...lower, type: 'TEXT' };

	test('is refused: the document would never be completed', async () => {
		const { error } = await send([ada, cc], [signature, text]);
		expect(error?.message).toBe(fault);
		expect(error?.description).toContain('turn off its Required, or give it to somebody who signs');
		expect(changes()).toEqual([]);
	});

	test('is no fault if it is optional', async () => {
		const { error } = await send([ada, cc], [signature, { ...text, options: { required: false } }]);
		expect(error).toBeUndefined();
	});

	test('is found in a draft that has it from a placeholder, which is not sent', async () => {
		const text = 'Sign {{signature, r1}} here, date {{date, r2}}';
		const { error } = await send([ada, cc], [], { placeholdersInPdf: true, text });
		expect(error?.message).toContain(
			'cannot be sent: Cleo (cleo@example.com) only gets a copy, but has a required field: date on page 1',
		);
		expect(suite.documents()).toMatchObject([{ status: 'DRAFT' }]);
		expect(error?.description).toContain(`The draft ${suite.documents()[0]?.id} was not sent.`);
		// A date is always required.
		expect(error?.description).not.toContain('Required');
	});

	test('is refused in a template before anything is created, and in its preview', async () => {
		const [tenant, landlord] = suite.template().recipients;
		if (!tenant || !landlord) throw new Error('The template has lost its recipients');
		landlord.role = 'CC';
		for (const operation of ['createDocument', 'previewDocument']) {
			const { error, items } = await suite.run({ ...fillFromRow, operation }, [row(wholeRow)]);
			expect(JSON.stringify([error?.message, items])).toContain(
				'only gets a copy, but has a required field: signature on page 2',
			);
		}
		expect(changes()).toEqual([]);
	});
});

describe('two people with one address', () => {
	const both = [ada, { ...bob, email: 'Ada@example.com' }];

	test('are refused where fields come from placeholders, also in a test run', async () => {
		const text = 'Sign {{signature, r1}} here, and {{signature, r2}} there';
		for (const options of [{}, { manualExecutionsSendTo: 'me@example.com' }]) {
			const { error } = await send(both, [], { placeholdersInPdf: true, text, options });
			expect(error?.message).toBe(
				"'Recipients > Row 2' has the same address as another recipient: Ada@example.com [item 0]",
			);
		}
		expect(changes()).toEqual([]);
	});

	test('are right where fields are listed', async () => {
		expect((await send(both, [signature, lower])).error).toBeUndefined();
	});
});

describe('Document: Send', () => {
	test.each([
		['recipient.1@documenso.com', 'has the address of a placeholder: recipient.1@documenso.com'],
		['', 'has no email address'],
		['DIRECT.LINK@documenso.com', 'has the address of a placeholder'],
	])('refuses a recipient with the address "%s"', async (email, problem) => {
		const draft = await suite.document();
		Object.assign(draft.recipients[0] ?? {}, { email });
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(`${draft.id} cannot be sent: Tina`);
		expect(error?.message).toContain(problem);
		expect(error?.description).toContain("'Recipient: Update'");
		expect(changes()).toEqual([]);
	});

	test('needs no address where the link is passed on by hand', async () => {
		const draft = await suite.document();
		Object.assign(draft.recipients[0] ?? {}, { email: '' });
		const byHand = { additionalFields: { distributionMethod: 'NONE' } };
		expect((await sendIt(draft, byHand)).error).toBeUndefined();
		expect(draft.status).toBe('PENDING');
	});

	test('refuses a signer without a signature field, by name', async () => {
		const draft = await suite.document();
		draft.fields = [];
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(
			'Tina (tenant@example.com) is a signer without a signature field',
		);
		expect(error?.description).toContain("'Field: Add'");
		expect(changes()).toEqual([]);
	});

	test('refuses a field that is required, read only and empty, which would never be sealed', async () => {
		const draft = await suite.document();
		const meta = putField(draft, 'TEXT', { required: true, readOnly: true });
		const { error } = await sendIt(draft);
		expect(error?.message).toContain('has a field that is required, read only and empty');
		Object.assign(meta, { text: 'Annex A' });
		expect((await sendIt(draft)).error).toBeUndefined();
	});

	test.each(['DROPDOWN', 'RADIO', 'CHECKBOX'])(
		'refuses a required %s without choices, which nobody could fill in',
		async (type) => {
			const draft = await suite.document();
			const meta = putField(draft, type, { required: true });
			expect((await sendIt(draft)).error?.message).toContain(
				`has a required field that nobody could fill in: ${type.toLowerCase()} on page 1. Its list of choices is empty`,
			);
			Object.assign(meta, { required: false });
			expect((await sendIt(draft)).error).toBeUndefined();
		},
	);

	test.each([
		['DROPDOWN', { values: [{ value: 'A' }, { value: 'A' }] }, 'Its list of choices has "A" twice'],
		['NUMBER', { numberFormat: '0.00' }, 'Its number format is "0.00"'],
		['NUMBER', { minValue: 5, maxValue: 0 }, 'Its maximum is 0, which is below the minimum 5'],
	])('refuses a required %s that takes no value: %j', async (type, meta, fault) => {
		const draft = await suite.document();
		putField(draft, type, { ...meta, required: true });
		expect((await sendIt(draft)).error?.message).toContain(fault);
	});

	const values = [{ id: 1, value: 'Oslo', checked: true }];

	test.each([
		['SIGNATURE', {}],
		['NAME', {}],
		['INITIALS', {}],
		['DROPDOWN', { required: true, values, defaultValue: 'Bergen' }],
		[
			'CHECKBOX',
			{ required: true, values, validationRule: 'Select at least', validationLength: 2 },
		],
	])('refuses a %s that is read only, which Documenso never fills in', async (type, meta) => {
		const draft = await suite.document();
		putField(draft, type, { ...meta, readOnly: true });
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(
			`has a field that is required, read only and empty: ${type.toLowerCase()} on page 1`,
		);
		expect(error?.description).toContain('urn off its Read Only');
		expect(draft.status).toBe('DRAFT');
	});

	test.each([
		['NAME', {}, undefined],
		['INITIALS', {}, undefined],
		['TEXT', { required: true }, 'is required, read only and empty'],
		['SIGNATURE', {}, 'is required, read only and empty'],
	])(
		'in a document of version 1, where the signing page fills in more, takes a read-only %s: %j',
		async (type, meta, fault) => {
			const draft = await suite.document();
			draft.internalVersion = 1;
			putField(draft, type, { ...meta, readOnly: true });
			const { error } = await sendIt(draft);
			if (fault) expect(error?.message).toContain(fault);
			else expect(error).toBeUndefined();
		},
	);

	test('takes dates and addresses that are read only: Documenso fills them in', async () => {
		const draft = await suite.document();
		putField(draft, 'DATE', { readOnly: true }, { positionY: 10 });
		putField(draft, 'EMAIL', { readOnly: true }, { positionY: 30 });
		expect((await sendIt(draft)).error).toBeUndefined();
		await suite.service.sign(draft.recipients[0]?.token ?? '');
		await suite.service.settled();
		expect(draft.status).toBe('COMPLETED');
	});

	test('refuses a template in which a name is read only, before anything is created', async () => {
		putField(
			suite.template(),
			'NAME',
			{ readOnly: true },
			{ page: 1, positionX: 80, positionY: 2 },
		);
		const { error } = await suite.run(fillFromRow, [row(wholeRow)]);
		expect(error?.message).toContain('is required, read only and empty: name on page 1');
		expect(changes()).toEqual([]);
	});
});

describe('two fields on one spot', () => {
	test('are refused, also those of one person: the lower one cannot be reached', async () => {
		const { error } = await send([ada], [signature, { ...signature, type: 'NAME' }]);
		expect(error?.message).toBe(
			"'Recipients > Row 1' has a field on one spot with their own: name on page 1, at 10 % from the left and 80 % from the top [item 0]",
		);
	});

	test('are no fault side by side, or on two pages', async () => {
		const others = [
			{ ...signature, type: 'NAME', positionX: 40 },
			{ ...signature, type: 'DATE', positionY: 86 },
		];
		expect((await send([ada], [signature, ...others])).error).toBeUndefined();
	});

	test('are found in a draft, although nobody said that the PDF has placeholders', async () => {
		const text = 'Sign here {{signature, r2}}';
		await send([ada, bob], [signature], { operation: 'create', text });
		const { fields } = suite.documents()[0] ?? {};
		const found = fields?.find((field) => field.positionX !== signature.positionX);
		const { page, positionX, positionY, width, height } = found ?? {};
		const place = { page, positionX, positionY, width, height };
		suite.service.calls.length = 0;
		const over = [signature, { ...lower, positionX: 60 }, { ...signature, type: 'NAME', ...place }];
		const { error } = await send([ada, bob], over, { text, placeholdersInPdf: false });
		expect(error?.message).toContain(
			'Bob (bob@example.com) has a field on one spot with that of Ada (ada@example.com): signature',
		);
		expect(changes()).toEqual(['POST /envelope/create']);
	});

	test('are refused in a template', async () => {
		const { fields } = suite.template();
		const [first, second] = fields;
		Object.assign(second ?? {}, { page: first?.page, positionX: first?.positionX });
		Object.assign(second ?? {}, { positionY: first?.positionY });
		const { error } = await suite.run(fillFromRow, [row(wholeRow)]);
		expect(error?.message).toMatch(/cannot be sent: in "Rental agreement", .* on one spot/);
		expect(suite.calls(USE)).toEqual([]);
	});
});

test('a template with a required list without entries makes no document that is sent', async () => {
	suite.become('payment', 'DROPDOWN', { label: 'Payment', required: true, values: [] });
	const { Payment: _, ...rest } = wholeRow;
	const { error } = await suite.run(fillFromRow, [row(rest)]);
	expect(error?.message).toMatch(
		/cannot be sent: in "Rental agreement", .* nobody could fill in: dropdown/,
	);
	expect((await suite.run({ ...fillFromRow, send: false }, [row(rest)])).error).toBeUndefined();
});

describe('an assistant', () => {
	const inOrder = (...people: object[]) =>
		people.map((one, index) => ({ ...one, signingOrder: index + 1 }));

	test.each([
		['where everyone signs at once', [help, ada], 'but everyone signs at once'],
		['alone', inOrder(help), 'but nobody signs after them'],
		['who comes last', inOrder(ada, help), 'but nobody signs after them'],
		['without an order', [help, ...inOrder(ada)], 'but nobody signs after them'],
		['before a CC only', inOrder(ada, help, cc), 'but nobody signs after them'],
	])('%s is refused', async (_, people, problem) => {
		const place = people.findIndex((one) => 'role' in one && one.role === 'SIGNER') + 1;
		const fields = place > 0 ? [{ ...signature, recipient: `r${place}` }] : [];
		const { error } = await send(people, fields);
		expect(error?.message).toContain(`is an assistant, ${problem}`);
		expect(changes()).toEqual([]);
	});

	test('before a signer is right', async () => {
		const { error } = await send(inOrder(help, ada), [{ ...signature, recipient: 'r2' }]);
		expect(error).toBeUndefined();
	});
});

describe('a place in the signing order', () => {
	const placed = (...orders: number[]) => [
		...[ada, bob].map((one, index) => ({ ...one, signingOrder: orders[index] ?? 0 })),
		{ ...cc, signingOrder: orders[0] ?? 0 },
	];
	const inOrder = { additionalFields: { signingOrder: 'SEQUENTIAL' } };
	const fault = (turn: string) => `'Recipients > Row 2' has ${turn} Ada (ada@example.com) [item 0]`;

	test.each([
		['the same', placed(1, 1), {}, fault('the signing order 1, and so has')],
		['none, one after another', placed(0, 0), inOrder, fault('no signing order, and neither has')],
	])('that two people share (%s) is refused', async (_, people, settings, message) => {
		const { error } = await send(people, [signature, lower], settings);
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('that one can finish only after the other');
		expect(changes()).toEqual([]);
	});

	test.each([
		['each has one, or is the only one without', placed(1, 0), {}],
		['everyone signs at once', placed(0, 0), {}],
		[
			'an order is given, but everyone signs at once',
			placed(1, 1),
			{ additionalFields: { signingOrder: 'PARALLEL' } },
		],
		[
			'the links are passed on by hand',
			placed(1, 1),
			{ additionalFields: { distributionMethod: 'NONE' } },
		],
	])('is no fault if %s', async (_, people, settings) => {
		expect((await send(people, [signature, lower], settings)).error).toBeUndefined();
	});

	test('that two people share may be in a draft, which is not sent like that', async () => {
		await send(placed(1, 1), [signature, lower], { operation: 'create' });
		const [draft] = suite.documents();
		if (!draft) throw new Error('The draft was not made');
		expect((await sendIt(draft)).error?.message).toMatch(
			/cannot be sent: Bob \(bob@example\.com\) has the signing order 1, and so has Ada/,
		);
		expect(draft.status).toBe('DRAFT');
	});

	test('of somebody who has signed is free', async () => {
		await send(placed(1, 2), [signature, lower]);
		const [document] = suite.documents();
		const [first, second] = document?.recipients ?? [];
		if (!document || !first || !second) throw new Error('The document was not sent');
		await suite.service.sign(first.token);
		second.signingOrder = 1;
		expect((await sendIt(document)).error).toBeUndefined();
	});

	test.each(['document', 'template'])(
		'that two people share in a draft with the External ID of a %s is found before it is sent',
		async (resource) => {
			const ids = { externalId: 'RA-1', ifExternalIdExists: 'skip' };
			if (resource === 'document') {
				const options = { operation: 'create', additionalFields: ids };
				await send(placed(1, 1), [signature, lower], options);
			} else {
				suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
				const draft = { ...fillFromRow, send: false, additionalFields: ids };
				await suite.run(draft, [row(wholeRow)]);
				for (const one of suite.documents()[0]?.recipients ?? []) one.signingOrder = 1;
			}
			const { error } =
				resource === 'document'
					? await send(placed(1, 2), [signature, lower], { additionalFields: ids })
					: await suite.run({ ...fillFromRow, additionalFields: ids }, [row(wholeRow)]);
			expect(error?.message).toContain('has the signing order 1, and so has');
			const draft = `The draft ${suite.documents()[0]?.id}, which has the External ID of this item`;
			expect(error?.description).toContain(draft);
			expect(suite.documents()).toMatchObject([{ status: 'DRAFT' }]);
		},
	);

	test('is looked at where the draft is read before it is sent, which takes no request more', async () => {
		const ids = { externalId: 'RA-1', ifExternalIdExists: 'skip' };
		await send(placed(1, 2), [signature, lower], { operation: 'create', additionalFields: ids });
		const [draft] = suite.documents();
		if (!draft) throw new Error('There is no draft');
		suite.service.calls.length = 0;
		const { items } = await send(placed(1, 2), [signature, lower], { additionalFields: ids });
		expect(items[0]?.json).toMatchObject({ id: draft.id, sentNow: true });
		const read = `GET /envelope/${draft.id}`;
		const since = lines(suite.service).slice(lines(suite.service).indexOf(read));
		expect(since).toEqual([read, 'POST /envelope/distribute', read]);
	});

	test('that two people share in a template can be put right in the row', async () => {
		const { documentMeta, recipients } = suite.template();
		documentMeta.signingOrder = 'SEQUENTIAL';
		for (const one of recipients) one.signingOrder = 1;
		const { error } = await suite.run(fillFromRow, [row(wholeRow)]);
		expect(error?.message).toMatch(
			/cannot be sent: in "Rental agreement", .* has the signing order 1, and so has/,
		);
		expect(suite.calls(USE)).toEqual([]);
		const own = { ...wholeRow, 'Tenant Signing Order': 2 };
		expect((await suite.run(fillFromRow, [row(own)])).error).toBeUndefined();
		for (const [index, one] of recipients.entries()) one.signingOrder = index + 1;
		const tied = await suite.run(fillFromRow, [row(own)]);
		expect(tied.error?.message).toMatch(
			/^'Tenant signing order' gives two people one turn: .* has the signing order 2, and so has/,
		);
	});
});

describe('an address', () => {
	test('without a dot in its domain is refused before any request', async () => {
		const recipient = [{ ...ada, email: 'tina@gmail' }];
		const parameters = { ...createAndSend, recipients: { recipient } };
		const credential = { baseUrl: 'https://documenso.example.com', apiToken: 'api_never_sent' };
		const { error } = await suite.run(parameters, [await itemWithPdf()], { credential });
		expect(error?.message).toBe(
			"'Recipients > Row 1' has an address without a dot in its domain: tina@gmail [item 0]",
		);
	});

	test('without a dot is right where Documenso is on a network of its own', async () => {
		const { error } = await send([{ ...ada, email: 'tina@localhost' }], [signature]);
		expect(error).toBeUndefined();
	});

	test.each(['.tina@example.com', 'ti..na@example.com', 'tina.@example.com'])(
		'such as %s is sent with a hint',
		async (email) => {
			const { error, hints } = await send([{ ...ada, email }], [signature]);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain(`Few mailboxes have such an address.<br>${email}`);
			const rows = await suite.run(fillFromRow, [row({ ...wholeRow, 'Tenant email': email })]);
			expect(rows.hints.join()).toContain(`<br>${email}`);
		},
	);
});

test('a document that nobody has to sign is sent with a hint', async () => {
	const { error, hints } = await send([cc], []);
	expect(error).toBeUndefined();
	expect(hints.join()).toMatch(/Nobody has to sign:.*<br>cleo@example.com/);
	expect((await send([ada, cc], [signature])).hints.join()).not.toContain('Nobody has to sign');
});

describe('in a document that was sent', () => {
	const sent = async () => await suite.document('createAndSend');
	/** A document for these people, of whom Ada and Bob sign. */
	const people = async (recipients: object[], settings: object = {}) =>
		await suite.document('createAndSend', {
			recipients: { recipient: recipients },
			fields: {
				field: [
					{ ...signature, recipient: 'ada@example.com' },
					{ ...lower, recipient: 'bob@example.com' },
				],
			},
			...settings,
		});
	const inOrder = async (...before: object[]) =>
		await people([...before, ada, bob].map((one, index) => ({ ...one, signingOrder: index + 1 })));
	const change = async ({ id, recipients }: Envelope, updateFields: IDataObject, index = 1) =>
		await suite.run(
			step(
				'recipient.update',
				{ envelopeId: id, recipientId: recipients[index]?.id },
				{ updateFields },
			),
		);
	const add = async ({ id }: Envelope, recipient: IDataObject) =>
		await suite.run(step('recipient.add', { envelopeId: id }, recipient));
	const remove = async ({ recipients }: Envelope, index: number) =>
		await suite.run(step('recipient.delete', { recipientId: recipients[index]?.id }));
	const resend = async ({ id }: Envelope, setup: Setup = {}) =>
		await suite.run(step('document.resend', { documentId: id }), undefined, setup);
	/** Gives a field to the first recipient. */
	const addField = async ({ id, recipients }: Envelope, changes: IDataObject) =>
		await suite.run(
			step(
				'field.add',
				{ envelopeId: id, recipientId: recipients[0]?.id },
				{ ...place, ...changes },
			),
		);
	const updateField = async ({ fields }: Envelope, changes: IDataObject) =>
		await suite.run(step('field.update', { fieldId: fields[0]?.id }, changes));

	test('the only signature of a signer is not deleted', async () => {
		const { id, fields } = await sent();
		const { error } = await suite.run(step('field.delete', { fieldId: fields[0]?.id }));
		expect(error?.message).toContain(
			`${id} was sent, and could not be signed to its end after this: Tina (tenant@example.com) is a signer without a signature field`,
		);
		expect(changes()).toEqual([]);
	});

	test('a signature is not made a text, not made read only, and not put on another field', async () => {
		const document = await sent();
		const asText = await updateField(document, { type: 'TEXT' });
		expect(asText.error?.message).toContain('without a signature field');
		const locked = await updateField(document, { settings: { readOnly: true } });
		expect(locked.error?.message).toContain(
			'is required, read only and empty: signature on page 1',
		);
		const covering = await addField(document, { type: 'NAME' });
		expect(covering.error?.message).toContain('on one spot with their own');
		expect(changes()).toEqual([]);
		expect((await addField(document, { type: 'NAME', positionY: 20 })).error).toBeUndefined();
	});

	test.each<[string, string, IDataObject]>([
		['a required value', 'TEXT', { text: 'Given', required: true }],
		['an optional value', 'TEXT', { text: 'Given', required: false }],
		['an address', 'EMAIL', {}],
	])(
		'%s that nobody could change comes too late for somebody who has the document',
		async (_, type, settings) => {
			const document = await sent();
			const [tina] = document.recipients;
			const free = { type, settings, positionY: 20 };
			const locked = { type, settings: { ...settings, readOnly: true } };
			expect((await addField(document, { ...locked, positionY: 20 })).error?.message).toContain(
				`has the document already, and nobody would fill in a field that is read only: ${type.toLowerCase()} on page 1`,
			);
			expect(changes()).toEqual([]);
			expect((await addField(document, free)).error).toBeUndefined();
			// Who has not got it yet gets it with the value.
			Object.assign(tina ?? {}, { sendStatus: 'NOT_SENT' });
			expect((await addField(document, { ...locked, positionY: 40 })).error).toBeUndefined();
			// The signing page of version 1 fills it in.
			Object.assign(tina ?? {}, { sendStatus: 'SENT' });
			document.internalVersion = 1;
			expect((await addField(document, { ...locked, positionY: 60 })).error).toBeUndefined();
		},
	);

	test('a field that is wrong already can be moved, and another such one is not added', async () => {
		const document = await sent();
		const settings = { required: true, readOnly: true };
		putField(document, 'TEXT', settings);
		const ids = { envelopeId: document.id, fieldId: document.fields[1]?.id };
		const move = step('field.move', ids, { updateFields: { positionY: 30 } });
		expect((await suite.run(move)).error).toBeUndefined();
		const { error } = await addField(document, { type: 'TEXT', settings });
		expect(error?.message).toContain('has a field that is required, read only and empty');
	});

	test('a signer who is added is told to have no signature field yet', async () => {
		const zoe = { email: 'zoe@example.com', name: 'Zoe', role: 'SIGNER' };
		const { hints } = await add(await sent(), zoe);
		expect(hints).toEqual([expect.stringMatching(/'Field: Add'.*<br>Zoe \(zoe@example.com\)$/)]);
	});

	test('so is one who becomes a signer again', async () => {
		const document = await sent();
		document.fields = [];
		const { hints } = await change(document, { role: 'SIGNER' }, 0);
		expect(hints).toEqual([expect.stringContaining('no signature field yet')]);
	});

	test('nobody gets the turn of somebody else', async () => {
		const document = await inOrder();
		const updated = await change(document, { signingOrder: 1 });
		expect(updated.error?.message).toContain(
			'Bob (bob@example.com) has the signing order 1, and so has Ada (ada@example.com)',
		);
		const zoe = { email: 'zoe@example.com', name: 'Zoe', role: 'APPROVER' };
		const added = await add(document, { ...zoe, additionalFields: { signingOrder: 2 } });
		expect(added.error?.message).toContain('has the signing order 2, and so has Bob');
		expect(changes()).toEqual([]);
		expect(updated.error?.description).toContain('To swap two people, first give one of them');
		const third = await add(document, { ...zoe, additionalFields: { signingOrder: 3 } });
		expect(third.error).toBeUndefined();
		expect((await change(document, { signingOrder: 7 })).error).toBeUndefined();
	});

	test('nobody becomes an assistant who has nobody to assist', async () => {
		const document = await inOrder();
		const last = await change(document, { role: 'ASSISTANT' });
		expect(last.error?.message).toContain('is an assistant, but nobody signs after them');
		const parallel = await people([ada, bob]);
		const added = await add(parallel, { ...help });
		expect(added.error?.message).toContain('is an assistant, but everyone signs at once');
		expect(changes()).toEqual([]);
		expect((await change(document, { role: 'ASSISTANT' }, 0)).error).toBeUndefined();
		const orphaned = await remove(document, 1);
		expect(orphaned.error?.message).toContain('is an assistant, but nobody signs after them');
		expect(changes()).toHaveLength(1);
	});

	test('nobody gets the address of a placeholder, and a wrong one can be corrected, but not to another one', async () => {
		const document = await people([ada, bob]);
		const lost = await change(document, { email: 'recipient.2@documenso.com' });
		expect(lost.error?.message).toContain(
			'has the address of a placeholder: recipient.2@documenso.com',
		);
		expect(lost.error?.description).toContain("Enter the address of a person under 'Email'");
		expect(changes()).toEqual([]);
		const [, second] = document.recipients;
		Object.assign(second ?? {}, { email: 'recipient.2@documenso.com' });
		// What is wrong already does not keep anything else from being changed.
		expect((await change(document, { name: 'Ada Miller' }, 0)).error).toBeUndefined();
		const other = await change(document, { email: 'recipient.3@documenso.com' });
		expect(other.error?.message).toContain('address of a placeholder: recipient.3@documenso.com');
		expect((await change(document, { email: bob.email })).error).toBeUndefined();
	});

	test('of two people who share a turn already, each can be corrected, and neither gets another’s', async () => {
		const cleo = { email: 'cleo@example.com', name: 'Cleo', role: 'VIEWER', signingOrder: 3 };
		const document = await people([{ ...ada, signingOrder: 1 }, { ...bob, signingOrder: 2 }, cleo]);
		for (const one of document.recipients.slice(0, 2)) one.signingOrder = 1;
		expect((await change(document, { name: 'Ada Miller' }, 0)).error).toBeUndefined();
		expect((await change(document, { email: 'b@example.com' })).error).toBeUndefined();
		const moved = await change(document, { signingOrder: 3 });
		expect(moved.error?.message).toContain('has the signing order 3, and so has');
		expect((await change(document, { signingOrder: 2 })).error).toBeUndefined();
	});

	describe('by several items of one run, each is judged by what the one before has made', () => {
		/** Which of the items failed. */
		async function failed(parameters: IDataObject, given: INodeExecutionData[]) {
			const setup = { onError: 'continueRegularOutput' } as const;
			const { items } = await suite.run(parameters, given, setup);
			return items.map(({ json }) => 'error' in json);
		}

		test('two people do not get one turn', async () => {
			const document = await inOrder();
			const items = ['x', 'y'].map((name) => ({ json: { email: `${name}@example.com`, name } }));
			const person = { email: '={{ $json.email }}', name: '={{ $json.name }}', role: 'APPROVER' };
			const at = { additionalFields: { signingOrder: 7 } };
			const add = step('recipient.add', { envelopeId: document.id }, { ...person, ...at });
			expect(await failed(add, items)).toEqual([false, true]);
			const ids = { envelopeId: document.id, recipientId: '={{ $json.id }}' };
			const update = step('recipient.update', ids, { updateFields: { signingOrder: 9 } });
			const two = document.recipients.slice(0, 2).map(({ id }) => ({ json: { id } }));
			expect(await failed(update, two)).toEqual([false, true]);
		});

		test('nobody loses both signatures', async () => {
			const document = await suite.document('createAndSend', {
				recipients: { recipient: [ada] },
				fields: { field: [signature, { ...signature, positionX: 60 }] },
			});
			const both = document.fields.map(({ id }) => ({ json: { id } }));
			const remove = step('field.delete', { fieldId: '={{ $json.id }}' });
			expect(await failed(remove, both)).toEqual([false, true]);
			expect(document.fields).toHaveLength(1);
		});

		test('two fields do not come to one spot', async () => {
			const { id, recipients } = await sent();
			const ids = { envelopeId: id, recipientId: recipients[0]?.id };
			const add = step('field.add', ids, { ...place, type: 'NAME', positionY: 20 });
			expect(await failed(add, [{ json: {} }, { json: {} }])).toEqual([false, true]);
		});
	});

	test('an assistant who has acted does not keep the last signer from being removed', async () => {
		const document = await inOrder(help);
		await suite.service.sign(document.recipients[0]?.token ?? '');
		expect((await remove(document, 2)).error).toBeUndefined();
		const { error, hints } = await remove(document, 1);
		expect(error).toBeUndefined();
		expect(hints.join()).toContain('Nobody has to act');
	});

	test('who has signed is left to Documenso, which says so', async () => {
		const document = await inOrder();
		await suite.service.sign(document.recipients[0]?.token ?? '');
		const { error } = await change(document, { signingOrder: 2 }, 0);
		expect(error?.message).toContain('already interacted');
		const added = await addField(document, { type: 'NAME', positionY: 20 });
		expect(added.error?.message).toContain('gives this recipient no more fields');
		expect(added.error?.description).toContain('a field of theirs is filled in');
	});

	test('who gets only a copy loses their fields, so a required one is no fault', async () => {
		const document = await people([ada, bob]);
		expect((await change(document, { role: 'CC' })).error).toBeUndefined();
		expect(document.fields.map(({ recipientId }) => recipientId)).toEqual([
			document.recipients[0]?.id,
		]);
	});

	test('it is told if nobody has to act any more', async () => {
		const document = await people([ada, bob]);
		expect((await remove(document, 1)).hints).toEqual([]);
		const { error, hints } = await remove(document, 0);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			expect.stringMatching(/Nobody has to act any more.*'Document: Send'.*<br>envelope_/),
		]);
		const other = await people([ada, bob]);
		await change(other, { role: 'CC' }, 0);
		expect((await change(other, { role: 'CC' })).hints.join()).toContain('Nobody has to act');
	});

	test('and Document: Send completes it if the others have signed', async () => {
		const document = await people([ada, bob]);
		await suite.service.sign(document.recipients[0]?.token ?? '');
		await remove(document, 1);
		expect(document.status).toBe('PENDING');
		expect((await sendIt(document)).error).toBeUndefined();
		await suite.service.settled();
		expect(document.status).toBe('COMPLETED');
	});

	describe('nobody is asked by a change, which a hint says', () => {
		const ofOrder = (id: string, signingOrder: string, changes: IDataObject = {}) =>
			step('document.update', { documentId: id }, { updateFields: { ...changes, signingOrder } });
		const UNASKED = "Use 'Document: Resend'.<br>";

		test.each<[string, (document: Envelope) => Promise<{ hints: string[] }>]>([
			['the one before is deleted', async (document) => await remove(document, 0)],
			[
				'the one before comes later',
				async (document) => await change(document, { signingOrder: 9 }, 0),
			],
			['everyone signs at once', async ({ id }) => await suite.run(ofOrder(id, 'PARALLEL'))],
		])('where %s', async (_, alter) => {
			const document = await inOrder();
			const { hints } = await alter(document);
			expect(hints.join()).toContain(`${UNASKED}${document.id}: Bob (bob@example.com)`);
			const bob = document.recipients.find(({ email }) => email === 'bob@example.com');
			expect(bob?.sendStatus).toBe('NOT_SENT');
		});

		test('but not of those who are asked, or whose turn it is not', async () => {
			const document = await inOrder();
			const renamed = await change(document, { name: 'Ada Miller' }, 0);
			const titled = await suite.run(ofOrder(document.id, 'SEQUENTIAL', { title: 'A lease' }));
			const later = await remove(document, 1);
			expect([renamed, titled, later].flatMap(({ hints }) => hints)).toEqual([]);
		});

		test('an order that leaves an assistant idle, or a shared turn, is refused', async () => {
			const assisted = await inOrder(help);
			const idle = await suite.run(ofOrder(assisted.id, 'PARALLEL'));
			expect(idle.error?.message).toContain('is an assistant, but everyone signs at once');
			const shared = await people([ada, bob], { additionalFields: { signingOrder: 'PARALLEL' } });
			const tied = await suite.run(ofOrder(shared.id, 'SEQUENTIAL'));
			expect(tied.error?.message).toContain('has no signing order, and neither has');
			expect(changes()).toEqual([]);
		});
	});

	test('Update refuses a name that an expression does not give: the old one would stay beside a new address', async () => {
		const document = await suite.document();
		const { error } = await change(
			document,
			{ email: 'new@example.com', name: '={{ $json.nmae }}' },
			0,
		);
		expect(error?.message).toContain('has an expression that gives nothing: {{ $json.nmae }}');
		expect(changes()).toEqual([]);
	});

	test('a recipient of another document is not updated', async () => {
		const [document, other] = [await sent(), await sent()];
		const { error } = await change({ ...document, recipients: other.recipients }, { name: 'Z' }, 0);
		expect(error?.message).toContain(
			`There is no recipient with the ID ${other.recipients[0]?.id} in ${document.id}`,
		);
	});

	test('what is changed in a draft costs no further look', async () => {
		const { id } = await suite.document('create');
		const items = ['a', 'b', 'c'].map((name) => ({ json: { email: `${name}@example.com` } }));
		const copied = { email: '={{ $json.email }}', role: 'CC' };
		await suite.run(step('recipient.add', { envelopeId: id }, copied), items);
		expect(lines(suite.service)).toHaveLength(4);
	});

	test('Resend does not remind a signer without a signature field', async () => {
		const document = await sent();
		document.fields = [];
		const { error } = await resend(document);
		expect(error?.message).toContain(
			`${document.id} cannot be sent again: Tina (tenant@example.com) is a signer without a signature field`,
		);
		expect(changes()).toEqual([]);
	});

	test('a draft without recipients is not sent', async () => {
		const draft = await suite.document('create', { recipients: {}, fields: {} });
		const before = changes().length;
		const { error } = await sendIt(draft);
		expect(error?.message).toContain(`'Document' ${draft.id} cannot be sent: it has no recipients`);
		expect(error?.description).toContain("Add them with 'Recipient: Add'");
		expect(changes()).toHaveLength(before);
	});

	test('Resend mails no placeholder', async () => {
		const document = await sent();
		const [tina] = document.recipients;
		Object.assign(tina ?? {}, { email: 'recipient.1@documenso.com' });
		const { error } = await resend(document);
		expect(error?.message).toContain('has the address of a placeholder: recipient.1@documenso.com');
		expect(changes()).toEqual([]);
	});

	test('a link that stays expired is a failure of Resend, and a renewed one is not', async () => {
		const document = await sent();
		const [tina] = document.recipients;
		suite.service.expire(tina?.id ?? 0);
		document.documentMeta.envelopeExpirationPeriod = { disabled: true };
		const { error } = await resend(document);
		expect(error?.message).toContain(
			'was sent again, but these recipients still cannot sign: Tina',
		);
		expect(error?.description).toContain("Set 'Expiration' with 'Document: Update'");
		document.documentMeta.envelopeExpirationPeriod = { unit: 'month', amount: 1 };
		expect((await resend(document)).error).toBeUndefined();
	});

	describe('nobody is reminded twice by Retry On Fail', () => {
		const RESEND = 'POST /envelope/redistribute';
		const retried = async (document: Envelope) => {
			suite.service.expire(document.recipients[0]?.id ?? 0);
			return await resend(document, { maxTries: 3 });
		};

		test('if the links stay expired', async () => {
			const document = await sent();
			document.documentMeta.envelopeExpirationPeriod = { disabled: true };
			const { error } = await retried(document);
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(error?.message).toContain('these recipients still cannot sign: Tina');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});

		test('if nothing tells whether the links were renewed, which a hint says', async () => {
			const document = await sent();
			suite.service.fail({ match: /^GET \/envelope\/envelope_/, delayMs: 0 });
			suite.service.fail({ match: /^GET \/envelope\/envelope_/, status: 500 });
			const { error, hints } = await retried(document);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain('could not be asked whether it has renewed the links');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});

		test('if something else has answered', async () => {
			const document = await sent();
			const body = { message: 'Request blocked' };
			suite.service.fail({ match: RESEND, status: 200, body, takesEffect: true });
			expect((await retried(document)).error?.message).toContain('is not retried');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});
	});
});
