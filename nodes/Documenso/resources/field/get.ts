import { getFrom } from '../../api/client';
import { path } from '../../api/path';
import { perItem } from '../../engine/operation';
import { simplifyField } from '../../envelope/simplify';
import { envelopeOfPart, fieldId } from '../../inputs/locators';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a field',
	description: 'Get a field with what was filled in',
	endpoint: 'GET /envelope/field/{fieldId}',
	returns: 'the field',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, fieldId },
	simplify: simplifyField,
	request: ({ fieldId: id }) => getFrom(path`/envelope/field/${id}`),
});
