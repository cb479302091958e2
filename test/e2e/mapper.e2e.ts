import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso } from './documenso';
import { useEditor, type Editor } from './editor';
import { useN8n } from './n8n';
import { succeeded } from './notice';

const n8n = useN8n();
const documenso = useDocumenso();
const inEditor = useEditor();

const rows = [
	{
		'Tenant email': 'tina@example.com',
		'Tenant name': 'Tina Tenant',
		Address: '1 Main Street',
		Rent: 1200,
		'Start date': '2027-02-01',
		Payment: 'Card',
	},
	{
		'Tenant email': 'zoe@example.com',
		'Tenant name': 'Zoë Brontë',
		Address: '2 Main Street',
		Rent: '1250.50',
		'Start date': '2027-03-15',
		Payment: 'Bank transfer',
	},
];

const landlord = 'Anna Landlord <landlord@example.com>';

const documents = [
	{
		status: 'PENDING',
		people: ['Tina Tenant <tina@example.com>', landlord],
		values: {
			Address: '1 Main Street',
			Rent: '1200',
			'Start date': '2027-02-01',
			Payment: 'Card',
		},
	},
	{
		status: 'PENDING',
		people: ['Zoë Brontë <zoe@example.com>', landlord],
		values: {
			Address: '2 Main Street',
			Rent: '1250.50',
			'Start date': '2027-03-15',
			Payment: 'Bank transfer',
		},
	},
];

/** A person who opens the node, and chooses the template, which is asked for first. */
async function chooseTemplate(editor: Editor, input: IDataObject[]) {
	const parameters = { resource: 'template', operation: 'createDocument' };
	await editor.openWorkflow(await n8n.createWorkflow(input, parameters));
	const node = await editor.openNode('Documenso');
	const { mapper } = node;
	expect(await mapper.isShown()).toBe(false);
	await node.pick('templateId', RENTAL_AGREEMENT.title);
	return { node, mapper };
}

async function contents() {
	const made = (await documenso.documents()).map(contentsOf);
	// The node works on several rows at a time.
	return made.sort((a, b) => String(a.people[0]).localeCompare(String(b.people[0])));
}

test(
	'a chosen template shows its people and its fields as inputs of the right kinds',
	inEditor(async (editor) => {
		const { mapper } = await chooseTemplate(editor, [{}]);
		expect(await mapper.inputs()).toEqual({
			'Tenant Email': 'text',
			'Tenant Name': 'text',
			'Anna Landlord Email': 'text',
			'Anna Landlord Name': 'text',
			Address: 'text',
			'Start date': 'date',
			Rent: 'number',
			Payment: 'dropdown',
			'External ID': 'text',
		});
		expect(await mapper.choices('Payment')).toEqual(['Bank transfer', 'Direct debit', 'Card']);
	}),
);

test(
	'rows whose columns are called like the template’s become documents by themselves',
	inEditor(async (editor) => {
		const { node, mapper } = await chooseTemplate(editor, rows);
		await mapper.mapAutomatically();
		await node.close();
		const { length } = await documenso.calls();

		expect(await editor.execute()).toContain('Workflow executed successfully');
		expect((await documenso.calls()).slice(length)).toEqual([
			`GET /envelope/${RENTAL_AGREEMENT.id}`,
			'POST /envelope/use',
			'POST /envelope/use',
		]);
		expect(await contents()).toEqual(documents);
	}),
);

test(
	'columns are mapped one by one, by typing and by dragging',
	inEditor(async (editor) => {
		const { node, mapper } = await chooseTemplate(editor, [
			{ mail: 'tina@example.com', who: 'Tina Tenant', monthly: 1200, from: '2027-02-01' },
		]);
		await mapper.drag('mail', 'Tenant email');
		await mapper.typeExpression('Tenant name', '{{ $json.who }}', 'Tina Tenant');
		await mapper.type('Address', '1 Main Street');
		await mapper.drag('monthly', 'Rent');
		await mapper.typeExpression('Start date', '{{ $json.from }}', '2027-02-01');
		await mapper.choose('Payment', 'Card');

		expect(await node.execute()).toMatch(succeeded);
		expect(await contents()).toEqual(documents.slice(0, 1));
	}),
);

test(
	'a field that is renamed in Documenso is there under its new name after a refresh',
	inEditor(async (editor) => {
		const { mapper } = await chooseTemplate(editor, [{}]);
		await mapper.shows('Address');

		const template = await documenso.envelope(RENTAL_AGREEMENT.id);
		const address = template.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
		const { id, type, fieldMeta } = address ?? {};
		await documenso.api('POST /envelope/field/update-many', {
			envelopeId: template.id,
			data: [{ id, type, fieldMeta: { ...fieldMeta, label: 'Flat' } }],
		});
		await mapper.refreshColumns();
		await mapper.shows('Flat');
	}),
);

test(
	'a bad address in one row is named with its row and column, and nothing is sent',
	inEditor(async (editor) => {
		const { node, mapper } = await chooseTemplate(editor, [
			...rows,
			{ ...rows[0], 'Tenant email': 'not an address' },
		]);
		await mapper.mapAutomatically();
		await node.execute();

		expect(await contents()).toEqual([]);
		const { message, description } = await node.error();
		expect(message).toBe('\'Tenant email\' is not an email address: "not an address" [item 2]');
		expect(description).toMatch(/Nothing was created for any item\.$/);
	}),
);
