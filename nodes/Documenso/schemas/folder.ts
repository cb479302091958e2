import { text } from './values';

/** Contract §1.21. */
export const folderName = text(100)
	.min(2, 'is shorter than 2 characters')
	.regex(/^(?!.*(https?:\/\/|www\.)).*$/i, 'looks like an address on the web');
