import { envelopeId as idOf } from '../../envelope/read';
import { attachmentFields } from '../../fields/attachment';
import { envelopeId } from '../../fields/locators';
import { perItem } from '../../operation';
import { attachmentOf } from '../../envelope/attachment';
import { json } from '../../api/body';

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create an attachment',
	description: 'Put a link beside a document or template, for the recipients to see',
	endpoint: 'POST /envelope/attachment/create',
	addsEachTime: true,
	returns: '`id`, `label`, `data`',
	properties: [envelopeId, ...attachmentFields],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/attachment/create',
		body: json({ envelopeId: idOf(params, 'envelopeId'), data: attachmentOf(params) }),
	}),
	output: (body, params) => ({ ...body, ...attachmentOf(params) }),
});
