import { DateTime } from 'luxon';

import type { Client } from '../../shared/api/client';
import { clock } from '../../shared/api/clock';
import type { Listed } from '../../shared/api/envelope';
import { ApiFailure } from '../../shared/api/failure';
import type { Execution } from '../../shared/n8n/execution';
import type { Item } from '../../shared/n8n/item';
import { contextOf } from '../../shared/n8n/progress';
import { SETTLED_MS } from '../../shared/n8n/underWay';
import { doubtful, namingDraft } from './messages';
import { keyOf, type Asked, type NewDocument } from './newDocument';
import { savedIn, type Known, type SavedProgress, type Step } from './savedProgress';

interface Doubt {
	/** Of the document whose sending is in doubt. */
	id?: string;
	/** When the last of what may still take effect was sent, at the latest: now if nothing is known. */
	since?: number;
}

/** What all nodes and rounds of an execution share, in n8n's flow context, which a retry inherits. */
interface Shared {
	execution: string;
	process: string;
	/** When the first of them began, by the clock of the process. */
	since: number;
	hasWaited: boolean;
}

/** What is remembered of the items of a run while their documents are created: by n8n, and by its process. */
export class CreationMemory {
	/** Whether requests of a process that has died may still take effect. */
	isAfterKill = false;
	/** What other processes did with their drafts while items of this run waited for them. */
	readonly rivals = {
		/** Drafts that were sent, or are gone: their process is at work. */
		sent: 0,
		/** How long to wait while none is. At random: two processes must not take over a dead one's drafts at the same moment. */
		patienceMs: clock.roughly(20_000),
	};
	/** By the ID of a document: the item that it was created for. */
	private readonly owners = new Map<string, number>();
	private readonly shared: Shared;

	constructor(
		readonly execution: Execution,
		private readonly client: Client,
	) {
		this.shared = sharedBy(execution);
		for (const [item, { id }] of this.allSaved()) this.own(item, id);
	}

	private allSaved(): Array<[number, SavedProgress]> {
		return this.execution.progress.all().flatMap(([index, progress]) => {
			const saved = savedIn(progress);
			return saved ? [[index, saved] as [number, SavedProgress]] : [];
		});
	}

	/** Whether an earlier try may have created the item's document. */
	isInDoubt(item: Item): boolean {
		if (savedIn(item.progress)) return true;
		const { progress } = this.execution;
		return progress.isRetry && !progress.isKnown(item.index);
	}

	/** Keeps the item's draft; what is known of it stays as it was, but for what is given. */
	keepDraft(asked: Asked, id: string, known: Partial<Known> = {}) {
		this.keep(asked, { state: 'draft', id }, known);
	}

	/** What is known of a document with this ID. */
	knownOf({ item, document }: Asked, id?: string): Known {
		if (id === undefined) return { isProved: false, isToCompare: false };
		const saved = savedIn(item.progress);
		const its = saved?.id === id ? saved : undefined;
		return {
			isProved: document.externalId.source === 'own' || its?.isProved === true,
			isToCompare: its?.isToCompare === true,
		};
	}

	/** Keeps that a request may still take effect: from now on nothing more is known of it. */
	keepDoubt(asked: Asked, { id, since = this.execution.process.uptime() }: Doubt = {}) {
		this.execution.process.doubts.add(keyOf(asked.document));
		this.keep(asked, { state: 'doubtful', id, since });
	}

	/** Keeps the same of a request of the execution that this one retries, if nothing is known of the item. */
	keepLost(asked: Asked) {
		if (!savedIn(asked.item.progress)) this.keepDoubt(asked, { since: this.shared.since });
	}

	/** A doubt that was kept goes on; one of another process begins again, because its times are by another clock. */
	resumeDoubt(asked: Asked, saved: SavedProgress) {
		if (saved.process !== this.execution.process.id) this.keepDoubt(asked, { id: saved.id });
	}

	/**
	 * The answer that named this document belongs to another request, and the item's own is in doubt. Returns the item's
	 * error.
	 */
	keepWrongAnswer(asked: Asked, id: string, error?: unknown): unknown {
		if (this.owners.get(id) === asked.item.index) this.owners.delete(id);
		this.keepDoubt(asked);
		return this.doubtful(asked, { error });
	}

