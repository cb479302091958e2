import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { requiredLink } from '../../inputs/link';
import { attachmentId, envelopeOfPart } from '../../inputs/locators';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update an attachment',
	description: 'Change the label and the URL of a link',
	endpoint: 'POST /envelope/attachment/update',
	returns: '`id`, `label`, `data`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, attachmentId, ...requiredLink },
	request: ({ attachmentId: id, label, data }) =>
		post('/envelope/attachment/update', { id, data: { label, data } }),
	items: (_, { attachmentId: id, label, data }) => [{ id, label, data }],
});
