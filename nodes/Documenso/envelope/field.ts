import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { path } from '../../shared/api/path';
import { checkOwner } from '../../shared/envelope/named';

export const fieldSchema = z.object({
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
	fieldMeta: z
		.record(z.custom<IDataObject[string]>())
		.nullish()
		.transform((meta) => meta ?? {}),
});

/** A field of a document or template as it is stored: the service would reset what an update leaves out. */
export async function storedField(client: Client, named: unknown, id: number) {
	const field = await client.record(path`/envelope/field/${id}`, id, fieldSchema);
	checkOwner(named, field.envelopeId, 'field');
	return field;
}
