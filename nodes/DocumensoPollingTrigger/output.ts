import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { passes, type Filters } from '../Documenso/events/filters';
import { linksOf, simplifyEvent, withoutTokens } from '../Documenso/events/output';
import { subjectSchema, type DocumensoEvent } from '../Documenso/events/subject';
import type { Client } from '../Documenso/api/client';
import type { Occurrence } from './comparison';
import type { Document } from './document';

/** What the user wants of what happened, and how. */
export interface Wanted {
	events: string[];
	filters: Filters;
	simple: boolean;
	withSigningPages: boolean;
}

/** Stands in where only a recipient's address was kept: somebody who had not acted. */
const UNKNOWN_RECIPIENT = {
	id: 0,
	name: '',
	role: 'SIGNER',
	readStatus: 'NOT_OPENED',
	sendStatus: 'NOT_SENT',
	signingStatus: 'NOT_SIGNED',
};

/** An item for each occurrence that is wanted. */
export function itemsOf(client: Client, occurrences: Occurrence[], wanted: Wanted): IDataObject[] {
	return occurrences.flatMap((occurrence) => {
		if (!wanted.events.includes(occurrence.step)) return [];
		const event = eventOf(client, occurrence);
		return passes(event, wanted.filters) ? [itemOf(client, occurrence, event, wanted)] : [];
	});
}

function itemOf(
	client: Client,
	{ step, document, isRecalled }: Occurrence,
	event: DocumensoEvent,
	{ simple, withSigningPages }: Wanted,
): IDataObject {
	const eventId = createHash('sha256').update(`${step}\n${document.id}`).digest('hex');
	const record = document as IDataObject;
	if (!simple) {
		const shown = withSigningPages ? record : withoutTokens(record);
		return { event: step, eventId, document: shown };
	}
	const links = linksOf(client, document.team?.url, withSigningPages);
	const { event: name, ...rest } = simplifyEvent(event, links);
	const recipients = isRecalled ? { recipients: record.recipients } : {};
	return { event: name, eventId, isTest: false, ...rest, ...recipients };
}

/** A document as deliveries have it: there `id` is the number that `secondaryId` holds. */
export function eventOf(
	client: Client,
	{ step, document, isRecalled }: Occurrence,
): DocumensoEvent {
	const { id, secondaryId, recipients } = document;
	const subject = client.parse(subjectSchema, {
		...document,
		id: Number(secondaryId.replace('document_', '')),
		envelopeId: id,
		recipients: isRecalled ? recipients.map(asUnknown) : recipients,
	});
	return { name: step, subject };
}

function asUnknown({ email }: Document['recipients'][number]) {
	return { ...UNKNOWN_RECIPIENT, email };
}
