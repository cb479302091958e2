import { getParameterValueByPath } from 'n8n-workflow';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { recipientsWithFields } from '../../nodes/Documenso/inputs/recipients';
import { itemWith, loadOptionsContext } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();
const { getListedRecipients } = new Documenso().methods.loadOptions;

const ada = { email: 'ada@example.com', name: 'Ada Miller', role: 'SIGNER' };
const bob = { email: 'bob@example.com', name: '', role: 'SIGNER' };
const cc = { email: 'cc@example.com', name: 'Cleo', role: 'CC' };
const place = { page: 1, positionX: 10, positionY: 80, width: 30, height: 6 };
const signature = { ...place, type: 'SIGNATURE' };

const base = { resource: 'document', operation: 'create', title: 'Lease' };

async function withPdf(text = 'A lease', json = {}): Promise<INodeExecutionData> {
	return { ...(await itemWith({ data: { content: await pdf(text) } })), json };
}

async function run(recipients: object[], fields: object[], changes: object = {}) {
	const lists = { recipients: { recipient: recipients }, fields: { field: fields } };
	return await suite.run({ ...base, ...lists, ...changes }, [await withPdf()]);
}

async function runJson(recipients: object[], changes: object = {}) {
	const json = { specifyRecipients: 'json', recipientsJson: JSON.stringify(recipients) };
	return await suite.run({ ...base, ...json, ...changes }, [await withPdf()]);
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
		const context = loadOptionsContext(credentialFor(suite.service), base);
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
		const { error } = await suite.run(
			{
				...base,
				recipients: { recipient: [someone] },
				fields: { field: [{ ...signature, recipient: 'r1' }] },
			},
			[
				await withPdf('One', { email: 'one@example.com' }),
				await withPdf('Two', { email: 'two@example.com' }),
			],
		);
		expect(error).toBeUndefined();
		expect(
			suite.service.store.documents.map(({ recipients, fields }) => [
				recipients[0]?.email,
				fields.length,
			]),
		).toEqual(
			expect.arrayContaining([
				['one@example.com', 1],
				['two@example.com', 1],
			]),
		);
	});
});

test('placeholders count the recipients as the list does, and its fields come on top', async () => {
	const fields = { field: [{ ...signature, recipient: 'r1' }] };
	const { error } = await suite.run(
		{ ...base, recipients: { recipient: [ada, bob] }, fields, placeholdersInPdf: true },
		[await withPdf('{{text, r2, label=City, required=true}}')],
	);
	expect(error).toBeUndefined();
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
			'that is a radio with choices of nothing',
			{ type: 'RADIO', options: { choices: ' , ' } },
			"Options > Choices' is empty, so nobody could fill in the field",
		],
		[
			'that is a checkbox without choices',
			{ type: 'CHECKBOX', options: { label: 'Agreed' } },
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
			'a field off the page',
			{ ...place, width: 91, type: 'DATE' },
			"positionX' plus the width of 91 is 101 percent",
		],
		[
			'a dropdown without choices',
			{ ...place, type: 'DROPDOWN', fieldMeta: { type: 'dropdown' } },
			"fieldMeta > values' is empty",
		],
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

describe('is taken', () => {
	const right: Array<[string, object]> = [
		['a field that ends at the edges of the page', { positionX: 70, positionY: 94 }],
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
