import type { INodeProperties } from 'n8n-workflow';

import { inputMode } from './inputMode';
import { coordinates, fieldType } from './placement';

const JSON_EXAMPLE = `[
	{
		"email": "nathan@example.com",
		"name": "Nathan",
		"role": "SIGNER",
		"fields": [
			{ "type": "SIGNATURE", "page": 1, "positionX": 10, "positionY": 80, "width": 30, "height": 6 }
		]
	}
]`;

export const signingOrder: INodeProperties = {
	displayName: 'Signing Order (0: None)',
	name: 'signingOrder',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'When it is their turn: 1 before 2, and so on. With 0 on everyone, all sign at once.',
};

export const recipientEmail: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'name@email.com',
	default: '',
};

export const recipientName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	placeholder: 'e.g. Nathan Miller',
	default: '',
};

export const role: INodeProperties = {
	displayName: 'Role',
	name: 'role',
	type: 'options',
	options: [
		{ name: 'Approver', value: 'APPROVER', description: 'Has to approve' },
		{ name: 'Assistant', value: 'ASSISTANT', description: 'Fills in fields for the others' },
		{ name: 'CC', value: 'CC', description: 'Gets a copy when everyone is done' },
		{ name: 'Signer', value: 'SIGNER', description: 'Has to sign; needs a signature field' },
		{ name: 'Viewer', value: 'VIEWER', description: 'Has to open it' },
	],
	default: 'SIGNER',
};

/** Enough for the plans that limit recipients. */
const MOST_RECIPIENTS = 20;

/** Each input by itself: the editor compares what an input depends on as text, and a row has none. */
const recipientInputs = Array.from({ length: MOST_RECIPIENTS }, (_, row) =>
	['email', 'name', 'role'].map((input) => `recipients.recipient[${row}].${input}`),
).flat();

const owner: INodeProperties = {
	displayName: 'Recipient Name or ID',
	name: 'recipient',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'getListedRecipients',
		loadOptionsDependsOn: recipientInputs,
	},
	default: '',
	description:
		'Who of the recipients above fills this in; an expression may give r1 for the first, or an email. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const choices: INodeProperties = {
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	default: '',
	placeholder: 'e.g. Monthly, Quarterly',
	description: 'What a checkbox, dropdown or radio offers, separated by commas',
};

const file: INodeProperties = {
	displayName: 'File',
	name: 'identifier',
	type: 'string',
	default: '',
	placeholder: 'e.g. contract.pdf',
	description: 'The name of the PDF, or its position counted from 0. Leave empty for the first.',
};

const label: INodeProperties = {
	displayName: 'Label',
	name: 'label',
	type: 'string',
	default: '',
	placeholder: 'e.g. Job title',
};

const isRequired: INodeProperties = {
	displayName: 'Required',
	name: 'required',
	type: 'boolean',
	default: true,
	description: 'Whether the recipient has to fill this in',
};

const fieldOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [choices, file, label, isRequired],
};

const recipients: INodeProperties = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Recipient',
	displayOptions: { show: { specifyRecipients: ['fields'] } },
	default: {},
	options: [
		{
			displayName: 'Recipient',
			name: 'recipient',
			values: [recipientEmail, recipientName, role, signingOrder],
		},
	],
};

const fields: INodeProperties = {
	displayName: 'Fields',
	name: 'fields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	displayOptions: { show: { specifyRecipients: ['fields'] } },
	default: {},
	description: 'Where each recipient signs and fills in, in percent of the page',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [owner, fieldType, ...coordinates, fieldOptions],
		},
	],
};

const recipientsJson: INodeProperties = {
	displayName: 'Recipients (JSON)',
	name: 'recipientsJson',
	type: 'json',
	displayOptions: { show: { specifyRecipients: ['json'] } },
	default: JSON_EXAMPLE,
	description:
		'A list of recipients with their fields, as in <a href="https://docs.documenso.com/docs/developers/api">Documenso\'s API</a>',
};

const placeholdersInPdf: INodeProperties = {
	displayName: 'PDF Contains Placeholders',
	name: 'placeholdersInPdf',
	type: 'boolean',
	default: false,
	description: 'Whether the PDF says where fields go, with text such as {{signature, r1}}',
};

const placeholdersNotice: INodeProperties = {
	displayName:
		'Write {{signature, r1}} into the PDF where the first recipient of the list above is to sign, or {{text, r2, label=City, required=true}} where the second is to fill in a text. Documenso puts a field over each. The fields that are listed above come on top.',
	name: 'placeholdersNotice',
	type: 'notice',
	displayOptions: { show: { placeholdersInPdf: [true] } },
	default: '',
};

/** Who gets a new document, and what each of them fills in. */
export const recipientsWithFields = [
	inputMode('Specify Recipients', 'specifyRecipients'),
	recipients,
	fields,
	recipientsJson,
	placeholdersInPdf,
	placeholdersNotice,
];
