import type { IDataObject } from 'n8n-workflow';

import type { z } from 'zod';

import { envelopeSchema, listedEnvelope, type Listed } from '../../shared/api/envelope';
import { acts, comesAfterSigner, endedUnsigned } from '../../shared/api/lifecycle';
import type { UploadFile } from '../../shared/api/multipart';
import type { Execution } from '../../shared/n8n/execution';
import type { Item } from '../../shared/n8n/item';
import { Refusal } from '../../shared/n8n/refusal';
import { asSeen } from '../../shared/n8n/values';
import type { Sent } from '../envelope/distribute';
import type { GivenSettings } from '../inputs/settings';
import { isLeftOut } from '../../shared/envelope/leftOut';
import type { Emailing } from '../../shared/envelope/whoCanSign';
import { isMadeUp, OWN, TEST } from '../../shared/envelope/madeUpId';
import { EXTERNAL_ID_MAX_LENGTH, seenId, withoutMarkers } from '../../shared/envelope/marker';
import type { Remarks } from './remarks';
import { savedIn } from './savedProgress';

/** What the node reads of a document that is there. */
export const existingSchema = envelopeSchema
	.pick({
		...{ id: true, secondaryId: true, status: true, title: true },
		...{ externalId: true, team: true, recipients: true },
	})
	.extend({ templateId: listedEnvelope.shape.templateId })
	// Only older endpoints number documents.
	.partial({ secondaryId: true })
	// A draft is checked before it is sent.
	.passthrough();

export type Existing = z.infer<typeof existingSchema>;

/**
 * `skipSame`: fails if the existing one is for others, or ended without signatures. `skipAcrossWorkers`: also if another
 * n8n process creates one at the same moment. `replace` does that, too, and lets a new document take the place of one that
 * says something else.
 */
export type IfExternalIdExists =
	'create' | 'skip' | 'skipSame' | 'skipAcrossWorkers' | 'replace' | 'fail';

/** What the user chose for a document with this external ID; `before` is a choice from before it was on the panel. */
export function chosenFor(
	externalId: ExternalId,
	onPanel: IfExternalIdExists,
	{ folderId, ifSendingFails = 'keep', ifExternalIdExists: before }: GivenSettings,
) {
	const chosen = onPanel === 'skipSame' ? (before ?? onPanel) : onPanel;
	// Nobody means the ID that all documents of a template have in common.
	const isMeant = chosen !== 'skipSame' || externalId.source === 'chosen';
	const ifExternalIdExists = isMeant ? chosen : 'create';
	return { externalId, folderId, ifSendingFails, ifExternalIdExists };
}

/** What the answer to a creation tells. */
export interface Created {
	id: string;
	/** The addresses that it is for, where the answer contains them. */
	emails?: string[];
	json: IDataObject;
	/** The IDs of the recipients to delete before it is sent. */
	leftOut?: number[];
}

