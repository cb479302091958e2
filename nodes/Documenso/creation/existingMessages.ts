import type { Listed } from '../../shared/api/envelope';
import { ApiFailure } from '../../shared/api/failure';
import { endedUnsigned } from '../../shared/api/lifecycle';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { withoutMarkers } from '../../shared/envelope/marker';
import type { Item } from '../../shared/n8n/item';
import { escaped } from '../../shared/n8n/nodeError';
import { isSameText } from '../../shared/n8n/values';
import { shown } from './messages';
import {
	isAnother,
	isFor,
	isForOthers,
	isMadeOtherwise,
	refusedId,
	type ExternalId,
	type NewDocument,
} from './newDocument';

// What is said of documents that have an item's External ID already.

const OTHER_ID =
	"Give the item another External ID, or choose Skip under 'If External ID Exists' to take the existing document.";

/** n8n does not tell a retry what another one did. */
const OTHER_RETRY =
	'If an earlier retry of the same execution created it, retry that one, or leave the item out.';

/** What is known of a document that has an external ID. */
export type Having = Pick<Listed, 'id' | 'status' | 'recipients' | 'externalId' | 'templateId'>;

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
	// Skip would send a draft.
	const isSkipped = existing.status !== 'DRAFT' || document.sending === 'no';
	const skip = " If nothing is to be created for it, choose Skip under 'If External ID Exists'.";
	return refusedId(
		`is "${value}", which a document already has: ${differenceOf(document, existing)}`,
		`Give the item an External ID that no other contract has.${removalOf(existing)}${isSkipped ? skip : ''}`,
		{ externalId: value, documentIds: [existing.id] },
	);
}

/** How to be rid of a document that is for other recipients; what has ended is no harm. */
function removalOf({ id, status }: Having): string {
	if (status === 'DRAFT') return ` If the draft ${id} is out of date, delete it first.`;
	return status === 'PENDING' ? ` If its recipients were corrected, cancel ${id} first.` : '';
}

function differenceOf(document: NewDocument, existing: Having): string {
	const { externalId, templateId } = document;
	const { id, status, externalId: its } = existing;
	if (endedUnsigned(status)) return `${id} was ${status.toLowerCase()}`;
	if (!isForOthers(document, existing)) {
		return `${id} was made ${templateId === null ? 'from a template' : 'from another template, or without one'}`;
	}
	return peopleOf(document, existing) + onlyLooksSame(externalId, withoutMarkers(its) ?? '');
}

function peopleOf({ emails }: NewDocument, existing: Having): string {
	return `${existing.id} is for ${addressesIn(existing)}, not for ${emails.join(', ')}`;
}

