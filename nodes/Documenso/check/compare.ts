import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import {
	envelopeSchema,
	type EnvelopeField,
	type EnvelopeRecipient,
} from '../../shared/api/envelope';
import { acts, hasSigned, isSequential, recipientsInTurn } from '../../shared/api/lifecycle';
import { withoutEnding } from '../../shared/api/fileName';
import {
	changeOf,
	mayBeEmptied,
	valueOf,
	type FieldValue,
} from '../../shared/envelope/filledValues';
import { fieldNames, nameOf } from '../../shared/envelope/labels';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { presetOf } from '../../shared/envelope/presets';
import { isPlaceholder } from '../../shared/envelope/whoCanSign';
import { isBlank } from '../../shared/n8n/values';
import { recipientIdOf, type RecipientColumn, type Template } from '../template/columns';
import type { Prepared } from '../template/use';
import { newerThan, pairingOf, type Asked, type Pairing } from './pairing';
import { isSameText, isSameValue } from './sameValue';

/** What is read of a document to compare it. */
export const comparedSchema = envelopeSchema
	.pick({
		...{ id: true, status: true, title: true, externalId: true, team: true, recipients: true },
		...{ fields: true, envelopeItems: true, internalVersion: true },
	})
	.extend({
		templateId: z.number().nullish(),
		createdAt: z.string(),
		documentMeta: envelopeSchema.shape.documentMeta
			.unwrap()
			.unwrap()
			.extend({ allowDictateNextSigner: z.boolean().nullish() })
			.nullish(),
	});

export type Compared = z.infer<typeof comparedSchema>;

/** Why a document says something else than its row. */
export type Cause = 'sent' | 'changedBySigner' | 'emptiedBySigner' | 'changedAfterSending';

/** Something in which a document differs from its row. */
export interface Difference {
	/** As a sheet names it. */
	name: string;
	row: FieldValue | number | null;
	document: FieldValue | number | null;
	cause: Cause;
	/** What the document's audit log calls it by. */
	about: { recipient?: number; field?: string; title?: boolean };
}

/** What a document differs in, and what cannot be compared. */
export interface Comparison {
	differences: Difference[];
	notCompared: Array<{ name: string; reason: string }>;
	/** Those who are in the document only, and whom somebody has added unless Documenso did it for the team. */
	others: Array<{ recipient: EnvelopeRecipient; mayBeDefault: boolean }>;
}

/** Compares what a row asks for with the document that it has. What only signers fill in is no difference. */
export function compare(prepared: Prepared, document: Compared): Comparison {
	const asked = peopleIn(prepared);
	const isNewer = newerThan(document.recipients);
	const older = asked.filter((one) => !isNewer(one));
	const pairing = pairingOf(prepared.template, older, document);
	const comparison: Comparison = { differences: [], notCompared: [], others: [] };
	const copied = copiedFields(document);
	const task = { ...prepared, asked, document, pairing, copied, comparison };
	comparePeople(task);
	compareOthers(task);
	compareTitle(task);
	compareFiles(task);
	compareValues(task);
	compareFields(task);
	return comparison;
}

interface Task extends Omit<Prepared, 'document'> {
	asked: Asked[];
	document: Compared;
	pairing: Pairing;
	/** The fields that the document has had from its start. */
	copied: ReadonlySet<EnvelopeField>;
	comparison: Comparison;
}

/** The template's recipients with what the row says of them. */
function peopleIn({ template, filled }: Prepared): Asked[] {
	// As `fill` has made them.
	const given = filled.content.recipients as Array<Pick<Asked, 'id' | 'email' | 'name'>>;
	const byId = new Map(given.map((one) => [one.id, one]));
	return template.recipients.map((one) => {
		const its = byId.get(one.id) ?? one;
		return isLeftOut(its) ? { ...one, isLeftOut: true } : { ...one, ...its, isLeftOut: false };
	});
}

