import { input, limiting, type Values } from '../../shared/n8n/input';
import { Refusal } from '../../shared/n8n/refusal';
import {
	anyText,
	constant,
	extent,
	pageNumber,
	percentage,
	type Schema,
} from '../../shared/n8n/values';

const TYPES = [
	{ name: 'Checkbox', value: 'CHECKBOX' },
	{ name: 'Date of Signing', value: 'DATE' },
	{ name: 'Dropdown', value: 'DROPDOWN' },
	{ name: 'Email', value: 'EMAIL' },
	{ name: 'Initials', value: 'INITIALS' },
	{ name: 'Name', value: 'NAME' },
	{ name: 'Number', value: 'NUMBER' },
	{ name: 'Radio', value: 'RADIO' },
	{ name: 'Signature', value: 'SIGNATURE' },
	{ name: 'Text', value: 'TEXT' },
];

export const fieldType = input(
	{ displayName: 'Type', type: 'options', options: TYPES, default: 'SIGNATURE' },
	constant,
);

/** The type of a field that exists; empty if it keeps the one that it has. */
export const newFieldType = input(
	{
		displayName: 'Type',
		type: 'options',
		options: [...TYPES, { name: 'Unchanged', value: '' }],
		default: '',
		description: 'The new type of the field, which starts with new settings',
	},
	anyText.transform((type) => type.toUpperCase()),
);

const percentOf = (
	displayName: string,
	value: number,
	description: string,
	schema: Schema<number>,
) =>
	limiting(
		input(
			{
				displayName,
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 2 },
				default: value,
				description,
			},
			schema,
		),
	);

export const coordinates = {
	page: limiting(
		input(
			{
				displayName: 'Page',
				type: 'number',
				typeOptions: { numberPrecision: 0 },
				default: 1,
				description: 'The first page is 1. From the end, the last one is -1.',
			},
			pageNumber,
		),
	),
	positionX: percentOf('Left (%)', 10, 'Distance from the left edge of the page', percentage),
	positionY: percentOf('Top (%)', 80, 'Distance from the top edge of the page', percentage),
	width: percentOf('Width (%)', 30, 'In percent of the page width', extent),
	height: percentOf('Height (%)', 6, 'In percent of the page height', extent),
};

/** Where a field ends beyond its page: the service accepts it. */
export function beyondPage(field: Omit<Values<typeof coordinates>, 'page'>) {
	return (
		[
			['positionX', 'width'],
			['positionY', 'height'],
		] as const
	).flatMap(([start, size]) => {
		// Rounded, because sums of decimals are not exact.
		const end = Math.round((field[start] + field[size]) * 100) / 100;
		if (end <= 100) return [];
		const fault = `plus the ${size} of ${field[size]} is ${end} percent, beyond the page`;
		return [{ start, fault }];
	});
}

export function checkInsidePage(field: Omit<Values<typeof coordinates>, 'page'>) {
	const faults = beyondPage(field).map(({ start, fault }) => ({
		column: coordinates[start].property.displayName,
		fault,
		advice: 'Make the field smaller, or move it.',
	}));
	if (faults.length > 0) throw Refusal.of(faults);
}
