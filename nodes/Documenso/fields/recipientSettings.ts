import type { INodeProperties } from 'n8n-workflow';

import { accessAuth } from './envelopeInputs';
import { recipientEmail, recipientName, role } from './recipients';

const ownAccessAuth: INodeProperties = {
	...accessAuth,
	name: 'accessAuth',
	description: 'What they have to prove before seeing the document',
};

const ownActionAuth: INodeProperties = {
	displayName: 'Action Authentication',
	name: 'actionAuth',
	type: 'multiOptions',
	options: [
		{ name: 'Account', value: 'ACCOUNT' },
		{ name: 'None', value: 'EXPLICIT_NONE' },
		{ name: 'Passkey', value: 'PASSKEY' },
		{ name: 'Password', value: 'PASSWORD' },
		{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
	],
	default: [],
	description: 'What they have to prove before signing; needs a plan that includes it',
};

const signingOrder: INodeProperties = {
	displayName: 'Signing Order',
	name: 'signingOrder',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description: 'When it is their turn, in a document that is signed one after another',
};

export const newRecipient: INodeProperties[] = [
	{ ...recipientEmail, required: true },
	recipientName,
	role,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [ownAccessAuth, ownActionAuth, signingOrder],
	},
];

export const recipientChanges: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [ownAccessAuth, ownActionAuth, recipientEmail, recipientName, role, signingOrder],
};