function comparePeople(task: Task) {
	const { asked, template, filled, document, pairing, comparison } = task;
	for (const one of asked) {
		const { name } = template.people.all.find((person) => recipientIdOf(person) === one.id) ?? {};
		const columns = template.recipientColumns.all.filter((its) => recipientIdOf(its) === one.id);
		const columnFor = (part: RecipientColumn['part']) => columns.find((its) => its.part === part);
		const its = pairing.people.get(one.id);
		if (!its || one.isLeftOut) {
			comparePresence(task, one, columnFor('email')?.name ?? '');
			continue;
		}
		if (isDictated(its, document)) continue;
		const isUpdated = wasUpdated(its, document);
		const differs = (
			part: RecipientColumn['part'] | 'role',
			row: Difference['row'],
			value: Difference['document'],
		) => {
			const column = part === 'role' ? undefined : columnFor(part);
			const isGiven = column !== undefined && filled.given.has(column);
			const called = column?.name ?? `${name} ${part}`;
			if (!isGiven && !isUpdated) comparison.notCompared.push({ name: called, reason: EDITED });
			else {
				comparison.differences.push({
					...{ name: called, row, document: value, about: { recipient: its.id } },
					cause: isUpdated ? 'changedAfterSending' : 'sent',
				});
			}
		};
		const isKnown = !isPlaceholder(one.email);
		if (isKnown && one.email.toLowerCase() !== its.email.toLowerCase()) {
			differs('email', one.email, its.email);
		}
		// Without a name, Documenso takes the one that the signer enters.
		if (isKnown && one.name !== '' && !isSameText(one.name, its.name)) {
			differs('name', one.name, its.name);
		}
		if (one.role !== its.role) differs('role', one.role, its.role);
		const [order, itsOrder] = [one.signingOrder ?? null, its.signingOrder ?? null];
		if (isSequential(template) && order !== null && order !== itsOrder) {
			differs('signingOrder', order, itsOrder);
		}
	}
}

const EDITED =
	'The template and the document differ, and the row says nothing about it. The template may have been edited since.';

/** Whoever is not there was deleted, or left out; or the template has had them only since. */
function comparePresence(
	{ document, filled, pairing, comparison }: Task,
	one: Asked,
	name: string,
) {
	const its = pairing.people.get(one.id);
	if (one.isLeftOut && !its) return;
	if (newerThan(document.recipients)(one)) {
		comparison.notCompared.push({ name, reason: NEW_PERSON });
		return;
	}
	const mayBeLeftOut = filled.leftOut !== undefined && filled.leftOut.length > 0;
	comparison.differences.push({
		...{ name, row: one.isLeftOut ? null : one.email, document: its?.email ?? null, about: {} },
		cause: mayBeLeftOut || document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
	});
}

const NEW_PERSON = 'This recipient was added to the template after the document was made.';

/**
 * Those who are in the document only. Whoever came with it has an ID next to the others', or fields: a team's default
 * recipients come right behind those of the template, and have none.
 */
function compareOthers({ template, document, pairing, copied, comparison }: Task) {
	const paired = new Set(pairing.people.values());
	// Whoever was deleted has left a gap.
	const gaps = Math.max(0, template.recipients.length - paired.size);
	const owners = new Set([...copied].map(({ recipientId }) => recipientId));
	let last = Math.min(...document.recipients.map(({ id }) => id));
	const behind = Math.max(0, ...[...paired].map(({ id }) => id));
	for (const recipient of [...document.recipients].sort((a, b) => a.id - b.id)) {
		const { id } = recipient;
		const isNext = id <= last + 1 + gaps;
		if (isNext || paired.has(recipient)) last = id;
		if (!pairing.others.includes(recipient)) continue;
		if (owners.has(id) || id < behind) {
			comparison.notCompared.push({ name: nameOf(recipient), reason: FORMER_PERSON });
		} else comparison.others.push({ recipient, mayBeDefault: isNext });
	}
}

const FORMER_PERSON =
	'This recipient came with the document, and the template has none like that. It may have been edited since.';

/** Whether the signer before may have named somebody else, which their document allows. */
function isDictated(its: EnvelopeRecipient, document: Compared): boolean {
	const place = its.signingOrder ?? Infinity;
	return (
		isSequential(document) &&
		document.documentMeta?.allowDictateNextSigner === true &&
		document.recipients.some((one) => hasSigned(one) && (one.signingOrder ?? Infinity) < place)
	);
}

