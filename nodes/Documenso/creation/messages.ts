import type { Listed } from '../../shared/api/envelope';
import { ApiFailure } from '../../shared/api/failure';
import { noted, Refusal } from '../../shared/n8n/refusal';
import { isIdentified, refusedId, type ExternalId, type NewDocument } from './newDocument';

/** What is known of a creation whose outcome is not. */
export interface Unknown {
	/** When no request can take effect any more, for people. */
	time: string;
	/** What may be the item's document, or an older one. */
	possible?: Listed[];
	/** How many other items of the execution may be in doubt. */
	others?: number;
	/** Whether n8n can retry the execution: it cannot retry one that went on after its failures. */
	canBeRetried: boolean;
}

/** For a creation whose outcome nobody knows. */
export function doubtful(
	document: NewDocument,
	{ time, possible = [], others = 0, canBeRetried }: Unknown,
	error?: unknown,
): unknown {
	const { externalId, ifExternalIdExists } = document;
	const { value } = externalId;
	const isFound = ifExternalIdExists !== 'create';
	const isForPeople = possible.length > 0 && !isIdentified(document);
	const isForRetry = canBeRetried && !isForPeople;
	const advice = [
		`Documenso may or may not have created the document with the External ID ${soughtBy(externalId)}.`,
		possible.length > 0 && `It may be ${listOf(possible)}.`,
		!isFound && others > 0 && `The same is true of ${others} more of the items.`,
		isForPeople && FOR_PEOPLE,
		isForRetry &&
			`From ${time} on, a retry of this execution looks for it, and creates it only if it is not there.`,
		!isFound && isForRetry && 'Running the workflow again instead could create it twice.',
		isFound &&
			(isForRetry
				? 'From then on, running the workflow again is safe, too.'
				: `From ${time} on, running the workflow again is safe.`),
		!isFound &&
			!canBeRetried &&
			`Look for it before you run this item again: if it is not there at ${time}, it was not created.`,
	];
	const text = advice.filter(Boolean).join(' ');
	const details = {
		externalId: value,
		...(isForPeople ? { documentIds: possible.map(({ id }) => id) } : {}),
	};
	if (error instanceof ApiFailure) return error.withNote(text, details);
	return refusedId(
		`is ${shown(externalId)}, and an earlier request to create its document may still be under way`,
		text,
		details,
	);
}

export function shown({ source, value }: ExternalId): string {
	return source === 'own' ? `"${value}" (made up by the node)` : `"${value}"`;
}

/** Each try makes up another ID with the same ending, and Documenso finds parts of it. */
function soughtBy({ ending, value }: ExternalId): string {
	return ending ?? value;
}

export function namingDraft(
	{ externalId }: NewDocument,
	{ id, isProved, isToCompare }: { id: string; isProved: boolean; isToCompare: boolean },
	error: ApiFailure,
): ApiFailure {
	const isNamed = error.facts.details?.documentId !== undefined;
	const isAlone = isProved && !isToCompare;
	if (isNamed && isAlone) return error;
	const own = `The document ${id} was created for this item.`;
	const other = `An earlier request may have created another one: look for the External ID ${soughtBy(externalId)} before you send it.`;
	const text = [!isNamed && own, !isAlone && other].filter(Boolean).join(' ');
	const details = { documentId: id, ...(isAlone ? {} : { externalId: externalId.value }) };
	return error.withNote(text, details);
}

/** For a draft that an earlier request may still send. */
export function sentInDoubt({ externalId }: NewDocument, time: string, id: string) {
	return refusedId(
		`is ${shown(externalId)}, and an earlier request may still send its document ${id}`,
		`Look at the document in Documenso. From ${time} on, a retry of this execution sends it if it is still a draft.`,
		{ externalId: externalId.value, documentId: id },
	);
}

/** For a draft with somebody in it who is left out of the document. */
export function stillInDraft(
	{ leftOut = [] }: NewDocument,
	failure = new ApiFailure({
		message: 'Documenso did not delete a recipient',
		outcome: 'failed',
		origin: 'The draft was read after the deletion.',
		source: 'documenso',
	}),
): ApiFailure {
	const who = leftOut.map(({ name }) => name).join(', ') || 'somebody who is left out';
	return failure.withNote(`${who} could not be taken out of the draft.`);
}

