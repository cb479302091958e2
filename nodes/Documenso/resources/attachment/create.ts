import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { requiredLink } from '../../inputs/link';
import { envelopeId } from '../../inputs/locators';

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create an attachment',
	description: 'Attach a link for recipients to a document or template',
	endpoint: 'POST /envelope/attachment/create',
	returns: '`id`, `label`, `data`',
	effect: 'adds',
	inputs: { envelopeId, ...requiredLink },
	request: ({ envelopeId: id, label, data }) =>
		post('/envelope/attachment/create', { envelopeId: id, data: { label, data } }),
	items: (answer, { label, data }) => [{ ...answer, label, data }],
});
