import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import type { OpenBody } from '../../../nodes/shared/api/body';
import type { Client } from '../../../nodes/shared/api/client';
import { mapConcurrently } from '../../../nodes/shared/api/concurrency';
import type { Envelope } from '../../../nodes/shared/api/envelope';
import {
	distinct,
	readPages,
	readWholeList,
	type Selection,
} from '../../../nodes/shared/api/pages';
import { parse, type Schema } from '../../../nodes/shared/api/records';
import { getFrom, post, type ServiceRequest } from '../../../nodes/shared/api/request';
import { N8nProcess } from '../../../nodes/shared/n8n/process';
import { EPOCH, type SimulatedService } from './service';
import type { VirtualTime } from '../../support/virtualTime';

/** Longer waits than this count as long, in milliseconds. */
const LONG_WAIT_MS = 30_000;

/** A try of an execution, and what is counted of the execution. */
export interface Try {
	line: number;
	began: number;
	counts: { requests: number; longWaits: number };
	signal: AbortSignal;
}

interface World {
	time: VirtualTime;
	service: SimulatedService;
}

/** One n8n process. When it is killed, nothing more happens in it, but what it has sent may still take effect. */
export class SimulatedProcess extends N8nProcess {
	isAlive = true;
	/** Kills it after so many steps: answers and waits. */
	killAfter = Infinity;
	/** Whether its steps count already. */
	isCounting = true;
	private readonly tries = new Map<IExecuteFunctions, Try>();

	constructor(
		private readonly world: World,
		/** How far its clock is ahead, and what its `uptime` is when the schedule begins, in milliseconds. */
		private readonly clock: { ahead: number; uptime: number },
		private readonly onKill: () => void,
	) {
		super();
	}

	override now() {
		return EPOCH + this.world.time.now + this.clock.ahead;
	}

	override uptime() {
		return this.world.time.now + this.clock.uptime;
	}

	override async sleep(milliseconds: number, signal?: AbortSignal) {
		await this.world.time.sleep(milliseconds, signal);
		await new Promise<void>((resolve) => {
			this.step(resolve);
		});
	}

	override async connect(context: IExecuteFunctions): Promise<Client> {
		const one = this.tries.get(context);
		if (!one) throw new Error('Nobody has said whose try this is');
		return new SimulatedClient(this, one, context, this.world);
	}

	begin(context: IExecuteFunctions, one: Try) {
		this.tries.set(context, one);
	}

	/** Goes on, unless the process was killed meanwhile or is killed now. */
	step(goOn: () => void) {
		if (!this.isAlive) return;
		if (this.isCounting) this.killAfter -= 1;
		if (this.killAfter >= 0) {
			goOn();
			return;
		}
		this.isAlive = false;
		this.onKill();
	}
}

/** The client's verbs, answered by the simulated service in virtual time. */
class SimulatedClient implements Client {
	readonly clockSkew = 0;
	readonly answers = 0;
	readonly requestsPerMinute = 1_000;
	readonly site = 'https://documenso.example.com';
	readonly limit = 3;
	private readonly made = new Map<string, unknown>();

	constructor(
		private readonly process: SimulatedProcess,
		private readonly one: Try,
		private readonly run: IExecuteFunctions,
		private readonly world: World,
	) {}

	/** Each line has another credential of the same team. */
	get account() {
		return `account ${this.one.line}`;
	}

	signingUrl(token: string) {
		return `${this.site}/sign/${token}`;
	}

	documentUrl({ id, team }: Pick<Envelope, 'id' | 'team'>) {
		return team ? `${this.site}/t/${team.url}/documents/${id}` : undefined;
	}

	async get<Output = IDataObject>(path: string, schema?: Schema<Output>, query?: IDataObject) {
		return await this.send(getFrom(path, query), schema);
	}

	async envelope<Output = IDataObject>(id: string, schema?: Schema<Output>) {
		return await this.record(`/envelope/${id}`, id, schema);
	}

	async record<Output = IDataObject>(address: string, _: unknown, schema?: Schema<Output>) {
		return await this.get(address, schema);
	}

	async list(path: string, query: IDataObject, wanted = Infinity) {
		return await readPages(this.paged(path, query, { wanted }));
	}

	async wholeList(path: string, query: IDataObject, maxPages?: number) {
		return await readWholeList(this.paged(path, query), maxPages);
	}

	async lists(path: string, queries: IDataObject[], selection?: Selection) {
		const lists = queries.map(async (query) => await readPages(this.paged(path, query, selection)));
		return distinct((await Promise.all(lists)).flat());
	}

	private paged(path: string, query: IDataObject, selection: Selection = {}) {
		// Even short lists have several pages.
		const perPage = 1;
		return {
			...selection,
			...{ perPage, wanted: selection.wanted ?? Infinity },
			limit: () => this.limit,
			read: async (page: number) => await this.get(path, undefined, { ...query, page, perPage }),
		};
	}

	async post<Output = IDataObject>(
		path: string,
		body: IDataObject | OpenBody,
		schema?: Schema<Output>,
	) {
		return await this.send(post(path, body), schema);
	}

