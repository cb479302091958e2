import { z } from 'zod';

import { rows } from '../../shared/n8n/collections';
import {
	choice,
	flag,
	hidden,
	input,
	json,
	limiting,
	multiChoice,
	textOf,
} from '../../shared/n8n/input';
import { anyText, filledText, listOfTexts, webUrl } from '../../shared/n8n/values';

export const allowPlaceholders = flag('Allow Placeholder Recipients', false, {
	description:
		'Whether to create the document even if a recipient of the template has no real email address yet',
});

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

export const ifFieldStaysBlank = choice(
	'If a Field Stays Blank',
	[
		{
			name: 'Leave It to the Recipients',
			value: 'leave',
			description: 'Send the document; the recipients fill in what is blank',
		},
		{
			name: 'Refuse',
			value: 'refuse',
			description: 'Fail the item if anything that you could fill in stays blank',
		},
		{
			name: 'Refuse Likely Mistakes',
			value: 'refuseMistakes',
			description:
				'Fail the item if a misspelt column, an empty cell, an empty expression or a change of the template leaves a blank',
		},
	],
	{
		default: 'refuseMistakes',
		description:
			'What to do if a field of the template, or the name or email of a recipient, gets no value. With Check All Items First, nothing is created for any item.',
	},
);

export const mayStayBlank = multiChoice('Fields That May Stay Blank', [], listOfTexts, {
	typeOptions: {
		loadOptionsMethod: 'getTemplateBlanks',
		loadOptionsDependsOn: ['templateId.value', 'templateNumber'],
	},
	description:
		'Fields and recipients for which an empty cell or expression is no mistake. Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const mayBeLeftOut = multiChoice('Recipients That May Be Left Out', [], listOfTexts, {
	typeOptions: {
		loadOptionsMethod: 'getTemplateRecipients',
		loadOptionsDependsOn: ['templateId.value'],
	},
	description:
		'Recipients to leave out, with their fields, where they get no email address: a guarantor, for example. This takes three more requests for the document. Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const onlyAsPreviewed = textOf('Only As Previewed', anyText, {
	placeholder: "e.g. {{ $('Preview').item.json.documensoPreview.digest }}",
	description:
		"The digest from 'Template: Preview Document'. If the template, the values, the recipients or the settings are not as they were previewed, nothing is created.",
});

export const readsDayNumbers = flag('Read Day Numbers as Dates', false, {
	description:
		'Whether a number such as 46000 in a date field means the day that a spreadsheet stores like that, here 2025-12-09',
});

export const signerInTitle = flag("Signer's Name in Title", false, {
	description:
		'Whether to add the name of the first signer to the title, as in "Rental agreement, Ada Byron". All recipients see it.',
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

/** From before "If a Field Stays Blank": n8n drops what a collection does not know. */
export const unmatchedColumns = input<'fail' | 'ignore' | 'warn'>(
	{ displayName: 'Unmatched Columns', type: 'hidden', default: 'warn' },
	z.enum(['fail', 'ignore', 'warn']).catch('warn'),
);
