import { listOf } from '../../envelope/read';
import { documentFilters } from '../../fields/filters';
import { places } from '../../fields/searchIn';
import { paged } from '../../operation';

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description: 'List many documents with their recipients',
	returns: 'a document',
	properties: [...places, documentFilters],
	...listOf('DOCUMENT'),
});
