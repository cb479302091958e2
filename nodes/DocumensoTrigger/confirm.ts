import type { IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { hasStatus, messageOf } from '../Documenso/api/failure';
import { parse } from '../Documenso/api/records';
import { eventLabel } from '../events/names';
import type { Settings } from './inputs';
import type { Lookup } from './lookup';
import type { Delivery } from './parse';

/** Events after which a document may be gone (documenso-api.md: Deleting). */
const LAST_EVENTS = ['DOCUMENT_CANCELLED', 'TEMPLATE_DELETED'];

/** The status that a document keeps for good after an event. */
const FINAL_STATUS: ReadonlyMap<string, string> = new Map([
	['DOCUMENT_COMPLETED', 'COMPLETED'],
	['DOCUMENT_REJECTED', 'REJECTED'],
]);

const envelopeSchema = z.object({ secondaryId: z.string(), status: z.string() });

/**
 * Whether Documenso confirms a delivery that carries no secret: its document exists, and has a status that fits the event.
 * False if Documenso does not answer.
 */
export async function confirm(
	context: IWebhookFunctions,
	lookup: Lookup,
	{ event, isTest }: Delivery,
	{ isAutomatic }: Settings,
): Promise<boolean> {
	// With manual registration the secret was checked. The document of a test does not exist.
	if (!isAutomatic || isTest) return true;
	const { name, subject } = event;
	try {
		const { secondaryId, status } = parse(envelopeSchema, await lookup.document());
		return secondaryId.endsWith(`_${subject.id}`) && status === (FINAL_STATUS.get(name) ?? status);
	} catch (error) {
		if (hasStatus(error, 404) && LAST_EVENTS.includes(name)) return true;
		context.logger.warn(
			`'${eventLabel(name)}' of ${subject.envelopeId} could not be confirmed: ${messageOf(error)}`,
		);
		return false;
	}
}
