import type { INodeProperties } from 'n8n-workflow';

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

/** A mapper of what the template chosen in `chooser` has. */
function mapper(
	chooser: string,
	{ displayName, name, description }: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	method: string,
	noFieldsError: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		description,
		typeOptions: {
			loadOptionsDependsOn: [chooser, 'additionalFields.allowPlaceholders'],
			resourceMapper: {
				resourceMapperMethod: method,
				mode: 'add',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: true,
				supportAutoMap: true,
				noFieldsError,
			},
		},
	};
}

function templateRecipients(chooser: string): INodeProperties {
	return mapper(
		chooser,
		{
			displayName: 'Recipients',
			name: 'templateRecipients',
			description:
				"Who takes the places of the template's recipients. Map Automatically takes columns such as 'Tenant email' and 'Tenant name'.",
		},
		'getTemplateRecipients',
		'The template has no recipients',
	);
}

function prefillFields(chooser: string): INodeProperties {
	return {
		...mapper(
			chooser,
			{
				displayName: 'Prefill',
				name: 'prefillFields',
				description:
					"What is filled in already when the recipients open the document. Leave empty what they are to fill in. Map Automatically takes columns called like the template's fields.",
			},
			'getTemplateFields',
			'The template has no fields that can be prefilled',
		),
		displayOptions: { show: { specifyPrefill: ['fields'] } },
	};
}

const prefillJson: INodeProperties = {
	displayName: 'Prefill (JSON)',
	name: 'prefillJson',
	type: 'json',
	displayOptions: { show: { specifyPrefill: ['json'] } },
	default: '{\n\t"Label of the field": "value"\n}',
	description:
		'Labels of fields of the template, and their values: text, a number, a date such as 2026-12-31, an option, or a list of options',
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
		templateRecipients(chooser),
		inputMode('Specify Prefill', 'specifyPrefill'),
		prefillFields(chooser),
		prefillJson,
		...files,
		send,
		templateDelivery,
		useFields,
	];
}
