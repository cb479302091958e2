import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { numberIn } from '../Documenso/api/envelope';
import { parse } from '../Documenso/api/records';
import { eventIdOf } from '../events/eventId';
import { causedBy, simplifyEvent } from '../events/output';
import { subjectSchema, type DocumensoEvent, type SubjectRecipient } from '../events/subject';
import type { Occurrence } from './comparison';
import type { Document } from './document';
import type { Step } from './steps';

/** An event that a poll has found. */
export interface Found {
	/** With the document as it is now. */
	event: DocumensoEvent;
	/** As it was when it happened. Its name and the filters are about that. */
	happened: DocumensoEvent;
	/** The same as that of a delivery of it. */
	eventId: string;
	/** The recipient who caused it, if one did. */
	cause?: SubjectRecipient;
	/** What the lists tell of the document; of one that is gone, what was stored. */
	document: IDataObject;
	teamUrl?: string;
	/** Milliseconds since the epoch. */
	time: number;
	isRecalled: boolean;
}

export function foundEvents(occurrences: Occurrence[]): Found[] {
	return occurrences.map((occurrence) => {
		const { document, isRecalled, by, time } = occurrence;
		const event = eventOf(occurrence.step, document);
		const happened = happenedIn(occurrence);
		const addresses = document.recipients.map(({ email }) => ({ email }));
		return {
			event,
			happened,
			// Polls find nothing that has no name.
			eventId: eventIdOf(happened) ?? '',
			cause: by ? event.subject.recipients.find(({ id }) => id === by.id) : causedBy(event),
			// It came as JSON.
			document: { ...document, ...(isRecalled ? { recipients: addresses } : {}) },
			teamUrl: document.team?.url,
			time,
			isRecalled,
		};
	});
}

/** What simplified items have of an event that was found. */
export function simplifyFound(
	client: Client,
	{ event, cause, document, teamUrl, isRecalled }: Found,
): IDataObject {
	return {
		...simplifyEvent(client, event, teamUrl, cause),
		...(isRecalled ? { recipients: document.recipients } : {}),
	};
}

/** The event with the document as it was then. */
export function happenedIn({ step, then }: Occurrence): DocumensoEvent {
	return eventOf(step, then);
}

/** The event as a delivery would carry it: there, `id` is the number in `secondaryId`. */
function eventOf(step: Step, document: Document): DocumensoEvent {
	const { id, secondaryId } = document;
	const subject = parse(subjectSchema, {
		...document,
		id: numberIn(secondaryId),
		envelopeId: id,
	});
	return { name: step, subject };
}
