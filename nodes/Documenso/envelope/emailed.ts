import { z } from 'zod';

import type { Emailing } from '../../shared/envelope/whoCanSign';
import type { Execution } from '../../shared/n8n/execution';

const withAddresses = z.array(z.object({ email: z.string() }));

/** Keeps to whom Documenso emails a document that was sent, now or when it is their turn. */
export function keepEmailed(execution: Execution, recipients: unknown, { isInvited }: Emailing) {
	if (!isInvited) return;
	for (const { email } of withAddresses.safeParse(recipients).data ?? []) {
		if (email !== '') execution.emailed.add(email);
	}
}
