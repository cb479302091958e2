import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Settings } from '../inputs/settings';

const storedSchema = z.object({
	documentMeta: z.object({ emailSettings: z.record(z.boolean()).nullish() }).nullish(),
});

/** The settings for something new: the service switches on every email that is not named. */
export function metaOf({ meta, emails }: Settings): IDataObject {
	return { ...meta, ...emailSettings({}, emails) };
}

/** The settings over those that a document or template has, whose emails stay as they are unless named. */
export function metaOver(stored: object, { meta, emails }: Settings): IDataObject {
	return { ...meta, ...emailSettings(stored, emails) };
}

/** What is left out the service switches on, whatever was stored (documenso-api.md: Email settings). */
function emailSettings(stored: object, emails: Record<string, boolean>) {
	if (Object.keys(emails).length === 0) return {};
	const { documentMeta } = storedSchema.parse(stored);
	return { emailSettings: { ...documentMeta?.emailSettings, ...emails } };
}
