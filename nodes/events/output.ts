import type { IDataObject } from 'n8n-workflow';

import { pageOf } from '../Documenso/api/baseUrl';
import type { Client } from '../Documenso/api/client';
import { acts, hasRejected } from '../Documenso/api/lifecycle';
import { withoutMarkers } from '../Documenso/envelope/marker';
import { rejectionIn } from '../Documenso/envelope/rejection';
import { isAboutTemplate, type DocumensoEvent, type SubjectRecipient } from './subject';

/** For n8n's assistant and its MCP server, which know no output before a workflow has run. */
export const SIMPLIFIED_HINT =
	'The output is nested: $json.event, $json.document.id, $json.document.title, $json.document.status, $json.document.externalId, and $json.recipients, each with email, name, role and signingStatus.';

/**
 * What workflows need of an event: `document` (or `template`), `recipients` and, if it is known, `causedBy`, without
 * signing tokens. Only with the team's URL is there a link to the document.
 */
export function simplifyEvent(
	client: Client,
	event: DocumensoEvent,
	teamUrl?: string,
	cause = causedBy(event),
): IDataObject {
	const { name, subject } = event;
	const { envelopeId: id } = subject;
	const kind = isAboutTemplate(name) ? 'template' : 'document';
	return {
		[kind]: {
			id,
			title: subject.title,
			status: subject.status,
			externalId: withoutMarkers(subject.externalId),
			source: subject.source ?? null,
			templateNumber: subject.templateId ?? null,
			createdAt: subject.createdAt ?? null,
			updatedAt: subject.updatedAt ?? null,
			completedAt: subject.completedAt ?? null,
			deletedAt: subject.deletedAt ?? null,
			...(teamUrl ? { url: pageOf(kind, { site: client.site, teamUrl, id }) } : {}),
		},
		...rejectionIn(subject.recipients),
		recipients: subject.recipients.map(shown),
		...(cause ? { causedBy: shown(cause) } : {}),
	};
}

function shown({ token: _token, ...recipient }: SubjectRecipient): IDataObject {
	return { ...recipient };
}

/** CC recipients have none, and tokens are empty in documents of other users (documenso-api.md: Lists). */
export function hasSigningPage(recipient: Pick<SubjectRecipient, 'role' | 'token'>): boolean {
	return acts(recipient) && recipient.token !== '';
}

/**
 * A raw delivery or document as an item shows it: its external ID without markers, and unless `withTokens`, no signing
 * tokens and links, wherever Documenso puts them.
 */
export function shownRecord(record: IDataObject, { withTokens = false } = {}): IDataObject {
	const shownValue = (key: string, value: unknown): unknown => {
		// The names of form values are the user's.
		if (key === 'formValues') return value;
		if (key === 'externalId' && typeof value === 'string') return value && withoutMarkers(value);
		if (Array.isArray(value)) return value.map((one) => shownValue('', one));
		return typeof value === 'object' && value !== null
			? shownRecord(value as IDataObject, { withTokens })
			: value;
	};
	const isSecret = (key: string) => key === 'token' || key === 'signingUrl';
	const kept = Object.entries(record).filter(([key]) => withTokens || !isSecret(key));
	// It came as JSON.
	return Object.fromEntries(
		kept.map(([key, value]) => [key, shownValue(key, value)]),
	) as IDataObject;
}

/**
 * The recipient who caused an event. Documenso lists all recipients and marks none (documenso-api.md: Delivery
 * payloads), so they are compared. Undefined if that leaves a doubt, or if a user of Documenso caused the event.
 */
export function causedBy({ name, subject }: DocumensoEvent): SubjectRecipient | undefined {
	const { recipients } = subject;
	switch (name) {
		case 'DOCUMENT_OPENED':
			// Opening has no date. Recipients who have also acted opened it earlier.
			return only(
				recipients.filter(({ readStatus, signedAt }) => readStatus === 'OPENED' && !signedAt),
			);
		case 'DOCUMENT_RECIPIENT_COMPLETED':
		case 'DOCUMENT_SIGNED':
		case 'DOCUMENT_COMPLETED':
			return latest(recipients.filter(acts), ({ signedAt }) => signedAt);
		case 'DOCUMENT_REJECTED':
			return only(recipients.filter(hasRejected));
		case 'RECIPIENT_EXPIRED':
			return latest(recipients, ({ expirationNotifiedAt }) => expirationNotifiedAt);
		default:
			return undefined;
	}
}

function only<Thing>(things: Thing[]): Thing | undefined {
	return things.length === 1 ? things[0] : undefined;
}

/** Undefined if two share the latest date. */
function latest(
	recipients: SubjectRecipient[],
	dateOf: (recipient: SubjectRecipient) => string | null | undefined,
): SubjectRecipient | undefined {
	const times = recipients.map((recipient) => Date.parse(dateOf(recipient) ?? ''));
	const last = Math.max(...times.filter((time) => !Number.isNaN(time)));
	return only(recipients.filter((_, index) => times[index] === last));
}
