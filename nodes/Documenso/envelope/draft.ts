import type { IDataObject } from 'n8n-workflow';

import { z } from 'zod';

import type { Params } from '../params';
import type { Recipient } from '../schemas/recipients';
import { settingsSchema } from '../schemas/settings';
import { pdfOf } from '../transport/binary';
import { multipart } from '../transport/body';
import type { Client } from '../transport/client';
import type { UploadFile } from '../transport/multipart';
import { creating, externalIdFor } from './externalId';
import { recipientsOf } from './recipients';

const createdSchema = z.object({ id: z.string() });

/** All that a new document consists of, checked, with nothing sent yet. */
export interface Draft {
	payload: IDataObject & { externalId: string; folderId?: string };
	recipients: Recipient[];
	files: UploadFile[];
}

export async function draftOf(params: Params): Promise<Draft> {
	const title = params.required('title');
	const { data, meta } = params.collection('additionalFields', settingsSchema);
	const files = await filesOf(params);
	const recipients = recipientsOf(params, files);
	const sequential = recipients.some(({ signingOrder }) => signingOrder !== undefined);
	const payload = {
		type: 'DOCUMENT',
		title,
		...data,
		externalId: externalIdFor(params, data.externalId),
		recipients,
		// The service lets all sign at once, whatever the recipients' orders, unless told.
		meta: { ...(sequential ? { signingOrder: 'SEQUENTIAL' } : {}), ...meta },
	};
	return { payload, recipients, files };
}

/** Creates the document and returns its ids. */
export async function createDraft(client: Client, { payload, files }: Draft) {
	const { externalId } = payload;
	const body = await creating(
		client,
		payload,
		async () =>
			await client.send({
				method: 'POST',
				path: '/envelope/create',
				body: multipart(payload, files),
			}),
	);
	return { id: createdSchema.parse(body).id, externalId };
}

async function filesOf(params: Params): Promise<UploadFile[]> {
	const properties = params
		.required('binaryPropertyName')
		.split(',')
		.map((property) => property.trim())
		.filter((property) => property !== '');
	return await Promise.all(
		properties.map(async (property) => await pdfOf(params.context, params.itemIndex, property)),
	);
}
