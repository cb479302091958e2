import type { IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../Documenso/api/exchange';
import { FINAL_EVENTS, nudge } from '../events/nudge';
import { addressesFor } from '../events/resumeAddress';
import type { Delivery } from './parse';

/** In milliseconds. n8n may be busy, and has to store an execution before it waits. */
const LIMITS = { timeout: 60_000, patience: 60_000 };

/**
 * Wakes the executions that wait for the document, also after an event that starts none here. It goes on when the
 * delivery has been answered, because Documenso waits only ten seconds.
 */
export function wake(context: IWebhookFunctions, credential: Credential, { event }: Delivery) {
	if (!FINAL_EVENTS.includes(event.name)) return;
	const addresses = () => addressesFor(context);
	// It never throws.
	void nudge(context, event.subject.externalId ?? '', { credential, addresses, ...LIMITS });
}
