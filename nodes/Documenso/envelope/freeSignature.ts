import type { Envelope } from '../../shared/api/envelope';
import { ApiFailure, hasCode } from '../../shared/api/failure';
import { nameOf } from '../../shared/envelope/labels';

/**
 * Whether a field has a type that Documenso lists but cannot use: it takes no settings for such a field, and sends no
 * document that has one (documenso-api.md: Free signatures).
 */
export function isFreeSignature({ type }: { type: string }): boolean {
	return type === 'FREE_SIGNATURE';
}

/** The places of such fields in a document or template. */
export function freeSignaturesOf({
	fields,
	recipients,
}: Pick<Envelope, 'fields' | 'recipients'>): string[] {
	return fields.filter(isFreeSignature).map(({ id, page, recipientId }) => {
		const owner = recipients.find((recipient) => recipient.id === recipientId);
		return `field ${id} on page ${page}${owner ? `, for ${nameOf(owner)}` : ''}`;
	});
}

/** The failure with these places, because Documenso's own message names neither the type nor a field. */
export function freeSignatureFailure(error: unknown, places: string[]): unknown {
	const isRefused = hasCode(error, 'BAD_REQUEST') || hasCode(error, 'INVALID_REQUEST');
	if (!(error instanceof ApiFailure) || !isRefused || places.length === 0) return error;
	return error.withAdvice(
		`Documenso cannot use a field of type Free Signature: ${places.join('; ')}`,
		"Use the type Signature instead. 'Field: Update' changes the type of an existing field, in a template too.",
	);
}
