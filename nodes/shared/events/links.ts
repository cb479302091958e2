import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pageOf } from '../api/baseUrl';
import type { Client } from '../api/client';
import { acts } from '../api/lifecycle';
import { parse } from '../api/records';

const signer = z.object({
	id: z.number(),
	role: z.string().default(''),
	token: z.string().default(''),
});
const withRecipients = z.object({ recipients: z.array(signer) });

type Signer = z.infer<typeof signer>;

/**
 * What an item has of recipients, with their signing links, which are not stored with it: `read` is what Documenso has now.
 */
export function linksFor(json: IDataObject, client: Client, read: IDataObject): IDataObject {
	const signers = parse(withRecipients, read).recipients;
	const known = new Map<unknown, Signer>(signers.map((one) => [one.id, one]));
	const extended = (listed: unknown, give: (one: Signer) => IDataObject) => {
		const extend = (one: IDataObject) => {
			const found = known.get(one.id);
			return found ? { ...one, ...give(found) } : one;
		};
		return Array.isArray(listed) ? (listed as IDataObject[]).map(extend) : (listed as IDataObject);
	};
	if (json.recipients) {
		// CC recipients have no page, and tokens are empty in documents of other users (documenso-api.md: Lists).
		const link = (one: Signer) =>
			acts(one) && one.token !== '' ? { signingUrl: client.signingUrl(one.token) } : {};
		return { recipients: extended(json.recipients, link) };
	}
	const linked: IDataObject = {};
	for (const kind of ['payload', 'document']) {
		if (!json[kind]) continue;
		const record = { ...(json[kind] as IDataObject) };
		for (const key of ['recipients', 'Recipient']) {
			if (key in record) record[key] = extended(record[key], ({ token }) => ({ token }));
		}
		linked[kind] = record;
	}
	return linked;
}

const withTeam = z.object({ team: z.object({ url: z.string() }).nullish() });

/** An item with the link to its document. Only with the team's URL is there one, and not every trigger knows that. */
export function withUrl(json: IDataObject, client: Client, read?: IDataObject): IDataObject {
	const teamUrl = withTeam.safeParse(read).data?.team?.url;
	if (!teamUrl) return json;
	const linked = { ...json };
	for (const kind of ['document', 'template'] as const) {
		const about = json[kind] as IDataObject | undefined;
		// A document as Documenso returned it names its team itself.
		if (about && !('team' in about)) {
			const url = pageOf(kind, { site: client.site, teamUrl, id: about.id as string });
			linked[kind] = { ...about, url };
		}
	}
	return linked;
}
