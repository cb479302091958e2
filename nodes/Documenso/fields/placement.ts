import type { INodeProperties } from 'n8n-workflow';

export const fieldType: INodeProperties = {
	displayName: 'Type',
	name: 'type',
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
};

const page: INodeProperties = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
};

function percentage(displayName: string, name: string, value: number, description: string) {
	const property: INodeProperties = {
		displayName,
		name,
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100, numberPrecision: 2 },
		default: value,
		description,
	};
	return property;
}

/** Where a field stands on a page. */
export const coordinates: INodeProperties[] = [
	page,
	percentage('Left (%)', 'positionX', 10, 'From the left edge of the page'),
	percentage('Top (%)', 'positionY', 80, 'From the top edge of the page'),
	percentage('Width (%)', 'width', 30, 'Of the width of the page'),
	percentage('Height (%)', 'height', 6, 'Of the height of the page'),
];
