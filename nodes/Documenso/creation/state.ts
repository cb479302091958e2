import type { IDataObject } from 'n8n-workflow';

import type { Listed } from '../api/envelope';
import { hasCode, mayHaveEffect } from '../api/failure';
import type { Item } from '../engine/item';
import { recipientsWithLinks } from '../envelope/distribute';
import { withoutMarkers } from '../envelope/marker';
import { inOrderOfWeight } from './choice';
import {
	existingSchema,
	isFor,
	isIdentified,
	type Existing,
	type NewDocument,
} from './newDocument';
import { alreadyThere, ambiguous, draftOfOthers, unapprovedDraft } from './refusals';
import { doubtKey, type CreationRun } from './run';

/** What is known of an item's document. Each step of the journey takes one of these and returns the next. */
export type State =
	/** There is none. After an earlier try of the item, the next one creates a draft and compares first. */
	| { state: 'nothing'; isSecondTry?: boolean }
	/** A request may have created it, or may have sent the one with this ID. */
	| { state: 'doubtful'; id?: string }
	/** Without an output, only its ID is known. */
	| {
			state: 'draft';
			id: string;
			isOwn: boolean;
			/** This try of the item has created it: nobody has had the time to change it. */
			isNew?: boolean;
			output?: IDataObject;
			isToCompare?: boolean;
	  }
	| { state: 'sent'; id: string; isOwn: boolean; output: IDataObject }
	/** An item before this one has the same external ID. */
	| { state: 'claimed'; by: number };

/** A draft that the item itself created, or that existed or was created by another process. */
export type Draft = Extract<State, { state: 'draft' }>;

/** The item whose document is created, and what all items of its run share. */
export interface Traveller {
	item: Item;
	document: NewDocument;
	run: CreationRun;
	/** Waits until the requests of all items in doubt cannot take effect any more. Returns whether that is so. */
	settled(): Promise<boolean>;
	/** Looks again for all items in doubt of the run, once their requests cannot take effect any more. */
	lookAgain(): Promise<Listed[]>;
}

/** How long Documenso may take until everybody sees a document that it is creating, in milliseconds. */
export const VISIBLE_MS = 3000;

/** The state of a document that was read. */
export function stateOf(
	traveller: Traveller,
	envelope: Existing,
	{ isOwn }: { isOwn: boolean },
): State {
	const { document, item, run } = traveller;
	const { id, status } = envelope;
	if (isOwn) run.keepDraft(item, document, id);
	else checkExisting(traveller, envelope);
	const usual = outputFor(traveller, envelope);
	const output = isOwn ? usual : { ...usual, alreadyExisted: true };
	if (status !== 'DRAFT') return { state: 'sent', id, isOwn, output };
	const isToCompare =
		document.ifExternalIdExists === 'skipAcrossWorkers' ||
		(isOwn && run.standing(item, document, id).isToCompare);
	return { state: 'draft', id, isOwn, output, isToCompare };
}

/** The document that the item's own request created; undefined if none of these is. */
export async function ownState(traveller: Traveller, found: Listed[]): Promise<State | undefined> {
	const { document, item, run } = traveller;
	const before = item.progress;
	for (const { id, recipients } of await certainlyOwn(traveller, found)) {
		// With Skip and Fail it may be anybody's.
		const isOwn = isFor(recipients, document);
		// Before anything is awaited: no other item must take it.
		if (isOwn) run.keepDraft(item, document, id);
		const envelope = await readIfThere(item, id).catch((error: unknown) => {
			item.progress = before;
			throw error;
		});
		if (envelope) return stateOf(traveller, envelope, { isOwn });
		// A list may show what is gone.
		item.progress = before;
	}
	return undefined;
}

/**
 * The documents that count for the item, in the order in which they count; none if that can be told only once there is a
 * draft to compare with. Throws if it never can.
 */
export async function certainlyOwn(
	{ document, item, run }: Omit<Traveller, 'settled' | 'lookAgain'>,
	found: Listed[],
	{ hasDraft = false } = {},
): Promise<Listed[]> {
	const { own, isSure, isSureLater } = await run.ownAmong(item, document, found);
	if (own.length === 0 || (isSureLater && !hasDraft)) return [];
	const isClear = isIdentified(document) || (own.length === 1 && !run.hasRival(item, document));
	if (!isSure || !isClear) throw ambiguous(document, own);
	return inOrderOfWeight(own);
}

/** Fail refuses any document that has the external ID, and Skip a draft that cannot be sent in the item's place. */
export function checkExisting(
	{ document, item }: Pick<Traveller, 'document' | 'item'>,
	existing: Pick<Listed, 'id' | 'status' | 'recipients'>,
) {
	const isRetry = item.execution.progress.retries !== 'nothing';
	if (document.ifExternalIdExists === 'fail') throw alreadyThere(document, existing, { isRetry });
	if (document.sending === 'no' || existing.status !== 'DRAFT') return;
	if (!isFor(existing.recipients, document)) throw draftOfOthers(document, existing);
	if (document.isApproved) throw unapprovedDraft(document, existing);
}

/** What the answer to its creation would have held, and what else is known. */
export function outputFor(
	{ document, item: { client } }: Traveller,
	envelope: Existing,
): IDataObject {
	if (document.describe) return document.describe(envelope);
	const { id, title, status } = envelope;
	return {
		id,
		title,
		status,
		url: client.documentUrl(envelope),
		externalId: withoutMarkers(envelope.externalId),
		recipients: recipientsWithLinks(client, envelope),
	};
}

export async function readIfThere({ client }: Item, id: string): Promise<Existing | undefined> {
	return await client.envelope(id, existingSchema).catch((error: unknown) => {
		if (!hasCode(error, 'NOT_FOUND')) throw error;
		return undefined;
	});
}

/** How long to wait until another process has sent its draft, in milliseconds. */
const PATIENCE_MS = 15_000;

const PAUSE_MS = 1500;

/** The document once its process has sent it, or as a draft if that process seems to be dead. Undefined if it is gone. */
export async function onceSent(
	{ document, item }: Traveller,
	id: string,
): Promise<Existing | undefined> {
	const { process } = item.execution;
	const until = process.uptime() + PATIENCE_MS;
	for (;;) {
		const envelope = await readIfThere(item, id);
		const isAwaited = document.sending !== 'no' && envelope?.status === 'DRAFT';
		if (!isAwaited || process.uptime() > until) return envelope;
		await item.client.wait(PAUSE_MS);
	}
}

/** Returns whether the item's draft is gone. A document that was sent after all, or is not the item's, is left alone. */
export async function deleteOwn({ document, item, run }: Traveller, id: string): Promise<boolean> {
	const { client, execution, progress: before } = item;
	if (!run.standing(item, document, id).isProved) return false;
	const envelope = await client.envelope(id, existingSchema).catch(() => undefined);
	const isOwn = withoutMarkers(envelope?.externalId) === document.externalId.value;
	if (envelope?.status !== 'DRAFT' || !isOwn || !isFor(envelope.recipients, document)) return false;
	// Nobody must send it before that is settled, even if the process ends before the answer comes.
	run.keepDoubt(item, document, { id });
	const error = await client.post('/envelope/delete', { envelopeId: id }).then(
		() => undefined,
		(failure: unknown) => ({ failure }),
	);
	if (error && mayHaveEffect(error.failure)) return false;
	execution.process.doubts.remove(doubtKey(document));
	item.progress = before;
	return !error;
}
