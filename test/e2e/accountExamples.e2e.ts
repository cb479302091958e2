import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, NodeParameterValue } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { host } from './host';
import { outputOf, useN8n, WEBHOOK_SECRET } from './n8n';

const nora = { name: 'Nora Novak', email: 'nora@example.com' };

const documenso = useDocumenso();
const n8n = useN8n();

/** Replaces nodes by others, and texts in the rest: what takes an account, and what takes days. */
function example(
	file: string,
	replaced: Record<string, (node: INode) => Partial<INode>>,
	texts: Array<[string, string]> = [],
): Example {
	const source = readFileSync(join(__dirname, '..', '..', 'examples', file), 'utf8');
	const missing = texts.filter(([text]) => !source.includes(text));
	expect(missing).toEqual([]);
	const changed = texts.reduce((text, [from, to]) => text.replace(from, to), source);
	const read = JSON.parse(changed) as Example;
	const { id, name, type } = n8n.credential;
	const nodes = read.nodes.map((node): INode => {
		const other = replaced[node.name];
		if (other) return { ...node, ...other(node) };
		const isOurs = node.type.startsWith('n8n-nodes-documenso.');
		return isOurs ? { ...node, credentials: { [type]: { id, name } } } : node;
	});
	return { ...read, nodes };
}

/** Stands for a service's node: returns what that would be given. */
function asFields(...fields: string[]) {
	return ({ parameters }: INode) =>
		returning(Object.fromEntries(fields.map((name) => [name, parameters[name] as string])));
}

function returning(values: Record<string, NodeParameterValue>): Partial<INode> {
	const assignments = Object.entries(values).map(([name, value]) => {
		return { id: name, name, value, type: 'string' };
	});
	const parameters = { assignments: { assignments }, options: {} };
	return { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
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
			'Add them to the sheet': ({ parameters: { columns } }) =>
				returning((columns as { value: Record<string, string> }).value),
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
	const workflow = await n8n.add(archive);
	const url = await n8n.publish(workflow);
	await documenso.register({ url, events: ['DOCUMENT_COMPLETED'], secret: WEBHOOK_SECRET });
	try {
		const { id } = await documenso.sign(await documenso.send(nora));
		const [execution] = await n8n.executions(workflow, 1);
		expect(outputOf(execution, 'Create a folder')[0]?.json.name).toBe(`Mutual NDA (${id})`);
		expect(readdirSync(folder)).toEqual(expect.arrayContaining(['manifest.json', 'SHA256SUMS']));
		const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder }).toString();
		expect(checked.trim().split('\n')).toHaveLength(readdirSync(folder).length - 1);
	} finally {
		await n8n.unpublish(workflow);
	}
});
