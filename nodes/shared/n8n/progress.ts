import { createHash } from 'node:crypto';
import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** How far an item has come. */
export type Progress =
	| { state: 'new' }
	/** Work on it has begun. What is kept belongs to the operation. */
	| { state: 'begun'; kept: unknown }
	| Unknown
	| { state: 'done'; output: IDataObject[]; kept?: unknown };

/** Nobody knows whether a change took effect that must not be made twice. */
export interface Unknown {
	state: 'unknown';
	/** The error's. */
	message: string;
	/** What the step that failed knows about it: what exists now, and what to do. */
	notes?: string[];
	details?: IDataObject;
}

/** By the items' indexes. */
type Items = Partial<Record<string, Progress>>;

/** What the node keeps in n8n's node context, which n8n saves with the execution. */
interface NodeContext {
	runs?: Partial<Record<string, Items>>;
	/** The runs of which a retry knows nothing; kept, because the retry may be tried several times. */
	lost?: Partial<Record<string, true>>;
	/** n8n's index of the node's first run: not 0 in a retry whose original crashed in this node. */
	firstRun?: number;
}

/** n8n's ID of the execution. A tool of its MCP Server Trigger has none, which n8n does not type. */
export function executionIdOf(context: IExecuteFunctions): string | undefined {
	return context.getExecutionId();
}

/**
 * What n8n keeps with the execution, for the node or for all of its nodes. Without an execution, calls of a tool would
 * share it, or n8n has none and fails: each call has its own then.
 */
export function contextOf(context: IExecuteFunctions, type: 'node' | 'flow'): IContextObject {
	return executionIdOf(context) === undefined ? {} : context.getContext(type);
}

const NEW: Progress = { state: 'new' };

/**
 * How far each item of a run has come, so that nothing is done twice. Retry On Fail runs the node again with all its
 * items, and so does a retry from the list of executions; n8n's node context survives both. Each turn of a loop is
 * another run.
 */
export class RunProgress {
	/** Stands for the node's ID, which may be long, or begin like that of another. Kept, because n8n copies the whole node to tell it. */
	readonly node: string;
	/** How often the node has run before in this execution, for example in a loop. */
	readonly run: number;
	/** When the execution began, or the one that this one retries: milliseconds since the epoch. */
	readonly begunAt: number;
	/**
	 * Whether this execution retries another one: `unknown` if n8n does not tell when that began. n8n can retry an
	 * execution several times, and lets no retry see what the others did.
	 */
	readonly retries: 'nothing' | 'another' | 'unknown';
	/** Whether n8n has saved how far the items had come: it does not if it is killed during the run. */
	private readonly isSaved: boolean;
	private readonly runs: NonNullable<NodeContext['runs']>;
	private readonly items: Items;
	private readonly key: string;

	constructor(context: IExecuteFunctions, { isRedirected }: { isRedirected: boolean }) {
		// n8n does not type it.
		const run = context.getWorkflowDataProxy(0).$runIndex as number;
		const stored: NodeContext = contextOf(context, 'node');
		this.run = run - (stored.firstRun ??= run);
		this.node = createHash('sha256').update(context.getNode().id).digest('hex').slice(0, 8);
		// The workflow may have been changed before the retry.
		const resource = context.getNodeParameter('resource', 0);
		const operation = context.getNodeParameter('operation', 0);
		// And what was created for the test address is not what the recipients should get.
		const redirected = isRedirected ? ':test' : '';
		this.key = `${this.run}:${resource}:${operation}${redirected}`;
		this.runs = stored.runs ??= {};
		const lost = (stored.lost ??= {});
		if (context.getMode() === 'retry' && !this.runs[this.key]) lost[this.key] = true;
		this.isSaved = !lost[this.key];
		this.items = this.runs[this.key] ??= {};
		const { establishedAt = 0, source } = context.getExecutionContext() ?? {};
		this.begunAt = establishedAt;
		// Older versions of n8n lose the context of an execution that crashes. Its retry then starts with a new one.
		const isKnown = establishedAt > 0 && source !== 'retry';
		this.retries = context.getMode() !== 'retry' ? 'nothing' : isKnown ? 'another' : 'unknown';
	}

	/** Whether this execution retries another one, from the list of executions. */
	get isRetry(): boolean {
		return this.retries !== 'nothing';
	}

	of(item: number): Progress {
		return this.items[item] ?? NEW;
	}

	/** Whether it is known how far an item has come. */
	isKnown(item: number): boolean {
		return this.isSaved || this.items[item] !== undefined;
	}

	set(item: number, progress: Progress) {
		this.items[item] = progress;
	}

	/** Keeps the output, and what the operation has kept. */
	finish(item: number, output: IDataObject[]) {
		const before = this.of(item);
		this.set(item, {
			state: 'done',
			output,
			...('kept' in before ? { kept: before.kept } : {}),
		});
	}

	/** How far the items have come that have begun, by their indexes. */
	all(): Array<[number, Progress]> {
		return Object.entries(this.items).flatMap(([index, one]): Array<[number, Progress]> =>
			one ? [[Number(index), one]] : [],
		);
	}

	doneAmong(items: number[]): number {
		return items.filter((item) => this.of(item).state === 'done').length;
	}

	/** Forgets the run, if all its items are done. */
	finishRun(items: number[]) {
		if (this.doneAmong(items) === items.length) {
			Reflect.deleteProperty(this.runs, this.key);
		}
	}
}
