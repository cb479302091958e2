import type { IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../api/clock';

/** How often to check whether n8n has answered a broken connection, in milliseconds. */
const CHECK_AGAIN_MS = 50;

/** Until n8n has answered a webhook call: then it has stored the execution that the call starts or resumes. */
export async function untilAnswered(context: IWebhookFunctions): Promise<void> {
	const response = context.getResponseObject();
	// A connection that broke before this point emits nothing any more.
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', resolve));
	}
	// n8n also ends the answer to a sender that hung up, once it has started the execution.
	while (!response.writableEnded) await clock.sleep(CHECK_AGAIN_MS);
}