/** For a draft that was not sent, and stays. */
export function draftKept(error: unknown, id: string): unknown {
	const advice = `The draft ${id} was not sent. A retry of this execution continues with it.`;
	return noted(error, advice, { documentId: id });
}

/** For a draft that the item has found by its external ID. */
export function foundDraftKept(error: unknown, id: string): unknown {
	const advice = `The draft ${id}, which has the External ID of this item, was not sent. Correct or delete it in Documenso, and run this item again.`;
	return noted(error, advice, { documentId: id });
}

/** For a draft in which there are people whom the item does not name. */
export function withAdded(error: unknown, added: string): unknown {
	const advice = `Documenso added ${added} by itself, because the team's settings have them as default recipients.`;
	return noted(error, advice);
}

export function draftDeleted(error: unknown, id: string): unknown {
	return noted(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
}

export const REPLACED = 'These documents are cancelled, because new ones replace them:';

/** For a row whose old documents are cancelled, or will be. After a refusal, another run would be refused as well. */
export function afterCancelling(error: unknown, ids: string[]): unknown {
	const which = ids.join(', ');
	const advice =
		error instanceof Refusal
			? `Cancelled already: ${which}.`
			: `The old ${ids.length === 1 ? `document ${which} is` : `documents ${which} are`} cancelled, or may still be: run this item again, and keep the new one if you find it.`;
	return noted(error, advice, { cancelledDocumentIds: ids });
}

export function sendingInDoubt(error: unknown, id: string): unknown {
	const advice = `The document ${id} was created, but may not have been sent. Send or delete it instead of creating another. A retry of this execution continues with it.`;
	return noted(error, advice, { documentId: id });
}

/** For several documents that may be the item's. */
function undecided(
	{ externalId }: NewDocument,
	found: Listed[],
	question: string,
	advice: string,
): Refusal {
	const fault = `is ${shown(externalId)}, and the node cannot tell ${question}: ${listOf(found)}`;
	return refusedId(fault, advice, {
		externalId: externalId.value,
		documentIds: found.map(({ id }) => id),
	});
}

function listOf(found: Listed[]): string {
	return found.map(({ id, status }) => `${id} (${status.toLowerCase()})`).join(', ');
}

const FOR_PEOPLE =
	"Other documents may have this External ID, too, so a retry cannot tell either. Check in Documenso which document is this item's. If there is none, run the workflow again for this item only.";

/** For documents with an external ID that says nothing, because others may have it, too. */
export function ambiguous(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		'whether an earlier request for this item has created one of these documents',
		FOR_PEOPLE,
	);
}

/** For a retry where n8n does not tell when the original began, or its rows have moved since. */
export function unclear(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		'whether the execution that is being retried created one of these documents for the item',
		"Check in Documenso whether one of them is for this item. If none is, run the workflow again for the items without a document. If the workflow's rows or External IDs have changed since, retry the execution with the original workflow.",
	);
}

/** For a draft that gives way to another document, and is still there. */
export function undeleted(
	{ externalId: { value } }: NewDocument,
	draft: Pick<Listed, 'id'>,
	chosen: Pick<Listed, 'id' | 'status'>,
) {
	return refusedId(
		`is "${value}", which the document ${chosen.id} (${chosen.status.toLowerCase()}) has too, and the draft ${draft.id} of this item could not be deleted`,
		'Delete the draft in Documenso, or retry this execution.',
		{ externalId: value, documentIds: [chosen.id, draft.id] },
	);
}

/** For a list that lacks the item's own draft: it cannot tell whether there is another. */
export function unlisted(): ApiFailure {
	return new ApiFailure({
		message:
			'Documenso does not list the new draft, so the node cannot tell whether there is another',
		outcome: 'failed',
		origin: 'The list may be behind.',
		source: 'unreadable',
		advice: 'A retry of this execution continues with it.',
	});
}

/** For an item whose document another one was to create. */
export function failedBefore({ externalId }: NewDocument, index: number) {
	return refusedId(
		`is "${externalId.value}". Item ${index} has the same External ID, and its document could not be created`,
		`Correct item ${index}, and run this item again.`,
	);
}
