import { distribute } from '../../envelope/distribute';
import { envelopeId } from '../../envelope/read';
import { metaOverStored } from '../../envelope/settings';
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
		return [
			{ json: await distribute(client, id, await metaOverStored(client, id, settings), false) },
		];
	},
});
