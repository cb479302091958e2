import { filesOf } from '../../envelope/draft';
import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { inputFiles } from '../../fields/files';
import { envelopeId } from '../../fields/locators';
import { custom } from '../../operation';
import { multipart } from '../../api/body';

export const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a file',
	description: 'Add PDFs to a draft or template, behind those that it has',
	endpoint: 'POST /envelope/item/create-many',
	addsEachTime: true,
	returns: 'an item for each file',
	properties: [envelopeId, inputFiles],
	run: async (params, client) => {
		const payload = { envelopeId: idOf(params, 'envelopeId') };
		const answer = await client.send({
			method: 'POST',
			path: '/envelope/item/create-many',
			body: multipart(payload, await filesOf(params)),
		});
		return dataOf(answer).map((file) => ({ json: file }));
	},
});
