import { defaultMeta } from '../schemas/meta';
import type { WebhookEvent } from './events';

/** Not a valid envelope ID, so every call with it fails. */
const ENVELOPE_ID = 'env_123';

/** The document's number; in samples about templates also the template's. */
const NUMBER = 10;

type State = 'DRAFT' | 'PENDING' | 'COMPLETED';

/** Not always the status of a real event: a rejected document is PENDING here. */
const STATUS: Record<WebhookEvent, State> = {
	DOCUMENT_CREATED: 'DRAFT',
	DOCUMENT_SENT: 'PENDING',
	DOCUMENT_OPENED: 'PENDING',
	DOCUMENT_SIGNED: 'COMPLETED',
	DOCUMENT_RECIPIENT_COMPLETED: 'PENDING',
	DOCUMENT_COMPLETED: 'COMPLETED',
	DOCUMENT_REJECTED: 'PENDING',
	DOCUMENT_CANCELLED: 'PENDING',
	DOCUMENT_REMINDER_SENT: 'PENDING',
	RECIPIENT_EXPIRED: 'PENDING',
	TEMPLATE_CREATED: 'DRAFT',
	TEMPLATE_UPDATED: 'DRAFT',
	TEMPLATE_DELETED: 'DRAFT',
	TEMPLATE_USED: 'DRAFT',
};

/** The payload of the dashboard's test, with its peculiarities (documenso-api.md: Test deliveries). */
export function samplePayload(event: WebhookEvent, now: Date): object {
	const status = STATUS[event];
	const isTemplate = event.startsWith('TEMPLATE_');
	const isSigned = status === 'COMPLETED';
	return {
		id: NUMBER,
		envelopeId: ENVELOPE_ID,
		externalId: null,
		userId: 1,
		authOptions: null,
		formValues: null,
		visibility: 'EVERYONE',
		title: 'Sample',
		status,
		documentDataId: 'sample_data',
		createdAt: now,
		updatedAt: now,
		completedAt: status === 'COMPLETED' ? now : null,
		deletedAt: null,
		teamId: null,
		templateId: isTemplate ? NUMBER : null,
		source: isTemplate ? 'TEMPLATE' : 'DOCUMENT',
		documentMeta: sampleMeta(),
		recipients: [sampleRecipient(isSigned ? now : null)],
		// Nobody has signed in this list, even if somebody has in the other one.
		Recipient: [sampleRecipient(null)],
	};
}

function sampleMeta(): object {
	const { emailId: _1, emailReplyTo: _2, envelopeExpirationPeriod: _3, ...meta } = defaultMeta();
	return {
		...meta,
		id: 'sample_meta',
		password: null,
		timezone: 'UTC',
		dateFormat: 'MM/DD/YYYY',
	};
}

function sampleRecipient(signedAt: Date | null): object {
	return {
		id: 1,
		envelopeId: ENVELOPE_ID,
		documentId: NUMBER,
		templateId: null,
		email: 'sample@example.com',
		name: 'Sample Signer',
		token: 'SIGNING_TOKEN',
		documentDeletedAt: null,
		expiresAt: null,
		expirationNotifiedAt: null,
		signedAt,
		authOptions: null,
		signingOrder: 1,
		rejectionReason: null,
		role: 'SIGNER',
		readStatus: signedAt ? 'OPENED' : 'NOT_OPENED',
		signingStatus: signedAt ? 'SIGNED' : 'NOT_SIGNED',
		sendStatus: signedAt ? 'SENT' : 'NOT_SENT',
	};
}