/** Whoever is updated has to be asked again (documenso-api.md: Changes after sending). */
function wasUpdated(its: EnvelopeRecipient, document: Compared): boolean {
	if (document.status !== 'PENDING' || document.documentMeta?.distributionMethod === 'NONE') {
		return false;
	}
	const isInTurn = recipientsInTurn({ ...document, documentMeta: document.documentMeta })
		.map(({ id }) => id)
		.includes(its.id);
	return acts(its) && isInTurn && its.sendStatus === 'NOT_SENT';
}

function compareTitle({ filled, document, record, comparison }: Task) {
	if (isSameText(filled.title, document.title)) return;
	const { title: own } = filled.content.override as IDataObject;
	if (own === undefined && isEditedSince(record, document)) {
		comparison.notCompared.push({ name: 'Title', reason: EDITED });
		return;
	}
	comparison.differences.push({
		...{ name: 'Title', row: filled.title, document: document.title, about: { title: true } },
		// Nobody gave it another one when it was made.
		cause: own === undefined ? 'changedAfterSending' : 'sent',
	});
}

/** Not everything that is edited shows in the time, but the title does. */
function isEditedSince({ updatedAt }: IDataObject, { createdAt }: Compared): boolean {
	return typeof updatedAt !== 'string' || Date.parse(updatedAt) > Date.parse(createdAt);
}

/** What was sent keeps its files, and nothing tells when those of a template were edited. */
function compareFiles({ template, document, comparison }: Task) {
	const titlesOf = ({ envelopeItems }: Pick<Compared, 'envelopeItems'>) =>
		[...envelopeItems].sort((a, b) => a.order - b.order).map(({ title }) => withoutEnding(title));
	const [row, its] = [titlesOf(template), titlesOf(document)];
	const isSame = (title: string, index: number) => isSameText(title, its[index] ?? '');
	if (row.length === its.length && row.every(isSame)) return;
	comparison.notCompared.push({ name: 'Files', reason: EDITED });
}

/** The values that the row fills in. */
function compareValues({ template, filled, document, pairing, comparison }: Task) {
	// As `fill` has made them. A day has a time behind it.
	const prefilled = filled.content.prefillFields as Array<{ id: number; value: FieldValue }>;
	const columns = new Map(template.fieldColumns.all.map((one) => [one.field.id, one]));
	const formats = new Set(
		[template, document].map((one) => one.documentMeta?.dateFormat ?? USUAL_FORMAT),
	);
	for (const { id, value } of prefilled) {
		const column = columns.get(id);
		if (!column) continue;
		const { name, field } = column;
		const cannot = (reason: string) => comparison.notCompared.push({ name, reason });
		if (pairing.ambiguous.has(id)) cannot(SAME_SPOT);
		const its = pairing.fields.get(id);
		// Without one, it is told as a field.
		if (!its) continue;
		const isSame = (other: FieldValue) => isSameValue(its, value, other, [...formats]);
		const found = currentValue(its, document);
		const same = found === null ? false : isSame(found);
		if (same) continue;
		if (same === undefined) cannot(`Its date cannot be read: "${String(found)}".`);
		else if (isOtherField(field, its)) cannot(MOVED);
		else {
			const row = its.type === 'DATE' && typeof value === 'string' ? value.slice(0, 10) : value;
			comparison.differences.push({
				...{ name, row, document: found, about: { field: its.secondaryId } },
				cause: causeOf(its, document, found, isSame),
			});
		}
	}
}

const SAME_SPOT = 'Several such fields lie on one spot.';

/** Whether another field of the template was in this place when the document was made. */
function isOtherField(field: EnvelopeField, { fieldMeta }: EnvelopeField): boolean {
	const { label } = fieldMeta ?? {};
	return !isBlank(label) && !isSameText(label ?? '', field.fieldMeta?.label ?? '');
}

/** Documenso's own (documenso-api.md: Date formats). */
const USUAL_FORMAT = 'yyyy-MM-dd hh:mm a';

