import type { z } from 'zod';
import type { Envelope, EnvelopeType } from '../entities';
import { notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import { findEnvelopes } from '../schemas/envelopes';
import type { findTemplates } from '../schemas/legacy';
import { isVisible } from './access';
import { listEnvelopes } from './find';

/** The envelope with that number, or a 404. */
export function getByNumber(
	instance: Instance,
	caller: Caller,
	type: EnvelopeType,
	number: number,
	missing = type === 'TEMPLATE' ? 'Template not found' : 'Envelope could not be found',
): Envelope {
	const envelope = findByNumber(instance, caller, type, number);
	if (!envelope) throw notFound(missing);
	return envelope;
}

export function findByNumber(
	{ store }: Instance,
	caller: Caller,
	type: EnvelopeType,
	number: number,
): Envelope | undefined {
	// What is not a number becomes 0, which counts as none.
	if (number === 0) throw notFound('Envelope ID not found');
	const candidates = type === 'DOCUMENT' ? store.documents : store.templates;
	const envelope = candidates.find(({ legacyId }) => legacyId === number);
	return envelope && isVisible(envelope, caller) ? envelope : undefined;
}

/** Newest first, like the current list. */
export function listTemplates(
	instance: Instance,
	caller: Caller,
	{ type, folderId }: z.output<typeof findTemplates>,
): Envelope[] {
	const input = findEnvelopes.parse({ type: 'TEMPLATE', folderId: folderId || undefined });
	return listEnvelopes(instance, caller, input).filter(
		({ templateType }) => type === undefined || templateType === type,
	);
}
