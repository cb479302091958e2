import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import {
	envelopeSchema,
	readMeta,
	type Envelope,
	type EnvelopeField,
} from '../../shared/api/envelope';
import { acts } from '../../shared/api/lifecycle';
import { parse } from '../../shared/api/records';
import { Refusal } from '../../shared/n8n/refusal';
import type { Item } from '../../shared/n8n/item';
import { readNamedOnce } from '../../shared/envelope/named';
import {
	faultsOf,
	sharedTurns,
	signingOf,
	whoCanSign,
	whoIs,
	type Emailing,
	type Obstacle,
	type Party,
} from '../../shared/envelope/whoCanSign';

const schema = envelopeSchema.pick({
	...{ type: true, status: true, recipients: true, fields: true },
	...{ documentMeta: true, envelopeItems: true },
});

type Stored = Pick<Envelope, 'recipients' | 'fields' | 'documentMeta' | 'envelopeItems'>;

/** What happens to the fields of a document: one goes, one comes, or one takes the place of another. */
interface FieldChange {
	/** The ID of the field that goes. */
	removed?: number;
	put?: Pick<EnvelopeField, 'recipientId' | 'type' | 'page'> &
		Pick<EnvelopeField, 'positionX' | 'positionY' | 'width' | 'height'> & {
			/** Empty for the first file. */
			envelopeItemId: string;
			fieldMeta?: unknown;
		};
}

/**
 * Refuses a change to the fields of a document that was sent, if it would keep the document from being signed to its end.
 * A draft is judged when it is sent. Takes a request for each document, and another for each change to one that was sent.
 */
export async function checkSentFields(
	{ client }: Item,
	envelopeId: string,
	{ removed, put }: FieldChange,
) {
	const { status } = parse(schema, await readNamedOnce(client, 'envelopeId', envelopeId));
	if (status !== 'PENDING') return;
	const stored = await stateOf(client, envelopeId);
	const kept = stored.fields.filter(({ id }) => id !== removed);
	const fields = put ? [...kept, fieldOf(put, stored)] : kept;
	const before = new Set(obstaclesIn(stored).map(nameOf));
	const added = obstaclesIn({ ...stored, fields }).filter((one) => !before.has(nameOf(one)));
	const said = `${envelopeId} was sent, and could not be signed to its end after this:`;
	const faults = faultsOf(added, 'Document or Template', said);
	if (faults.length > 0) throw Refusal.of(faults);
}

function fieldOf(
	{ envelopeItemId, fieldMeta, ...put }: NonNullable<FieldChange['put']>,
	{ envelopeItems }: Stored,
): EnvelopeField {
	const [first] = [...envelopeItems].sort((a, b) => a.order - b.order);
	return {
		...{ id: 0, customText: '', inserted: false },
		...put,
		envelopeItemId: envelopeItemId || (first?.id ?? ''),
		fieldMeta: readMeta.parse(fieldMeta),
	};
}

async function stateOf(client: Client, envelopeId: string): Promise<Stored> {
	return parse(schema, await client.envelope(envelopeId));
}

function obstaclesIn(stored: Stored): Obstacle[] {
	return whoCanSign(signingOf(stored));
}

function nameOf({ kind, party, problem }: Obstacle): string {
	return `${kind} ${party.email} ${problem}`;
}

/** Tells of a signer who could complete a document that was sent without signing it. */
export function tellUnsigned({ execution }: Item, party: Pick<Party, 'name' | 'email'>) {
	execution.hints.add(UNSIGNED, whoIs(party), 'warning');
}

const UNSIGNED =
	"These signers have no signature field yet. Add one for each with 'Field: Add', before you use 'Document: Send' or 'Document: Resend': in a document that was sent, one click would complete it for them without a signature.";

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
	const given = emails.map((email) => email.toLowerCase());
	const sent = sentTo.safeParse(recipients).data ?? [];
	// Documenso adds them behind the others, even if one of these has the same address.
	const added = sent.filter(({ email }) => {
		const place = given.indexOf(email.toLowerCase());
		if (place >= 0) given.splice(place, 1);
		return place < 0;
	});
	const parties = sent.map((one) => ({ ...one, fields: [] }));
	const isTied = sharedTurns({ parties, ...emailing }).length > 0;
	for (const one of added) {
		if (one.role === 'ASSISTANT') execution.hints.add(IDLE_DEFAULTS, whoIs(one), 'warning');
		else if (isTied && acts(one)) execution.hints.add(TIED_DEFAULTS, whoIs(one), 'warning');
	}
}

const IDLE_DEFAULTS =
	"Documenso added these assistants, who are default recipients of the team, and nobody signs after them. Change their role in the team's settings: an assistant fills in fields for those who sign later.";

const TIED_DEFAULTS =
	"Documenso added these default recipients of the team without a signing order. Of all without one, it emails only one, who can finish only after the others, so these documents stay pending. Give each an order of their own with 'Recipient: Update', and then use 'Document: Resend'; or make them CCs in the team's settings.";
