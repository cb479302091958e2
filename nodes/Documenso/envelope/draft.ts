import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Params } from '../params';
import type { Recipient } from '../schemas/recipients';
import { newDocumentSchema } from '../schemas/settings';
import { text } from '../schemas/values';
import { pdfOf } from '../transport/binary';
import { multipart } from '../transport/body';
import type { Client } from '../transport/client';
import type { UploadFile } from '../transport/multipart';
import type { Creation } from './creation';
import { traceFor } from './externalId';
import type { EnvelopeType } from './folders';
import { freeSignatureError, isFreeSignature } from './freeSignature';
import { recipientsOf } from './recipients';
import { planOf, type Plan } from './plan';
import { metaOf } from './settings';

const createdSchema = z.object({ id: z.string() });

/** All that a new document or template consists of, checked, with nothing sent yet. */
export interface Draft {
	payload: IDataObject;
	settings: ReturnType<typeof newDocumentSchema.parse>;
	recipients: Recipient[];
	files: UploadFile[];
}

export async function draftOf(params: Params, type: EnvelopeType): Promise<Draft> {
	params.required('title');
	const title = params.value('title', text(255));
	const settings = params.collection('additionalFields', newDocumentSchema);
	const { data, content } = settings;
	const files = await filesOf(params);
	const recipients = await recipientsOf(params, files);
	const sequential = recipients.some(({ signingOrder }) => Boolean(signingOrder));
	const payload = {
		type,
		title,
		...data,
		...content,
		recipients,
		// The service lets all sign at once, whatever the recipients' orders, unless told.
		meta: { ...(sequential ? { signingOrder: 'SEQUENTIAL' } : {}), ...metaOf(settings) },
	};
	return { payload, settings, recipients, files };
}

/** Creates the document or template and returns its ids. */
export async function createDraft(client: Client, { payload, recipients, files }: Draft) {
	const body = multipart(payload, files);
	const answer = await client
		.send({ method: 'POST', path: '/envelope/create', body })
		.catch((error: unknown) => {
			const places = recipients.flatMap(({ email, fields = [] }) =>
				fields.filter(isFreeSignature).map(({ page }) => `page ${page}, for ${email}`),
			);
			throw freeSignatureError(error, places);
		});
	return client.parse(createdSchema, answer);
}

/** A document to be made of the files, and sent then or not. */
export async function documentPlan(
	params: Params,
	client: Client,
	draft: Draft,
	sending: Creation['sending'],
): Promise<Plan> {
	const { externalId, folderId } = draft.settings.data;
	const emails = draft.recipients.map(({ email }) => email);
	const trace = traceFor(params, { externalId, folderId, emails });
	const payload = { ...draft.payload, externalId: trace.externalId };
	return await planOf(params, client, {
		trace,
		safety: draft.settings,
		sending,
		create: async () => {
			const { id } = await createDraft(client, { ...draft, payload });
			return { id, json: { id, externalId: trace.externalId } };
		},
	});
}

/** The PDFs that the user named, in this order. */
export async function filesOf(params: Params): Promise<UploadFile[]> {
	return await Promise.all(
		params
			.files('binaryPropertyName')
			.map(async (file) => await pdfOf(params.context, params.itemIndex, file)),
	);
}
