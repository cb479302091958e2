import { list } from '../../engine/operation';
import { listOf } from '../../envelope/read';
import { documentFilters, places } from '../../inputs/filters';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description: 'Get many documents with their recipients',
	returns: 'a document',
	inputs: { ...places, filters: documentFilters },
	...listOf('DOCUMENT'),
});
