import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What is known of the items of a run, by their index. */
type Items = Partial<Record<string, ItemMemory>>;

/** What is known of one item. */
export interface ItemMemory {
	/** What the item put out, once all is done for it. */
	done?: IDataObject[];
	/** A creation that was begun: under which external ID, for whom, and when (milliseconds since the epoch). */
	begun?: { externalId: string; emails: string[]; at: number };
	/** What was said when the answer was lost to something that must not be done twice. */
	lost?: string;
	/** What the creation made, though not all is done for the item yet. */
	createdId?: string;
}

const memories = new WeakMap<IExecuteFunctions, Memory>();

/**
 * What this run of the node has done for each item, so that nothing is done twice. It lies in n8n's node
 * context, which outlives a failed try: Retry On Fail runs the whole node again with all its items, and so does
 * a retry from the list of executions. Another turn of a loop is another run.
 */
export class Memory {
	/** How often the node ran before in this execution, in a loop for example. */
	readonly run: number;
	/** Stands for the execution in the external IDs that the node makes up; all retries of an execution share it. */
	readonly execution: string;
	/**
	 * When the execution began that this one retries (milliseconds since the epoch); undefined where this is no
	 * retry. n8n retries a failed execution as often as it is told to, and tells none of the retries of the others.
	 */
	readonly retriedSince?: number;
	private readonly items: Items;
	private readonly key: string;

	/** One a try: n8n needs a tenth of a millisecond to tell the run. */
	static of(context: IExecuteFunctions): Memory {
		const memory = memories.get(context) ?? new Memory(context);
		memories.set(context, memory);
		return memory;
	}

	private constructor(private readonly context: IExecuteFunctions) {
		this.run = context.getWorkflowDataProxy(0).$runIndex as number;
		// A retry may be made with a workflow that was changed in between.
		const resource = context.getNodeParameter('resource', 0);
		const operation = context.getNodeParameter('operation', 0);
		this.key = `${this.run}:${resource}:${operation}`;
		const kept = this.kept();
		this.items = (kept.runs ??= {})[this.key] ??= {};
		const id = context.getExecutionId();
		if (context.getMode() === 'retry') {
			this.retriedSince = context.getExecutionContext()?.establishedAt;
			// The node may not have run in the original, which then has not left its ID.
			this.execution = kept.execution ??= this.retriedSince ? `r${this.retriedSince}` : id;
		} else {
			this.execution = kept.execution ??= id;
		}
	}

	of(itemIndex: number): ItemMemory {
		return (this.items[itemIndex] ??= {});
	}

	/** Whether an item other than this one made the document. */
	isOfAnother(itemIndex: number, id: string): boolean {
		return Object.entries(this.items).some(
			([index, item]) => item?.createdId === id && Number(index) !== itemIndex,
		);
	}

	/**
	 * Whether another item still waits for a document with this external ID and for the same people: nobody could
	 * tell which document is whose.
	 */
	hasRival(
		itemIndex: number,
		{ externalId, emails }: { externalId: string; emails: string[] },
	): boolean {
		return Object.entries(this.items).some(
			([index, item]) =>
				Number(index) !== itemIndex &&
				!item?.createdId &&
				item?.begun?.externalId === externalId &&
				(includesAll(item.begun.emails, emails) || includesAll(emails, item.begun.emails)),
		);
	}

	/** Nothing is to be remembered once the run has ended well. */
	clear() {
		Reflect.deleteProperty(this.kept().runs ?? {}, this.key);
	}

	private kept() {
		return this.context.getContext('node') as {
			runs?: Partial<Record<string, Items>>;
			execution?: string;
		};
	}
}

/** The service lower-cases addresses. */
export function includesAll(emails: string[], wanted: string[]): boolean {
	const known = emails.map((email) => email.toLowerCase());
	return wanted.every((email) => known.includes(email.toLowerCase()));
}
