import type { INodeProperties } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../api/adaptiveConcurrency';

const maxInFlight: INodeProperties = {
	displayName: 'Max in Flight',
	name: 'maxInFlight',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: MAX_CONCURRENT_REQUESTS,
	description:
		'The most requests under way at once. The node begins with a few and finds out how many Documenso bears; with 1 they go strictly one after another.',
};

/** The collection that n8n's own nodes have at their end. */
export function optionsOf(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** Every operation has options, some beside others of their own. */
export function withOptions(properties: INodeProperties[]): INodeProperties[] {
	const options = optionsOf([maxInFlight]);
	if (!properties.some(({ name }) => name === options.name)) return [...properties, options];
	return properties.map((property) =>
		property.name === options.name
			? { ...property, options: [...(property.options ?? []), maxInFlight] }
			: property,
	);
}
