import { envelopeId } from '../../envelope/read';
import { documentId } from '../../fields/locators';
import { perItem } from '../../operation';
import { compact } from '../../params';
import { json } from '../../api/body';

export const cancel = perItem({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Call back a document that was sent; nobody can sign it any more',
	endpoint: 'POST /envelope/cancel',
	returns: '`id`, `success`',
	properties: [
		documentId,
		{
			displayName: 'Reason',
			name: 'reason',
			type: 'string',
			default: '',
			description: 'Told to the recipients',
		},
	],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/cancel',
		body: json(
			compact({ envelopeId: envelopeId(params, 'documentId'), reason: params.string('reason') }),
		),
	}),
	output: (body, params) => ({ id: params.string('documentId'), ...body }),
});
