import type { INodeProperties } from 'n8n-workflow';

export const folderType: INodeProperties = {
	displayName: 'Folder For',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Documents', value: 'DOCUMENT' },
		{ name: 'Templates', value: 'TEMPLATE' },
	],
	default: 'DOCUMENT',
	description: 'What it holds: a folder holds only one of the two',
};
