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
	const { documents, templates } = instance.store;
	const candidates = type === 'DOCUMENT' ? documents : templates;
	const envelope = candidates.find(({ legacyId }) => legacyId === number);
	if (!envelope || !isVisible(envelope, caller)) throw notFound(missing);
	return envelope;
}

/** Newest first, like the current list; `query` is accepted and ignored. */
export function listTemplates(
	instance: Instance,
	caller: Caller,
	{ type, folderId }: z.output<typeof findTemplates>,
): Envelope[] {
	const input = findEnvelopes.parse({ type: 'TEMPLATE', folderId });
	return listEnvelopes(instance, caller, input).filter(
		({ templateType }) => type === undefined || templateType === type,
	);
}
