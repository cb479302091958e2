import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { readInputs } from '../../nodes/Documenso/engine/readInputs';
import { sortSettings } from '../../nodes/Documenso/envelope/settings';
import { recipientsWithFields } from '../../nodes/Documenso/inputs/recipients';
import {
	createAndSendFields,
	createFields,
	createTemplateFields,
	updateDocumentFields,
	updateTemplateFields,
	useByNumberFields,
	useFields,
} from '../../nodes/Documenso/inputs/settings';
import { documentFilters, queryOf } from '../../nodes/shared/inputs/filters';
import { atLeastOne, changes, collection, rows } from '../../nodes/shared/n8n/collections';
import {
	choice,
	flag,
	input,
	type Inputs,
	notice,
	propertiesOf,
	required,
	shownFor,
	text,
	type Values,
} from '../../nodes/shared/n8n/input';
import { Parameters } from '../../nodes/shared/n8n/parameters';
import {
	anyText,
	between,
	compact,
	constant,
	decimal,
	email,
	extent,
	filledText,
	isBlank,
	jsonOf,
	located,
	numericId,
	percentage,
	type Schema,
	textUpTo,
	trueOrFalse,
	verbatim,
	webUrl,
	wholeNumber,
} from '../../nodes/shared/n8n/values';
import { errorOf } from '../support/errors';

/** All of n8n that reading needs. */
const parametersOf = (
	entered: IDataObject,
	getNodeParameter: (name: string, item: number, fallback: unknown, options: object) => unknown,
) => {
	const getNode = () => ({ parameters: entered });
	return new Parameters({ getNode, getNodeParameter } as unknown as IExecuteFunctions);
};

function read<I extends Inputs>(inputs: I, given: IDataObject): Values<I> {
	const parameters = parametersOf(given, (name, _, fallback) => given[name] ?? fallback);
	return readInputs(inputs, parameters, 0);
}

const refusal = async (inputs: Inputs, given: IDataObject) =>
	(await errorOf(() => read(inputs, given))).message;

const wide = input({ displayName: 'Width (%)', type: 'number', default: 1 }, wholeNumber(1));

describe.each([
	['a collection', collection],
	['a collection of changes', changes],
])('%s', (_, make) => {
	const inputs = {
		fields: make('Fields', { subject: text('Subject'), send: flag('Send', true), wide }),
	};

	test('holds what was added', () => {
		const fields = { subject: ' a ', send: false, wide: '2' };
		expect(read(inputs, { fields })).toEqual({ fields: { ...fields, subject: 'a', wide: 2 } });
		expect(read(inputs, { fields: { send: true } }).fields).toEqual({ send: true });
		expect(read(inputs, {}).fields).toEqual({});
	});

	test('says which of its inputs cannot be used, by its label', async () => {
		expect(await refusal(inputs, { fields: { wide: 'x' } })).toBe(
			"'Fields > Width (%)' is not a number",
		);
	});

	test('is listed by label in the editor', () => {
		const [property] = propertiesOf({ fields: make('F', { b: text('A'), a: text('B') }) });
		expect(property?.options?.map(({ name }) => name)).toEqual(['b', 'a']);
	});
});

describe('an input that was added and left empty', () => {
	const inner = { subject: text('Subject'), amount: wide };

	test('counts as not added to a collection', () => {
		const inputs = { fields: collection('Fields', inner) };
		expect(read(inputs, { fields: { subject: '', amount: null } }).fields).toEqual({});
	});

	test('empties what is stored, in a collection of changes', () => {
		const inputs = { fields: changes('Fields', inner) };
		expect(read(inputs, { fields: { subject: '', amount: null } }).fields).toEqual({
			subject: '',
		});
	});
});

describe('at least one', () => {
	const inputs = { fields: atLeastOne(changes('Update Fields', { subject: text('Subject') })) };

	test('has to be added', async () => {
		expect(read(inputs, { fields: { subject: '' } }).fields).toEqual({ subject: '' });
		expect(await refusal(inputs, { fields: {} })).toBe("'Update Fields' is empty");
	});
});

