import type { DirectLink, Envelope, EnvelopeItem } from '../entities';
import type { Instance } from '../instance';
import { formatFieldWithLegacyIds, formatRecipientWithLegacyIds } from './format';
import { itemsByOrder } from './items';

/** The service's default for new organisations; the current endpoints never return it. */
const REMINDERS = {
	sendAfter: { unit: 'day', amount: 5 },
	repeatEvery: { unit: 'day', amount: 2 },
};

/** A document as the deprecated endpoints return it: with its number as ID and its first file in base64. */
export async function formatLegacyDocument(
	instance: Instance,
	envelope: Envelope,
): Promise<object> {
	const { id, documentMeta, legacyId } = envelope;
	const items = itemsByOrder(envelope);
	const documentData = await documentDataOf(items);
	return {
		...documentScalars(envelope),
		documentDataId: documentData.id,
		documentData,
		documentMeta: {
			...documentMeta,
			reminderSettings: REMINDERS,
			password: null,
			documentId: legacyId,
		},
		envelopeItems: items.map((item) => ({ id: item.id, envelopeId: id })),
		folder: folderOf(instance, envelope),
		recipients: recipientsOf(envelope),
		fields: fieldsOf(envelope),
	};
}

/** The response of update and distribute, without file and relations. */
export function formatLegacyDocumentLite(envelope: Envelope): object {
	const { useLegacyFieldInsertion } = envelope;
	return { ...documentScalars(envelope), useLegacyFieldInsertion, documentDataId: '' };
}

export function formatLegacyDocumentRow(envelope: Envelope): object {
	const { user, team } = envelope;
	return {
		...formatLegacyDocumentLite(envelope),
		user,
		recipients: recipientsOf(envelope),
		team: { id: team.id, url: team.url },
	};
}

/** A template as the deprecated endpoints return it; its settings lack the expiration. */
export async function formatLegacyTemplate(
	instance: Instance,
	envelope: Envelope,
): Promise<object> {
	const { id, legacyId, directLink, user, items } = envelope;
	const { envelopeExpirationPeriod: _, ...meta } = envelope.documentMeta;
	const templateDocumentData = await documentDataOf(items);
	return {
		...templateScalars(envelope),
		templateDocumentDataId: templateDocumentData.id,
		templateDocumentData,
		templateMeta: { ...meta, templateId: legacyId },
		directLink: directLink && formatLegacyDirectLink(envelope, directLink),
		user,
		recipients: recipientsOf(envelope),
		fields: fieldsOf(envelope),
		folder: folderOf(instance, envelope),
		envelopeItems: items.map((item) => ({ id: item.id, envelopeId: id })),
	};
}

export function formatLegacyDirectLink({ id, legacyId }: Envelope, link: DirectLink): object {
	return { ...link, envelopeId: id, templateId: legacyId };
}

/** The response of update and duplicate. */
export function formatLegacyTemplateLite(envelope: Envelope): object {
	return {
		...templateScalars(envelope),
		useLegacyFieldInsertion: envelope.useLegacyFieldInsertion,
		templateDocumentDataId: '',
	};
}

export function formatLegacyTemplateRow(envelope: Envelope): object {
	const { signingOrder, distributionMethod } = envelope.documentMeta;
	const { directLink, team } = envelope;
	return {
		...formatLegacyTemplateLite(envelope),
		team,
		fields: fieldsOf(envelope),
		recipients: recipientsOf(envelope),
		templateMeta: { signingOrder, distributionMethod },
		directLink: directLink && { token: directLink.token, enabled: directLink.enabled },
	};
}

function documentScalars(envelope: Envelope) {
	return {
		...commonScalars(envelope),
		status: envelope.status,
		source: envelope.source,
		formValues: envelope.formValues,
		completedAt: envelope.completedAt,
		deletedAt: envelope.deletedAt,
		internalVersion: envelope.internalVersion,
		templateId: envelope.templateId,
	};
}

function templateScalars(envelope: Envelope) {
	return {
		...commonScalars(envelope),
		type: envelope.templateType,
		publicTitle: envelope.publicTitle,
		publicDescription: envelope.publicDescription,
	};
}

function commonScalars(envelope: Envelope) {
	return {
		id: envelope.legacyId,
		envelopeId: envelope.id,
		externalId: envelope.externalId,
		visibility: envelope.visibility,
		title: envelope.title,
		userId: envelope.user.id,
		teamId: envelope.team.id,
		authOptions: envelope.authOptions,
		createdAt: envelope.createdAt,
		updatedAt: envelope.updatedAt,
		folderId: envelope.folderId,
	};
}

async function documentDataOf([item]: readonly EnvelopeItem[]) {
	if (!item) throw new Error('Document data not found');
	return {
		type: 'BYTES_64',
		id: item.documentDataId,
		data: (await item.signed.read()).toString('base64'),
		initialData: (await item.original.read()).toString('base64'),
		envelopeItemId: item.id,
	};
}

function folderOf({ store }: Instance, { folderId }: Envelope): object | null {
	return store.folders.get(folderId ?? '') ?? null;
}

function recipientsOf(envelope: Envelope): object[] {
	return envelope.recipients.map((recipient) => formatRecipientWithLegacyIds(envelope, recipient));
}

function fieldsOf(envelope: Envelope): object[] {
	return envelope.fields.map((field) => formatFieldWithLegacyIds(envelope, field));
}
