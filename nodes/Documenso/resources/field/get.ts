import { simplifyField } from '../../envelope/simplify';
import { envelopeOfPart, fieldId } from '../../fields/locators';
import { perItem } from '../../operation';
import { numericId } from '../../engine/values';
import { path } from '../../api/path';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a field',
	description: 'Read a field with what was filled in',
	endpoint: 'GET /envelope/field/{fieldId}',
	returns: 'the field',
	properties: [envelopeOfPart, fieldId],
	simplify: simplifyField,
	request: (params) => ({
		method: 'GET',
		path: path`/envelope/field/${params.value('fieldId', numericId)}`,
	}),
});
