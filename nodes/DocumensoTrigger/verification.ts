import type { IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { hasStatus, messageOf } from '../Documenso/api/failure';
import type { Client } from '../Documenso/api/client';
import { path } from '../Documenso/api/path';
import type { Delivery } from './delivery';

/** Events after which a document's row may be gone (contract §6). */
const LAST_EVENTS = ['DOCUMENT_CANCELLED', 'TEMPLATE_DELETED'];

/** The status that an event leaves behind for good. */
const FINAL: Readonly<Partial<Record<string, string>>> = {
	DOCUMENT_COMPLETED: 'COMPLETED',
	DOCUMENT_REJECTED: 'REJECTED',
};

const envelopeSchema = z.object({ secondaryId: z.string(), status: z.string() });

/**
 * Whether Documenso bears out a delivery that carries no secret: its document is there, and in a state that the
 * event can have left behind. False too when Documenso does not say.
 */
export async function isConfirmed(
	context: IWebhookFunctions,
	client: Client,
	{ event, isTest }: Delivery,
): Promise<boolean> {
	// Its document does not exist, so there is nothing to ask for.
	if (isTest) return true;
	const { name, subject } = event;
	try {
		const body = await client.read({
			method: 'GET',
			path: path`/envelope/${subject.envelopeId}`,
		});
		const { secondaryId, status } = client.parse(envelopeSchema, body);
		return secondaryId.endsWith(`_${subject.id}`) && status === (FINAL[name] ?? status);
	} catch (error) {
		if (hasStatus(error, 404) && LAST_EVENTS.includes(name)) {
			return true;
		}
		const reason = messageOf(error);
		context.logger.warn(`${name} of ${subject.envelopeId} could not be verified: ${reason}`);
		return false;
	}
}
