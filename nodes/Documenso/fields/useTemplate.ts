import type { INodeProperties, ResourceMapperTypeOptions } from 'n8n-workflow';

import { inputMode } from './inputMode';
import { templateDelivery } from './mailInputs';
import { useFields } from './settings';

const send: INodeProperties = {
	displayName: 'Send Now',
	name: 'send',
	type: 'boolean',
	default: true,
	description: 'Whether to send the document at once, instead of keeping it as a draft',
};

/** n8n shows neither the name nor the description of a mapper, and no names of columns with Map Automatically. */
const recipientsNotice: INodeProperties = {
	displayName:
		"Recipients. Who is left empty stays as in the template. Columns to map automatically: 'Tenant email', 'Tenant name' for a recipient called Tenant.",
	name: 'recipientsNotice',
	type: 'notice',
	default: '',
};

const prefillNotice: INodeProperties = {
	displayName:
		"Prefill. What is left empty is for the recipients to fill in. Columns to map automatically are called like the template's fields.",
	name: 'prefillNotice',
	type: 'notice',
	displayOptions: { show: { specifyPrefill: ['fields'] } },
	default: '',
};

/** How a mapper shows what the template chosen in `chooser` has. */
function mapperOf(chooser: string, resourceMapper: MapperOptions): Mapper {
	return {
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: [chooser, 'additionalFields.allowPlaceholders'],
			resourceMapper: {
				mode: 'add',
				addAllFields: true,
				supportAutoMap: true,
				// Without a template there is nothing to load yet, which is no failure.
				hideNoDataError: true,
				...resourceMapper,
			},
		},
	};
}

type Mapper = Pick<INodeProperties, 'type' | 'noDataExpression' | 'default' | 'typeOptions'>;

type MapperOptions = Pick<
	ResourceMapperTypeOptions,
	'valuesLabel' | 'fieldWords' | 'noFieldsError'
> & { resourceMapperMethod: string };

function templateRecipients(chooser: string): INodeProperties {
	return {
		displayName: 'Recipients',
		name: 'templateRecipients',
		...mapperOf(chooser, {
			resourceMapperMethod: 'getTemplateRecipients',
			valuesLabel: 'Recipients',
			fieldWords: { singular: 'recipient column', plural: 'recipient columns' },
			noFieldsError: 'The template has no recipients',
		}),
	};
}

function prefillFields(chooser: string): INodeProperties {
	return {
		displayName: 'Prefill',
		name: 'prefillFields',
		displayOptions: { show: { specifyPrefill: ['fields'] } },
		...mapperOf(chooser, {
			resourceMapperMethod: 'getTemplateFields',
			valuesLabel: 'Prefilled Fields',
			fieldWords: { singular: 'field', plural: 'fields' },
			noFieldsError: 'The template has no fields that can be prefilled',
		}),
	};
}

const prefillJson: INodeProperties = {
	displayName: 'Prefill (JSON)',
	name: 'prefillJson',
	type: 'json',
	displayOptions: { show: { specifyPrefill: ['json'] } },
	default: '{\n\t"Label of the field": "value"\n}',
	description:
		'Labels of fields of the template, and their values: text, a number, a date such as 2026-12-31, an option, or a list of options such as ["Cellar", "Garage"]',
};

export const replacedFiles: INodeProperties = {
	displayName: 'Replaced Files',
	name: 'replacedFiles',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Replace File',
	default: {},
	description:
		"PDFs that take the places of the template's; the fields stay where they are on the page",
	options: [
		{
			displayName: 'File',
			name: 'file',
			values: [
				{
					displayName: 'File Name or ID',
					name: 'envelopeItemId',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: 'getTemplateFiles',
						loadOptionsDependsOn: ['templateId.value'],
					},
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Input Binary Field',
					name: 'property',
					type: 'string',
					default: 'data',
					hint: 'The name of the input binary field containing the PDF',
				},
			],
		},
	],
};

/** Who and what the template chosen in the parameter `chooser` is filled in with. */
export function useTemplateFields(chooser: string, files: INodeProperties[] = []) {
	return [
		recipientsNotice,
		templateRecipients(chooser),
		inputMode('Specify Prefill', 'specifyPrefill'),
		prefillNotice,
		prefillFields(chooser),
		prefillJson,
		send,
		templateDelivery,
		...files,
		useFields,
	];
}
