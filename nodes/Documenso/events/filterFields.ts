import type { INodeProperties } from 'n8n-workflow';

/** A condition on a text; upper and lower case count alike. */
function textCondition(displayName: string, name: string, placeholder: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		placeholder: 'Add Condition',
		default: {},
		options: [
			{
				displayName: 'Condition',
				name: 'rule',
				values: [
					{
						displayName: 'Condition',
						name: 'condition',
						type: 'options',
						options: [
							{ name: 'Contains', value: 'contains' },
							{ name: 'Is', value: 'equals' },
							{ name: 'Matches Regex', value: 'matches' },
							{ name: 'Starts With', value: 'startsWith' },
						],
						default: 'equals',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder,
						description:
							'Upper and lower case count alike, but not in a regular expression without an i behind it: /^crm-/i',
					},
				],
			},
		],
	};
}

/** What narrows events down, whether they are delivered or polled for. */
export const filterFields: INodeProperties[] = [
	textCondition('External ID', 'externalId', 'e.g. crm-1042'),
	{
		displayName: 'Only When All Have Acted',
		name: 'lastRecipientOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave out events of documents that somebody still has to sign, approve or view: the last recipient has acted. A rejected document waits for nobody.',
	},
	{
		displayName: 'Recipient Email',
		name: 'recipientEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. tenant@example.com',
		description: 'Only documents that this address is a recipient of',
	},
	{
		displayName: 'Source',
		name: 'source',
		type: 'multiOptions',
		options: [
			{ name: 'Direct Link', value: 'TEMPLATE_DIRECT_LINK' },
			{ name: 'Document', value: 'DOCUMENT' },
			{ name: 'Template', value: 'TEMPLATE' },
		],
		default: [],
		description: 'What the document was made from',
	},
	{
		displayName: 'Template',
		name: 'template',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'Only documents made from this template, and events of the template itself',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a template…',
				typeOptions: { searchListMethod: 'searchTemplateNumbers', searchable: true },
			},
			{
				displayName: 'By Number',
				name: 'number',
				type: 'string',
				placeholder: 'e.g. 7',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*(template_)?\\d+\\s*$',
							errorMessage: 'Events name the template by its number: 7 for template_7',
						},
					},
				],
			},
		],
	},
	textCondition('Title', 'title', 'e.g. Rental agreement'),
];

export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: filterFields,
};
