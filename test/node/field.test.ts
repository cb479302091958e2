import { refusal } from '../support/refusal';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { byId, contract, useService } from '../support/suite';

const suite = useService();
const base = { resource: 'field' };
const place = { page: 2, positionX: 15, positionY: 25, width: 40, height: 5 };
const createMany = 'POST /envelope/field/create-many';

test('Add puts a field with the settings of its type onto a page', async () => {
	const { id, recipients } = await suite.document();
	const [added] = await suite.outputOf({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		type: 'CHECKBOX',
		...place,
		settings: {
			label: 'Extras',
			choices: 'Garage, Cellar',
			validationRule: 'Select at least',
			validationLength: 1,
			required: '={{ "false" }}',
		},
	});
	expect(sentTo(suite.service, createMany)).toEqual({
		envelopeId: id,
		data: [
			{
				type: 'CHECKBOX',
				recipientId: recipients[0]?.id,
				...place,
				fieldMeta: {
					type: 'checkbox',
					label: 'Extras',
					validationRule: 'Select at least',
					validationLength: 1,
					required: false,
					values: [
						{ id: 1, checked: false, value: 'Garage' },
						{ id: 2, checked: false, value: 'Cellar' },
					],
				},
			},
		],
	});
	expect(added).toMatchObject({ type: 'CHECKBOX', page: 2, label: 'Extras' });
});

test('Add finds a text in the PDF and puts a field over each occurrence', async () => {
	const content = await pdf('Sign here ____ please', 'And here ____ too');
	const item = await itemWith({ data: { content } });
	const [{ id } = { id: '' }] = await suite.outputOf(
		{ resource: 'document', operation: 'create', ...contract, fields: {} },
		[item],
	);
	const recipientId = suite.service.store.envelopes.get(id as string)?.recipients[0]?.id;
	const added = await suite.outputOf({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipientId),
		type: 'SIGNATURE',
		place: 'placeholder',
		placeholder: '____',
		matchAll: true,
	});
	expect(sentTo(suite.service, createMany)).toMatchObject({
		data: [{ type: 'SIGNATURE', placeholder: '____', matchAll: true }],
	});
	expect(added.map(({ page }) => page)).toEqual([1, 2]);
});

test('Add takes settings as JSON too', async () => {
	const { id, recipients } = await suite.document();
	await suite.outputOf({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		type: 'TEXT',
		...place,
		specifySettings: 'json',
		settingsJson: '{"label":"City","characterLimit":40}',
	});
	expect(sentTo(suite.service, createMany)).toMatchObject({
		data: [{ fieldMeta: { type: 'text', label: 'City', characterLimit: 40 } }],
	});
});

test.each([
	[{ positionX: 101 }, "'Left (%)' is above 100 percent of the page"],
	[{ page: 0 }, "'Page' is below 1"],
	[{ type: 'TEXT', settings: { fontSize: 200 } }, "'Settings > Font Size' is above 96"],
	[{ place: 'placeholder', placeholder: ' ' }, "'Text in the PDF' is empty"],
])('Add refuses %j before any request', async (changes, message) => {
	const { id, recipients } = await suite.document();
	const { error } = await suite.run({
		...base,
		operation: 'add',
		envelopeId: byId(id),
		recipientId: byId(recipients[0]?.id),
		type: 'SIGNATURE',
		...place,
		...changes,
	});
	expect(error?.message).toContain(message);
	expect(lines(suite.service)).toEqual([]);
});

/** A document with one text field, whose settings have to survive. */
async function documentWithText() {
	const [signature] = contract.fields.field;
	const options = { label: 'City', required: true };
	const document = await suite.document('create', {
		fields: { field: [signature, { ...signature, type: 'TEXT', ...place, options }] },
	});
	const field = document.fields.find(({ type }) => type === 'TEXT');
	if (!field) throw new Error('The document has no text field');
	return { document, field };
}

test('Update keeps the settings that it is not given', async () => {
	const { document, field } = await documentWithText();
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		fieldId: byId(field.id),
		type: 'TEXT',
		settings: { placeholder: 'Where do you live?' },
		output: 'raw',
	});
	expect(lines(suite.service)).toEqual([
		`GET /envelope/field/${field.id}`,
		`GET /envelope/${document.id}`,
		'POST /envelope/field/update-many',
	]);
	expect(sentTo(suite.service, 'POST /envelope/field/update-many')).toMatchObject({
		envelopeId: document.id,
		data: [{ id: field.id, type: 'TEXT' }],
	});
	expect(updated?.fieldMeta).toMatchObject({
		label: 'City',
		required: true,
		placeholder: 'Where do you live?',
	});
});

test('Update of one setting changes neither the type of the field nor its label', async () => {
	const { field } = await documentWithText();
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		fieldId: byId(field.id),
		settings: { required: false },
		output: 'raw',
	});
	expect(updated).toMatchObject({ type: 'TEXT', fieldMeta: { label: 'City', required: false } });
});

