import type { Envelope, Recipient } from '../entities';
import { legacyIds } from '../envelopes/format';

/** Every event contains the whole envelope as it was at that moment, with recipients twice. */
export function webhookPayload(envelope: Envelope): object {
	const recipients = envelope.recipients.map((recipient) => recipientOf(envelope, recipient));
	const snapshot = {
		id: envelope.legacyId,
		envelopeId: envelope.id,
		externalId: envelope.externalId,
		userId: envelope.user.id,
		authOptions: envelope.authOptions,
		formValues: envelope.formValues,
		visibility: envelope.visibility,
		title: envelope.title,
		status: envelope.status,
		createdAt: envelope.createdAt,
		updatedAt: envelope.updatedAt,
		completedAt: envelope.completedAt,
		deletedAt: envelope.deletedAt,
		teamId: envelope.team.id,
		templateId: envelope.templateId,
		source: envelope.source,
		documentMeta: metaOf(envelope),
		recipients,
		Recipient: recipients,
	};
	return structuredClone(snapshot);
}

function metaOf({ documentMeta: meta }: Envelope): object {
	return {
		id: meta.id,
		subject: meta.subject,
		message: meta.message,
		// The service sends these two as constants, whatever the envelope's settings.
		timezone: 'Etc/UTC',
		dateFormat: 'yyyy-MM-dd hh:mm a',
		redirectUrl: meta.redirectUrl,
		signingOrder: meta.signingOrder,
		allowDictateNextSigner: meta.allowDictateNextSigner,
		typedSignatureEnabled: meta.typedSignatureEnabled,
		uploadSignatureEnabled: meta.uploadSignatureEnabled,
		drawSignatureEnabled: meta.drawSignatureEnabled,
		language: meta.language,
		distributionMethod: meta.distributionMethod,
		emailSettings: meta.emailSettings,
	};
}

function recipientOf(envelope: Envelope, recipient: Recipient): object {
	return {
		id: recipient.id,
		envelopeId: envelope.id,
		...legacyIds(envelope),
		email: recipient.email,
		name: recipient.name,
		token: recipient.token,
		documentDeletedAt: recipient.documentDeletedAt ?? null,
		expiresAt: recipient.expiresAt,
		expirationNotifiedAt: recipient.expirationNotifiedAt,
		signedAt: recipient.signedAt,
		authOptions: recipient.authOptions,
		signingOrder: recipient.signingOrder,
		rejectionReason: recipient.rejectionReason,
		role: recipient.role,
		readStatus: recipient.readStatus,
		signingStatus: recipient.signingStatus,
		sendStatus: recipient.sendStatus,
	};
}
