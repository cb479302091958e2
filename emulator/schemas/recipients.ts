import { z } from 'zod';
import {
	accessAuth,
	coerced,
	email,
	recipientEmail,
	stored,
	strict,
	type Scalars,
} from './scalars';

const role = stored(['CC', 'SIGNER', 'VIEWER', 'APPROVER', 'ASSISTANT']);

const auth = {
	accessAuth: accessAuth.default([]),
	actionAuth: z
		.array(z.enum(['ACCOUNT', 'PASSKEY', 'TWO_FACTOR_AUTH', 'PASSWORD', 'EXPLICIT_NONE']))
		.default([]),
};

export function recipientSchema(scalar: Scalars) {
	return z.object({
		email: recipientEmail,
		name: z.string().max(255),
		role,
		signingOrder: scalar.number().optional(),
		...auth,
	});
}

/** The deprecated endpoints need an address. */
export const addressedRecipient = recipientSchema(strict).extend({
	email: email.toLowerCase().min(1).max(254),
});

const newRecipient = recipientSchema(coerced);

export type NewRecipient = z.output<typeof newRecipient>;

export const createRecipients = z.object({ envelopeId: z.string(), data: z.array(newRecipient) });

/** Only the ID is required; what is left out stays. */
const recipientUpdate = z.object({ id: z.coerce.number(), ...newRecipient.partial().shape });

export type RecipientUpdate = z.output<typeof recipientUpdate>;

export const updateRecipients = z.object({
	envelopeId: z.string(),
	data: z.array(recipientUpdate),
});

export const recipientIdOnly = z.object({ recipientId: z.coerce.number() });

export const rejectRecipient = z.object({
	envelopeId: z.string(),
	...recipientIdOnly.shape,
	reason: z.string().min(1),
	actAsEmail: email.optional(),
});

export type RejectRecipient = z.output<typeof rejectRecipient>;
