import type { INodeProperties } from 'n8n-workflow';

export const allowPlaceholders: INodeProperties = {
	displayName: 'Allow Placeholder Recipients',
	name: 'allowPlaceholders',
	type: 'boolean',
	default: false,
	description:
		'Whether to create the document although a recipient of the template has no real email address yet',
};

export const ifExternalIdExists: INodeProperties = {
	displayName: 'If External ID Exists',
	name: 'ifExternalIdExists',
	type: 'options',
	options: [
		{
			name: 'Create Anyway',
			value: 'create',
			description: 'Make another document with the same external ID',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'Refuse the item; with Check All Items First nothing is created',
		},
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Create nothing, and return the document that exists. If it is still a draft for the same recipients, and the item is to be sent, it is sent.',
		},
	],
	default: 'create',
	description:
		'What to do when a document, in whatever folder, has the external ID of the item already. Anything but Create Anyway takes a search in each folder for every item.',
};

export const ifSendingFails: INodeProperties = {
	displayName: 'If Sending Fails',
	name: 'ifSendingFails',
	type: 'options',
	options: [
		{
			name: 'Delete the Draft',
			value: 'delete',
			description: 'Leave nothing behind of a document that could not be sent',
		},
		{
			name: 'Keep the Draft',
			value: 'keep',
			description: 'Leave it in Documenso, to be corrected and sent; its ID is in the error',
		},
	],
	default: 'keep',
	description: 'What to do with a document that was created and then could not be sent',
};
