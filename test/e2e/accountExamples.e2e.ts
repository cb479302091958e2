import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import type { WebhookEvent } from '../../emulator';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso } from './documenso';
import { eventually } from './eventually';
import { asFields, asRow, exampleFile, reading, returning } from './exampleFile';
import { fillIn } from './form';
import { host } from './host';
import { outputOf, useN8n, WEBHOOK_SECRET } from './n8n';
import { triggerWorkflow } from './triggerWorkflow';

const nora = { name: 'Nora Novak', email: 'nora@example.com' };

const documenso = useDocumenso();
const n8n = useN8n();

/** Replaces nodes by others, and texts in the rest: what takes an account, and what takes days. */
function example(
	file: string,
	replaced: Record<string, (node: INode) => Partial<INode>>,
	texts: Array<[string, string]> = [],
): Example {
	return exampleFile(n8n.credential, file, replaced, texts);
}

/** Publishes an example for the time of a test, with a webhook in Documenso as its note asks for. */
async function published(
	added: Example,
	events: WebhookEvent[],
	body: (workflow: Example) => Promise<void>,
) {
	const workflow = await n8n.add(added);
	await n8n.whilePublished(workflow, async (url) => {
		await documenso.register({ url, events, secret: WEBHOOK_SECRET });
		await body(workflow);
	});
}

/** What a node of a published workflow returned, once it has run so many times, first run first. */
async function outputs(workflow: Example, node: string, count: number) {
	return await eventually(async () => {
		const executions = await n8n.executions(workflow, 1);
		const items = executions.flatMap((one) => outputOf(one, node));
		return items.length >= count ? items : undefined;
	}, 60_000);
}

/** The document with this title, once it is sent: nobody can act on a draft. */
async function sentDocument(title: string) {
	return await eventually(async () => {
		const documents = await documenso.documents();
		return documents.find((one) => one.title === title && one.status !== 'DRAFT');
	}, 60_000);
}

async function run(workflow: Example, trigger: string) {
	const execution = await n8n.rest.run(workflow.id, trigger, 60_000);
	expect(execution.status).toBe('success');
	return (node: string) => outputOf(execution, node).map(({ json }) => json);
}

const remindExample = (texts: Array<[string, string]>) =>
	example(
		'remind-then-tell-the-owner.json',
		{ 'Tell the owner': asFields('sendTo', 'subject', 'message') },
		[['"waitingDays": 3', '"waitingDays": 0'], ...texts],
	);

test('the owner of a document hears once of each person who has not signed for too long', async () => {
	await documenso.send(nora);
	const workflow = await n8n.add(remindExample([['"rightValue": 10', '"rightValue": 0']]));
	const first = await run(workflow, 'Every morning');
	expect(first('Tell the owner')).toEqual([
		{
			sendTo: expect.stringContaining('@') as string,
			subject: 'Not signed for 0 days: Mutual NDA',
			message: expect.stringMatching(
				/^Nora Novak has not signed "Mutual NDA" for 0 days, and had 0 reminders .*not even opened it\.\n\nhttp/,
			) as string,
		},
	]);
	expect(first('Remind them')).toEqual([]);
	const second = await run(workflow, 'Every morning');
	expect(second('Who has not signed for three days')).toHaveLength(1);
	expect(second('Tell the owner')).toEqual([]);
});

test('before that, they are reminded', async () => {
	await documenso.send(nora);
	await documenso.sign(await documenso.send({ name: 'Zoe', email: 'zoe@example.com' }));
	const texts: Array<[string, string]> = [['$today.minus({ days: 2 })', '$now.plus({ days: 1 })']];
	const output = await run(await n8n.add(remindExample(texts)), 'Every morning');
	expect(output('Remind them')).toMatchObject([{ resentTo: [nora] }]);
	expect(output('Tell the owner')).toEqual([]);
	const mails = (await documenso.calls()).filter((call) => call.endsWith('/redistribute'));
	expect(mails).toHaveLength(1);
});

test('once a week, who has not signed comes as rows, and in one message', async () => {
	for (const title of ['Lease', 'Offer']) await documenso.send(nora, { title });
	const workflow = await n8n.add(
		example('weekly-list-of-who-is-blocking.json', {
			'Add them to the sheet': asRow,
			'Tell the team': asFields('text'),
		}),
	);
	const output = await run(workflow, 'Every Monday');
	expect(output('Add them to the sheet')).toHaveLength(2);
	expect(output('Add them to the sheet')[0]).toMatchObject({
		Week: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
		Name: 'Nora Novak',
		Days: '0',
		Page: expect.stringContaining('/documents/envelope_') as string,
	});
	const [message, ...others] = output('Tell the team');
	expect(others).toEqual([]);
	expect(message?.text).toMatch(/^:hourglass: \*2 signatures are missing\.\*/);
	expect(message?.text).toMatch(/• Nora Novak: Lease, 0 days http/);
});

