import { z } from 'zod';

import { foundFile } from './files';
import { newDocumentSchema } from './settings';
import { email, filledText, trueOrFalse, wholeNumber, textUpTo } from '../engine/values';

const reference = filledText(255);

/** What is said of one of a template's recipients; 0 stands for the template's own order. */
export const templateRecipient = z.object({
	email,
	name: textUpTo(255),
	signingOrder: wholeNumber(0).transform((order) => order || undefined),
});

/** A PDF that takes the place of one of the template's files. */
export const replacementRow = z.object({
	envelopeItemId: reference,
	property: z.union([foundFile, reference]),
});

/** Prefill as JSON: labels or ids of fields with their values. */
export const prefillJson = z.record(z.unknown(), {
	invalid_type_error: 'it is not an object with labels and values',
});

export const externalIdColumn = textUpTo(255).optional();

/** Settings of a document that a template is used for, and what is allowed about it. */
export const useSchema = z.intersection(
	newDocumentSchema,
	z.object({ allowPlaceholders: trueOrFalse.default(false) }),
);
