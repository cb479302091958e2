import { getParameterValueByPath, type IDataObject, type INodeParameters } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { recipientsWithFields } from '../../nodes/Documenso/inputs/recipients';
import { emailingOf, whoCanSign } from '../../nodes/shared/envelope/whoCanSign';
import { itemWith, loadOptionsContext } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { credentialFor, lines, sentTo } from '../support/service';
import { boxes, contract, itemWithPdf, step, useService } from '../support/suite';

const suite = useService();

const { getListedRecipients } = new Documenso().methods.loadOptions;

const ada = { email: 'ada@example.com', name: 'Ada Miller', role: 'SIGNER' };

const bob = { email: 'bob@example.com', name: '', role: 'SIGNER' };

const cc = { email: 'cc@example.com', name: 'Cleo', role: 'CC' };

const place = { page: 1, positionX: 10, positionY: 80, width: 30, height: 6 };

const signature = { ...place, type: 'SIGNATURE' };

const create = { resource: 'document', operation: 'create', title: 'Lease' };

const withPdf = async (text = 'A lease', json = {}) => ({ ...(await itemWithPdf(text)), json });

async function run(recipients: object[], fields: object[], changes: object = {}) {
	const lists = { recipients: { recipient: recipients }, fields: { field: fields } };
	return await suite.run({ ...create, ...lists, ...changes }, [await withPdf()]);
}

async function runJson(recipients: object[], changes: object = {}) {
	const json = { specifyRecipients: 'json', recipientsJson: JSON.stringify(recipients) };
	return await suite.run({ ...create, ...json, ...changes }, [await withPdf()]);
}

/** The types of the fields that each recipient was sent with. */
function sentFields() {
	const { recipients } = sentTo(suite.service, 'POST /envelope/create');
	return (recipients as Array<{ fields?: Array<{ type: string }> }>).map(({ fields = [] }) =>
		fields.map(({ type }) => type),
	);
}

describe('fields of two people on one spot', () => {
	const fault =
		/^'Recipients( \(JSON\))? > Row 2' has a field on one spot with that of Ada Miller \(ada@example.com\): signature on page 1, at 10 % from the left and 80 % from the top/;
	const fieldOf = (recipient: string, changes = {}) => ({ ...signature, ...changes, recipient });

	test('are looked for among a thousand on a page, and not for longer', () => {
		let reads = 0;
		const fields = Array.from({ length: 5_000 }, (_, index) => ({
			...{ type: 'TEXT', envelopeItemId: 'a', page: 1 },
			...{ positionY: index / 50, width: 0.01, height: 0.01 },
			get positionX() {
				reads++;
				return 10;
			},
		}));
		const party = { email: 'ada@example.com', name: 'Ada', role: 'APPROVER', fields };
		expect(whoCanSign({ parties: [party], ...emailingOf() })).toEqual([]);
		expect(reads).toBeLessThan(5_000_000);
	});

	test('are refused: there the editor puts every new field', async () => {
		const { error } = await run([ada, bob], [fieldOf('r1'), fieldOf('r2')]);
		expect(error?.message).toMatch(fault);
		expect(lines(suite.service)).toEqual([]);
	});

	test('are refused in JSON, also if one names the file and the other counts it', async () => {
		const at = (identifier: unknown) => [{ ...signature, identifier }];
		const { error } = await runJson([
			{ ...ada, fields: at(0) },
			{ ...bob, fields: at('data.pdf') },
		]);
		expect(error?.message).toMatch(fault);
	});

	test.each([
		['is moved a little', { positionX: 12, positionY: 82 }],
		['covers its centre', { positionX: 22, positionY: 82 }],
		['lies inside it', { positionX: 20, positionY: 81, width: 5, height: 3 }],
		['lies around it', { positionX: 5, positionY: 75, width: 60, height: 20 }],
	])('are refused also if one %s: it would hide the other', async (_, changes) => {
		const { error } = await run([ada, bob], [fieldOf('r1'), fieldOf('r2', changes)]);
		expect(error?.message).toContain('on one spot with that of Ada Miller (ada@example.com)');
		expect(lines(suite.service)).toEqual([]);
	});

	test.each([
		['of one person, and apart', fieldOf('r1', { positionX: 60 })],
		['side by side', fieldOf('r2', { positionX: 50 })],
		['one below the other', fieldOf('r2', { positionY: 86 })],
		['not more than half on each other', fieldOf('r2', { positionY: 83 })],
	])('are none if they are %s', async (_, other) => {
		expect((await run([ada, bob], [fieldOf('r1'), other])).error).toBeUndefined();
	});
});

