import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { matcher } from '../../emulator/http/faults';
import { beginExecution, documenso, type Credential, type NodeRun, type Setup } from './n8n';
import { credentialFor, type Service } from './service';

export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: string;
}

/** A request on its way to Documenso. */
export interface Asked {
	/** As `POST /envelope/use`. */
	line: string;
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	/** The JSON in it, or the text of a form. */
	text: string;
	/** Lets Documenso carry it out; may be called later, never, or several times. */
	pass(): Promise<Answer>;
	/** The same after this many milliseconds, whatever the reply is. */
	passLater(milliseconds: number): void;
}

/** What the node gets instead of Documenso's answer. `cut` closes the connection without any. */
export type Reply = Answer | 'cut';

/** Returns nothing for a request that it leaves alone. */
export type Stand = (asked: Asked) => Reply | undefined | Promise<Reply | undefined>;

const ROOT = '/api/v2';
/** Of one connection only, or no longer true once the body is unpacked. */
const HOP = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding'];

/** Stands between the node and Documenso, and passes on what nobody interferes with. */
export async function startBetween(service: Service) {
	const state = { stands: [] as Array<{ matches(line: string): boolean; stand: Stand }>, ahead: 0 };
	const late = new Set<Promise<unknown>>();

	const server = createServer((incoming, response) => {
		void answerTo(incoming).then((reply) => {
			if (reply === 'cut') return void incoming.socket.destroy();
			const date = new Date(clock.now() + state.ahead).toUTCString();
			response.writeHead(reply.status, { ...reply.headers, date }).end(reply.body);
		});
	});

	async function answerTo(incoming: IncomingMessage): Promise<Reply> {
		const asked = await read(incoming);
		for (const { matches, stand } of state.stands) {
			const reply = matches(asked.line) && (await stand(asked));
			if (reply) return reply;
		}
		return await asked.pass();
	}

	async function read(incoming: IncomingMessage): Promise<Asked> {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks);
		const { method = 'GET', headers } = incoming;
		const url = new URL(incoming.url ?? '', service.url);
		const kept = Object.entries(headers).filter(([name]) => ![...HOP, 'host'].includes(name));
		const pass = async () => {
			const answer = await fetch(url, {
				method,
				headers: Object.fromEntries(kept) as Record<string, string>,
				redirect: 'manual',
				...(method === 'POST' ? { body: new Uint8Array(body) } : {}),
			});
			const back = [...answer.headers].filter(([name]) => !HOP.includes(name));
			return {
				status: answer.status,
				headers: Object.fromEntries(back),
				body: await answer.text(),
			};
		};
		const passLater = (milliseconds: number) => {
			const passed = clock.sleep(milliseconds).then(pass);
			late.add(passed);
			void passed.finally(() => late.delete(passed));
		};
		const line = `${method} ${url.pathname.slice(ROOT.length)}`;
		return { line, query: url.searchParams, headers, text: body.toString(), pass, passLater };
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		/** From now on, for calls such as `POST /envelope/use`. The first that replies counts. */
		stand: (line: string, stand: Stand) =>
			void state.stands.push({ matches: matcher(line), stand }),
		/** All answers carry a date that is this many milliseconds ahead. */
		runAhead: (milliseconds: number) => void (state.ahead = milliseconds),
		/** Once nothing is on its way to Documenso any more. */
		settled: async () => {
			while (late.size > 0) await Promise.all(late);
		},
		reset: () => {
			state.stands = [];
			state.ahead = 0;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A run that has ended, and how long it took by the node's clock, in milliseconds. */
export interface TimedRun extends NodeRun {
	took: number;
}

/** Something between the node and the service of a suite, which starts anew with every test. */
export function useBetween(current: () => Service) {
	const state: { between?: Awaited<ReturnType<typeof startBetween>> } = {};
	const between = () => {
		if (!state.between) throw new Error('Nothing stands between yet');
		return state.between;
	};
	beforeAll(async () => {
		state.between = await startBetween(current());
	});
	afterEach(async () => {
		await between().settled();
		between().reset();
	});
	afterAll(async () => {
		await between().close();
	});

	const credential = (changes: Partial<Credential> = {}) =>
		credentialFor(current(), { baseUrl: between().url, ...changes });

	async function run(
		parameters: IDataObject,
		items: INodeExecutionData[],
		setup: Setup & { credential?: Partial<Credential> } = {},
	): Promise<TimedRun> {
		const begunAt = clock.now();
		const node = documenso(parameters, setup);
		const { data } = await beginExecution(credential(setup.credential), [node], items).run;
		const [first] = data.resultData.runData[node.name] ?? [];
		return {
			items: first?.data?.main?.[0] ?? [],
			errorItems: first?.data?.main?.[1] ?? [],
			hints: first?.hints?.map(({ message }) => message) ?? [],
			error: (first?.error ?? data.resultData.error) as NodeRun['error'],
			took: clock.now() - begunAt,
		};
	}

	return {
		get between() {
			return between();
		},
		credential,
		run,
	};
}
