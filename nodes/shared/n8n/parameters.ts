import { DateTime } from 'luxon';
import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';

import { isBlank, isLocator } from './values';

/** What the user entered in the node. */
export class Parameters {
	private readonly entered;
	/** Values without expressions: the same for all items, and n8n takes long to read them for each. */
	private readonly fixed = new Map<string, unknown>();

	constructor(
		private readonly context: IExecuteFunctions,
		/** Which inputs inside collections to read. n8n does not evaluate the expressions of the others. */
		private readonly isRead: (inner: string) => boolean = () => true,
	) {
		this.entered = context.getNode().parameters;
	}

	/** The value for an item; undefined for an input that the editor hides. */
	read(name: string, item: number): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		const read = (path: string): unknown =>
			// Without a fallback n8n would throw.
			this.context.getNodeParameter(path, item, null, { extractValue: true }) ?? undefined;
		const names = namesIn(this.entered[name]);
		const wanted = names.filter(this.isRead);
		const value =
			wanted.length === names.length
				? read(name)
				: Object.fromEntries(wanted.map((inner) => [inner, read(`${name}.${inner}`)]));
		if (!hasExpression(this.entered[name])) this.fixed.set(name, value);
		return value;
	}

	/** The expressions in an input, as the user wrote them; `path` leads to the input. */
	expressions(path: string[]): string[] {
		return expressionsIn(this.stored(path));
	}

	/** Whether an input that was read is the same for all items. */
	isFixed(name: string): boolean {
		return this.fixed.has(name);
	}

	/** How many rows each group of a list has: n8n stores them in an object. */
	rows(name: string): Array<{ group: string; count: number }> {
		const entered: unknown = this.entered[name];
		// Each letter of a long text would be an entry.
		if (!isObject(entered)) return [];
		return Object.entries(entered).flatMap(([group, rows]: [string, unknown]) =>
			Array.isArray(rows) ? [{ group, count: rows.length }] : [],
		);
	}

	/** Those that give nothing for an item. `value` is what the input has been read as, if that is known. */
	emptyExpressions(path: string[], item: number, value?: unknown): string[] {
		const entered = this.stored(path);
		const isAlone = typeof entered === 'string' && ONE_EXPRESSION.test(entered);
		// n8n takes long to evaluate one again.
		if (value !== undefined && !isNothing(value) && isAlone) return [];
		const inText = (one: unknown) => isObject(one) && !isDate(one);
		return this.emptyAmong(expressionsIn(entered), item, (one) => !isAlone && inText(one));
	}

	/** Those that put "undefined" or the like into a text for an item. `whole` is the value of the input at the path's beginning. */
	brokenExpressions(path: string[], item: number, whole: unknown): string[] {
		const text = path.slice(1).reduce<unknown>(innerValue, whole);
		// n8n takes long to evaluate one again.
		if (typeof text === 'string' && !saysMissing(text)) return [];
		return this.expressions(path).filter((expression) => {
			const value = this.valueIn(expression, item);
			if (typeof value === 'string') {
				if (COLUMN.test(expression)) return false;
				return JOINS.test(expression) ? saysMissing(value) : isMissingWord(value);
			}
			return typeof text === 'string' && saysMissing(String(value));
		});
	}

	/** What is stored for an input, unread; undefined if the user has not added it. */
	stored(path: string[]): unknown {
		return path.reduce<unknown>(innerValue, this.entered);
	}

	/** Those that give nothing for an item inside a JSON object, by the keys of the object. */
	emptyExpressionsInJson(path: string[], item: number): Array<[key: string, empty: string[]]> {
		const text = this.stored(path);
		return typeof text === 'string' && hasExpression(text)
			? expressionsByKey(text.slice(1)).map(([key, all]) => [key, this.emptyAmong(all, item)])
			: [];
	}

	private emptyAmong(
		expressions: string[],
		item: number,
		isUnreadable: (value: unknown) => boolean = () => false,
	): string[] {
		return expressions.filter((expression) => {
			const value = this.valueIn(expression, item);
			if (value === FAILED) return false;
			if (typeof value === 'string' && COLUMN.test(expression)) return isBlank(value);
			if (typeof value === 'string' && !JOINS.test(expression))
				return isBlank(value) || isMissingWord(value);
			return isNothing(value) || isUnreadable(value) || isBrokenIn(value, expression);
		});
	}

	private valueIn(expression: string, item: number): unknown {
		try {
			return this.context.evaluateExpression(expression, item);
		} catch {
			return FAILED;
		}
	}
}

