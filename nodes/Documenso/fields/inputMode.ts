import type { INodeProperties } from 'n8n-workflow';

/** Whether a list is entered row by row, or as JSON by those who generate it. */
export function inputMode(displayName: string, name: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
	};
}
