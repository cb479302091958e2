import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What tells a document that an item makes from other documents. */
export interface Made {
	externalId: string;
	emails: string[];
}

/** How far an item has come. */
export type Progress =
	| { state: 'new' }
	/** The request that creates its document was sent, at that time (milliseconds since the epoch). */
	| ({ state: 'creating'; at: number } & Made)
	/** Its document exists, but the item needs more than that. */
	| ({ state: 'created'; id: string } & Made)
	/** Nobody knows whether a change took effect that must not be made twice; `said` is the error's message. */
	| { state: 'unknown'; said: string }
	/** With the ID of the document that was made for it. */
	| { state: 'done'; output: IDataObject[]; id?: string };

/** By the items' indexes. */
type Items = Partial<Record<string, Progress>>;

/** What the node keeps in n8n's node context, which n8n saves with the execution. */
interface Kept {
	runs?: Partial<Record<string, Items>>;
	/** n8n's index of the node's first run: not 0 in a retry whose original crashed in this node. */
	firstRun?: number;
}

const NEW: Progress = { state: 'new' };

/**
 * How far each item of a run has come, so that nothing is done twice. Retry On Fail runs the node again with all its
 * items, and so does a retry from the list of executions; n8n's node context survives both. Each turn of a loop is
 * another run.
 */
export class RunProgress {
	/** The beginning of the node's ID. Kept, because n8n copies the whole node to tell it. */
	readonly node: string;
	/** How often the node has run before in this execution, for example in a loop. */
	readonly run: number;
	/** When the execution began, or the one that this one retries: milliseconds since the epoch. */
	readonly begunAt: number;
	/**
	 * Whether this execution retries another one: `blindly` if n8n does not tell when that began. n8n can retry an
	 * execution several times, and lets no retry see what the others did.
	 */
	readonly retries: 'nothing' | 'another' | 'blindly';
	private readonly runs: NonNullable<Kept['runs']>;
	private readonly items: Items;
	private readonly key: string;

	constructor(context: IExecuteFunctions) {
		// n8n does not type it.
		const run = context.getWorkflowDataProxy(0).$runIndex as number;
		const kept: Kept = context.getContext('node');
		this.run = run - (kept.firstRun ??= run);
		this.node = context.getNode().id.slice(0, 8);
		// The workflow may have been changed before the retry.
		const resource = context.getNodeParameter('resource', 0);
		const operation = context.getNodeParameter('operation', 0);
		this.key = `${this.run}:${resource}:${operation}`;
		this.runs = kept.runs ??= {};
		this.items = this.runs[this.key] ??= {};
		const { establishedAt = 0, source } = context.getExecutionContext() ?? {};
		this.begunAt = establishedAt;
		// Older versions of n8n lose the context of an execution that crashes. Its retry then starts with a new one.
		const isKnown = establishedAt > 0 && source !== 'retry';
		this.retries = context.getMode() !== 'retry' ? 'nothing' : isKnown ? 'another' : 'blindly';
	}

	of(item: number): Progress {
		return this.items[item] ?? NEW;
	}

	set(item: number, progress: Progress) {
		this.items[item] = progress;
	}

	/** Keeps the output, and the ID of the item's document. */
	finish(item: number, output: IDataObject[]) {
		const before = this.of(item);
		this.set(item, { state: 'done', output, ...('id' in before ? { id: before.id } : {}) });
	}

	/** Whether an item other than this one made the document. */
	isOfAnother(item: number, id: string): boolean {
		return this.others(item).some((one) => 'id' in one && one.id === id);
	}

	/** Whether another item is creating a document that nobody could tell from this one. */
	hasRival(item: number, { externalId, emails }: Made): boolean {
		return this.others(item).some(
			(one) =>
				one.state === 'creating' &&
				one.externalId === externalId &&
				(includesAll(one.emails, emails) || includesAll(emails, one.emails)),
		);
	}

	/** Forgets the run, if all its items are done. */
	finishRun(items: number[]) {
		if (items.every((item) => this.of(item).state === 'done')) {
			Reflect.deleteProperty(this.runs, this.key);
		}
	}

	private others(item: number): Progress[] {
		return Object.entries(this.items).flatMap(([index, one]) =>
			one && Number(index) !== item ? [one] : [],
		);
	}
}

/** Documenso stores addresses in lower case. */
export function includesAll(emails: string[], wanted: string[]): boolean {
	const known = emails.map((email) => email.toLowerCase());
	return wanted.every((email) => known.includes(email.toLowerCase()));
}
