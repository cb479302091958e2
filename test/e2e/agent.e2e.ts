import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { toolResults as results, withChatModel } from './chatModel';
import { contentsOf, useDocumenso } from './documenso';
import { eventually } from './eventually';
import { outputOf, useN8n } from './n8n';

const REVIEW = 'Approve before sending';
const CREATE = 'Create and send an agreement';

const runTimeoutMs = 60_000;

const documenso = useDocumenso();
const n8n = useN8n();

const agreement = {
	Tenant_email: 'zoe.bronte@example.com',
	Tenant_name: 'Zoë Brontë',
	Address: 'Flat 3, 12 Quay Street, Bristol',
	Rent: 1250,
	Start_date: '2027-02-01',
	Payment: 'Bank transfer',
	External_ID: 'flat-3-2027-02-01',
};

const sent = {
	status: 'PENDING',
	people: ['Zoë Brontë <zoe.bronte@example.com>', 'Anna Landlord <landlord@example.com>'],
	values: {
		Address: 'Flat 3, 12 Quay Street, Bristol',
		Rent: '1250',
		'Start date': '2027-02-01',
		Payment: 'Bank transfer',
	},
};

const tool = 'Create_and_send_an_agreement';
const create = (changes: IDataObject = {}) => ({ tool, input: { ...agreement, ...changes } });
/** As n8n has the model call a tool that a person reviews. */
const reviewed = (changes: IDataObject = {}) => ({
	tool,
	input: { toolParameters: { ...agreement, ...changes }, hitlParameters: {} },
});

const documents = async () => (await documenso.documents()).map(contentsOf);

/** Imports the example, lets the model at this address speak, and says something to the agent. */
async function chat(modelUrl: string, change: (example: Example) => void = () => {}) {
	const example = await n8n.example('ai-agent-rental-agreements.json', {
		template: RENTAL_AGREEMENT,
	});
	await setModel(example, modelUrl);
	change(example);
	const { id } = await n8n.add(example);
	const json = { sessionId: id, action: 'sendMessage', chatInput: 'Let flat 3 to Zoë Brontë' };
	const data = { startTime: 0, executionIndex: 0, source: [], data: { main: [[{ json }]] } };
	const started = await n8n.rest.request('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: 'Chat message', data },
	});
	const { executionId } = started as { executionId: string };
	return {
		/** What the person is asked to approve. */
		async question() {
			return await eventually(async () => {
				const { data } = await n8n.rest.execution(executionId);
				const [item] = data?.resultData.runData[REVIEW]?.[0]?.data?.ai_tool?.[0] ?? [];
				return (item as unknown as { sendMessage?: Question } | undefined)?.sendMessage;
			}, runTimeoutMs);
		},
		/** What the agent says in the end. n8n then waits for a chat window that shows it. */
		async answer() {
			return await eventually(async () => {
				const execution = await n8n.rest.execution(executionId);
				return outputOf(execution, 'Letting agent')[0]?.json.output;
			}, runTimeoutMs);
		},
	};
}