test('the archive of a contract is whole: sha256sum finds every file as it was', async () => {
	const folder = join(host.files, 'archive');
	mkdirSync(folder);
	const archive = example('archive-completed-contracts.json', {
		'Create a folder': ({ parameters: { name } }) =>
			returning({ id: folder, name: name as string }),
		'Put the files into it': ({ parameters: { folderId, name } }) => ({
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			parameters: {
				operation: 'write',
				fileName: `${(folderId as { value: string }).value}/${(name as string).slice(1)}`,
				options: {},
			},
		}),
	});
	await published(archive, ['DOCUMENT_COMPLETED'], async (workflow) => {
		const { id } = await documenso.sign(await documenso.send(nora));
		const [execution] = await n8n.executions(workflow, 1);
		expect(outputOf(execution, 'Create a folder')[0]?.json.name).toBe(`Mutual NDA (${id})`);
		expect(readdirSync(folder)).toEqual(expect.arrayContaining(['manifest.json', 'SHA256SUMS']));
		const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder }).toString();
		expect(checked.trim().split('\n')).toHaveLength(readdirSync(folder).length - 1);
	});
});

test('everyone on a list gets one NDA, and the list shows who has signed', async () => {
	const person = (name: string) => ({
		...{ 'Signer name': name, 'Signer email': `${name}@example.com`, Company: `${name} & Sons` },
		...{ 'External ID': '', Status: '', Page: '', 'Signed on': '' },
	});
	const withList = (...names: string[]) =>
		example(
			'ndas-for-a-list.json',
			{
				'Read the list': () => reading(names.map(person)),
				'Write the status back': asRow,
				'Note the signature': asRow,
			},
			[['envelope_choose', MUTUAL_NDA.id]],
		);
	await run(await n8n.add(withList('nora', 'Zoe')), 'When you click Execute');
	await published(withList('Nora', 'Zoe', 'Ada'), ['DOCUMENT_COMPLETED'], async (workflow) => {
		const documents = async () => await documenso.documents();
		const [first] = await documents();
		if (!first) throw new Error('Nothing was sent');
		await documenso.sign(first);
		await documenso.sign(await documenso.send(nora, { externalId: 'lease-1' }));
		const signed = await outputs(workflow, 'Note the signature', 1);
		expect(signed.map(({ json }) => json)).toEqual([
			{
				'External ID': 'nda-nora@example.com',
				Status: 'COMPLETED',
				'Signed on': new Date().toISOString().slice(0, 10),
			},
		]);

		const output = await run(workflow, 'When you click Execute');
		const written = (name: string, Status: string) => ({
			...{ 'Signer email': `${name}@example.com`, Status },
			'External ID': `nda-${name.toLowerCase()}@example.com`,
			Page: expect.stringContaining('/documents/envelope_') as string,
		});
		expect(output('Write the status back')).toEqual([
			written('Nora', 'COMPLETED'),
			written('Zoe', 'PENDING'),
			written('Ada', 'PENDING'),
		]);
		const ndas = (await documents()).filter(({ title }) => title !== 'Mutual NDA');
		expect(ndas.map((one) => contentsOf(one).values)).toEqual([
			{ Company: 'nora & Sons' },
			{ Company: 'Zoe & Sons' },
			{ Company: 'Ada & Sons' },
		]);
	});
});

