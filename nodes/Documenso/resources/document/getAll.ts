import { listOf } from '../../envelope/read';
import { paged } from '../../operation';
import { documentFilters } from '../../fields/filters';

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description: 'List many documents with their recipients',
	properties: [documentFilters],
	...listOf('DOCUMENT'),
});
