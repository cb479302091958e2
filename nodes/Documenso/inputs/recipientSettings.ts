import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { input, limiting, multiChoice, positiveInteger, textOf } from '../../shared/n8n/input';
import { constant, email, textUpTo } from '../../shared/n8n/values';
import { readable } from './readable';

export const recipientDetails = {
	// With a part missing, it may be somebody else's.
	email: limiting(textOf('Email', email, { placeholder: 'name@email.com' })),
	name: textOf('Name', readable(textUpTo(255)).default(''), {
		placeholder: 'e.g. Nathan Miller',
	}),
	role: limiting(
		input(
			{
				displayName: 'Role',
				type: 'options',
				options: [
					{ name: 'Approver', value: 'APPROVER', description: 'Must approve' },
					{ name: 'Assistant', value: 'ASSISTANT', description: 'Fills in fields for the others' },
					{ name: 'CC', value: 'CC', description: 'Gets a copy when everyone is done' },
					{ name: 'Signer', value: 'SIGNER', description: 'Must sign; needs a signature field' },
					{ name: 'Viewer', value: 'VIEWER', description: 'Must open the document' },
				],
				default: 'SIGNER',
			},
			constant.default('SIGNER'),
		),
	),
};

export const accessAuth = (description: string) =>
	multiChoice(
		'Access Authentication',
		[
			{ name: 'Account', value: 'ACCOUNT' },
			{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
		],
		z.array(constant),
		{ description },
	);

export const actionAuth = (description: string, more: INodePropertyOptions[] = []) =>
	multiChoice(
		'Action Authentication',
		[
			...more,
			{ name: 'Account', value: 'ACCOUNT' },
			{ name: 'Passkey', value: 'PASSKEY' },
			{ name: 'Password', value: 'PASSWORD' },
			{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
		],
		z.array(constant),
		{ description },
	);

/** More about a recipient (documenso-api.md: Recipients). */
export const recipientSettings = {
	accessAuth: limiting(
		accessAuth('How the recipient must authenticate before seeing the document'),
	),
	actionAuth: limiting(
		actionAuth(
			'How the recipient must authenticate before signing; needs a plan that includes it',
			[{ name: 'None', value: 'EXPLICIT_NONE' }],
		),
	),
	signingOrder: limiting(
		positiveInteger('Signing Order', {
			description: 'When the recipient signs, if recipients sign one after another',
		}),
	),
};
