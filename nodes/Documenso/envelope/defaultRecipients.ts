import { z } from 'zod';

import { acts } from '../../shared/api/lifecycle';
import { sharedTurns, whoIs, type Emailing } from '../../shared/envelope/whoCanSign';
import type { Item } from '../../shared/n8n/item';

const sentTo = z.array(
	z.object({
		...{ name: z.string().default(''), email: z.string(), role: z.string() },
		signingOrder: z.number().nullish(),
	}),
);

/**
 * Tells of those whom Documenso has added to a document by itself, and who may keep it from being finished. A team's default
 * recipients have no place in the signing order. Before the answer, nothing tells that there are any.
 */
export function tellStrandedDefaults(
	{ execution }: Item,
	recipients: unknown,
	{ emails, emailing }: { emails: string[]; emailing: Emailing },
) {
	const sent = sentTo.safeParse(recipients).data ?? [];
	const added = addedTo(sent, emails);
	const parties = sent.map((one) => ({ ...one, fields: [] }));
	const isTied = sharedTurns({ parties, ...emailing }).length > 0;
	for (const one of added) {
		if (one.role === 'ASSISTANT') execution.hints.add(IDLE_DEFAULTS, whoIs(one), 'warning');
		else if (isTied && acts(one)) execution.hints.add(TIED_DEFAULTS, whoIs(one), 'warning');
	}
}

/** Those whom Documenso has added behind the others; one of these may have the same address. */
export function addedTo<Recipient extends { email: string }>(
	recipients: Recipient[],
	emails: string[],
): Recipient[] {
	const given = emails.map((email) => email.toLowerCase());
	return recipients.filter(({ email }) => {
		const place = given.indexOf(email.toLowerCase());
		if (place >= 0) given.splice(place, 1);
		return place < 0;
	});
}

const IDLE_DEFAULTS =
	"Documenso added these assistants, who are default recipients of the team, and nobody signs after them. Change their role in the team's settings: an assistant fills in fields for those who sign later.";

const TIED_DEFAULTS =
	"Documenso added these default recipients of the team without a signing order. Of all without one, it emails only one, who can finish only after the others, so these documents stay pending. Give each an order of their own with 'Recipient: Update', and then use 'Document: Resend'; or make them CCs in the team's settings.";
