import { documentId } from '../../fields/envelopeLocator';
import { perItem } from '../../operation';
import { json } from '../../transport/body';
import { compact } from '../../params';

export const cancel = perItem({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Call back a document that was sent; nobody can sign it any more',
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
			compact({ envelopeId: params.required('documentId'), reason: params.string('reason') }),
		),
	}),
	output: (body, params) => ({ id: params.string('documentId'), ...body }),
});
