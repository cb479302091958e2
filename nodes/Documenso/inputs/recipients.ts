import { z } from 'zod';

import { fileNameOf } from '../../shared/api/fileName';
import { collection, rows } from '../../shared/n8n/collections';
import {
	flag,
	input,
	json,
	limiting,
	notice,
	shownFor,
	textOf,
	type Values,
} from '../../shared/n8n/input';
import {
	constant,
	email,
	extent,
	orderNumber,
	pageNumber,
	percentage,
	textUpTo,
} from '../../shared/n8n/values';
import { CHOICE_TYPES, unfillable } from '../../shared/envelope/unfillable';
import { impossibleSetting, wrongSettings } from './fieldMeta';
import { choiceList, choiceValues, inputMode } from './fieldSettings';
import { beyondPage, coordinates, fieldType } from './placement';
import { readable } from './readable';
import { recipientDetails } from './recipientSettings';

const JSON_EXAMPLE = `[
	{
		"email": "nathan@example.com",
		"name": "Nathan",
		"role": "SIGNER",
		"fields": [
			{ "type": "SIGNATURE", "page": 1, "positionX": 10, "positionY": 80, "width": 30, "height": 6 }
		]
	}
]`;

function addIssue(context: z.RefinementCtx, path: string[], message: string, advice?: string) {
	context.addIssue({ code: z.ZodIssueCode.custom, path, message, params: { advice } });
}

function checkInsidePage(field: Values<typeof coordinates>, context: z.RefinementCtx) {
	for (const { start, fault } of beyondPage(field)) addIssue(context, [start], fault);
}

/** A recipient's field as the service accepts it; `identifier` is a file's name, or its position counted from 0. */
const fieldSchema = z
	.object({
		type: constant,
		page: pageNumber,
		positionX: percentage,
		positionY: percentage,
		width: extent,
		height: extent,
		identifier: z
			.union([
				z.number().int('is not a whole number').min(0, 'is below 0'),
				z.string().trim().transform(fileNameOf),
			])
			.optional(),
		fieldMeta: z
			.object({ values: z.array(z.unknown(), { invalid_type_error: 'is not a list' }).optional() })
			.passthrough()
			.optional(),
	})
	.strict()
	.superRefine((field, context) => {
		checkInsidePage(field, context);
		const { type, fieldMeta } = field;
		// Without any settings the service gives the field a default choice (documenso-api.md: Field settings).
		if (!fieldMeta) return;
		const wrong = wrongSettings(type, fieldMeta);
		const impossible = impossibleSetting(type, fieldMeta) ?? [];
		for (const { key, fault, advice } of wrong.concat(impossible)) {
			addIssue(context, ['fieldMeta', key], fault, advice);
		}
	});

/** A recipient as the service accepts it (documenso-api.md: Recipients). */
const recipientSchema = z
	.object({
		email,
		name: readable(textUpTo(255)).default(''),
		role: constant.default('SIGNER'),
		signingOrder: orderNumber.optional(),
		accessAuth: z.array(constant).optional(),
		actionAuth: z.array(constant).optional(),
		fields: z.array(fieldSchema).optional(),
	})
	.strict();

export type Recipient = z.infer<typeof recipientSchema>;

const recipients = rows(
	'Recipients',
	{ displayName: 'Recipient', name: 'recipient' },
	{
		...recipientDetails,
		signingOrder: limiting(
			input(
				{
					displayName: 'Signing Order (0: None)',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 0,
					description:
						'When the recipient signs: 1 before 2, and so on. If everyone has 0, all sign at once.',
				},
				orderNumber.optional().transform((order) => order || undefined),
			),
		),
	},
	{ placeholder: 'Add Recipient' },
);

/** Plans that limit recipients allow no more. */
const MOST_RECIPIENTS = 20;

