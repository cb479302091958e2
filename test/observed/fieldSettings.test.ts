import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { byId, contract, useService } from '../support/suite';

const suite = useService();
const { description } = new Documenso();

const CREATE = 'POST /envelope/field/create-many';
const UPDATE = 'POST /envelope/field/update-many';

/** What each type can be given in the editor, with values that are not those of the editor. */
const SETTINGS: Array<[type: string, settings: IDataObject]> = [
	['SIGNATURE', { label: 'L', placeholder: 'P', required: false, fontSize: 20, overflow: 'crop' }],
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

async function addTo(changes: IDataObject, type: unknown) {
	const { id, recipients } = await suite.document();
	const add = {
		resource: 'field',
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
	};
	return await suite.run({ ...add, ...changes }, [{ json: { type } as IDataObject }]);
}

describe('13.8 The settings of a field whose type comes from an expression', () => {
	test.each(SETTINGS)('are all sent by Field: Add: %s', async (type, settings) => {
		const { error } = await addTo({ type: '={{ $json.type }}', settings }, type.toLowerCase());
		expect(error).toBeUndefined();
		expect(sentTo(suite.service, CREATE)).toMatchObject({
			data: [{ type, fieldMeta: asMeta(type, settings) }],
		});
	});

	test.each(SETTINGS)('are all sent by Field: Update: %s', async (type, settings) => {
		const { fields } = await suite.document();
		const update = {
			resource: 'field',
			operation: 'update',
			fieldId: byId(fields[0]?.id),
			type: '={{ $json.type }}',
			settings,
		};
		await suite.outputOf(update, [{ json: { type } }]);
		expect(sentTo(suite.service, UPDATE)).toMatchObject({
			data: [{ type, fieldMeta: asMeta(type, settings) }],
		});
	});

	test.each([
		[
			'SIGNATURE',
			{ characterLimit: 40 },
			"Character Limit' is not for fields of the type SIGNATURE",
		],
		['TEXT', { choices: 'A,B' }, "Choices' is not for fields of the type TEXT"],
		['DROPDOWN', { direction: 'horizontal' }, "Direction' is not for fields of the type DROPDOWN"],
	])('that the type does not have are refused: %s %j', async (type, settings, fault) => {
		const { error } = await addTo({ type: '={{ $json.type }}', settings }, type);
		expect(error?.message).toBe(`'Settings > ${fault} [item 0]`);
		expect(lines(suite.service)).toEqual([]);
	});

	test('may be left empty for the items whose type does not have them', async () => {
		const limit = "={{ $json.type === 'TEXT' ? 40 : '' }}";
		const settings = { label: 'L', characterLimit: limit };
		await addTo({ type: '={{ $json.type }}', settings }, 'SIGNATURE');
		expect(sentTo(suite.service, CREATE)).toMatchObject({
			data: [{ fieldMeta: { type: 'signature', label: 'L' } }],
		});
	});

	test('pass for a type that is newer than the package', async () => {
		const settings = { label: 'L', choices: 'A' };
		const { error } = await addTo({ type: '={{ $json.type }}', settings }, 'STAMP');
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

describe('13.8 Field: Move', () => {
	const place = { page: 1, positionX: 12.5, positionY: 25.25, width: 40, height: 5.5 };

	async function documentWithField() {
		const [signature] = contract.fields.field;
		const document = await suite.document('create', {
			fields: { field: [{ ...signature, ...place, options: { label: 'Here' } }] },
		});
		const [field] = document.fields;
		if (!field) throw new Error('The document has no field');
		const move = { resource: 'field', operation: 'move', fieldId: byId(field.id), output: 'raw' };
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
		const item = await itemWith({ data: { content: await pdf('An annex') } });
		const add = { resource: 'file', operation: 'add', envelopeId: byId(document.id) };
		const [file] = await suite.outputOf(add, [item]);
		await suite.outputOf({ ...move, updateFields: { envelopeItemId: byId(file?.id) } });
		expect(sentTo(suite.service, CREATE)).toMatchObject({
			data: [{ envelopeItemId: file?.id, ...place }],
		});
	});

	test.each([{}, { envelopeItemId: { __rl: true, mode: 'list', value: '' } }])(
		'without any change (%j) is refused before any request',
		async (updateFields) => {
			const { move } = await documentWithField();
			const { error } = await suite.run({ ...move, updateFields });
			expect(error?.message).toBe("'Update Fields' is empty [item 0]");
			expect(lines(suite.service)).toEqual([]);
		},
	);
});