test('a lease that ends soon gets its renewal once, and others get none', async () => {
	const inDays = (days: number) => {
		return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	};
	const lease = (id: string, endDate: string, renewal = '') => ({
		...{ 'External ID': id, 'End date': endDate, Renewal: renewal, 'Renewal page': '' },
		...{ 'Tenant name': 'Nora Novak', 'Tenant email': nora.email, Address: '1 Quay Street' },
		...{ Rent: '1250', Payment: 'Card' },
	});
	const rows = [
		lease('ends-soon', inDays(30)),
		lease('is-renewed', inDays(30), 'is-renewed from 2027-01-01'),
		lease('has-ended', inDays(-3)),
		lease('ends-later', inDays(90)),
		lease('has-no-end', ''),
	];
	const withLeases = async (...leases: typeof rows) =>
		await n8n.add(
			example(
				'renew-leases.json',
				{ 'Read the leases': () => reading(leases), 'Note the renewal': asRow },
				[['envelope_choose', RENTAL_AGREEMENT.id]],
			),
		);
	const workflow = await withLeases(...rows);
	for (const _ of [1, 2]) {
		const output = await run(workflow, 'Every morning');
		expect(output('Note the renewal')).toEqual([
			{
				'External ID': 'ends-soon',
				Renewal: `ends-soon from ${inDays(31)}`,
				'Renewal page': expect.stringContaining('/documents/envelope_') as string,
			},
		]);
	}
	const misread = await withLeases(lease('ends-soon-too', '15.01.2027'));
	const { status, data } = await n8n.rest.run(misread.id, 'Every morning', 60_000);
	expect(status).toBe('error');
	expect(JSON.stringify(data)).toContain("'Start date' is empty");
	expect((await documenso.documents()).map(contentsOf)).toEqual([
		{
			status: 'PENDING',
			people: ['Nora Novak <nora@example.com>', 'Anna Landlord <landlord@example.com>'],
			values: {
				...{ Address: '1 Quay Street', Rent: '1250', Payment: 'Card' },
				'Start date': inDays(31),
			},
		},
	]);
});

const pdf = readFileSync(join(__dirname, '..', '..', 'examples', 'service-agreement.pdf'));
const asFile = (name: string) => new File([pdf], name, { type: 'application/pdf' });

/** Stands for the trigger of Gmail: a form with the same fields, which takes the attachments. */
function emailForm({ id }: INode): Partial<INode> {
	const texts = ['id', 'subject'].map((fieldLabel) => ({ fieldLabel }));
	const files = ['attachment_0', 'attachment_1'].map((fieldLabel) => {
		return { fieldLabel, fieldType: 'file', multipleFiles: false };
	});
	return {
		...{ type: 'n8n-nodes-base.formTrigger', typeVersion: 2.3, webhookId: id },
		parameters: { formTitle: 'Email', formFields: { values: [...texts, ...files] }, options: {} },
	};
}

test('an invoice that came by email goes to accounting only when it is approved', async () => {
	const approving = example('approve-incoming-invoices.json', {
		'When an invoice arrives': emailForm,
		'Tell what was not sent': asFields('text'),
		'Send it to accounting': asFields('sendTo', 'subject', 'message'),
		'Tell who rejected it': asFields('text'),
	});
	const events: WebhookEvent[] = ['DOCUMENT_COMPLETED', 'DOCUMENT_REJECTED'];
	await published(approving, events, async (workflow) => {
		const logo = new File(['logo'], 'logo.png', { type: 'image/png' });
		const arrives = async (id: string, subject: string) => {
			await fillIn(workflow, [id, subject, logo, asFile('invoice.pdf')]);
			return await sentDocument(subject);
		};
		const paper = await arrives('m1', 'Invoice for paper');
		expect(paper.recipients).toMatchObject([{ role: 'APPROVER', email: 'approver@example.com' }]);
		await arrives('m1', 'Invoice for paper');
		await documenso.sign(paper);
		const [mail] = await outputs(workflow, 'Send it to accounting', 1);
		expect(mail?.json).toEqual({
			sendTo: 'accounting@example.com',
			subject: 'Approved: Invoice for paper',
			message: expect.stringMatching(
				/^Alex Approver has approved the attached invoice\.\n\nhttp/,
			) as string,
		});
		const [attached] = await outputs(workflow, 'Is it approved?', 1);
		expect(attached?.binary?.data).toMatchObject({ mimeType: 'application/pdf' });

		await documenso.reject(await arrives('m2', 'Invoice for <!channel>'));
		const [message] = await outputs(workflow, 'Tell who rejected it', 1);
		expect(message?.json.text).toMatch(
			/^:warning: \*Alex Approver\* rejected \*Invoice for &lt;!channel&gt;\*: No http/,
		);
		await fillIn(workflow, ['m3', 'Invoice & reminder', logo, logo]);
		const [unsent] = await outputs(workflow, 'Tell what was not sent', 1);
		expect(unsent?.json.text).toMatch(/^:warning: \*Invoice &amp; reminder\* was not sent /);
		expect(await documenso.documents()).toHaveLength(2);
		expect(await outputs(workflow, 'Send it to accounting', 1)).toHaveLength(1);
	});
});