describe('a field chooses its recipient', () => {
	async function offered(recipients: unknown) {
		const context = loadOptionsContext(credentialFor(suite.service), create);
		Object.assign(context.getCurrentNodeParameters() ?? {}, { recipients });
		const options = await getListedRecipients.call(context);
		expect(lines(suite.service)).toEqual([]);
		return options;
	}

	test('from those listed above it, by place, with their roles', async () => {
		expect(await offered({ recipient: [ada, bob, cc] })).toEqual([
			{ name: '1. Ada Miller (ada@example.com)', value: 'r1', description: 'signer' },
			{ name: '2. bob@example.com', value: 'r2', description: 'signer' },
			{ name: '3. Cleo (cc@example.com)', value: 'r3', description: 'cc' },
		]);
	});

	test('also while expressions cannot be evaluated, or nothing has been entered', async () => {
		const unknown = { email: null, name: null, role: 'SIGNER' };
		const expression = { email: '', name: '={{ $json.name }}', role: 'SIGNER' };
		const options = await offered({ recipient: [ada, unknown, expression, {}] });
		expect(options.map(({ name, value }) => `${value}: ${name}`)).toEqual([
			'r1: 1. Ada Miller (ada@example.com)',
			'r2: 2. not known yet',
			'r3: 3. {{ $json.name }}',
			'r4: 4. not known yet',
		]);
	});

	test.each([[{}], [null], [undefined]])('from nobody when the list is %j', async (recipients) => {
		expect(await offered(recipients)).toEqual([]);
	});

	test('from a list that is loaded again when a recipient changes', () => {
		const [list] = recipientsWithFields.fields.property.options ?? [];
		const owner = list && 'values' in list ? list.values[0] : undefined;
		// The editor compares in this way; a whole row would become "[object Object]".
		const watched = (recipient: INodeParameters[]) =>
			owner?.typeOptions?.loadOptionsDependsOn
				?.map((path) => getParameterValueByPath({ recipients: { recipient } }, path, '') as string)
				.join('|');
		const before = watched([ada, bob]);
		expect(watched([ada, { ...bob, name: 'Bob' }])).not.toBe(before);
		expect(watched([{ ...ada, email: 'a@example.com' }, bob])).not.toBe(before);
		expect(watched([ada, { ...bob, role: 'CC' }])).not.toBe(before);
		expect(watched([ada, bob, cc])).not.toBe(before);
		expect(watched([ada, bob])).toBe(before);
	});

	test.each(['r2', 'R2', ' 2 ', '={{ 2 }}', 'bob@example.com', 'BOB@Example.com', 'bob'])(
		'as %j',
		async (recipient) => {
			const { error } = await run([ada, { ...bob, name: 'Bob' }], [{ ...signature, recipient }]);
			expect(error).toBeUndefined();
			expect(sentFields()).toEqual([[], ['SIGNATURE']]);
		},
	);

	test('by place although another has the same email', async () => {
		await run(
			[ada, { ...bob, email: ada.email }],
			[
				{ ...signature, recipient: 'r2' },
				{ ...place, type: 'DATE', positionY: 20, recipient: 'r1' },
			],
		);
		expect(sentFields()).toEqual([['DATE'], ['SIGNATURE']]);
	});

	test('by place although the email is another one for each item', async () => {
		const someone = { ...ada, email: '={{ $json.email }}' };
		const lists = {
			recipients: { recipient: [someone] },
			fields: { field: [{ ...signature, recipient: 'r1' }] },
		};
		const emails = ['one@example.com', 'two@example.com'];
		const items = await Promise.all(emails.map(async (email) => await withPdf('One', { email })));
		expect((await suite.run({ ...create, ...lists }, items)).error).toBeUndefined();
		expect(suite.documents().map(({ fields }) => fields.length)).toEqual([1, 1]);
		const made = suite.documents().map(({ recipients }) => recipients[0]?.email);
		expect(made.sort()).toEqual(emails);
	});
});

test('placeholders count the recipients as the list does, and its fields come on top', async () => {
	const fields = { field: [{ ...signature, recipient: 'r1' }] };
	await suite.outputOf(
		{ ...create, recipients: { recipient: [ada, bob] }, fields, placeholdersInPdf: true },
		[await withPdf('{{text, r2, label=City, required=true}}')],
	);
	const [draft] = suite.service.store.documents;
	const owners = draft?.fields.map(({ type, recipientId, fieldMeta }) => ({
		type,
		of: draft.recipients.find(({ id }) => id === recipientId)?.email,
		label: fieldMeta?.label,
	}));
	expect(owners).toEqual([
		{ type: 'SIGNATURE', of: 'ada@example.com', label: undefined },
		{ type: 'TEXT', of: 'bob@example.com', label: 'City' },
	]);
});

