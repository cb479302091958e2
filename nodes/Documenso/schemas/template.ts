import { z } from 'zod';

import { settingsSchema } from './settings';
import { email, filledText, flag, integerFrom, text } from './values';

const reference = filledText(255);

/** A row of the editor's list of people for a template; 0 stands for the template's own order. */
export const templateRecipientRow = z.object({
	recipientId: reference,
	email,
	name: text(255).optional(),
	signingOrder: integerFrom(0)
		.optional()
		.transform((order) => order || undefined),
});

export type TemplateRecipientRow = z.infer<typeof templateRecipientRow>;

/** A PDF in a binary field that takes the place of one of the template's files. */
export const replacementRow = z.object({ envelopeItemId: reference, property: reference });

/** A prefilled field: by id or label, and its value as text, a number, a date or a list. */
export const prefillRow = z.object({ fieldId: reference, value: z.unknown() });

export type PrefillRow = z.infer<typeof prefillRow>;

/** Prefill as JSON: field ids or labels with their values. */
export const prefillJson = z
	.record(z.unknown())
	.transform((values) => Object.entries(values).map(([fieldId, value]) => ({ fieldId, value })));

/** Settings of a document that a template is used for, and what is allowed about it. */
export const useSchema = z.intersection(
	settingsSchema,
	z.object({ allowPlaceholders: flag.default(false) }),
);
