import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/**
 * n8n's history of what nodes have processed, as n8n 2.40 keeps it in its database: it reads the whole list and writes it
 * back, so two that do that at the same moment undo each other, and two that make the same list collide.
 */
class ProcessedData implements IDataDeduplicator {
	private readonly lists = new Map<string, string[]>();
	/** The workflow that the faults below are for. Those of earlier tests still ask in the background. */
	workflow?: string;
	/** The next calls that the database does not answer. */
	failing = 0;
	/** What happens when a list was read and is about to be written. */
	between?: () => void;
	/** How many of the next lists another process writes over, with what it had read before. */
	overwritten = 0;
	/** How many of the next answers are lost, although new names were written. */
	cut = 0;
	/** Whether another process writes back what is removed, because it had read it before. */
	isUndone = false;
	/** Until when the database does not answer. */
	busy?: Promise<void>;
	/** How often the nodes of each workflow have asked. */
	readonly questions = new Map<string, number>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: string,
		{ workflow, node }: ICheckProcessedContextData,
		{ maxEntries = Infinity }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const key = `${workflow.id}/${scope}/${node?.id}`;
		this.questions.set(workflow.id, (this.questions.get(workflow.id) ?? 0) + 1);
		const isHit = workflow.id === this.workflow;
		const before = await this.read(key, isHit);
		await new Promise((resolve) => setImmediate(resolve));
		if (isHit) this.between?.();
		const known = new Set(before);
		const isNew = (item: DeduplicationItemTypes) => !known.has(String(item));
		const added = items.filter(isNew);
		if (!before && this.lists.has(key)) throw new Error('UNIQUE constraint failed: processed_data');
		if (isHit && this.overwritten > 0) this.overwritten -= 1;
		else this.lists.set(key, [...(before ?? []), ...added.map(String)].slice(-maxEntries));
		if (isHit && this.cut > 0 && added.length > 0) {
			this.cut -= 1;
			throw new Error('The connection was closed');
		}
		return { new: added, processed: items.filter((item) => !isNew(item)) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: string,
		{ workflow, node }: ICheckProcessedContextData,
	): Promise<void> {
		const key = `${workflow.id}/${scope}/${node?.id}`;
		const list = await this.read(key, workflow.id === this.workflow);
		if (!list || this.isUndone) return;
		const removed = items.map(String);
		this.lists.set(
			key,
			list.filter((one) => !removed.includes(one)),
		);
	}

	/** Another process has read all lists: a function that writes them back. */
	readByAnother(): () => void {
		const read = structuredClone(this.lists);
		return () => {
			for (const [key, list] of read) this.lists.set(key, list);
		};
	}

	async clearAllProcessedItems(
		scope: string,
		{ workflow, node }: ICheckProcessedContextData,
	): Promise<void> {
		this.lists.delete(`${workflow.id}/${scope}/${node?.id}`);
	}

	async getProcessedDataCount(
		scope: string,
		{ workflow, node }: ICheckProcessedContextData,
	): Promise<number> {
		return this.lists.get(`${workflow.id}/${scope}/${node?.id}`)?.length ?? 0;
	}

	/** Forgets what the nodes of a workflow have recorded. */
	forget(workflow: string) {
		for (const key of this.lists.keys()) {
			if (key.startsWith(`${workflow}/`)) this.lists.delete(key);
		}
	}

	/** How many names are kept for the nodes of the workflow. */
	count(): number {
		const own = [...this.lists].filter(([key]) => key.startsWith(`${this.workflow}/`));
		return own.flatMap(([, names]) => names).length;
	}

	private async read(key: string, isHit: boolean): Promise<string[] | undefined> {
		if (isHit && this.failing > 0) {
			this.failing -= 1;
			throw new Error('The database is gone');
		}
		if (isHit) await this.busy;
		await new Promise((resolve) => setImmediate(resolve));
		return this.lists.get(key);
	}
}

export const processedData = new ProcessedData();

void DataDeduplicationService.init(processedData);
