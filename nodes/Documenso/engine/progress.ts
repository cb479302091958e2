import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** A document that an item makes: its external ID and its recipients tell it from others. */
export interface Made {
	externalId: string;
	emails: string[];
}

/**
 * How far an item has come. `creating`: the request that creates its document was sent, at that time (milliseconds
 * since the epoch). `created`: the document is there, but not everything is done for it. `unknown`: nobody knows
 * whether a change that must not be made twice took effect; `said` is what the error said. `done`: its output, and the
 * document that was made for it.
 */
export type Progress =
	| { state: 'new' }
	| ({ state: 'creating'; at: number } & Made)
	| ({ state: 'created'; id: string } & Made)
	| { state: 'unknown'; said: string }
	| { state: 'done'; output: IDataObject[]; id?: string };

/** By the items' indexes. */
type Items = Partial<Record<string, Progress>>;

/** What the node keeps in n8n's node context, which n8n saves with the execution. */
interface Kept {
	runs?: Partial<Record<string, Items>>;
	execution?: string;
}

const NEW: Progress = { state: 'new' };

/**
 * How far each item of a run has come, so that nothing is done twice. n8n's node context outlives a failed try:
 * Retry On Fail runs the whole node again with all its items, and so does a retry from the list of executions.
 * Another turn of a loop is another run.
 */
export class RunProgress {
	/** How often the node ran before in this execution, for example in a loop. */
	readonly run: number;
	/** Stands for the execution in the external IDs that the node makes up; all retries of an execution share it. */
	readonly execution: string;
	/**
	 * When the execution began that this one retries (milliseconds since the epoch); undefined where this is no
	 * retry. n8n retries a failed execution as often as it is told to, and tells none of the retries of the others.
	 */
	readonly retriedSince?: number;
	private readonly kept: Kept;
	private readonly items: Items;
	private readonly key: string;

	constructor(context: IExecuteFunctions) {
		this.run = context.getWorkflowDataProxy(0).$runIndex as number;
		// A retry may be made with a workflow that was changed in between.
		const resource = context.getNodeParameter('resource', 0);
		const operation = context.getNodeParameter('operation', 0);
		this.key = `${this.run}:${resource}:${operation}`;
		this.kept = context.getContext('node');
		this.items = (this.kept.runs ??= {})[this.key] ??= {};
		if (context.getMode() === 'retry') {
			this.retriedSince = context.getExecutionContext()?.establishedAt;
		}
		// The node may not have run in the original, which then has not left its ID.
		this.execution = this.kept.execution ??= this.retriedSince
			? `r${this.retriedSince}`
			: context.getExecutionId();
	}

	of(item: number): Progress {
		return this.items[item] ?? NEW;
	}

	set(item: number, progress: Progress) {
		this.items[item] = progress;
	}

	/** Keeps the output, and which document is the item's. */
	finish(item: number, output: IDataObject[]) {
		const before = this.of(item);
		this.set(item, { state: 'done', output, ...('id' in before ? { id: before.id } : {}) });
	}

	/** Whether an item other than this one made the document. */
	isOfAnother(item: number, id: string): boolean {
		return this.others(item).some((one) => 'id' in one && one.id === id);
	}

	/**
	 * Whether another item still waits for a document with this external ID and for the same recipients: nobody could
	 * tell which document is whose.
	 */
	hasRival(item: number, { externalId, emails }: Made): boolean {
		return this.others(item).some(
			(one) =>
				one.state === 'creating' &&
				one.externalId === externalId &&
				(includesAll(one.emails, emails) || includesAll(emails, one.emails)),
		);
	}

	/** Nothing needs to be remembered once the run has ended well. */
	clear() {
		Reflect.deleteProperty(this.kept.runs ?? {}, this.key);
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
