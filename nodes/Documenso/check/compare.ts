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
import { recipientIdOf, type RecipientColumn, type Template } from '../template/columns';
import type { Prepared } from '../template/use';
import { pairingOf, type Pairing } from './pairing';
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
	/** Those who are in the document only. Documenso adds a team's default recipients. */
	others: Array<{ recipient: EnvelopeRecipient; mayBeDefault: boolean }>;
}

/** Compares what a row asks for with the document that it has. What only signers fill in is no difference. */
export function compare(prepared: Prepared, document: Compared): Comparison {
	const asked = peopleIn(prepared);
	const pairing = pairingOf(prepared.template, asked, document);
	const comparison: Comparison = {
		differences: [],
		notCompared: [],
		others: othersIn(pairing, document),
	};
	const task = { ...prepared, asked, document, pairing, comparison };
	comparePeople(task);
	compareTitle(task);
	compareFiles(task);
	compareValues(task);
	compareFields(task);
	return comparison;
}

interface Task extends Omit<Prepared, 'document'> {
	/** The template's recipients as the row wants them. */
	asked: EnvelopeRecipient[];
	document: Compared;
	pairing: Pairing;
	comparison: Comparison;
}

/** The template's recipients with what the row says of them, without those whom it leaves out. */
function peopleIn({ template, filled }: Prepared): EnvelopeRecipient[] {
	const given = givenPeople(filled.content);
	return template.recipients
		.map((one) => ({ ...one, ...given.get(one.id) }))
		.filter((one) => !isLeftOut(one));
}

function givenPeople({ recipients }: IDataObject) {
	// As `fill` has made them.
	const given = recipients as Array<Pick<EnvelopeRecipient, 'id' | 'email' | 'name'>>;
	return new Map(given.map((one) => [one.id, one]));
}

/** A team's default recipients come right behind those of the template, and have no fields. */
function othersIn({ people, others }: Pairing, { fields }: Compared): Comparison['others'] {
	let last = Math.max(0, ...[...people.values()].map(({ id }) => id));
	return [...others]
		.sort((a, b) => a.id - b.id)
		.map((recipient) => {
			const isNext = recipient.id === last + 1;
			if (isNext) last = recipient.id;
			const hasFields = fields.some(({ recipientId }) => recipientId === recipient.id);
			return { recipient, mayBeDefault: isNext && !hasFields };
		});
}

function comparePeople(task: Task) {
	const { asked, template, filled, document, pairing, comparison } = task;
	const given = givenPeople(filled.content);
	for (const one of asked) {
		const { name } = template.people.all.find((person) => recipientIdOf(person) === one.id) ?? {};
		const columns = template.recipientColumns.all.filter((its) => recipientIdOf(its) === one.id);
		const nameFor = (part: RecipientColumn['part']) =>
			columns.find((its) => its.part === part)?.name ?? '';
		const its = pairing.people.get(one.id);
		if (!its) {
			comparePresence(task, one, nameFor('email'));
			continue;
		}
		if (isDictated(its, document)) continue;
		const isUpdated = wasUpdated(its, document);
		const differs = (column: string, row: Difference['row'], value: Difference['document']) => {
			const isGiven = given.has(one.id) && !column.endsWith(' role');
			if (!isGiven && !isUpdated) comparison.notCompared.push({ name: column, reason: EDITED });
			else {
				comparison.differences.push({
					...{ name: column, row, document: value, about: { recipient: its.id } },
					cause: isUpdated ? 'changedAfterSending' : 'sent',
				});
			}
		};
		const isKnown = !isPlaceholder(one.email);
		if (isKnown && one.email.toLowerCase() !== its.email.toLowerCase()) {
			differs(nameFor('email'), one.email, its.email);
		}
		// Without a name, Documenso takes the one that the signer enters.
		if (isKnown && one.name !== '' && !isSameText(one.name, its.name)) {
			differs(nameFor('name'), one.name, its.name);
		}
		if (one.role !== its.role) differs(`${name} role`, one.role, its.role);
		const [order, itsOrder] = [one.signingOrder ?? null, its.signingOrder ?? null];
		if (isSequential(template) && order !== null && order !== itsOrder) {
			differs(nameFor('signingOrder'), order, itsOrder);
		}
	}
}

const EDITED =
	'The template and the document differ, and the row says nothing about it. The template may have been edited since.';

/** Whoever is not there was deleted, or left out; or the template has had them only since. */
function comparePresence(
	{ document, filled, comparison }: Task,
	one: EnvelopeRecipient,
	name: string,
) {
	if (isNewer(one, document.recipients)) {
		comparison.notCompared.push({ name, reason: NEW_PERSON });
		return;
	}
	const mayBeLeftOut = filled.leftOut !== undefined && filled.leftOut.length > 0;
	comparison.differences.push({
		...{ name, row: one.email, document: null, about: {} },
		cause: mayBeLeftOut || document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
	});
}