describe('before anything is created', () => {
	const good = { ...signature, recipient: 'r1' };
	const wrongFields: Array<[string, object, string, string?]> = [
		['for nobody', { recipient: '' }, "Recipient Name or ID' is missing", 'Choose one'],
		[
			'for a recipient beyond the last',
			{ recipient: 'r4' },
			`Recipient Name or ID' is "r4", which is not one of the recipients`,
			'The recipients are: 1. Ada Miller (ada@example.com), 2. bob@example.com, 3. Cleo (cc@example.com).',
		],
		[
			'for a recipient before the first',
			{ recipient: '0' },
			`Recipient Name or ID' is "0", which is not one of the recipients`,
		],
		[
			'for someone who is not listed',
			{ recipient: 'else@example.com' },
			`Recipient Name or ID' is "else@example.com", which is not one of the recipients`,
		],
		[
			'beyond the right edge of the page',
			{ positionX: 91.9, width: 8.2 },
			"Left (%)' plus the width of 8.2 is 100.1 percent, beyond the page",
		],
		[
			'beyond the lower edge of the page',
			{ positionY: 98, height: 2.1 },
			"Top (%)' plus the height of 2.1 is 100.1 percent, beyond the page",
		],
		[
			'that is a dropdown without choices',
			{ type: 'dropdown' },
			"Options > Choices' is empty, so nobody could fill in the field",
		],
		[
			'that is a text with choices',
			{ type: 'TEXT', options: { choices: 'Yes, No' } },
			"Options > Choices' is not for the type TEXT",
		],
		[
			'on a file that is not there',
			{ options: { identifier: 'x.pdf' } },
			"Options > File' is x.pdf, but there is no such file",
			'The files are: data.pdf (0).',
		],
	];

	test.each(wrongFields)('a field %s is refused', async (_, changes, message, description = '') => {
		const { error } = await run([ada, bob, cc], [good, { ...good, ...changes }]);
		expect(error?.message).toBe(`'Fields > Row 2 > ${message} [item 0]`);
		expect(error?.description ?? '').toContain(description);
		expect(lines(suite.service)).toEqual([]);
	});

	test('a field that could belong to two recipients is refused', async () => {
		const recipients = [ada, { ...bob, email: 'ADA@example.com' }];
		const { error } = await run(recipients, [{ ...good, recipient: 'ada@example.com' }]);
		expect(error?.message).toContain(
			'\'Fields > Row 1 > Recipient Name or ID\' is "ada@example.com", which means 2 recipients',
		);
		expect(error?.description).toContain('give r1 for the first');
		expect(lines(suite.service)).toEqual([]);
	});

	test('a field without any recipients is refused, and says what to do', async () => {
		const { error } = await run([], [good]);
		expect(error?.message).toContain(
			'\'Fields > Row 1 > Recipient Name or ID\' is "r1", which is not one of the recipients',
		);
		expect(error?.description).toBe("There are no recipients yet: add them under 'Recipients'.");
	});

	const wrongJson: Array<[string, object, string]> = [
		[
			'choices that are not a list',
			{ ...place, type: 'RADIO', fieldMeta: { type: 'radio', values: 'Yes' } },
			"fieldMeta > values' is not a list",
		],
		[
			'an unknown file',
			{ ...signature, identifier: 'x.pdf' },
			"identifier' is x.pdf, but there is no such file",
		],
	];

	test.each(wrongJson)('%s is refused in JSON too', async (_, field, message) => {
		const { error } = await runJson([ada, { ...bob, fields: [signature, field] }]);
		expect(error?.message).toContain(`'Recipients (JSON) > Row 2 > fields > Row 2 > ${message}`);
		expect(lines(suite.service)).toEqual([]);
	});

	test('a signer without a signature field is named with the row', async () => {
		const send = { operation: 'createAndSend' };
		const { error } = await run([ada, bob], [good], send);
		expect(error?.message).toBe(
			"'Recipients > Row 2' is a signer without a signature field: bob@example.com [item 0]",
		);
		const { error: inJson } = await runJson([{ ...ada, fields: [signature] }, bob], send);
		expect(inJson?.message).toContain("'Recipients (JSON) > Row 2' is a signer without");
		expect(lines(suite.service)).toEqual([]);
	});

	test('placeholders in the PDF do not stand for the recipients of what is sent', async () => {
		const changes = { operation: 'createAndSend', placeholdersInPdf: true };
		const { error } = await run([], [], changes);
		expect(error?.message).toContain("'Recipients' is empty");
		expect(lines(suite.service)).toEqual([]);
	});
});

