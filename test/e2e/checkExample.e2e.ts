import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { host } from './host';
import { useInbox } from './inbox';
import { useN8n } from './n8n';

const csv = readFileSync(join(__dirname, '..', '..', 'examples', 'rental-agreements.csv'), 'utf8');

const documenso = useDocumenso();
const n8n = useN8n();

const chat = useInbox();

async function run({ id }: Example, trigger: string) {
	expect(await n8n.rest.run(id, trigger, 60_000)).toMatchObject({ status: 'success' });
}

/** Reads another spreadsheet into the sheet than the one of the examples. */
function withRows(workflow: Example, rows: string): Example {
	const file = join(host.files, 'checked.csv');
	writeFileSync(file, rows);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Read the spreadsheet'
			? { ...node, parameters: { ...node.parameters, fileSelector: file } }
			: node,
	);
	return { ...workflow, nodes };
}

async function sheet() {
	const rows = await n8n.tableRows('Rental agreements');
	return new Map(rows.map((row) => [row.externalId as string, row]));
}

test('every night, the sheet gets its verdicts, and the team a message only if something is wrong', async () => {
	const sending = await n8n.add(
		await n8n.example('fill-template-from-spreadsheet.json', {
			template: RENTAL_AGREEMENT,
		}),
	);
	await run(sending, 'When you click Execute');
	const example = await n8n.example('check-sheet-every-night.json', {
		template: RENTAL_AGREEMENT,
		slackUrl: chat.webhookUrl,
	});
	const nightly = await n8n.add(example);
	await run(nightly, 'When you click Execute');
	await run(nightly, 'Every night');
	const well = await sheet();
	expect([...well.values()].map(({ verdict }) => verdict)).toEqual(Array(6).fill('matches'));
	expect(well.get('RA-2027-002')).toMatchObject({
		whatDiffers: '',
		whatToDo: '',
		page: expect.stringContaining('/documents/envelope_') as string,
	});
	expect(chat.messages).toEqual([]);

	const documents = await documenso.documents();
	const zoe = documents.find(({ title }) => title.includes('RA-2027-001'));
	await documenso.sign(zoe as NonNullable<typeof zoe>, { Address: 'Flat 9 <b>' });
	await documenso.api('POST /envelope/use', {
		payload: {
			envelopeId: RENTAL_AGREEMENT.id,
			externalId: 'RA-2026-099',
			recipients: [{ id: RENTAL_AGREEMENT.tenantId, name: 'Nora', email: 'nora@example.com' }],
			override: { title: 'An old agreement' },
		},
	});
	const [, , lastRow = ''] = /(\n(RA-2027-006.+)\n?$)/.exec(csv) ?? [];
	const changed = csv
		.replace(',980,', ',"1,000.00",')
		.concat(lastRow.replace('RA-2027-006', 'RA-2027-007'), '\n');
	const other = await n8n.add(withRows(example, changed));
	await run(other, 'When you click Execute');
	for (const _ of [1, 2]) await run(other, 'Every night');

	const [message, again, ...others] = chat.messages.map(({ text }) => text.split('\n'));
	expect(others).toEqual([]);
	expect(again).toEqual(message);
	expect(message).toEqual([
		':warning: *The sheet and Documenso do not agree:*',
		expect.stringMatching(
			/^• \*RA-2027-001\* differs\. Address is Flat 9 &lt;b&gt;, not Flat 3, 12 Quay Street, Bristol \(changed by a signer\) http\S+\/documents\/envelope_\w+$/,
		),
		expect.stringMatching(
			/^• \*RA-2027-002\* differs\. Rent is 980, not 1,000\.00 \(it was sent like that\) http\S+$/,
		),
		'• *RA-2027-007* has no document.',
		expect.stringMatching(/^• \*RA-2026-099\* has no row in the sheet\. An old agreement http\S+$/),
		'The sheet says what to do.',
	]);
	const rows = await sheet();
	expect([...rows.values()].map(({ verdict }) => verdict)).toEqual([
		...['different', 'different', 'matches', 'matches', 'matches', 'matches', 'missing'],
	]);
	expect(rows.get('RA-2027-007')).toMatchObject({
		tenantName: "D'Arcy Smith-Jones",
		whatToDo: expect.stringContaining('No document has this External ID') as string,
		page: '',
	});
	expect(await documenso.documents()).toHaveLength(7);
});
