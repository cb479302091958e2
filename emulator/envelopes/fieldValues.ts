import type { Envelope, Field, Recipient } from '../entities';
import { AppError } from '../errors';
import type { FieldMeta } from '../schemas/fields';
import { formatDate } from './dates';

export type FieldValue = string | number | boolean | readonly string[];

/** The values that distribute fills in before anyone signs (documenso-api.md: Sending). */
export function presetText(field: Field, recipient: Recipient): string | undefined {
	const meta = field.fieldMeta;
	if (field.type === 'EMAIL') return recipient.email || undefined;
	if (meta?.type === 'text') return meta.text || undefined;
	if (meta?.type === 'number') return meta.value || undefined;
	if (meta?.type === 'dropdown') {
		return meta.values?.find(({ value }) => value !== '' && value === meta.defaultValue)?.value;
	}
	if (meta?.type !== 'radio' && meta?.type !== 'checkbox') return undefined;
	const checked = indicesOf(meta.values ?? [], ({ checked }) => checked);
	if (meta.type === 'checkbox' && !isAllowed(checked.length, meta)) return undefined;
	if (checked.length === 0) return undefined;
	return meta.type === 'radio' ? String(checked[0]) : JSON.stringify(checked);
}

type CheckboxMeta = Extract<FieldMeta, { type: 'checkbox' }>;

/** Whether a checkbox field's rule allows that many boxes. A rule without a number has no effect. */
function isAllowed(count: number, { validationRule, validationLength }: CheckboxMeta): boolean {
	if (!validationRule || !validationLength) return true;
	switch (validationRule) {
		case 'Select at least':
			return count >= validationLength;
		case 'Select exactly':
			return count === validationLength;
		case 'Select at most':
			return count <= validationLength;
		default:
			throw new AppError('INVALID_REQUEST', 'Invalid checkbox validation rule');
	}
}

/** Returns the text to store for a value, or the reason why the field does not accept it. */
export function storedText(field: Field, value: FieldValue): string {
	const meta = field.fieldMeta;
	if (meta?.type === 'radio') return String(optionIndex(field, meta.values ?? [], String(value)));
	if (meta?.type === 'checkbox') {
		const chosen = Array.isArray(value) ? value : [String(value)];
		return JSON.stringify(
			chosen.map((option: string) => optionIndex(field, meta.values ?? [], option)),
		);
	}
	if (meta?.type === 'dropdown') optionIndex(field, meta.values ?? [], String(value));
	if (meta?.type === 'number' && !/^[-+\d.,' ]+$/.test(String(value))) {
		throw new AppError('INVALID_BODY', `${fieldName(field)} must be a number`);
	}
	return String(value);
}

/** The value of a field when the signer gives none. */
export function defaultText(
	envelope: Envelope,
	field: Field,
	recipient: Recipient,
	now: Date,
): string {
	const meta = field.fieldMeta;
	const { dateFormat, timezone } = envelope.documentMeta;
	switch (field.type) {
		case 'SIGNATURE':
		case 'FREE_SIGNATURE':
			return '';
		case 'NAME':
			return recipient.name;
		case 'INITIALS':
			return initialsOf(recipient.name);
		case 'EMAIL':
			return recipient.email;
		case 'DATE':
			return formatDate(now, dateFormat, timezone);
		case 'RADIO':
			return '0';
		case 'CHECKBOX':
			return '[0]';
		case 'DROPDOWN':
			return meta?.type === 'dropdown' ? (meta.values?.[0]?.value ?? '') : '';
		case 'NUMBER':
			return meta?.type === 'number' ? String(meta.minValue ?? 1) : '1';
		case 'TEXT':
			return meta?.placeholder || meta?.label || 'Text';
	}
}

export function initialsOf(name: string): string {
	return name
		.split(/\s+/)
		.map((word) => word[0] ?? '')
		.join('')
		.toUpperCase();
}

/** The chosen options' texts of a radio or checkbox field, or the text of any other field. */
export function shownTexts(field: Field): string[] {
	const meta = field.fieldMeta;
	if (meta?.type !== 'radio' && meta?.type !== 'checkbox') return [field.customText];
	const stored: unknown = JSON.parse(field.customText || '[]');
	const indices = (Array.isArray(stored) ? stored : [stored]).map(Number);
	return indices.map((index) => meta.values?.[index]?.value ?? '');
}

export function fieldName(field: Field): string {
	return field.fieldMeta?.label || field.type.toLowerCase().replace('_', ' ');
}

export function indicesOf<T>(values: readonly T[], matches: (value: T) => boolean): number[] {
	return values.flatMap((value, index) => (matches(value) ? [index] : []));
}

function optionIndex(field: Field, options: readonly { value: string }[], value: string): number {
	const index = options.findIndex((option) => option.value === value);
	if (index >= 0) return index;
	throw new AppError('INVALID_BODY', `${fieldName(field)} has no option "${value}"`);
}
