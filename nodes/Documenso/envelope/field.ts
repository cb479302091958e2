import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';
import { path } from '../api/path';

const storedFieldSchema = z.object({
	id: z.number(),
	envelopeId: z.string(),
	envelopeItemId: z.string(),
	recipientId: z.number(),
	type: z.string(),
	page: z.number(),
	// Decimals come as text (documenso-api.md: Booleans and numbers).
	positionX: z.coerce.number(),
	positionY: z.coerce.number(),
	width: z.coerce.number(),
	height: z.coerce.number(),
	fieldMeta: z.record(z.unknown()).nullish(),
});

export type StoredField = Omit<z.infer<typeof storedFieldSchema>, 'fieldMeta'> & {
	fieldMeta: IDataObject;
};

/** A field as it is stored: what an update leaves out the service would reset. */
export async function storedField(client: Client, id: number): Promise<StoredField> {
	const field = await client.get(path`/envelope/field/${id}`, storedFieldSchema);
	return { ...field, fieldMeta: (field.fieldMeta ?? {}) as IDataObject };
}
