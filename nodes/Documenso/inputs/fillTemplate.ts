import { z } from 'zod';

import { foundFile } from '../engine/binary';
import { flag, input, json, notice, rows, shownFor, textOf } from '../engine/input';
import { filledText } from '../engine/values';
import { inputMode } from './inputMode';
import { mapper } from './mapper';
import { templateDelivery } from './settings';

const nameOrId = filledText(255);

export const replacedFiles = rows(
	'Replaced Files',
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
			hint: 'The name of the input binary field containing the PDF',
		}),
	},
	{
		placeholder: 'Replace File',
		description:
			"PDFs to use instead of the template's; the fields stay where they are on the page",
	},
);

/** Recipients and values for the template that is chosen in the input `chooser`. */
export function fillTemplate(chooser: string) {
	return {
		// n8n shows neither the name nor the description of a mapper, and no names of columns with Map Automatically.
		recipientsNotice: notice(
			"Recipients. Those you leave empty stay as in the template. For a recipient called Tenant, Map Automatically uses the columns 'Tenant email' and 'Tenant name'.",
		),
		templateRecipients: mapper('Recipients', chooser, {
			resourceMapperMethod: 'getTemplateRecipients',
			valuesLabel: 'Recipients',
			fieldWords: { singular: 'recipient column', plural: 'recipient columns' },
			noFieldsError: 'The template has no recipients',
		}),
		specifyPrefill: inputMode('Specify Prefill'),
		...shownFor('specifyPrefill', ['fields'], {
			prefillNotice: notice(
				"Prefill. Recipients fill in what you leave empty. Map Automatically uses the columns that have the names of the template's fields.",
			),
			prefillFields: mapper('Prefill', chooser, {
				resourceMapperMethod: 'getTemplateFields',
				valuesLabel: 'Prefilled Fields',
				fieldWords: { singular: 'field', plural: 'fields' },
				noFieldsError: 'The template has no fields that can be prefilled',
			}),
		}),
		...shownFor('specifyPrefill', ['json'], {
			prefillJson: json(
				'Prefill (JSON)',
				z.record(z.unknown(), {
					invalid_type_error: 'is not an object with labels and values',
				}),
				{
					default: '{\n\t"Label of the field": "value"\n}',
					description:
						"Values by the labels of the template's fields: text, a number, a date such as 2026-12-31, an option, or a list of options",
				},
			),
		}),
	};
}

/** Whether and how the document is sent. */
export const sending = {
	send: flag('Send Now', true, {
		description: 'Whether to send the document now instead of keeping it as a draft',
	}),
	...shownFor('send', [true], { delivery: templateDelivery }),
};
