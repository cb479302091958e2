import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY, type IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { openRecipients } from '../api/envelope';
import { addHint } from '../engine/hint';
import { escaped } from '../engine/nodeError';
import type { Document } from './documents';
import { isListenedTo } from './listeners';

/** How many documents a hint lists. */
const LISTED_DOCUMENTS = 10;

/** Tells who has not signed yet, because the editor shows the hints of a node that waits, but not its output. */
export function addHints(
	context: IExecuteFunctions,
	client: Client,
	{ open, until }: { open: Document[]; until: Date },
) {
	const more = open.length - LISTED_DOCUMENTS;
	const isLimited = until < WAIT_INDEFINITELY;
	const zone = context.getTimezone();
	const last = DateTime.fromJSDate(until, { zone }).toFormat('yyyy-MM-dd HH:mm');
	const lines = [
		isLimited ? `Waits until ${last} at the latest. Not signed yet:` : 'Not signed yet:',
		...open.slice(0, LISTED_DOCUMENTS).map((document) => lineFor(client, document)),
		...(more > 0 ? [`and ${more} more`] : []),
	];
	addHint(context, lines.join('<br>'));
	if (isListenedTo(client)) return;
	addHint(
		context,
		`No published workflow in this n8n seems to have a Documenso Trigger or Documenso Polling Trigger with this credential. Publish one: otherwise this execution ${isLimited ? 'goes on only when its time limit is over' : 'never goes on'}. (In queue mode the node cannot see other workflows: ignore this if you have published one.)`,
		'warning',
	);
}

/** As HTML: the document, and the signing links of those who have not acted yet. */
function lineFor(client: Client, { envelope }: Document): string {
	const links = openRecipients(envelope).map(
		({ email, token }) =>
			`<a href="${client.signingUrl(token)}" target="_blank">${escaped(email)}</a>`,
	);
	return `${escaped(envelope.title)} (${envelope.id}): ${links.join(', ')}`;
}
