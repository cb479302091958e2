import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso } from './documenso';
import { eventually } from './eventually';
import { host } from './host';
import { useInbox } from './inbox';
import { useN8n } from './n8n';

const runTimeoutMs = 60_000;
const csv = readFileSync(join(__dirname, '..', '..', 'examples', 'rental-agreements.csv'), 'utf8');

const documenso = useDocumenso();
const n8n = useN8n();

const chat = useInbox();

/** The example as a person imports it. */
async function imported(spreadsheet?: string): Promise<Example> {
	const example = await n8n.example('preview-approve-send.json', {
		template: RENTAL_AGREEMENT,
		slackUrl: chat.webhookUrl,
	});
	const reading = example.nodes.find(({ name }) => name === 'Read the spreadsheet');
	if (spreadsheet) Object.assign(reading?.parameters ?? {}, { fileSelector: spreadsheet });
	return await n8n.add(example);
}

/** Executes the workflow until it waits for the answer. */
async function asked({ id }: Example) {
	const execution = await n8n.rest.run(id, 'When you click Execute', runTimeoutMs);
	expect(execution.status).toBe('waiting');
	return execution;
}

/** Answers in the form that the last message links to, and returns the execution at its end. */
async function answered({ id }: { id: string }, answer: string) {
	const [form = ''] = /http\S+$/.exec(chat.messages.at(-1)?.text ?? '') ?? [];
	const page = await fetch(form);
	expect(await page.text()).toContain('Send them?');
	const body = new FormData();
	body.append('field-0', answer);
	expect((await fetch(form, { method: 'POST', body })).status).toBe(200);
	return await eventually(async () => {
		const execution = await n8n.rest.execution(id);
		return ['waiting', 'running'].includes(execution.status) ? undefined : execution;
	}, runTimeoutMs);
}

test('agreements are sent as they were shown, once a person has said yes, and only once', async () => {
	const workflow = await imported();
	const execution = await asked(workflow);
	expect(await documenso.documents()).toEqual([]);
	const rows = parse<Record<string, string>>(csv, { columns: true });
	const [message, ...others] = chat.messages.map(({ text }) => text);
	expect(others).toEqual([]);
	for (const value of rows.flatMap((row) => Object.values(row))) {
		const quoted = JSON.stringify(value).slice(1, -1);
		expect(message).toContain(quoted.replace('&', '&amp;'));
	}
	expect(message).toContain('SIGNER: "Anna Landlord" "landlord@example.com"');
	expect(message).toContain('For the recipients to fill in: ');

	expect(await answered(execution, 'Yes')).toMatchObject({ status: 'success' });
	const contents = async () => (await documenso.documents()).map(contentsOf);
	const sent = await contents();
	expect(sent).toHaveLength(rows.length);
	expect(sent).toEqual(
		expect.arrayContaining(
			rows.map((row) => ({
				status: 'PENDING',
				people: [
					`${row['Tenant name']} <${row['Tenant email']}>`,
					'Anna Landlord <landlord@example.com>',
				],
				values: {
					Address: row.Address,
					Rent: row.Rent,
					'Start date': row['Start date'],
					Payment: row.Payment,
				},
			})),
		),
	);

	const again = await asked(workflow);
	expect(chat.messages.at(-1)?.text.match(/: skipped\. It exists already: http/g)).toHaveLength(6);
	expect(await answered(again, 'Yes')).toMatchObject({ status: 'success' });
	expect(await contents()).toEqual(sent);
});

test('a corrected row replaces its document, once a person has said yes', async () => {
	const file = join(host.files, 'corrected.csv');
	writeFileSync(file, csv);
	const workflow = await imported(file);
	expect(await answered(await asked(workflow), 'Yes')).toMatchObject({ status: 'success' });
	const before = await documenso.documents();
	writeFileSync(file, csv.replace(',1250.00,', ',1300.00,'));
	const execution = await asked(workflow);
	expect(chat.messages.at(-1)?.text).toMatch(/to replace http\S+, which differs in "Rent"/);
	expect(await answered(execution, 'Yes')).toMatchObject({ status: 'success' });
	const after = await documenso.documents();
	expect(after).toHaveLength(before.length + 1);
	const statuses = after.map(({ status }) => status);
	expect(statuses.filter((status) => status === 'CANCELLED')).toHaveLength(1);
});

test('nothing is sent if the answer is no', async () => {
	const execution = await asked(await imported());
	expect(await answered(execution, 'No')).toMatchObject({ status: 'success' });
	expect(await documenso.documents()).toEqual([]);
});

test('nothing is sent if the template has changed before the answer, and the error says so', async () => {
	const execution = await asked(await imported());
	await documenso.api('POST /envelope/field/update-many', {
		envelopeId: RENTAL_AGREEMENT.id,
		data: [{ id: RENTAL_AGREEMENT.fields.rent, type: 'NUMBER', positionX: 5 }],
	});
	const { status, data } = await answered(execution, 'Yes');
	expect(status).toBe('error');
	const { message, description } = data?.resultData.error ?? {};
	expect(`${message} ${description as string}`).toContain(
		'it differs from the preview in the template',
	);
	expect(await documenso.documents()).toEqual([]);
});

test('a wrong row is told, and the others are sent', async () => {
	const file = join(host.files, 'misspelt.csv');
	writeFileSync(file, csv.replace('darcy@example.com', 'darcy').replace(',Card', ',Cash'));
	const execution = await asked(await imported(file));
	const [wrong, question, ...others] = chat.messages.map(({ text }) => text);
	expect(others).toEqual([]);
	expect(wrong?.split('\n').slice(1)).toEqual([
		expect.stringContaining(`• Row 5 (RA-2027-004): 'Payment' has no option "Cash"`),
		expect.stringContaining(`• Row 7 (RA-2027-006): 'Tenant email' is not an email address`),
	]);
	expect(question).not.toMatch(/RA-2027-00[46]/);

	expect(await answered(execution, 'Yes')).toMatchObject({ status: 'success' });
	const ids = (await documenso.created()).map(({ externalId }) => externalId);
	expect(ids.sort()).toEqual(['RA-2027-001', 'RA-2027-002', 'RA-2027-003', 'RA-2027-005']);
});
