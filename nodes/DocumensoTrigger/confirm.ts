import type { IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { HttpClient } from '../shared/api/client';
import { numberIn } from '../shared/api/envelope';
import type { Credential } from '../shared/api/exchange';
import { isNotFound, messageOf } from '../shared/api/failure';
import { eventLabel, GONE_EVENTS } from '../shared/events/names';
import type { Settings } from './inputs';
import type { Delivery } from './parse';

/** How long to wait for the document, in milliseconds. Documenso gives up on a delivery after ten seconds. */
const TIMEOUT_MS = 6_000;

/** The status that a document keeps for good after an event. */
const FINAL_STATUS: ReadonlyMap<string, string> = new Map([
	['DOCUMENT_COMPLETED', 'COMPLETED'],
	['DOCUMENT_REJECTED', 'REJECTED'],
]);

const confirmedSchema = z.object({
	secondaryId: z.string(),
	status: z.string(),
	team: z.object({ url: z.string() }).nullish().catch(undefined),
});

/**
 * Whether Documenso confirms a delivery that carries no secret: its document exists, and has a status that fits the event.
 * Undefined if it does not, or if Documenso does not answer. The look tells the URL of the team, too.
 */
export async function confirm(
	context: IWebhookFunctions,
	credential: Credential,
	{ event, isTest }: Delivery,
	{ isAutomatic }: Settings,
): Promise<{ teamUrl?: string } | undefined> {
	// With manual registration the secret was checked. The document of a test does not exist.
	if (!isAutomatic || isTest) return {};
	const { name, asItWas: subject } = event;
	try {
		const deadline = clock.timeout(TIMEOUT_MS);
		const client = await HttpClient.of(context, { credential, deadline });
		const { secondaryId, status, team } = await client.envelope(subject.id, confirmedSchema);
		const isTrue = numberIn(secondaryId) === numberIn(subject.secondaryId);
		const fits = status === (FINAL_STATUS.get(name) ?? status);
		return isTrue && fits ? { teamUrl: team?.url } : undefined;
	} catch (error) {
		if (isNotFound(error) && GONE_EVENTS.includes(name)) return {};
		context.logger.warn(
			`'${eventLabel(name)}' of ${subject.id} could not be confirmed: ${messageOf(error)}`,
		);
		return undefined;
	}
}
