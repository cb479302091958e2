import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Envelope, Field } from '../../emulator/entities';
import { DEMO_TEAM } from '../../emulator/options';
import { itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { folder, paperwork } from '../support/polling';
import { lines, sentTo } from '../support/service';
import { byId, fillFromRow, row, signature, USE, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

const ada = { email: 'ada@example.com', name: 'Ada', role: 'SIGNER' };

const bob = { email: 'bob@example.com', name: 'Bob', role: 'SIGNER' };

const cc = { email: 'cleo@example.com', name: 'Cleo', role: 'CC' };

const help = { email: 'hal@example.com', name: 'Hal', role: 'ASSISTANT' };

const lower = { ...signature, recipient: 'r2', positionY: 90 };

/** Creates and sends a document for these people; `text` is the PDF's. */
async function send(recipients: object[], fields: object[], changes: IDataObject = {}) {
	const { text = 'A lease', ...rest } = changes;
	const item = await itemWith({ data: { content: await pdf(text as string) } });
	const parameters = {
		...{ resource: 'document', operation: 'createAndSend', title: 'Lease' },
		...{ recipients: { recipient: recipients }, fields: { field: fields } },
		...rest,
	};
	return await suite.run(parameters, [item], { mode: 'manual' });
}

const sendIt = async ({ id }: Envelope) =>
	await suite.run({ resource: 'document', operation: 'send', documentId: byId(id) });

/** What was changed in Documenso. */
const changes = () => lines(suite.service).filter((line) => !line.startsWith('GET'));

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
		const { error } = await suite.run({
			...{ resource: 'document', operation: 'send', documentId: byId(draft.id) },
			additionalFields: { distributionMethod: 'NONE' },
		});
		expect(error).toBeUndefined();
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
		const [first] = draft.fields;
		const fieldMeta = { type: 'text', required: true, readOnly: true } as Field['fieldMeta'];
		draft.fields.push({ ...first, id: 9_999, type: 'TEXT', positionY: 20, fieldMeta } as Field);
		const { error } = await sendIt(draft);
		expect(error?.message).toContain('has a field that is required, read only and empty');
		Object.assign(fieldMeta ?? {}, { text: 'Annex A' });
		expect((await sendIt(draft)).error).toBeUndefined();
	});

	test.each(['DROPDOWN', 'RADIO', 'CHECKBOX'])(
		'refuses a required %s without choices, which nobody could fill in',
		async (type) => {
			const draft = await suite.document();
			const [first] = draft.fields;
			const fieldMeta = { type: type.toLowerCase(), required: true } as Field['fieldMeta'];
			draft.fields.push({ ...first, id: 9_999, type, positionY: 20, fieldMeta } as Field);
			const { error } = await sendIt(draft);
			expect(error?.message).toContain(
				`has a required field that nobody could fill in: ${type.toLowerCase()} on page 1. Its list of choices is empty`,
			);
			Object.assign(fieldMeta ?? {}, { required: false });
			expect((await sendIt(draft)).error).toBeUndefined();
		},
	);

	test.each([
		['DROPDOWN', { values: [{ value: 'A' }, { value: 'A' }] }, 'Its list of choices has "A" twice'],
		['NUMBER', { numberFormat: '0.00' }, 'Its number format is "0.00"'],
		['NUMBER', { minValue: 5, maxValue: 0 }, 'Its maximum is 0, which is below the minimum 5'],
	])('refuses a required %s that takes no value: %j', async (type, meta, fault) => {
		const draft = await suite.document();
		const [first] = draft.fields;
		const fieldMeta = { ...meta, type: type.toLowerCase(), required: true } as Field['fieldMeta'];
		draft.fields.push({ ...first, id: 9_999, type, positionY: 20, fieldMeta } as Field);
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
		const [first] = draft.fields;
		const fieldMeta = { ...meta, type: type.toLowerCase(), readOnly: true } as Field['fieldMeta'];
		draft.fields.push({ ...first, id: 9_999, type, positionY: 20, fieldMeta } as Field);
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
			const [first] = draft.fields;
			const fieldMeta = { ...meta, type: type.toLowerCase(), readOnly: true } as Field['fieldMeta'];
			draft.fields.push({ ...first, id: 9_999, type, positionY: 20, fieldMeta } as Field);
			const { error } = await sendIt(draft);
			if (fault) expect(error?.message).toContain(fault);
			else expect(error).toBeUndefined();
		},
	);

	test('takes dates and addresses that are read only: Documenso fills them in', async () => {
		const draft = await suite.document();
		const [first] = draft.fields;
		for (const [index, type] of ['DATE', 'EMAIL'].entries()) {
			const fieldMeta = { type: type.toLowerCase(), readOnly: true };
			const place = { id: 9_990 + index, positionY: 10 + 20 * index };
			draft.fields.push({ ...first, ...place, type, fieldMeta } as Field);
		}
		expect((await sendIt(draft)).error).toBeUndefined();
		await suite.service.sign(draft.recipients[0]?.token ?? '');
		await suite.service.settled();
		expect(draft.status).toBe('COMPLETED');
	});

	test('refuses a template in which a name is read only, before anything is created', async () => {
		const [first] = suite.template().fields;
		const place = { id: 9_999, page: 1, positionX: 80, positionY: 2 };
		const fieldMeta = { type: 'name', readOnly: true };
		suite.template().fields.push({ ...first, ...place, type: 'NAME', fieldMeta } as Field);
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
		expect(
			(await send([ada, bob], [signature], { operation: 'create', text })).error,
		).toBeUndefined();
		const found = suite
			.documents()[0]
			?.fields.find(({ positionX }) => positionX !== signature.positionX);
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
	const credential = {
		...{ baseUrl: 'https://documenso.example.com', apiToken: 'api_never_sent' },
		...{ webhookSecret: '', webhookHeader: '' },
	};

	test('without a dot in its domain is refused before any request', async () => {
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const parameters = {
			...{ resource: 'document', operation: 'createAndSend', title: 'Lease' },
			recipients: { recipient: [{ ...ada, email: 'tina@gmail' }] },
			fields: { field: [signature] },
		};
		const { error } = await runNode(credential, parameters, [item]);
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

	test('the only signature of a signer is not deleted', async () => {
		const { id, fields } = await sent();
		const remove = { resource: 'field', operation: 'delete', fieldId: byId(fields[0]?.id) };
		const { error } = await suite.run(remove);
		expect(error?.message).toContain(
			`${id} was sent, and could not be signed to its end after this: Tina (tenant@example.com) is a signer without a signature field`,
		);
		expect(changes()).toEqual([]);
	});

	test('a signature is not made a text, and not put on another field', async () => {
		const document = await sent();
		const fieldId = byId(document.fields[0]?.id);
		const update = { resource: 'field', operation: 'update', fieldId, type: 'TEXT' };
		expect((await suite.run(update)).error?.message).toContain('without a signature field');
		const add = {
			...{ resource: 'field', operation: 'add', envelopeId: byId(document.id) },
			recipientId: byId(document.recipients[0]?.id),
			...{ type: 'NAME', page: 1, positionX: 10, positionY: 80, width: 30, height: 6 },
		};
		expect((await suite.run(add)).error?.message).toContain('on one spot with their own');
		expect(changes()).toEqual([]);
		expect((await suite.run({ ...add, positionY: 20 })).error).toBeUndefined();
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
			const add = {
				...{ resource: 'field', operation: 'add', envelopeId: byId(document.id), type },
				...{ recipientId: byId(tina?.id), page: 1 },
				...{ positionX: 10, positionY: 20, width: 30, height: 6 },
			};
			const locked = { settings: { ...settings, readOnly: true } };
			expect((await suite.run({ ...add, ...locked })).error?.message).toContain(
				`has the document already, and nobody would fill in a field that is read only: ${type.toLowerCase()} on page 1`,
			);
			expect(changes()).toEqual([]);
			expect((await suite.run({ ...add, settings })).error).toBeUndefined();
			// Who has not got it yet gets it with the value.
			Object.assign(tina ?? {}, { sendStatus: 'NOT_SENT' });
			const lower = { ...add, ...locked, positionY: 40 };
			expect((await suite.run(lower)).error).toBeUndefined();
			// The signing page of version 1 fills it in.
			Object.assign(tina ?? {}, { sendStatus: 'SENT' });
			document.internalVersion = 1;
			const lowest = { ...add, ...locked, positionY: 60 };
			expect((await suite.run(lowest)).error).toBeUndefined();
		},
	);

	test('the only signature is not made read only', async () => {
		const document = await sent();
		const fieldId = byId(document.fields[0]?.id);
		const update = {
			resource: 'field',
			operation: 'update',
			fieldId,
			settings: { readOnly: true },
		};
		expect((await suite.run(update)).error?.message).toContain(
			'is required, read only and empty: signature on page 1',
		);
		expect(changes()).toEqual([]);
	});

	test('a field that is wrong already can be moved, and another such one is not added', async () => {
		const document = await sent();
		const [signed] = document.fields;
		if (!signed) throw new Error('The document has no field');
		const fieldMeta = { type: 'text', required: true, readOnly: true } as const;
		document.fields.push({ ...signed, id: 999, type: 'TEXT', positionY: 20, fieldMeta });
		const part = { resource: 'field', envelopeId: byId(document.id) };
		const updateFields = { positionY: 30 };
		const move = { ...part, operation: 'move', fieldId: byId(999), updateFields };
		expect((await suite.run(move)).error).toBeUndefined();
		const { error } = await suite.run({
			...{ ...part, operation: 'add', recipientId: byId(signed.recipientId), type: 'TEXT' },
			...{ page: 1, positionX: 10, positionY: 80, width: 30, height: 6 },
			settings: { required: true, readOnly: true },
		});
		expect(error?.message).toContain('has a field that is required, read only and empty');
	});

	test('a signer who is added is told to have no signature field yet', async () => {
		const { id } = await sent();
		const { hints } = await suite.run({
			...{ resource: 'recipient', operation: 'add', envelopeId: byId(id) },
			...{ email: 'zoe@example.com', name: 'Zoe', role: 'SIGNER' },
		});
		expect(hints).toEqual([expect.stringMatching(/'Field: Add'.*<br>Zoe \(zoe@example.com\)$/)]);
	});

	test('so is one who becomes a signer again', async () => {
		const document = await sent();
		document.fields = [];
		const { hints } = await suite.run({
			...{ resource: 'recipient', operation: 'update', envelopeId: byId(document.id) },
			recipientId: byId(document.recipients[0]?.id),
			updateFields: { role: 'SIGNER' },
		});
		expect(hints).toEqual([expect.stringContaining('no signature field yet')]);
	});

	const people = async (recipients: object[]) =>
		await suite.document('createAndSend', {
			recipients: { recipient: recipients },
			fields: {
				field: [
					{ ...signature, recipient: 'ada@example.com' },
					{ ...lower, recipient: 'bob@example.com' },
				],
			},
		});
	const inOrder = async () =>
		await people([
			{ ...ada, signingOrder: 1 },
			{ ...bob, signingOrder: 2 },
		]);
	const change = async ({ id, recipients }: Envelope, updateFields: IDataObject, index = 1) =>
		await suite.run({
			...{ resource: 'recipient', operation: 'update', envelopeId: byId(id) },
			...{ recipientId: byId(recipients[index]?.id), updateFields },
		});
	const add = async ({ id }: Envelope, recipient: IDataObject) =>
		await suite.run({
			...{ resource: 'recipient', operation: 'add', envelopeId: byId(id) },
			...recipient,
		});
	const remove = async ({ recipients }: Envelope, index: number) =>
		await suite.run({
			...{ resource: 'recipient', operation: 'delete' },
			recipientId: byId(recipients[index]?.id),
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

	test('nobody gets the address of a placeholder, and a wrong one can be corrected', async () => {
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
		const failed = (items: INodeExecutionData[]) => items.map(({ json }) => 'error' in json);

		test('two people do not get one turn', async () => {
			const document = await inOrder();
			const items = ['x', 'y'].map((name) => ({ json: { email: `${name}@example.com`, name } }));
			const added = await suite.run(
				{
					...{ resource: 'recipient', operation: 'add', envelopeId: byId(document.id) },
					...{ email: '={{ $json.email }}', name: '={{ $json.name }}', role: 'APPROVER' },
					additionalFields: { signingOrder: 7 },
				},
				items,
				{ onError: 'continueRegularOutput' },
			);
			expect(failed(added.items)).toEqual([false, true]);
			const updated = await suite.run(
				{
					...{ resource: 'recipient', operation: 'update', envelopeId: byId(document.id) },
					recipientId: byId('={{ $json.id }}'),
					updateFields: { signingOrder: 9 },
				},
				document.recipients.slice(0, 2).map(({ id }) => ({ json: { id } })),
				{ onError: 'continueRegularOutput' },
			);
			expect(failed(updated.items)).toEqual([false, true]);
		});

		test('nobody loses both signatures', async () => {
			const document = await suite.document('createAndSend', {
				recipients: { recipient: [ada] },
				fields: { field: [signature, { ...signature, positionX: 60 }] },
			});
			const { items } = await suite.run(
				{ resource: 'field', operation: 'delete', fieldId: byId('={{ $json.id }}') },
				document.fields.map(({ id }) => ({ json: { id } })),
				{ onError: 'continueRegularOutput' },
			);
			expect(failed(items)).toEqual([false, true]);
			expect(document.fields).toHaveLength(1);
		});

		test('two fields do not come to one spot', async () => {
			const document = await sent();
			const place = { page: 1, positionX: 40, positionY: 20, width: 20, height: 5 };
			const { items } = await suite.run(
				{
					...{ resource: 'field', operation: 'add', envelopeId: byId(document.id) },
					...{ recipientId: byId(document.recipients[0]?.id), type: 'NAME', ...place },
				},
				[{ json: {} }, { json: {} }],
				{ onError: 'continueRegularOutput' },
			);
			expect(failed(items)).toEqual([false, true]);
		});
	});

	test('another placeholder is no correction', async () => {
		const document = await people([ada, bob]);
		Object.assign(document.recipients[1] ?? {}, { email: 'recipient.2@documenso.com' });
		const { error } = await change(document, { email: 'recipient.3@documenso.com' });
		expect(error?.message).toContain('the address of a placeholder: recipient.3@documenso.com');
	});

	test('an assistant who has acted does not keep the last signer from being removed', async () => {
		const document = await people([
			{ ...help, signingOrder: 1 },
			{ ...ada, signingOrder: 2 },
			{ ...bob, signingOrder: 3 },
		]);
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
		const ofOrder = (id: string, signingOrder: string) => ({
			...{ resource: 'document', operation: 'update', documentId: byId(id) },
			updateFields: { signingOrder },
		});
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
			const titled = await suite.run({
				...ofOrder(document.id, 'SEQUENTIAL'),
				updateFields: { title: 'A lease', signingOrder: 'SEQUENTIAL' },
			});
			const later = await remove(document, 1);
			expect([renamed, titled, later].flatMap(({ hints }) => hints)).toEqual([]);
		});

		test('an order that leaves an assistant idle, or a shared turn, is refused', async () => {
			const assisted = await people([
				{ ...help, signingOrder: 1 },
				{ ...ada, signingOrder: 2 },
				{ ...bob, signingOrder: 3 },
			]);
			const idle = await suite.run(ofOrder(assisted.id, 'PARALLEL'));
			expect(idle.error?.message).toContain('is an assistant, but everyone signs at once');
			const shared = await suite.document('createAndSend', {
				additionalFields: { signingOrder: 'PARALLEL' },
				recipients: { recipient: [ada, bob] },
				fields: {
					field: [
						{ ...signature, recipient: 'ada@example.com' },
						{ ...lower, recipient: 'bob@example.com' },
					],
				},
			});
			const tied = await suite.run(ofOrder(shared.id, 'SEQUENTIAL'));
			expect(tied.error?.message).toContain('has no signing order, and neither has');
			expect(changes()).toEqual([]);
		});
	});

	test('Update refuses a name that an expression does not give: the old one would stay beside a new address', async () => {
		const { id, recipients } = await suite.document();
		const { error } = await suite.run({
			...{ resource: 'recipient', operation: 'update', envelopeId: byId(id) },
			recipientId: byId(recipients[0]?.id),
			updateFields: { email: 'new@example.com', name: '={{ $json.nmae }}' },
		});
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
		const document = await suite.document('create');
		const items = ['a', 'b', 'c'].map((name) => ({
			json: { email: `${name}@example.com`, name },
		}));
		await suite.run(
			{
				...{ resource: 'recipient', operation: 'add', envelopeId: byId(document.id) },
				...{ email: '={{ $json.email }}', name: '={{ $json.name }}', role: 'CC' },
			},
			items,
		);
		expect(lines(suite.service)).toHaveLength(4);
	});

	test('Resend does not remind a signer without a signature field', async () => {
		const document = await sent();
		document.fields = [];
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		const { error } = await suite.run(resend);
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
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain('has the address of a placeholder: recipient.1@documenso.com');
		expect(changes()).toEqual([]);
	});

	test('a link that stays expired is a failure of Resend, and a renewed one is not', async () => {
		const document = await sent();
		const [tina] = document.recipients;
		const resend = { resource: 'document', operation: 'resend', documentId: byId(document.id) };
		suite.service.expire(tina?.id ?? 0);
		document.documentMeta.envelopeExpirationPeriod = { disabled: true };
		const { error } = await suite.run(resend);
		expect(error?.message).toContain(
			'was sent again, but these recipients still cannot sign: Tina',
		);
		expect(error?.description).toContain("Set 'Expiration' with 'Document: Update'");
		document.documentMeta.envelopeExpirationPeriod = { unit: 'month', amount: 1 };
		expect((await suite.run(resend)).error).toBeUndefined();
	});

	describe('nobody is reminded twice by Retry On Fail', () => {
		const RESEND = 'POST /envelope/redistribute';
		const resendTo = async ({ id, recipients: [tina] }: Envelope) => {
			suite.service.expire(tina?.id ?? 0);
			const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
			return await suite.run(resend, undefined, { maxTries: 3 });
		};

		test('if the links stay expired', async () => {
			const document = await sent();
			document.documentMeta.envelopeExpirationPeriod = { disabled: true };
			const { error } = await resendTo(document);
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(error?.message).toContain('these recipients still cannot sign: Tina');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});

		test('if nothing tells whether the links were renewed, which a hint says', async () => {
			const document = await sent();
			suite.service.fail({ match: /^GET \/envelope\/envelope_/, delayMs: 0 });
			suite.service.fail({ match: /^GET \/envelope\/envelope_/, status: 500 });
			const { error, hints } = await resendTo(document);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain('could not be asked whether it has renewed the links');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});

		test('if something else has answered', async () => {
			const document = await sent();
			const body = { message: 'Request blocked' };
			suite.service.fail({ match: RESEND, status: 200, body, takesEffect: true });
			expect((await resendTo(document)).error?.message).toContain('is not retried');
			expect(suite.calls(RESEND)).toHaveLength(1);
		});
	});

	test.each([
		['document', 'cancel', 'POST /envelope/cancel'],
		['document', 'update', 'POST /envelope/update'],
		['recipient', 'delete', 'POST /envelope/recipient/delete'],
		['recipient', 'rejectOnBehalf', 'POST /envelope/recipient/*/reject'],
	])('the JSON of a firewall is no success of %s: %s', async (resource, operation, match) => {
		const { id, recipients } = await sent();
		suite.service.fail({ match, status: 200, body: { message: 'Request blocked' } });
		const { error } = await suite.run({
			...{ resource, operation, documentId: byId(id), recipientId: byId(recipients[0]?.id) },
			...{ reason: 'x', updateFields: { title: 'New' } },
		});
		expect(error?.message).toContain("Documenso's answer could not be read");
	});
});

describe('a part of another document than the one that is named', () => {
	test.each([
		['field', 'get'],
		['field', 'move'],
		['field', 'update'],
		['field', 'delete'],
		['recipient', 'get'],
		['recipient', 'getSigningLink'],
		['recipient', 'delete'],
	])('is left alone by %s: %s', async (resource, operation) => {
		const [named, other] = [await suite.document(), await suite.document()];
		const parts = resource === 'field' ? other.fields : other.recipients;
		const parameters = {
			...{ resource, operation, [`${resource}Id`]: byId(parts[0]?.id) },
			...{ updateFields: { positionY: 3 }, settings: { label: 'Place' } },
		};
		const { error } = await suite.run({ ...parameters, envelopeId: byId(named.id) });
		expect(error?.message).toContain(
			`'Document or Template' is ${named.id}, but the ${resource} is in ${other.id}`,
		);
		expect(changes()).toEqual([]);
		// With an ID it may stay empty.
		expect((await suite.run(parameters)).error).toBeUndefined();
	});

	test.each([
		['an address', (id: string) => `https://app.documenso.com/t/team/documents/${id}`],
		['a number', () => 'document_7'],
		['a cell that JavaScript has filled', () => 'undefined'],
	])('is none where %s is named', async (_, name) => {
		const { id, fields } = await suite.document();
		const parameters = { resource: 'field', operation: 'delete', fieldId: byId(fields[0]?.id) };
		const envelopeId = byId('={{ $json.document }}');
		const items = [{ json: { document: name(id) } }];
		expect((await suite.run({ ...parameters, envelopeId }, items)).error).toBeUndefined();
	});
});

describe('a recipient', () => {
	const base = { resource: 'recipient' };

	test('Add puts a recipient into a document', async () => {
		const { id } = await suite.document();
		const [added] = await suite.outputOf({
			...base,
			operation: 'add',
			envelopeId: byId(id),
			email: 'anna@example.com',
			name: 'Anna',
			role: 'APPROVER',
			additionalFields: { signingOrder: 2, accessAuth: ['ACCOUNT'] },
		});
		expect(sentTo(suite.service, 'POST /envelope/recipient/create-many')).toEqual({
			envelopeId: id,
			data: [
				{
					email: 'anna@example.com',
					name: 'Anna',
					role: 'APPROVER',
					signingOrder: 2,
					accessAuth: ['ACCOUNT'],
				},
			],
		});
		expect(added).toMatchObject({
			email: 'anna@example.com',
			role: 'APPROVER',
			sendStatus: 'NOT_SENT',
		});
		expect(added).not.toHaveProperty('token');
	});

	test('Add refuses a malformed email before any request', async () => {
		const { id } = await suite.document();
		const { error } = await suite.run({
			...base,
			operation: 'add',
			envelopeId: byId(id),
			email: 'anna',
		});
		expect(error?.message).toBe('\'Email\' is not an email address: "anna" [item 0]');
		expect(lines(suite.service)).toEqual([]);
	});

	test('Update changes what is given, and nothing else', async () => {
		const { id, recipients } = await suite.document();
		const [tenant] = recipients;
		if (tenant) tenant.authOptions = { accessAuth: ['ACCOUNT'], actionAuth: [] };
		const [updated] = await suite.outputOf({
			...base,
			operation: 'update',
			envelopeId: byId(id),
			recipientId: byId(recipients[0]?.id),
			updateFields: { name: 'Tina Turner' },
		});
		expect(sentTo(suite.service, 'POST /envelope/recipient/update-many')).toEqual({
			envelopeId: id,
			data: [
				{
					id: recipients[0]?.id,
					name: 'Tina Turner',
					accessAuth: ['ACCOUNT'],
					actionAuth: [],
				},
			],
		});
		expect(updated).toMatchObject({ name: 'Tina Turner', email: 'tenant@example.com' });
	});

	test('Update without a change is refused', async () => {
		const { id } = await suite.document();
		const { error } = await suite.run({
			...base,
			operation: 'update',
			envelopeId: byId(id),
			recipientId: byId(1),
		});
		expect(error?.message).toBe("'Update Fields' is empty [item 0]");
	});

	test('Get reads a recipient; Simplify leaves the signing token out', async () => {
		const { recipients } = await suite.document();
		const get = { ...base, operation: 'get', recipientId: byId(recipients[0]?.id) };
		const [simple] = await suite.outputOf(get);
		expect(lines(suite.service)).toEqual([`GET /envelope/recipient/${recipients[0]?.id ?? ''}`]);
		expect(simple).toMatchObject({ id: recipients[0]?.id, email: 'tenant@example.com' });
		expect(Object.keys(simple ?? {}).length).toBeLessThanOrEqual(10);
		const [raw] = await suite.outputOf({ ...get, output: 'raw' });
		expect(raw).toHaveProperty('token');
	});

	test('Get Signing Link makes the link that the service does not give', async () => {
		const { id, recipients } = await suite.document();
		const [link] = await suite.outputOf({
			...base,
			operation: 'getSigningLink',
			recipientId: byId(recipients[0]?.id),
		});
		expect(link).toEqual({
			id: recipients[0]?.id,
			envelopeId: id,
			email: 'tenant@example.com',
			name: 'Tina',
			role: 'SIGNER',
			signingStatus: 'NOT_SIGNED',
			signingUrl: `${suite.service.url}/sign/${recipients[0]?.token ?? ''}`,
		});
	});

	test('Get Signing Link says why Documenso shows none', async () => {
		const { recipients } = await suite.document('createAndSend');
		const [recipient] = recipients;
		if (recipient) recipient.token = '';
		const get = { ...base, operation: 'getSigningLink', recipientId: byId(recipient?.id) };
		expect((await suite.run(get)).error).toMatchObject({
			message: 'Documenso shows no signing link for tenant@example.com [item 0]',
			description: expect.stringContaining("API token of the document's owner") as string,
		});
	});

	test('Delete takes a recipient out', async () => {
		const { id, recipients } = await suite.document();
		const recipientId = recipients[0]?.id;
		const [deleted] = await suite.outputOf({
			...base,
			operation: 'delete',
			recipientId: byId(recipientId),
		});
		expect(sentTo(suite.service, 'POST /envelope/recipient/delete')).toEqual({ recipientId });
		expect(deleted).toEqual({ id: recipientId, deleted: true });
		expect(suite.service.store.envelopes.get(id)?.recipients).toEqual([]);
	});

	test('Reject on Behalf ends the document', async () => {
		const { id, recipients } = await suite.document('createAndSend');
		const [rejected] = await suite.outputOf({
			...base,
			operation: 'rejectOnBehalf',
			documentId: byId(id),
			recipientId: byId(recipients[0]?.id),
			reason: 'Moved away',
		});
		expect(
			sentTo(suite.service, `POST /envelope/recipient/${recipients[0]?.id ?? ''}/reject`),
		).toEqual({ envelopeId: id, reason: 'Moved away' });
		expect(rejected).toMatchObject({ signingStatus: 'REJECTED', rejectionReason: 'Moved away' });
		await suite.service.settled();
		expect(suite.service.store.envelopes.get(id)?.status).toBe('REJECTED');
	});

	test('an ID that is no number is refused before any request', async () => {
		const { error } = await suite.run({
			...base,
			operation: 'get',
			recipientId: byId('={{ "x1" }}'),
		});
		expect(error?.message).toBe("'Recipient' is not a number [item 0]");
		expect(lines(suite.service)).toEqual([]);
	});
});

describe('Get Many', () => {
	const paper = paperwork(suite);

	const DAY_MS = 86_400_000;

	const getMany = (changes: IDataObject = {}): IDataObject => ({
		resource: 'recipient',
		operation: 'getAll',
		returnAll: true,
		...changes,
	});

	const emails = (people: IDataObject[]) => people.map(({ email }) => email);

	/** A sent document for these people, in this order of signing unless they sign at the same time. */
	async function sent(people: string[], { isOrdered = false, title = 'Lease' } = {}) {
		const recipient = people.map((email, index) => ({
			...{ email, role: 'SIGNER' },
			...(isOrdered ? { signingOrder: index + 1 } : {}),
		}));
		return await suite.document('createAndSend', {
			title,
			recipients: { recipient },
			fields: {
				field: people.map((email, index) => ({
					...signature,
					recipient: email,
					positionY: 10 + 10 * index,
				})),
			},
		});
	}

	const createdDaysAgo = (envelope: Envelope, days: number) => {
		envelope.createdAt = new Date(Date.now() - days * DAY_MS);
	};

	const signs = async ({ recipients }: Envelope, email: string) =>
		await suite.service.sign(recipients.find((one) => one.email === email)?.token ?? '');

	test('those who have not signed come one item each, with their document', async () => {
		const { id } = await sent(['ada@example.com', 'bob@example.com']);
		createdDaysAgo(suite.documents()[0] as Envelope, 4);
		const people = await suite.outputOf(getMany());
		expect(emails(people)).toEqual(['ada@example.com', 'bob@example.com']);
		expect(people[0]).toMatchObject({
			role: 'SIGNER',
			isTurn: true,
			hasOpened: false,
			rejectionReason: null,
			waitingDays: 4,
			waitingSinceEvent: 'documentCreated',
			document: { id, title: 'Lease', status: 'PENDING', externalId: expect.any(String) as string },
		});
		expect(JSON.stringify(people)).not.toMatch(/token|signingUrl/);
		expect(suite.calls('GET /envelope')).toHaveLength(1);
	});

	test('of a document that is signed in an order, only the one whose turn it is', async () => {
		const document = await sent(['ada@example.com', 'bob@example.com'], { isOrdered: true });
		expect(emails(await suite.outputOf(getMany()))).toEqual(['ada@example.com']);
		await signs(document, 'ada@example.com');
		expect(emails(await suite.outputOf(getMany()))).toEqual(['bob@example.com']);
		const everyone = await suite.outputOf(getMany({ recipientState: 'all' }));
		expect(everyone.map(({ email, isTurn }) => [email, isTurn])).toEqual([
			['ada@example.com', false],
			['bob@example.com', true],
		]);
	});

	test('of a document that is gone before its order is read, nobody: their turn is not known', async () => {
		const { id } = await sent(['ada@example.com', 'bob@example.com'], { isOrdered: true });
		await sent(['tina@example.com']);
		suite.service.intercept('POST /envelope/get-many', async ({ pass }) => {
			suite.service.store.envelopes.delete(id);
			return await pass();
		});
		expect(emails(await suite.outputOf(getMany()))).toEqual(['tina@example.com']);
	});

	test('only documents whose order the list leaves open are read, twenty in a request', async () => {
		for (let index = 0; index < 3; index++) await sent([`p${index}@example.com`, 'x@example.com']);
		for (let index = 0; index < 21; index++) {
			await sent([`s${index}@example.com`, 'y@example.com'], { isOrdered: true });
		}
		suite.service.calls.length = 0;
		expect(await suite.outputOf(getMany())).toHaveLength(3 * 2 + 21);
		expect(suite.calls('POST /envelope/get-many')).toHaveLength(2);
		expect(suite.calls('GET /envelope')).toHaveLength(1);
	});

	test('the other groups: not opened, expired, rejected with the reason, has acted', async () => {
		const expired = await sent(['late@example.com']);
		for (const { id } of expired.recipients) suite.service.expire(id);
		const opened = await sent(['seen@example.com']);
		for (const recipient of opened.recipients) recipient.readStatus = 'OPENED';
		const refused = await sent(['no@example.com', 'other@example.com']);
		await suite.service.reject(refused.recipients[0]?.token ?? '', 'The rent is wrong');
		const signed = await sent(['yes@example.com', 'open@example.com']);
		await signs(signed, 'yes@example.com');
		await suite.service.settled();
		const group = async (recipientState: string) =>
			await suite.outputOf(getMany({ recipientState }));
		expect(emails(await group('notOpened'))).not.toContain('seen@example.com');
		expect(emails(await group('expired'))).toEqual(['late@example.com']);
		expect(await group('rejected')).toMatchObject([
			{ email: 'no@example.com', rejectionReason: 'The rent is wrong', isTurn: false },
		]);
		expect(emails(await group('hasActed'))).toEqual(['yes@example.com', 'no@example.com']);
	});

	test('the filters: address, role, days of waiting, template, status', async () => {
		createdDaysAgo(await sent(['old@example.com']), 5);
		createdDaysAgo(await sent(['new@example.com', 'both@example.com']), 1);
		const found = async (filters: IDataObject) =>
			emails(await suite.outputOf(getMany({ filters })));
		expect(await found({ waitingDays: 3 })).toEqual(['old@example.com']);
		expect(await found({ email: 'BOTH@example.com' })).toEqual(['both@example.com']);
		expect(await found({ role: 'APPROVER' })).toEqual([]);
		expect(await found({ status: 'COMPLETED' })).toEqual([]);
		expect(await found({ template: { __rl: true, mode: 'number', value: '1' } })).toEqual([]);
	});

	test('an address is found however many documents it has: Documenso searches for it in 1,000', async () => {
		await paper.begin();
		for (const document of paper.drafts(1000)) paper.finish(document);
		paper.send(paper.draft('Lease'));
		const filters = { email: 'tenant@example.com' };
		expect(emails(await suite.outputOf(getMany({ filters })))).toEqual(['tenant@example.com']);
	});

	test('with Add Dates, the days count from when the document was sent to the recipient', async () => {
		const document = await sent(['ada@example.com']);
		createdDaysAgo(document, 9);
		suite.service.remind(document.id);
		suite.service.calls.length = 0;
		const dated = { options: { addDates: true } };
		const [person] = await suite.outputOf(getMany(dated));
		expect(person).toMatchObject({ waitingDays: 0, waitingSinceEvent: 'sent', reminders: 1 });
		expect(person?.sentAt).toEqual(expect.any(String));
		expect(suite.calls(`GET /envelope/${document.id}/audit-log`)).toHaveLength(1);
		expect(await suite.outputOf(getMany({ ...dated, filters: { waitingDays: 3 } }))).toEqual([]);
	});

	test('signing links come only when they are asked for', async () => {
		const { recipients } = await sent(['ada@example.com']);
		const [person] = await suite.outputOf(getMany({ options: { includeSigningLinks: true } }));
		expect(person?.signingUrl).toBe(`${suite.service.url}/sign/${recipients[0]?.token}`);
	});

	describe('in a team that has an email address', () => {
		const ADDRESS = 'contracts@example.com';

		/** Strangers sent it to the team's address: it is listed, and cannot be read. */
		async function fromStrangers(people: string[], isOrdered: boolean) {
			const document = await sent([...people, ADDRESS], { isOrdered });
			document.team = { id: 77, url: 'strangers', name: 'Strangers' };
			document.user = { ...document.user, id: 99, email: 'stranger@example.com' };
			return document;
		}

		beforeEach(() => {
			DEMO_TEAM.email = ADDRESS;
		});
		afterEach(() => {
			delete DEMO_TEAM.email;
		});

		test('what strangers send to it is left out: Documenso resends none of it', async () => {
			await fromStrangers(['ada@example.com'], true);
			for (let index = 0; index < 21; index++) await fromStrangers([], false);
			const { id } = await sent(['tina@example.com']);
			const people = await suite.run(getMany());
			const resend = {
				resource: 'document',
				operation: 'resend',
				documentId: byId('={{ $json.document.id }}'),
			};
			const recipientIds = '={{ [$json.id] }}';
			const { error } = await suite.run({ ...resend, recipientIds }, people.items);
			expect(error).toBeUndefined();
			expect(people.items.map(({ json }) => json.document)).toMatchObject([{ id }]);
			expect(await suite.outputOf(getMany({ recipientState: 'all' }))).toHaveLength(1);
		});

		test('which documents are its own takes one request, however many there are', async () => {
			await paper.begin();
			for (const document of paper.drafts(300)) paper.send(document);
			suite.service.calls.length = 0;
			expect(await suite.outputOf(getMany())).toHaveLength(300);
			expect(suite.calls('POST /envelope/get-many')).toHaveLength(1);
		});
	});

	test('a limit ends the reading, and a misspelt folder is named', async () => {
		for (let index = 0; index < 4; index++) await sent([`p${index}@example.com`]);
		const some = await suite.outputOf(getMany({ returnAll: false, limit: 2 }));
		expect(emails(some)).toEqual(['p3@example.com', 'p2@example.com']);
		const { error } = await suite.run(
			getMany({ searchIn: 'folder', folderId: byId('cm2missing') }),
		);
		expect(error?.message).toContain('\'Folder\' is "cm2missing"');
	});

	test('10,000 open documents of several recipients take 100 requests, 500 for turns, and those for folders', async () => {
		await paper.begin();
		const folderId = folder(suite.service, 'Tenants');
		const { ids } = suite.service.store;
		for (const document of paper.drafts(10_000, undefined, { folderId })) {
			const [tina] = document.recipients as [Envelope['recipients'][number]];
			const second = { ...tina, id: ids.next('recipient'), signingOrder: 2 };
			document.recipients = [tina, { ...second, email: 'tom@example.com' }];
			document.documentMeta = { ...document.documentMeta, signingOrder: 'SEQUENTIAL' };
			paper.send(document);
		}
		suite.service.calls.length = 0;
		const people = await suite.outputOf(getMany());
		expect(people).toHaveLength(10_000);
		const counts: Record<string, number> = {};
		for (const line of lines(suite.service)) counts[line] = (counts[line] ?? 0) + 1;
		expect(counts).toEqual({
			// The empty page of the documents in no folder, too.
			'GET /envelope': 101,
			'GET /folder': 1,
			'POST /envelope/get-many': 500,
		});
	});
});