describe('rows', () => {
	const row = { displayName: 'Field', name: 'field' };
	const options = collection('Options', { label: text('Label', { required: true }) });
	const inputs = { fields: rows('Fields', row, { name: text('Name'), wide, options }) };

	test('are read one by one', () => {
		const field = [{ name: ' a ', wide: 1 }, { wide: '2' }];
		expect(read(inputs, { fields: { field } }).fields).toEqual([
			{ name: 'a', wide: 1, options: {} },
			{ name: '', wide: 2, options: {} },
		]);
	});

	test.each([[undefined], [{}], [{ field: [] }], [{ field: undefined }]])(
		'may be none: %j',
		(fields) => {
			expect(read(inputs, { fields }).fields).toEqual([]);
		},
	);
});

describe('an input that is shown only for some values of another', () => {
	const mode = choice(
		'Mode',
		[
			{ name: 'A', value: 'a' },
			{ name: 'B', value: 'b' },
		],
		{ default: 'a' },
	);
	const inputs = {
		mode,
		...shownFor('mode', ['a'], { title: text('Title', { required: true }) }),
		...shownFor('mode', ['b'], shownFor('isWide', [true], { wide })),
	};

	test('has no value otherwise, and is not checked', () => {
		expect(read(inputs, { mode: 'a', title: 'T', wide: 'x' })).toEqual({ mode: 'a', title: 'T' });
		expect(read(inputs, { mode: 'b', title: '', wide: 'x' })).toEqual({ mode: 'b' });
	});

	test('is checked while it is shown', async () => {
		expect(await refusal(inputs, { mode: 'a' })).toBe("'Title' is empty");
	});

	test('may depend on several', () => {
		expect(read(inputs, { mode: 'b', isWide: true, wide: 2 }).wide).toBe(2);
		expect(read(inputs, { mode: 'a', title: 'T', isWide: true, wide: 2 }).wide).toBeUndefined();
	});

	test('is shown for the same in the editor', () => {
		const conditions = propertiesOf(inputs).map(({ displayOptions }) => displayOptions?.show);
		expect(conditions).toEqual([undefined, { mode: ['a'] }, { mode: ['b'], isWide: [true] }]);
	});
});

test('a notice and a mark of what has to be filled in are only for the editor', () => {
	const inputs = { hint: notice('Look!'), title: required(text('Title')) };
	expect(read(inputs, {})).toEqual({ title: '' });
	expect(propertiesOf(inputs)).toMatchObject([
		{ name: 'hint', type: 'notice' },
		{ name: 'title', required: true },
	]);
});

describe('each item', () => {
	const widths = [1, 0, 3];
	const parameters = parametersOf({ wide: '={{ $json.wide }}' }, (_, item) => widths[item]);

	test('has values of its own', () => {
		expect(readInputs({ wide }, parameters, 2)).toEqual({ wide: 3 });
		expect(readInputs({ wide }, parameters, 0)).toEqual({ wide: 1 });
	});

	test('is asked for the value inside a resource locator', () => {
		const asked: unknown[] = [];
		const locator = { __rl: true, mode: 'id', value: '={{ $json.wide }}' };
		const parameters = parametersOf({ wide: locator }, (...all) => {
			asked.push(all);
			return 7;
		});
		readInputs({ wide }, parameters, 4);
		expect(asked).toEqual([['wide', 4, null, { extractValue: true }]]);
	});

	test.each([7, '7', undefined, { __rl: true, mode: 'id', value: '7' }, [{ a: ['b', 'c=d'] }]])(
		'shares what was entered without an expression: %j',
		(entered) => {
			const asked: number[] = [];
			const parameters = parametersOf({ wide: entered }, (_, item) => {
				asked.push(item);
				return 7;
			});
			const read = [0, 1, 2].map((item) => readInputs({ wide }, parameters, item).wide);
			expect({ read, asked }).toEqual({ read: [7, 7, 7], asked: [0] });
		},
	);

	test.each(['={{ 7 }}', '=7', { value: '=7' }, [{ a: ['b', '=c'] }]])(
		'is asked where an expression was entered: %j',
		(entered) => {
			const parameters = parametersOf({ wide: entered }, (_, item) => item + 1);
			const read = [0, 1, 2].map((item) => readInputs({ wide }, parameters, item).wide);
			expect(read).toEqual([1, 2, 3]);
		},
	);
});

