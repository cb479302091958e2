import { envelopeId as idOf } from '../../envelope/read';
import { simplifyEnvelope } from '../../envelope/simplify';
import { envelopeId, folderId } from '../../fields/locators';
import { perItem } from '../../operation';
import { json } from '../../api/body';

export const moveEnvelope = perItem({
	name: 'Move Document or Template',
	value: 'moveEnvelope',
	action: 'Move a document or template into a folder',
	description: 'Put a document or template into a folder, or back into the root',
	endpoint: 'POST /envelope/update',
	returns: 'the document or template',
	properties: [
		envelopeId,
		{ ...folderId, required: false, description: 'Leave empty for the root' },
	],
	simplify: simplifyEnvelope,
	request: (params) => ({
		method: 'POST',
		path: '/envelope/update',
		body: json({
			envelopeId: idOf(params, 'envelopeId'),
			// The service takes null for the root.
			data: { folderId: params.string('folderId') || null },
		}),
	}),
});
