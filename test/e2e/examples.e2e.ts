import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeTypeDescription } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { envelopeSchema } from '../../nodes/shared/api/envelope';
import { columnInputs } from '../../nodes/Documenso/template/columnInputs';
import { templateOf } from '../../nodes/Documenso/template/columns';
import { contentsOf, useDocumenso } from './documenso';
import { useEditor } from './editor';
import { eventually } from './eventually';
import { host } from './host';
import { useN8n } from './n8n';

const folder = join(__dirname, '..', '..', 'examples');
const runTimeoutMs = 60_000;

const documenso = useDocumenso();
const inEditor = useEditor();
const n8n = useN8n();

/** Workflows as a person imports them. */
const imported = {
	async add(example: Example): Promise<Example> {
		const added = await n8n.add(example);
		if (example.active) await n8n.rest.publish(added.id);
		return added;
	},
	async run({ id }: Example) {
		const execution = await n8n.rest.run(id, 'When you click Execute', runTimeoutMs);
		expect(execution).toMatchObject({ status: 'success' });
	},
	/** As the editor gets it. */
	async descriptionOf({ type, typeVersion }: INode) {
		types ??= await allTypes();
		const description = types.find(
			({ name, version }) => name === type && [version].flat().includes(typeVersion),
		);
		expect([type, description?.name]).toEqual([type, type]);
		return description as INodeTypeDescription;
	},
};

let types: INodeTypeDescription[] | undefined;

/** Among them the tools that n8n makes of nodes, which it does not give one by one. */
async function allTypes(): Promise<INodeTypeDescription[]> {
	const headers = { cookie: n8n.rest.cookie };
	const response = await fetch(`${n8n.url}/types/nodes.json`, { headers });
	return (await response.json()) as INodeTypeDescription[];
}

test(
	'a node that has just run is not outdated when it is opened',
	inEditor(async (editor) => {
		const envelope = envelopeSchema.parse(await documenso.envelope(RENTAL_AGREEMENT.id));
		const chosen = { ...RENTAL_AGREEMENT, columns: columnInputs(templateOf(envelope)) };
		const { id } = await imported.add(
			await n8n.example('fill-template-from-spreadsheet.json', {
				template: chosen,
			}),
		);
		await editor.openWorkflow(id);
		await editor.execute();
		const node = await editor.openNode('Create and send the agreement');
		expect(await node.mapper.isShown()).toBe(true);
		expect(await node.isOutdated()).toBe(false);
	}),
);

test('the rows of the spreadsheet become documents, once', async () => {
	const workflow = await imported.add(
		await n8n.example('fill-template-from-spreadsheet.json', {
			template: RENTAL_AGREEMENT,
		}),
	);
	await imported.run(workflow);

	const csv = readFileSync(join(folder, 'rental-agreements.csv'), 'utf8');
	const rows = parse<Record<string, string>>(csv, { columns: true });
	const landlord = 'Anna Landlord <landlord@example.com>';
	const expected = rows.map((row) => ({
		status: 'PENDING',
		people: [`${row['Tenant name']} <${row['Tenant email']}>`, landlord],
		values: {
			Address: row.Address,
			Rent: row.Rent,
			'Start date': row['Start date'],
			Payment: row.Payment,
		},
	}));
	const contents = async () => (await documenso.documents()).map(contentsOf);
	const made = await contents();
	expect(made).toHaveLength(rows.length);
	expect(made).toEqual(expect.arrayContaining(expected));

	await imported.run(workflow);
	expect(await contents()).toEqual(made);
});

test(
	'a visitor who fills in the form lands on the signing page, and signs',
	inEditor(async ({ page }) => {
		const { nodes } = await imported.add(
			await n8n.example('nda-from-a-form.json', { template: MUTUAL_NDA }),
		);
		const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');

		await eventually(async () => {
			const response = await page.goto(`${host.n8nUrl}/form/${form?.webhookId}`);
			return response?.ok() || undefined;
		});
		await page.getByLabel('Signer name').fill('Nora Novak');
		await page.getByLabel('Signer email').fill('nora@example.com');
		await page.getByLabel('Company').fill('Novak & Sons');
		await page.getByRole('button', { name: 'Read and sign' }).click();
		await page.getByRole('heading', { name: 'Mutual NDA, Novak & Sons' }).waitFor();
		await page.getByRole('button', { name: 'Sign', exact: true }).click();

		const document = await eventually(async () => {
			const documents = await documenso.documents();
			return documents.find(({ status }) => status === 'COMPLETED');
		});
		expect(contentsOf(document)).toEqual({
			status: 'COMPLETED',
			people: ['Nora Novak <nora@example.com>'],
			values: { Company: 'Novak & Sons' },
		});
	}),
);

test('everyone who has to sign gets their link by chat, once, and no mail', async () => {
	const copy = { email: 'archive@example.com', name: 'Archive', role: 'CC' };
	const { id: envelopeId } = RENTAL_AGREEMENT;
	await documenso.api('POST /envelope/recipient/create-many', { envelopeId, data: [copy] });
	const { startInbox } = await import('../../demo/inbox.mjs');
	const chat = await startInbox({ port: 0 });
	try {
		const example = await n8n.example('signing-links-by-chat.json', {
			template: RENTAL_AGREEMENT,
			slackUrl: chat.webhookUrl,
		});
		const workflow = await imported.add(example);
		await imported.run(workflow);
		await imported.run(workflow);
	} finally {
		chat.stop();
	}

	const people = (await documenso.documents()).flatMap(({ recipients }) => recipients);
	const signers = people.filter(({ role }) => role === 'SIGNER');
	expect([people.length, signers.length]).toEqual([18, 12]);
	expect(signers.filter(({ sendStatus }) => sendStatus !== 'NOT_SENT')).toEqual([]);
	const links = signers.map(({ name, token }) => `${name} ${host.documensoUrl}/sign/${token}`);
	const messages = chat.messages.map(({ text }) => text.replace(/.*\*(.+)\*.* /, '$1 '));
	expect(messages.sort()).toEqual(links.sort());
});

/** What the editor makes of a node's parameters: the defaults are added, what it does not show is dropped. */
function shownParameters(node: INode, description: INodeTypeDescription) {
	const { properties } = description;
	return (
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ?? {}
	);
}

/** What the user has to choose; everything else is there. */
const CHOICES = ['templateId', 'documentId', 'sheetName'];

test.each(readdirSync(folder).filter((name) => name.endsWith('.json')))(
	'n8n knows every node and every input of %s, and misses nothing but choices',
	async (file) => {
		const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;
		for (const node of nodes) {
			const description = await imported.descriptionOf(node);
			const shown = shownParameters(node, description);
			expect(shown).toMatchObject(node.parameters);
			const filled = { ...node, parameters: shown };
			const issues = NodeHelpers.getNodeParametersIssues(
				description.properties,
				filled,
				description,
			);
			const missing = Object.keys(issues?.parameters ?? {});
			expect(missing.filter((name) => !CHOICES.includes(name))).toEqual([]);
		}
	},
);