test('a quote becomes an invoice when it is signed, and sales hears of any other outcome and of an expired link', async () => {
	const quoting = example('quote-to-invoice.json', {
		'Tell sales how it ended': asFields('text'),
		'Tell sales to call': asFields('text'),
	});
	const events: WebhookEvent[] = [
		...(['DOCUMENT_COMPLETED', 'DOCUMENT_REJECTED'] as const),
		...(['DOCUMENT_CANCELLED', 'RECIPIENT_EXPIRED'] as const),
	];
	await published(quoting, events, async (workflow) => {
		const waits = async (number: string) => {
			const answers = [asFile('quote.pdf'), number, nora.name, nora.email, '1200'];
			await fillIn(workflow, answers);
			const document = await sentDocument(`Quote ${number} for Nora Novak`);
			await eventually(async () => {
				const executions = await n8n.executions(workflow, 1);
				const waiting = executions.filter(({ status }) => status === 'waiting');
				const items = waiting.flatMap((one) => outputOf(one, 'Send the quote and wait'));
				return items.some(({ json }) => json.id === document.id) || undefined;
			}, 60_000);
			return document;
		};
		await documenso.sign(await waits('Q-17'));
		const [row] = await outputs(workflow, 'Add the invoice', 1);
		expect(row?.json).toMatchObject({
			...{ quote: 'Q-17', customer: 'Nora Novak', email: 'nora@example.com', amount: '1200' },
			signedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
			page: expect.stringContaining('/documents/envelope_') as string,
		});
		const open = await waits('Q-18');
		await documenso.expire(open.recipients[0]?.id ?? 0);
		const [call] = await outputs(workflow, 'Tell sales to call', 1);
		expect(call?.json.text).toMatch(
			/^:hourglass: \*Nora Novak\* let the link to \*Quote Q-18 for Nora Novak\* expire\. Better call\. http/,
		);
		await documenso.reject(await waits('Q-19'));
		const [ended] = await outputs(workflow, 'Tell sales how it ended', 1);
		expect(ended?.json.text).toBe(
			':warning: *Quote Q-19 for Nora Novak* is not signed. Outcome: rejected. No',
		);
		expect(await outputs(workflow, 'Add the invoice', 1)).toHaveLength(1);
	});
});

describe('in the demo, pinned data stands for accounts', () => {
	const titles = async () => (await documenso.documents()).map(({ title }) => title);
	const WOULD = [{ 'In the demo': expect.stringMatching(/^No account is needed/) as string }];

	test('everyone on the list gets an NDA', async () => {
		const workflow = await n8n.add(
			await n8n.example('ndas-for-a-list.json', { template: MUTUAL_NDA }),
		);
		const output = await run(workflow, 'When you click Execute');
		expect(output('Create and send the NDAs')).toHaveLength(2);
		expect(output('Write the status back')).toEqual(WOULD);
		const people = (await documenso.documents()).flatMap((one) => contentsOf(one).people);
		expect(people).toEqual([
			'Nora Novak <nora@example.com>',
			'Zoë Brontë <zoe.bronte@example.com>',
		]);
	});

	test('the lease that ends soon is renewed', async () => {
		const workflow = await n8n.add(
			await n8n.example('renew-leases.json', { template: RENTAL_AGREEMENT }),
		);
		const output = await run(workflow, 'Every morning');
		expect(output('Note the renewal')).toEqual(WOULD);
		expect(await titles()).toHaveLength(1);
	});

	test('the PDF of the email is sent for approval', async () => {
		const workflow = await n8n.add(await n8n.example('approve-incoming-invoices.json'));
		await run(workflow, 'When an invoice arrives');
		expect(await titles()).toEqual(['Invoice for paper']);
	});

	test('the quote of the form is signed, and put on the list', async () => {
		const workflow = await n8n.add(await n8n.example('quote-to-invoice.json'));
		const parameters = { events: ['DOCUMENT_COMPLETED'] };
		const waking = await triggerWorkflow(n8n, 'documensoTrigger', parameters);
		const url = await n8n.publish(waking);
		await documenso.register({ url, events: ['DOCUMENT_COMPLETED'], secret: WEBHOOK_SECRET });
		await n8n.rest.request('POST', `/workflows/${workflow.id}/run`, {
			triggerToStartFrom: { name: 'When the form is sent' },
		});
		const answers = [asFile('quote.pdf'), 'Q-21', nora.name, nora.email, '1200'];
		await fillIn(workflow, answers, 'form-test');
		await documenso.sign(await sentDocument('Quote Q-21 for Nora Novak'));
		const [row] = await outputs(workflow, 'Add the invoice', 1);
		expect(row?.json).toMatchObject({ quote: 'Q-21', amount: '1200' });
		await n8n.unpublish(waking);
	});
});
