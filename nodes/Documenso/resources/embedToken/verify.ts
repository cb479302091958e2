import { postToRead } from '../../api/client';
import { text } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { compact } from '../../engine/values';

export const verify = perItem({
	name: 'Verify',
	value: 'verify',
	action: 'Verify an embed token',
	description: 'Check whether an embed token is still valid',
	endpoint: 'POST /embedding/verify-presign-token',
	returns: '`success`',
	effect: 'reads',
	inputs: {
		token: text('Embed Token', { typeOptions: { password: true }, required: true }),
		scope: text('Scope', {
			placeholder: 'e.g. envelopeId:envelope_abcdefghijklmnop',
			description: 'What the token has to be for. Leave empty not to check it.',
		}),
	},
	request: (values) => postToRead('/embedding/verify-presign-token', compact(values)),
});
