import { listOf } from '../../envelope/read';
import { templateFilters } from '../../fields/filters';
import { paged } from '../../operation';

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'List many templates with their recipients',
	properties: [templateFilters],
	...listOf('TEMPLATE'),
});