/** A document that an item asks for: everything is checked, and nothing is created yet. */
export interface NewDocument {
	externalId: ExternalId;
	/** The known addresses of all recipients: other items may have the same external ID. */
	emails: string[];
	emailing: Emailing;
	/** The recipients that are deleted before it is sent. */
	leftOut?: Array<{ name: string; role: string }>;
	folderId?: string;
	/** Whether it is sent: by the request that creates it, or by a second one. */
	sending: 'no' | 'whileCreating' | 'afterwards';
	ifExternalIdExists: IfExternalIdExists;
	ifSendingFails: 'keep' | 'delete';
	/** What the request that creates it holds: two items with one external ID may ask for two documents. */
	content: { payload: IDataObject; files: UploadFile[] };
	/** The number of its template; null if it is made of PDFs. */
	templateId?: number | null;
	/**
	 * The names of what differs in an existing document; the doubts are the names of what cannot be compared, and people whom
	 * somebody has added. With `replace`, throws if it was made from something else.
	 */
	comparedWith?: (existing: Existing) => { differences: string[]; doubts: string[] };
	/**
	 * Set if only what was approved in a preview may be sent: then no existing draft is sent instead. Tells whether the
	 * preview showed this document, and nothing has changed in it: only that one may be replaced.
	 */
	wasPreviewed?: (existing: Existing) => boolean;
	/** Hints tell them. */
	remarks?: Remarks;
	/** Creates it; only as a draft unless `isToBeSent`. What is stored as its external ID may have a marker behind it. */
	create(isToBeSent: boolean, stored?: string): Promise<Created>;
	/**
	 * Checks and sends it as a draft, if that takes more than one request; it `isNew` if this try of the item has created
	 * it. `meta` goes along.
	 */
	send?: (id: string, draft: { isNew: boolean; meta?: IDataObject }) => Promise<Sent>;
	/** Nobody waits for it: it stays a draft. Never throws. */
	release?: (id: string) => Promise<void>;
	/** Sets what the request that creates it does not take. It may be done again, and never throws. */
	complete?: (id: string) => Promise<void>;
	/** The output for a document that an earlier request created, if it differs from the usual one. */
	describe?: (existing: Existing) => IDataObject;
}

/** Whether a document goes to the recipients of the new one. It may have others: a team adds its default recipients. */
export function isFor(recipients: Array<{ email: string }>, { emails }: NewDocument): boolean {
	return absentFrom(recipients, emails).length === 0;
}

/** Whether somebody else is to sign it: a team's default recipients have no field for a signature. */
export function hasOtherSigners(
	recipients: Array<{ email: string; role: string }>,
	{ emails }: NewDocument,
): boolean {
	const signers = recipients.filter((one) => one.role === 'SIGNER' && !isLeftOut(one));
	return hasOthers(signers, emails);
}

/** Documenso's limit (documenso-api.md: Creating an envelope). */
const TITLE_MAX_LENGTH = 255;

