import type { z } from 'zod';

import type { EnvelopeField } from '../../shared/api/envelope';
import { acts, hasRejected, hasSigned } from '../../shared/api/lifecycle';
import { changeOf, filledSchema } from '../../shared/envelope/filledValues';
import { hasPreset } from '../../shared/envelope/presets';
import { whoIs } from '../../shared/envelope/whoCanSign';
import type { LogEntry } from './auditLog';

/**
 * Who has acted on a document, for people: signed, approved or rejected it, or filled in or emptied a field. Opening it
 * does not count. Undefined if nobody has.
 */
export function whoActed(document: z.infer<typeof filledSchema>): string | undefined {
	const { recipients, fields } = document;
	const done = recipients.find((one) => acts(one) && (hasSigned(one) || hasRejected(one)));
	if (done) {
		const what = hasRejected(done) ? 'rejected it' : 'signed it';
		return `${whoIs(done)} ${what}${done.signedAt ? ` at ${done.signedAt}` : ''}`;
	}
	const filled = fields.find((field) => isFilledByHand(field) || changeOf(field, document));
	if (!filled) return undefined;
	const owner = recipients.find(({ id }) => id === filled.recipientId);
	return `${owner ? whoIs(owner) : 'somebody'} began to fill it in`;
}

/** Documenso fills in what is there beforehand when it sends the document, and a date that the sender gives at once. */
function isFilledByHand(field: EnvelopeField): boolean {
	const isGiven = field.type === 'DATE' && Boolean(field.fieldMeta?.label);
	return field.inserted && !hasPreset(field) && !isGiven;
}

/**
 * The same by the document's audit log, which also knows of dates and of values that were entered and taken back. What
 * Documenso fills in itself has other entries.
 */
export function whoActedIn(log: LogEntry[]): string | undefined {
	const acted = log.filter(({ type }) => ACTS.has(type)).at(-1);
	if (!acted) return undefined;
	const { name, email, type, createdAt } = acted;
	const who = name && email ? `${name} (${email})` : (email ?? name ?? 'somebody');
	return `${who} ${ACTS.get(type)} at ${createdAt}`;
}

const ACTS: ReadonlyMap<string, string> = new Map([
	['DOCUMENT_FIELD_INSERTED', 'filled in a field'],
	['DOCUMENT_FIELD_UNINSERTED', 'emptied a field'],
	['DOCUMENT_FIELD_PREFILLED', 'filled in a field'],
	['DOCUMENT_RECIPIENT_COMPLETED', 'signed it'],
	['DOCUMENT_RECIPIENT_REJECTED', 'rejected it'],
]);
