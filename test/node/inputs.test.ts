import { type IDataObject, type INodeParameters, NodeHelpers } from 'n8n-workflow';

import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { email } from '../../nodes/shared/n8n/values';
import { operations } from '../support/operations';
import { lines, sentTo } from '../support/service';
import {
	byId,
	contract,
	fillFromRow,
	itemWithPdf,
	mapped,
	step,
	tina,
	useService,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

describe('the settings of a field', () => {
	const { description } = new Documenso();
	const CREATE = 'POST /envelope/field/create-many';
	const UPDATE = 'POST /envelope/field/update-many';

	/** What each type can be given in the editor, with values that are not those of the editor. */
	const SETTINGS: Array<[type: string, settings: IDataObject]> = [
		[
			'SIGNATURE',
			{ label: 'L', placeholder: 'P', required: false, fontSize: 20, overflow: 'crop' },
		],
		['INITIALS', { label: 'L', readOnly: false, textAlign: 'right' }],
		[
			'TEXT',
			{ text: 'T', characterLimit: 40, lineHeight: 2, letterSpacing: 3, verticalAlign: 'top' },
		],
		['NUMBER', { value: '7', numberFormat: '123,456,789.00', minValue: 1, maxValue: 9 }],
		['RADIO', { choices: 'A,B', direction: 'horizontal' }],
		['CHECKBOX', { choices: 'A,B', validationRule: 'Select at least', validationLength: 1 }],
		['DROPDOWN', { choices: 'A,B', defaultValue: ' B ' }],
	];

	function asMeta(type: string, { choices, ...settings }: IDataObject) {
		const values = ['A', 'B'].map((value, index) =>
			type === 'DROPDOWN' ? { value } : { id: index + 1, checked: false, value },
		);
		const { defaultValue } = settings;
		return {
			...settings,
			type: type.toLowerCase(),
			...(choices ? { values } : {}),
			...(defaultValue ? { defaultValue: 'B' } : {}),
		};
	}

	/** The parameters with the type that the item names, and such an item. */
	const ofType = (type: string, settings: IDataObject) =>
		[{ type: '={{ $json.type }}', settings }, [{ json: { type } }]] as const;

	async function add(type: string, settings: IDataObject) {
		const { id, recipients } = await suite.document();
		const [changes, items] = ofType(type, settings);
		const ids = { envelopeId: id, recipientId: recipients[0]?.id };
		return await suite.run(step('field.add', ids, changes), [...items]);
	}

	describe('The settings of a field whose type comes from an expression', () => {
		test.each(SETTINGS)('are all sent by Field: Add and Update: %s', async (type, settings) => {
			expect((await add(type.toLowerCase(), settings)).error).toBeUndefined();
			const sent = { data: [{ type, fieldMeta: asMeta(type, settings) }] };
			expect(sentTo(suite.service, CREATE)).toMatchObject(sent);
			const { fields } = await suite.document();
			const [changes, items] = ofType(type, settings);
			await suite.outputOf(step('field.update', { fieldId: fields[0]?.id }, changes), [...items]);
			expect(sentTo(suite.service, UPDATE)).toMatchObject(sent);
		});

		test.each([
			['SIGNATURE', 'Character Limit', { characterLimit: 40 }],
			['TEXT', 'Choices', { choices: 'A,B' }],
			['DROPDOWN', 'Direction', { direction: 'horizontal' }],
		])('that the type does not have are refused: %s, %s', async (type, label, settings) => {
			const { error } = await add(type, settings);
			expect(error?.message).toBe(
				`'Settings > ${label}' is not for fields of the type ${type} [item 0]`,
			);
			expect(lines(suite.service)).toEqual([]);
		});

		test('may be left empty for the items whose type does not have them', async () => {
			const limit = "={{ $json.type === 'TEXT' ? 40 : '' }}";
			const settings = { label: 'L', characterLimit: limit };
			await add('SIGNATURE', settings);
			expect(sentTo(suite.service, CREATE)).toMatchObject({
				data: [{ fieldMeta: { type: 'signature', label: 'L' } }],
			});
		});

		test('pass for a type that is newer than the package', async () => {
			const settings = { label: 'L', choices: 'A' };
			const { error } = await add('STAMP', settings);
			expect(sentTo(suite.service, CREATE)).toMatchObject({
				data: [{ type: 'STAMP', fieldMeta: { type: 'stamp', label: 'L' } }],
			});
			expect(error?.httpCode).toBe('400');
		});

		test.each([
			['TEXT', 1, ['characterLimit', 'label'], ['choices']],
			['RADIO', 1, ['choices', 'direction'], ['validationRule', 'characterLimit']],
			['={{ $json.type }}', 1, ['characterLimit', 'choices', 'validationRule', 'label'], []],
		])('stand in one list in the editor: %s', (type, lists, shown, hidden) => {
			const parameters: INodeParameters = {
				resource: 'field',
				operation: 'add',
				type,
				specifySettings: 'fields',
			};
			const displayed = description.properties.filter(
				(property) =>
					property.name === 'settings' &&
					NodeHelpers.displayParameter(parameters, property, null, description),
			);
			expect(displayed).toHaveLength(lists);
			const names = displayed
				.flatMap(({ options = [] }) => options)
				.filter((option) =>
					NodeHelpers.displayParameter({}, option as never, null, description, parameters),
				)
				.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(shown));
			expect(names.filter((name) => hidden.includes(name))).toEqual([]);
		});
	});

	describe('Field: Move', () => {
		const place = { page: 1, positionX: 12.5, positionY: 25.25, width: 40, height: 5.5 };

		async function documentWithField() {
			const [signature] = contract.fields.field;
			const document = await suite.document('create', {
				fields: { field: [{ ...signature, ...place, options: { label: 'Here' } }] },
			});
			const [field] = document.fields;
			if (!field) throw new Error('The document has no field');
			const move = step('field.move', { fieldId: field.id }, { output: 'raw' });
			return { document, field, move };
		}

		test.each([{ page: 2 }, { positionY: 50 }, { width: 20, height: 10 }])(
			'with only %j changed keeps everything else',
			async (updateFields) => {
				const { field, move } = await documentWithField();
				await suite.outputOf({ ...move, updateFields });
				const { envelopeItemId, recipientId } = field;
				expect(sentTo(suite.service, CREATE)).toMatchObject({
					data: [
						{
							type: 'SIGNATURE',
							envelopeItemId,
							recipientId,
							...place,
							...updateFields,
							fieldMeta: { label: 'Here' },
						},
					],
				});
			},
		);

		test('puts it into another file, in the same place', async () => {
			const { document, move } = await documentWithField();
			const [file] = await suite.outputOf(step('file.add', { envelopeId: document.id }), [
				await itemWithPdf('An annex'),
			]);
			await suite.outputOf({ ...move, updateFields: { envelopeItemId: byId(file?.id) } });
			expect(sentTo(suite.service, CREATE)).toMatchObject({
				data: [{ envelopeItemId: file?.id, ...place }],
			});
		});

		test.each([{}, { envelopeItemId: { __rl: true, mode: 'list', value: '' } }])(
			'without any change (%j) is refused before any request',
			async (updateFields) => {
				const { move } = await documentWithField();
				const error = await suite.refused({ ...move, updateFields });
				expect(error.message).toBe("'Update Fields' is empty [item 0]");
			},
		);
	});
});

