import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import type { WebhookEvent } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso } from './documenso';
import { eventually } from './eventually';
import { host } from './host';
import { useInbox } from './inbox';
import { useN8n, WEBHOOK_SECRET } from './n8n';

const nora = { name: 'Nora Novak', email: 'nora@example.com' };

const documenso = useDocumenso();
const n8n = useN8n();

const chat = useInbox();

/** Publishes an example for the time of a test, with a webhook in Documenso as its note asks for. */
async function published(
	example: Example,
	events: WebhookEvent[] | undefined,
	body: (workflow: Example, url: string) => Promise<void>,
) {
	const workflow = await n8n.add(example);
	await n8n.whilePublished(workflow, async (url) => {
		await documenso.register({ url, events, secret: WEBHOOK_SECRET });
		await body(workflow, url);
	});
}

async function messages(count: number): Promise<string[]> {
	return await eventually(async () => {
		return chat.messages.length >= count ? chat.messages.map(({ text }) => text) : undefined;
	});
}

test('signed PDFs are filed with their customer, whatever the customer is called, after a retry if Documenso failed', async () => {
	const customers = join(host.files, 'customers');
	const known = join(customers, 'Novak - Sons');
	const strangers = join(customers, 'New customers');
	for (const folder of [known, strangers]) mkdirSync(folder, { recursive: true });
	const example = await n8n.example('file-signed-pdf-by-customer.json', {
		folder: customers,
	});
	await published(example, ['DOCUMENT_COMPLETED'], async (workflow) => {
		const document = await documenso.sign(await documenso.send(nora), { Company: 'Novak & Sons' });
		await n8n.executions(workflow, 1);
		const signed = `Mutual NDA_signed (${document.id.slice(-8)}).pdf`;
		expect(readdirSync(known).sort()).toEqual([
			`Mutual NDA_certificate (${document.id.slice(-8)}).pdf`,
			signed,
		]);
		const bytes = await documenso.signedFile(document);
		expect(readFileSync(join(known, signed)).equals(bytes)).toBe(true);

		await documenso.fail({ match: 'GET /envelope/*/certificate/*', status: 403, times: 1 });
		const other = await documenso.sign(await documenso.send(nora), { Company: '../../etc' });
		const [, failed] = await n8n.executions(workflow, 2);
		expect(failed?.status).toBe('error');
		await n8n.retry(failed?.id ?? '', 'original');
		const files = readdirSync(strangers).sort();
		expect(files).toEqual([
			`-..-etc - Mutual NDA_certificate (${other.id.slice(-8)}).pdf`,
			`-..-etc - Mutual NDA_signed (${other.id.slice(-8)}).pdf`,
		]);
		const found = readFileSync(join(strangers, files[1] ?? ''));
		expect(found.equals(await documenso.signedFile(other))).toBe(true);
		expect(readdirSync(customers).sort()).toEqual(['New customers', 'Novak - Sons']);
	});
});

test('who lets a link expire is mailed a new one three times, and then left to the owner', async () => {
	const example = await n8n.example('chase-expired-links.json', {
		slackUrl: chat.webhookUrl,
	});
	await published(example, ['RECIPIENT_EXPIRED'], async () => {
		const { recipients } = await documenso.send({ ...nora, name: 'Nora <!channel>' });
		for (const time of [1, 2, 3, 4]) {
			await documenso.expire(recipients[0]?.id ?? 0);
			await messages(time);
		}
		const mails = (await documenso.calls()).filter((call) => call.endsWith('/redistribute'));
		expect(mails).toHaveLength(3);
		const mailed = (time: number) =>
			`:hourglass: *Nora &lt;!channel&gt;* let the link to *Mutual NDA* expire, and was emailed a new one (${time} of 3).`;
		const texts = await messages(4);
		expect(texts.slice(0, 3)).toEqual([mailed(1), mailed(2), mailed(3)]);
		expect(texts[3]).toMatch(
			/^:warning: \*Nora &lt;!channel&gt;\* let the link to \*Mutual NDA\* expire for the 4th time/,
		);
	});
});

