import type { Envelope, Field, Recipient } from '../entities';
import { VISITOR } from '../envelopes/draft';
import { AppError } from '../errors';
import { isCountAllowed } from './limits';

/** The values that distribute fills in before anyone signs (documenso-api.md: Sending). */
export function presetText(field: Field, recipient: Recipient): string | undefined {
	const meta = field.fieldMeta;
	if (field.type === 'EMAIL') {
		return recipient.email === VISITOR.email ? undefined : recipient.email || undefined;
	}
	if (meta?.type === 'text') return meta.text || undefined;
	if (meta?.type === 'number') return meta.value || undefined;
	if (meta?.type === 'dropdown') {
		return meta.values?.find(({ value }) => value !== '' && value === meta.defaultValue)?.value;
	}
	if (meta?.type !== 'radio' && meta?.type !== 'checkbox') return undefined;
	const checked = indicesOf(meta.values ?? [], ({ checked }) => checked);
	if (meta.type === 'checkbox') {
		const isAllowed = isCountAllowed(checked.length, meta);
		if (isAllowed === undefined) {
			throw new AppError('INVALID_REQUEST', 'Invalid checkbox validation rule');
		}
		if (!isAllowed) return undefined;
	}
	if (checked.length === 0) return undefined;
	return meta.type === 'radio' ? String(checked[0]) : JSON.stringify(checked);
}

/** The chosen options' texts of a radio or checkbox field, or the text of any other field. Version 1 stores the options. */
export function shownTexts(field: Field, version: Envelope['internalVersion']): string[] {
	const meta = field.fieldMeta;
	const { customText } = field;
	if (meta?.type !== 'radio' && meta?.type !== 'checkbox') return [customText];
	const isText = version === 1 && meta.type === 'radio';
	const stored: unknown = isText ? customText : JSON.parse(customText || '[]');
	const chosen: unknown[] = Array.isArray(stored) ? stored : [stored];
	return chosen.map((one) =>
		version === 1 ? String(one) : (meta.values?.[Number(one)]?.value ?? ''),
	);
}

export function fieldName(field: Field): string {
	return field.fieldMeta?.label || field.type.toLowerCase().replace('_', ' ');
}

export function indicesOf<T>(values: readonly T[], matches: (value: T) => boolean): number[] {
	return values.flatMap((value, index) => (matches(value) ? [index] : []));
}
