import { input } from '../engine/input';
import { anyText } from '../engine/values';
import { z } from 'zod';

export const folderType = input(
	{
		displayName: 'Folder For',
		type: 'options',
		options: [
			{ name: 'Documents', value: 'DOCUMENT' },
			{ name: 'Templates', value: 'TEMPLATE' },
		],
		default: 'DOCUMENT',
		description: 'What it holds: a folder holds only one of the two',
	},
	anyText,
);

/** Contract §1.21. */
export const folderName = input(
	{ displayName: 'Name', type: 'string', default: '' },
	z
		.string({ required_error: 'is missing', invalid_type_error: 'is not text' })
		.trim()
		.min(2, 'is shorter than 2 characters')
		.max(100, 'is longer than 100 characters')
		.regex(/^(?!.*(https?:\/\/|www\.)).*$/i, 'looks like a web address'),
);
