import { envelopeOfPart, fieldId } from '../../fields/locators';
import { perItem } from '../../operation';
import { numericId } from '../../engine/values';
import { json } from '../../api/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a field',
	description: 'Take a field off its page',
	endpoint: 'POST /envelope/field/delete',
	returns: '`id`, `deleted`',
	properties: [envelopeOfPart, fieldId],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/field/delete',
		body: json({ fieldId: params.value('fieldId', numericId) }),
	}),
	output: (_, params) => ({ id: params.value('fieldId', numericId), deleted: true }),
});
