import { input, positiveInteger } from '../engine/input';
import { constant, extent, percentage, type Schema } from '../engine/values';

export const fieldType = input(
	{
		displayName: 'Type',
		type: 'options',
		options: [
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
		],
		default: 'SIGNATURE',
	},
	constant,
);

const percentOf = (
	displayName: string,
	value: number,
	description: string,
	schema: Schema<number>,
) =>
	input(
		{
			displayName,
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 2 },
			default: value,
			description,
		},
		schema,
	);

/** Where a field is on a page. */
export const coordinates = {
	page: positiveInteger('Page'),
	positionX: percentOf('Left (%)', 10, 'Distance from the left edge of the page', percentage),
	positionY: percentOf('Top (%)', 80, 'Distance from the top edge of the page', percentage),
	width: percentOf('Width (%)', 30, 'In percent of the page width', extent),
	height: percentOf('Height (%)', 6, 'In percent of the page height', extent),
};
