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
			description: 'The scope that the token must have. Leave empty to skip this check.',
		}),
	},
	request: (values) => postToRead('/embedding/verify-presign-token', compact(values)),
});
