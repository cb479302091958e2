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
	positionX: percentOf('Left (%)', 10, 'From the left edge of the page', percentage),
	positionY: percentOf('Top (%)', 80, 'From the top edge of the page', percentage),
	width: percentOf('Width (%)', 30, 'Of the width of the page', extent),
	height: percentOf('Height (%)', 6, 'Of the height of the page', extent),
};