describe('a free signature', () => {
	const [signature] = contract.fields.field;
	const free = { ...signature, type: 'FREE_SIGNATURE', positionY: 60 };
	const withFree = { fields: { field: [signature, free] } };
	const CANNOT = 'Documenso cannot use a field of type Free Signature';

	interface Shown {
		value?: unknown;
		options?: object[];
		values?: object[];
	}

	/** The values of every list of options in the editor, however deep. */
	function offered(properties: object[]): unknown[] {
		return properties.flatMap((property) => {
			const { value, options = [], values = [] }: Shown = property;
			return [value, ...offered(options), ...offered(values)];
		});
	}

	test('is not offered any more', () => {
		const values = new Set(offered(new Documenso().description.properties));
		expect(values.has('SIGNATURE')).toBe(true);
		expect(values.has('FREE_SIGNATURE')).toBe(false);
	});

	test('is passed through where a workflow has it stored', async () => {
		const document = await suite.document('create', withFree);
		expect(document.fields.map(({ type }) => type)).toEqual(['SIGNATURE', 'FREE_SIGNATURE']);
	});

	test('cannot be sent, and the error of Send names the field and whose it is', async () => {
		const { id, fields } = await suite.document('create', withFree);
		const { error } = await suite.run(step('document.send', { documentId: id }));
		expect(error?.message).toBe(`${CANNOT}: field ${fields[1]?.id} on page 1, for Tina`);
		expect(error?.description).toContain('Use the type Signature instead.');
		expect(error?.description).toContain('One or more fields have invalid metadata');
	});

	test('leaves the draft of Create and Send in the error', async () => {
		const send = { resource: 'document', operation: 'createAndSend', ...contract, ...withFree };
		const { error } = await suite.run(send, [await itemWithPdf('A lease')]);
		const [draft] = suite.service.store.documents;
		expect(error?.message).toContain(`${CANNOT}: field ${draft?.fields[1]?.id} on page 1`);
		expect(error?.description).toContain(`The document ${draft?.id} was created`);
		expect(error?.description).toContain('Use the type Signature instead.');
	});

	test('of a template is named when its document cannot be sent', async () => {
		const free = { type: 'FREE_SIGNATURE', fieldMeta: null };
		Object.assign(suite.field('landlordSignature'), free);
		const { error } = await suite.run({ ...fillFromRow, columns: mapped(tina) });
		expect(error?.message).toContain(CANNOT);
		expect(error?.message).toContain('on page 2, for Anna Landlord');
	});

	test('becomes a Signature by Field: Update, and the document is sent', async () => {
		const { id, fields } = await suite.document('create', withFree);
		await suite.outputOf(step('field.update', { fieldId: fields[1]?.id }, { type: 'SIGNATURE' }));
		expect(await suite.outputOf(step('document.send', { documentId: id }))).toMatchObject([
			{ status: 'PENDING' },
		]);
	});

	test.each([
		['add', 'page 2'],
		['update', /field \d+/],
	])('with settings is refused by the service: Field: %s explains it', async (operation, where) => {
		const { id, recipients, fields } = await suite.document();
		const ids = { envelopeId: id, recipientId: recipients[0]?.id, fieldId: fields[0]?.id };
		const changes = { type: '={{ $json.type }}', page: 2, settings: { label: 'Here' } };
		const items = [{ json: { type: 'free_signature' } }];
		const { error } = await suite.run(step(`field.${operation}`, ids, changes), items);
		const many = `POST /envelope/field/${operation === 'add' ? 'create' : 'update'}-many`;
		expect(sentTo(suite.service, many)).toMatchObject({
			data: [{ type: 'FREE_SIGNATURE', fieldMeta: { label: 'Here' } }],
		});
		expect(error?.message).toContain(CANNOT);
		expect(error?.message).toMatch(where);
		expect(error?.httpCode).toBe('400');
	});

	test('with settings in the JSON of a new document is refused, and explained', async () => {
		const { recipient: _, ...place } = free;
		const { error } = await suite.run(
			{
				resource: 'document',
				operation: 'create',
				title: 'Lease',
				specifyRecipients: 'json',
				recipientsJson: [
					{
						email: 'tina@example.com',
						fields: [{ ...place, fieldMeta: { type: 'free_signature' } }],
					},
				],
			},
			[await itemWithPdf('A lease')],
		);
		expect(error?.message).toBe(`${CANNOT}: page 1, for tina@example.com`);
		expect(error?.description).toContain('Expected undefined, received object');
	});

	test('is not blamed for what is refused for another reason', async () => {
		const { id } = await suite.document('create', withFree);
		const error = { message: 'No', data: { appError: { code: 'OTHER', message: 'No' } } };
		suite.service.fail({ match: 'POST /envelope/distribute', status: 400, body: error });
		const send = step('document.send', { documentId: id });
		expect((await suite.run(send)).error?.message).toBe('No');
	});
});

