import type { INodeProperties } from 'n8n-workflow';

export const accessAuth: INodeProperties = {
	displayName: 'Access Authentication',
	name: 'globalAccessAuth',
	type: 'multiOptions',
	options: [
		{ name: 'Account', value: 'ACCOUNT' },
		{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
	],
	default: [],
	description: 'What every recipient has to prove before seeing the document',
};

export const actionAuth: INodeProperties = {
	displayName: 'Action Authentication',
	name: 'globalActionAuth',
	type: 'multiOptions',
	options: [
		{ name: 'Account', value: 'ACCOUNT' },
		{ name: 'Passkey', value: 'PASSKEY' },
		{ name: 'Password', value: 'PASSWORD' },
		{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
	],
	default: [],
	description: 'What every recipient has to prove before signing; needs a plan that includes it',
};

export const attachments: INodeProperties = {
	displayName: 'Attachments',
	name: 'attachments',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Attachment',
	default: {},
	description: 'Links that recipients see beside the document',
	options: [
		{
			displayName: 'Attachment',
			name: 'attachment',
			values: [
				{ displayName: 'Label', name: 'label', type: 'string', default: '' },
				{
					displayName: 'URL',
					name: 'data',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://example.com/terms.pdf',
				},
			],
		},
	],
};

export const delegatedDocumentOwner: INodeProperties = {
	displayName: 'Owner Email',
	name: 'delegatedDocumentOwner',
	type: 'string',
	placeholder: 'name@email.com',
	default: '',
	description: 'The member of the team to own the document, where the team allows that',
};

export const externalId: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	description:
		'Your own ID for the document, for example of the row in a CRM or spreadsheet. By it the document is found again.',
};

export const folderId: INodeProperties = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	description: 'The folder to put the document in. Leave empty for the root.',
};

export const formValues: INodeProperties = {
	displayName: 'Form Values',
	name: 'formValues',
	type: 'json',
	default: '{}',
	description: 'Values for the form fields that the PDF itself has, by their names',
};

export const templateType: INodeProperties = {
	displayName: 'Template Type',
	name: 'templateType',
	type: 'options',
	options: [
		{ name: 'Organisation', value: 'ORGANISATION' },
		{ name: 'Private', value: 'PRIVATE' },
		{ name: 'Public', value: 'PUBLIC' },
	],
	default: 'PRIVATE',
	description: 'Who can use the template',
};

export const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
};

export const visibility: INodeProperties = {
	displayName: 'Visibility',
	name: 'visibility',
	type: 'options',
	options: [
		{ name: 'Admins', value: 'ADMIN' },
		{ name: 'Everyone', value: 'EVERYONE' },
		{ name: 'Managers and Above', value: 'MANAGER_AND_ABOVE' },
	],
	default: 'EVERYONE',
	description: 'Who in the team sees the document',
};
