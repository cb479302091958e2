import type { Envelope } from '../entities';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import { newEnvelope, newField, newItem, newRecipient } from './draft';

/** A new draft from the original files (documenso-api.md: Duplicating). */
export function duplicateEnvelope(
	instance: Instance,
	caller: Caller,
	envelope: Envelope,
	{ includeRecipients, includeFields } = { includeRecipients: true, includeFields: true },
): Envelope {
	const { type, internalVersion, visibility, templateType, authOptions, documentMeta } = envelope;
	const { publicTitle, publicDescription } = envelope;
	// A template for the organisation stays one only within its team.
	const isKept = templateType !== 'ORGANISATION' || envelope.team.id === caller.team.id;
	const copy = newEnvelope(instance, {
		type,
		internalVersion,
		title: `${envelope.title} (copy)`,
		visibility,
		templateType: isKept ? templateType : 'PRIVATE',
		publicTitle,
		publicDescription,
		authOptions,
		user: caller.user,
		team: caller.team,
		items: envelope.items.map(({ title, order, original }) =>
			newItem(instance, title, order, original),
		),
	});
	copy.documentMeta = { ...documentMeta, id: copy.documentMeta.id };
	if (includeRecipients) copyRecipients(instance, envelope, copy, includeFields);
	instance.store.envelopes.set(copy.id, copy);
	// As recorded, the copy's audit log is empty.
	if (type === 'DOCUMENT') instance.emit('DOCUMENT_CREATED', copy);
	return copy;
}

function copyRecipients(
	instance: Instance,
	{ recipients, fields, items }: Envelope,
	copy: Envelope,
	includeFields: boolean,
): void {
	const itemIds = new Map(items.map(({ id }, index) => [id, copy.items[index]?.id]));
	for (const { id, email, name, role, signingOrder } of recipients) {
		const recipient = newRecipient(instance, {
			email,
			name,
			role,
			signingOrder,
			// Authentication is not copied, and even a CC starts unsigned.
			authOptions: null,
			signingStatus: 'NOT_SIGNED',
			sendStatus: 'NOT_SENT',
		});
		copy.recipients.push(recipient);
		if (!includeFields) continue;
		for (const { id: _, secondaryId: __, ...field } of fields) {
			if (field.recipientId !== id) continue;
			const envelopeItemId = itemIds.get(field.envelopeItemId) ?? field.envelopeItemId;
			const blank = { customText: '', inserted: false, signature: null };
			const recipientId = recipient.id;
			copy.fields.push(newField(instance, { ...field, ...blank, recipientId, envelopeItemId }));
		}
	}
}
