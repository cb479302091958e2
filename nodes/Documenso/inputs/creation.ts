import { choice, flag } from '../engine/input';

export const allowPlaceholders = flag('Allow Placeholder Recipients', false, {
	description:
		'Whether to create the document even if a recipient of the template has no real email address yet',
});

export const ifExternalIdExists = choice(
	'If External ID Exists',
	[
		{
			name: 'Create Anyway',
			value: 'create',
			description: 'Create another document with the same external ID',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'Fail the item. With Check All Items First, nothing is created for any item.',
		},
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Return the existing document instead of creating one. If the new document would be sent, an existing draft for the same recipients is sent instead.',
		},
		{
			name: 'Skip, Across Workers',
			value: 'skipAcrossWorkers',
			description:
				'Like Skip, even if another worker creates the document at the same moment. Takes two more requests for each document.',
		},
	],
	{
		default: 'create',
		description: "What to do if a document in any folder already has the item's external ID",
	},
);

export const ifSendingFails = choice(
	'If Sending Fails',
	[
		{
			name: 'Delete the Draft',
			value: 'delete',
			description: 'Delete the document that could not be sent',
		},
		{
			name: 'Keep the Draft',
			value: 'keep',
			description:
				'Keep the draft in Documenso so that you can correct and send it; its ID is in the error',
		},
	],
	{
		default: 'keep',
		description: 'What to do with a document that was created but could not be sent',
	},
);

export const unmatchedColumns = choice(
	'Unmatched Columns',
	[
		{
			name: 'Fail',
			value: 'fail',
			description: 'Fail the item. With Check All Items First, nothing is created for any item.',
		},
		{ name: 'Ignore', value: 'ignore', description: 'Do nothing' },
		{
			name: 'Warn',
			value: 'warn',
			description: 'List them in the output panel, with the fields that no column fills',
		},
	],
	{
		default: 'warn',
		description:
			'What to do if a column of the item matches nothing in the template. Only for Map Automatically.',
	},
);
