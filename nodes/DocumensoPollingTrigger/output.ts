import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { numberIn } from '../Documenso/api/envelope';
import { parse } from '../Documenso/api/records';
import { eventIdOf } from '../events/eventId';
import { passes } from '../events/filters';
import { simplifyEvent, withoutTokens } from '../events/output';
import { subjectSchema, type DocumensoEvent } from '../events/subject';
import type { Occurrence } from './comparison';
import type { Document } from './document';
import type { Settings } from './inputs';

/** An item for each occurrence that the user selected. */
export function itemsOf(
	client: Client,
	occurrences: Occurrence[],
	settings: Settings,
): IDataObject[] {
	const { selection } = settings;
	return occurrences.flatMap((occurrence) => {
		if (!selection.events.includes(occurrence.step)) return [];
		const event = eventOf(occurrence);
		return passes(event, selection.filters) ? [itemOf(client, occurrence, event, settings)] : [];
	});
}

function itemOf(
	client: Client,
	{ step, document, isRecalled, by }: Occurrence,
	event: DocumensoEvent,
	{ simple }: Settings,
): IDataObject {
	const { subject } = event;
	const then = by ? { ...subject, recipients: subjectRecipients(by.recipients) } : subject;
	const eventId = eventIdOf({ name: step, subject: then });
	const addresses = document.recipients.map(({ email }) => ({ email }));
	const cause = by && subject.recipients.find(({ id }) => id === by.recipient.id);
	if (!simple) {
		// It came as JSON.
		const record = { ...document, ...(isRecalled ? { recipients: addresses } : {}) } as IDataObject;
		return { event: step, eventId, document: withoutTokens(record) };
	}
	return {
		event: step,
		eventId,
		isTest: false,
		...simplifyEvent(client, event, document.team?.url, cause),
		...(isRecalled ? { recipients: addresses } : {}),
	};
}

/** The event as a delivery would carry it: there, `id` is the number in `secondaryId`. */
export function eventOf({ step, document }: Occurrence): DocumensoEvent {
	const { id, secondaryId } = document;
	const subject = parse(subjectSchema, {
		...document,
		id: numberIn(secondaryId),
		envelopeId: id,
	});
	return { name: step, subject };
}

function subjectRecipients(recipients: Document['recipients']) {
	return parse(subjectSchema.shape.recipients, recipients);
}
