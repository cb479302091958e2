import { perItem } from '../../operation';
import { compact } from '../../params';
import { json } from '../../api/body';

export const verify = perItem({
	name: 'Verify',
	value: 'verify',
	action: 'Verify an embed token',
	description: 'Check whether an embed token is still good',
	endpoint: 'POST /embedding/verify-presign-token',
	isRead: true,
	returns: '`success`',
	properties: [
		{
			displayName: 'Embed Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: '',
			placeholder: 'e.g. envelopeId:envelope_abcdefghijklmnop',
			description: 'What the token has to be for. Leave empty not to check it.',
		},
	],
	request: (params) => ({
		method: 'POST',
		path: '/embedding/verify-presign-token',
		body: json(compact({ token: params.required('token'), scope: params.string('scope') })),
	}),
});
