import type { Listed } from '../api/envelope';
import { ApiFailure, withNote } from '../api/failure';
import { Refusal } from '../engine/refusal';
import type { ExternalId } from './externalId';
import type { NewDocument } from './newDocument';

/** A refusal of the external ID; `fault` continues "'External ID' …". */
export function refusedId(
	fault: string,
	advice?: string,
	details?: Record<string, string | string[]>,
): Refusal {
	return Refusal.of([{ column: 'External ID', fault, advice }], details);
}

export const OTHER_ID =
	"Give the item another External ID, or choose Skip under 'If External ID Exists' to take the existing document.";

/** For a creation whose outcome nobody knows; `time` is when no request can take effect any more. */
export function doubtful(
	{ externalId, ifExternalIdExists }: NewDocument,
	time: string,
	error?: unknown,
	/** What may be it, or an older one. */
	possible: Listed[] = [],
): unknown {
	const { value } = externalId;
	const safe =
		ifExternalIdExists === 'create'
			? `From ${time} on, a retry of this execution creates it if it is not there.`
			: `Running it again is safe from ${time} on.`;
	const named = possible.length > 0 ? ` It may be ${listOf(possible)}.` : '';
	const advice = `Documenso may have created it, or may still be working on it.${named} Look for a document with the External ID ${soughtBy(externalId)} before you run this item again. ${safe} A retry of this execution looks first.`;
	const details = { externalId: value };
	if (error instanceof ApiFailure) return error.withNote(advice, details);
	return refusedId(
		`is "${value}", and an earlier request to create its document may still be under way`,
		advice,
		details,
	);
}

/** Each try makes up another ID with the same ending, and Documenso finds parts of it. */
function soughtBy({ ending, value }: ExternalId): string {
	return ending ?? value;
}

/** A failure of an item that has the draft with this ID says so. */
export function namingDraft(
	{ externalId }: NewDocument,
	{ id, isProved, isToCompare }: { id: string; isProved: boolean; isToCompare: boolean },
	error: ApiFailure,
): ApiFailure {
	const note = `The document ${id} was created for this item.`;
	if (isProved && !isToCompare) return error.withNote(note, { documentId: id });
	const other = `An earlier request may have created another one: look for the External ID ${soughtBy(externalId)} before you send it. A retry of this execution compares them.`;
	return error.withNote(`${note} ${other}`, { documentId: id, externalId: externalId.value });
}

/** For a draft that an earlier request may still send. */
export function sentInDoubt({ externalId: { value } }: NewDocument, time: string, id: string) {
	return refusedId(
		`is "${value}", and an earlier request may still send its document ${id}`,
		`Look at the document in Documenso. From ${time} on, a retry of this execution sends it if it is still a draft.`,
		{ externalId: value, documentId: id },
	);
}

export function sendingInDoubt(error: unknown, id: string): unknown {
	const advice = `The document ${id} was created, but may not have been sent. Send or delete it instead of creating another. A retry of this execution continues with it.`;
	return withNote(error, advice, { documentId: id });
}

/** For several documents that may be the item's. */
export function undecided(
	{ externalId: { value } }: NewDocument,
	found: Listed[],
	question: string,
	advice: string,
): Refusal {
	const fault = `is "${value}", and the node cannot tell ${question}: ${listOf(found)}`;
	return refusedId(fault, advice, {
		externalId: value,
		documentIds: found.map(({ id }) => id),
	});
}

function listOf(found: Listed[]): string {
	return found.map(({ id, status }) => `${id} (${status.toLowerCase()})`).join(', ');
}

export function ambiguous(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		"which of these documents is this item's",
		"Several documents may have this External ID and the same recipients, and the answer to a request that created one was lost. Check in Documenso which document is this item's before you create another.",
	);
}

/** For a retry where n8n does not tell when the original began, or its rows have moved since. */
export function unclear(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		'whether the execution that is being retried created one of these documents for the item',
		'Check in Documenso whether one of them is for this item. If none is, run the workflow again for the items without a document.',
	);
}

/** For a draft with the external ID that must not be sent in the item's place. */
export function draftOfOthers(
	{ emails, externalId }: NewDocument,
	draft: Pick<Listed, 'id' | 'recipients'>,
) {
	const others = draft.recipients.map(({ email }) => email).join(', ') || 'nobody';
	return refusedId(
		`is "${externalId.value}", which the draft ${draft.id} already has. It was never sent, and it is for ${others}, not for ${emails.join(', ')}`,
		'Send or delete that draft in Documenso, or give the item another External ID.',
		{ externalId: externalId.value, documentIds: [draft.id] },
	);
}

export function alreadyThere(
	{ externalId }: NewDocument,
	{ id, status }: Pick<Listed, 'id' | 'status'>,
) {
	return refusedId(
		`is "${externalId.value}", which the document ${id} (${status.toLowerCase()}) already has`,
		OTHER_ID,
	);
}
