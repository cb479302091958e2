import { isDeepStrictEqual } from 'node:util';
import { storedDecimal } from '../database';
import type { AuditEntry, Envelope, EnvelopeItem, Field, Recipient, User } from '../entities';
import type { Instance } from '../instance';

export type Actor = Pick<AuditEntry, 'name' | 'email' | 'userId'>;

export const NOBODY: Actor = { name: null, email: null, userId: null };

/**
 * Adds an entry to an envelope's audit log. The API token's team is the actor by default, as it is in
 * recordings of most calls.
 */
export function audit(
	instance: Instance,
	envelope: Envelope,
	type: string,
	data: object,
	by: Actor = { ...NOBODY, name: instance.client?.teamName ?? envelope.team.name },
): void {
	const id = instance.store.ids.cuid();
	const createdAt = instance.now();
	const { userAgent = null, ipAddress = null } = instance.client ?? {};
	const entry = { id, createdAt, envelopeId: envelope.id, ...by, userAgent, ipAddress, type };
	envelope.auditLog.push({ ...entry, data: structuredClone(data) });
}

function byUser({ name, email }: User): Actor {
	return { ...NOBODY, name, email };
}

/** As recorded, an empty name or address is null. */
export function byRecipient({ name, email }: Recipient): Actor {
	return { ...NOBODY, name: name || null, email: email || null };
}

/** The first entry of a document that was not made from a template: it names its creator only by ID. */
export function auditCreated(instance: Instance, envelope: Envelope): void {
	const by = { ...NOBODY, userId: envelope.user.id };
	const source = { type: envelope.type };
	audit(instance, envelope, 'DOCUMENT_CREATED', { title: envelope.title, source }, by);
}

/** An envelope's own settings that an update changed. As recorded, its meta is not logged. */
export function auditUpdated(
	instance: Instance,
	envelope: Envelope,
	before: Pick<Envelope, 'title' | 'externalId' | 'visibility' | 'authOptions'>,
): void {
	const changed = (type: string, from: unknown, to: unknown): void => {
		if (isDeepStrictEqual(from, to)) return;
		audit(instance, envelope, type, { from, to: to ?? '' });
	};
	const { title, externalId, visibility, authOptions } = envelope;
	changed('DOCUMENT_EXTERNAL_ID_UPDATED', before.externalId, externalId);
	changed('DOCUMENT_TITLE_UPDATED', before.title, title);
	changed('DOCUMENT_VISIBILITY_UPDATED', before.visibility, visibility);
	const access = [before.authOptions.globalAccessAuth, authOptions.globalAccessAuth] as const;
	changed('DOCUMENT_GLOBAL_AUTH_ACCESS_UPDATED', ...access);
}

/** Only distributing logs its changes to the meta. */
export function auditMetaUpdated(
	instance: Instance,
	envelope: Envelope,
	before: Envelope['documentMeta'],
): void {
	const changes = changesBetween(noted(before), noted(envelope.documentMeta));
	if (changes.length > 0) audit(instance, envelope, 'DOCUMENT_META_UPDATED', { changes });
}

function changesBetween(from: Record<string, unknown>, to: Record<string, unknown>): object[] {
	return Object.keys(from)
		.filter((type) => !isDeepStrictEqual(from[type], to[type]))
		.map((type) => ({ type, from: from[type], to: to[type] }));
}

/** The settings that are logged; language and distribution method are not. */
function noted(meta: Envelope['documentMeta']) {
	return {
		DATE_FORMAT: meta.dateFormat,
		MESSAGE: meta.message ?? '',
		SUBJECT: meta.subject ?? '',
		TIMEZONE: meta.timezone,
		REDIRECT_URL: meta.redirectUrl ?? '',
		EMAIL_ID: meta.emailId,
		EMAIL_REPLY_TO: meta.emailReplyTo,
		EMAIL_SETTINGS: JSON.stringify(inDatabaseOrder(meta.emailSettings)),
	};
}