	/** Other executions need not wait any more until a request for this document cannot take effect. */
	endDoubt(document: NewDocument) {
		this.execution.process.doubts.remove(keyOf(document));
	}

	private keep(asked: Asked, step: Step, known: Partial<Known> = {}) {
		const { item, document } = asked;
		const saved: SavedProgress = {
			...step,
			...this.knownOf(asked, step.id),
			...known,
			externalId: document.externalId.value,
			process: this.execution.process.id,
		};
		item.progress = { state: 'begun', kept: saved };
		this.own(item.index, step.id);
	}

	private own(item: number, id?: string) {
		if (id !== undefined) this.owners.set(id, item);
	}

	isOfAnother({ index }: Item, id: string): boolean {
		const owner = this.owners.get(id);
		return owner !== undefined && owner !== index;
	}

	/** Milliseconds until a request for the item cannot take effect any more. */
	doubtLeft(item: Item): number {
		const saved = savedIn(item.progress);
		// What an earlier process has sent is older than this one.
		if (!saved && this.isAfterKill) return this.leftSince(0);
		return saved?.state === 'doubtful' ? this.leftSince(saved.since) : 0;
	}

	private leftSince(since: number): number {
		return Math.max(0, since + SETTLED_MS - this.execution.process.uptime());
	}

	/**
	 * Waits until no request of these items can take effect any more: two minutes in an execution at most, however many
	 * tries, loops and nodes it has. Returns whether that is so.
	 */
	async waitOut(items: Item[]): Promise<boolean> {
		const { hasWaited, since } = this.shared;
		// What a lost round may have sent is as old as this execution: in all, it waits no longer for that.
		const longest = hasWaited ? this.leftSince(since) : Infinity;
		const left = Math.max(0, ...items.map((item) => this.doubtLeft(item)));
		if (left === 0) return true;
		if (left > longest) return false;
		this.shared.hasWaited = true;
		await this.client.wait(left);
		return true;
	}

	/** A failure of an item for which there may be a document says so. */
	withIds(asked: Asked, error: unknown, others?: number): unknown {
		const saved = savedIn(asked.item.progress);
		if (!saved || !(error instanceof ApiFailure)) return error;
		if (error.facts.details?.externalId !== undefined) return error;
		const { id } = saved;
		if (id !== undefined) return namingDraft(asked.document, { ...saved, id }, error);
		return this.doubtful(asked, { error, others });
	}

	/** The error of an item whose document may be there, or may come. */
	doubtful(
		{ item, document }: Asked,
		{
			error,
			possible,
			left = this.doubtLeft(item),
			others = this.othersInDoubt(item),
		}: { error?: unknown; possible?: Listed[]; left?: number; others?: number } = {},
	): unknown {
		const canBeRetried = !this.execution.continueOnFail;
		return doubtful(document, { time: this.timeIn(left), possible, others, canBeRetried }, error);
	}

	/** The items of which a request may still take effect. */
	get inDoubt(): number[] {
		return this.allSaved().flatMap(([item, { state }]) => (state === 'doubtful' ? [item] : []));
	}

	/** How many other items an error that ends the run leaves in doubt. */
	private othersInDoubt({ index }: Item): number {
		// Then each item has its own error.
		if (this.execution.continueOnFail) return 0;
		return this.inDoubt.filter((other) => other !== index).length;
	}

	/** A time of day, for people. */
	timeIn(milliseconds: number): string {
		const { context, process } = this.execution;
		return DateTime.fromMillis(process.now() + milliseconds)
			.setZone(context.getTimezone())
			.toFormat('HH:mm:ss ZZZZ');
	}
}

function sharedBy({ context, process, id: execution }: Execution): Shared {
	const flow: { documenso?: Shared } = contextOf(context, 'flow');
	const { documenso: before } = flow;
	if (before?.execution === execution && before.process === process.id) return before;
	const hasWaited = before?.execution === execution && before.hasWaited;
	return (flow.documenso = { execution, process: process.id, since: process.uptime(), hasWaited });
}