test('a field on a file whose name two files have is refused, and taken by its number', async () => {
	const upload = async (text: string) => ({ content: await pdf(text), name: 'document.pdf' });
	const item = await itemWith({ a: await upload('Offer'), b: await upload('Contract') });
	const on = async (identifier: string) =>
		await suite.run(
			{
				...{ ...create, binaryPropertyName: 'a,b', recipients: { recipient: [ada] } },
				fields: { field: [{ ...signature, recipient: 'r1', options: { identifier } }] },
			},
			[item],
		);
	const { error } = await on('document.pdf');
	expect(error?.message).toContain(
		"'Fields > Row 1 > Options > File' is document.pdf, which is the name of several files",
	);
	expect(error?.description).toContain('document.pdf (0), document.pdf (1)');
	expect(lines(suite.service)).toEqual([]);
	expect((await on('1')).error).toBeUndefined();
	const { fields, items } = suite.documents()[0] ?? {};
	expect(fields?.map(({ envelopeItemId }) => envelopeItemId)).toEqual([items?.[1]?.id]);
});

describe('is taken', () => {
	const right: Array<[string, object]> = [
		['a dropdown with choices', { type: 'DROPDOWN', options: { choices: 'Monthly, Yearly' } }],
		[
			'an optional field of a CC’s',
			{ recipient: 'r2', type: 'TEXT', options: { required: false } },
		],
	];

	test.each(right)('%s', async (_, changes) => {
		const { error } = await run([ada, cc], [{ ...signature, recipient: 'r1', ...changes }]);
		expect(error).toBeUndefined();
		expect(suite.calls('POST /envelope/create')).toHaveLength(1);
	});

	const rightJson: Array<[string, object]> = [
		['a checkbox without settings, which Documenso gives a box', { type: 'CHECKBOX' }],
		[
			'a dropdown with choices',
			{ type: 'DROPDOWN', fieldMeta: { type: 'dropdown', values: [{ value: 'Monthly' }] } },
		],
		['settings without choices', { type: 'DATE', fieldMeta: { type: 'date', fontSize: 10 } }],
	];

	test.each(rightJson)('in JSON, %s', async (_, field) => {
		const { error } = await runJson([{ ...ada, fields: [{ ...place, ...field }] }]);
		expect(error).toBeUndefined();
		expect(sentTo(suite.service, 'POST /envelope/create').recipients).toEqual([
			{ ...ada, fields: [{ ...place, ...field }] },
		]);
	});
});

// What follows is about the fields of a document that exists.
const CREATE_MANY = 'POST /envelope/field/create-many';
const corner = { page: 1, positionX: 10, positionY: 10, width: 30, height: 6 };
const elsewhere = { page: 2, positionX: 15, positionY: 25, width: 40, height: 5 };

/** A field of the first recipient of a document. */
const addTo = ({ id, recipients }: Envelope, parameters: IDataObject) =>
	step('field.add', { envelopeId: id, recipientId: recipients[0]?.id }, parameters);

/** Adds a field to a new draft. */
const add = async (parameters: IDataObject) =>
	await suite.run(addTo(await suite.document(), { ...corner, ...parameters }));

const inJson = (type: string, settings: object) => ({
	...{ type, specifySettings: 'json', settingsJson: JSON.stringify(settings) },
});

async function createWith(field: object) {
	return await runJson([{ ...ada, fields: [{ ...corner, ...field }] }]);
}

