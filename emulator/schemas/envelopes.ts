import { z } from 'zod';
import { fieldAndMeta, fieldPosition } from './fields';
import { distributeMetaSchema, metaSchema, overridableMeta } from './meta';
import { recipientSchema } from './recipients';
import {
	accessAuth,
	actionAuth,
	attachments,
	coerced,
	email,
	envelopeType,
	formValues,
	recipientEmail,
	strict,
	templateType,
	type Scalars,
	visibility,
} from './scalars';

const title = z.string().trim().min(1).max(255);
const identifier = z.union([z.string(), z.number()]);

export const page = z.coerce.number().min(1).default(1);
export const perPage = z.coerce.number().min(1).max(100).default(10);

/** Accepted, but not searched for. */
export const ignoredQuery = z
	.string()
	.optional()
	.transform(() => undefined);

export const findEnvelopes = z.object({
	query: z.string().optional(),
	page,
	perPage,
	type: envelopeType.optional(),
	templateId: z.coerce.number().optional(),
	source: z.enum(['DOCUMENT', 'TEMPLATE', 'TEMPLATE_DIRECT_LINK']).optional(),
	status: z.enum(['DRAFT', 'PENDING', 'COMPLETED', 'REJECTED', 'CANCELLED']).optional(),
	hasExpiredRecipients: z.enum(['true', 'false']).optional(),
	folderId: z.string().optional(),
	orderByColumn: z.enum(['createdAt']).optional(),
	orderByDirection: z.enum(['asc', 'desc']).default('desc'),
});

export const envelopeIdOnly = z.object({ envelopeId: z.string() });

export const getManyEnvelopes = z.object({
	ids: z.discriminatedUnion('type', [
		z.object({ type: z.literal('envelopeId'), ids: z.array(z.string()).min(1).max(20) }),
		z.object({ type: z.literal('documentId'), ids: z.array(z.number()).min(1).max(20) }),
		z.object({ type: z.literal('templateId'), ids: z.array(z.number()).min(1).max(20) }),
	]),
});

const createRecipient = recipientSchema(strict).extend({
	fields: z
		.array(fieldAndMeta.and(fieldPosition.extend({ identifier: identifier.optional() })))
		.optional(),
});

export const createPayload = z.object({
	title,
	type: envelopeType,
	delegatedDocumentOwner: email.optional(),
	externalId: z.string().trim().max(255).optional(),
	visibility: visibility.optional(),
	globalAccessAuth: accessAuth.optional(),
	globalActionAuth: actionAuth.optional(),
	formValues: formValues.optional(),
	folderId: z.string().optional(),
	recipients: z.array(createRecipient).optional(),
	meta: metaSchema(strict).optional(),
	attachments: attachments.optional(),
});

export type CreatePayload = z.output<typeof createPayload>;
export type RecipientInput = z.output<typeof createRecipient>;

const text = z.string().optional();

const prefill = z.discriminatedUnion('type', [
	z.object({ type: z.literal('text'), label: text, placeholder: text, value: text }),
	z.object({ type: z.literal('number'), label: text, placeholder: text, value: text }),
	z.object({ type: z.literal('radio'), label: text, value: text }),
	z.object({ type: z.literal('checkbox'), label: text, value: z.array(z.string()).optional() }),
	z.object({ type: z.literal('dropdown'), label: text, value: text }),
	z.object({ type: z.literal('date'), value: text }),
]);

const prefillField = z.object({ id: z.number() }).and(prefill);

export type PrefillField = z.output<typeof prefillField>;

export const usePayload = usePayloadSchema(strict);

export type UsePayload = z.output<typeof usePayload>;

export function usePayloadSchema(scalar: Scalars) {
	return z.object({
		envelopeId: z.string(),
		externalId: z.string().optional(),
		recipients: z
			.array(
				z.object({
					id: scalar.number(),
					email: recipientEmail,
					name: z.string().max(255).optional(),
					signingOrder: scalar.number().optional(),
				}),
			)
			.optional(),
		distributeDocument: scalar.boolean().optional(),
		customDocumentData: z.array(z.object({ identifier, envelopeItemId: z.string() })).optional(),
		folderId: z.string().optional(),
		prefillFields: z.array(prefillField).optional(),
		override: z
			.object({ title: z.string().min(1).max(255).optional(), ...overridableMeta(scalar) })
			.optional(),
		attachments: attachments.optional(),
		formValues: formValues.optional(),
	});
}

export const updateEnvelope = z.object({
	envelopeId: z.string(),
	data: z
		.object({
			title: title.optional(),
			externalId: z.string().trim().max(255).nullish(),
			visibility: visibility.optional(),
			globalAccessAuth: accessAuth.optional(),
			globalActionAuth: actionAuth.optional(),
			folderId: z.string().nullish(),
			templateType: templateType.optional(),
		})
		.optional(),
	meta: metaSchema(coerced).optional(),
});

export type UpdateEnvelope = z.output<typeof updateEnvelope>;

export const distributeEnvelope = z.object({
	envelopeId: z.string(),
	meta: distributeMetaSchema(coerced).optional(),
});

export const redistributeEnvelope = z.object({
	envelopeId: z.string(),
	recipients: z.array(z.coerce.number()).min(1),
});

export const findAuditLog = envelopeIdOnly.extend({
	page,
	perPage: z.coerce.number().min(1).max(100).default(50),
	orderByColumn: z.enum(['createdAt']).optional(),
	orderByDirection: z.enum(['asc', 'desc']).default('desc'),
});

export const cancelEnvelope = z.object({
	envelopeId: z.string(),
	reason: z.string().optional(),
});

export const duplicateEnvelope = z.object({
	envelopeId: z.string().min(1),
	includeRecipients: z.coerce.boolean().default(true),
	includeFields: z.coerce.boolean().default(true),
});
