import type { Fault } from '../engine/refusal';
import { isBlank } from '../engine/values';
import type { Given } from '../inputs/mapper';
import type { Column, Columns } from './columns';

/** A value, and the name of its column for people: the user's own beside the template's. */
export interface Matched {
	name: string;
	value: unknown;
}

/** Refuses names that the template does not have. A spreadsheet may have other columns besides. */
export function refuseUnknown(
	{ values, isAutomatic }: Given,
	columns: Array<Columns<Column>>,
	faults: Fault[],
) {
	if (isAutomatic) return;
	const all = columns.flatMap((one) => one.all.map(({ name }) => `"${name}"`));
	const advice = `The template has: ${all.join(', ') || 'none'}. If it has changed, refresh the columns in the node.`;
	for (const [name, value] of Object.entries(values)) {
		if (isBlank(value) || columns.some((one) => one.calledOrWithId(name).length > 0)) continue;
		faults.push({ column: name, fault: 'is not in the template', advice });
	}
}

/** Finds the column for each value that has one among these. */
export function matchColumns<One extends Column>(
	{ values, isAutomatic }: Given,
	columns: Columns<One>,
	faults: Fault[],
): Map<One, Matched> {
	const matched = new Map<One, Matched>();
	const filled = Object.entries(values).filter(([, value]) => !isBlank(value));
	for (const [name, value] of filled) {
		const found = isAutomatic ? columns.called(name) : columns.calledOrWithId(name);
		const [column, another] = found;
		if (!column) continue;
		if (another) {
			const names = found.map((one) => `"${one.name}"`);
			const fault = `matches several columns: ${names.join(', ')}`;
			faults.push({ column: name, fault, advice: 'Use one of these names.' });
		} else {
			const earlier = matched.get(column);
			matched.set(column, { name: bothNames(name, column), value });
			if (earlier && comparableText(earlier.value) !== comparableText(value)) {
				const fault = `means the same as '${earlier.name}'`;
				faults.push({ column: name, fault, advice: 'Leave one of the two columns out.' });
			}
		}
	}
	return matched;
}

/** In one column "1000" is text, and in another a number. */
function comparableText(value: unknown): string {
	const text = typeof value === 'string' ? value : withoutQuotes(JSON.stringify(value));
	return text.trim().toLowerCase();
}

/** A date becomes a text in JSON. */
function withoutQuotes(json: string): string {
	return json.startsWith('"') ? json.slice(1, -1) : json;
}

function bothNames(name: string, column: Column): string {
	return name === column.name ? name : `${name} (${column.name})`;
}
