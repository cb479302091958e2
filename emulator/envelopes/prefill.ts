import type { Envelope, Field } from '../entities';
import { AppError } from '../errors';
import type { PrefillField } from '../schemas/envelopes';
import { formatDate } from './dates';

type Prefilled = Pick<Field, 'fieldMeta'> & Partial<Pick<Field, 'customText' | 'inserted'>>;

/** The prefilled fields of the document, by the template field's ID. */
export function prefilled(
	template: Envelope,
	prefills: readonly PrefillField[],
): Map<number, Prefilled> {
	const fields = new Map(template.fields.map((field) => [field.id, field]));
	const unknown = prefills.map(({ id }) => id).filter((id) => !fields.has(id));
	if (unknown.length > 0) {
		const ids = unknown.join(', ');
		throw invalid(`The following field IDs do not exist in the template: ${ids}`);
	}
	for (const { id, type } of prefills) {
		const expected = fields.get(id)?.type.toLowerCase();
		if (expected === type) continue;
		throw invalid(`Field type mismatch for field ${id}: expected ${expected}, got ${type}`);
	}
	const result = new Map<number, Prefilled>();
	for (const field of template.fields) {
		// If a field is prefilled twice, the first value counts.
		const prefill = prefills.find(({ id }) => id === field.id);
		if (prefill) result.set(field.id, apply(field, prefill, template));
	}
	return result;
}

function apply(field: Field, prefill: PrefillField, template: Envelope): Prefilled {
	if (prefill.type === 'date') return applyDate(field, prefill.value, template);
	const meta = field.fieldMeta;
	// A label or placeholder that is left out is erased (documenso-api.md: Prefilled values).
	const { label } = prefill;
	if (prefill.type === 'text' && meta?.type === 'text') {
		const { placeholder } = prefill;
		return { fieldMeta: { ...meta, label, placeholder, text: given(field, prefill.value) } };
	}
	if (prefill.type === 'number' && meta?.type === 'number') {
		const { placeholder } = prefill;
		return { fieldMeta: { ...meta, label, placeholder, value: given(field, prefill.value) } };
	}
	if (prefill.type === 'dropdown' && meta?.type === 'dropdown') {
		assertOption(field, prefill.value, meta.values);
		return { fieldMeta: { ...meta, label, defaultValue: prefill.value } };
	}
	if (prefill.type === 'radio' && meta?.type === 'radio') {
		const chosen = given(field, prefill.value);
		assertOption(field, chosen, meta.values);
		const values = meta.values?.map((o) => ({ ...o, checked: o.value === chosen }));
		return { fieldMeta: { ...meta, label, values } };
	}
	if (prefill.type === 'checkbox' && meta?.type === 'checkbox') {
		const chosen = prefill.value;
		if (!chosen) throw invalid(`Value is required for CHECKBOX field ${field.id}`);
		for (const value of chosen) assertOption(field, value, meta.values);
		const values = meta.values?.map((o) => ({ ...o, checked: chosen.includes(o.value) }));
		return { fieldMeta: { ...meta, label, values } };
	}
	throw invalid(`Invalid field meta for ${field.type} field ${field.id}`);
}

/**
 * A date is filled in immediately, in the template's format, not the document's; values of other types
 * only become the field's preset value.
 */
function applyDate(
	{ id, fieldMeta }: Field,
	value: string | undefined,
	{ documentMeta }: Envelope,
): Prefilled {
	if (!value) throw invalid(`Date value is required for field ${id}`);
	const date = new Date(value);
	if (Number.isNaN(date.getTime())) throw invalid(`Invalid date value for field ${id}: ${value}`);
	// Parsed and formatted in the server's time zone, not the document's.
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const customText = formatDate(date, documentMeta.dateFormat, timeZone);
	return { fieldMeta, customText, inserted: true };
}

function given({ id, type }: Field, value: string | undefined): string {
	if (value !== undefined) return value;
	throw invalid(`Invalid value for ${type} field ${id}: expected string, got undefined`);
}

function assertOption(
	{ id, type }: Field,
	value: string | undefined,
	options: ReadonlyArray<{ value: string }> = [],
): void {
	if (options.some((option) => option.value === value)) return;
	throw invalid(`Value "${value}" not found in options for ${type} field ${id}`);
}

function invalid(message: string): AppError {
	return new AppError('INVALID_BODY', message);
}
