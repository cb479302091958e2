import type { Fault } from '../../shared/n8n/refusal';
import { isBlank } from '../../shared/n8n/values';
import type { Given } from '../inputs/mapper';
import { documentColumns, type Column, type Template } from './columns';
import type { Found, RunColumns } from './runColumns';

/** What was given under a name, and what it is for. */
export interface Match extends Found {
	name: string;
	value: unknown;
	isBlank: boolean;
}

export interface Matches extends Omit<Given, 'values'> {
	columns: Match[];
	/** Prefill (JSON), which overrides the columns. */
	prefill: Match[];
}

export function matchesOf(
	run: RunColumns,
	{ isAutomatic, values, columnsThen }: Given,
	prefill: Record<string, unknown>,
): Matches {
	const matched = (of: Record<string, unknown>, allowsIds: boolean) =>
		Object.entries(of).map(([name, value]): Match => {
			const found = allowsIds ? run.calledOrWithId(name) : run.called(name);
			return { name, value, isBlank: isBlank(value), ...found };
		});
	return {
		isAutomatic,
		columns: matched(values, !isAutomatic),
		prefill: matched(prefill, true),
		columnsThen,
	};
}

/** A value, and the name of its column for people: the user's own beside the template's. */
export interface Chosen {
	name: string;
	value: unknown;
}

/** The value of each column of one kind. Of two that mean the same, the last one counts. */
export function chosenAmong<Kind extends 'document' | 'fields' | 'recipients'>(
	matches: Match[],
	kind: Kind,
) {
	const chosen = new Map<Match[Kind][number], Chosen>();
	const faults: Fault[] = [];
	for (const match of matches) {
		const [column, ...others] = match[kind];
		if (match.isBlank || !column) continue;
		if (others.length > 0) {
			faults.push(ambiguous(match.name, [column, ...others]));
			continue;
		}
		const earlier = chosen.get(column);
		if (earlier && !isSame(column, earlier.value, match.value)) {
			const fault = `means the same as '${earlier.name}'`;
			faults.push({ column: match.name, fault, advice: 'Leave one of the two columns out.' });
		}
		const name = match.name === column.name ? match.name : `${match.name} (${column.name})`;
		chosen.set(column, { name, value: match.value });
	}
	return { chosen, faults };
}

function ambiguous(name: string, found: Column[]): Fault {
	const names = found.map((one) => `"${one.name}"`);
	const fault = `matches several columns: ${names.join(', ')}`;
	return { column: name, fault, advice: 'Use one of these names.' };
}

/** In one column "1000" is text, and in another a number. Only of addresses, the case does not count. */
function isSame(column: Column, one: unknown, other: unknown): boolean {
	if (one === other) return true;
	const [text, others] = [one, other].map(comparableText);
	const isEmail = 'part' in column && column.part === 'email';
	return isEmail ? text?.toLowerCase() === others?.toLowerCase() : text === others;
}

function comparableText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	const json = JSON.stringify(value);
	// A date becomes a text in JSON.
	return (json.startsWith('"') ? json.slice(1, -1) : json).trim();
}

/** Names that the template does not have. A spreadsheet may have other columns besides. */
export function unknownNames(
	{ isAutomatic, columns, prefill }: Matches,
	template: Template,
): Fault[] {
	const { recipientColumns, fieldColumns } = template;
	const boxes = isAutomatic ? [] : columns.filter((match) => !match.isBlank && !match.isKnown);
	const keys = prefill.filter((match) => !match.isBlank && match.fields.length === 0);
	const all = [recipientColumns.all, fieldColumns.all, documentColumns.all];
	return [...notIn(all.flat(), boxes), ...notIn(fieldColumns.all, keys)];
}

function notIn(known: Column[], unknown: Match[]): Fault[] {
	if (unknown.length === 0) return [];
	const names = known.map(({ name }) => `"${name}"`).join(', ') || 'none';
	const advice = `The template has: ${names}. If it has changed, refresh the columns in the node.`;
	return unknown.map(({ name }) => ({ column: name, fault: 'is not in the template', advice }));
}
