import { z } from 'zod';

import { choiceList, choiceValues } from './fieldSettings';
import { constant, email, extent, flag, integerFrom, page, percentage, text } from './values';

/** Where a field stands, in percent of the page. */
export const place = {
	page,
	positionX: percentage,
	positionY: percentage,
	width: extent,
	height: extent,
};

const placement = { type: constant, ...place };

/** A file by name, or by its position counted from 0. */
const identifier = z.union([z.number().int().min(0), z.string().trim()]);

type Placed = z.infer<z.ZodObject<typeof placement>>;

const CHOICE_TYPES = ['CHECKBOX', 'DROPDOWN', 'RADIO'];
/** The service takes such a field all the same. */
const UNFILLABLE = 'is empty, so that nobody could fill the field in';

function refuse(context: z.RefinementCtx, path: string[], message: string) {
	context.addIssue({ code: z.ZodIssueCode.custom, path, message });
}

function checkSide(
	field: Placed,
	start: 'positionX' | 'positionY',
	extent: 'width' | 'height',
	context: z.RefinementCtx,
) {
	// Rounded, because sums of decimals are not exact.
	const end = Math.round((field[start] + field[extent]) * 100) / 100;
	if (end <= 100) return;
	const message = `with the ${extent} of ${field[extent]} it reaches ${end} percent, beyond the page`;
	refuse(context, [start], message);
}

function checkPlace(field: Placed, context: z.RefinementCtx) {
	checkSide(field, 'positionX', 'width', context);
	checkSide(field, 'positionY', 'height', context);
}

const fieldSchema = z
	.object({
		...placement,
		identifier: identifier.optional(),
		fieldMeta: z
			.object({ values: z.array(z.unknown(), { invalid_type_error: 'is not a list' }).optional() })
			.passthrough()
			.optional(),
	})
	.strict()
	.superRefine((field, context) => {
		checkPlace(field, context);
		const { type, fieldMeta } = field;
		// Without any settings the service gives the field a choice of its own (contract §1.8).
		if (!fieldMeta || fieldMeta.values?.length || !CHOICE_TYPES.includes(type)) return;
		refuse(context, ['fieldMeta', 'values'], UNFILLABLE);
	});

/** One recipient as the service takes it (contract §1.6). */
export const recipientSchema = z
	.object({
		email,
		name: text(255).default(''),
		role: constant.default('SIGNER'),
		signingOrder: integerFrom(0).optional(),
		accessAuth: z.array(constant).optional(),
		actionAuth: z.array(constant).optional(),
		fields: z.array(fieldSchema).optional(),
	})
	.strict();

export type Recipient = z.infer<typeof recipientSchema>;
export type RecipientField = z.infer<typeof fieldSchema>;

/** A row of the editor's list; 0 stands for no order there. */
export const recipientRow = z.object({
	email,
	name: text(255).default(''),
	role: constant.default('SIGNER'),
	signingOrder: integerFrom(0)
		.optional()
		.transform((order) => order || undefined),
});

const fieldOptions = z.object({
	identifier: text(255)
		.transform((file) => (/^\d+$/.test(file) ? Number(file) : file))
		.optional(),
	label: text(255).optional(),
	required: flag.default(true),
	choices: choiceList.default(''),
});

/** A row of the editor's list of fields, turned into the service's field and whose it is. */
export const fieldRow = z
	.object({ ...placement, recipient: text(255).default(''), options: fieldOptions.default({}) })
	.superRefine((row, context) => {
		checkPlace(row, context);
		const hasChoices = row.options.choices.length > 0;
		if (hasChoices === CHOICE_TYPES.includes(row.type)) return;
		const message = hasChoices ? `is not for the type ${row.type}` : UNFILLABLE;
		refuse(context, ['options', 'choices'], message);
	})
	.transform(({ recipient, options: { identifier, ...options }, ...field }) => ({
		recipient,
		field: {
			...field,
			...(identifier === undefined || identifier === '' ? {} : { identifier }),
			...metaOf(field.type, options),
		},
	}));

/** A free signature takes no settings (contract §1.8). */
function metaOf(type: string, { label, required, choices }: Omit<FieldOptions, 'identifier'>) {
	if (type === 'FREE_SIGNATURE') return {};
	return {
		fieldMeta: {
			type: type.toLowerCase(),
			required,
			...(label ? { label } : {}),
			...(choices.length > 0 ? { values: choiceValues(type, choices) } : {}),
		},
	};
}

type FieldOptions = z.infer<typeof fieldOptions>;

/** What can be said of a recipient beside the place in the list (contract §1.6). */
export const recipientChangesSchema = z
	.object({
		email,
		name: text(255),
		role: constant,
		signingOrder: integerFrom(1),
		accessAuth: z.array(constant),
		actionAuth: z.array(constant),
	})
	.partial();
