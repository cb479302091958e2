import { z } from 'zod';

import { input } from '../engine/input';
import { constant, email, textUpTo, wholeNumber } from '../engine/values';
import { accessAuth } from './settings';

/** Who a recipient is. */
export const recipientDetails = {
	email: input(
		{
			displayName: 'Email',
			type: 'string',
			placeholder: 'name@email.com',
			default: '',
		},
		email,
	),
	name: input(
		{ displayName: 'Name', type: 'string', placeholder: 'e.g. Nathan Miller', default: '' },
		textUpTo(255).default(''),
	),
	role: input(
		{
			displayName: 'Role',
			type: 'options',
			options: [
				{ name: 'Approver', value: 'APPROVER', description: 'Has to approve' },
				{ name: 'Assistant', value: 'ASSISTANT', description: 'Fills in fields for the others' },
				{ name: 'CC', value: 'CC', description: 'Gets a copy when everyone is done' },
				{ name: 'Signer', value: 'SIGNER', description: 'Has to sign; needs a signature field' },
				{ name: 'Viewer', value: 'VIEWER', description: 'Has to open it' },
			],
			default: 'SIGNER',
		},
		constant.default('SIGNER'),
	),
};

/** What can be said of a recipient besides (documenso-api.md: Recipients). */
export const recipientSettings = {
	accessAuth: input(
		{
			...accessAuth.property,
			description: 'What they have to prove before seeing the document',
		},
		z.array(constant),
	),
	actionAuth: input(
		{
			displayName: 'Action Authentication',
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
		},
		z.array(constant),
	),
	signingOrder: input(
		{
			displayName: 'Signing Order',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description: 'When it is their turn, in a document that is signed one after another',
		},
		wholeNumber(1),
	),
};
