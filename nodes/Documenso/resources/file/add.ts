import { multipart } from '../../api/body';
import { dataOf } from '../../api/records';
import { filesOf } from '../../engine/binary';
import { custom } from '../../engine/operation';
import { inputFiles } from '../../inputs/files';
import { envelopeId } from '../../inputs/locators';

export const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a file',
	description: 'Add PDFs to a draft or template, after those that it has',
	endpoint: 'POST /envelope/item/create-many',
	returns: 'an item for each file',
	effect: 'adds',
	inputs: { envelopeId, binaryPropertyName: inputFiles },
	run: async ({ envelopeId: id, binaryPropertyName }, item) => {
		const files = await filesOf(item, binaryPropertyName);
		const body = multipart({ envelopeId: id }, files);
		const answer = await item.client.post('/envelope/item/create-many', body);
		return dataOf(answer).map((file) => ({ json: file }));
	},
});
