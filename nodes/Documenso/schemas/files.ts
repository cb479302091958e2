import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod';

const stored = z.object({ mimeType: z.string(), id: z.string() });
const inMemory = z.object({ mimeType: z.string(), data: z.string() });

/** A file as n8n hands it on, which expressions such as `{{ $('Download').item.binary.data }}` find. */
export const foundFile = z.custom<IBinaryData>(
	(value) => stored.or(inMemory).safeParse(value).success,
);

/** The name of a binary field of the item's, or a file itself. */
export type FileReference = string | IBinaryData;
