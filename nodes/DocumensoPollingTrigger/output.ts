import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { passes } from '../events/filters';
import { linksOf, simplifyEvent, withoutTokens } from '../events/output';
import { subjectSchema, type DocumensoEvent } from '../events/subject';
import type { Occurrence } from './comparison';
import type { Document } from './document';
import type { Settings } from './settings';

/** For recipients of whom only the address was kept: they had not acted. */
const UNKNOWN_RECIPIENT = {
	id: 0,
	name: '',
	role: 'SIGNER',
	readStatus: 'NOT_OPENED',
	sendStatus: 'NOT_SENT',
	signingStatus: 'NOT_SIGNED',
};

/** An item for each occurrence that the user selected. */
export function itemsOf(
	client: Client,
	occurrences: Occurrence[],
	settings: Settings,
): IDataObject[] {
	const { selection } = settings;
	return occurrences.flatMap((occurrence) => {
		if (!selection.events.includes(occurrence.step)) return [];
		const event = eventOf(client, occurrence);
		return passes(event, selection.filters) ? [itemOf(client, occurrence, event, settings)] : [];
	});
}

function itemOf(
	client: Client,
	{ step, document, isRecalled }: Occurrence,
	event: DocumensoEvent,
	{ simple, withSigningLinks }: Settings,
): IDataObject {
	const eventId = createHash('sha256').update(`${step}\n${document.id}`).digest('hex');
	const record = document as IDataObject;
	if (!simple) {
		const shown = withSigningLinks ? record : withoutTokens(record);
		return { event: step, eventId, document: shown };
	}
	const links = linksOf(client, document.team?.url, withSigningLinks);
	const { event: name, ...rest } = simplifyEvent(event, links);
	const recipients = isRecalled ? { recipients: record.recipients } : {};
	return { event: name, eventId, isTest: false, ...rest, ...recipients };
}

/** A document as deliveries carry it: there, `id` is the number in `secondaryId`. */
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
