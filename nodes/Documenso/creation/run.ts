import { DateTime } from 'luxon';
import { z } from 'zod';

import type { Client } from '../api/client';
import type { Listed } from '../api/envelope';
import { ApiFailure } from '../api/failure';
import { path } from '../api/path';
import type { Execution } from '../engine/execution';
import type { Item } from '../engine/item';
import { SETTLED_MS } from '../engine/process';
import { withoutMarkers } from '../envelope/marker';
import { LookUps } from './look';
import { includesAll, isFor, isIdentified, type NewDocument } from './newDocument';
import { doubtful, namingDraft, unclear } from './refusals';

/** What is kept of an item while its document is being created. */
export type Kept = Identity &
	(
		| ({ state: 'draft'; id: string } & Standing)
		/**
		 * A request may still take effect: one that creates a document, or one that sends or deletes the document with this
		 * ID; and since when nothing more is known of it.
		 */
		| ({ state: 'doubtful'; id?: string; since: number } & Standing)
	);

/** What is known of a document that an item has. */
interface Standing {
	/** It is the item's: the answer to its creation came, or its external ID is the node's own. */
	isProved: boolean;
	/** An earlier request of the item may have created another: before it is sent, it is compared. */
	isToCompare: boolean;
}

interface Identity {
	externalId: string;
	emails: string[];
	/** By whose clock the times are. */
	process: string;
	/** When the first request that creates it was sent, if that is known. */
	sentAt?: number;
}

interface Doubt {
	sentAt?: number;
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

/** What may have been created by an item's own request. */
export interface Own {
	own: Listed[];
	/** Whether that is certain. Otherwise older documents may be among them. */
	isSure: boolean;
	/** Whether it can be told once another document has been created from here. */
	isSureLater?: boolean;
}

const createdAtSchema = z.object({ createdAt: z.coerce.date() });

/** Two clocks do not run apart by more than this in a few minutes, in milliseconds. */
const TOLERANCE_MS = 100;

/** What the items of a run share while their documents are created. */
export class CreationRun {
	readonly lookUps: LookUps;
	/** By the ID of a document: the item that it was created for. */
	private readonly owners = new Map<string, number>();
	/** The items that have been in doubt, by their external IDs and addresses. */
	private readonly everInDoubt = new Map<string, Set<Item>>();
	private readonly shared: Shared;

	constructor(
		readonly execution: Execution,
		private readonly client: Client,
	) {
		this.shared = sharedBy(execution);
		this.lookUps = new LookUps(client, execution.process);
		for (const [item, kept] of execution.progress.allKept()) this.own(item, kept as Kept);
	}

	/** What is kept of an item. */
	keptFor({ index }: Item): Kept | undefined {
		const progress = this.execution.progress.of(index);
		return 'kept' in progress ? (progress.kept as Kept) : undefined;
	}

	/** Keeps the item's draft; what is known of it stays as it was, but for `standing` and `sentAt`. */
	keepDraft(
		item: Item,
		document: NewDocument,
		id: string,
		{ sentAt = this.sentAt(item), ...standing }: Partial<Standing> & { sentAt?: number } = {},
	) {
		this.keep(item, {
			...{ state: 'draft', id },
			...this.standing(item, document, id),
			...standing,
			...this.identityOf(document, sentAt),
		});
	}

	/** What is known of a document with this ID. */
	standing(item: Item, { externalId }: NewDocument, id?: string): Standing {
		const kept = this.keptFor(item);
		const isKept = id !== undefined && kept?.id === id;
		return {
			isProved: id !== undefined && (externalId.source === 'own' || (isKept && kept.isProved)),
			isToCompare: isKept && kept.isToCompare,
		};
	}

	/** Keeps that a request of the execution that this one retries may still take effect. */
	keepLost(item: Item, document: NewDocument) {
		this.keepDoubt(item, document, { since: this.shared.since });
	}

	/** Keeps that a request may still take effect: from now on nothing more is known of it. */
	keepDoubt(item: Item, document: NewDocument, doubt: Doubt = {}) {
		const { process } = this.execution;
		const { sentAt = this.sentAt(item), since = process.uptime(), id } = doubt;
		process.doubts.add(doubtKey(document));
		this.keep(item, {
			...{ state: 'doubtful', since },
			...(id === undefined ? {} : { id }),
			...this.standing(item, document, id),
			...this.identityOf(document, sentAt),
		});
	}

