import { distribute } from '../../envelope/distribute';
import { documentId } from '../../fields/envelopeLocator';
import { sendFields } from '../../fields/settings';
import { custom } from '../../operation';
import { settingsSchema } from '../../schemas/settings';

export const send = custom({
	name: 'Send',
	value: 'send',
	action: 'Send a document',
	description: 'Send a draft to its recipients, and get their signing links',
	properties: [documentId, sendFields],
	run: async (params, client) => {
		const { meta } = params.collection('additionalFields', settingsSchema);
		return [{ json: await distribute(client, params.required('documentId'), meta) }];
	},
});