describe('Add', () => {
	test('puts a field with the settings of its type onto a page', async () => {
		const settings = {
			...{ label: 'Extras', choices: 'Garage, Cellar', required: '={{ "false" }}' },
			...{ validationRule: 'Select at least', validationLength: 1 },
		};
		const { items } = await add({ type: 'CHECKBOX', ...elsewhere, settings });
		const [document] = suite.documents();
		expect(sentTo(suite.service, CREATE_MANY)).toEqual({
			envelopeId: document?.id,
			data: [
				{
					type: 'CHECKBOX',
					recipientId: document?.recipients[0]?.id,
					// The file whose pages were counted.
					envelopeItemId: document?.items[0]?.id,
					...elsewhere,
					fieldMeta: {
						...{ type: 'checkbox', label: 'Extras', required: false },
						...{ validationRule: 'Select at least', validationLength: 1 },
						values: boxes('Garage', 'Cellar'),
					},
				},
			],
		});
		expect(items[0]?.json).toMatchObject({ type: 'CHECKBOX', page: 2, label: 'Extras' });
	});

	test('finds a text in the PDF and puts a field over each occurrence', async () => {
		const item = await itemWithPdf('Sign here ____ please', 'And here ____ too');
		await suite.outputOf({ ...create, ...contract, fields: {} }, [item]);
		const over = { place: 'placeholder', placeholder: '____', matchAll: true };
		const [draft] = suite.documents() as [Envelope];
		const added = await suite.outputOf(addTo(draft, { type: 'SIGNATURE', ...over }));
		expect(sentTo(suite.service, CREATE_MANY)).toMatchObject({
			data: [{ type: 'SIGNATURE', placeholder: '____', matchAll: true }],
		});
		expect(added.map(({ page }) => page)).toEqual([1, 2]);
	});

	test('refuses over text what nobody could fill in, in a document that was sent', async () => {
		const locked = inJson('TEXT', { required: true, readOnly: true });
		const over = { place: 'placeholder', placeholder: 'A lease' };
		const document = await suite.document('createAndSend');
		const { error } = await suite.run(addTo(document, { ...locked, ...over }));
		expect(error?.message).toMatch(
			/has a field that is required, read only and empty: text \[item/,
		);
		expect(suite.calls(CREATE_MANY)).toEqual([]);
	});

	test('takes settings as JSON too', async () => {
		await add(inJson('TEXT', { label: 'City', characterLimit: 40 }));
		expect(sentTo(suite.service, CREATE_MANY)).toMatchObject({
			data: [{ fieldMeta: { type: 'text', label: 'City', characterLimit: 40 } }],
		});
	});

	test.each([
		[{ positionX: 101 }, "'Left (%)' is above 100 percent of the page"],
		[{ positionX: 80 }, "'Left (%)' plus the width of 30 is 110 percent, beyond the page [item 0]"],
		[{ page: 0 }, "'Page' is 0: the first page is 1"],
		[{ type: 'TEXT', settings: { fontSize: 200 } }, "'Settings > Font Size' is above 96"],
		[{ place: 'placeholder', placeholder: ' ' }, "'Text in the PDF' is empty"],
	])('refuses %j before any request', async (changes, message) => {
		const { error } = await add({ type: 'SIGNATURE', ...changes });
		expect(error?.message).toContain(message);
		expect(lines(suite.service)).toEqual([]);
	});
});

/** A document with one text field, whose settings have to survive. */
async function documentWithText() {
	const [signature] = contract.fields.field;
	const options = { label: 'City', required: true };
	const document = await suite.document('create', {
		fields: { field: [signature, { ...signature, type: 'TEXT', ...elsewhere, options }] },
	});
	const field = document.fields.find(({ type }) => type === 'TEXT');
	if (!field) throw new Error('The document has no text field');
	return { document, field };
}

const update = (fieldId: unknown, changes: IDataObject) =>
	step('field.update', { fieldId }, changes);

const move = (fieldId: unknown, updateFields: IDataObject, changes: IDataObject = {}) =>
	step('field.move', { fieldId }, { updateFields, ...changes });

/** Add and Update refuse these settings, and change nothing. */
async function expectRefused(parameters: IDataObject, fault: string) {
	const { field } = await documentWithText();
	const updated = await suite.run(update(field.id, parameters));
	expect(updated.error?.message).toContain(fault);
	expect(suite.changes()).toEqual([]);
	const added = await add(parameters);
	expect(added.error?.message).toContain(fault);
	expect(suite.changes()).toEqual([]);
}

test('Update keeps the settings that it is not given', async () => {
	const { document, field } = await documentWithText();
	const settings = { placeholder: 'Where do you live?' };
	const [updated] = await suite.outputOf(
		update(field.id, { type: 'TEXT', settings, output: 'raw' }),
	);
	expect(lines(suite.service)).toEqual([
		`GET /envelope/field/${field.id}`,
		`GET /envelope/${document.id}`,
		'POST /envelope/field/update-many',
	]);
	expect(sentTo(suite.service, 'POST /envelope/field/update-many')).toMatchObject({
		envelopeId: document.id,
		data: [{ id: field.id, type: 'TEXT' }],
	});
	expect(updated?.fieldMeta).toMatchObject({ label: 'City', required: true, ...settings });
});

test('Update of one setting changes neither the type of the field nor its label', async () => {
	const { field } = await documentWithText();
	const [updated] = await suite.outputOf(
		update(field.id, { settings: { required: false }, output: 'raw' }),
	);
	expect(updated).toMatchObject({ type: 'TEXT', fieldMeta: { label: 'City', required: false } });
});

test('Update refuses a setting that the type of the field does not have', async () => {
	const { field } = await documentWithText();
	const { error } = await suite.run(update(field.id, { settings: { choices: 'Bonn, Berlin' } }));
	expect(error?.message).toContain("'Settings > Choices' is not for fields of the type TEXT");
	expect(lines(suite.service)).toEqual([`GET /envelope/field/${field.id}`]);
});

test('content in JSON whose expression gives nothing is refused, and what is there stays', async () => {
	const { field } = await documentWithText();
	const { error } = await suite.run(
		update(field.id, {
			...{ type: 'TEXT', specifySettings: 'json' },
			settingsJson: '={ "type": "text", "readOnly": true, "text": "in {{ $json.city }}" }',
		}),
	);
	expect(error?.message).toContain("'Settings (JSON)' has an expression that gives nothing");
	expect(suite.changes()).toEqual([]);
});

describe('content whose expression gives nothing', () => {
	const contents = [
		['TEXT', 'text', 'Text'],
		['NUMBER', 'value', 'Value'],
		['RADIO', 'choices', 'Choices'],
		['DROPDOWN', 'defaultValue', 'Default'],
	] as const;

	test.each(contents)(
		'is refused by Add, and by Update, which would keep what is there: %s, %s',
		async (type, name, label) => {
			const settings = { [name]: '={{ $json.misspelt }}' };
			await expectRefused(
				{ type, settings },
				`'Settings > ${label}' has an expression that gives nothing`,
			);
		},
	);
});

test.each([{}, { specifySettings: 'json' }])(
	'Update without a new type and without settings is refused before any request %j',
	async (changes) => {
		const { field } = await documentWithText();
		const error = await suite.refused(update(field.id, changes));
		expect(error.message).toContain("'Settings' is empty");
	},
);

test('Update to another type starts with new settings', async () => {
	const { field } = await documentWithText();
	const [updated] = await suite.outputOf(
		update(field.id, { type: 'NUMBER', settings: { label: 'Rooms' }, output: 'raw' }),
	);
	expect(updated).toMatchObject({ type: 'NUMBER', fieldMeta: { type: 'number', label: 'Rooms' } });
});

test('Move makes the field anew with its settings, and takes the old one away', async () => {
	const { document, field } = await documentWithText();
	const target = { page: 1, positionX: 1, positionY: 2, width: 3, height: 4 };
	const [moved] = await suite.outputOf(move(field.id, target, { output: 'raw' }));
	expect(lines(suite.service)).toEqual([
		`GET /envelope/field/${field.id}`,
		`GET /envelope/${document.id}`,
		`GET /envelope/item/${field.envelopeItemId}/download`,
		CREATE_MANY,
		'POST /envelope/field/delete',
	]);
	expect(sentTo(suite.service, CREATE_MANY)).toMatchObject({
		data: [{ envelopeItemId: field.envelopeItemId, recipientId: field.recipientId }],
	});
	expect(moved).toMatchObject({ movedFrom: field.id, type: 'TEXT', fieldMeta: { label: 'City' } });
	const { fields } = suite.service.store.envelopes.get(document.id) ?? { fields: [] };
	expect(fields.map(({ id }) => id)).not.toContain(field.id);
	expect(fields.find(({ id }) => id === moved?.id)).toMatchObject(target);
});

test('a move to a place that an expression does not give moves nothing', async () => {
	const { field } = await documentWithText();
	const { error } = await suite.run(move(field.id, { page: 2, positionX: '={{ $json.left }}' }));
	expect(error?.message).toContain(
		"'Update Fields > Left (%)' has an expression that gives nothing",
	);
	expect(suite.changes()).toEqual([]);
});

test('a move whose second half fails names both fields', async () => {
	const { field } = await documentWithText();
	suite.service.fail({ match: 'POST /envelope/field/delete', ...refusal('Down', 500) });
	const { error } = await suite.run(move(field.id, elsewhere));
	expect(error?.description).toContain(`delete field ${field.id}`);
});

test('Get reads a field with its label', async () => {
	const { field } = await documentWithText();
	const [read] = await suite.outputOf(step('field.get', { fieldId: field.id }));
	expect(lines(suite.service)).toEqual([`GET /envelope/field/${field.id}`]);
	expect(read).toMatchObject({ id: field.id, type: 'TEXT', label: 'City', inserted: false });
});

test('Delete takes a field off its page', async () => {
	const { document, field } = await documentWithText();
	const [deleted] = await suite.outputOf(step('field.delete', { fieldId: field.id }));
	expect(sentTo(suite.service, 'POST /envelope/field/delete')).toEqual({ fieldId: field.id });
	expect(deleted).toEqual({ id: field.id, deleted: true });
	expect(suite.service.store.envelopes.get(document.id)?.fields).toHaveLength(1);
});

describe('a move whose answers fail', () => {
	const deletion = 'POST /envelope/field/delete';
	const fieldsOf = (id: string) => suite.service.store.envelopes.get(id)?.fields ?? [];

	test('is done when the old field is gone, though the answer was lost', async () => {
		const { document, field } = await documentWithText();
		const before = fieldsOf(document.id).length;
		suite.service.fail({ match: deletion, cut: 'after' });
		const { items, error } = await suite.run(move(field.id, elsewhere));
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ movedFrom: field.id });
		expect(fieldsOf(document.id)).toHaveLength(before);
	});

	test('is not begun anew by a retry once the new field stands', async () => {
		const { document, field } = await documentWithText();
		const before = fieldsOf(document.id).length;
		suite.service.fail({ match: deletion, times: 9, ...refusal('No') });
		const { error } = await suite.run(move(field.id, elsewhere), undefined, { maxTries: 3 });
		expect(error?.message).toMatch(/^An earlier try failed, and is not retried: No/);
		expect(error?.description).toContain(`The field exists twice now: delete field ${field.id}`);
		expect(fieldsOf(document.id)).toHaveLength(before + 1);
	});

	test('names the new field if something else has taken the old one away', async () => {
		const { document, field } = await documentWithText();
		suite.service.intercept(deletion, async ({ pass }) => {
			await pass();
			return await pass();
		});
		const { error } = await suite.run(move(field.id, elsewhere));
		const [moved] = fieldsOf(document.id).slice(-1);
		expect(error?.description).toContain(`delete field ${moved?.id}, which is in the new position`);
	});

	test('of two moves of one field, the second makes no other', async () => {
		const { document, field } = await documentWithText();
		const before = fieldsOf(document.id).length;
		const { items, error } = await suite.run(
			move(field.id, elsewhere),
			[{ json: {} }, { json: {} }],
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ movedFrom: field.id },
			{ error: expect.stringContaining(`There is no field with the ID ${field.id}`) as string },
		]);
		expect(fieldsOf(document.id)).toHaveLength(before);
	});
});

