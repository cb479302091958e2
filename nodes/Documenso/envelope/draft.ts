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
import type { EnvelopeType } from './folders';
import { recipientsOf } from './recipients';
import { metaOf } from './settings';

const createdSchema = z.object({ id: z.string() });

/** All that a new document or template consists of, checked, with nothing sent yet. */
export interface Draft {
	payload: IDataObject & { externalId?: string; folderId?: string };
	recipients: Recipient[];
	files: UploadFile[];
}

export async function draftOf(params: Params, type: EnvelopeType): Promise<Draft> {
	const title = params.required('title');
	const settings = params.collection('additionalFields', settingsSchema);
	const { data, content } = settings;
	const files = await filesOf(params);
	const recipients = recipientsOf(params, files);
	const sequential = recipients.some(({ signingOrder }) => signingOrder !== undefined);
	// A template's external id is passed on to its documents, so none is made up for it.
	const externalId = type === 'DOCUMENT' ? externalIdFor(params, data.externalId) : data.externalId;
	const payload = {
		type,
		title,
		...data,
		...content,
		...(externalId ? { externalId } : {}),
		recipients,
		// The service lets all sign at once, whatever the recipients' orders, unless told.
		meta: { ...(sequential ? { signingOrder: 'SEQUENTIAL' } : {}), ...metaOf(settings) },
	} as Draft['payload'];
	return { payload, recipients, files };
}

/** Creates the document or template and returns its ids. */
export async function createDraft(client: Client, { payload, files }: Draft) {
	const { externalId, folderId } = payload;
	const request = {
		method: 'POST' as const,
		path: '/envelope/create',
		body: multipart(payload, files),
	};
	const create = async () => await client.send(request);
	const body = externalId
		? await creating(client, { externalId, folderId }, create)
		: await create();
	return { id: createdSchema.parse(body).id, ...(externalId ? { externalId } : {}) };
}

/** The PDFs in the binary fields that the user named, in this order. */
export async function filesOf(params: Params): Promise<UploadFile[]> {
	const properties = params
		.required('binaryPropertyName')
		.split(',')
		.map((property) => property.trim())
		.filter((property) => property !== '');
	return await Promise.all(
		properties.map(async (property) => await pdfOf(params.context, params.itemIndex, property)),
	);
}
