import { Agent, request } from 'node:http';

export interface Post {
	/** A list is a header that comes several times. Bytes are written as Latin-1. */
	headers?: Record<string, string | string[]>;
	body?: string | Buffer;
}

export interface Reply {
	status: number;
	/** All headers but the date, as they came over the wire. */
	headers: string;
	body: string;
}

/** Sends requests over connections that are kept open, as exactly as Node's own client lets. */
export class Poster {
	private readonly agent: Agent;

	constructor(connections = 16) {
		this.agent = new Agent({ keepAlive: true, maxSockets: connections });
	}

	async post(url: string, { headers = {}, body = '' }: Post): Promise<Reply> {
		return await new Promise((resolve, reject) => {
			const outgoing = request(url, { method: 'POST', agent: this.agent, headers }, (answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.on('error', reject);
				answer.on('end', () => {
					const pairs = answer.rawHeaders.map((text, index, all) =>
						index % 2 === 0 ? `${text}: ${all[index + 1] ?? ''}` : '',
					);
					resolve({
						status: answer.statusCode ?? 0,
						headers: pairs.filter((line) => line !== '' && !/^date:/i.test(line)).join('\n'),
						body: Buffer.concat(chunks).toString('latin1'),
					});
				});
			});
			outgoing.on('error', reject);
			// Together with a text Node would write the headers as UTF-8.
			outgoing.end(typeof body === 'string' ? Buffer.from(body) : body);
		});
	}

	/** All of them, `width` at a time. */
	async postAll(posts: Array<Post & { url: string }>, width = 16): Promise<Reply[]> {
		const replies: Reply[] = [];
		const waiting = posts.entries();
		const work = async () => {
			for (const [index, post] of waiting) replies[index] = await this.post(post.url, post);
		};
		await Promise.all(Array.from({ length: width }, work));
		return replies;
	}

	close() {
		this.agent.destroy();
	}
}

/** Bytes as a header carries them: Node writes and reads a header's text as Latin-1. */
export function utf8(text: string): string {
	return Buffer.from(text, 'utf8').toString('latin1');
}
