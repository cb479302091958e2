import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { pageOf } from '../api/baseUrl';
import type { Client } from '../api/client';
import { parse } from '../api/records';
import { hasSigningPage } from './output';

const withRecipients = z.object({
	recipients: z.array(
		z.object({ id: z.number(), role: z.string().default(''), token: z.string().default('') }),
	),
});

type Signer = z.infer<typeof withRecipients>['recipients'][number];

/** An item with its recipients' signing links, which are not stored with it: `read` is what Documenso has now. */
export function withLinks(json: IDataObject, client: Client, read: IDataObject): IDataObject {
	const stored = parse(withRecipients, read).recipients;
	const known = new Map(stored.map((recipient) => [recipient.id, recipient]));
	const { recipients: simplified, payload, document } = json;
	if (simplified) {
		const link = (recipient: Signer) =>
			hasSigningPage(recipient) ? { signingUrl: client.signingUrl(recipient.token) } : {};
		return { ...json, recipients: extended(simplified, known, link) };
	}
	const token = (recipient: Signer) => ({ token: recipient.token });
	const whole = (record: IDataObject[string]) => {
		const entries = Object.entries(record as IDataObject).map(([key, value]) =>
			['recipients', 'Recipient'].includes(key)
				? [key, extended(value, known, token)]
				: [key, value],
		);
		return Object.fromEntries(entries) as IDataObject;
	};
	return {
		...json,
		...(payload ? { payload: whole(payload) } : {}),
		...(document ? { document: whole(document) } : {}),
	};
}

/** The recipients of an item, each with what its counterpart in Documenso gives. */
function extended(
	listed: IDataObject[string],
	known: ReadonlyMap<unknown, Signer>,
	give: (recipient: Signer) => IDataObject,
): IDataObject[string] {
	if (!Array.isArray(listed)) return listed;
	return (listed as IDataObject[]).map((one) => {
		const recipient = known.get(one.id);
		return recipient ? { ...one, ...give(recipient) } : one;
	});
}

/** An item with the link to its document. Only with the team's URL is there one, and not every trigger knows that. */
export function withUrl(json: IDataObject, client: Client, read?: IDataObject): IDataObject {
	const teamUrl = teamSchema.safeParse(read).data?.team?.url;
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

const teamSchema = z.object({ team: z.object({ url: z.string() }).nullish() });