export function cutTitle(title: string): string {
	// Half a character could not be sent.
	return title.slice(0, TITLE_MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Whether the list of documents shows that an existing one is not what the item asks for. */
export function isAnother(
	document: NewDocument,
	existing: Pick<Listed, 'status' | 'recipients' | 'templateId'>,
): boolean {
	const { status } = existing;
	// A template that was replaced is no reason to send another document, but its draft would be sent now.
	if (status === 'DRAFT' && isMadeOtherwise(document, existing)) return true;
	return endedUnsigned(status) || isForOthers(document, existing);
}

export function isForOthers(
	document: NewDocument,
	{ recipients }: Pick<Listed, 'recipients'>,
): boolean {
	const missing = absentFrom(recipients, document.emails).length;
	const named = recipients.filter((one) => mayBeNamed(one, recipients, document));
	const others = recipients.filter((one) => !named.includes(one));
	return missing > named.length || isForMore(others, document);
}

/** Whether a signer may have named this recipient instead of one of the item's. */
function mayBeNamed(
	one: Listed['recipients'][number],
	recipients: Listed['recipients'],
	{ emails, emailing }: NewDocument,
): boolean {
	// A team's default recipients have no order.
	const isInOrder = acts(one) && typeof one.signingOrder === 'number';
	return (
		emailing.isDictated &&
		isInOrder &&
		hasOthers([one], emails) &&
		comesAfterSigner(one, recipients)
	);
}

/** Whether it is from another template. */
export function isMadeOtherwise(
	{ templateId }: NewDocument,
	{ templateId: its }: Pick<Listed, 'templateId'>,
): boolean {
	return templateId !== undefined && its !== undefined && templateId !== its;
}

/**
 * Whether somebody has something to do in it who may be left out now. A team's default recipients, whom nothing tells from
 * others, are usually CCs.
 */
export function isForMore(
	recipients: Array<{ email: string; role: string }>,
	{ emails, leftOut = [] }: NewDocument,
): boolean {
	if (leftOut.length === 0) return false;
	const roles = new Set(leftOut.map(({ role }) => role));
	const acting = recipients.filter((one) => (acts(one) || roles.has(one.role)) && !isLeftOut(one));
	return hasOthers(acting, emails);
}

/** Which of the item's addresses none of these recipients has. */
function absentFrom(recipients: Array<{ email: string }>, emails: string[]): string[] {
	return missingIn(
		recipients.map(({ email }) => email),
		emails,
	);
}

/** Whether any of these recipients has an address that the item does not name. */
function hasOthers(recipients: Array<{ email: string }>, emails: string[]): boolean {
	return missingIn(emails, recipients.map(({ email }) => email).filter(Boolean)).length > 0;
}

/** Which of the wanted addresses are missing among these. Documenso stores addresses in lower case. */
export function missingIn(emails: string[], wanted: string[]): string[] {
	const known = new Set(emails.map((email) => email.toLowerCase()));
	return wanted.filter((email) => !known.has(email.toLowerCase()));
}

/** Whether it is created as a draft first, and compared with those of other processes. */
export function comparesDrafts({ ifExternalIdExists }: NewDocument): boolean {
	return ifExternalIdExists === 'skipAcrossWorkers' || ifExternalIdExists === 'replace';
}

/** Whether nothing but a look for its external ID tells that it is there. */
export function countsAlone(document: NewDocument): boolean {
	return document.ifExternalIdExists !== 'create' && !comparesDrafts(document);
}

/** Whether the external ID alone says which document it is. Otherwise others may have the same. */
export function isIdentified({ externalId, ifExternalIdExists }: NewDocument): boolean {
	return externalId.source === 'own' || ifExternalIdExists !== 'create';
}

export interface Asked {
	item: Item;
	document: NewDocument;
}

/**
 * Names a document in this process: no other item of a run has the same, unless it asks for the same document. Whose it is
 * does not count, because one Documenso may have several addresses.
 */
export function keyOf({ externalId, ifExternalIdExists }: NewDocument): string {
	return ifExternalIdExists === 'create' ? `item ${externalId.item}` : `ID ${externalId.value}`;
}

/** Those with the key of one before them, each with the first one that has it. */
export function firstsByKey<One>(all: One[], keyOf: (one: One) => string): Map<One, One> {
	const first = new Map<string, One>();
	const others = new Map<One, One>();
	for (const one of all) {
		const key = keyOf(one);
		const before = first.get(key);
		if (before === undefined) first.set(key, one);
		else others.set(one, before);
	}
	return others;
}

/**
 * An external ID and where it comes from: `chosen` by the user, `inherited` from the template, or the node's `own`,
 * which no other document has.
 */
export interface ExternalId {
	value: string;
	source: 'chosen' | 'inherited' | 'own';
	/** A part of it that leads to what other tries created for the item, too. */
	search: string;
	/** How the user gave it, if people see no difference: other programs may have stored it like that. */
	asGiven?: string;
	/** The end that all IDs have in common that the node made up for the item, one in each try. */
	ending?: string;
	/** Names the item in all tries of the execution. */
	item: string;
	/** The ID that the retried execution made up, if the item had none then. */
	madeUp?: ExternalId;
}

/** The same ID for a test: production finds only its own documents, and so do tests. */
export function testId({ value, search, asGiven, madeUp, ...rest }: ExternalId): ExternalId {
	const excess = TEST.length + value.length - EXTERNAL_ID_MAX_LENGTH;
	if (excess > 0) {
		throw refusedId(
			`is too long by ${excess}, because in a manual execution it begins with "${TEST}"`,
			"Use a shorter one, or remove 'Options > In Manual Executions, Send To'.",
		);
	}
	return {
		...rest,
		value: TEST + value,
		// A part of a made-up ID is the same in tests.
		search: search === value ? TEST + search : search,
		...(asGiven === undefined ? {} : { asGiven: TEST + asGiven }),
		...(madeUp ? { madeUp: testId(madeUp) } : {}),
	};
}

function isSameKind(one: string, other: string): boolean {
	return one.startsWith(TEST) === other.startsWith(TEST);
}

/**
 * The external ID of an item's document; `before` is the one of an earlier try, because an expression may give it
 * another. Refuses one by which a document could not be found again.
 */
export function externalIdOf(
	{ execution, index, progress: before }: Item,
	chosen?: string | null,
	inherited?: string | null,
): ExternalId {
	const stored = savedIn(before)?.externalId;
	// The test adds it again.
	const kept = execution.testAddress === undefined ? stored : stored?.slice(TEST.length);
	// Documenso strips the blanks around it.
	const asGiven = chosen?.trim() ? chosen.trim() : inherited?.trim();
	const given = asSeen(asGiven ?? '');
	if (!given) return madeUpFor(execution, index, kept);
	const value = kept ?? given;
	// A lone surrogate is half a character.
	const canBeFound = withoutMarkers(value) === value && !/[\0\p{Surrogate}]/u.test(value);
	if (!canBeFound) throw refusedId(UNFINDABLE, 'Use another External ID.');
	const source = chosen?.trim() ? 'chosen' : 'inherited';
	const madeUp = madeUpFor(execution, index);
	const isRetry = execution.progress.retries === 'another';
	return {
		...{ value, source, search: value, item: madeUp.item },
		...(asGiven === given ? {} : { asGiven }),
		...(isRetry ? { madeUp } : {}),
	};
}

function madeUpFor(
	{ id, progress: { begunAt, node, run: number, retries } }: Execution,
	index: number,
	kept?: string,
): ExternalId {
	const beginning = begunAt.toString(36);
	const run = `:${node}:${number}:`;
	const item = `:${beginning}${run}${index}`;
	// The execution is named, too, because several may begin in the same millisecond.
	const value = kept ?? `${OWN}${id}${item}`;
	const others = {
		nothing: { search: value },
		another: { search: `:${beginning}${run}`, ending: item },
		unknown: { search: `${run}${index}`, ending: `${run}${index}` },
	}[retries];
	return { value, source: 'own', item, ...others };
}

const UNFINDABLE =
	'contains characters by which Documenso, or this node, would not find the document again: a NUL, half a character, or "n8n-wait:"';

/** Whether a document has the external ID, or one that another try made up for the same item. */
export function hasExternalId(
	{ externalId }: Pick<Listed, 'externalId'>,
	{ value, ending }: ExternalId,
): boolean {
	const id = seenId(externalId);
	if (id === value) return true;
	return ending !== undefined && isMadeUp(id) && isSameKind(id, value) && id.endsWith(ending);
}

/** Whether the execution that this one retries made up a document's external ID for any of the items of this run. */
export function isOfRetried(
	{ externalId }: Listed,
	{ value, search, ending }: ExternalId,
): boolean {
	const isOwn = ending !== undefined && ending !== search;
	const id = externalId ?? '';
	return isOwn && isMadeUp(id) && isSameKind(id, value) && id.includes(search);
}

/** What external IDs are looked up by: all IDs that `hasExternalId` accepts for an item have the same key. */
export function lookUpKey(externalId: string): string {
	const id = seenId(externalId);
	if (!isMadeUp(id)) return id;
	const item = id.split(':').slice(-3).join(':');
	return id.startsWith(TEST) ? TEST + item : item;
}

/** The ID that the node made up for an item, or would have. */
export function madeUpOf({ externalId }: NewDocument): ExternalId | undefined {
	return externalId.source === 'own' ? externalId : externalId.madeUp;
}

/** A refusal of the external ID; `fault` continues "'External ID' …". */
export function refusedId(
	fault: string,
	advice?: string,
	details?: Record<string, string | string[]>,
): Refusal {
	return Refusal.about('External ID', fault, advice, details);
}
