import { attachmentOf } from '../../envelope/attachment';
import { attachmentFields } from '../../fields/attachment';
import { attachmentId, envelopeOfPart } from '../../fields/locators';
import { perItem } from '../../operation';
import { json } from '../../api/body';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update an attachment',
	description: 'Change the label and the address of a link',
	endpoint: 'POST /envelope/attachment/update',
	returns: '`id`, `label`, `data`',
	properties: [envelopeOfPart, attachmentId, ...attachmentFields],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/attachment/update',
		body: json({ id: params.required('attachmentId'), data: attachmentOf(params) }),
	}),
	output: (_, params) => ({ id: params.string('attachmentId'), ...attachmentOf(params) }),
});