	async send<Output = IDataObject>(
		{ method, path, query, body }: ServiceRequest,
		schema?: Schema<Output>,
	): Promise<Output> {
		const { process, one, world } = this;
		if (one.signal.aborted) throw cancelled();
		const sent = (body ? JSON.parse(body().content as string) : (query ?? {})) as IDataObject;
		const content = (sent.payload ?? sent) as IDataObject;
		// A page holds one document here, and a hundred with Documenso: a list counts once.
		if (Number(content.page ?? 1) === 1) one.counts.requests += 1;
		const answer = await new Promise<unknown>((resolve, reject) => {
			const request = { method, path, content, line: one.line };
			const of = { ...request, run: this.run, tryBegan: one.began };
			process.isCounting ||= method === 'POST';
			world.service.request(of, (result) => {
				process.step(() => {
					if ('failure' in result) reject(result.failure);
					else resolve(result.value);
				});
			});
		});
		// Without a schema, Output is IDataObject.
		return schema ? parse(schema, answer) : (answer as Output);
	}

	async once<Output>(key: string, make: () => Output | Promise<Output>): Promise<Output> {
		// A key stands for one type of thing.
		const made = (this.made.get(key) as Output | Promise<Output> | undefined) ?? make();
		this.made.set(key, made);
		return await made;
	}

	async each<One, Result>(all: Iterable<One>, work: (one: One) => Promise<Result>) {
		return await mapConcurrently(all, () => this.limit, work);
	}

	async download(): Promise<never> {
		throw new Error('Creation downloads nothing');
	}

	async wait(milliseconds: number) {
		if (this.one.signal.aborted) throw cancelled();
		if (milliseconds > LONG_WAIT_MS) this.one.counts.longWaits += milliseconds;
		if (milliseconds > 0) await this.process.sleep(milliseconds, this.one.signal);
	}
}

function cancelled() {
	return new Error('The execution was cancelled');
}

/** How long a request to n8n's database takes, and its answer. */
const DATABASE_MS = 5;

/** n8n's history of what a node has processed: in its database, so that it outlives the processes. */
export class SimulatedHistory {
	private readonly names = new Set<unknown>();

	constructor(private readonly time: VirtualTime) {}

	/** As a process sees it. */
	for(process: SimulatedProcess) {
		const ask = async <Answer>(work: () => Answer) =>
			await new Promise<Answer>((resolve) => {
				this.time.after(DATABASE_MS, () => {
					const answer = work();
					this.time.after(DATABASE_MS, () => {
						process.step(() => {
							resolve(answer);
						});
					});
				});
			});
		return {
			getProcessedDataCount: async () => await ask(() => this.names.size),
			checkProcessedAndRecord: async (names: unknown[]) => {
				await ask(() => {
					for (const name of names) this.names.add(name);
				});
			},
			removeProcessed: async (names: unknown[]) => {
				await ask(() => {
					for (const name of names) this.names.delete(name);
				});
			},
			clearAllProcessedItems: async () => {
				await ask(() => {
					this.names.clear();
				});
			},
		};
	}
}

/** What n8n saves of an execution and hands to a retry. */
export interface Saved {
	node: IDataObject;
	flow: IDataObject;
}

export interface Begun {
	id: string;
	mode: 'manual' | 'retry';
	/** When the first execution of a line began, and what began this one. */
	begunAt: number;
	source: 'manual' | 'retry';
	continuesOnFail: boolean;
	saved: Saved;
	items: IDataObject[];
	/** How often the node has run before in the execution. */
	runIndex: number;
	signal?: AbortSignal;
	/** Without it, n8n has no database. */
	helpers?: ReturnType<SimulatedHistory['for']>;
}

const PARAMETERS: IDataObject = { output: 'simplified', options: {} };

/** What n8n passes to a node, as far as creating documents asks for it. */
export function contextOf(begun: Begun, more: Partial<IExecuteFunctions> = {}): IExecuteFunctions {
	const input: INodeExecutionData[] = begun.items.map((json) => ({ json }));
	const node: INode = {
		...{ id: 'simulated-node', name: 'Documenso', type: 'documenso', typeVersion: 1 },
		...{ position: [0, 0], parameters: {} },
	};
	const partial = {
		getInputData: () => input,
		getNode: () => node,
		getWorkflow: () => ({ id: 'simulated-workflow', active: true }),
		helpers: begun.helpers,
		getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
			PARAMETERS[name] ?? fallback,
		getMode: () => begun.mode,
		getExecutionId: () => begun.id,
		getContext: (type: 'node' | 'flow') => begun.saved[type],
		getWorkflowDataProxy: () => ({ $runIndex: begun.runIndex }),
		getExecutionContext: () => ({
			version: 1,
			establishedAt: begun.begunAt,
			source: begun.source,
		}),
		getExecutionCancelSignal: () => begun.signal,
		continueOnFail: () => begun.continuesOnFail,
		getCredentials: async () => await Promise.resolve({ apiToken: 'api_simulated' }),
		getInstanceId: () => 'simulated',
		evaluateExpression: () =>
			`https://n8n.example.com/webhook-waiting/${begun.id}?signature=${'a1'.repeat(32)}`,
		logger: { warn: () => undefined },
		getTimezone: () => 'UTC',
		addExecutionHints: () => undefined,
		...more,
	};
	return partial as unknown as IExecuteFunctions;
}