/** A jsonb column sorts shorter keys first. */
function inDatabaseOrder(settings: object): object {
	const entries = Object.entries(settings) as Array<[string, unknown]>;
	return Object.fromEntries(entries.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}

export function auditRecipientUpdated(
	instance: Instance,
	envelope: Envelope,
	before: Recipient,
	after: Recipient,
): void {
	const changes = changesBetween(notedRecipient(before), notedRecipient(after));
	if (changes.length === 0) return;
	audit(instance, envelope, 'RECIPIENT_UPDATED', { ...aboutRecipient(after), changes });
}

/** The signing order is not logged. */
function notedRecipient({ authOptions, email, role, name }: Recipient) {
	return {
		ACCESS_AUTH: authOptions?.accessAuth ?? [],
		ACTION_AUTH: authOptions?.actionAuth ?? [],
		EMAIL: email,
		ROLE: role,
		NAME: name,
	};
}

/** Logs that a field was resized; other changes to a field are not logged. */
export function auditFieldUpdated(
	instance: Instance,
	envelope: Envelope,
	before: Field,
	after: Field,
): void {
	const [from, to] = [before, after].map(({ width, height }) => ({
		width: Number(storedDecimal(width)),
		height: Number(storedDecimal(height)),
	}));
	if (isDeepStrictEqual(from, to)) return;
	const changes = [{ type: 'DIMENSION', from, to }];
	audit(instance, envelope, 'FIELD_UPDATED', { ...aboutField(envelope, after), changes });
}

export function auditItem(
	instance: Instance,
	envelope: Envelope,
	type: 'ENVELOPE_ITEM_CREATED' | 'ENVELOPE_ITEM_DELETED',
	{ id, title }: EnvelopeItem,
	user: User,
): void {
	const about = { envelopeItemId: id, envelopeItemTitle: title };
	audit(instance, envelope, type, about, byUser(user));
}

export function auditItemUpdated(
	instance: Instance,
	envelope: Envelope,
	before: EnvelopeItem,
	after: EnvelopeItem,
	user: User,
): void {
	// A new order is not logged.
	if (before.title === after.title) return;
	const changes = [{ field: 'title', from: before.title, to: after.title }];
	const about = { envelopeItemId: after.id, changes };
	audit(instance, envelope, 'ENVELOPE_ITEM_UPDATED', about, byUser(user));
}

const MAIL_BY_ROLE: Record<Recipient['role'], string> = {
	SIGNER: 'SIGNING_REQUEST',
	VIEWER: 'VIEW_REQUEST',
	APPROVER: 'APPROVE_REQUEST',
	ASSISTANT: 'ASSISTING_REQUEST',
	CC: 'CC',
};

/** The email that asks a recipient to act. Recipients without an address get none. */
export function auditMailed(
	instance: Instance,
	envelope: Envelope,
	recipient: Recipient,
	isResending: boolean,
): void {
	const { id: userId, name, email } = envelope.user;
	const emailType = MAIL_BY_ROLE[recipient.role];
	const mail = { ...aboutRecipient(recipient), emailType, isResending };
	// The team sends reminders; the owner sends the first email.
	if (isResending) audit(instance, envelope, 'EMAIL_SENT', mail);
	else audit(instance, envelope, 'EMAIL_SENT', mail, { name, email, userId });
}

/** An automatic reminder, which nobody sends. */
export function auditReminded(instance: Instance, envelope: Envelope, recipient: Recipient): void {
	const mail = { ...aboutRecipient(recipient), emailType: 'REMINDER', isResending: false };
	audit(instance, envelope, 'EMAIL_SENT', mail, NOBODY);
}

/** The completion or rejection, and the emails about it to the owner and all recipients. */
export function auditCompleted(instance: Instance, envelope: Envelope): void {
	const transactionId = instance.store.ids.signingToken();
	audit(instance, envelope, 'DOCUMENT_COMPLETED', { transactionId }, NOBODY);
	if (envelope.status === 'REJECTED') return;
	const { user, recipients, documentMeta } = envelope;
	const { documentCompleted, ownerDocumentCompleted } = documentMeta.emailSettings;
	const owner = {
		recipientEmail: user.email,
		recipientName: user.name,
		recipientId: user.id,
		recipientRole: 'OWNER',
	};
	const mailed = [
		...(ownerDocumentCompleted ? [owner] : []),
		...(documentCompleted && documentMeta.distributionMethod === 'EMAIL' ? recipients : [])
			.filter(({ email }) => email !== '')
			.map(aboutRecipient),
	];
	for (const about of mailed) {
		const mail = { ...about, emailType: 'DOCUMENT_COMPLETED', isResending: false };
		audit(instance, envelope, 'EMAIL_SENT', mail, NOBODY);
	}
}

export function aboutRecipient({ email, name, id, role }: Recipient) {
	return { recipientEmail: email, recipientName: name, recipientId: id, recipientRole: role };
}

export function aboutField({ recipients }: Envelope, field: Field) {
	const recipient = recipients.find(({ id }) => id === field.recipientId);
	return {
		fieldId: field.secondaryId,
		fieldRecipientEmail: recipient?.email ?? '',
		fieldRecipientId: field.recipientId,
		fieldType: field.type,
	};
}
