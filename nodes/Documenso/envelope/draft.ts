import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Params } from '../params';
import type { Recipient } from '../schemas/recipients';
import { settingsSchema } from '../schemas/settings';
import { text } from '../schemas/values';
import { pdfOf } from '../transport/binary';
import { multipart } from '../transport/body';
import type { Client } from '../transport/client';
import type { UploadFile } from '../transport/multipart';
import { creating, traceFor, type Trace } from './externalId';
import type { EnvelopeType } from './folders';
import { recipientsOf } from './recipients';
import { metaOf } from './settings';

const createdSchema = z.object({ id: z.string() });

/** All that a new document or template consists of, checked, with nothing sent yet. */
export interface Draft {
	payload: IDataObject;
	/** A template has none: its documents would inherit an external id that was made up. */
	trace?: Trace;
	recipients: Recipient[];
	files: UploadFile[];
}

export async function draftOf(params: Params, type: EnvelopeType): Promise<Draft> {
	params.required('title');
	const title = params.value('title', text(255));
	const settings = params.collection('additionalFields', settingsSchema);
	const { data, content } = settings;
	const files = await filesOf(params);
	const recipients = recipientsOf(params, files);
	const sequential = recipients.some(({ signingOrder }) => signingOrder !== undefined);
	const trace = type === 'DOCUMENT' ? traceFor(params, data.externalId, data.folderId) : undefined;
	const payload = {
		type,
		title,
		...data,
		...content,
		...(trace ? { externalId: trace.externalId } : {}),
		recipients,
		// The service lets all sign at once, whatever the recipients' orders, unless told.
		meta: { ...(sequential ? { signingOrder: 'SEQUENTIAL' } : {}), ...metaOf(settings) },
	};
	return { payload, trace, recipients, files };
}

/** Creates the document or template and returns its ids. */
export async function createDraft(client: Client, { payload, trace, files }: Draft) {
	const body = multipart(payload, files);
	const create = async () => {
		const answer = await client.send({ method: 'POST', path: '/envelope/create', body });
		return client.parse(createdSchema, answer);
	};
	if (!trace) return await create();
	const { id } = await creating(client, trace, create);
	return { id, externalId: trace.externalId };
}

/** The PDFs in the binary fields that the user named, in this order. */
export async function filesOf(params: Params): Promise<UploadFile[]> {
	const properties = params
		.required('binaryPropertyName')
		.split(',')
		.map((property) => property.trim())
		.filter((property) => property !== '');
	if (properties.length === 0) throw params.refuse('binaryPropertyName', 'names no field');
	return await Promise.all(
		properties.map(async (property) => await pdfOf(params.context, params.itemIndex, property)),
	);
}
