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

/** A person who opens the node, and chooses the template. */
async function chooseTemplate(editor: Editor, input: IDataObject[]) {
	const parameters = { resource: 'template', operation: 'createDocument' };
	await editor.openWorkflow(await n8n.createWorkflow(input, parameters));
	const node = await editor.openNode('Documenso');
	await node.pick('templateId', RENTAL_AGREEMENT.title);
	return { node, recipients: node.mapper(0), prefill: node.mapper(1) };
}

async function contents() {
	const made = (await documenso.documents()).map(contentsOf);
	// The node works on several rows at a time.
	return made.sort((a, b) => String(a.people[0]).localeCompare(String(b.people[0])));
}

test(
	'a chosen template shows its people and its fields as inputs of the right kinds',
	inEditor(async (editor) => {
		const { recipients, prefill } = await chooseTemplate(editor, [{}]);
		expect(await recipients.inputs()).toEqual({
			'Tenant email (SIGNER)': 'text',
			'Tenant name (SIGNER)': 'text',
			'Anna Landlord email (SIGNER)': 'text',
			'Anna Landlord name (SIGNER)': 'text',
		});
		expect(await prefill.inputs()).toEqual({
			'Address (required)': 'text',
			'Start date': 'date',
			'Rent (required)': 'number',
			'Payment (required)': 'dropdown',
			'Date on page 2 (Tenant)': 'date',
			'Date on page 2 (Anna Landlord)': 'date',
		});
		expect(await prefill.choices('Payment')).toEqual(['Bank transfer', 'Direct debit', 'Card']);
	}),
);

test(
	'rows whose columns are called like the template’s become documents by themselves',
	inEditor(async (editor) => {
		const { node, recipients, prefill } = await chooseTemplate(editor, rows);
		await recipients.mapAutomatically();
		await prefill.mapAutomatically();
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
		const { node, recipients, prefill } = await chooseTemplate(editor, [
			{ mail: 'tina@example.com', who: 'Tina Tenant', monthly: 1200, from: '2027-02-01' },
		]);
		await recipients.drag('mail', 'Tenant email');
		await recipients.typeExpression('Tenant name', '{{ $json.who }}', 'Tina Tenant');
		await prefill.type('Address', '1 Main Street');
		await prefill.drag('monthly', 'Rent');
		await prefill.typeExpression('Start date', '{{ $json.from }}', '2027-02-01');
		await prefill.choose('Payment', 'Card');

		expect(await node.execute()).toMatch(succeeded);
		expect(await contents()).toEqual(documents.slice(0, 1));
	}),
);

test(
	'a field that is renamed in Documenso is there under its new name after a refresh',
	inEditor(async (editor) => {
		const { prefill } = await chooseTemplate(editor, [{}]);
		await prefill.shows('Address (required)');

		const template = await documenso.envelope(RENTAL_AGREEMENT.id);
		const address = template.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
		const { id, type, fieldMeta } = address ?? {};
		await documenso.api('POST /envelope/field/update-many', {
			envelopeId: template.id,
			data: [{ id, type, fieldMeta: { ...fieldMeta, label: 'Flat' } }],
		});
		await prefill.refreshColumns();
		await prefill.shows('Flat (required)');
	}),
);

test(
	'a bad address in one row is named with its row and column, and nothing is sent',
	inEditor(async (editor) => {
		const { node, recipients, prefill } = await chooseTemplate(editor, [
			...rows,
			{ ...rows[0], 'Tenant email': 'not an address' },
		]);
		await recipients.mapAutomatically();
		await prefill.mapAutomatically();
		await node.execute();

		expect(await contents()).toEqual([]);
		const { message, description } = await node.error();
		expect(message).toBe(
			'\'Tenant email\' cannot be used: "not an address" is not an email address [item 2]',
		);
		expect(description).toMatch(/Nothing was created for any item\.$/);
	}),
);
