import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../schemas/settings';
import type { Client } from '../api/client';
import { path } from '../api/path';
import { readEnvelope, type Envelope } from './envelope';

/** The settings for something new: the service switches on every mail that is not named. */
export function metaOf({ meta, emails }: Settings): IDataObject {
	return { ...meta, ...emailSettings({}, emails) };
}

/** The settings over those of a template that is used, whose mails stay as they are unless named. */
export function metaOver(template: Envelope, { meta, emails }: Settings): IDataObject {
	return { ...meta, ...emailSettings(storedIn(template), emails) };
}

/** The settings over those that a document has; it is read only when there is something to keep. */
export async function metaOverStored(
	client: Client,
	id: string,
	settings: Settings,
): Promise<IDataObject> {
	if (Object.keys(settings.emails).length === 0) return settings.meta;
	const body = await client.send({ method: 'GET', path: path`/envelope/${id}` });
	return metaOver(readEnvelope(body), settings);
}

function storedIn({ documentMeta }: Envelope) {
	return documentMeta?.emailSettings ?? {};
}

/** What is left out the service switches on, whatever was stored (contract §1.7). */
function emailSettings(stored: Record<string, boolean>, emails: Record<string, boolean>) {
	return Object.keys(emails).length > 0 ? { emailSettings: { ...stored, ...emails } } : {};
}
