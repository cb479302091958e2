import { z } from 'zod';

import { foundFile } from '../../shared/n8n/binary';
import { rows } from '../../shared/n8n/collections';
import {
	choice,
	flag,
	input,
	json,
	limiting,
	multiChoice,
	textOf,
	withHint,
} from '../../shared/n8n/input';
import { filledText, listOfTexts, textUpTo } from '../../shared/n8n/values';
import { EMAILS_PEOPLE } from '../engine/commonInputs';
import { mapper } from './mapper';
import { readable } from './readable';

const nameOrId = filledText(255);

const undefinedIfEmpty = (value: string) => value || undefined;

export const replacedFiles = rows(
	'Replace Template Files',
	{ displayName: 'File', name: 'file' },
	{
		envelopeItemId: input(
			{
				displayName: 'File Name or ID',
				type: 'options',
				typeOptions: {
					loadOptionsMethod: 'getTemplateFiles',
					loadOptionsDependsOn: ['templateId.value'],
				},
				default: '',
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			nameOrId,
		),
		property: textOf('Input Binary Field', z.union([foundFile, nameOrId]), {
			default: 'data',
			placeholder: 'e.g. data',
			hint: 'The name of the input binary field containing the PDF',
		}),
	},
	{
		placeholder: 'Replace File',
		description:
			"PDFs to use instead of the template's; the fields stay where they are on the page",
	},
);

export const mayBeLeftOut = multiChoice('Recipients That May Be Left Out', [], listOfTexts, {
	typeOptions: {
		loadOptionsMethod: 'getTemplateRecipients',
		loadOptionsDependsOn: ['templateId.value'],
	},
	description:
		'Recipients to leave out, with their fields, where they get no email address: a guarantor, for example. This takes three more requests for the document. Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** What the node itself does while it fills a template in, and Documenso knows nothing of. */
export const fillingSettings = {
	allowPlaceholders: flag('Allow Placeholder Recipients', false, {
		description:
			'Whether to create the document even if a recipient of the template has no real email address yet',
	}),
	ifFieldStaysBlank: limiting(
		choice(
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
		),
	),
	mayStayBlank: multiChoice('Fields That May Stay Blank', [], listOfTexts, {
		typeOptions: {
			loadOptionsMethod: 'getTemplateBlanks',
			loadOptionsDependsOn: ['templateId.value', 'templateNumber'],
		},
		description:
			'Fields and recipients for which an empty cell or expression is no mistake. Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	prefillJson: json(
		'Prefill (JSON)',
		z.record(z.unknown(), {
			invalid_type_error: 'is not an object with labels and values',
		}),
		{
			default: '{\n\t"Label of the field": "value"\n}',
			description:
				"Values by the labels of the template's fields: text, a number, a date such as 2026-12-31, an option, or a list of options. They override the columns.",
		},
	),
	readsDayNumbers: flag('Read Day Numbers as Dates', false, {
		description:
			'Whether a number such as 46000 in a date field means the day that a spreadsheet stores like that, here 2025-12-09',
	}),
	signerInTitle: flag("Signer's Name in Title", false, {
		description:
			'Whether to add the name of the first signer to the title, as in "Rental agreement, Ada Byron". All recipients see it.',
	}),
	/** From before "If a Field Stays Blank": n8n drops what a collection does not know. */
	unmatchedColumns: input<'fail' | 'ignore' | 'warn'>(
		{ displayName: 'Unmatched Columns', type: 'hidden', default: 'warn' },
		z.enum(['fail', 'ignore', 'warn']).catch('warn'),
	),
};

/** n8n shows neither the name nor the description of a mapper, so this stands with the template. */
export const BY_NAME =
	"Columns that are named like its recipients and fields fill it in, such as 'Tenant email', 'Tenant name' and 'Rent'. A recipient without a column stays as in the template, and a field without one is left to the recipients.";

/** What fills in the template that is chosen in the input `chooser`. */
export function fillTemplate(chooser: string) {
	return {
		columns: mapper(chooser),
		title: textOf('Title', readable(textUpTo(255)).transform(undefinedIfEmpty), {
			placeholder: 'e.g. Rental agreement',
			description: 'Leave empty for the title of the template, or of the column "Document title"',
		}),
	};
}

export const send = flag('Send Now', true, {
	description: 'Whether to send the document now instead of keeping it as a draft',
});
/** The same where it is done. */
export const sendNow = withHint(send, EMAILS_PEOPLE);