/** What a field says as things stand: what is filled in, or what will be. Null if it is empty. */
function currentValue(field: EnvelopeField, document: Compared): FieldValue | null {
	if (field.inserted) return valueOf(field, document);
	if (field.type === 'DATE' || changeOf(field, document)) return null;
	return presetOf(field) ?? null;
}

function causeOf(
	field: EnvelopeField,
	document: Compared,
	found: FieldValue | null,
	isSame: (other: FieldValue) => boolean | undefined,
): Cause {
	if (field.type === 'DATE') {
		// It is filled in at once.
		return found === null && mayBeEmptied(field, document) ? 'emptiedBySigner' : 'sent';
	}
	const sent = presetOf(field);
	if (sent === undefined || !isSame(sent)) return 'sent';
	return found === null ? 'emptiedBySigner' : 'changedBySigner';
}

/** Fields that somebody has added or deleted. What was only edited in the template is no difference. */
function compareFields({ template, document, pairing, copied, comparison }: Task) {
	const { fields, ambiguous, otherFields, people } = pairing;
	const owners = new Set([...people.values()].map(({ id }) => id));
	const unpaired = otherFields.filter(({ recipientId }) => owners.has(recipientId));
	const missing = template.fields.filter(
		({ id, recipientId }) => people.has(recipientId) && !fields.has(id) && !ambiguous.has(id),
	);
	if (unpaired.length === 0 && missing.length === 0) return;
	const nameIn = namesIn(document);
	const nameInTemplate = namesIn(template);
	const former = unpaired.filter((one) => copied.has(one));
	const edited = new Set(former.map(nameIn));
	const isNewer = newerThan(document.fields);
	for (const field of missing) {
		const name = nameInTemplate(field);
		if (former.length > 0 || isNewer(field)) edited.add(name);
		else {
			const recipient = people.get(field.recipientId)?.id;
			comparison.differences.push({
				...{ name, row: presetOf(field) ?? null, document: null, about: { recipient } },
				cause: document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
			});
		}
	}
	for (const name of edited) comparison.notCompared.push({ name, reason: MOVED });
	for (const field of unpaired.filter((one) => !copied.has(one))) {
		comparison.differences.push({
			...{ name: nameIn(field), row: null, document: currentValue(field, document) ?? '' },
			...{ cause: 'changedAfterSending', about: { field: field.secondaryId } },
		});
	}
}

function namesIn(envelope: Pick<Compared, 'fields' | 'recipients'>) {
	const names = fieldNames(envelope.fields, envelope);
	const byField = new Map(envelope.fields.map((field, index) => [field, names[index] ?? '']));
	return (field: EnvelopeField) => byField.get(field) ?? '';
}

const MOVED =
	'The template and the document do not both have this field in this place. The template may have been edited since.';

/** Copies are made together; within how many milliseconds. */
const COPYING_MS = 1000;

/** The fields that a document has had from its start. Of one that does not tell when it was made, nobody knows better. */
function copiedFields({ fields }: Compared): Set<EnvelopeField> {
	const times = fields.map(madeAt);
	const first = Math.min(...times.filter((time) => time > 0));
	return new Set(fields.filter((_, index) => !((times[index] ?? 0) > first + COPYING_MS)));
}

/** When a field was made, in milliseconds since the epoch: a cuid begins with it. 0 if it does not tell. */
function madeAt({ secondaryId = '' }: EnvelopeField): number {
	const time = parseInt(/^c([\da-z]{8})[\da-z]{16}$/.exec(secondaryId)?.[1] ?? '', 36);
	return time || 0;
}

/** Somebody who is in the document only, and was not added by Documenso. */
export function addedPerson(recipient: EnvelopeRecipient): Difference {
	return {
		...{ name: nameOf(recipient), row: null, document: recipient.email },
		...{ cause: 'changedAfterSending', about: { recipient: recipient.id } },
	};
}

/** The template that a document was made from is not the row's. */
export function otherTemplate({ title }: Template, document: Compared): Difference {
	return {
		...{ name: 'Template', row: title, document: document.title },
		...{ cause: 'sent', about: {} },
	};
}
