import type { z } from 'zod';

import type { EnvelopeField } from '../../shared/api/envelope';
import { acts, hasRejected, hasSigned } from '../../shared/api/lifecycle';
import { changeOf, filledSchema } from '../../shared/envelope/filledValues';
import { hasPreset } from '../../shared/envelope/presets';
import { whoIs } from '../../shared/envelope/whoCanSign';

/**
 * Who has acted on a document, for people: signed, approved or rejected it, or filled in or emptied a field. To open it
 * is not to act. Undefined if nobody has.
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
