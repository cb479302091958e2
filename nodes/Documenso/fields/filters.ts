import type { INodeProperties } from 'n8n-workflow';

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

/** The same for lists that have no other filter. */
export const sorting = sort;

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

const templateNumber: INodeProperties = {
	displayName: 'Template Number',
	name: 'templateId',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'List only documents made from the template with this number: 7 for template_7 in its secondaryId',
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
	hasExpiredRecipients,
	query,
	sort,
	source,
	status,
	templateNumber,
]);
export const templateFilters = filters([query, sort]);
