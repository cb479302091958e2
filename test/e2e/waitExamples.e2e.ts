import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { EMPLOYMENT_CONTRACT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso, type Envelope } from './documenso';
import { eventually } from './eventually';
import { fillIn } from './form';
import { host } from './host';
import { useInbox } from './inbox';
import { outputOf, useN8n, WEBHOOK_SECRET } from './n8n';

const documenso = useDocumenso();
const n8n = useN8n();

const inbox = useInbox();

/** Publishes an example for the time of a test, with a webhook in Documenso as its note asks for. */
async function published(example: Example, body: (workflow: Example) => Promise<void>) {
	const workflow = await n8n.add({ ...example });
	await n8n.whilePublished(workflow, async (url) => {
		const { webhooksOf } = await import('../../demo/examples.mjs');
		const [webhook] = webhooksOf([{ ...workflow, active: true }], host.n8nUrl);
		expect(webhook?.url).toBe(url);
		await documenso.register({ url, events: webhook?.events, secret: WEBHOOK_SECRET });
		await body(workflow);
	});
}

/** The newest document of a workflow, once its execution waits for it, and what the node shows meanwhile. */
async function waitedFor(
	workflow: Example,
	node: string,
	title: string,
): Promise<{ document: Envelope; shown: IDataObject }> {
	const document = await eventually(async () => {
		const documents = await documenso.documents();
		return documents.find((one) => one.title === title);
	}, 60_000);
	const shown = await eventually(async () => {
		const executions = await n8n.executions(workflow, 1);
		const waiting = executions.filter(({ status }) => status === 'waiting');
		// Whoever may see executions, or a backup of n8n's database, cannot sign for anybody.
		for (const { token } of document.recipients) {
			expect(JSON.stringify(waiting)).not.toContain(token);
		}
		const items = waiting.flatMap((one) => outputOf(one, node).map(({ json }) => json));
		return items.find(({ id }) => id === document.id);
	}, 60_000);
	return { document, shown };
}

async function messages(count: number): Promise<string[]> {
	return await eventually(async () => {
		return inbox.messages.length >= count ? inbox.messages.map(({ text }) => text) : undefined;
	});
}

test('a signed contract is followed by the accounts, and HR hears of any other outcome and of an expired link', async () => {
	const example = await n8n.example('contract-then-onboarding.json', {
		template: EMPLOYMENT_CONTRACT,
		slackUrl: inbox.webhookUrl,
	});
	await published(example, async (workflow) => {
		const waits = async (name: string) => {
			const email = `${name.toLowerCase()}@example.com`;
			await fillIn(workflow, [name, email, 'Engineer', '2027-02-01', '4200']);
			const title = `Employment contract, ${name}`;
			return await waitedFor(workflow, 'Send the contract and wait', title);
		};
		const emma = await waits('Emma');
		expect(contentsOf(emma.document)).toEqual({
			status: 'PENDING',
			people: ['Emma <emma@example.com>', 'Petra People <people@example.com>'],
			values: { Position: 'Engineer', 'Start date': '2027-02-01', Salary: '4200' },
		});
		expect(emma.shown).toMatchObject({
			status: 'PENDING',
			waitingFor: ['emma@example.com', 'people@example.com'],
		});
		const nils = await waits('Nils');
		await documenso.expire(nils.document.recipients[0]?.id ?? 0);
		expect(await messages(1)).toEqual([
			expect.stringMatching(/^:hourglass: \*Nils\* let the link to \*Employment contract, Nils\*/),
		]);
		await documenso.sign(emma.document);
		expect((await messages(2))[1]).toBe(
			':tada: *Emma* has signed, and starts on 2027-02-01: please create the accounts.',
		);
		await documenso.reject((await waits('Rosa')).document);
		expect((await messages(3))[2]).toBe(
			':warning: The contract of *Rosa* is not signed. Outcome: rejected.',
		);
		const executions = await n8n.executions(workflow, 4);
		expect(executions.map(({ status }) => status).sort()).toEqual([
			'success',
			'success',
			'success',
			'waiting',
		]);
	});
});

test('an offer reaches the customer only when it is approved, and is filed when it is signed', async () => {
	const signed = join(host.files, 'signed');
	mkdirSync(signed, { recursive: true });
	const offer = readFileSync(join(__dirname, '..', '..', 'examples', 'service-agreement.pdf'));
	const example = await n8n.example('approve-then-send.json', {
		folder: signed,
		slackUrl: inbox.webhookUrl,
	});
	await published(example, async (workflow) => {
		const approvalFor = async (customer: string) => {
			const file = new File([offer], 'offer.pdf', { type: 'application/pdf' });
			await fillIn(workflow, [file, customer, 'nora@example.com']);
			const title = `Approval: offer for ${customer}`;
			return await waitedFor(workflow, 'Send it for approval and wait', title);
		};
		const customers = async () =>
			(await documenso.documents()).filter(({ title }) => title.startsWith('Offer'));

		const { document } = await approvalFor('Novak');
		expect(document.recipients).toMatchObject([{ role: 'APPROVER', name: 'Alex Approver' }]);
		expect(await customers()).toEqual([]);
		await documenso.sign(document);
		const node = 'Send it to the customer and wait';
		const atCustomer = await waitedFor(workflow, node, 'Offer for Novak');
		expect(atCustomer.shown).toMatchObject({ waitingFor: ['nora@example.com'] });
		await fetch(`${host.documensoUrl}/sign/${atCustomer.document.recipients[0]?.token}`);
		expect(await messages(1)).toEqual([':eyes: *Novak* has opened *Offer for Novak*.']);
		const done = await documenso.sign(atCustomer.document);
		const name = `Offer for Novak_signed (${done.id.slice(-8)}).pdf`;
		await eventually(async () => readdirSync(signed).includes(name) || undefined);
		await n8n.executions(workflow, 2);
		const filed = readFileSync(join(signed, name));
		expect(filed.equals(await documenso.signedFile(done))).toBe(true);

		await documenso.reject((await approvalFor('Meyer')).document);
		expect((await messages(2))[1]).toBe(
			':warning: The offer for *Meyer* goes no further. Approval: offer for Meyer: rejected.',
		);
		expect(await customers()).toHaveLength(1);
	});
});