const NEW_PERSON = 'This recipient was added to the template after the document was made.';

/** IDs only grow: whatever of a template has a greater one than its copies came after them. */
function isNewer({ id }: { id: number }, copies: Array<{ id: number }>): boolean {
	return copies.length > 0 && copies.every((copy) => id > copy.id);
}

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

/** Not everything that is edited shows in the time, but the title and the files do. */
function isEditedSince({ updatedAt }: IDataObject, { createdAt }: Compared): boolean {
	return typeof updatedAt !== 'string' || Date.parse(updatedAt) > Date.parse(createdAt);
}

function compareFiles({ template, document, record, comparison }: Task) {
	const titlesOf = ({ envelopeItems }: Pick<Compared, 'envelopeItems'>) =>
		[...envelopeItems].sort((a, b) => a.order - b.order).map(({ title }) => withoutEnding(title));
	const [row, its] = [titlesOf(template), titlesOf(document)];
	if (
		row.length === its.length &&
		row.every((title, index) => isSameText(title, its[index] ?? ''))
	) {
		return;
	}
	if (isEditedSince(record, document)) {
		comparison.notCompared.push({ name: 'Files', reason: EDITED });
		return;
	}
	comparison.differences.push({
		...{ name: 'Files', row, document: its, about: {} },
		cause: document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
	});
}

/** The values that the row fills in. */
function compareValues({ template, filled, document, pairing, comparison }: Task) {
	// As `fill` has made them. A day has a time behind it.
	const prefilled = filled.content.prefillFields as Array<{ id: number; value: FieldValue }>;
	const columns = new Map(template.fieldColumns.all.map((one) => [one.field.id, one]));
	const formats = [template, document].flatMap((one) => one.documentMeta?.dateFormat ?? []);
	for (const { id, value } of prefilled) {
		const column = columns.get(id);
		if (!column || !pairing.people.has(recipientIdOf(column))) continue;
		const [its, another] = pairing.fields.get(id) ?? [];
		// Without one, it is told as a field.
		if (!its) continue;
		const { name } = column;
		if (another) {
			comparison.notCompared.push({
				name,
				reason: 'The document has two such fields on one spot.',
			});
			continue;
		}
		const isSame = (other: FieldValue) => isSameValue(its, value, other, [...formats, ...USUAL]);
		const found = currentValue(its, document);
		const same = found === null ? false : isSame(found);
		if (same) continue;
		if (same === undefined) {
			comparison.notCompared.push({ name, reason: `Its date cannot be read: "${String(found)}".` });
			continue;
		}
		const row = its.type === 'DATE' && typeof value === 'string' ? value.slice(0, 10) : value;
		comparison.differences.push({
			...{ name, row, document: found, about: { field: its.secondaryId } },
			cause: causeOf(its, document, found, isSame),
		});
	}
}

/** Documenso's own, where neither the template nor the document has one. */
const USUAL = ['yyyy-MM-dd hh:mm a'];

/** What a field says as things stand: what is filled in, or what will be. Null if it is empty. */
function currentValue(field: EnvelopeField, document: Compared): FieldValue | null {
	if (field.inserted) return valueOf(field);
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
function compareFields({ template, document, pairing, comparison }: Task) {
	const names = fieldNames(template.fields, template);
	const added = addedFields(pairing, document);
	const moved = pairing.otherFields.filter((one) => !added.includes(one));
	for (const [index, field] of template.fields.entries()) {
		const its = pairing.people.get(field.recipientId);
		if (!its || (pairing.fields.get(field.id) ?? []).length > 0) continue;
		const name = names[index] ?? '';
		const isMoved = moved.some((one) => one.type === field.type && one.recipientId === its.id);
		if (isMoved || isNewer(field, document.fields)) {
			comparison.notCompared.push({
				name,
				reason:
					'The document has no such field in this place. The template may have been edited since.',
			});
			continue;
		}
		comparison.differences.push({
			...{ name, row: presetOf(field) ?? null, document: null, about: { recipient: its.id } },
			cause: document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
		});
	}
	const itsNames = fieldNames(document.fields, document);
	for (const field of added) {
		comparison.differences.push({
			name: itsNames[document.fields.indexOf(field)] ?? '',
			...{ row: null, document: currentValue(field, document) ?? '' },
			...{ cause: 'changedAfterSending', about: { field: field.secondaryId } },
		});
	}
}

/** The fields of a copy have IDs without a gap; what lies further behind was added later. */
function addedFields({ fields, otherFields }: Pairing, document: Compared): EnvelopeField[] {
	const copied = [...fields.values()].flat().map(({ id }) => id);
	let last = Math.max(0, ...copied);
	const isCopy = new Set<number>();
	for (const { id } of [...document.fields].sort((a, b) => a.id - b.id)) {
		if (id > last + 1) break;
		last = Math.max(last, id);
		isCopy.add(id);
	}
	return copied.length === 0 ? [] : otherFields.filter(({ id }) => !isCopy.has(id));
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
