import { multipart } from '../../api/body';
import { dataOf } from '../../api/records';
import { filesOf } from '../../engine/binary';
import { perItem } from '../../engine/operation';
import { inputPdfs } from '../../inputs/files';
import { envelopeId } from '../../inputs/locators';

export const add = perItem({
	name: 'Add',
	value: 'add',
	action: 'Add a file',
	description: 'Add PDFs at the end of a draft or template',
	endpoint: 'POST /envelope/item/create-many',
	returns: 'an item for each file',
	effect: 'adds',
	inputs: { envelopeId, binaryPropertyName: inputPdfs },
	request: async ({ envelopeId: id, binaryPropertyName }, item) => ({
		method: 'POST',
		path: '/envelope/item/create-many',
		body: multipart({ envelopeId: id }, await filesOf(item, binaryPropertyName)),
	}),
	items: dataOf,
});
