import type { IDataObject } from 'n8n-workflow';

import { pageOf } from '../api/baseUrl';
import type { Client } from '../api/client';
import { withoutMarkers } from '../envelope/marker';
import { rejectionIn } from '../envelope/simplify';
import { picked } from '../n8n/values';
import { isAboutTemplate, type DocumensoEvent } from './event';
import { recipientSchema, type SubjectRecipient } from './subject';

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
	teamUrl = event.now?.team?.url,
): IDataObject {
	const { name, asItWas, now = asItWas, by } = event;
	const { id } = now;
	const kind = isAboutTemplate(name) ? 'template' : 'document';
	return {
		[kind]: {
			id,
			title: now.title,
			status: now.status,
			externalId: withoutMarkers(now.externalId),
			source: now.source ?? null,
			templateNumber: now.templateId ?? null,
			createdAt: now.createdAt ?? null,
			updatedAt: now.updatedAt ?? null,
			completedAt: now.completedAt ?? null,
			deletedAt: now.deletedAt ?? null,
			...(teamUrl ? { url: pageOf(kind, { site: client.site, teamUrl, id }) } : {}),
		},
		...rejectionIn(now.recipients),
		recipients: event.now ? now.recipients.map(shown) : addressesIn(event),
		...(by ? { causedBy: shown(by) } : {}),
	};
}

/** The document as a list returned it. */
export function rawDocument(event: DocumensoEvent): IDataObject {
	const { asItWas, now = { ...asItWas, recipients: addressesIn(event) } } = event;
	return now;
}

/** All that was stored of the recipients of a document that is gone. */
function addressesIn({ asItWas }: DocumensoEvent): IDataObject[] {
	return asItWas.recipients.map(({ email }) => ({ email }));
}

/** What deliveries have of a recipient: lists tell more. */
const SHOWN = recipientSchema.omit({ token: true }).keyof().options;

function shown(recipient: SubjectRecipient): IDataObject {
	return picked(recipient, SHOWN);
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
