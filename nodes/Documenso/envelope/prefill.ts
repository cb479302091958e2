import { DateTime } from 'luxon';

import type { Params } from '../params';
import { prefillJson, prefillRow, type PrefillRow } from '../schemas/template';
import type { Envelope, EnvelopeField } from './envelope';

/** Contract §1.12; signatures, names and the like are filled in by the recipients. */
const PREFILLABLE = ['TEXT', 'NUMBER', 'DATE', 'RADIO', 'CHECKBOX', 'DROPDOWN'];

/** The values as typed. Reads nothing from the service, so that bad input costs no request. */
export function prefillRows(params: Params): PrefillRow[] {
	const rows =
		params.string('specifyPrefill') === 'json'
			? params.json('prefillJson', prefillJson)
			: params.rows('prefillFields', prefillRow);
	return rows.filter(({ value }) => !isBlank(value));
}

/** The values as the service takes them, each checked against its field of the template. */
export function prefilledFields(params: Params, template: Envelope, rows: PrefillRow[]) {
	const seen = new Set<number>();
	return rows.map(({ fieldId, value }) => {
		const field = fieldFor(params, template, fieldId);
		if (seen.has(field.id)) {
			throw params.refuse(inputOf(params), `cannot be used: "${labelOf(field)}" is given twice`);
		}
		seen.add(field.id);
		const refuse = (fault: string) =>
			params.refuse(inputOf(params), `cannot be used: "${labelOf(field)}" ${fault}`);
		return {
			id: field.id,
			type: field.type.toLowerCase(),
			...keptFromTemplate(field),
			value: valueFor(field, value, refuse),
		};
	});
}

function inputOf(params: Params): string {
	return params.string('specifyPrefill') === 'json' ? 'prefillJson' : 'prefillFields';
}

function isBlank(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Left out, the service would erase them from the document (contract §1.12). */
function keptFromTemplate({ type, fieldMeta }: EnvelopeField) {
	if (type === 'DATE') return {};
	const placeholder = type === 'TEXT' || type === 'NUMBER' ? fieldMeta?.placeholder : undefined;
	return {
		...(fieldMeta?.label ? { label: fieldMeta.label } : {}),
		...(placeholder ? { placeholder } : {}),
	};
}

export function prefillableFields({ fields }: Envelope): EnvelopeField[] {
	return fields.filter(({ type }) => PREFILLABLE.includes(type));
}

function fieldFor(params: Params, template: Envelope, wanted: string): EnvelopeField {
	const prefillable = prefillableFields(template);
	const text = wanted.toLowerCase();
	const found = prefillable.filter(
		(field) => String(field.id) === wanted || field.fieldMeta?.label?.trim().toLowerCase() === text,
	);
	const [field] = found;
	if (field && found.length === 1) return field;
	throw params.refuse(
		inputOf(params),
		`cannot be used: "${wanted}" ${field ? 'is the label of several fields' : 'is not a field that can be prefilled'}`,
		`The template's fields are: ${prefillable.map((one) => `${one.id} ${labelOf(one)}`).join(', ') || 'none'}.`,
	);
}

export function labelOf({ type, page, fieldMeta }: EnvelopeField): string {
	return fieldMeta?.label || `${type} on page ${page}`;
}

type Refuse = (fault: string) => Error;

function valueFor(field: EnvelopeField, value: unknown, refuse: Refuse): string | string[] {
	switch (field.type) {
		case 'CHECKBOX':
			return choices(value).map((choice) => optionOf(field, choice, refuse));
		case 'RADIO':
		case 'DROPDOWN':
			return optionOf(field, textOf(value), refuse);
		case 'DATE':
			return dateOf(value, refuse);
		default:
			return textOf(value);
	}
}

function choices(value: unknown): string[] {
	const list = Array.isArray(value) ? value : textOf(value).split(',');
	return list.map((choice) => textOf(choice).trim()).filter((choice) => choice !== '');
}

function optionOf({ fieldMeta }: EnvelopeField, wanted: string, refuse: Refuse): string {
	const options = (fieldMeta?.values ?? []).map(({ value }) => value);
	if (options.includes(wanted)) return wanted;
	throw refuse(`has no option "${wanted}"; it has: ${options.join(', ') || 'none'}`);
}

/** ISO 8601, or a date object of an expression's. */
function dateOf(value: unknown, refuse: Refuse): string {
	const iso = value instanceof Date ? DateTime.fromJSDate(value).toISO() : undefined;
	const text =
		iso ?? (DateTime.isDateTime(value) ? value.toISO() : undefined) ?? textOf(value).trim();
	// A time alone is ISO 8601 too.
	if (/^\d{4}-/.test(text) && DateTime.fromISO(text).isValid) return text;
	throw refuse(`is a date, and "${text}" is not one in the form 2026-12-31`);
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
