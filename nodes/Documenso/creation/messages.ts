import type { IDataObject } from 'n8n-workflow';

import type { Listed } from '../../shared/api/envelope';
import { ApiFailure, withNote } from '../../shared/api/failure';
import { addHint } from '../../shared/n8n/hint';
import type { Item } from '../../shared/n8n/item';
import { escaped } from '../../shared/n8n/nodeError';
import { Refusal } from '../../shared/n8n/refusal';
import { asSeen } from '../../shared/n8n/values';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { withoutMarkers } from '../../shared/envelope/marker';
import {
	ENDED,
	isAnother,
	isForOthers,
	isMadeOtherwise,
	isIdentified,
	refusedId,
	type ExternalId,
	type NewDocument,
} from './newDocument';

const OTHER_ID =
	"Give the item another External ID, or choose Skip under 'If External ID Exists' to take the existing document.";

/** n8n does not tell a retry what another one did. */
const OTHER_RETRY =
	'If an earlier retry of the same execution created it, retry that one, or leave the item out.';

/** What is known of a document that has an external ID. */
export type Having = Pick<Listed, 'id' | 'status' | 'recipients' | 'externalId' | 'templateId'>;

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

function shown({ source, value }: ExternalId): string {
	return source === 'own' ? `"${value}" (made up by the node)` : `"${value}"`;
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
	return noted(error, advice, {});
}

