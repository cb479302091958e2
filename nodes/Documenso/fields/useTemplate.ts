import type { INodeProperties } from 'n8n-workflow';

import { inputMode } from './inputMode';
import { recipientEmail, recipientName, signingOrder } from './recipients';
import { useFields } from './settings';

const send: INodeProperties = {
	displayName: 'Send Now',
	name: 'send',
	type: 'boolean',
	default: true,
	description: 'Whether to send the document at once, instead of keeping it as a draft',
};

const recipients: INodeProperties = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Recipient',
	default: {},
	description: "Who takes the places of the template's recipients",
	options: [
		{
			displayName: 'Recipient',
			name: 'recipient',
			values: [
				{
					displayName: 'Recipient Name or ID',
					name: 'recipientId',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: 'getTemplateRecipients',
						loadOptionsDependsOn: ['templateId.value'],
					},
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				recipientEmail,
				{ ...recipientName, description: "Leave empty to keep the template's" },
				{
					...signingOrder,
					displayName: 'Order (0: As in Template)',
					description: 'When it is their turn: 1 before 2, and so on',
				},
			],
		},
	],
};

const prefillFields: INodeProperties = {
	displayName: 'Prefill',
	name: 'prefillFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	displayOptions: { show: { specifyPrefill: ['fields'] } },
	default: {},
	description: 'What is filled in already when the recipients open the document',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Field Name or ID',
					name: 'fieldId',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: 'getTemplateFields',
						loadOptionsDependsOn: ['templateId.value'],
					},
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description:
						'Dates as 2026-12-31, several choices separated by commas. Leave empty to let the recipient fill it in.',
				},
			],
		},
	],
};

const prefillJson: INodeProperties = {
	displayName: 'Prefill (JSON)',
	name: 'prefillJson',
	type: 'json',
	displayOptions: { show: { specifyPrefill: ['json'] } },
	default: '{\n\t"Label of the field": "value"\n}',
	description: 'Labels (or IDs) of fields of the template, and their values',
};

const allowPlaceholders: INodeProperties = {
	displayName: 'Allow Placeholder Recipients',
	name: 'allowPlaceholders',
	type: 'boolean',
	default: false,
	description:
		'Whether to create the document although a recipient of the template has no real email address yet',
};

const replacedFiles: INodeProperties = {
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

/** Who and what a template is filled in with. */
export const useTemplateFields: INodeProperties[] = [
	send,
	recipients,
	inputMode('Specify Prefill', 'specifyPrefill'),
	prefillFields,
	prefillJson,
	replacedFiles,
	useFields({ allowPlaceholders }),
];
