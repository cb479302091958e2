import { z } from 'zod';

import { fileNameOf } from '../api/fileName';
import { collection, flag, input, json, notice, rows, shownFor } from '../engine/input';
import {
	constant,
	email,
	extent,
	percentage,
	textUpTo,
	wholeNumber,
	type Schema,
} from '../engine/values';
import { choiceList, choiceValues } from './fieldSettings';
import { inputMode } from './inputMode';
import { coordinates, fieldType } from './placement';
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

const placement = {
	type: constant,
	page: wholeNumber(1),
	positionX: percentage,
	positionY: percentage,
	width: extent,
	height: extent,
};

type Placed = z.infer<z.ZodObject<typeof placement>>;

const CHOICE_TYPES = ['CHECKBOX', 'DROPDOWN', 'RADIO'];
/** The service takes such a field. */
const UNFILLABLE = 'is empty, so nobody could fill the field in';

function addIssue(context: z.RefinementCtx, path: string[], message: string) {
	context.addIssue({ code: z.ZodIssueCode.custom, path, message });
}

function checkInsidePage(field: Placed, context: z.RefinementCtx) {
	for (const [start, size] of [
		['positionX', 'width'],
		['positionY', 'height'],
	] as const) {
		// Rounded, because sums of decimals are not exact.
		const end = Math.round((field[start] + field[size]) * 100) / 100;
		if (end <= 100) continue;
		const message = `with the ${size} of ${field[size]} it reaches ${end} percent, beyond the page`;
		addIssue(context, [start], message);
	}
}

/** One field of a recipient as the service takes it; a file by name, or by its position counted from 0. */
const fieldSchema = z
	.object({
		...placement,
		identifier: z
			.union([z.number().int().min(0), z.string().trim().transform(fileNameOf)])
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
		if (!fieldMeta || fieldMeta.values?.length || !CHOICE_TYPES.includes(type)) return;
		addIssue(context, ['fieldMeta', 'values'], UNFILLABLE);
	});

/** One recipient as the service takes it (documenso-api.md: Recipients). */
const recipientSchema = z
	.object({
		email,
		name: textUpTo(255).default(''),
		role: constant.default('SIGNER'),
		signingOrder: wholeNumber(0).optional(),
		accessAuth: z.array(constant).optional(),
		actionAuth: z.array(constant).optional(),
		fields: z.array(fieldSchema).optional(),
	})
	.strict();

export type Recipient = z.infer<typeof recipientSchema>;
export type RecipientField = z.infer<typeof fieldSchema>;

const recipients = rows(
	'Recipients',
	{ displayName: 'Recipient', name: 'recipient' },
	{
		...recipientDetails,
		signingOrder: input(
			{
				displayName: 'Signing Order (0: None)',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description:
					'When it is their turn: 1 before 2, and so on. With 0 on everyone, all sign at once.',
			},
			wholeNumber(0)
				.optional()
				.transform((order) => order || undefined),
		),
	},
	{ placeholder: 'Add Recipient' },
);

/** Enough for the plans that limit recipients. */
const MOST_RECIPIENTS = 20;

/** Each input by itself: the editor compares what an input depends on as text, and a row has none. */
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
				'Who of the recipients above fills this in; an expression may give r1 for the first, or an email. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		textUpTo(255).default(''),
	),
	type: fieldType,
	...coordinates,
	options: collection(
		'Options',
		{
			choices: input(
				{
					displayName: 'Choices',
					type: 'string',
					default: '',
					placeholder: 'e.g. Monthly, Quarterly',
					description: 'What a checkbox, dropdown or radio offers, separated by commas',
				},
				choiceList,
			),
			identifier: input(
				{
					displayName: 'File',
					type: 'string',
					default: '',
					placeholder: 'e.g. contract.pdf',
					description:
						'The name of the PDF, or its position counted from 0. Leave empty for the first.',
				},
				textUpTo(255).transform((file) => (/^\d+$/.test(file) ? Number(file) : fileNameOf(file))),
			),
			label: input(
				{
					displayName: 'Label',
					type: 'string',
					default: '',
					placeholder: 'e.g. Job title',
				},
				textUpTo(255),
			),
			required: flag('Required', true, {
				description: 'Whether the recipient has to fill this in',
			}),
		},
		{ placeholder: 'Add option' },
	),
};

/** A field, and whose it is. */
interface FieldRow {
	recipient: string;
	field: RecipientField;
}

const fields = rows(
	'Fields',
	{ displayName: 'Field', name: 'field' },
	fieldInputs,
	{
		placeholder: 'Add Field',
		description: 'Where each recipient signs and fills in, in percent of the page',
	},
	(schema): Schema<FieldRow> =>
		schema
			.superRefine((row, context) => {
				checkInsidePage(row, context);
				const hasChoices = Boolean(row.options.choices?.length);
				if (hasChoices === CHOICE_TYPES.includes(row.type)) return;
				const message = hasChoices ? `is not for the type ${row.type}` : UNFILLABLE;
				addIssue(context, ['options', 'choices'], message);
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

/** Who gets a new document, and what each of them fills in. */
export const recipientsWithFields = {
	specifyRecipients: inputMode('Specify Recipients'),
	...shownFor('specifyRecipients', ['fields'], { recipients, fields }),
	...shownFor('specifyRecipients', ['json'], {
		recipientsJson: json('Recipients (JSON)', z.array(recipientSchema), {
			default: JSON_EXAMPLE,
			description:
				'A list of recipients with their fields, as in <a href="https://docs.documenso.com/docs/developers/api">Documenso\'s API</a>',
		}),
	}),
	placeholdersInPdf: flag('PDF Contains Placeholders', false, {
		description: 'Whether the PDF says where fields go, with text such as {{signature, r1}}',
	}),
	...shownFor('placeholdersInPdf', [true], {
		placeholdersNotice: notice(
			'Write {{signature, r1}} into the PDF where the first recipient of the list above is to sign, or {{text, r2, label=City, required=true}} where the second is to fill in a text. Documenso puts a field over each. The fields that are listed above come on top.',
		),
	}),
};
