import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { host } from './host';
import { useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();

const HEADINGS = 'Tenant email,Tenant name,Address,Rent,Start date,Payment';
const row = (name: string, rent: string) =>
	`${name}@example.com,${name},1 Main Street,${rent},2027-02-01,Card`;

/** Reads a CSV file as n8n's users do, makes contracts from its rows, and returns how the execution ended. */
async function fill(rows: string[], options: object) {
	const file = join(host.files, 'rows.csv');
	await writeFile(file, [HEADINGS, ...rows].join('\n'));
	const credential = { [n8n.credential.type]: { ...n8n.credential } };
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			...{ name: 'File', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1 },
			parameters: { fileSelector: file, options: {} },
		},
		{
			...{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1 },
			parameters: { operation: 'csv', options },
		},
		{
			...{ name: 'Contracts', type: 'n8n-nodes-documenso.documenso', typeVersion: 1 },
			parameters: {
				...{ resource: 'template', operation: 'createDocument' },
				templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
				columns: { mappingMode: 'autoMapInputData', value: null },
			},
			credentials: credential,
		},
	].map((node, index) => ({ ...node, id: node.name, position: [index * 200, 0] }));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]?.name ?? '',
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	const { id } = (await n8n.rest.request('POST', '/workflows', {
		...{ name: expect.getState().currentTestName, nodes, connections },
		settings: { executionOrder: 'v1' },
	})) as { id: string };
	const { status, data } = await n8n.rest.run(id, 'Start', 60_000);
	const error = data?.resultData.error as { message?: string } | undefined;
	return { status, message: error?.message };
}

test.each([
	['as n8n reads it by itself', {}, "'Rent' is missing here; 2 other items have it [item 1]"],
	['with Include Empty Cells', { includeEmptyCells: true }, "'Rent' is empty [item 1]"],
])('an empty cell of a CSV file, %s, sends nothing to anybody', async (_, options, fault) => {
	const rows = [row('tina', '1250'), row('tom', ''), row('zoe', '980')];
	expect(await fill(rows, options)).toEqual({ status: 'error', message: fault });
	expect(await documenso.documents()).toEqual([]);
});

test('a whole CSV file is sent, one contract for each row', async () => {
	expect(await fill([row('tina', '1250'), row('tom', '980')], {})).toMatchObject({
		status: 'success',
	});
	expect(await documenso.documents()).toHaveLength(2);
});
