import { DEMO_TOKEN } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { useEditor, type Editor } from './editor';
import { host } from './host';
import { useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();
const inEditor = useEditor();

/** Opens a credential with these values, which n8n tests then. */
async function openCredential({ page }: Editor, changes: object) {
	const data = { baseUrl: host.documensoUrl, apiToken: DEMO_TOKEN, ...changes };
	const credential = { name: expect.getState().currentTestName, type: 'documensoApi', data };
	const { id } = (await n8n.rest.request('POST', '/credentials', credential)) as { id: string };
	await page.goto(`${host.n8nUrl}/home/credentials/${id}`);
	return page.getByTestId('credential-edit-dialog');
}

test(
	'a credential that works is said to work',
	inEditor(async (editor) => {
		const dialog = await openCredential(editor, {});
		await dialog.getByText('Connection tested successfully').waitFor();
		expect(await documenso.calls()).toContain('GET /envelope');
	}),
);

test.each([
	[
		'a wrong token',
		{ apiToken: 'api_of_nobody' },
		'Documenso does not accept the API token. Check',
	],
	['a wrong port', { baseUrl: 'http://127.0.0.1:9' }, 'Nothing answers at this address: check'],
	['no URL', { baseUrl: 'documenso' }, 'The base URL in the credential does not begin with https'],
	['n8n itself', { baseUrl: host.n8nUrl }, "does not lead to Documenso's API. Check the base URL"],
])('a credential with %s says what to do', async (_, changes, text) => {
	await inEditor(async (editor) => {
		const dialog = await openCredential(editor, changes);
		await dialog.getByText('More details').click();
		await dialog.getByText(text).waitFor();
	})();
});

test(
	'several bad rows are a line each in the error',
	inEditor(async (editor) => {
		const automatic = { mappingMode: 'autoMapInputData', value: null };
		const rows = [
			{ 'Tenant email': 'tina@example.com', Rent: 1200 },
			{ 'Tenant email': 'zoe', Rent: 1200 },
			{ 'Tenant email': 'nathan@example.com', Rent: 'a lot' },
		];
		const id = await n8n.createWorkflow(rows, {
			resource: 'template',
			operation: 'createDocument',
			templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
			columns: automatic,
		});
		await editor.openWorkflow(id);
		const node = await editor.openNode('Documenso');
		await node.execute();
		const { message, description } = await node.error();
		expect(message).toBe('2 of 3 items cannot be used, so nothing was created');
		expect(description.split('\n')).toEqual([
			'Item 1: \'Tenant email\' is not an email address: "zoe"',
			'Item 2: \'Rent\' is a number field, but "a lot" is text',
			'',
			'Correct the data of the item, or what is entered in the node for it.',
			'Items are counted from 0.',
		]);
		expect(await documenso.documents()).toEqual([]);
	}),
);
