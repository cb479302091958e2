import { createHash } from 'node:crypto';

import { hasSigned } from '../Documenso/api/lifecycle';
import type { DocumensoEvent } from './subject';

/**
 * The name of something that can happen once: the same in each delivery of it and each poll that finds it. Recipients are
 * counted, not named: how many had opened the document tells which opening it is, also where nothing tells who opened it.
 * Undefined for what can happen again without a trace in the document: reminders and events of templates.
 */
export function eventIdOf({ name, subject }: DocumensoEvent): string | undefined {
	const { envelopeId, status, deletedAt, recipients } = subject;
	const named = (...parts: Array<string | number>) => digestOf([name, envelopeId, ...parts]);
	switch (name) {
		case 'DOCUMENT_CREATED':
		case 'DOCUMENT_SENT':
		case 'DOCUMENT_COMPLETED':
		case 'DOCUMENT_REJECTED':
			return named();
		case 'DOCUMENT_CANCELLED':
			// A cancelled document can be deleted as well, and each is this event.
			if (status === 'CANCELLED' && deletedAt) return named('deleted');
			return named(OPEN.includes(status) ? 'open' : status);
		case 'DOCUMENT_OPENED':
			return named(recipients.filter(({ readStatus }) => readStatus === 'OPENED').length);
		case 'DOCUMENT_RECIPIENT_COMPLETED':
		case 'DOCUMENT_SIGNED':
			return named(recipients.filter(hasSigned).length);
		case 'RECIPIENT_EXPIRED': {
			// Whose link has expired may get another deadline, which may pass, too.
			const expired = recipients.filter(({ expirationNotifiedAt }) => expirationNotifiedAt);
			return named(expired.length, ...expired.map(({ expiresAt }) => expiresAt ?? '').sort());
		}
		default:
			return undefined;
	}
}

const OPEN = ['DRAFT', 'PENDING'];

/** A text of fixed length that stands for a value. */
export function digestOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
