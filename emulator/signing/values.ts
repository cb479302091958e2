import type { Field } from '../entities';
import { formatDate } from '../envelopes/dates';
import { AppError } from '../errors';
import type { DocumentMeta } from '../schemas/meta';
import { email } from '../schemas/scalars';
import { isChoiceFor, isCountAllowed, isNumberFor, isTextFor, type MetaOf } from './limits';

/** Options are given by text or, as numbers, by place. Null leaves the field empty. */
export type FieldValue = string | number | boolean | null | ReadonlyArray<string | number>;

export interface Entry {
	customText: string;
	signature: string | null;
}

/** What Documenso stores for a signer's value; undefined if the field stays empty. Throws if it refuses. */
export function entryFor(
	field: Field,
	value: FieldValue,
	settings: DocumentMeta,
	now: Date,
): Entry | undefined {
	if (field.fieldMeta?.readOnly) {
		throw new AppError('INVALID_REQUEST', `Field ${field.id} is read only`);
	}
	if (value === null) return undefined;
	if (field.type.endsWith('SIGNATURE')) return signatureFor(String(value), settings);
	const customText = textFor(field, value, settings, now);
	return customText === undefined ? undefined : { customText, signature: null };
}

export function isDrawn(signature: string): boolean {
	return signature.startsWith('data:image/png;base64,');
}

function signatureFor(
	signature: string,
	{ typedSignatureEnabled }: DocumentMeta,
): Entry | undefined {
	if (signature === '') return undefined;
	if (typedSignatureEnabled || isDrawn(signature)) return { customText: '', signature };
	throw refusal('Typed signatures are not allowed. Please draw your signature');
}

function textFor(
	{ type, fieldMeta: meta }: Field,
	value: NonNullable<FieldValue>,
	{ dateFormat, timezone }: DocumentMeta,
	now: Date,
): string | undefined {
	if (type === 'DATE') {
		return value === false || value === '' ? undefined : formatDate(now, dateFormat, timezone);
	}
	if (meta?.type === 'radio') return radioText(meta, value);
	if (meta?.type === 'checkbox') return checkboxText(meta, value);
	const text = String(value);
	// PostgreSQL and JSON cannot hold them.
	if (text.includes('\0') || /\p{Surrogate}/u.test(text)) throw refusal('Invalid text');
	switch (type) {
		case 'EMAIL':
			return checked(text, email.safeParse(text).success, 'Invalid email');
		case 'NAME':
		case 'INITIALS':
			return checked(text, text !== '', 'Value is required');
		case 'NUMBER':
			if (text === '') return undefined;
			return checked(text, meta?.type !== 'number' || isNumberFor(meta, text), 'Invalid number');
		case 'DROPDOWN':
			return checked(
				text,
				meta?.type !== 'dropdown' || isChoiceFor(meta, text),
				'Invalid dropdown value',
			);
		default:
			// As recorded, also for a text that is too long.
			return checked(text, meta?.type !== 'text' || isTextFor(meta, text), 'Invalid email');
	}
}

function radioText(meta: MetaOf<'radio'>, value: NonNullable<FieldValue>): string | undefined {
	const [place] = placesOf(meta, [value].flat());
	if (place === undefined) return undefined;
	return checked(String(place), place in (meta.values ?? []), 'Invalid radio value');
}

function checkboxText(
	meta: MetaOf<'checkbox'>,
	value: NonNullable<FieldValue>,
): string | undefined {
	const places = placesOf(meta, [value].flat());
	if (places.length === 0) return undefined;
	const areThere = places.every((place) => place in (meta.values ?? []));
	const text = checked(JSON.stringify(places), areThere, 'Invalid checkbox values');
	return checked(
		text,
		isCountAllowed(places.length, meta) ?? true,
		'Checkbox values failed length validation',
	);
}

/** The places of options; -1 for a text that is none of them. An empty text chooses nothing. */
function placesOf(
	{ values = [] }: MetaOf<'radio' | 'checkbox'>,
	chosen: ReadonlyArray<string | number | boolean>,
): number[] {
	const texts = values.map(({ value }) => value);
	return chosen
		.filter((choice) => choice !== '' || texts.includes(''))
		.map((choice) => (typeof choice === 'number' ? choice : texts.indexOf(String(choice))));
}

function checked(text: string, isAccepted: boolean, message: string): string {
	if (isAccepted) return text;
	throw refusal(message);
}

function refusal(message: string): AppError {
	return new AppError('INVALID_BODY', message);
}
