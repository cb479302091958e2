import type { IExecuteFunctions } from 'n8n-workflow';

import { clock } from '../../shared/api/clock';
import { envelopeSchema, type Envelope } from '../../shared/api/envelope';
import { ApiFailure, isOutcomeUnknown } from '../../shared/api/failure';
import { isFinal } from '../../shared/api/lifecycle';
import { Refusal } from '../../shared/n8n/refusal';
import {
	EXTERNAL_ID_MAX_LENGTH,
	resumptionsIn,
	withMarker,
	withoutMarker,
} from '../../shared/envelope/marker';
import {
	openAmong,
	outcomesOf,
	readDocuments,
	type Documents,
	type Wait,
} from '../../shared/waiting/documents';
import { updateExternalId } from '../../shared/waiting/locked';
import { hasEnded, reach } from '../../shared/waiting/reach';
import { unmark } from '../../shared/waiting/unmark';
import { leadsTo, resumeAddressOf, type Waiter } from './waiter';

/** How often to write markers that are not there afterwards. */
const MARKING_ROUNDS = 3;

/** What was read is not much older than this when it is written back, in milliseconds. */
const FRESH_MS = 2000;

/** The limits of asking n8n about another execution, in milliseconds. */
const ASKING = { timeout: 30_000, patience: 0 };

/** What is read of a document to mark it. */
export const markable = envelopeSchema.pick({ id: true, status: true, externalId: true });

export type Markable = Pick<Envelope, 'id' | 'status' | 'externalId'>;

/**
 * Reads all documents, and marks those that are open and lack the marker: somebody else has sent them, or another
 * execution has overwritten it. Returns the documents as they are afterwards, because an event that came before the marker
 * woke nothing.
 */
export async function readMarked(waiter: Waiter, wait: Wait): Promise<Documents> {
	const { client } = waiter;
	for (let round = 1; ; round++) {
		const readAt = clock.now();
		const documents = await readDocuments(client, wait);
		const open = openAmong(documents, outcomesOf(client, wait, documents));
		const unmarked = open.filter(({ envelope }) => !leadsTo(waiter, envelope.externalId));
		if (unmarked.length === 0 || round > MARKING_ROUNDS) return documents;
		let noRoom: Refusal | undefined;
		const written = await client.each(
			unmarked,
			async ({ envelope }) =>
				await mark(waiter, envelope, readAt).catch((error: unknown) => {
					if (!(error instanceof Refusal)) throw error;
					noRoom = error;
					return false;
				}),
		);
		if (written.includes(true)) continue;
		// A retry would not help. If the execution waits for others, a hint names these.
		if (noRoom && unmarked.length === open.length) throw noRoom;
		return documents;
	}
}

/** Their events may have come before n8n could resume the execution: then nobody else removes the marker. */
export async function unmarkFinished({ context, client, marker }: Waiter, documents: Documents) {
	const finished = [...documents.values()].filter(({ envelope }) => isFinal(envelope.status));
	await client.each(finished, async ({ envelope }) => {
		await unmark(context, client, envelope, [marker]);
	});
}

/**
 * Writes the marker into a document that was read at this time. Returns false if Documenso lets nobody change the document
 * any more.
 */
export async function mark(waiter: Waiter, document: Markable, readAt: number): Promise<boolean> {
	const { context, client, marker } = waiter;
	const { id, status } = document;
	const isSent = status !== 'DRAFT';
	const marked = withMarker(await withRoom(waiter, document), marker);
	const isWritten = await updateExternalId(client, { id, isSent }, marked).catch(
		async (error: unknown) => {
			if (isOutcomeUnknown(error)) {
				doubt(context);
				const after = await client.envelope(id, markable).catch(() => undefined);
				if (after?.externalId === marked) return true;
			}
			throw notMarked(error, document);
		},
	);
	// Another execution may have written its own marker in between, which is overwritten now.
	if (isWritten && clock.now() - readAt > FRESH_MS) doubt(context);
	return isWritten;
}

function notMarked(error: unknown, { id, status }: Markable): unknown {
	if (!(error instanceof ApiFailure)) return error;
	if (status !== 'DRAFT') {
		return error.withNote(
			`The document ${id} was sent, but nothing would wake this execution when it is signed. A retry sends nothing again.`,
		);
	}
	const note = `The draft ${id} was not sent, because nothing would wake this execution when it is signed. A retry sends it.`;
	// Whatever has become of the marker, a retry may write it again.
	return new ApiFailure({ ...error.withNote(note).facts, outcome: 'refused' });
}

/** At the end, the audit log is asked whether a marker was lost. It stays so for a later try of the node. */
function doubt(context: IExecuteFunctions) {
	context.getContext('node').isDoubtful = true;
}

/** The external ID, if need be without the markers of executions that n8n says have ended. Throws if that is not enough. */
async function withRoom(
	{ context, marker: own, keys }: Waiter,
	{ id, externalId }: Markable,
): Promise<string> {
	let left = externalId ?? '';
	const hasRoom = () => withMarker(left, own).length <= EXTERNAL_ID_MAX_LENGTH;
	if (hasRoom()) return left;
	const way = { addresses: [{ url: resumeAddressOf(context), isOwn: false }], ...ASKING };
	for (const [marker, other] of resumptionsIn(left, keys)) {
		if (hasEnded(await reach(context, other, way))) left = withoutMarker(left, marker);
	}
	if (hasRoom()) return left;
	throw new Refusal(
		`'External ID' of the document ${id} has no room for the characters that the node adds while it waits`,
		"Other executions wait for this document. Stop one of them, or shorten 'External ID' with 'Document: Update'.",
	);
}
