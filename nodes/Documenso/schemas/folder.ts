import { z } from 'zod';

/** Contract §1.21. */
export const folderName = z
	.string({ required_error: 'is missing', invalid_type_error: 'is not text' })
	.trim()
	.min(2, 'is shorter than 2 characters')
	.max(100, 'is longer than 100 characters')
	.regex(/^(?!.*(https?:\/\/|www\.)).*$/i, 'looks like an address on the web');
