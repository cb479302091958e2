import type { Envelope, EnvelopeItem, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { StoredFile } from '../files';
import type { UploadedFile } from '../http/multipart';
import type { Instance } from '../instance';
import { openDocumentFile } from '../pdf/documentFile';
import type { UsePayload } from '../schemas/envelopes';
import { DEFAULT_EXPIRATION, mergeMeta, withoutEmpty } from '../schemas/meta';
import { assertNewFolder, assertStoredFolder, getVisible } from './access';
import { newAttachment } from './attachments';
import { audit } from './auditLog';
import { addDefaultRecipients, newEnvelope, newField, newItem, newRecipient } from './draft';
import { prefilled } from './prefill';
import { sendEnvelope } from './send';
import { fileNamed } from './uploads';

export async function useTemplate(
	instance: Instance,
	caller: Caller,
	payload: UsePayload,
	files: readonly UploadedFile[],
): Promise<Envelope> {
	const missing = 'Envelope could not be found';
	const template = getVisible(instance, caller, payload.envelopeId, missing, 'TEMPLATE');
	const items = await copyItems(instance, template, payload, files);
	assertNewFolder(instance, caller, payload.folderId, 'DOCUMENT');
	if (items.size === 0) {
		throw new AppError('INVALID_BODY', 'Template must have at least 1 envelope item');
	}
	assertKnownRecipients(template, payload);
	assertStoredFolder(payload.folderId);
	const envelope = copyTemplate(instance, caller, template, payload, items);

	instance.store.envelopes.set(envelope.id, envelope);
	const source = { type: 'TEMPLATE', templateId: template.legacyId };
	audit(instance, envelope, 'DOCUMENT_CREATED', { title: envelope.title, source });
	instance.emit('TEMPLATE_USED', envelope);
	instance.emit('DOCUMENT_CREATED', envelope);
	if (payload.distributeDocument) sendOrLeaveDraft(instance, envelope);
	return envelope;
}

function assertKnownRecipients(template: Envelope, payload: UsePayload): void {
	for (const { id } of payload.recipients ?? []) {
		if (template.recipients.some((recipient) => recipient.id === id)) continue;
		const message = `Recipient with ID ${id} not found in the template.`;
		throw new AppError('INVALID_BODY', message);
	}
}

/** Copies of the template's items, each with the ID it was copied from. */
type CopiedItems = Map<string, EnvelopeItem>;

export async function copyItems(
	instance: Instance,
	template: Envelope,
	{ customDocumentData = [], formValues }: UsePayload,
	files: readonly UploadedFile[],
): Promise<CopiedItems> {
	if (files.length > template.items.length) {
		const message = `You cannot upload more than ${template.items.length} envelope items per envelope`;
		throw new AppError('INVALID_BODY', message);
	}
	const names = customDocumentData.map(({ identifier }) => identifier);
	// A number counts only the files that are mapped (documenso-api.md: Replaced files).
	const mapped = files.filter(
		({ filename }, index) => names.includes(filename) || names.includes(index),
	);
	const replacements = new Map<string, StoredFile>();
	for (const { identifier, envelopeItemId } of customDocumentData) {
		const file = fileNamed(mapped, identifier);
		if (!file) throw notFound(`File with identifier "${identifier}" not found in uploaded files`);
		if (!template.items.some(({ id }) => id === envelopeItemId)) {
			throw notFound(`Envelope item with ID "${envelopeItemId}" not found in template`);
		}
		// If two files replace the same item, the first one counts.
		if (!replacements.has(envelopeItemId)) replacements.set(envelopeItemId, file.content);
	}
	const copies: CopiedItems = new Map();
	for (const { id, title, original, order } of template.items) {
		const source = replacements.get(id) ?? original;
		const { file } = await openDocumentFile(instance, source, {
			formValues,
			flattenForm: true,
			findPlaceholders: false,
		});
		copies.set(id, newItem(instance, title.replace(/\.pdf$/, ''), order, file));
	}
	return copies;
}

export function copyTemplate(
	instance: Instance,
	{ user, team }: Pick<Caller, 'user' | 'team'>,
	template: Envelope,
	payload: UsePayload,
	items: CopiedItems,
): Envelope {
	const { title, ...override } = payload.override ?? {};
	const envelope = newEnvelope(instance, {
		type: 'DOCUMENT',
		internalVersion: template.internalVersion,
		source: 'TEMPLATE',
		title: title ?? template.title,
		externalId: payload.externalId || template.externalId,
		visibility: template.visibility,
		authOptions: template.authOptions,
		formValues: payload.formValues ?? null,
		folderId: payload.folderId ?? null,
		templateId: template.legacyId,
		useLegacyFieldInsertion: template.useLegacyFieldInsertion,
		user,
		team,
		items: [...items.values()],
	});
	const { id, timezone: defaultTimezone } = envelope.documentMeta;
	const { subject, message, redirectUrl, timezone } = template.documentMeta;
	const meta = {
		...template.documentMeta,
		id,
		// An update of the template can have emptied these.
		subject: subject || null,
		message: message || null,
		redirectUrl: redirectUrl || null,
		timezone: timezone || defaultTimezone,
		envelopeExpirationPeriod: template.documentMeta.envelopeExpirationPeriod ?? DEFAULT_EXPIRATION,
		// The sender's address and the reply-to come from the team, not from the template.
		emailId: null,
		emailReplyTo: null,
	};
	envelope.documentMeta = mergeMeta(meta, withoutEmpty(override));
	envelope.attachments = [...template.attachments, ...(payload.attachments ?? [])].map((input) =>
		newAttachment(instance, input),
	);
	copyRecipients(instance, template, envelope, payload, items);
	addDefaultRecipients(instance, envelope);
	return envelope;
}

function copyRecipients(
	instance: Instance,
	template: Envelope,
	envelope: Envelope,
	payload: UsePayload,
	items: CopiedItems,
): void {
	const prefills = prefilled(template, payload.prefillFields ?? []);
	for (const original of template.recipients) {
		const recipient = copyRecipient(instance, original, payload);
		envelope.recipients.push(recipient);
		const fields = template.fields.filter(({ recipientId }) => recipientId === original.id);
		for (const { id, secondaryId: _, ...field } of fields) {
			const copied = {
				...field,
				...prefills.get(id),
				recipientId: recipient.id,
				envelopeItemId: items.get(field.envelopeItemId)?.id ?? field.envelopeItemId,
			};
			envelope.fields.push(newField(instance, copied));
		}
	}
}

/** A recipient that is left out keeps address and name; one given without a name loses its name. */
function copyRecipient(instance: Instance, original: Recipient, payload: UsePayload): Recipient {
	const given = payload.recipients?.find(({ id }) => id === original.id);
	return newRecipient(instance, {
		email: given ? given.email : original.email,
		name: given ? (given.name ?? '') : original.name,
		role: original.role,
		signingOrder: given?.signingOrder ?? original.signingOrder,
		authOptions: original.authOptions ?? { accessAuth: [], actionAuth: [] },
	});
}

function sendOrLeaveDraft(instance: Instance, envelope: Envelope): void {
	try {
		sendEnvelope(instance, envelope);
	} catch {
		throw sendFailed();
	}
}

/** The draft stays, but the response has no ID and no reason (documenso-api.md: Using a template). */
export function sendFailed(): AppError {
	return new AppError('DOCUMENT_SEND_FAILED', 'DOCUMENT_SEND_FAILED');
}