/** Two IDs that people cannot tell apart are one, but may have been meant for two contracts. */
function onlyLooksSame({ value, asGiven = value }: ExternalId, other: string): string {
	if (asGiven === other || !isSameText(asGiven, other)) return '';
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
	const what = ifExternalIdExists === 'fail' ? '' : ', for a document with different content';
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

/** For a document that says something else, and must not be replaced. */
export function notReplaceable(
	{ externalId: { value } }: NewDocument,
	id: string,
	differences: string[],
	obstacle: string,
) {
	return refusedId(
		`is "${value}". Its document ${id} differs in ${differences.join(', ')}, and cannot be replaced: ${obstacle}`,
		'Ask the signers whether the contract stands as it is. For another one, give the item a new External ID.',
		{ externalId: value, documentIds: [id] },
	);
}

/** For a document whose replacement nobody has approved. */
export function unapprovedReplacement(
	{ externalId: { value } }: NewDocument,
	id: string,
	differences: string[],
) {
	return refusedId(
		`is "${value}". Its document ${id} differs in ${differences.join(', ')}, and the preview did not say that it would be replaced as it is now`,
		'Preview the item again, and have it approved again.',
		{ externalId: value, documentIds: [id] },
	);
}

/** For a draft that would replace what a person has cancelled, or somebody has rejected. */
export function endedOtherwise(
	{ externalId: { value } }: NewDocument,
	{ id, status }: Pick<Listed, 'id' | 'status'>,
) {
	return refusedId(
		`is "${value}". Its document ${id} was ${status.toLowerCase()}, and not by this node`,
		'To send another one, give the item a new External ID.',
		{ documentIds: [id] },
	);
}

/** For a document on which somebody has acted while it was being replaced. */
export function actedMeanwhile(
	{ externalId: { value } }: NewDocument,
	{ id, status }: Pick<Listed, 'id' | 'status'>,
	{ differences, acted }: { differences: string[]; acted: string },
) {
	// A signer may have entered what the item says.
	const why = differences.length > 0 ? `differs in ${differences.join(', ')} and ` : '';
	return refusedId(
		`is "${value}". Its document ${id} ${why}was to be replaced, but ${acted} meanwhile; it is ${status.toLowerCase()} now`,
		'Ask them which contract they want: the old one is not replaced. For another one, give the item a new External ID.',
		{ documentIds: [id] },
	);
}

/** For a document that the token's user must not cancel. */
export function notAllowed({ externalId: { value } }: NewDocument, id: string) {
	return refusedId(
		`is "${value}". Its document ${id} was to be replaced, but Documenso does not let this token's user cancel it`,
		'Only its owner, a manager or an admin can cancel it: use the token of such a user. The document still waits for its recipients.',
		{ externalId: value, documentIds: [id] },
	);
}

/** For a draft that says something else than its item. */
export function differentDraft(
	{ externalId: { value }, ifExternalIdExists }: NewDocument,
	{ id, isOwn }: { id: string; isOwn: boolean },
	{ differences, doubts }: { differences: string[]; doubts: string[] },
) {
	const isExpression = isOwn && differences.length > 0;
	const maybe = isExpression
		? ' If nobody has corrected anything, an expression such as $now gives something else now.'
		: '';
	const why = [
		...(differences.length > 0 ? [`it differs in ${differences.join(', ')}`] : []),
		...(doubts.length > 0
			? [
					`${doubts.join(', ')} cannot be compared: the template or the draft was edited since it was made`,
				]
			: []),
	];
	return refusedId(
		`is "${value}", which the draft ${id} has, and ${why.join(', and ')}`,
		`${ifExternalIdExists === 'replace' ? 'Only what was sent is replaced. ' : ''}Delete the draft in Documenso and run this item again, or correct and send it there.${maybe}`,
		{ externalId: value, documentIds: [id] },
	);
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

export const LISTED_ITEMS = 10;

/**
 * Says how many of the `total` items have their documents already, or lists those whose document is for other people, or
 * ended without signatures: with Skip, only the external ID decides.
 */
export function hintAtExisting(
	known: Array<{ item: Item; document: NewDocument; existing: Listed }>,
	total: number,
) {
	const [first] = known;
	if (!first) return;
	const lines = known.flatMap(({ item, document, existing }) =>
		isAnother(document, existing) || isMadeOtherwise(document, existing)
			? [`Item ${item.index}: ${differenceOf(document, existing)}`]
			: [],
	);
	const { hints } = first.item.execution;
	for (const line of lines) hints.add(OF_OTHERS, line, 'warning');
	const named = known.filter(
		({ document, existing }) =>
			!isFor(existing.recipients, document) && !isForOthers(document, existing),
	);
	for (const { item, document, existing } of named) {
		hints.add(NEXT_SIGNERS, `Item ${item.index}: ${peopleOf(document, existing)}`, 'warning');
	}
	if (lines.length + named.length > 0) return;
	const isCompared = known.every(({ document }) => document.ifExternalIdExists === 'replace');
	hints.say(existingPart(known.length, total, isCompared), 'info');
}

const OF_OTHERS =
	'For these items nothing was created: a document with the External ID exists already, but it is for other recipients, was made from another template, or was rejected or cancelled. If the recipients of these items should get a document too, give the items another External ID.';

const NEXT_SIGNERS =
	'Nothing was created for these items: they have documents, in which a signer seems to have named somebody else as the next signer. If the item was corrected instead, cancel the document first.';

/** Names the items that share the document of an item before them. */
export function hintAtShared(items: Item[]) {
	const [first] = items;
	if (!first) return;
	const list = inBrief(
		items.map(({ index }) => index),
		LISTED_ITEMS,
	);
	const message = `These items are the same as one before them, with the same External ID, so they share its document: ${list}.`;
	first.execution.hints.say(message, 'warning');
}

function existingPart(count: number, total: number, isCompared: boolean): string {
	const which = count === total ? 'Each item has' : `${count} of ${total} items have`;
	if (isCompared) return `${which} a document that does not differ. Nothing was created for it.`;
	return `${which} a document already, found by its External ID. Nothing was created for ${count === 1 ? 'it' : 'them'}, and what has changed in ${count === 1 ? 'it' : 'them'} since then is not in the ${count === 1 ? 'document' : 'documents'}.`;
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