	/** When the first request for the item's document was sent, by this process's clock. */
	sentAt(item: Item): number | undefined {
		const kept = this.keptFor(item);
		return kept?.process === this.execution.process.id ? kept.sentAt : undefined;
	}

	private identityOf({ externalId, emails }: NewDocument, sentAt?: number): Identity {
		const { id: process } = this.execution.process;
		const times = sentAt === undefined ? { process } : { process, sentAt };
		return { externalId: externalId.value, emails, ...times };
	}

	/** A doubt of another process begins again: its times are by another clock. */
	adoptDoubt(item: Item, document: NewDocument, kept: Kept) {
		if (kept.state !== 'doubtful') return;
		if (kept.process === this.execution.process.id) this.noteDoubt(item, kept);
		else this.keepDoubt(item, document, { id: kept.id });
	}

	private keep(item: Item, kept: Kept) {
		item.progress = { state: 'begun', kept };
		if (kept.state === 'doubtful') this.noteDoubt(item, kept);
		this.own(item.index, kept);
	}

	private noteDoubt(item: Item, kept: Kept) {
		for (const address of addressesOf(kept.externalId, kept.emails)) {
			const items = this.everInDoubt.get(address);
			if (items) items.add(item);
			else this.everInDoubt.set(address, new Set([item]));
		}
	}

	private own(item: number, { id }: { id?: string }) {
		if (id !== undefined) this.owners.set(id, item);
	}

	/** The document is not the item's: the answer that named it belongs to another request, and its own is in doubt. */
	disown(item: Item, document: NewDocument, id: string) {
		if (this.owners.get(id) === item.index) this.owners.delete(id);
		this.execution.process.created.remove(id);
		this.keepDoubt(item, document);
	}

	/** Whether the document was created for another item. */
	isOfAnother({ index }: Item, id: string): boolean {
		const owner = this.owners.get(id);
		return owner !== undefined && owner !== index;
	}

	/** Whether another item may have created a document that nobody could tell from this one's. */
	hasRival(item: Item, document: NewDocument): boolean {
		if (isIdentified(document)) return false;
		// Many items may have one recipient in common; the rarest address leads to the fewest.
		const [fewest = new Set<Item>()] = addressesOf(document.externalId.value, document.emails)
			.map((address) => this.everInDoubt.get(address) ?? new Set<Item>())
			.sort((a, b) => a.size - b.size);
		for (const other of fewest) {
			const kept = this.keptFor(other);
			if (other.index === item.index || !kept) continue;
			if (kept.state !== 'doubtful' && !kept.isToCompare) continue;
			const { emails } = kept;
			if (includesAll(emails, document.emails) || includesAll(document.emails, emails)) return true;
		}
		return false;
	}

	/** Milliseconds until a request of the item cannot take effect any more. */
	doubtLeft(item: Item): number {
		const kept = this.keptFor(item);
		if (kept?.state !== 'doubtful') return 0;
		return Math.max(0, kept.since + SETTLED_MS - this.execution.process.uptime());
	}

	/**
	 * Waits until no request of these items can take effect any more: two minutes in an execution at most, however many
	 * tries, loops and nodes it has. Returns whether that is so.
	 */
	async settled(items: Item[]): Promise<boolean> {
		const { hasWaited, since } = this.shared;
		// What a lost round may have sent is as old as this execution: in all, it waits no longer for that.
		const longest = hasWaited ? since + SETTLED_MS - this.execution.process.uptime() : Infinity;
		const left = Math.max(0, ...items.map((item) => this.doubtLeft(item)));
		if (left === 0) return true;
		if (left > longest) return false;
		this.shared.hasWaited = true;
		await this.client.wait(left);
		return true;
	}