export function draftDeleted(error: unknown, id: string): unknown {
	return noted(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
}

export function sendingInDoubt(error: unknown, id: string): unknown {
	const advice = `The document ${id} was created, but may not have been sent. Send or delete it instead of creating another. A retry of this execution continues with it.`;
	return noted(error, advice, { documentId: id });
}

/** The error with what has become of the document: of the draft, the node itself may have refused to send it. */
function noted(error: unknown, note: string, details: IDataObject): unknown {
	return error instanceof Refusal ? error.withNote(note, details) : withNote(error, note, details);
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

/** For a draft with the external ID that must not be sent in the item's place. */
export function draftOfOthers(
	{ emails, externalId }: NewDocument,
	draft: Pick<Listed, 'id' | 'recipients'>,
) {
	const others = addressesIn(draft);
	return refusedId(
		`is "${externalId.value}", which the draft ${draft.id} already has. It was never sent, and it is for ${others}, not for ${emails.join(', ')}`,
		'Delete that draft in Documenso, or give the item another External ID. If you send it, this item counts as done, and its recipients get nothing.',
		{ externalId: externalId.value, documentIds: [draft.id] },
	);
}

/** For a draft that may hold something else, where only what was previewed may be sent. */
export function unapprovedDraft({ externalId }: NewDocument, { id }: Pick<Listed, 'id'>) {
	return refusedId(
		`is ${shown(externalId)}, which the draft ${id} already has. It may not be what was previewed, so it is not sent`,
		'Look at the draft in Documenso: send it there, or delete it and run this item again.',
		{ externalId: externalId.value, documentIds: [id] },
	);
}

/** For a document that has the external ID, but is not what the item asks for. */
export function anotherDocument(document: NewDocument, existing: Having) {
	const { value } = document.externalId;
	return refusedId(
		`is "${value}", which a document already has: ${differenceOf(document, existing)}`,
		`Give the item an External ID that no other contract has.${removalOf(existing)} If nothing is to be created for it, choose Skip under 'If External ID Exists'.`,
		{ externalId: value, documentIds: [existing.id] },
	);
}

/** How to be rid of a document that is for other recipients; what has ended is no harm. */
function removalOf({ id, status }: Having): string {
	if (status === 'DRAFT') return ` If the draft ${id} is out of date, delete it first.`;
	return status === 'PENDING' ? ` If its recipients were corrected, cancel ${id} first.` : '';
}

function differenceOf(document: NewDocument, existing: Having): string {
	const { emails, externalId, templateId } = document;
	const { id, status, recipients, externalId: its } = existing;
	if (ENDED.includes(status)) return `${id} was ${status.toLowerCase()}`;
	if (!isForOthers(document, existing)) {
		return `${id} was made ${templateId === null ? 'from a template' : 'from another template, or without one'}`;
	}
	const others = addressesIn({ recipients });
	const difference = `${id} is for ${others}, not for ${emails.join(', ')}`;
	return difference + onlyLooksSame(externalId, withoutMarkers(its) ?? '');
}

/** Two IDs that people cannot tell apart are one, but may have been meant for two contracts. */
function onlyLooksSame({ value, asGiven = value }: ExternalId, other: string): string {
	if (asGiven === other || asSeen(asGiven) !== asSeen(other)) return '';
	return `. The two IDs look the same, but differ in a blank or an invisible character: ${JSON.stringify(asGiven)} here, ${JSON.stringify(other)} there`;
}

function addressesIn({ recipients }: Pick<Listed, 'recipients'>): string {
	const real = recipients.filter((one) => !isLeftOut(one));
	return real.map(({ email }) => email).join(', ') || 'nobody';
}

/** For an item that asks for another document than the one before it with the same external ID. */
export function sameIdTwice(
	{ externalId, ifExternalIdExists }: NewDocument,
	other: number,
	{ value: itsValue, asGiven: its = itsValue }: ExternalId,
) {
	const { value } = externalId;
	const what = ifExternalIdExists === 'fail' ? '' : ', for a document with something else in it';
	return refusedId(
		`is "${value}", which item ${other} has too${what}${onlyLooksSame(externalId, its)}`,
		'Give one of the two items another External ID, or leave one out.',
		{ externalId: value },
	);
}

export function alreadyThere(
	{ externalId }: NewDocument,
	{ id, status }: Pick<Listed, 'id' | 'status'>,
	{ isRetry }: { isRetry: boolean },
) {
	return refusedId(
		`is "${externalId.value}", which the document ${id} (${status.toLowerCase()}) already has`,
		isRetry ? `${OTHER_RETRY} ${OTHER_ID}` : OTHER_ID,
		{ externalId: externalId.value, documentIds: [id] },
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
		origin: 'It may be new to the list.',
		source: 'unreadable',
		advice: 'A retry of this execution continues with it.',
	});
}

/** For a document that was to be replaced and is still pending, or one that another process has sent meanwhile. */
export function stillThere(id: string): ApiFailure {
	return new ApiFailure({
		message: `The document ${id} has the External ID, too, and is not cancelled`,
		outcome: 'failed',
		origin: 'It was read before the new draft would have been sent.',
		source: 'documenso',
		advice: 'A retry of this execution looks again.',
	});
}

/** For an item whose document another one was to create. */
export function failedBefore({ externalId }: NewDocument, index: number) {
	return refusedId(
		`is "${externalId.value}". Item ${index} has the same External ID, and its document could not be created`,
		`Correct item ${index}, and run this item again.`,
	);
}

/** How many items a hint lists. */
export const LISTED_ITEMS = 10;

/**
 * Says how many of the `total` items have their documents already, or lists those whose document is for other people, or
 * ended without signatures: with Skip, only the external ID decides.
 */
export function hintAtExisting(
	known: Array<{ item: Item; document: NewDocument; existing: Listed }>,
	total: number,
) {
	const lines = known.flatMap(({ item, document, existing }) =>
		isAnother(document, existing) || isMadeOtherwise(document, existing)
			? [`Item ${item.index}: ${differenceOf(document, existing)}`]
			: [],
	);
	if (lines.length === 0) {
		const isCompared = known.every(({ document }) => document.replacing !== undefined);
		if (known.length > 0) hint(known, existingPart(known.length, total, isCompared), 'info');
		return;
	}
	const more = lines.length - LISTED_ITEMS;
	const message = [
		'For these items nothing was created: a document with the External ID exists already, but it is for other recipients, was made from another template, or was rejected or cancelled. If the recipients of these items should get a document too, give the items another External ID.',
		...lines.slice(0, LISTED_ITEMS).map(escaped),
		...(more > 0 ? [`and ${more} more`] : []),
	].join('<br>');
	hint(known, message, 'warning');
}

/** Names the items that share the document of an item before them. */
export function hintAtShared(items: Item[]) {
	const [first] = items;
	if (!first) return;
	const list = inBrief(
		items.map(({ index }) => index),
		LISTED_ITEMS,
	);
	const message = `These items are the same as one before them, with the same External ID, so they share its document: ${list}.`;
	addHint(first.context, message, 'warning');
}

function existingPart(count: number, total: number, isCompared: boolean): string {
	const which = count === total ? 'Each item has' : `${count} of ${total} items have`;
	if (isCompared) return `${which} a document that says the same. Nothing was created for it.`;
	return `${which} a document already, found by its External ID. Nothing was created for ${count === 1 ? 'it' : 'them'}, and what has changed in ${count === 1 ? 'it' : 'them'} since then is not in the ${count === 1 ? 'document' : 'documents'}.`;
}

export function hint([first]: Array<{ item: Item }>, message: string, type: 'info' | 'warning') {
	if (first) addHint(first.item.context, message, type);
}

export function inBrief(all: Iterable<string | number>, most: number): string {
	const names = [...all];
	const more = names.length - most;
	const list = names
		.slice(0, most)
		.map((name) => escaped(String(name)))
		.join(', ');
	return more > 0 ? `${list} and ${more} more` : list;
}
