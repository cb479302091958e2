import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { envelopeSchema } from '../../shared/api/envelope';
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

const asked = envelopeSchema.pick({ status: true, recipients: true, documentMeta: true });

/**
 * Keeps whom Documenso tells by email that a document has ended, or that they were removed from it: those whom it has asked to
 * sign, unless the document has these emails turned off.
 */
export function keepTold(
	{ emailed }: Execution,
	before: IDataObject | z.infer<typeof asked>,
	{ setting, only }: { setting: string; only?: number },
) {
	const { status, recipients, documentMeta } = asked.safeParse(before).data ?? { recipients: [] };
	const isOff =
		documentMeta?.distributionMethod === 'NONE' || documentMeta?.emailSettings?.[setting] === false;
	if (status !== 'PENDING' || isOff) return;
	for (const { id, email, role, sendStatus } of recipients) {
		const isAsked = sendStatus === 'SENT' && role !== 'CC' && email !== '';
		if (isAsked && (only === undefined || id === only)) emailed.add(email);
	}
}
