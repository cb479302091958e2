import { listOf } from '../../envelope/read';
import { templateFilters } from '../../fields/filters';
import { places } from '../../fields/searchIn';
import { paged } from '../../operation';

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List many templates with their recipients',
	returns: 'a template',
	properties: [...places, templateFilters],
	...listOf('TEMPLATE'),
});
