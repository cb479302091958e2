import type { DirectLink, Envelope, Recipient } from '../entities';
import { aboutRecipient, audit, NOBODY, type Actor } from '../envelopes/auditLog';
import { assertSendable, sendEnvelope } from '../envelopes/send';
import { copyItems, copyTemplate } from '../envelopes/use';
import { AppError, notFound } from '../errors';
import type { Instance } from '../instance';
import { email as emailSchema } from '../schemas/scalars';
import { complete, type FieldValues } from './complete';

/** The visitor of a direct link, and the values they filled in. */
export interface Visitor {
	email: string;
	name?: string;
	fields?: FieldValues;
}

/**
 * The visitor signs first, so the document begins partly signed. Neither its creation nor the opening
 * is an event (documenso-api.md: Events).
 */
export async function useDirectLink(
	instance: Instance,
	token: string,
	{ email, name, fields }: Visitor,
): Promise<Envelope> {
	const template = instance.store.templates.find(({ directLink }) => directLink?.token === token);
	const link = template?.directLink;
	if (!template || !link?.enabled) throw notFound('Direct template link not found');
	assertSendable(template);
	assertMayVisit(template, link, email);

	const visitor = { id: link.directTemplateRecipientId, email, name };
	const payload = { envelopeId: template.id, recipients: [visitor] };
	const items = await copyItems(instance, template, payload, []);
	const envelope = copyTemplate(instance, template, template, payload, items);
	envelope.source = 'TEMPLATE_DIRECT_LINK';
	envelope.status = 'PENDING';
	// As recorded, these are not the template's.
	envelope.visibility = 'EVERYONE';
	envelope.externalId = null;
	// Unlike where a template is used, the sender is the template's.
	const { emailId, emailReplyTo } = template.documentMeta;
	Object.assign(envelope.documentMeta, { emailId, emailReplyTo });

	const place = template.recipients.findIndex(({ id }) => id === visitor.id);
	const recipient = envelope.recipients[place];
	if (!recipient) throw notFound('Recipient not found');
	// Whoever is not logged in has no name in the log.
	const by = { ...NOBODY, email: recipient.email };
	auditVisit(instance, envelope, template, recipient, by);
	recipient.sendStatus = 'SENT';
	complete(instance, { envelope, recipient, by, isVisitor: true }, fields);
	instance.store.envelopes.set(envelope.id, envelope);
	sendEnvelope(instance, envelope);
	instance.emit('DOCUMENT_SIGNED', envelope);
	return envelope;
}

function assertMayVisit(
	{ recipients, authOptions }: Envelope,
	{ directTemplateRecipientId }: DirectLink,
	visitorEmail: string,
): void {
	if (!emailSchema.max(254).safeParse(visitorEmail).success) {
		throw new AppError('INVALID_BODY', 'Invalid email address');
	}
	const recipient = recipients.find(({ id }) => id === directTemplateRecipientId);
	if (!recipient || recipient.role === 'CC') {
		throw new AppError('INVALID_REQUEST', 'Invalid or missing direct recipient');
	}
	// Nobody is ever logged in here.
	if (authOptions.globalAccessAuth.length > 0) {
		throw new AppError('UNAUTHORIZED', 'You must be logged in');
	}
}

/** As recorded, the log says that the visitor opened the document, but the recipient stays NOT_OPENED. */
function auditVisit(
	instance: Instance,
	envelope: Envelope,
	template: Envelope,
	visitor: Recipient,
	by: Actor,
): void {
	const { email: directRecipientEmail } = visitor;
	const source = { type: envelope.source, templateId: template.legacyId, directRecipientEmail };
	audit(instance, envelope, 'DOCUMENT_CREATED', { title: envelope.title, source }, by);
	const { globalAccessAuth: accessAuth } = template.authOptions;
	audit(instance, envelope, 'DOCUMENT_OPENED', { ...aboutRecipient(visitor), accessAuth }, by);
}