/** n8n has told it when it read the whole input, if it is a fault. */
const FAILED = Symbol('failed');

/** With nothing beside the expression, so that it alone gives the value. */
const ONE_EXPRESSION = /^=\{\{(?:(?!\}\}|\{\{)[^])*\}\}$/;

/** Stands for the first expression in JSON: it can be inside a text, and alone. The next one has the next number. */
const FIRST_MARK = 8_123_456_789_000;

/** None if the text is no JSON object, for example because it is one expression. */
function expressionsByKey(text: string): Array<[key: string, expressions: string[]]> {
	const expressions = new Map<string, string>();
	const marked = ExpressionParser.splitExpression(text).map((part) => {
		if (part.type !== 'code') return part.text;
		const mark = String(FIRST_MARK + expressions.size);
		expressions.set(mark, `{{${escapedCode(part.text)}}}`);
		return mark;
	});
	let values: unknown;
	try {
		values = JSON.parse(marked.join(''));
	} catch {
		return [];
	}
	return Object.entries(values ?? {}).map(([key, value]) => {
		const inside = JSON.stringify(value);
		return [key, [...expressions].flatMap(([mark, one]) => (inside.includes(mark) ? [one] : []))];
	});
}

/** n8n takes the brackets in an expression as its end, unless there is a backslash before them. */
function escapedCode(code: string): string {
	return code.replaceAll('}}', '\\}}');
}

/** What JavaScript and n8n make of missing values. */
export const MISSING = /\b(undefined|null|NaN|Invalid Date(Time)?)\b|\[object Object\]/;

/** Puts texts together. Others give a missing value alone, and "null and void" is no missing value. */
const JOINS = /[+`]|\b(concat|replace|replaceAll)\s*\(/;

/** Words of contracts. */
const NULL_AND_VOID = /\bnull\s+and\s+void\b/gi;

function saysMissing(text: string): boolean {
	return MISSING.test(text.replace(NULL_AND_VOID, ''));
}

/** Whether an expression for a whole object or list has put a missing value into one of its texts. */
function isBrokenIn(value: unknown, expression: string): boolean {
	return typeof value === 'object' && JOINS.test(expression) && saysMissing(JSON.stringify(value));
}

function isMissingWord(text: string): boolean {
	return text !== '' && text.replace(MISSING, '') === '';
}

/** Only a column of an item: what it holds are a person's words, and one may be called Null. */
const COLUMN =
	/^\{\{\s*\$(?:json|\((['"]).*?\1\)\.(?:item|first\(\)|last\(\))\.json)(?:\.[\w$]+|\[(['"])[^'"]*\2\])+\s*\}\}$/;

function isObject(value: unknown): value is object {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Also of another realm, as n8n's sandbox for expressions makes them. */
function isDate(value: unknown): boolean {
	return DateTime.isDateTime(value) || Object.prototype.toString.call(value) === '[object Date]';
}

function isNothing(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isNothing);
	if (typeof value === 'number') return !Number.isFinite(value);
	if (DateTime.isDateTime(value)) return !value.isValid;
	// An input that takes no locator would count as not added.
	if (isLocator(value)) return isNothing(value.value);
	return isBlank(value) || (typeof value === 'string' && saysMissing(value));
}

function expressionsIn(entered: unknown): string[] {
	return textsIn(entered)
		.filter(hasExpression)
		.flatMap((text) => ExpressionParser.splitExpression(text.slice(1)))
		.flatMap((part) => (part.type === 'code' ? [`{{${escapedCode(part.text)}}}`] : []));
}

/** A text, or the one in a resource locator. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}

function innerValue(outer: unknown, name: string): unknown {
	return typeof outer === 'object' && outer !== null
		? (outer as Record<string, unknown>)[name]
		: undefined;
}

function namesIn(value: unknown): string[] {
	return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** To n8n, text is an expression if it begins with an equals sign. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasExpression);
}
