import { distribute } from '../../envelope/distribute';
import { createDraft, draftOf } from '../../envelope/draft';
import { checkSendable } from '../../envelope/recipients';
import { withDocument } from '../../errors';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createFields, requiredTitle } from '../../fields/settings';
import { custom } from '../../operation';

export const createAndSend = custom({
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send a document',
	description: 'Make a document from one or several PDFs and send it for signing',
	endpoint: 'POST /envelope/create, POST /envelope/distribute',
	returns: '`id`, `externalId`, `recipients` with signing links',
	properties: [requiredTitle, inputFiles, ...recipientsWithFields, createFields],
	run: async (params, client) => {
		const draft = await draftOf(params, 'DOCUMENT');
		checkSendable(params, draft.recipients);
		const created = await createDraft(client, draft);
		const sent = await distribute(client, created.id, {}, true).catch((error: unknown) => {
			const advice = `The document was created as ${created.id}, and is not known to be sent: send or delete that one instead of creating another.`;
			throw withDocument(error, advice, { documentId: created.id });
		});
		return [{ json: { ...created, ...sent } }];
	},
});
