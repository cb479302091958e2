import { missingRecord } from '../database';
import type { DirectLink, Envelope, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Instance } from '../instance';
import { newRecipient, placeholderPerson, VISITOR } from './draft';

export function createDirectLink(
	instance: Instance,
	template: Envelope,
	recipientId: number | undefined,
): DirectLink {
	if (template.directLink) {
		throw new AppError('ALREADY_EXISTS', 'Direct template already exists');
	}
	const recipient = visitorOf(instance, template, recipientId);
	const { ids } = instance.store;
	template.directLink = {
		id: ids.cuid(),
		token: ids.signingToken(),
		createdAt: instance.now(),
		enabled: true,
		directTemplateRecipientId: recipient.id,
	};
	return template.directLink;
}

export function toggleDirectLink({ directLink }: Envelope, enabled: boolean): DirectLink {
	if (!directLink) throw notFound('Direct template link not found');
	directLink.enabled = enabled;
	return directLink;
}

/** As recorded, the visitor's recipient stays, with a placeholder address. Without it, the link stays. */
export function deleteDirectLink(template: Envelope): void {
	const { directLink, recipients } = template;
	if (!directLink) return;
	const visitor = recipients.find(({ id }) => id === directLink.directTemplateRecipientId);
	if (!visitor) throw missingRecord('recipient.update', 'update');
	Object.assign(visitor, freePlaceholder(recipients));
	template.directLink = null;
}

function visitorOf(
	instance: Instance,
	template: Envelope,
	recipientId: number | undefined,
): Recipient {
	if (recipientId !== undefined) {
		const recipient = template.recipients.find(({ id }) => id === recipientId);
		if (!recipient) throw notFound('Recipient not found');
		return Object.assign(recipient, VISITOR);
	}
	if (template.recipients.some(({ email }) => email === VISITOR.email)) {
		throw new AppError('INVALID_BODY', 'Cannot generate placeholder direct recipient');
	}
	const added = newRecipient(instance, { ...VISITOR, role: 'SIGNER', authOptions: null });
	template.recipients.push(added);
	return added;
}

function freePlaceholder(recipients: readonly Recipient[]): Pick<Recipient, 'email' | 'name'> {
	const taken = new Set(recipients.map(({ email }) => email));
	let number = 1;
	while (taken.has(placeholderPerson(number).email)) number += 1;
	return placeholderPerson(number);
}