const label = (length: number) => 'a'.repeat(length);

/** An address of so many characters; no label of its domain is longer than it may be. */
const ofLength = (length: number) => `${'a'.repeat(length - 6)}@b.com`;

/** Every one of these was tried on a running Documenso 2.17.0. */
const TAKEN = [
	'Søren@gmail.com',
	'user@münchen.example',
	'tina@localhost',
	'a@b',
	'用户@例え.jp',
	"o'brien+x@example.com",
	'.a..b.@example.com',
	'a@b--c.example',
	`a@${label(63)}.com`,
	`a@example.${label(63)}`,
	ofLength(253),
	ofLength(254),
];

const REFUSED = [
	'a',
	'@b.com',
	'a@',
	'a@b@c.com',
	'a b@c.com',
	'a@b c.com',
	'a@-b.com',
	'a@b-.com',
	'a@b.-c',
	'a@b.c-',
	'a@b..com',
	'a@.com',
	'a@b.',
	'a@c_d.com',
	'a"b@c.com',
	'a,b@c.com',
	'a;b@c.com',
	'(a)@c.com',
	'a@[127.0.0.1]',
	'😀@c.com',
	'a@😀.com',
	`a@${label(64)}.com`,
	ofLength(255),
	ofLength(256),
];

describe('Addresses that the service takes are taken', () => {
	test.each(TAKEN)('%s', (address) => {
		expect(email.parse(` ${address} `)).toBe(address);
	});

	test.each(REFUSED)('and %s, which it refuses, is refused', (address) => {
		expect(email.safeParse(address).error?.issues[0]?.message).toBe(
			`is not an email address: "${address}"`,
		);
	});

	test('by Document: Create, for a recipient and the owner', async () => {
		const [{ id } = { id: '' }] = await suite.outputOf(
			{
				resource: 'document',
				operation: 'create',
				title: 'Lease',
				recipients: {
					recipient: [
						{ email: 'Søren@gmail.com', name: 'Søren' },
						{ email: 'tina@localhost', name: 'Tina' },
					],
				},
				fields: {
					field: contract.fields.field.map((field) => ({
						...field,
						recipient: 'SØREN@gmail.com',
					})),
				},
				additionalFields: { emailReplyTo: 'user@münchen.example' },
			},
			[await itemWithPdf('A lease')],
		);
		const { recipients, fields } = suite.service.store.envelopes.get(id as string) ?? {};
		expect(recipients?.map((recipient) => recipient.email)).toEqual([
			'søren@gmail.com',
			'tina@localhost',
		]);
		expect(fields?.map(({ recipientId }) => recipientId)).toEqual([recipients?.[0]?.id]);
	});

	test('by Template: Create Document, which finds them again after a lost answer', async () => {
		const columns = mapped({ 'Tenant email': 'SØREN@München.example' });
		const use = { ...fillFromRow, columns };
		suite.service.fail({ match: 'POST /envelope/use', cut: 'after' });
		expect(await suite.outputOf(use)).toMatchObject([{ status: 'PENDING' }]);
		expect(sentTo(suite.service, 'POST /envelope/use').recipients).toMatchObject([
			{ email: 'SØREN@München.example' },
		]);
		expect(suite.service.store.documents).toHaveLength(1);
	});

	test('by Recipient: Add, which refuses the others before any request', async () => {
		const { id } = await suite.document();
		const add = (email: string) => step('recipient.add', { envelopeId: id }, { email });
		await suite.outputOf(add('user@münchen.example'));
		suite.service.calls.length = 0;
		const error = await suite.refused(add('user@-example.com'));
		expect(error.message).toContain(`'Email' is not an email address: "user@-example.com"`);
	});
});

