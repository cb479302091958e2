import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Service } from './service';

/** How a file is answered; the bytes are those that it has. */
export type FileAnswer = (response: ServerResponse, content: Buffer) => void;

export interface DownloadProxy {
	url: string;
	/** From now on. */
	answerFiles(answer: FileAnswer): void;
	close(): Promise<void>;
}

/** Stands before the service, passes everything on, and answers downloads of files in its own way. */
export async function startDownloadProxy(service: Service): Promise<DownloadProxy> {
	const state: { answer?: FileAnswer } = {};
	const server = createServer((incoming, response) => {
		const outgoing = request(
			service.url + (incoming.url ?? ''),
			{ method: incoming.method, headers: incoming.headers },
			(answer) => void pass(incoming, answer, response),
		);
		incoming.pipe(outgoing);
	});

	async function pass(
		incoming: IncomingMessage,
		answer: IncomingMessage,
		response: ServerResponse,
	) {
		if (!state.answer || !incoming.url?.includes('/download')) {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
			return;
		}
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk as Buffer);
		state.answer(response, Buffer.concat(chunks));
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		answerFiles: (answer) => {
			state.answer = answer;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
