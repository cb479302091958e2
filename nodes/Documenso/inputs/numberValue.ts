import type { EnvelopeField } from '../../shared/api/envelope';
import { writtenNumber } from '../../shared/n8n/values';
import { PLAIN_NUMBER, shown, wrongType, type Read } from './givenValue';

type NumberField = Pick<EnvelopeField, 'type' | 'fieldMeta'>;

interface NumberFormat {
	/** As the service stores it with a field. */
	name: string;
	group: string;
	decimal: string;
	form: RegExp;
	/** Whether `group` stands between all thousands, or only before the last three digits. */
	groups: 'all' | 'last';
}

/** How the formats of number fields are written (documenso-api.md: Number formats). */
const NUMBER_FORMATS: NumberFormat[] = [
	{
		name: '123,456,789.00',
		group: ',',
		decimal: '.',
		form: /^-?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/,
		groups: 'all',
	},
	{
		name: '123.456.789,00',
		group: '.',
		decimal: ',',
		form: /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d{1,2})?$/,
		groups: 'all',
	},
	{
		name: '123456,789.00',
		group: ',',
		decimal: '.',
		form: /^-?\d+(,\d{3})?(\.\d{1,2})?$/,
		groups: 'last',
	},
];

function formatOf({ fieldMeta }: NumberField): NumberFormat | undefined {
	return NUMBER_FORMATS.find(({ name }) => name === fieldMeta?.numberFormat);
}

function plainIn({ group, decimal }: NumberFormat, text: string): string {
	return text.replaceAll(group, '').replace(decimal, '.');
}

/** Without a format, a comma or a point may separate thousands or decimals. */
const ANY_NUMBER = /^-?(\d+([.,]\d+)?|\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?|\d{1,3}(\.\d{3})+(,\d+)?)$/;

/** Writes the number in the field's format, because the service prints it unchanged. */
export function readNumber(field: NumberField, given: unknown): Read {
	if (typeof given !== 'number' && typeof given !== 'string') return wrongType(field, given);
	const written = typeof given === 'number' ? writtenNumber(given) : { value: given };
	if (!written) return wrongType(field, given);
	if ('fault' in written) return written;
	const text = written.value;
	const format = formatOf(field);
	const isPlain = PLAIN_NUMBER.test(text);
	if (format && typeof given === 'string' && format.form.test(text)) {
		const value = Number(plainIn(format, text));
		if (isPlain && Number(text) !== value) return twoNumbers(text, value, format);
		return outOfRange(field, text, value) ?? { value: text };
	}
	if (isPlain) return outOfRange(field, text, Number(text)) ?? formatted(text, format);
	if (!format && ANY_NUMBER.test(text)) {
		const readings = readingsOf(text).map((one) => outOfRange(field, text, Number(one)));
		return readings.find((fault) => fault) ?? { value: text };
	}
	// "12 kg" is text rather than a number that is written badly.
	const isNearlyOne = format ? /\d/.test(text) : /^-?[\d.,]+$/.test(text) && /\d/.test(text);
	if (!isNearlyOne) return wrongType(field, given);
	const form = format ? `a number in the field's format ${format.name}` : 'written like a number';
	return { fault: `is a number field, but ${shown(given)} is not ${form}` };
}

/**
 * Whether two texts are one number in a field, such as "1250" and "1,250.00". Undefined if they may be, such as "1250"
 * and "1,250". Digit by digit: an account number has more of them than JavaScript's numbers.
 */
export function isSameNumber(field: NumberField, one: string, other: string): boolean | undefined {
	const format = formatOf(field);
	const readings = (text: string): string[] => {
		if (format?.form.test(text)) return [plainIn(format, text)];
		if (PLAIN_NUMBER.test(text)) return [text];
		return ANY_NUMBER.test(text) ? readingsOf(text) : [];
	};
	const [ofOne, ofOther] = [one, other].map((text) => readings(text).map(withoutEmptyDecimals));
	const shared = ofOne?.filter((number) => ofOther?.includes(number)) ?? [];
	if (shared.length === 0) return false;
	return ofOne?.length === 1 && ofOther?.length === 1 ? true : undefined;
}

function withoutEmptyDecimals(number: string): string {
	// With the look back, each run of zeros is read once.
	return number.includes('.') ? number.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : number;
}

/** A single comma or point may stand before thousands or before decimals. */
function readingsOf(text: string): string[] {
	const [last = ''] = /[.,]\d+$/.exec(text) ?? [];
	const isAlone = (text.match(/[.,]/g) ?? []).length === 1;
	const isMixed = text.includes(',') && text.includes('.');
	const whole = text.replace(/[.,]/g, '');
	const front = text.slice(0, -last.length).replace(/[.,]/g, '');
	const withDecimals = `${front}.${last.slice(1)}`;
	const isThousands = last.length === 4 && (!isAlone || /^-?[1-9]\d{0,2}$/.test(front));
	if (isMixed || !isThousands) return [withDecimals];
	return isAlone ? [whole, withDecimals] : [whole];
}

/** Where points separate thousands, "1.500" could also be a plain decimal. */
function twoNumbers(text: string, inFormat: number, format: NumberFormat): Read {
	const plain = Number(text);
	const ways = [inFormat, plain].flatMap((one) => {
		const read = formatted(String(one), format);
		return 'value' in read ? [`${String(read.value)} for ${one}`] : [];
	});
	const readings = `${inFormat} in the field's format ${format.name}, and ${plain} as a plain decimal`;
	const fault = `is "${text}", which is ${readings}: write ${ways.join(' or ')}, or give a number instead of text`;
	return { fault };
}

/** To the service, a limit of 0 is no limit. */
function outOfRange({ fieldMeta }: NumberField, text: string, value: number) {
	const { minValue, maxValue } = fieldMeta ?? {};
	if (minValue && minValue > 0 && value < minValue) {
		return { fault: `is ${text}, which is below the field's minimum ${minValue}` };
	}
	if (maxValue && maxValue > 0 && value > maxValue) {
		return { fault: `is ${text}, which is above the field's maximum ${maxValue}` };
	}
	return undefined;
}

function formatted(plain: string, format: NumberFormat | undefined): Read {
	if (!format) return { value: plain };
	const [whole = '', fraction = ''] = plain.split('.');
	if (/[1-9]/.test(fraction.slice(2))) {
		return {
			fault: `is ${plain}, but the field's format ${format.name} has two decimals: round it, in an expression with .round(2)`,
		};
	}
	const decimals = fraction.slice(0, 2).padEnd(2, '0');
	return { value: `${grouped(whole, format)}${format.decimal}${decimals}` };
}

function grouped(whole: string, { group, groups }: NumberFormat): string {
	const sign = whole.startsWith('-') ? '-' : '';
	const digits = whole.slice(sign.length);
	const parts: string[] = [];
	let end = digits.length;
	for (; end > 3 && (groups === 'all' || parts.length === 0); end -= 3) {
		parts.push(digits.slice(end - 3, end));
	}
	parts.push(digits.slice(0, end));
	return sign + parts.reverse().join(group);
}