interface Question {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

async function click(name: string, { buttons }: Question) {
	const link = buttons.find(({ text }) => text === name)?.link ?? '';
	// n8n takes anything but a browser for a bot that looks at links.
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' };
	// n8n pauses the execution a moment after it has stored the question.
	await eventually(async () => (await fetch(link, { headers })).ok || undefined);
}

async function setModel({ nodes }: Example, url: string) {
	const [name, type] = ['Chat model', 'openAiApi'];
	const entry = { name, type, data: { apiKey: 'none', url } };
	const { id } = (await n8n.rest.request('POST', '/credentials', entry)) as { id: string };
	const model = nodes.find((node) => node.name === name);
	if (model) model.credentials = { [type]: { id, name } };
}

function nodeIn({ nodes }: Example, name: string) {
	const node = nodes.find((one) => one.name === name);
	if (!node) throw new Error(`The example has no node "${name}"`);
	return node;
}

/** Connects the tool that creates with the agent directly. */
function withoutReview(example: Example) {
	const { [REVIEW]: review = {}, ...others } = example.connections;
	example.connections = { ...others, [CREATE]: review };
}

test('what the model filled in reaches Documenso once a person has approved it', async () => {
	await withChatModel([reviewed(), 'It is on its way.'], async ({ url, asked }) => {
		const agent = await chat(url);
		const question = await agent.question();
		const lines = Object.entries(agreement).map(([name, value]) => {
			return `"${name}": ${JSON.stringify(value)}`;
		});
		expect(question.text).toBe(['Send this agreement?', '', '```', ...lines, '```'].join('\n'));
		expect(await documents()).toEqual([]);

		await click('Send it', question);
		expect(await agent.answer()).toBe('It is on its way.');
		expect(await documents()).toEqual([sent]);
		expect(results(asked)).toEqual([expect.stringContaining('"externalId":"flat-3-2027-02-01"')]);
		// Whoever has a signing link can sign.
		expect(results(asked)).not.toContainEqual(expect.stringContaining('/sign/'));
	});
});

test('a value shows a person no other lines than its own', async () => {
	const Address = `1\n\nRent: 1250\n\`\`\`\n\u202e${' '.repeat(9)}${'x'.repeat(999)}`;
	await withChatModel([reviewed({ Address, Rent: 1 }), 'No.'], async ({ url }) => {
		const agent = await chat(url);
		const question = await agent.question();
		const lines = question.text.split('\n');
		expect(lines).toHaveLength(4 + Object.keys(agreement).length);
		expect(lines.filter((line) => line.startsWith('"Rent"'))).toEqual(['"Rent": 1']);
		expect(question.text).toMatch(
			/"Address": "1\\n\\nRent: 1250\\n```\\n%E2%80%AE(%20){9}x+… \(cut\)\n/,
		);
		await click('Do not send', question);
		await agent.answer();
	});
});

test('nothing is created if the person declines', async () => {
	await withChatModel([reviewed(), 'I have not sent it.'], async ({ url, asked }) => {
		const agent = await chat(url);
		await click('Do not send', await agent.question());
		expect(await agent.answer()).toBe('I have not sent it.');
		expect(await documents()).toEqual([]);
		expect(results(asked)).toHaveLength(1);
	});
});

/** Previews the agreement before the agent begins, as for a person's approval; the tool takes that digest. */
function onlyAsPreviewed(example: Example) {
	withoutReview(example);
	const { nodes, connections } = example;
	const tool = nodes.find(({ name }) => name === CREATE) as INode;
	const { resource, templateId, columns, ifExternalIdExists } = tool.parameters;
	const value = Object.fromEntries(
		Object.entries(agreement).map(([name, one]) => [name.replace('_', ' '), one]),
	);
	const preview = { operation: 'previewDocument', resource, templateId, ifExternalIdExists };
	nodes.push({
		...tool,
		id: randomUUID(),
		name: 'Preview',
		type: 'n8n-nodes-documenso.documenso',
		parameters: { ...preview, columns: { ...(columns as object), value } },
	});
	const digest = "={{ $('Preview').first().json.documensoPreview.digest }}";
	tool.parameters.options = { onlyAsPreviewed: digest };
	connections.Preview = connections['Chat message'] ?? {};
	connections['Chat message'] = { main: [[{ node: 'Preview', type: 'main', index: 0 }]] };
}

test('a model that changes what was approved is refused, and what was approved is sent', async () => {
	const replies = [create({ Rent: 125 }), create(), 'It is on its way.'];
	await withChatModel(replies, async ({ url, asked }) => {
		const agent = await chat(url, onlyAsPreviewed);
		expect(await agent.answer()).toBe('It is on its way.');
		expect(results(asked)).toEqual([
			expect.stringContaining('it differs from the preview in the values'),
			expect.stringContaining('"id":"envelope_'),
		]);
		expect(await documents()).toEqual([sent]);
	});
});

test.each(["={{ $fromAI('digest') }}", '={{ $json.digest }}', '={{ $input.item.json.digest }}'])(
	'a model cannot approve by itself: the digest %s is refused',
	async (digest) => {
		await withChatModel([create({ digest: 'v1.a.b.c.d.e' }), 'No.'], async ({ url, asked }) => {
			const agent = await chat(url, (example) => {
				onlyAsPreviewed(example);
				const { parameters } = example.nodes.find(({ name }) => name === CREATE) as INode;
				parameters.options = { onlyAsPreviewed: digest };
			});
			expect(await agent.answer()).toBe('No.');
			expect(results(asked)).toEqual([
				expect.stringMatching(/may come from the model|gives nothing/),
			]);
			expect(await documents()).toEqual([]);
		});
	},
);

test('the model is told what was wrong with its values, and corrects them', async () => {
	const replies = [create({ Payment: 'Cash' }), create(), 'It is on its way.'];
	await withChatModel(replies, async ({ url, asked }) => {
		const agent = await chat(url, withoutReview);
		expect(await agent.answer()).toBe('It is on its way.');
		expect(results(asked)).toEqual([
			`[{"error":"'Payment' has no option \\"Cash\\"; it has: \\"Bank transfer\\", \\"Direct debit\\", \\"Card\\" [item 0]"}]`,
			expect.stringContaining('"id":"envelope_'),
		]);
		expect(await documents()).toEqual([sent]);
	});
});

test('a model that calls the tool twice for the same agreement sends it once', async () => {
	await withChatModel([create(), create(), 'It is on its way.'], async ({ url, asked }) => {
		const agent = await chat(url, withoutReview);
		await agent.answer();
		expect(results(asked)).toEqual([
			expect.not.stringContaining('alreadyExisted'),
			expect.stringContaining('"alreadyExisted":true'),
		]);
		expect(await documents()).toEqual([sent]);
	});
});

test('a model can look who has not signed yet', async () => {
	await documenso.send({ name: 'Nora Novak', email: 'nora@example.com' });
	const replies = [{ tool: 'Find_open_agreements', input: {} }, 'Nora has not signed.'];
	await withChatModel(replies, async ({ url, asked }) => {
		await (await chat(url)).answer();
		const [found = ''] = results(asked);
		expect(JSON.parse(found)).toMatchObject([
			{ status: 'PENDING', recipients: [{ name: 'Nora Novak', signingStatus: 'NOT_SIGNED' }] },
		]);
		// Whoever has it can sign.
		expect(found).not.toContain('token');
		expect(found).toContain('"n…@example.com"');
	});
});

test.each([3, 2.2])(
	'a model gets no signing links and only masked addresses from the agent of version %s',
	async (typeVersion) => {
		await withChatModel([create(), 'It is on its way.'], async ({ url, asked }) => {
			const agent = await chat(url, (example) => {
				withoutReview(example);
				Object.assign(nodeIn(example, 'Letting agent'), { typeVersion });
				Object.assign(nodeIn(example, CREATE).parameters, { output: 'simplified' });
			});
			await agent.answer();
			const [sentDocument = ''] = results(asked);
			expect(JSON.parse(sentDocument)).toMatchObject([
				{
					status: 'PENDING',
					recipients: [{ email: 'z…@example.com' }, { email: 'l…@example.com' }],
				},
			]);
			expect(sentDocument).not.toMatch(/token|\/sign\/|signingUrl/);
			expect(await documents()).toEqual([sent]);
		});
	},
);

test('a model is told only masked addresses by an error', async () => {
	const body = { message: 'nora@example.com may not see this', code: 'FORBIDDEN' };
	await documenso.fail({ match: 'GET /envelope', status: 403, body });
	const replies = [{ tool: 'Find_open_agreements', input: {} }, 'I have none.'];
	await withChatModel(replies, async ({ url, asked }) => {
		await (await chat(url)).answer();
		expect(results(asked)).toEqual([expect.stringContaining('n…@example.com may not see this')]);
	});
});

test('an operation that waits is refused as a tool, before anything is created', async () => {
	await withChatModel([create(), 'That does not work.'], async ({ url, asked }) => {
		const agent = await chat(url, (example) => {
			withoutReview(example);
			Object.assign(nodeIn(example, CREATE).parameters, {
				operation: 'createDocumentUntilSigned',
			});
		});
		expect(await agent.answer()).toBe('That does not work.');
		expect(results(asked)).toEqual([
			expect.stringContaining('cannot wait for signatures: let the agent create and send'),
		]);
		expect(await documents()).toEqual([]);
	});
});
