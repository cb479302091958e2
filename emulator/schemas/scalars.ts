import { z } from 'zod';

/**
 * The service coerces numbers and booleans in queries and JSON bodies, but not in multipart payloads
 * or inside unions (documenso-api.md: Booleans and numbers). So "false" is true in one place and
 * invalid in the other, and schemas used in both take their scalars as a parameter.
 */
export interface Scalars {
	number(): z.ZodNumber;
	boolean(): z.ZodBoolean;
}

export const strict: Scalars = { number: () => z.number(), boolean: () => z.boolean() };

export const coerced: Scalars = {
	number: () => z.coerce.number(),
	boolean: () => z.coerce.boolean(),
};

// The service's own pattern, which accepts more than zod's, such as letters of all alphabets.
const EMAIL =
	/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\u{0080}-\u{FFFF}-]+@[a-zA-Z0-9\u{0080}-\u{FFFF}](?:[a-zA-Z0-9\u{0080}-\u{FFFF}-]{0,61}[a-zA-Z0-9\u{0080}-\u{FFFF}])?(?:\.[a-zA-Z0-9\u{0080}-\u{FFFF}](?:[a-zA-Z0-9\u{0080}-\u{FFFF}-]{0,61}[a-zA-Z0-9\u{0080}-\u{FFFF}])?)*$/u;

export const email = z.string().regex(EMAIL, { message: 'Invalid email address' });

export const recipientEmail = z.union([
	z.literal(''),
	z.string().regex(EMAIL, { message: 'Invalid email' }).toLowerCase().max(254),
]);

/** A list that is an enum of the database: in errors, a number is a value like others, not another type. */
export function stored<const Value extends string>(values: readonly Value[]) {
	return z.nativeEnum(
		Object.fromEntries(values.map((value) => [value, value])) as { [V in Value]: V },
	);
}

export const visibility = stored(['EVERYONE', 'MANAGER_AND_ABOVE', 'ADMIN']);

export const envelopeType = stored(['DOCUMENT', 'TEMPLATE']);

export const templateType = stored(['PUBLIC', 'PRIVATE', 'ORGANISATION']);

export const accessAuth = z.array(z.enum(['ACCOUNT', 'TWO_FACTOR_AUTH']));

export const actionAuth = z.array(z.enum(['ACCOUNT', 'PASSKEY', 'TWO_FACTOR_AUTH', 'PASSWORD']));

export const formValues = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]));

export const url = z.string().url('Must be a valid URL');

/** As the URL standard reads it: with blanks around it, or without `//`. */
export function isHttpUrl(value: string): boolean {
	return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export const attachments = z.array(
	z.object({
		label: z.string().min(1, 'Label is required'),
		data: url,
		type: z.enum(['link']).default('link'),
	}),
);
