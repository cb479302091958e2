import type { INodeProperties } from 'n8n-workflow';

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simple: INodeProperties = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const checkAllFirst: INodeProperties = {
	displayName: 'Check All Items First',
	name: 'checkAllFirst',
	type: 'boolean',
	default: true,
	description:
		'Whether to check every item before anything is created: with one that cannot be used, nothing is created, and all such items are listed. With Continue on Fail, only they fail.',
};