describe('a text that Documenso’s database cannot store', () => {
	const create = { resource: 'document', operation: 'create', ...contract };
	const json = (recipient: object) => ({
		...{ ...create, specifyRecipients: 'json' },
		recipientsJson: JSON.stringify([{ email: 'tina@example.com', ...recipient }]),
	});
	const NUL = 'contains a NUL character, which Documenso cannot store';
	const HALF = 'contains half a character, such as a cut emoji, which Documenso cannot store';

	test.each<[string, IDataObject, string]>([
		["'Title'", { ...create, title: 'Lease\0' }, NUL],
		["'Title'", { ...create, title: 'Lease \ud83d' }, HALF],
		[
			"'Recipients > Row 1 > Name'",
			{ ...create, recipients: { recipient: [{ email: 'tina@example.com', name: 'T\0' }] } },
			NUL,
		],
		["'Recipients (JSON)'", json({ name: 'T\0' }), NUL],
		[
			"'Additional Fields > Form Values'",
			{ ...create, additionalFields: { formValues: '{"\\u0000": 1}' } },
			NUL,
		],
		[
			"'Additional Fields > Message'",
			{ ...create, additionalFields: { message: '\ude00!' } },
			HALF,
		],
		["'Reason'", step('document.cancel', { documentId: 'envelope_abc' }, { reason: 'No\0' }), NUL],
		["'Filters > Search'", step('document.getAll', {}, { filters: { query: '\ud83d' } }), HALF],
		[
			"'Settings > Choices'",
			step('field.update', { fieldId: 1 }, { type: 'DROPDOWN', settings: { choices: 'A,B\0' } }),
			NUL,
		],
	])(
		'is refused by the name of its input before any request: %s',
		async (label, parameters, fault) => {
			const item = await itemWithPdf('A lease');
			const error = await suite.refused(parameters, [item]);
			expect(error.message).toBe(`${label} ${fault} [item 0]`);
		},
	);

	test.each<[string, IDataObject]>([
		['Tenant name', { 'Tenant name': 'Tina\0' }],
		['Address', { Address: '1 Main\0 Street' }],
		['Document title', { 'Document title': 'Lease\0' }],
	])('is refused by the name of its column before anything is created: %s', async (name, row) => {
		const { error } = await suite.run(fillFromRow, [
			{ json: { 'Tenant email': 'tina@example.com', ...row } },
		]);
		expect(error?.message).toBe(`'${name}' ${NUL} [item 0]`);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('may be no address, but a whole emoji is a text', async () => {
		expect(email.safeParse('t\ud83d@example.com').error?.issues[0]?.message).toBe(
			'is "t\ud83d@example.com", with a character that nobody sees: U+D83D',
		);
		expect(
			await suite.outputOf({ ...create, title: 'Lease 😀' }, [await itemWithPdf('A lease')]),
		).toHaveLength(1);
	});
});

describe('Template: Create', () => {
	test('hints at placeholder recipients, as no other operation that takes recipients', () => {
		const hinting = operations.filter(({ operation }) =>
			operation.properties.some(
				({ name, hint }) =>
					name === 'specifyRecipients' && hint?.includes('recipient.1@documenso.com'),
			),
		);
		expect(hinting.map(({ id }) => id)).toEqual(['template.create']);
	});
});

describe('Embed Token: Create', () => {
	test('of 5 minutes lives so long', async () => {
		expect(await suite.outputOf(step('embedToken.create', {}, { expiresIn: 5 }))).toMatchObject([
			{ expiresIn: 300 },
		]);
		expect(sentTo(suite.service, 'POST /embedding/create-presign-token')).toEqual({ expiresIn: 5 });
	});

	test('says beside the input how few minutes are possible', () => {
		const { operation } = operations.find(({ id }) => id === 'embedToken.create') ?? {};
		const input = operation?.properties.find(({ name }) => name === 'expiresIn');
		expect(input?.description).toContain('from 5');
		expect(input?.typeOptions?.minValue).toBe(5);
	});
});
