import { clock } from '../../shared/api/clock';
import { mayHaveEffect, messageOf } from '../../shared/api/failure';
import { isFinal } from '../../shared/api/lifecycle';
import { refusedId, type NewDocument } from '../creation/newDocument';
import type { Item } from '../../shared/n8n/item';
import { distribute } from '../envelope/distribute';
import {
	EXTERNAL_ID_MAX_LENGTH,
	MARKER_LENGTH,
	withMarker,
	withoutMarker,
	withoutMarkers,
} from '../../shared/envelope/marker';
import { updateExternalId } from '../../shared/waiting/locked';
import { mark, markable, type Markable } from './mark';
import { leadsTo, waiterOf, type Waiter } from './waiter';

const TOO_LONG = "Use a shorter one. For a draft that exists, change it with 'Document: Update'.";

/** Refuses an external ID behind which there is no room for the marker. */
export function checkRoom(externalId: string) {
	const most = EXTERNAL_ID_MAX_LENGTH - MARKER_LENGTH;
	const length = withoutMarkers(externalId)?.length ?? 0;
	if (length <= most) return;
	const fault = `has ${length} characters; at most ${most} are allowed, because the node adds some while it waits`;
	throw refusedId(fault, TOO_LONG);
}

/** A new document for which the execution will wait: it is created with the marker, before anybody can sign it. */
export async function waitedFor(document: NewDocument, item: Item): Promise<NewDocument> {
	const { value } = document.externalId;
	checkRoom(value);
	const waiter = await waiterOf(item.execution);
	const externalId = withMarker(value, waiter.marker);
	return {
		...document,
		create: async (isToBeSent) => await document.create(isToBeSent, externalId),
		send: async (id, { isNew, meta }) => {
			const { client } = item;
			const readAt = clock.now();
			// Another execution may have created it, and have ended before it sent it.
			const draft = isNew
				? { id, status: 'DRAFT', externalId }
				: await client.envelope(id, markable);
			const send = async () => await distribute(client, id, { isNew: true, meta });
			const isKept = document.ifSendingFails === 'keep';
			return await sendMarked(item, { draft, readAt, send, isKept });
		},
		release: async (id) => {
			await unmarkDraft(waiter, id);
		},
	};
}

interface Sending<Sent> {
	draft: Markable;
	/** When it was read: milliseconds since the epoch. */
	readAt: number;
	send: () => Promise<Sent>;
	/** Whether it stays if it cannot be sent. */
	isKept: boolean;
}

/**
 * Sends a draft that has the marker, or gets it first. A draft that Documenso refuses to send loses it again: nobody waits
 * for that.
 */
export async function sendMarked<Sent>(
	item: Item,
	{ draft, readAt, send, isKept }: Sending<Sent>,
): Promise<Sent> {
	const waiter = await waiterOf(item.execution);
	const isMarked = leadsTo(waiter, draft.externalId);
	if (!isMarked && !isFinal(draft.status)) await mark(waiter, draft, readAt);
	return await send().catch(async (error: unknown) => {
		if (isKept && !mayHaveEffect(error)) await unmarkDraft(waiter, draft.id);
		throw error;
	});
}

/** Removes the marker from a document if that is still a draft. */
async function unmarkDraft({ context, client, marker }: Waiter, id: string) {
	try {
		const draft = await client.envelope(id, markable);
		const before = draft.externalId ?? '';
		const after = withoutMarker(before, marker);
		if (draft.status !== 'DRAFT' || after === before) return;
		await updateExternalId(client, { id, isSent: false }, after || null);
	} catch (error) {
		// It does no harm: what happens to the document finds no execution that waits for it.
		context.logger.warn(
			`The external ID of the draft ${id} still has a marker: ${messageOf(error)}`,
		);
	}
}
