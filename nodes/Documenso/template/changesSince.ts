import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import { isBlank } from '../engine/values';
import { comparable } from '../envelope/labels';
import type { Given } from '../inputs/mapper';
import { columnInputs } from './columnInputs';
import type { Template } from './columns';
import { MAY_STAY_BLANK, type Mistake, type Place } from './mistakes';
import { nearTo } from './nearNames';

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
export function changesSince(
	template: Template,
	{ isAutomatic, values, columnsThen = [] }: Given,
	blank: Place[],
): Mistake[] {
	if (isAutomatic || columnsThen.length === 0) return [];
	const columnsNow = columnInputs(template);
	const added = columnsNow.filter((now) => !columnsThen.some((then) => isSame(now, then)));
	const gone = columnsThen.filter((then) => !columnsNow.some((now) => isSame(now, then)));
	const appeared = added.flatMap((now): Mistake[] => {
		const place = blank.find(({ name }) => name === now.id);
		// A new recipient has a name and an order besides.
		if (!place || ('part' in place && place.part !== 'email')) return [];
		const former = formerName(now, { added, gone });
		const fault = former
			? `was called "${former}" when the columns were chosen`
			: 'is new in the template since the columns were chosen';
		return [{ place, fault: { column: now.id, fault, advice: `${REFRESH} ${MAY_STAY_BLANK}` } }];
	});
	const changed = columnsThen.flatMap((then): Mistake[] => {
		const now = columnsNow.find((one) => isSame(one, then));
		if (!now || now.type === then.type || isBlank(values[then.id])) return [];
		const fault = `was ${kindOf(then)} when the columns were chosen, and is ${kindOf(now)} now`;
		return [{ fault: { column: then.id, fault, advice: REFRESH } }];
	});
	return [...appeared, ...changed];
}

function isSame(one: ResourceMapperField, other: ResourceMapperField): boolean {
	return comparable(one.id) === comparable(other.id);
}

/** The name that the column probably had: a similar one, or the only one of its kind. */
function formerName(
	now: ResourceMapperField,
	{ added, gone }: { added: ResourceMapperField[]; gone: ResourceMapperField[] },
): string | undefined {
	const ofKind = ({ type }: ResourceMapperField) => type === now.type;
	const possible = gone.filter(ofKind);
	const isOnly = possible.length === 1 && added.filter(ofKind).length === 1;
	return (isOnly ? possible[0] : nearTo(now.id, possible, ({ id }) => id))?.id;
}

function kindOf({ type = 'string' }: ResourceMapperField): string {
	return KINDS[type] ?? type;
}
