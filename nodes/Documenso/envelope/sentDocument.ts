import type { IDataObject } from 'n8n-workflow';

import { hasToAct, recipientsInTurn } from '../../shared/api/lifecycle';
import { changesTo, oneAtATime } from '../engine/oneAtATime';
import { parse } from '../../shared/api/records';
import type { Item } from '../../shared/n8n/item';
import { readNamedOnce } from '../../shared/envelope/named';
import {
	emailingOf,
	filledTooLate,
	obstaclesTo,
	signingOf,
	throwIfAny,
	whoIs,
	type Obstacle,
	type Party,
} from '../../shared/envelope/whoCanSign';
import { judgedSchema, type Change, type Stored } from './afterChange';

/** Refuses a change that would keep a document from being signed to its end. */
type Judge = (item: Item, envelopeId: string, before: Stored, after: Stored) => void;

/**
 * Makes a change to a document. It is judged if that was sent; a draft is judged when it is sent. Each change is judged by what
 * the one before has made of the document. Takes a request for each document, and another for each change to one that was sent.
 */
export async function changeDocument<Done>(
	item: Item,
	envelopeId: string,
	change: Change,
	judge: Judge,
	send: (before: Stored) => Promise<Done>,
): Promise<Done> {
	const { client } = item;
	const known = parse(judgedSchema, await readNamedOnce(client, 'envelopeId', envelopeId));
	if (known.status !== 'PENDING') return await send(known);
	return await oneAtATime(client, changesTo(envelopeId), async () => {
		const before = await client.envelope(envelopeId, judgedSchema);
		judge(item, envelopeId, before, change(before));
		return await send(before);
	});
}

export const judgeFields: Judge = (item, envelopeId, before, after) => {
	refuse(envelopeId, obstaclesBy(item, before, after));
};

export const judgeRecipients: Judge = (item, envelopeId, before, after) => {
	if (before.status !== 'PENDING') return;
	// A signature field can only be added after its signer (tellUnsigned).
	const isLasting = ({ kind }: Obstacle) => kind !== 'noSignature';
	const obstacles = obstaclesBy(item, before, after).filter(isLasting);
	const advised = obstacles.map((one) => ({ ...one, advice: ADVICE[one.kind] ?? one.advice }));
	refuse(envelopeId, advised);
	if (before.recipients.some(hasToAct) && !after.recipients.some(hasToAct)) {
		item.execution.hints.add(NOBODY_LEFT, envelopeId, 'warning');
	}
	tellUnasked(item, envelopeId, before, after);
};

/** Refuses a change to the settings of a document that was sent. */
export function judgeSettings(item: Item, envelopeId: string, record: object, meta: IDataObject) {
	const { data: before } = judgedSchema.safeParse(record);
	// What cannot be read, or is no sent document, Documenso judges.
	if (before?.status !== 'PENDING') return;
	const after = { ...before, documentMeta: { ...before.documentMeta, ...meta } };
	judgeFields(item, envelopeId, before, after);
	tellUnasked(item, envelopeId, before, after);
}

/** Tells of those whose turn it is by a change: Documenso asks nobody then. */
function tellUnasked({ execution }: Item, envelopeId: string, before: Stored, after: Stored) {
	if (!emailingOf(after.documentMeta).isEmailed) return;
	const already = recipientsInTurn(before);
	const unasked = recipientsInTurn(after).filter(
		(one) => before.recipients.includes(one) && !already.includes(one) && one.sendStatus !== 'SENT',
	);
	for (const one of unasked) {
		execution.hints.add(UNASKED, `${envelopeId}: ${whoIs(one)}`, 'warning');
	}
}

const UNASKED =
	"It is the turn of these recipients now, but Documenso has not emailed them. Use 'Document: Resend'.";

/** How to make the change so that it is accepted. */
const ADVICE: Partial<Record<Obstacle['kind'], string>> = {
	noAddress: "Enter the address of a person under 'Email'.",
	sharedTurn:
		'Enter a signing order that nobody else has. To swap two people, first give one of them an order that nobody has, then move the other, and then the first.',
};

const NOBODY_LEFT =
	"Nobody has to act any more in these documents, and Documenso does not complete them by itself. Add somebody with 'Recipient: Add'; or use 'Document: Send', which completes a document that everyone else has signed.";

function refuse(envelopeId: string, obstacles: Obstacle[]) {
	const said = `${envelopeId} was sent, and could not be signed to its end after this:`;
	throwIfAny(obstacles, 'Document or Template', said);
}

/** What keeps a document from being signed to its end, and did not before. */
function obstaclesBy({ client }: Item, before: Stored, after: Stored): Obstacle[] {
	const { site } = client;
	const obstaclesIn = (stored: Stored) => {
		const signing = signingOf(stored);
		return [...obstaclesTo(signing, { ...signing, site }), ...filledTooLate(signing)];
	};
	const known = new Set(obstaclesIn(before).map(nameOf));
	return obstaclesIn(after).filter((one) => !known.has(nameOf(one)));
}

/** Another address, turn or place that is wrong, too, is another obstacle. */
function nameOf({ kind, party, field }: Obstacle): string {
	const { id, email, signingOrder } = party;
	const address = kind === 'noAddress' && email;
	const turn = kind === 'sharedTurn' && signingOrder;
	const place = kind === 'hiddenField' && [
		field?.envelopeItemId,
		field?.page,
		field?.positionX,
		field?.positionY,
	];
	return [kind, id, field?.id, address, turn, place].join();
}

/** Tells of a signer who could complete a document that was sent without signing it. */
export function tellUnsigned({ execution }: Item, party: Pick<Party, 'name' | 'email'>) {
	execution.hints.add(UNSIGNED, whoIs(party), 'warning');
}

const UNSIGNED =
	"These signers have no signature field yet. Add one for each with 'Field: Add', before you use 'Document: Send' or 'Document: Resend': in a document that was sent, one click would complete it for them without a signature.";
