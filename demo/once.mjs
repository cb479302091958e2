import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { UserError } from '../n8n-host/userError.mjs';
import { findFiledPdf } from './filedPdf.mjs';
import { examples } from '../n8n-host/paths.mjs';
import { step } from '../n8n-host/progress.mjs';
import { table } from '../n8n-host/table.mjs';

const fillTimeoutMs = 120_000;
const deliveryTimeoutMs = 60_000;
/** How long to wait for duplicate messages after the expected ones have arrived. */
const settleMs = 2000;

/** Does what people would do: runs the workflow, and signs. Then waits for everything that should follow. */
export async function runOnce(demo) {
	const rows = await readRows();
	await step(`Filling the template from ${rows.length} rows`, () => fill(demo));
	const documents = await documentsOf(demo, rows);
	await step('Signing as every recipient', () => signAll(demo, documents));
	const results = await step('Waiting for the messages and the filed PDFs', () =>
		untilComplete(() => outcomes(demo, rows)),
	);

	console.log(`\n${table(columns, results)}\n`);
	const missing = results.filter((result) => !isComplete(result));
	for (const result of missing) {
		console.error(`Row ${result.row}: ${shortcomings(result).join(', ')}`);
	}
	if (missing.length > 0) await reportFailedExecutions(demo);
	else console.log(`${results.length} rows: all completed, announced once, and filed.`);
	return missing.length === 0;
}

const columns = {
	Row: ({ row }) => row,
	Document: ({ title }) => title,
	Status: ({ status }) => status,
	'Signed by': ({ signers }) => signers.join(', '),
	Announced: ({ announced }) => `×${announced}`,
	Filed: ({ file }) => (!file ? '–' : file.signed ? 'signed' : 'NOT signed'),
};

export async function readRows() {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { parse } = await import('csv-parse/sync');
	return parse(await readFile(join(examples, 'rental-agreements.csv')), { columns: true });
}

async function fill({ n8n, workflows }) {
	const [{ id, nodes }] = workflows;
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	const execution = await n8n.rest.run(id, trigger.name, fillTimeoutMs);
	if (execution.status !== 'success') throw new UserError(reasonOf(execution));
}

async function reportFailedExecutions({ n8n }) {
	const { results } = await n8n.rest.executions({ status: ['error'] });
	for (const { id } of results) console.error(reasonOf(await n8n.rest.execution(id)));
}

function reasonOf({ status, workflowData, data }) {
	const { message, description } = data?.resultData.error ?? {};
	const reason = [message, description].filter(Boolean).join(' – ');
	return `The workflow "${workflowData.name}" ended with "${status}": ${reason}`;
}

async function documentsOf({ emulator }, rows) {
	const { documents } = await emulator.state();
	return rows.flatMap((row) => madeOf(row, documents));
}

function madeOf(row, documents) {
	return documents.filter(({ externalId }) => externalId === row['External ID']);
}

async function signAll({ emulator }, documents) {
	for (const { recipients } of documents) {
		const inTurn = recipients
			.filter(({ role }) => role === 'SIGNER')
			.sort((a, b) => (a.signingOrder ?? 0) - (b.signingOrder ?? 0));
		for (const { token } of inTurn) await emulator.sign(token);
	}
}

async function outcomes(demo, rows) {
	const documents = await documentsOf(demo, rows);
	return Promise.all(
		rows.map(async (row, index) => {
			const made = madeOf(row, documents);
			const [document] = made;
			return {
				row: index + 1,
				made: made.length,
				title: document?.title ?? '–',
				status: document?.status ?? '–',
				signers: (document?.recipients ?? [])
					.filter(({ signingStatus }) => signingStatus === 'SIGNED')
					.map(({ name }) => name),
				announced: document ? announcements(demo.inbox, document) : 0,
				file: document && (await findFiledPdf(demo, document)),
			};
		}),
	);
}

function announcements({ messages }, { title }) {
	return messages.filter(({ text }) => text.includes(title)).length;
}

async function untilComplete(look) {
	const deadline = Date.now() + deliveryTimeoutMs;
	while (Date.now() < deadline) {
		if ((await look()).every(isComplete)) break;
		await sleep(500);
	}
	await sleep(settleMs);
	return look();
}

function isComplete(result) {
	return shortcomings(result).length === 0;
}

function shortcomings({ made, status, announced, file }) {
	return [
		made !== 1 && `it has ${made} documents, not 1`,
		status !== 'COMPLETED' && `the document is ${status}, not COMPLETED`,
		announced !== 1 && `announced ${announced} times, not once`,
		!file && 'no PDF was filed',
		file && !file.signed && `${file.name} is not the signed PDF`,
	].filter(Boolean);
}
