import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { withoutMarkers } from '../Documenso/waiting/marker';
import { causedBy } from './causedBy';
import { isAboutTemplate, type DocumensoEvent, type SubjectRecipient } from './subject';

/**
 * What workflows need of an event: `document` (or `template`), `recipients` and, if it is known, `causedBy`, without
 * signing tokens. Only with the team's URL is there a link to the document.
 */
export function simplifyEvent(
	client: Client,
	event: DocumensoEvent,
	{ teamUrl, withSigningLinks }: { teamUrl?: string; withSigningLinks: boolean },
): IDataObject {
	const { name, subject } = event;
	const kind = isAboutTemplate(name) ? 'template' : 'document';
	const cause = causedBy(event);
	return {
		[kind]: {
			id: subject.envelopeId,
			title: subject.title,
			status: subject.status,
			externalId: withoutMarkers(subject.externalId),
			source: subject.source ?? null,
			templateNumber: subject.templateId ?? null,
			createdAt: subject.createdAt ?? null,
			updatedAt: subject.updatedAt ?? null,
			completedAt: subject.completedAt ?? null,
			deletedAt: subject.deletedAt ?? null,
			...(teamUrl ? { url: `${client.site}/t/${teamUrl}/${kind}s/${subject.envelopeId}` } : {}),
		},
		recipients: subject.recipients.map((recipient) => ({
			...shown(recipient),
			...(withSigningLinks && hasSigningPage(recipient)
				? { signingUrl: client.signingUrl(recipient.token) }
				: {}),
		})),
		...(cause ? { causedBy: shown(cause) } : {}),
	};
}

function shown({ token: _token, ...recipient }: SubjectRecipient): IDataObject {
	return { ...recipient };
}

/** CC recipients have none, and tokens are empty in documents of other users (documenso-api.md: Lists). */
function hasSigningPage({ role, token }: SubjectRecipient): boolean {
	return role !== 'CC' && token !== '';
}

/** The raw payload or document without signing tokens. */
export function withoutTokens(record: IDataObject): IDataObject {
	const cleaned = { ...record };
	for (const key of ['recipients', 'Recipient']) {
		if (!Array.isArray(record[key])) continue;
		// Documenso returns recipients as objects.
		const recipients = record[key] as IDataObject[];
		cleaned[key] = recipients.map(({ token: _token, ...recipient }) => recipient);
	}
	return cleaned;
}