describe('the recipients of a new document', () => {
	const listed = (rows: object[]) => ({
		specifyRecipients: 'fields',
		recipients: { recipient: rows },
		placeholdersInPdf: false,
	});
	const typed = (recipientsJson: unknown) => ({
		specifyRecipients: 'json',
		recipientsJson,
		placeholdersInPdf: false,
	});
	const fault = async (given: object) => await refusal(recipientsWithFields, given as IDataObject);

	test('are signers without a name and order unless told', () => {
		const given = listed([{ email: ' a@example.com ', signingOrder: 0 }]) as IDataObject;
		expect(read(recipientsWithFields, given).recipients).toEqual([
			{ email: 'a@example.com', name: '', role: 'SIGNER' },
		]);
	});

	test('take a role that is new or in another case', () => {
		const given = listed([{ email: 'a@example.com', role: 'witness' }]) as IDataObject;
		expect(read(recipientsWithFields, given).recipients).toMatchObject([{ role: 'WITNESS' }]);
	});

	test.each([
		[{ email: '' }, "Email' is missing"],
		[
			{ email: 'a@example.com', name: 'x'.repeat(256) },
			"Name' has 256 characters; at most 255 are allowed",
		],
		[{ email: 'a@example.com', signingOrder: -1 }, "Signing Order (0: None)' is below 0"],
		[
			{ email: 'a@example.com', signingOrder: 1e10 },
			"Signing Order (0: None)' is above 2147483647",
		],
	])('%j is refused by its row and label', async (row, message) => {
		expect(await fault(listed([{ email: 'b@example.com' }, row]))).toBe(
			`'Recipients > Row 2 > ${message}`,
		);
	});

	test('as JSON come as Documenso takes them', () => {
		const recipients = [{ email: 'a@example.com', role: 'cc', signingOrder: 0 }];
		const given = typed(JSON.stringify(recipients)) as IDataObject;
		expect(read(recipientsWithFields, given)).toMatchObject({
			recipients: undefined,
			recipientsJson: [{ email: 'a@example.com', name: '', role: 'CC', signingOrder: 0 }],
		});
	});

	const place = { type: 'TEXT', page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };

	test.each([
		[
			{ email: 'a@example.com', order: 1 },
			/Row 1' has something that Documenso does not know: order$/,
		],
		[{ email: 'a' }, /Row 1 > email' is not an email address: "a"$/],
		[
			{ fields: [{ ...place, width: 91 }] },
			/fields > Row 1 > positionX' plus the width of 91 is 101 percent/,
		],
		[{ fields: [{ ...place, identifier: -1 }] }, /fields > Row 1 > identifier' is below 0$/],
		[
			{ fields: [{ ...place, extra: 1 }] },
			/fields > Row 1' has something that Documenso does not know: extra$/,
		],
	])('%j as JSON is refused by its place', async (recipient, message) => {
		const said = await fault(typed([{ email: 'a@example.com', ...recipient }]));
		expect(said).toMatch(/^'Recipients \(JSON\) > Row 1/);
		expect(said).toMatch(message);
	});
});

describe('a field of a recipient', () => {
	const place = { page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };
	const given = (type: string, options: object, changed: object = {}): IDataObject => ({
		specifyRecipients: 'fields',
		fields: { field: [{ ...place, recipient: 'r1', type, options, ...changed }] },
		placeholdersInPdf: false,
	});
	const fieldOf = (type: string, options: object) =>
		read(recipientsWithFields, given(type, options)).fields?.[0]?.field;
	const metaOf = (type: string, options: object) => fieldOf(type, options)?.fieldMeta;

	test('numbers its choices for checkboxes and radios', () => {
		const values = [
			{ id: 1, checked: false, value: 'Yes' },
			{ id: 2, checked: false, value: 'No' },
		];
		expect(metaOf('RADIO', { choices: 'Yes, No,' })).toEqual({
			type: 'radio',
			required: true,
			values,
		});
		expect(metaOf('CHECKBOX', { choices: 'Yes,No' })).toMatchObject({ values });
	});

	test('only names its choices for a dropdown', () => {
		expect(metaOf('DROPDOWN', { choices: 'Yes' })).toMatchObject({ values: [{ value: 'Yes' }] });
	});

	test('a free signature takes no settings', () => {
		expect(fieldOf('FREE_SIGNATURE', { label: 'Here' })).toEqual({
			...place,
			type: 'FREE_SIGNATURE',
		});
	});

	test('may reach to the very edge, whatever the decimals add up to', () => {
		const decimals = { positionX: 70.1, width: 29.9, positionY: 33.3, height: 66.7 };
		const { fields } = read(recipientsWithFields, given('TEXT', {}, decimals));
		expect(fields).toMatchObject([{ recipient: 'r1', field: decimals }]);
	});
});

describe('settings', () => {
	const added = (additionalFields: object) =>
		read(useFields, { additionalFields }).additionalFields;

	test('part into what the document is and how it is sent', () => {
		const given = {
			title: 'Lease',
			visibility: 'ADMIN',
			subject: 'Sign',
			signatureTypes: ['typedSignatureEnabled'],
			emailsOff: ['recipientSigned'],
			emailsOn: ['documentCompleted'],
		};
		const { additionalFields } = read(createFields, { additionalFields: given });
		expect(sortSettings({ ...additionalFields, title: 'Lease' })).toEqual({
			data: { title: 'Lease', visibility: 'ADMIN' },
			content: {},
			emails: { recipientSigned: false, documentCompleted: true },
			meta: {
				subject: 'Sign',
				drawSignatureEnabled: false,
				typedSignatureEnabled: true,
				uploadSignatureEnabled: false,
			},
		});
	});

	test('have what Documenso takes only for something new by itself', () => {
		const attachments = { attachment: [{ label: 'Rules', data: 'https://example.com' }] };
		const given = { attachments, formValues: '{"a": 1}', folderId: 'f' };
		expect(sortSettings(added(given))).toEqual({
			data: { folderId: 'f' },
			content: { attachments: attachments.attachment, formValues: { a: 1 } },
			emails: {},
			meta: {},
		});
	});

	test('say of a period that it never ends with an amount of 0', () => {
		const expiring = (expiresAmount: unknown) =>
			added({ envelopeExpirationPeriod: { period: { expiresAmount, expiresUnit: 'day' } } });
		expect(expiring('3')).toEqual({ envelopeExpirationPeriod: { amount: 3, unit: 'day' } });
		expect(expiring(0)).toEqual({ envelopeExpirationPeriod: { disabled: true } });
	});

	const refused: Array<[object, string]> = [
		[{ title: 'x'.repeat(256) }, "Title' has 256 characters; at most 255 are allowed"],
		[{ subject: 'x'.repeat(255) }, "Subject' has 255 characters; at most 254 are allowed"],
		[{ message: 'x'.repeat(5001) }, "Message' has 5001 characters; at most 5000 are allowed"],
		[{ externalId: 'x'.repeat(256) }, "External ID' has 256 characters; at most 255 are allowed"],
		[{ redirectUrl: 'example.com' }, "Redirect URL' is not a URL with http:// or https://"],
		[{ emailReplyTo: 'me' }, 'Reply-To Email\' is not an email address: "me"'],
		[{ title: '' }, "Title' is empty"],
		[{ signatureTypes: [] }, "Signature Types' is empty: at least one way to sign is needed"],
		[
			{ envelopeExpirationPeriod: { period: { expiresAmount: -1, expiresUnit: 'day' } } },
			"Expiration > Expires After' is below 0",
		],
	];

	test.each(refused)(
		'that Documenso would refuse are refused: %.60j',
		async (updateFields, why) => {
			const given = { updateFields } as IDataObject;
			expect(await refusal(updateDocumentFields, given)).toBe(`'Update Fields > ${why}`);
		},
	);

	describe('in sections', () => {
		const emails = { subject: 'Sign', emailsOff: ['recipientSigned'] };
		const signing = { redirectUrl: 'https://example.com/thanks', dateFormat: 'dd/MM/yyyy' };
		const attachments = { attachment: [{ label: 'Rules', data: 'https://example.com' }] };

		test('are read as those in one collection, where workflows from before have them', () => {
			const sections = {
				additionalFields: { externalId: 'RA-1' },
				emailFields: emails,
				signingFields: signing,
				fileFields: { attachments },
			};
			const before = { externalId: 'RA-1', ...emails, ...signing, attachments };
			expect(read(useFields, sections).additionalFields).toEqual(added(before));
		});

		test('count where both have one', () => {
			const both = { additionalFields: { subject: 'Old', language: 'de' }, emailFields: emails };
			expect(read(useFields, both).additionalFields).toEqual({ ...emails, language: 'de' });
		});

		test('of an update empty what is stored, too', () => {
			const given = { updateFields: { title: 'Lease' }, signingFields: { redirectUrl: '' } };
			const { updateFields } = read(updateDocumentFields, given);
			expect(updateFields).toEqual({ title: 'Lease', redirectUrl: '' });
		});

		test('are refused by the name of their section', async () => {
			const given = { emailFields: { subject: 'x'.repeat(255) } };
			expect(await refusal(useFields, given)).toMatch(/^'Emails > Subject' has 255 characters/);
		});

		test.each([
			['Create', createFields],
			['Template: Create', createTemplateFields],
			['Create and Send', createAndSendFields],
			['Create Document', useFields],
			['Create Document by number', useByNumberFields],
			['Update', updateDocumentFields],
			['Template: Update', updateTemplateFields],
		])('of %s are fewer than 15 in each, and none is in two', (_, fields) => {
			const shown = Object.values(fields).map(({ property }) =>
				(property.options as INodeProperties[])
					.filter(({ type }) => type !== 'hidden')
					.map(({ name }) => name),
			);
			for (const names of shown) expect(names.length).toBeLessThan(15);
			expect(new Set(shown.flat()).size).toBe(shown.flat().length);
			const [all] = Object.values(fields);
			const known = (all?.property.options as INodeProperties[]).map(({ name }) => name);
			expect(known).toEqual(expect.arrayContaining(shown.flat()));
		});
	});

	test('of an attachment are refused by its row', async () => {
		const additionalFields = { attachments: { attachment: [{ label: '', data: 'https://a' }] } };
		expect(await refusal(useFields, { additionalFields })).toBe(
			"'Additional Fields > Attachments > Row 1 > Label' is empty",
		);
	});
});

describe('filters', () => {
	const queryFor = (filters: IDataObject) =>
		queryOf(read({ filters: documentFilters }, { filters }).filters);

	test('for expired recipients are sent only when they are on', () => {
		expect(queryFor({ hasExpiredRecipients: false })).toEqual({});
		expect(queryFor({ hasExpiredRecipients: true })).toEqual({ hasExpiredRecipients: 'true' });
	});

	test('go on as they are, without those left empty', () => {
		const given = { query: ' lease ', status: 'NEW_STATUS', source: '', template: '7' };
		expect(queryFor(given)).toEqual({ query: 'lease', status: 'NEW_STATUS', templateId: 7 });
	});

	test.each([
		[{ template: 0 }, "Template' is below 1"],
		[{ createdAfter: 'soon' }, `Created After' is "soon", which is not a date`],
		[{ createdAfter: 2026 }, `Created After' is "2026", which is not a date`],
		[{ createdAfter: '09:00' }, `Created After' is "09:00", which is not a date`],
		[{ template: 4915112345678 }, "Template' is above 2147483647"],
		[{ orderByDirection: 'newest' }, "Sort' is not one of: desc, asc"],
	])('%j is refused by its label', async (filters: IDataObject, why) => {
		expect(await refusal({ filters: documentFilters }, { filters })).toBe(`'Filters > ${why}`);
	});
});

describe('a value', () => {
	const fault = (schema: Schema<unknown>, value: unknown) =>
		schema.safeParse(value).error?.issues[0]?.message;

	type Row = [name: string, schema: Schema<unknown>, value: unknown, result: unknown];

	/** Named, for the titles. */
	const named = (rows: Row[]) =>
		rows.map(([name, schema, value, result]) => ({ name, schema, value, result }));

	const accepted: Row[] = [
		['an email', email, ' a@example.com ', 'a@example.com'],
		['an email', email, 'Jörg.O’Neill@müller.example', 'Jörg.O’Neill@müller.example'],
		['an email', email, '\u00a0tina@example.com\u202c', 'tina@example.com'],
		['text', anyText, 1.1 * 100, '110'],
		['a decimal', decimal, '12.5', 12.5],
		['a decimal', decimal, 0, 0],
		['a whole number', wholeNumber(0), '0', 0],
		['a page', wholeNumber(1), ' 2 ', 2],
		['an ID', numericId, '42', 42],
		['an ID', numericId, ' 16 ', 16],
		['an ID', numericId, '16.0', 16],
		['a percentage', percentage, 100, 100],
		['an extent', extent, '0.5', 0.5],
		['a number between two', between(8, 96), 8, 8],
		['true or false', trueOrFalse, 'false', false],
		['true or false', trueOrFalse, 'true', true],
		['true or false', trueOrFalse, false, false],
		['a constant', constant, ' signer ', 'SIGNER'],
		['text', anyText, ' a ', 'a'],
		['text', anyText, 7, '7'],
		['text', anyText, false, 'false'],
		['verbatim text', verbatim, ' a ', ' a '],
		['a URL', webUrl, ' https://example.com/a?b=c ', 'https://example.com/a?b=c'],
		['JSON', jsonOf(z.array(z.number())), '[1, 2]', [1, 2]],
		['JSON', jsonOf(z.array(z.number())), [1, 2], [1, 2]],
		['a picked value', located(numericId), { __rl: true, mode: 'id', value: '42' }, 42],
		['a picked value', located(numericId), '42', 42],
	];

	test.each(named(accepted))('$value as $name is $result', ({ schema, value, result }) => {
		expect(schema.parse(value)).toEqual(result);
	});

	/** Email addresses are in test/node/inputs.test.ts. */
	const refused: Row[] = [
		['an email', email, '  ', 'is missing'],
		['an email', email, undefined, 'is missing'],
		['an email', email, 7, 'is not text'],
		['a decimal', decimal, 'twelve', 'is not a number'],
		['a decimal', decimal, ' ', 'is missing'],
		['a decimal', decimal, true, 'is not a number'],
		['a decimal', decimal, undefined, 'is missing'],
		['a page', wholeNumber(1), '1.5', 'is not a whole number'],
		['a page', wholeNumber(1), 0, 'is below 1'],
		['an ID', numericId, -1, 'is below 1'],
		['an ID', numericId, '0x10', 'is not a number'],
		['an ID', numericId, '1e3', 'is not a number'],
		['a percentage', percentage, -1, 'is below 0 percent of the page'],
		['a percentage', percentage, 101, 'is above 100 percent of the page'],
		['an extent', extent, 0, 'is not above 0 percent of the page'],
		['an extent', extent, 101, 'is above 100 percent of the page'],
		['a number between two', between(8, 96), 7, 'is below 8'],
		['a number between two', between(8, 96), 97, 'is above 96'],
		['true or false', trueOrFalse, 'yes', 'is neither true nor false'],
		['true or false', trueOrFalse, 1, 'is neither true nor false'],
		['true or false', trueOrFalse, undefined, 'is neither true nor false'],
		['a constant', constant, ' ', 'is missing'],
		['text', anyText, ['a'], 'is not text'],
		['text', anyText, {}, 'is not text'],
		['text', textUpTo(3), 'abcd', 'has 4 characters; at most 3 are allowed'],
		['filled text', filledText(3), ' ', 'is empty'],
		['filled text', filledText(3), '\u200B', 'is empty'],
		['filled text', filledText(3), undefined, 'is empty'],
		['filled text', filledText(3), 'abcd', 'has 4 characters; at most 3 are allowed'],
		['a URL', webUrl, 'example.com', 'is not a URL with http:// or https://'],
		['a URL', webUrl, 'ftp://example.com', 'is not a URL with http:// or https://'],
		['a URL', webUrl, 'https://', 'is not a URL with http:// or https://'],
		['a URL', webUrl, 'javascript:alert(1)', 'is not a URL with http:// or https://'],
		['JSON', jsonOf(z.unknown()), '[1,', 'is not valid JSON'],
	];

	test.each(named(refused))('$value as $name $result', ({ schema, value, result }) => {
		expect(fault(schema, value)).toEqual(result);
	});

	test('what was not filled in is left out, and false and 0 are filled in', () => {
		const locator = (value?: unknown) => ({ __rl: true, mode: 'id', value });
		const values = { a: '', b: null, c: undefined, d: locator(''), e: locator() };
		const filled = { f: false, g: 0, h: locator('42'), i: [] };
		expect(compact({ ...values, ...filled })).toEqual(filled);
	});

	test('a URL of a megabyte costs no more than its length', () => {
		const url = `https://example.com/${'x'.repeat(1_000_000)}`;
		expect(webUrl.parse(url)).toBe(url);
		expect(fault(webUrl, `https://${'x'.repeat(1_000_000)} x`)).toContain('is not a URL');
	});

	test('an error shows the beginning of an email address that has no end', () => {
		expect(fault(email, 'x'.repeat(1_000_000))).toBe(
			`is not an email address: "${'x'.repeat(1000)}"`,
		);
	});

	test.each([
		'\u200b',
		'\u200e',
		'\u202c',
		'\u00ad',
		'\u3164',
		'\u2800',
		'\u180e',
		'\u00a0',
		'\ufe0f',
	])('%j is blank, since nobody sees it', (text) => {
		expect(isBlank(text)).toBe(true);
		expect(isBlank(`${text}a${text}`)).toBe(false);
	});

	test.each([
		['\u200b', '200B'],
		['\u202a', '202A'],
		['\u2060', '2060'],
		['\u00ad', '00AD'],
		['\u00a0', '00A0'],
		['\u3164', '3164'],
	])('an address with %j inside is refused, and the character is named', (letter, code) => {
		for (const address of [`ti${letter}na@example.com`, `tina@exa${letter}mple.com`]) {
			expect(fault(email, address)).toBe(
				`is "${address}", with a character that nobody sees: U+${code}`,
			);
		}
	});

	test('an address that is followed by more than anyone reads is none', () => {
		expect(fault(email, `tina@example.com${' '.repeat(20_000)}x`)).toMatch(
			/^is not an email address/,
		);
	});

	test.each([
		[
			12345678901234567890,
			'is 12345678901234567000, a number so large that its last digits are lost: give it as text',
		],
		[
			123456789012345.67,
			'is 123456789012345.67, a number with too many digits to be exact: give it as text',
		],
	])('the number %d is refused where a text is wanted', (number, message) => {
		expect(fault(anyText, number)).toBe(message);
	});
});
