import { z } from 'zod';

import { rows } from '../../shared/n8n/collections';
import { choice, flag, hidden, json, limiting, textOf } from '../../shared/n8n/input';
import { anyText, filledText, webUrl } from '../../shared/n8n/values';

export const allowMisplacedFields = flag('Allow Misplaced Fields', false, {
	description:
		'Whether to use PDFs with cropped or unusual pages, on which Documenso puts fields in the wrong place',
});

const CREATE_OR_FAIL = [
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
] as const;

const REPLACE = {
	name: 'Replace If Different',
	value: 'replace',
	description:
		'If it differs and nobody has acted, cancel it and send a new one. People get two emails, and executions that wait for it go on.',
} as const;

const SKIP = [
	{
		name: 'Skip',
		value: 'skip',
		description:
			'Return the existing document. With sending, a draft for the same recipients is sent.',
	},
	{
		name: 'Skip If Same Recipients',
		value: 'skipSame',
		description:
			'Return the existing document. If it is for others, rejected or cancelled, fail. Without an ID, create one.',
	},
	{
		name: 'Skip, Across Workers',
		value: 'skipAcrossWorkers',
		description:
			'Like Skip, even if another worker creates the document at the same moment. Takes two more requests for each document.',
	},
] as const;

const IF_EXTERNAL_ID_EXISTS = 'If External ID Exists';
export const GIVE_IDS =
	'Give each item an External ID: then running the workflow again sends nothing twice.';
const skipSame = {
	default: 'skipSame',
	hint: GIVE_IDS,
	description: "What to do if a document in any folder already has the item's external ID",
} as const;

export const ifExternalIdExists = choice(
	IF_EXTERNAL_ID_EXISTS,
	[...CREATE_OR_FAIL, ...SKIP],
	skipSame,
);

/** Also for a document that can be compared with what its item asks for. */
export const ifExternalIdExistsOrDiffers = choice(
	IF_EXTERNAL_ID_EXISTS,
	[...CREATE_OR_FAIL, REPLACE, ...SKIP],
	skipSame,
);

/** Where it was before it stood on the panel. */
export const ifExternalIdExistsBefore = hidden(limiting(ifExternalIdExists));

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

export const onlyAsPreviewed = textOf('Only As Previewed', anyText, {
	placeholder: "e.g. {{ $('Preview').item.json.documensoPreview.digest }}",
	description:
		"The digest from 'Template: Preview Document'. If the template, the values, the recipients or the settings are not as they were previewed, nothing is created.",
});

/** Not a union, because zod would collect the faults of each of its kinds. */
const formValue = z.custom<string | boolean | number>(
	(value) => ['string', 'boolean', 'number'].includes(typeof value),
	'is not text, a number, true or false',
);

/** What an attachment consists of; the service calls its URL `data`. */
export const link = {
	label: textOf('Label', filledText(255), { placeholder: 'e.g. House rules' }),
	data: textOf('URL', webUrl, { placeholder: 'e.g. https://example.com/house-rules.pdf' }),
};

/** Settings that can only be given on creation. */
export const creationSettings = {
	attachments: rows('Attachments', { displayName: 'Attachment', name: 'attachment' }, link, {
		placeholder: 'Add Attachment',
		description: 'Links that recipients see next to the document',
	}),
	folderId: limiting(
		textOf('Folder ID', anyText, {
			placeholder: 'e.g. cm2abc…',
			description: 'The folder to put the document in. Leave empty for the root.',
		}),
	),
	formValues: limiting(
		json('Form Values', z.record(formValue), {
			description: "Values for the PDF's own form fields, by field name",
		}),
	),
};
