import { createServer } from 'node:http';

import { close, listen } from './server';

/** What n8n, or something in its place, answers to a nudge. */
export type Answer = { status: number; body: object | string } | 'nothing' | 'late';

/** Stands for n8n's address for resuming executions. `called` gets a line for each request. */
export async function serveResumption(called: string[], answerOf: (executionId: string) => Answer) {
	const server = createServer((request, response) => {
		called.push(`${request.method} ${request.url}`);
		const answer = answerOf(request.url?.split('/')[2] ?? '');
		if (answer === 'late') return;
		if (answer === 'nothing') {
			response.destroy();
			return;
		}
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer.body));
	});
	const port = await listen(server);
	return {
		address: `http://127.0.0.1:${port}/webhook-waiting`,
		close: () => {
			close(server);
		},
	};
}

/** The same for all tests of a suite, with the answers to be set by each; those of `answers` are for one execution. */
export function useResumption(usual: Answer) {
	const n8n = {
		address: '',
		called: [] as string[],
		answer: usual,
		answers: new Map<string, Answer>(),
	};
	let close = () => {};
	beforeAll(async () => {
		const served = await serveResumption(n8n.called, (id) => n8n.answers.get(id) ?? n8n.answer);
		n8n.address = served.address;
		close = served.close;
	});
	beforeEach(() => {
		n8n.called.length = 0;
		n8n.answer = usual;
		n8n.answers.clear();
	});
	afterAll(() => {
		close();
	});
	return n8n;
}
