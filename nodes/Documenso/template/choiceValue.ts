import { jsonParse } from 'n8n-workflow';

import type { EnvelopeField } from '../../shared/api/envelope';
import { keepsRule } from '../../shared/envelope/presets';
import { asSeen, groupedBy, isBlank, withoutInvisible } from '../../shared/n8n/values';
import { plainText, shown, wrongType, type Read } from '../inputs/givenValue';

function withoutBlanks(option: string): string {
	return asSeen(option)
		.split(',')
		.map((part) => part.trim())
		.join();
}

/** From strict to lenient: an option in another case counts only if no other is closer. */
const COMPARED: Array<(option: string) => string> = [
	(option) => option,
	asSeen,
	withoutBlanks,
	(option) => withoutBlanks(option).toLowerCase(),
];

/** The options of a field, to be found by what people write. */
class Options {
	private readonly byForm: Array<ReadonlyMap<string, string[]>>;
	private readonly longest: number;

	constructor(readonly all: string[]) {
		const distinct = [...new Set(all)];
		this.byForm = COMPARED.map((form) => groupedBy(distinct, form));
		this.longest = Math.max(0, ...all.map(({ length }) => length));
	}

	static of(field: EnvelopeField): Options {
		const values = field.fieldMeta?.values ?? [];
		const options = known.get(field) ?? new Options(values.map(({ value }) => value));
		known.set(field, options);
		return options;
	}

	/** The option as the template writes it, because the service compares letter by letter. */
	called(wanted: string): string | undefined {
		// A stranger's text may be far longer than any option.
		if (wanted.length > this.longest + MOST_UNSEEN) return undefined;
		for (const [index, form] of COMPARED.entries()) {
			const [option, another] = this.byForm[index]?.get(form(wanted)) ?? [];
			if (option !== undefined && another === undefined) return option;
		}
		return undefined;
	}
}

/** A template is filled in once for each item. */
const known = new WeakMap<EnvelopeField, Options>();
/** How many blanks and other characters that nobody sees a text may have more than an option. */
const MOST_UNSEEN = 1000;

function noOption(wanted: string, { all }: Options, others = '') {
	const list = all.map((option) => `"${option}"`).join(', ');
	return { fault: `has no option ${shown(wanted)}; it has: ${list || 'none'}${others}` };
}

const FOR_ONE_BOX = ' (true and false work, too)';

export function readChoice(field: EnvelopeField, given: unknown): Read<string> {
	const wanted = plainText(given);
	if (wanted === undefined) return wrongType(field, given);
	const options = Options.of(field);
	const value = options.called(wanted);
	return value === undefined ? noOption(wanted, options) : { value };
}

/** Takes a list, its JSON, or text with commas; for a single box also true and false. */
export function readChoices(field: EnvelopeField, given: unknown): Read<string[]> {
	const read = readList(field, given);
	if ('fault' in read) return read;
	// A box is ticked once, however often it is named.
	const value = [...new Set(read.value)];
	const fault = brokenRule(field, value);
	return fault ? { fault } : { value };
}

function brokenRule({ fieldMeta }: EnvelopeField, { length: count }: string[]) {
	// Without any, the recipient ticks them.
	if (count === 0 || keepsRule(fieldMeta, count)) return;
	const { validationRule, validationLength } = fieldMeta ?? {};
	return `ticks ${count} of the boxes, but the field's rule is "${validationRule} ${validationLength}"`;
}

function readList(field: EnvelopeField, given: unknown): Read<string[]> {
	const options = Options.of(field);
	const text = withoutInvisible(plainText(given) ?? '');
	if (options.all.length === 1 && /^(true|false)$/i.test(text)) {
		return { value: text.toLowerCase() === 'true' ? options.all : [] };
	}
	if (text.length > LONGEST_LIST)
		return { fault: `is ${shown(text)}, which is too long for a list` };
	const list = Array.isArray(given) ? given : jsonParse<unknown>(text, { fallbackValue: text });
	if (!Array.isArray(list)) {
		return text === '' ? wrongType(field, given) : readChosen(text, options);
	}
	if (list.length > MOST_PARTS) return tooMany(given, list);
	const value: string[] = [];
	for (const one of list) {
		const read = readChoice(field, one);
		if ('fault' in read) return read;
		value.push(read.value);
	}
	return { value };
}

/** Far more than anyone chooses, so that a text made to use up memory or time is refused. */
const MOST_PARTS = 500;
const MOST_READINGS = 16;
/** Characters. */
const LONGEST_LIST = 100_000;

function tooMany(given: unknown, { length }: unknown[]) {
	return {
		fault: `is ${shown(given)}, a list of ${length} values; at most ${MOST_PARTS} are read`,
	};
}

/** Tries every way to read the text, because an option may contain commas itself. */
function readChosen(text: string, options: Options): Read<string[]> {
	const parts = text.split(',').filter((part) => !isBlank(part));
	if (parts.length > MOST_PARTS) return tooMany(text, parts);
	const longest = Math.max(0, ...options.all.map((option) => option.split(',').length));
	/** The ways to read the first 0, 1, 2 … parts; ways that choose the same options count once. */
	const readings: string[][][] = [[[]]];
	for (let end = 1; end <= parts.length; end++) {
		const ways = new Map<string, string[]>();
		for (let start = Math.max(0, end - longest); start < end; start++) {
			const option = options.called(parts.slice(start, end).join());
			if (option === undefined) continue;
			for (const before of readings[start] ?? []) {
				const chosen = [...before, option];
				ways.set(JSON.stringify([...new Set(chosen)].sort()), chosen);
			}
		}
		if (ways.size > MOST_READINGS) {
			return {
				fault: `is ${shown(text)}, which can be read in too many ways: give it as a JSON list`,
			};
		}
		readings.push([...ways.values()]);
	}
	const [value, another] = readings[parts.length] ?? [];
	if (!value) {
		const readable = readings.map((ways) => ways.length > 0).lastIndexOf(true);
		const others = options.all.length === 1 ? FOR_ONE_BOX : '';
		return noOption((parts[readable] ?? '').trim(), options, others);
	}
	if (!another) return { value };
	const lists = `${JSON.stringify(value)} or ${JSON.stringify(another)}`;
	return { fault: `is ${shown(text)}, which may mean ${lists}: give one of these as a JSON list` };
}
