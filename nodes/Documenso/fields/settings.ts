import type { INodeProperties } from 'n8n-workflow';

import { byLabel } from './byLabel';
import { allowPlaceholders, ifExternalIdExists, ifSendingFails } from './creation';
import {
	accessAuth,
	actionAuth,
	attachments,
	delegatedDocumentOwner,
	externalId,
	folderId,
	formValues,
	templateType,
	title,
	visibility,
} from './envelopeInputs';
import {
	distributionMethod,
	emailId,
	emailReplyTo,
	emailsOff,
	emailsOn,
	language,
	message,
	subject,
} from './mailInputs';
import {
	allowDictateNextSigner,
	dateFormat,
	expiration,
	redirectUrl,
	reminders,
	signatureTypes,
	signingOrder,
	timezone,
} from './signingInputs';

/** What a send may carry; the service keeps it on the document (contract §1.10). */
const sendSettings = {
	dateFormat,
	distributionMethod,
	emailId,
	emailReplyTo,
	emailsOff,
	emailsOn,
	language,
	message,
	redirectUrl,
	subject,
	timezone,
};

/** What can be said of a document or template when it is made and later (contract §1.7, §1.9). */
const envelopeSettings = {
	...sendSettings,
	accessAuth,
	actionAuth,
	allowDictateNextSigner,
	expiration,
	externalId,
	reminders,
	signatureTypes,
	signingOrder,
	visibility,
};

const createSettings = {
	...envelopeSettings,
	attachments,
	delegatedDocumentOwner,
	folderId,
	formValues,
};

/** The service takes these over the template's own (contract §1.12). */
const useSettings = {
	allowDictateNextSigner,
	allowPlaceholders,
	attachments,
	dateFormat,
	emailsOff,
	emailsOn,
	expiration,
	externalId,
	folderId,
	formValues,
	ifExternalIdExists,
	ifSendingFails,
	language,
	message,
	redirectUrl,
	signatureTypes,
	subject,
	timezone,
	title,
};

function collection(displayName: string, name: string, settings: Record<string, INodeProperties>) {
	const property: INodeProperties = {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: byLabel(Object.values(settings)),
	};
	return property;
}

export const createTemplateFields = collection(
	'Additional Fields',
	'additionalFields',
	createSettings,
);

export const createFields = collection('Additional Fields', 'additionalFields', {
	...createSettings,
	ifExternalIdExists,
});

export const createAndSendFields = collection('Additional Fields', 'additionalFields', {
	...createSettings,
	ifExternalIdExists,
	ifSendingFails,
});

export const updateFields = collection('Update Fields', 'updateFields', {
	...envelopeSettings,
	title,
});

export const updateTemplateFields = collection('Update Fields', 'updateFields', {
	...envelopeSettings,
	templateType,
	title,
});

export const sendFields = collection('Additional Fields', 'additionalFields', sendSettings);

export const useFields = collection('Additional Fields', 'additionalFields', useSettings);

/** The title that a new document has to have. */
export const requiredTitle: INodeProperties = { ...title, required: true };
