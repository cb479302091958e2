import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { causedBy } from './causedBy';
import { isAboutTemplate, type DocumensoEvent, type SubjectRecipient } from './subject';

/** What the links of an event are made of. */
export interface Links {
	/** Where people open Documenso: `https://app.documenso.com`. */
	site: string;
	/** The team's part of page addresses; without it there is no link to the document. */
	teamUrl?: string;
	/** The signing page for a token, if signing links are wanted: anyone who has such a link can sign. */
	signingUrl?: (token: string) => string;
}

export function linksOf(client: Client, teamUrl?: string, withSigningPages = false): Links {
	const signingUrl = (token: string) => client.signingUrl(token);
	return { site: client.site, teamUrl, ...(withSigningPages ? { signingUrl } : {}) };
}

/**
 * An event as workflows use it: `document` (or `template`), `recipients` and, if it is known, `causedBy`, without
 * signing tokens.
 */
export function simplifyEvent(event: DocumensoEvent, links: Links): IDataObject {
	const { name, subject } = event;
	const kind = isAboutTemplate(name) ? 'template' : 'document';
	const cause = causedBy(event);
	return {
		event: name,
		[kind]: {
			id: subject.envelopeId,
			title: subject.title,
			status: subject.status,
			externalId: subject.externalId ?? null,
			source: subject.source ?? null,
			templateNumber: subject.templateId ?? null,
			createdAt: subject.createdAt ?? null,
			updatedAt: subject.updatedAt ?? null,
			completedAt: subject.completedAt ?? null,
			deletedAt: subject.deletedAt ?? null,
			...(links.teamUrl
				? { url: `${links.site}/t/${links.teamUrl}/${kind}s/${subject.envelopeId}` }
				: {}),
		},
		recipients: subject.recipients.map((recipient) => ({
			...shown(recipient),
			...(links.signingUrl && hasSigningPage(recipient)
				? { signingUrl: links.signingUrl(recipient.token) }
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

/** A body or document as it came, but without signing tokens. */
export function withoutTokens(record: IDataObject): IDataObject {
	const lists = ['recipients', 'Recipient'].filter((key) => Array.isArray(record[key]));
	const cleaned = lists.map((key) => [
		key,
		(record[key] as IDataObject[]).map(({ token: _token, ...recipient }) => recipient),
	]);
	return { ...record, ...(Object.fromEntries(cleaned) as IDataObject) };
}