test('the board has one row for each document, which no late event sets back', async () => {
	await published(await n8n.example('status-board.json'), undefined, async (workflow, url) => {
		const made = await n8n.rest.run(workflow.id, 'When you click Execute', 60_000);
		expect(made.status).toBe('success');
		const open = await documenso.send({ name: '', email: 'zoe@example.com' }, { title: 'Lease' });
		const done = await documenso.sign(await documenso.send(nora, { externalId: 'crm-7' }));

		// What Documenso's dashboard sends as a test is no document.
		await documenso.test('DOCUMENT_COMPLETED');

		// A minute late, and no duplicate.
		const attempts = await documenso.attempts(10);
		const sent = attempts.find(({ body }) => body.payload.envelopeId === done.id);
		const late = { ...sent?.body, event: 'DOCUMENT_OPENED' };
		const headers = { 'content-type': 'application/json', 'x-documenso-secret': WEBHOOK_SECRET };
		const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(late) });
		expect(answer.status).toBe(200);

		const executions = await n8n.executions(workflow, 9);
		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const rows = await n8n.tableRows('Documenso documents');
		expect(rows).toHaveLength(2);
		const common = { url: expect.stringContaining('/t/demo/documents/') as string };
		expect(rows).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					...common,
					documentId: open.id,
					title: 'Lease',
					status: 'PENDING',
					signed: '0 of 1',
					waitingFor: 'zoe@example.com',
				}),
				expect.objectContaining({
					...common,
					documentId: done.id,
					status: 'COMPLETED',
					signed: '1 of 1',
					waitingFor: '',
					externalId: 'crm-7',
				}),
			]),
		);
	});
});

test('a completed contract is in the register as it was signed, and gets one renewal before it ends', async () => {
	const example = await n8n.example('register-of-contracts.json', {
		template: RENTAL_AGREEMENT,
		slackUrl: chat.webhookUrl,
	});
	const { id } = await n8n.add(
		await n8n.example('fill-template-from-spreadsheet.json', {
			template: RENTAL_AGREEMENT,
		}),
	);
	const run = async (workflow: string, trigger: string) => {
		const { status } = await n8n.rest.run(workflow, trigger, 60_000);
		expect(status).toBe('success');
	};
	await run(id, 'When you click Execute');
	const documents = await documenso.documents();
	const zoe = documents.find(({ title }) => title.includes('RA-2027-001'));
	if (!zoe) throw new Error('Nothing was sent to Zoë');
	// Until the end of this contract, nobody can wait.
	const due = example.nodes.find(({ name }) => name === 'End within sixty days');
	const parameters = JSON.stringify(due?.parameters).replace('days: 60', 'years: 20');
	Object.assign(due ?? {}, { parameters: JSON.parse(parameters) as INodeParameters });
	await published(example, ['DOCUMENT_COMPLETED'], async (workflow) => {
		await documenso.sign(zoe, { Rent: '1300', Payment: 'Card' });
		await documenso.sign(await documenso.send(nora));
		await n8n.executions(workflow, 2);
		const [row, ...others] = await n8n.tableRows('Contracts');
		expect(others).toEqual([]);
		expect(row).toMatchObject({
			...{ documentId: zoe.id, externalId: 'RA-2027-001', endDate: '2028-01-31' },
			...{ tenantEmail: 'zoe.bronte@example.com', rent: '1300', payment: 'Card', renewal: null },
		});

		for (const _ of [1, 2]) await run(workflow.id, 'Every morning');
		const [message, ...more] = await messages(1);
		expect(more).toEqual([]);
		expect(message?.split('\n')).toEqual([
			':calendar: *These contracts end soon:*',
			expect.stringMatching(
				/^• \*Rental agreement RA-2027-001, .+\* ends on 2028-01-31\. Its renewal is a draft, to look at and send: http\S+$/,
			),
		]);
		const renewals = (await documenso.documents()).filter(({ status }) => status === 'DRAFT');
		expect(renewals.map(contentsOf)).toEqual([
			{
				status: 'DRAFT',
				people: ['Zoë Brontë <zoe.bronte@example.com>', 'Anna Landlord <landlord@example.com>'],
				values: {
					...{ Address: 'Flat 3, 12 Quay Street, Bristol', Rent: '1300', Payment: 'Card' },
					'Start date': '2028-02-01',
				},
			},
		]);
	});
});
