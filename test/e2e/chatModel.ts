import type { AddressInfo } from 'node:net';

import fastify from 'fastify';
import type { IDataObject } from 'n8n-workflow';

/** What a model says: text, or the tool that it calls. */
export type Reply = string | { tool: string; input: IDataObject };

interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
}

interface Asked {
	messages: Message[];
	tools: Array<{ function: { name: string; parameters: { properties: IDataObject } } }>;
}

/** Stands in for a chat model: OpenAI's chat completions, with these replies one after another. */
export async function withChatModel(
	replies: Reply[],
	work: (model: { url: string; asked: Asked[] }) => Promise<void>,
) {
	const asked: Asked[] = [];
	const server = fastify();
	server.post('/v1/chat/completions', (request) => {
		asked.push(request.body as Asked);
		const reply = replies[asked.length - 1];
		if (reply === undefined) throw new Error(`No reply is left for request ${asked.length}`);
		return completion(reply, asked.length);
	});
	await server.listen();
	try {
		const { port } = server.server.address() as AddressInfo;
		await work({ url: `http://127.0.0.1:${port}/v1`, asked });
	} finally {
		await server.close();
	}
}

function completion(reply: Reply, number: number) {
	const said =
		typeof reply === 'string'
			? { content: reply }
			: { content: null, tool_calls: [call(reply, number)] };
	const finish = typeof reply === 'string' ? 'stop' : 'tool_calls';
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason: finish }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function call({ tool, input }: Exclude<Reply, string>, number: number) {
	const made = { name: tool, arguments: JSON.stringify(input) };
	return { id: `call_${number}`, type: 'function', function: made };
}

/** What the tools returned to the model, the newest last. */
export function toolResults(asked: Asked[]): string[] {
	const messages = asked.at(-1)?.messages ?? [];
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}
