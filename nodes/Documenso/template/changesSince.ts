import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { comparable, nearTo } from '../../shared/n8n/nearNames';
import { columnInputs } from './columnInputs';
import { isConstant, type Template } from './columns';
import { MAY_STAY_BLANK, type Blanks, type Mistake } from './mistakes';

const KINDS: Partial<Record<FieldType, string>> = {
	array: 'a list',
	dateTime: 'a date',
	number: 'a number',
	options: 'a choice',
	string: 'text',
};

const REFRESH = "Choose 'Refresh' in the menu (⋮) of the columns, and fill in what has changed.";

/**
 * What has changed in the template since its columns were chosen by hand. The editor stores the columns of that time;
 * a workflow that was not made in it has none.
 */
export function changesSince({ run: { template }, matches, blank }: Blanks): Mistake[] {
	const { isAutomatic, columns, columnsThen = [] } = matches;
	if (isAutomatic || columnsThen.length === 0) return [];
	const then = byName(columnsThen);
	const now = columnsOf(template);
	const added = [...now].flatMap(([name, one]) => (then.has(name) ? [] : [one]));
	const gone = [...then].flatMap(([name, one]) => (now.has(name) ? [] : [one]));
	const wanted = [...blank].filter((place) => !isConstant(place));
	const blankCalled = new Map(wanted.map((place) => [place.name, place]));
	const filled = new Set(columns.filter(({ isBlank }) => !isBlank).map(({ name }) => name));
	const appeared = added.flatMap((one): Mistake[] => {
		const place = blankCalled.get(one.id);
		// A new recipient has a name and an order besides.
		if (!place || ('part' in place && place.part !== 'email')) return [];
		const former = formerName(one, { added, gone });
		const fault = former
			? `was called "${former}" when the columns were chosen`
			: 'is new in the template since the columns were chosen';
		return [{ place, column: one.id, fault, advice: `${REFRESH} ${MAY_STAY_BLANK}` }];
	});
	const changed = [...then].flatMap(([name, before]): Mistake[] => {
		const after = now.get(name);
		if (!after || after.type === before.type || !filled.has(before.id)) return [];
		const fault = `was ${typeInWords(before)} when the columns were chosen, and is ${typeInWords(after)} now`;
		return [{ column: before.id, fault, advice: REFRESH }];
	});
	return [...appeared, ...changed];
}

type ByName = ReadonlyMap<string, ResourceMapperField>;

const known = new WeakMap<Template, ByName>();

/** All items share a template. */
function columnsOf(template: Template): ByName {
	const columns = known.get(template) ?? byName(columnInputs(template));
	known.set(template, columns);
	return columns;
}

function byName(columns: ResourceMapperField[]): ByName {
	return new Map(columns.map((one) => [comparable(one.id), one]));
}

/** The name that the column probably had: a similar one, or the only one of its kind. */
function formerName(
	now: ResourceMapperField,
	{ added, gone }: { added: ResourceMapperField[]; gone: ResourceMapperField[] },
): string | undefined {
	const ofKind = ({ type }: ResourceMapperField) => type === now.type;
	const possible = gone.filter(ofKind);
	const isOnly = possible.length === 1 && added.filter(ofKind).length === 1;
	const [like] = isOnly ? possible : nearTo(now.id, possible, ({ id }) => id);
	return like?.id;
}

function typeInWords({ type = 'string' }: ResourceMapperField): string {
	return KINDS[type] ?? type;
}
