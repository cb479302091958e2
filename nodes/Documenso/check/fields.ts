import type { EnvelopeField } from '../../shared/api/envelope';
import {
	changeOf,
	mayBeEmptied,
	valueOf,
	type FieldValue,
} from '../../shared/envelope/filledValues';
import { namedFields } from '../../shared/envelope/labels';
import { presetOf } from '../../shared/envelope/presets';
import { isBlank, isSameText } from '../../shared/n8n/values';
import { isReadOnly } from '../template/columns';
import { EDITED, type Cause, type Compared, type Task } from './comparison';
import { newerThan } from './pairing';
import { isSameValue } from './sameValue';

/** The values that the row fills in. */
export function compareValues({ template, filled, document, pairing, comparison }: Task) {
	const columns = new Map(template.fieldColumns.all.map((one) => [one.field.id, one]));
	const formats = new Set(
		[template, document].map((one) => one.documentMeta?.dateFormat ?? USUAL_FORMAT),
	);
	for (const { id, value } of filled.content.prefillFields) {
		const column = columns.get(id);
		if (!column) continue;
		const { name, field } = column;
		const cannot = (reason: string) => comparison.notCompared.push({ name, reason });
		if (pairing.ambiguous.has(id)) cannot(SAME_SPOT);
		const its = pairing.fields.get(id);
		// Without one, it is told as a field.
		if (!its) continue;
		// A row that ticks no box asks for an empty field.
		const isSame = (other: FieldValue | null) =>
			other === null ? value.length === 0 : isSameValue(its, value, other, [...formats]);
		const found = currentValue(its, document);
		const same = isSame(found);
		if (same) continue;
		if (same === undefined) cannot(`Nobody can tell whether it is the same: "${String(found)}".`);
		else if (isOtherField(field, its)) cannot(MOVED);
		else {
			// A day has a time behind it.
			const row = its.type === 'DATE' && typeof value === 'string' ? value.slice(0, 10) : value;
			comparison.differences.push({
				...{ name, row, document: found, about: { field: its.secondaryId } },
				cause: causeOf(its, document, found, isSame),
			});
		}
	}
}

/**
 * What the template alone says, and nobody can fill in: a clause, for example. Of a draft, also
 * values that an earlier row gave and this one does not: they would be sent.
 */
export function compareConstants({ template, filled, document, pairing, comparison }: Task) {
	const given = new Set(filled.content.prefillFields.map(({ id }) => id));
	for (const { name, field } of template.fieldColumns.all) {
		const preset = presetOf(field) ?? null;
		const its = pairing.fields.get(field.id);
		if (!its || given.has(field.id)) continue;
		const found = currentValue(its, document);
		const isSame =
			preset === null || found === null
				? preset === found
				: isSameValue(its, preset, found, []) === true;
		if (isSame) continue;
		if (isReadOnly(field) && preset !== null) {
			comparison.notCompared.push({ name, reason: EDITED });
		} else if (document.status === 'DRAFT') {
			comparison.differences.push({
				...{ name, row: preset, document: found, about: { field: its.secondaryId } },
				cause: 'sent',
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
	isSame: (other: FieldValue | null) => boolean | undefined,
): Cause {
	if (field.type === 'DATE') {
		// It is filled in at once.
		return found === null && mayBeEmptied(field, document) ? 'emptiedBySigner' : 'sent';
	}
	if (!isSame(presetOf(field) ?? null)) return 'sent';
	return found === null ? 'emptiedBySigner' : 'changedBySigner';
}

/** Fields that somebody has added or deleted. What was only edited in the template is no difference. */
export function compareFields({ template, document, pairing, copied, comparison }: Task) {
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
	const named = namedFields(envelope.fields, envelope);
	const names = new Map(named.map(({ field, name }) => [field, name]));
	return (field: EnvelopeField) => names.get(field) ?? '';
}

const MOVED =
	'The template and the document do not both have this field in this place. The template may have been edited since.';

/** Copies are made together; within how many milliseconds. */
const COPYING_MS = 1000;

/** The fields that a document has had from its start. Of one that does not tell when it was made, nobody knows better. */
export function copiedFields({ fields }: Compared): Set<EnvelopeField> {
	const times = fields.map(madeAt);
	const first = Math.min(...times.filter((time) => time > 0));
	return new Set(fields.filter((_, index) => !((times[index] ?? 0) > first + COPYING_MS)));
}

/** When a field was made, in milliseconds since the epoch: a cuid begins with it. 0 if it does not tell. */
function madeAt({ secondaryId = '' }: EnvelopeField): number {
	const time = parseInt(/^c([\da-z]{8})[\da-z]{16}$/.exec(secondaryId)?.[1] ?? '', 36);
	return time || 0;
}