/** Every input separately: the editor compares dependencies as text, and as text all rows are the same. */
const recipientInputs = Array.from({ length: MOST_RECIPIENTS }, (_, row) =>
	['email', 'name', 'role'].map((name) => `recipients.recipient[${row}].${name}`),
).flat();

const fieldInputs = {
	recipient: input(
		{
			displayName: 'Recipient Name or ID',
			type: 'options',
			typeOptions: {
				loadOptionsMethod: 'getListedRecipients',
				loadOptionsDependsOn: recipientInputs,
			},
			default: '',
			description:
				'Which of the recipients above fills in this field; an expression can also give r1 for the first one, or an email. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		textUpTo(255).default(''),
	),
	type: fieldType,
	...coordinates,
	options: collection(
		'Options',
		{
			choices: limiting(
				textOf('Choices', choiceList, {
					placeholder: 'e.g. Monthly, Quarterly',
					description: 'Choices of a checkbox, dropdown or radio, separated by commas',
				}),
			),
			identifier: limiting(
				textOf(
					'File',
					textUpTo(255).transform((file) => (/^\d+$/.test(file) ? Number(file) : fileNameOf(file))),
					{
						placeholder: 'e.g. contract.pdf',
						description:
							'The name of the file, or its position counted from 0. Leave empty for the first.',
					},
				),
			),
			label: textOf('Label', textUpTo(255), { placeholder: 'e.g. Job title' }),
			required: flag('Required', true, {
				description: 'Whether to require the recipient to fill in the field',
			}),
		},
		{ placeholder: 'Add option' },
	),
};

const fields = rows(
	'Fields',
	{ displayName: 'Field', name: 'field' },
	fieldInputs,
	{
		placeholder: 'Add Field',
		description:
			'Where each recipient signs or enters something. Positions are percentages of the page.',
	},
	(schema) =>
		schema
			.superRefine((row, context) => {
				checkInsidePage(row, context);
				const { type } = row;
				const { choices = [] } = row.options;
				const values = choices.map((value) => ({ value }));
				const isForeign = choices.length > 0 && !CHOICE_TYPES.includes(type);
				const fault = isForeign
					? `is not for the type ${type}`
					: unfillable(type, { values })?.fault;
				if (fault) addIssue(context, ['options', 'choices'], fault);
			})
			.transform(({ recipient, options, ...field }) => {
				const { identifier, label, required = true, choices = [] } = options;
				const fieldMeta = {
					type: field.type.toLowerCase(),
					required,
					...(label ? { label } : {}),
					...(choices.length > 0 ? { values: choiceValues(field.type, choices) } : {}),
				};
				return {
					recipient,
					field: {
						...field,
						...(identifier === undefined ? {} : { identifier }),
						// A free signature takes no settings (documenso-api.md: Free signatures).
						...(field.type === 'FREE_SIGNATURE' ? {} : { fieldMeta }),
					},
				};
			}),
);

/** The recipients of a new document or template, and what each of them fills in. */
export const recipientsWithFields = {
	specifyRecipients: inputMode('Specify Recipients'),
	...shownFor('specifyRecipients', ['fields'], { recipients, fields }),
	...shownFor('specifyRecipients', ['json'], {
		recipientsJson: limiting(
			json('Recipients (JSON)', z.array(recipientSchema), {
				default: JSON_EXAMPLE,
				description:
					'List of recipients with their fields, as in <a href="https://docs.documenso.com/docs/developers/api">Documenso\'s API</a>',
			}),
		),
	}),
	placeholdersInPdf: flag('PDF Contains Placeholders', false, {
		description:
			'Whether signers sign where the PDF has text such as {{signature, r1}}. Documenso turns such text into fields even if this is off.',
	}),
	...shownFor('placeholdersInPdf', [true], {
		placeholdersNotice: notice(
			'In the PDF, write {{signature, r1}} where the first recipient above should sign, or {{text, r2, label=City, required=true}} where the second one should enter text. Documenso puts a field over each, in addition to the fields listed above.',
		),
	}),
};
