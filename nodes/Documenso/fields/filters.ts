import type { INodeProperties } from 'n8n-workflow';

const folderId: INodeProperties = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	description:
		'The folder to list. Leave empty for the root: documents in folders are not listed there.',
};

const query: INodeProperties = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	description: 'Text to look for in titles, external IDs, and the names and emails of recipients',
};

const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'orderByDirection',
	type: 'options',
	options: [
		{ name: 'Newest First', value: 'desc' },
		{ name: 'Oldest First', value: 'asc' },
	],
	default: 'desc',
	description: 'The order by the date of creation',
};

const hasExpiredRecipients: INodeProperties = {
	displayName: 'Only With Expired Recipients',
	name: 'hasExpiredRecipients',
	type: 'boolean',
	default: false,
	description: 'Whether to list only documents with a signing link that expired unused',
};

const source: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{ name: 'Direct Link', value: 'TEMPLATE_DIRECT_LINK' },
		{ name: 'Document', value: 'DOCUMENT' },
		{ name: 'Template', value: 'TEMPLATE' },
	],
	default: 'DOCUMENT',
	description: 'What the document was made from',
};

const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Cancelled', value: 'CANCELLED' },
		{ name: 'Completed', value: 'COMPLETED' },
		{ name: 'Draft', value: 'DRAFT' },
		{ name: 'Pending', value: 'PENDING' },
		{ name: 'Rejected', value: 'REJECTED' },
	],
	default: 'COMPLETED',
};

function filters(options: INodeProperties[]) {
	const property: INodeProperties = {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options,
	};
	return property;
}

export const documentFilters = filters([
	folderId,
	hasExpiredRecipients,
	query,
	sort,
	source,
	status,
]);
export const templateFilters = filters([folderId, query, sort]);
