import { ApiFailure, hasCode } from '../api/failure';
import type { Envelope } from '../api/envelope';
import { nameOf } from '../template/columns';

/**
 * A type of field that Documenso's API lists. It takes no settings for it, and sends no document that has one
 * (documenso-api.md: Free signatures).
 */
export function isFreeSignature({ type }: { type: string }): boolean {
	return type === 'FREE_SIGNATURE';
}

/** Where a document or template has such fields. */
export function freeSignaturesOf({ fields, recipients }: Envelope): string[] {
	return fields.filter(isFreeSignature).map(({ id, page, recipientId }) => {
		const owner = recipients.find((recipient) => recipient.id === recipientId);
		return `field ${id} on page ${page}${owner ? `, for ${nameOf(owner)}` : ''}`;
	});
}

/** What to say of a refusal where there are such fields: Documenso's own sentence names neither the type nor a field. */
export function freeSignatureFailure(error: unknown, places: string[]): unknown {
	const isRefused = hasCode(error, 'BAD_REQUEST') || hasCode(error, 'INVALID_REQUEST');
	if (!(error instanceof ApiFailure) || !isRefused || places.length === 0) return error;
	return error.reworded(
		`Documenso cannot use a field of type Free Signature: ${places.join('; ')}`,
		'Use the type Signature instead. Field: Update changes the type of a field that is there, in a template too.',
	);
}
