import type { INodeProperties } from 'n8n-workflow';

import { folderId } from './locators';

const searchIn: INodeProperties = {
	displayName: 'Search In',
	name: 'searchIn',
	type: 'options',
	options: [
		{ name: 'Everywhere', value: 'everywhere', description: 'The root and all folders' },
		{ name: 'Folder', value: 'folder', description: 'One folder, without those inside it' },
		{ name: 'Root', value: 'root', description: 'Only what is in no folder' },
	],
	default: 'everywhere',
	description: 'Where to look: Documenso lists one folder at a time',
};

/** Where documents or templates are listed. */
export const places: INodeProperties[] = [
	searchIn,
	{ ...folderId, displayOptions: { show: { searchIn: ['folder'] } } },
];