describe('settings of a field in JSON', () => {
	test.each([
		[{ requird: true }, "'Settings (JSON) > requird' is not a setting that Documenso knows"],
		[{ font_size: 9 }, "'Settings (JSON) > font_size' is not a setting that Documenso knows"],
		[{ minValue: 9 }, "'Settings (JSON) > minValue' is not for fields of the type TEXT"],
	])('are refused with the wrong name in %j', async (settings, why) => {
		const { error } = await add(inJson('TEXT', settings));
		expect(error?.message).toBe(`${why} [item 0]`);
		expect(error?.description).toContain('characterLimit');
		if ('requird' in settings) expect(error?.description).toContain('Did you mean required?');
		expect(suite.changes()).toEqual([]);
	});

	test('may be ones that Documenso has added since, which a hint tells', async () => {
		const { error, hints } = await add(inJson('TEXT', { label: 'City', shade: '<b>' }));
		expect(error).toBeUndefined();
		expect(hints).toEqual([expect.stringContaining('shade of a text field is unknown')]);
	});

	test('are checked in the fields of new documents, too', async () => {
		const fieldMeta = { type: 'text', requird: true };
		const { error } = await createWith({ type: 'TEXT', fieldMeta });
		expect(error?.message).toContain('fieldMeta > requird');
		expect(suite.changes()).toEqual([]);
		const { hints } = await createWith({ type: 'TEXT', fieldMeta: { type: 'text', shade: 1 } });
		expect(hints).toEqual([expect.stringContaining('shade of a text field is unknown')]);
	});
});

