import { storedDecimal } from '../database';
import type { DirectLink, Envelope, Field, Recipient } from '../entities';
import { signingUrl, type Instance } from '../instance';
import { itemsByOrder } from './items';

/** `update` returns only these: no relations, no meta, no templateId. */
export function formatScalars(envelope: Envelope): object {
	const { user, team } = envelope;
	return {
		internalVersion: envelope.internalVersion,
		type: envelope.type,
		status: envelope.status,
		source: envelope.source,
		visibility: envelope.visibility,
		templateType: envelope.templateType,
		id: envelope.id,
		secondaryId: `${envelope.type.toLowerCase()}_${envelope.legacyId}`,
		externalId: envelope.externalId,
		createdAt: envelope.createdAt,
		updatedAt: envelope.updatedAt,
		completedAt: envelope.completedAt,
		deletedAt: envelope.deletedAt,
		title: envelope.title,
		authOptions: envelope.authOptions,
		formValues: envelope.formValues,
		publicTitle: envelope.publicTitle,
		publicDescription: envelope.publicDescription,
		userId: user.id,
		teamId: team.id,
		folderId: envelope.folderId,
	};
}

/** A row of the list: no meta, fields or items, and tokens only if `showToken` allows it. */
export function formatRow(
	envelope: Envelope,
	showToken: (recipient: Recipient) => boolean,
): object {
	const recipients = envelope.recipients.map((recipient) => ({
		...formatRecipient(envelope, recipient),
		token: showToken(recipient) ? recipient.token : '',
	}));
	const { templateId, user, team } = envelope;
	return {
		...formatScalars(envelope),
		templateId,
		user,
		recipients,
		team: { id: team.id, url: team.url },
	};
}

export function formatEnvelope(envelope: Envelope): object {
	const { templateId, documentMeta, user, team } = envelope;
	return {
		...formatScalars(envelope),
		templateId,
		documentMeta,
		recipients: envelope.recipients.map((recipient) => formatRecipient(envelope, recipient)),
		fields: envelope.fields.map((field) => formatField(envelope, field)),
		envelopeItems: itemsByOrder(envelope).map(({ id, documentDataId, title, order }) => ({
			envelopeId: envelope.id,
			documentDataId,
			id,
			title,
			order,
		})),
		directLink: envelope.directLink && formatDirectLink(envelope.directLink),
		team: { id: team.id, url: team.url },
		user,
	};
}

export function formatRecipient(envelope: Envelope, recipient: Recipient): object {
	return {
		envelopeId: envelope.id,
		role: recipient.role,
		readStatus: recipient.readStatus,
		signingStatus: recipient.signingStatus,
		sendStatus: recipient.sendStatus,
		id: recipient.id,
		email: recipient.email,
		name: recipient.name,
		token: recipient.token,
		documentDeletedAt: recipient.documentDeletedAt ?? null,
		expired: null,
		expiresAt: recipient.expiresAt,
		expirationNotifiedAt: recipient.expirationNotifiedAt,
		signedAt: recipient.signedAt,
		authOptions: recipient.authOptions,
		signingOrder: recipient.signingOrder,
		rejectionReason: recipient.rejectionReason,
	};
}

export function formatRecipientWithFields(envelope: Envelope, recipient: Recipient): object {
	const fields = envelope.fields.filter(({ recipientId }) => recipientId === recipient.id);
	return {
		...formatRecipient(envelope, recipient),
		fields: fields.map((field) => formatField(envelope, field)),
	};
}

/** Updates and the deprecated endpoints also return the number of the document or template. */
export function formatRecipientWithLegacyIds(envelope: Envelope, recipient: Recipient): object {
	return { ...formatRecipient(envelope, recipient), ...legacyIds(envelope) };
}

export function formatFieldWithLegacyIds(envelope: Envelope, field: Field): object {
	return { ...formatField(envelope, field), ...legacyIds(envelope) };
}

export function legacyIds({ type, legacyId }: Envelope) {
	const isDocument = type === 'DOCUMENT';
	return {
		documentId: isDocument ? legacyId : null,
		templateId: isDocument ? null : legacyId,
	};
}

function formatDirectLink({ createdAt: _, ...link }: DirectLink): object {
	return link;
}

export function formatField(envelope: Envelope, field: Field): object {
	return {
		envelopeId: envelope.id,
		envelopeItemId: field.envelopeItemId,
		type: field.type,
		id: field.id,
		secondaryId: field.secondaryId,
		recipientId: field.recipientId,
		page: field.page,
		positionX: storedDecimal(field.positionX),
		positionY: storedDecimal(field.positionY),
		width: storedDecimal(field.width),
		height: storedDecimal(field.height),
		customText: field.customText,
		inserted: field.inserted,
		fieldMeta: field.fieldMeta,
	};
}

/**
 * Distribute, redistribute and use return all recipients, CC too, in no promised order. The local Documenso
 * returns the last one first, so that no client relies on an order.
 */
export function formatSigners(instance: Instance, envelope: Envelope): object[] {
	return envelope.recipients
		.map(({ id, name, email, token, role, signingOrder }) => ({
			id,
			name,
			email,
			token,
			role,
			signingOrder,
			signingUrl: signingUrl(instance, token),
		}))
		.reverse();
}

/** One page of rows, which are returned as they are stored unless they have a format. */
export function formatPage<T extends object>(
	rows: readonly T[],
	{ page, perPage }: { page: number; perPage: number },
	format: (row: T) => object = (row) => row,
): object {
	// The database cuts off fractions; the response repeats the request's values.
	const start = Math.trunc((page - 1) * perPage);
	if (!Number.isFinite(start)) throw new Error('Invalid `prisma.findMany()` invocation');
	return {
		data: rows.slice(start, start + Math.trunc(perPage)).map(format),
		count: rows.length,
		currentPage: page,
		perPage,
		totalPages: Math.ceil(rows.length / perPage),
	};
}
