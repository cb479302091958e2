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
			"PDFs that take the places of the template's; the fields stay where they are on the page",
	},
);

/** Who and what the template chosen in the input `chooser` is filled in with. */
export function fillTemplate(chooser: string) {
	return {
		// n8n shows neither the name nor the description of a mapper, and no names of columns with Map Automatically.
		recipientsNotice: notice(
			"Recipients. Who is left empty stays as in the template. Columns to map automatically: 'Tenant email', 'Tenant name' for a recipient called Tenant.",
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
				"Prefill. What is left empty is for the recipients to fill in. Columns to map automatically are called like the template's fields.",
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
						'Labels of fields of the template, and their values: text, a number, a date such as 2026-12-31, an option, or a list of options',
				},
			),
		}),
		send: flag('Send Now', true, {
			description: 'Whether to send the document at once, instead of keeping it as a draft',
		}),
		...shownFor('send', [true], { delivery: templateDelivery }),
	};
}
