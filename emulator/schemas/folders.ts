import { z } from 'zod';
import { ignoredQuery, page, perPage } from './envelopes';
import { visibility } from './scalars';

/** What a folder may be called (documenso-api.md: Folders). */
const name = z
	.string()
	.trim()
	.min(2, 'Please enter a valid name.')
	.max(100, 'Name cannot be more than 100 characters.')
	.refine((value) => !/https?:\/\/|www\./i.test(value), 'Name cannot contain URLs.')
	.refine((value) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value), 'Name contains invalid characters.');

/** Unlike an envelope's, no enum of the database. */
const folderType = z.enum(['DOCUMENT', 'TEMPLATE']);

export const findFolders = z.object({
	query: ignoredQuery,
	page,
	perPage,
	parentId: z.string().optional(),
	type: folderType.optional(),
});

export const createFolder = z.object({
	name,
	parentId: z.string().optional(),
	type: folderType.optional(),
});

export const updateFolder = z.object({
	folderId: z.string(),
	data: z.object({
		name: name.optional(),
		/** Null moves it to the root. */
		parentId: z.string().nullish(),
		visibility: visibility.optional(),
		pinned: z.coerce.boolean().optional(),
	}),
});

export const folderIdOnly = z.object({ folderId: z.string() });

export type FindFolders = z.output<typeof findFolders>;
export type CreateFolder = z.output<typeof createFolder>;
export type UpdateFolder = z.output<typeof updateFolder>;
