import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { multipart } from '../api/body';
import type { Client } from '../api/client';
import type { UploadFile } from '../api/multipart';
import { filesOf } from '../engine/binary';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import { inputFiles } from '../inputs/files';
import { recipientsWithFields, type Recipient } from '../inputs/recipients';
import { requiredTitle, sortSettings, type GivenSettings } from '../inputs/settings';
import { externalIdOf } from './externalId';
import type { EnvelopeType } from './folders';
import { freeSignatureFailure, isFreeSignature } from './freeSignature';
import type { NewDocument } from './newDocument';
import { checkSendable, recipientsOf } from './recipients';
import { metaOf } from './settings';

/** What a document or template is made from. */
export const draftInputs = {
	title: requiredTitle,
	binaryPropertyName: inputFiles,
	...recipientsWithFields,
};

type DraftValues = Values<typeof draftInputs> & {
	additionalFields: GivenSettings &
		Partial<Pick<NewDocument, 'ifExternalIdExists' | 'ifSendingFails'>>;
};

const createdSchema = z.object({ id: z.string() });

/** Everything that a new document or template consists of, checked, with nothing sent yet. */
export interface Draft {
	payload: IDataObject;
	recipients: Recipient[];
	files: UploadFile[];
}

export async function draftOf(given: DraftValues, item: Item, type: EnvelopeType): Promise<Draft> {
	const { ifExternalIdExists: _exists, ifSendingFails: _fails, ...added } = given.additionalFields;
	const settings = sortSettings(added);
	const files = await filesOf(item, given.binaryPropertyName);
	const recipients = await recipientsOf(given, files, item);
	const isSequential = recipients.some(({ signingOrder }) => Boolean(signingOrder));
	const payload = {
		type,
		title: given.title,
		...settings.data,
		...settings.content,
		recipients,
		// The service lets all sign at once, whatever the recipients' orders, unless told.
		meta: { ...(isSequential ? { signingOrder: 'SEQUENTIAL' } : {}), ...metaOf(settings) },
	};
	return { payload, recipients, files };
}

/** Creates the document or template and returns its ids. */
export async function createDraft(client: Client, { payload, recipients, files }: Draft) {
	const body = multipart(payload, files);
	return await client.post('/envelope/create', body, createdSchema).catch((error: unknown) => {
		const places = recipients.flatMap(({ email, fields = [] }) =>
			fields.filter(isFreeSignature).map(({ page }) => `page ${page}, for ${email}`),
		);
		throw freeSignatureFailure(error, places);
	});
}

/** A document to be made of the files, and sent then or not. */
export async function documentOf(
	given: DraftValues,
	item: Item,
	sending: NewDocument['sending'],
): Promise<NewDocument> {
	const draft = await draftOf(given, item, 'DOCUMENT');
	if (sending !== 'no') checkSendable(given, draft.recipients);
	const { externalId, folderId, ifExternalIdExists, ifSendingFails } = given.additionalFields;
	const id = externalIdOf(item, externalId);
	const payload = { ...draft.payload, externalId: id.value };
	return {
		externalId: id,
		emails: draft.recipients.map(({ email }) => email),
		folderId,
		sending,
		ifExternalIdExists: ifExternalIdExists ?? 'create',
		ifSendingFails: ifSendingFails ?? 'keep',
		create: async () => {
			const created = await createDraft(item.client, { ...draft, payload });
			return { id: created.id, json: { id: created.id, externalId: id.value } };
		},
	};
}
