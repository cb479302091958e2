import { distribute } from '../../envelope/distribute';
import { envelopeId, readNamed } from '../../envelope/read';
import { metaOver } from '../../envelope/settings';
import { withCause } from '../../errors';
import { documentId } from '../../fields/locators';
import { sendFields } from '../../fields/settings';
import { custom } from '../../operation';
import { settingsSchema } from '../../schemas/settings';

export const send = custom({
	name: 'Send',
	value: 'send',
	action: 'Send a document',
	description: 'Send a draft to its recipients, and get their signing links',
	endpoint: 'POST /envelope/distribute',
	// A document that was sent is sent again, with another event.
	addsEachTime: true,
	returns: '`id`, `recipients` with signing links',
	properties: [documentId, sendFields],
	run: async (params, client) => {
		const id = envelopeId(params, 'documentId');
		const settings = params.collection('additionalFields', settingsSchema);
		const read = async () => await readNamed(params, client, 'documentId');
		const isStoredNeeded = Object.keys(settings.emails).length > 0;
		const meta = metaOver(isStoredNeeded ? await read() : {}, settings);
		return [{ json: await withCause(async () => await distribute(client, id, meta, false), read) }];
	},
});