	/** The documents that an unanswered request of the item may have created, of those with its external ID. */
	async ownAmong(item: Item, document: NewDocument, found: Listed[]): Promise<Own> {
		const { created } = this.execution.process;
		const isFromHere = (id: string) => created.has(id) && this.keptFor(item)?.id !== id;
		const { externalId, ifExternalIdExists } = document;
		// Another item may have got it by a mixed-up answer; an ID that the node made up tells whose it is.
		const isNamedFor = (one: Listed) =>
			externalId.source === 'own' && withoutMarkers(one.externalId) === externalId.value;
		const possible = found.filter((one) => isNamedFor(one) || !this.isOfAnother(item, one.id));
		// With Skip and Fail, the ID alone counts.
		if (ifExternalIdExists !== 'create') return { own: possible, isSure: true };
		// After a retry, the node's own ID of a row may be in the place of another row.
		const fitting = possible.filter((one) => isFor(one.recipients, document));
		if (externalId.source === 'own') return { own: this.certain(document, fitting), isSure: true };
		if (fitting.length === 0) return { own: [], isSure: true };
		const sentAt = this.sentAt(item);
		if (sentAt === undefined) return { own: fitting, isSure: false };
		const since = await this.dateAt(sentAt);
		if (since === undefined) return { own: fitting, isSure: false, isSureLater: true };
		const own = fitting.filter(
			({ createdAt, id }) => Date.parse(createdAt) >= since && !isFromHere(id),
		);
		return { own, isSure: true };
	}

	/** Without the time of the beginning, other executions have made up IDs that look the same. */
	private certain(document: NewDocument, fitting: Listed[]): Listed[] {
		if (this.execution.progress.retries !== 'unknown') return fitting;
		const { value } = document.externalId;
		const exact = fitting.filter(({ externalId }) => withoutMarkers(externalId) === value);
		if (exact.length === 0 && fitting.length > 0) throw unclear(document, fitting);
		return exact;
	}

	/**
	 * A time of this process by Documenso's clock, in milliseconds since the epoch: as much before the last document
	 * that was created from here as it was. The earliest possible one, because nobody knows when exactly during its
	 * request that document was created.
	 */
	private async dateAt(uptime: number): Promise<number | undefined> {
		const { last } = this.execution.process.created;
		if (!last) return undefined;
		const { id, answeredAt } = last;
		try {
			const { createdAt } = await this.client.once(
				`date of ${id}`,
				async () => await this.client.get(path`/envelope/${id}`, createdAtSchema),
			);
			return createdAt.getTime() - (answeredAt - uptime) - TOLERANCE_MS;
		} catch {
			// It is deleted, or another account's.
			return undefined;
		}
	}

	/** A failure of an item for which there may be a document says so. */
	naming(item: Item, document: NewDocument, error: unknown, others?: number): unknown {
		const kept = this.keptFor(item);
		if (!kept || !(error instanceof ApiFailure)) return error;
		if (error.facts.details?.externalId !== undefined) return error;
		const { id } = kept;
		if (id !== undefined) return namingDraft(document, { ...kept, id }, error);
		return this.doubtful(item, document, { error, others });
	}

	/** The error of an item whose document may be there, or may come. */
	doubtful(
		item: Item,
		document: NewDocument,
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

	/** How many other items an error that ends the run leaves in doubt. */
	private othersInDoubt({ index }: Item): number {
		const { continueOnFail, progress } = this.execution;
		// Then each item has its own error.
		if (continueOnFail) return 0;
		const kept = progress.allKept() as Array<[number, Kept]>;
		return kept.filter(([other, { state }]) => other !== index && state === 'doubtful').length;
	}

	/** A time of day, for people. */
	timeIn(milliseconds: number): string {
		const { context, process } = this.execution;
		return DateTime.fromMillis(process.now() + milliseconds)
			.setZone(context.getTimezone())
			.toFormat('HH:mm:ss ZZZZ');
	}
}

function sharedBy({ context, process }: Execution): Shared {
	const flow: { documenso?: Shared } = context.getContext('flow');
	const execution = context.getExecutionId();
	const { documenso: before } = flow;
	if (before?.execution === execution && before.process === process.id) return before;
	const hasWaited = before?.execution === execution && before.hasWaited;
	return (flow.documenso = { execution, process: process.id, since: process.uptime(), hasWaited });
}

/** By what other executions know that a creation is in doubt. */
export function doubtKey(document: NewDocument): string {
	const { ifExternalIdExists, externalId } = document;
	return ifExternalIdExists === 'create' ? `item ${externalId.item}` : `ID ${externalId.value}`;
}

function addressesOf(externalId: string, emails: string[]): string[] {
	const addresses = emails.length > 0 ? emails : [''];
	return addresses.map((email) => `${externalId}\n${email.toLowerCase()}`);
}
