import { withCause } from '../engine/cause';
import type { Values } from '../engine/input';
import type { WithClient } from '../engine/item';
import { documentId } from '../inputs/locators';
import { sendFields, sortSettings } from '../inputs/settings';
import { distribute } from './distribute';
import { readNamed } from './named';
import { metaOf } from './settings';

export const sendInputs = { documentId, additionalFields: sendFields };

/** Sends a draft, and returns its recipients with their signing links. */
export async function sendDraft(
	{ documentId: id, additionalFields }: Values<typeof sendInputs>,
	{ client }: WithClient,
) {
	const settings = sortSettings(additionalFields);
	const read = async () => await readNamed(client, 'documentId', id);
	const isStoredNeeded = Object.keys(settings.emails).length > 0;
	const meta = metaOf(settings, isStoredNeeded ? await read() : {});
	return await withCause(async () => await distribute(client, id, { meta, isNew: false }), read);
}
