import type { Field, Recipient } from '../entities';
import { indicesOf } from './fieldValues';
import type { DocumentMeta } from '../schemas/meta';
import { isCountAllowed, type MetaOf } from './limits';
import type { FieldValue } from './values';

/** A stroke of the pen, where signatures must not be typed. */
const DRAWING =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAMAQAAAAAMwQP8AAAAQElEQVR42mP4DwYMMOoHhPpeD6be7//D/5/h//37vz//Z6jf//75HwaG/fWf7///z3D//x/7//8Z3kD0fUY2BQDU+EG/f69lEAAAAABJRU5ErkJggg==';

/** What one click fills in on the signing page; undefined for fields that ask for a value. */
export function oneClickValue(
	{ type }: Field,
	{ name, email }: Recipient,
	{ typedSignatureEnabled }: DocumentMeta,
): FieldValue | undefined {
	const shown = name || email;
	switch (type) {
		case 'SIGNATURE':
		case 'FREE_SIGNATURE':
			return typedSignatureEnabled ? shown : DRAWING;
		case 'NAME':
			return shown || null;
		case 'INITIALS':
			return initialsOf(shown) || null;
		case 'EMAIL':
			return email || null;
		case 'DATE':
			return true;
		default:
			return undefined;
	}
}

/** A value that the field's rules allow; null if there is none. */
export function suggestedValue(
	field: Field,
	recipient: Recipient,
	settings: DocumentMeta,
): FieldValue {
	const clicked = oneClickValue(field, recipient, settings);
	return clicked === undefined ? valueFor(field) : clicked;
}

function valueFor({ type, fieldMeta: meta }: Field): FieldValue {
	switch (meta?.type) {
		case 'radio':
			return meta.values?.length ? (ticked(meta)[0] ?? 0) : null;
		case 'checkbox':
			return checkboxValue(meta);
		case 'dropdown':
			return meta.defaultValue || (meta.values?.[0]?.value ?? null);
		case 'number':
			return meta.value || numberFor(meta.minValue ?? 0, meta.maxValue ?? 0);
		case 'text': {
			const text = meta.placeholder || meta.label || 'Text';
			return meta.characterLimit ? text.slice(0, meta.characterLimit) : text;
		}
		default:
			if (type === 'TEXT') return 'Text';
			return type === 'NUMBER' ? '1' : null;
	}
}

/** The options that are ticked already, or else as few as the rule allows. */
function checkboxValue(meta: MetaOf<'checkbox'>): number[] {
	const set = ticked(meta);
	if (set.length > 0 && isCountAllowed(set.length, meta)) return set;
	const places = indicesOf(meta.values ?? [], () => true);
	const least = places.find((place) => isCountAllowed(place + 1, meta) ?? true) ?? 0;
	return places.slice(0, least + 1);
}

function ticked({ values = [] }: MetaOf<'radio' | 'checkbox'>): number[] {
	return indicesOf(values, ({ checked }) => checked);
}

/** Whole where that is possible, because the formats have different decimal separators. */
function numberFor(min: number, max: number): string {
	const least = Math.max(1, Math.ceil(min));
	return String(max > 0 && least > max ? max : least);
}

function initialsOf(name: string): string {
	return name
		.split(/\s+/)
		.map((word) => word[0] ?? '')
		.join('')
		.toUpperCase();
}
