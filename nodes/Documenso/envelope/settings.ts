import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Settings } from '../inputs/settings';

const storedSchema = z.object({
	documentMeta: z.object({ emailSettings: z.record(z.boolean()).nullish() }).nullish(),
});

/**
 * The settings as the service takes them. It switches on every email that is not named
 * (documenso-api.md: Email settings), so the ones that `stored` has are sent along.
 */
export function metaOf({ meta, emails }: Settings, stored: object = {}): IDataObject {
	if (Object.keys(emails).length === 0) return meta;
	const { documentMeta } = storedSchema.parse(stored);
	return { ...meta, emailSettings: { ...documentMeta?.emailSettings, ...emails } };
}
