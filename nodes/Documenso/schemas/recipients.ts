import { z } from 'zod';

import { choiceList, choiceValues } from './fieldSettings';
import { constant, email, extent, flag, integerFrom, page, percentage, text } from './values';

/** Where a field stands, in percent of the page. */
export const placement = {
	type: constant,
	page,
	positionX: percentage,
	positionY: percentage,
	width: extent,
	height: extent,
};

/** A file by name, or by its position counted from 0. */
const identifier = z.union([z.number().int().min(0), z.string().trim()]);

const fieldSchema = z
	.object({
		...placement,
		identifier: identifier.optional(),
		fieldMeta: z.record(z.unknown()).optional(),
	})
	.strict();

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
	.object({ ...placement, recipientEmail: email, options: fieldOptions.default({}) })
	.transform(({ recipientEmail, options: { identifier, ...options }, ...field }) => ({
		recipientEmail,
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
