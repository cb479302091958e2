import type { INodeProperties } from 'n8n-workflow';

/** What a link consists of; the service calls its address `data`. */
export const attachmentFields: INodeProperties[] = [
	{
		displayName: 'Label',
		name: 'label',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. House rules',
	},
	{
		displayName: 'URL',
		name: 'data',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/house-rules.pdf',
	},
];
