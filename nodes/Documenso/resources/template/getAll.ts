import { list } from '../../engine/operation';
import { listOf } from '../../envelope/read';
import { places, templateFilters } from '../../inputs/filters';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Get many templates with their recipients',
	returns: 'a template',
	inputs: { ...places, filters: templateFilters },
	...listOf('TEMPLATE'),
});