describe('what a field could not hold, or nobody could fill in', () => {
	const values = boxes('Oslo', 'Bergen');
	const rule = { validationRule: 'Select at least', validationLength: 3 };
	type Case = [type: string, input: string, settings: IDataObject, meta: object, fault: string];
	/** Settings that are the same in JSON. */
	const alike = (type: string, input: string, settings: IDataObject, fault: string): Case[] => [
		[type, input, settings, settings, fault],
	];
	const cases: Case[] = [
		['DROPDOWN', 'Choices', { required: true }, { required: true }, 'is empty, so nobody'],
		['RADIO', 'Choices', { choices: ' , ' }, { values: [] }, 'is empty, so nobody'],
		['CHECKBOX', 'Choices', { label: 'Pets' }, { label: 'Pets' }, 'is empty, so nobody'],
		[
			...(['CHECKBOX', 'Rule Number', { ...rule, choices: 'Oslo, Bergen' }] as const),
			{ ...rule, values },
			'is 3, but the field has 2 choices',
		],
		[
			...(['CHECKBOX', 'Rule Number', { ...rule, choices: 'Oslo' }] as const),
			{ ...rule, values: values.slice(0, 1) },
			'is 3, but the field has 1 choice [item 0]',
		],
		[
			...(['DROPDOWN', 'Default', { choices: 'Oslo, Bergen', defaultValue: 'oslo' }] as const),
			{ values, defaultValue: 'oslo' },
			'is "oslo", which is none of the choices',
		],
		[
			...(['DROPDOWN', 'Choices', { choices: 'Oslo, Bergen, Oslo' }] as const),
			{ values: [...values, { value: 'Oslo' }] },
			'has "Oslo" twice',
		],
		...alike('NUMBER', 'Value', { value: 'abc' }, 'is a number field, but "abc" is text'),
		...alike(
			'NUMBER',
			'Value',
			{ value: '5', minValue: 10 },
			"is 5, which is below the field's minimum 10",
		),
		...alike(
			'NUMBER',
			'Maximum',
			{ minValue: 10, maxValue: 1 },
			'is 1, which is below the minimum 10',
		),
		...alike(
			'NUMBER',
			'Maximum',
			{ minValue: 5, maxValue: 0 },
			'is 0, which is below the minimum 5',
		),
		...alike(
			'NUMBER',
			'Number Format',
			{ numberFormat: '0.00' },
			'is "0.00", which Documenso does not know',
		),
		...alike(
			'TEXT',
			'Text',
			{ text: 'Oslo', characterLimit: 3 },
			'has 4 characters, but the field takes 3',
		),
	];

	test.each(cases)(
		'is refused by Add and Update: %s, %s %j',
		async (type, label, settings, _, fault) => {
			await expectRefused({ type, settings }, `'Settings > ${label}' ${fault}`);
		},
	);

	test.each(cases)('is refused in JSON: %s, %s', async (type, _label, _settings, meta, fault) => {
		const fieldMeta = { type: type.toLowerCase(), ...meta };
		const { error } = await createWith({ type, fieldMeta });
		expect(error?.message).toContain(`' ${fault}`);
		expect((await add(inJson(type, meta))).error?.message).toContain(`' ${fault}`);
		expect(suite.changes()).toEqual([]);
	});

	test('a rule for more boxes than there are is refused for a field that has fewer already', async () => {
		const { items } = await add({ type: 'CHECKBOX', settings: { choices: 'Oslo, Bergen' } });
		const { error } = await suite.run(update(items[0]?.json.id, { settings: rule }));
		expect(error?.message).toContain("'Settings > Rule Number' is 3, but the field has 2 choices");
	});

	test.each([
		['CHECKBOX', { ...rule, validationRule: 'Select at most', choices: 'Oslo' }],
		['DROPDOWN', { choices: 'Oslo, Bergen', defaultValue: 'Bergen' }],
		['NUMBER', { value: '1,250.00', numberFormat: '123,456,789.00', maxValue: 2000 }],
		['NUMBER', { value: '-5', minValue: 0, maxValue: 0 }],
		['TEXT', { text: 'Oslo', characterLimit: 4 }],
		['TEXT', { text: 'Oslo', characterLimit: 0 }],
	])('else it is added: %s %j', async (type, settings) => {
		expect((await add({ type, settings })).error).toBeUndefined();
	});
});

test('a field is not moved beyond its page', async () => {
	const { items } = await add({ type: 'SIGNATURE' });
	suite.service.calls.length = 0;
	const { error } = await suite.run(move(items[0]?.json.id, { positionY: 97 }));
	expect(error?.message).toContain("'Top (%)' plus the height of 6 is 103 percent");
	expect(suite.changes()).toEqual([]);
});
