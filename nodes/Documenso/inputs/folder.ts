import { z } from 'zod';

import { openChoice, textOf } from '../engine/input';

export const folderType = openChoice(
	'Folder For',
	[
		{ name: 'Documents', value: 'DOCUMENT' },
		{ name: 'Templates', value: 'TEMPLATE' },
	],
	{ default: 'DOCUMENT', description: 'What the folder holds: either documents or templates' },
);

/** The limits are Documenso's (documenso-api.md: Folders). */
export const folderName = textOf(
	'Name',
	z
		.string({ required_error: 'is missing', invalid_type_error: 'is not text' })
		.trim()
		.min(2, 'is shorter than 2 characters')
		.max(100, 'is longer than 100 characters')
		.regex(/^(?!.*(https?:\/\/|www\.)).*$/i, 'looks like a web address'),
);
