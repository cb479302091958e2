import { z } from 'zod';

import { foundFile } from '../../shared/n8n/binary';
import { rows } from '../../shared/n8n/collections';
import { flag, input, json, textOf, withHint } from '../../shared/n8n/input';
import { filledText, textUpTo } from '../../shared/n8n/values';
import { EMAILS_PEOPLE } from '../engine/commonInputs';
import { mapper } from './mapper';

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

export const prefillJson = json(
	'Prefill (JSON)',
	z.record(z.unknown(), {
		invalid_type_error: 'is not an object with labels and values',
	}),
	{
		default: '{\n\t"Label of the field": "value"\n}',
		description:
			"Values by the labels of the template's fields: text, a number, a date such as 2026-12-31, an option, or a list of options. They override the columns.",
	},
);

/** n8n shows neither the name nor the description of a mapper, so this stands with the template. */
export const BY_NAME =
	"Columns that are named like its recipients and fields fill it in, such as 'Tenant email', 'Tenant name' and 'Rent'. A recipient without a column stays as in the template, and a field without one is left to the recipients.";

/** What fills in the template that is chosen in the input `chooser`. */
export function fillTemplate(chooser: string) {
	return {
		columns: mapper(chooser),
		title: textOf('Title', textUpTo(255).transform(undefinedIfEmpty), {
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
