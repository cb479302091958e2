import type { Envelope, Field } from '../entities';
import { AppError } from '../errors';
import type { PrefillField } from '../schemas/envelopes';
import { formatDate } from './dates';

type Prefilled = Pick<Field, 'fieldMeta'> & Partial<Pick<Field, 'customText' | 'inserted'>>;

/** What each prefilled template field becomes in the document, by the template field's id. */
export function prefilled(
	template: Envelope,
	prefills: readonly PrefillField[],
): Map<number, Prefilled> {
	const result = new Map<number, Prefilled>();
	for (const prefill of prefills) {
		const field = template.fields.find(({ id }) => id === prefill.id);
		if (!field) throw invalid(prefill, 'not found in the template');
		result.set(prefill.id, apply(field, prefill, template));
	}
	return result;
}

function apply(field: Field, prefill: PrefillField, template: Envelope): Prefilled {
	const meta = field.fieldMeta;
	if (field.type !== prefill.type.toUpperCase()) {
		throw invalid(prefill, `is a ${field.type.toLowerCase()} field, not a ${prefill.type} field`);
	}
	if (prefill.value === undefined) throw invalid(prefill, 'needs a value');
	if (prefill.type === 'date') return applyDate(field, prefill.value, prefill, template);
	// Leaving out the label, or the placeholder, erases the template's (contract §1.12).
	const { label } = prefill;
	if (prefill.type === 'text' && meta?.type === 'text') {
		const { placeholder, value } = prefill;
		return { fieldMeta: { ...meta, label, placeholder, text: value } };
	}
	if (prefill.type === 'number' && meta?.type === 'number') {
		const { placeholder, value } = prefill;
		return { fieldMeta: { ...meta, label, placeholder, value } };
	}
	if (prefill.type === 'dropdown' && meta?.type === 'dropdown') {
		assertOptions(prefill, [prefill.value], meta.values);
		return { fieldMeta: { ...meta, label, defaultValue: prefill.value } };
	}
	if (meta?.type !== 'radio' && meta?.type !== 'checkbox') {
		throw invalid(prefill, 'has no settings to prefill');
	}
	const chosen = [prefill.value].flat();
	assertOptions(prefill, chosen, meta.values);
	const values = meta.values?.map((o) => ({ ...o, checked: chosen.includes(o.value) }));
	return { fieldMeta: { ...meta, label, values } };
}

/** A date is written down at once; the other types only become the field's preset. */
function applyDate(
	field: Field,
	value: string,
	prefill: PrefillField,
	{ documentMeta }: Envelope,
): Prefilled {
	const date = new Date(value);
	if (Number.isNaN(date.getTime())) throw invalid(prefill, `cannot read the date "${value}"`);
	// Read and written in the server's own time zone, whatever the document's.
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const customText = formatDate(date, documentMeta.dateFormat, timeZone);
	return { fieldMeta: field.fieldMeta, customText, inserted: true };
}

function assertOptions(
	prefill: PrefillField,
	values: readonly string[],
	options: readonly { value: string }[] = [],
): void {
	for (const value of values) {
		if (!options.some((option) => option.value === value)) {
			throw invalid(prefill, `has no option "${value}"`);
		}
	}
}

function invalid({ id }: PrefillField, reason: string): AppError {
	return new AppError('INVALID_BODY', `Field with ID ${id} ${reason}`);
}