test('Update refuses a setting that the type of the field does not have', async () => {
	const { field } = await documentWithText();
	const { error } = await suite.run({
		...base,
		operation: 'update',
		fieldId: byId(field.id),
		settings: { choices: 'Bonn, Berlin' },
	});
	expect(error?.message).toContain("'Settings > Choices' is not for fields of the type TEXT");
	expect(lines(suite.service)).toEqual([`GET /envelope/field/${field.id}`]);
});

test.each([{}, { specifySettings: 'json' }])(
	'Update without a new type and without settings is refused before any request %j',
	async (changes) => {
		const { field } = await documentWithText();
		const { error } = await suite.run({
			...base,
			operation: 'update',
			fieldId: byId(field.id),
			...changes,
		});
		expect(error?.message).toContain("'Settings' is empty");
		expect(lines(suite.service)).toEqual([]);
	},
);

test('Update to another type starts with new settings', async () => {
	const { field } = await documentWithText();
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		fieldId: byId(field.id),
		type: 'NUMBER',
		settings: { label: 'Rooms' },
		output: 'raw',
	});
	expect(updated).toMatchObject({ type: 'NUMBER', fieldMeta: { type: 'number', label: 'Rooms' } });
});

test('Move makes the field anew with its settings, and takes the old one away', async () => {
	const { document, field } = await documentWithText();
	const target = { page: 1, positionX: 1, positionY: 2, width: 3, height: 4 };
	const [moved] = await suite.outputOf({
		...base,
		operation: 'move',
		fieldId: byId(field.id),
		updateFields: target,
		output: 'raw',
	});
	expect(lines(suite.service)).toEqual([
		`GET /envelope/field/${field.id}`,
		`GET /envelope/${document.id}`,
		createMany,
		'POST /envelope/field/delete',
	]);
	expect(sentTo(suite.service, createMany)).toMatchObject({
		data: [{ envelopeItemId: field.envelopeItemId, recipientId: field.recipientId }],
	});
	expect(moved).toMatchObject({ movedFrom: field.id, type: 'TEXT', fieldMeta: { label: 'City' } });
	const { fields } = suite.service.store.envelopes.get(document.id) ?? { fields: [] };
	expect(fields.map(({ id }) => id)).not.toContain(field.id);
	expect(fields.find(({ id }) => id === moved?.id)).toMatchObject(target);
});

test('a move whose second half fails names both fields', async () => {
	const { field } = await documentWithText();
	suite.service.fail({
		match: 'POST /envelope/field/delete',
		...refusal('Down', 500),
	});
	const { error } = await suite.run({
		...base,
		operation: 'move',
		fieldId: byId(field.id),
		updateFields: place,
	});
	expect(error?.description).toContain(`delete field ${field.id}`);
});

test('Get reads a field with its label', async () => {
	const { field } = await documentWithText();
	const [read] = await suite.outputOf({ ...base, operation: 'get', fieldId: byId(field.id) });
	expect(lines(suite.service)).toEqual([`GET /envelope/field/${field.id}`]);
	expect(read).toMatchObject({ id: field.id, type: 'TEXT', label: 'City', inserted: false });
});

test('Delete takes a field off its page', async () => {
	const { document, field } = await documentWithText();
	const [deleted] = await suite.outputOf({ ...base, operation: 'delete', fieldId: byId(field.id) });
	expect(sentTo(suite.service, 'POST /envelope/field/delete')).toEqual({ fieldId: field.id });
	expect(deleted).toEqual({ id: field.id, deleted: true });
	expect(suite.service.store.envelopes.get(document.id)?.fields).toHaveLength(1);
});

describe('a move whose answers fail', () => {
	const deletion = 'POST /envelope/field/delete';
	const fieldsOf = (id: string) => suite.service.store.envelopes.get(id)?.fields ?? [];
	const move = (fieldId: number, setup = {}) =>
		suite.run(
			{ ...base, operation: 'move', fieldId: byId(fieldId), updateFields: place },
			undefined,
			setup,
		);

	test('is done when the old field is gone, though the answer was lost', async () => {
		const { document, field } = await documentWithText();
		const before = fieldsOf(document.id).length;
		suite.service.fail({ match: deletion, cut: 'after' });
		const { items, error } = await move(field.id);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ movedFrom: field.id });
		expect(fieldsOf(document.id)).toHaveLength(before);
	});

	test('is not begun anew by a retry once the new field stands', async () => {
		const { document, field } = await documentWithText();
		const before = fieldsOf(document.id).length;
		suite.service.fail({ match: deletion, times: 9, ...refusal('No') });
		const { error } = await move(field.id, { maxTries: 3 });
		expect(error?.message).toMatch(/^An earlier try failed, and is not retried: No/);
		expect(fieldsOf(document.id)).toHaveLength(before + 1);
	});
});
