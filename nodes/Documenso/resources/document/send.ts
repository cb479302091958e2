import { withCause } from '../../engine/cause';
import { custom } from '../../engine/operation';
import { distribute } from '../../envelope/distribute';
import { readNamed } from '../../envelope/named';
import { metaOf } from '../../envelope/settings';
import { documentId } from '../../inputs/locators';
import { sendFields, sortSettings } from '../../inputs/settings';

export const send = custom({
	name: 'Send',
	value: 'send',
	action: 'Send a document',
	description: 'Send a draft to its recipients, and get their signing links',
	endpoint: 'POST /envelope/distribute',
	returns: '`id`, `recipients` with signing links',
	// Documenso sends a document that was already sent once more, with another event.
	effect: 'adds',
	inputs: { documentId, additionalFields: sendFields },
	run: async ({ documentId: id, additionalFields }, { client }) => {
		const settings = sortSettings(additionalFields);
		const read = async () => await readNamed(client, 'documentId', id);
		const isStoredNeeded = Object.keys(settings.emails).length > 0;
		const meta = metaOf(settings, isStoredNeeded ? await read() : {});
		const send = async () => await distribute(client, id, { meta, isNew: false });
		return [{ json: await withCause(send, read) }];
	},
});
