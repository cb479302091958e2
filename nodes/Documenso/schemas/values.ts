import { z } from 'zod';

/** A service limit: contract §1.6. */
const EMAIL_MAX_LENGTH = 254;

export const email = z
	.string({ required_error: 'is missing', invalid_type_error: 'is not text' })
	.trim()
	.superRefine((value, context) => {
		if (z.string().email().max(EMAIL_MAX_LENGTH).safeParse(value).success) return;
		context.addIssue({
			code: z.ZodIssueCode.custom,
			message: value === '' ? 'is missing' : `"${value}" is not an email address`,
		});
	});

/** Numbers may come as text, from a spreadsheet or an expression. */
export const number = z.coerce.number({ invalid_type_error: 'is not a number' });

export const percentage = number
	.min(0, 'is below 0 percent of the page')
	.max(100, 'is above 100 percent of the page');

export const page = number.int('is not a whole number').min(1, 'is below 1');

/** Text such as "false" is read here, because the service takes any text for true (contract §0). */
export const flag = z.preprocess(
	(value) => (value === 'true' ? true : value === 'false' ? false : value),
	z.boolean({ invalid_type_error: 'is neither true nor false' }),
);

/** Constants of the service's, in any case; unknown ones pass, so that new ones can be used. */
export const constant = z.string().trim().min(1, 'is missing').toUpperCase();

export const text = (maxLength: number) =>
	z.coerce.string().trim().max(maxLength, `is longer than ${maxLength} characters`);

export const webUrl = z
	.string({ required_error: 'is missing' })
	.trim()
	.regex(/^https?:\/\/[^/\s]+\S*$/i, 'is not a URL with http:// or https://');

/** A whole number that names something: of a recipient, a field, a legacy document. */
export const numericId = number.int('is not a whole number').min(1, 'is below 1');

/** A value that an expression made, or its text as a user typed it. */
export function json<Output>(schema: z.ZodType<Output, z.ZodTypeDef, unknown>) {
	return z
		.unknown()
		.transform((value, context): unknown => {
			if (typeof value !== 'string') return value;
			try {
				return JSON.parse(value);
			} catch {
				context.addIssue({ code: z.ZodIssueCode.custom, message: 'is not valid JSON' });
				return z.NEVER;
			}
		})
		.pipe(schema);
}
