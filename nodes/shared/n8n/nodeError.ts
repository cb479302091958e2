import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { FunctionsBase, IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { ApiFailure, messageOf, shortened } from '../api/failure';
import { adviceFor, CAUTION } from './advice';
import { Refusal } from './refusal';
import { groupedBy, listed } from './values';

type NodeError = NodeApiError | NodeOperationError;

/** Why an item failed, as it was thrown. */
export interface FailedItem {
	item: number;
	caught: unknown;
}

/** Where items failed: n8n's context. */
type FailedRun = Pick<IExecuteFunctions, 'getNode' | 'getInputData'>;

/** Turns anything that was thrown into an error of n8n's, with its item. */
export function nodeError(node: INode, { item, caught }: Partial<FailedItem>): NodeError {
	if (caught instanceof ApiFailure || caught instanceof Refusal)
		return ownError(node, caught, item);
	const error = isNodeError(caught)
		? caught
		: new NodeOperationError(node, caught instanceof Error ? caught : String(caught));
	// n8n's own errors, for example of an expression, may not name their item.
	error.context.itemIndex ??= item;
	return error;
}

/** Runs what n8n calls on a node; whatever is thrown becomes an error of n8n's. */
export async function withNodeErrors<Result>(
	context: Pick<FunctionsBase, 'getNode'>,
	run: () => Promise<Result>,
): Promise<Result> {
	return await run().catch((caught: unknown) => {
		throw nodeError(context.getNode(), { caught });
	});
}

function ownError(node: INode, caught: ApiFailure | Refusal, itemIndex?: number): NodeError {
	const text = said(caught, itemIndex);
	const message = withoutTags(text.message);
	const shown = { itemIndex, description: escaped(text.description) };
	if (caught instanceof Refusal) {
		const error = new NodeOperationError(node, message, shown);
		error.context.details = caught.details;
		return error;
	}
	const { status, code, details = {} } = caught.facts;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(node, { message }, { message, httpCode, ...shown });
	Object.assign(error.context, { code, details });
	return error;
}

/** The same in one text, for n8n's test of a credential. */
export function textFor(caught: unknown): string {
	if (!(caught instanceof ApiFailure || caught instanceof Refusal)) return messageOf(caught);
	const { message, description } = said(caught);
	return [`${message}.`, description].filter(Boolean).join(' ');
}

/** Characters: an error may name what somebody entered, or sent to a form, and n8n stores it several times. */
const MESSAGE_LENGTH = 2000;
const DESCRIPTION_LENGTH = 10_000;

/** What there is to say, as plain text. */
function said(caught: ApiFailure | Refusal, item?: number) {
	if (caught instanceof Refusal) {
		const fault = shortened(caught.message, MESSAGE_LENGTH);
		const message = item === undefined ? fault : `${fault} [item ${item}]`;
		return { message, description: shortened(caught.advice, DESCRIPTION_LENGTH) };
	}
	const { notes, outcome, origin, source } = caught.facts;
	const message = shortened(caught.message, MESSAGE_LENGTH);
	const advice = adviceFor(caught.facts);
	// What the steps know replaces the general caution. A wrong address has to be corrected before anything else.
	const known = source === 'elsewhere' ? [advice, ...(notes ?? [])] : [...(notes ?? []), advice];
	const sentences = notes ? known : [advice, CAUTION[outcome]];
	const description = [...sentences, origin].filter(Boolean).join(' ');
	return { message, description: shortened(description, DESCRIPTION_LENGTH) };
}

/** The same for anything that was thrown. */
function saidBy(node: INode, { caught, item }: FailedItem) {
	if (caught instanceof ApiFailure || caught instanceof Refusal) return said(caught, item);
	const { message, description } = nodeError(node, { caught, item });
	return { message, description: description ?? '' };
}

/** What a new run does with the items that are done, unless an operation knows better. */
const DONE_AGAIN = 'Execute step, or running the workflow again, would do all of them again.';

/** The error that ends a run in which `done` of `total` items are done. */
export function stoppedError(
	node: INode,
	failed: Partial<FailedItem>,
	{ done, total, newRun = DONE_AGAIN }: { done: number; total: number; newRun?: string },
): NodeError {
	const error = nodeError(node, failed);
	if (done === 0) return error;
	const first = `${done} of ${total} items are done. To do only the others, open Executions, then this execution, and choose Retry. ${newRun}`;
	error.description = [first, error.description].filter(Boolean).join(' ');
	return error;
}

/** How the items of a run are named. */
interface Naming {
	one: string;
	several: string;
	of: (item: number) => number;
}

const BY_INDEX: Naming = { one: 'Item', several: 'Items', of: (item) => item };

/** By the rows of the sheet, if n8n has given their numbers with all of these items. */
function namingOf(context: FailedRun, failed: FailedItem[]): Naming {
	const input = context.getInputData();
	const rows = new Map(failed.map(({ item }) => [item, input[item]?.json.row_number]));
	if (![...rows.values()].every(Number.isInteger)) return BY_INDEX;
	return { one: 'Row', several: 'Rows', of: (item) => rows.get(item) as number };
}

/** n8n counts items like this everywhere, but says so nowhere. The errors count the rows of its lists as a person would. */
function countedFrom(lines: string[], naming: Naming): string {
	if (naming !== BY_INDEX) return 'Rows are numbered as in the sheet.';
	const namesRow = lines.some((line) => line.includes('> Row '));
	return namesRow
		? "Items are counted from 0, and the rows of this node's lists from 1."
		: 'Items are counted from 0.';
}

/** How many faults are listed, each with its items, and how many items are named by their numbers. */
const LISTED_FAULTS = 200;
const NUMBERED_ITEMS = 1000;
/** Characters. */
const LINE_LENGTH = 300;

/**
 * One error for all items that cannot be used, of the `total` items that were checked. Nothing was created for these;
 * `done` items were done in an earlier try.
 */
export function itemsError(
	context: FailedRun,
	failed: FailedItem[],
	{ total, done }: { total: number; done: number },
): NodeError {
	const node = context.getNode();
	const bad = [...failed].sort((a, b) => a.item - b.item);
	const naming = namingOf(context, bad);
	const [first] = bad;
	// All items may share one answer.
	const isSame = bad.length > 1 && bad.every(({ caught }) => caught === first?.caught);
	if (first && (isSame || bad.length === 1)) {
		const error = nodeError(node, first);
		const nothing = done > 0 ? 'Nothing more was created.' : 'Nothing was created for any item.';
		if (!isSame && total > 1) {
			const which = naming === BY_INDEX ? '' : `It is row ${naming.of(first.item)} of the sheet.`;
			error.description = [error.description, which, nothing].filter(Boolean).join(' ');
		}
		return error;
	}
	const texts = bad.map((one) => ({ item: one.item, ...saidBy(node, one) }));
	const faults = byText(texts, ({ item, message }) => withoutItem(message, item));
	const lines = faults
		.slice(0, LISTED_FAULTS)
		.map(([fault, items]) => lineOf(items, NUMBERED_ITEMS, shortened(fault, LINE_LENGTH), naming));
	const rest = faults.slice(LISTED_FAULTS).flatMap(([, items]) => items);
	const more =
		rest.length > 0
			? [`And the ${naming.several.toLowerCase()} ${listed(rest.map(naming.of), NUMBERED_ITEMS)}`]
			: [];
	const nothing = done > 0 ? 'nothing more' : 'nothing';
	const message = `${bad.length} of ${total} items cannot be used, so ${nothing} was created`;
	const told = [...lines, ...more, ...adviceOn(texts, naming), countedFrom(lines, naming)];
	// Without an item index: n8n would put "[item 0]" behind the message.
	return new NodeOperationError(node, message, { description: told.join('<br>') });
}

/** A message with something else in the place of its item, which stands at the end. */
function withoutItem(message: string, item: number, instead = ''): string {
	const end = ` [item ${item}]`;
	return message.endsWith(end) ? message.slice(0, -end.length) + instead : message;
}

/** How many pieces of advice are listed, and how many items a piece names. */
const LISTED_PIECES = 20;
const NAMED_ITEMS = 10;

/** Each text once, with its items. */
function byText<One extends { item: number }>(
	texts: One[],
	textOf: (one: One) => string,
): Array<[text: string, items: number[]]> {
	return [...groupedBy(texts, textOf)].map(([text, all]) => [text, all.map(({ item }) => item)]);
}

function lineOf(items: number[], most: number, text: string, naming: Naming): string {
	const word = items.length === 1 ? naming.one : naming.several;
	const which = `${word} ${listed(items.map(naming.of), most)}`;
	return `${which}: ${escaped(text)}`;
}

/** Each piece of advice once, below a blank line; with its items if there are several. */
function adviceOn(texts: Array<{ item: number; description: string }>, naming: Naming): string[] {
	const pieces = byText(
		texts.filter(({ description }) => description !== ''),
		({ description }) => description,
	);
	const lines = pieces.slice(0, LISTED_PIECES).map(([piece, items]) => {
		const text = shortened(piece, MESSAGE_LENGTH);
		return pieces.length === 1 ? escaped(text) : lineOf(items, NAMED_ITEMS, text, naming);
	});
	return lines.length > 0 ? ['', ...lines] : [];
}

/** n8n shows a description, and a hint, as HTML: without scripts, but with links, images and styles. */
export function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** n8n shows a message as HTML in a notification, and as text everywhere else. */
function withoutTags(text: string): string {
	return text.replace(/<(?=[a-z/!?])/gi, '‹');
}

/** A failed item's output under Continue On Fail, in plain text. */
export interface Failure {
	error: string;
	/** What is known besides: the next step as `description`, Documenso's `status` and `code`, an `id`. */
	details: IDataObject;
}

export function failureOf(context: FailedRun, failed: FailedItem): Failure {
	const node = context.getNode();
	const error = nodeError(node, failed);
	const { message, description } = saidBy(node, failed);
	const { item } = failed;
	const { one, of } = namingOf(context, [failed]);
	const status = 'httpCode' in error && error.httpCode ? Number(error.httpCode) : undefined;
	// Set by nodeError.
	const { code, details } = error.context as { code?: string; details?: IDataObject };
	return {
		error: withoutItem(message, item, ` [${one.toLowerCase()} ${of(item)}]`),
		details: {
			...(status ? { status } : {}),
			...(code ? { code } : {}),
			...(description ? { description } : {}),
			...details,
		},
	};
}

/**
 * The same as n8n takes it. With an error output, n8n before 2.40 takes an item with other keys than `error` and `message`
 * for a success; what goes to the error output gets the columns of the input from n8n.
 */
export function errorOutput(node: INode, { error, details }: Failure): IDataObject {
	return node.onError === 'continueErrorOutput' ? { error, message: details } : { error, details };
}

/** By name, because n8n and a community package may load two copies of n8n-workflow. */
function isNodeError(value: unknown): value is NodeError {
	return (
		value instanceof Error && (value.name === 'NodeApiError' || value.name === 'NodeOperationError')
	);
}
