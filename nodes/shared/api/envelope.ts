import { z } from 'zod';

/**
 * What the node itself reads of a document or template; everything else passes through unread. Each use picks the parts
 * that it reads, so that nothing fails for one that it does not need.
 */
export const envelopeSchema = z.object({
	id: z.string(),
	secondaryId: z.string(),
	type: z.string(),
	status: z.string(),
	title: z.string(),
	externalId: z.string().nullish(),
	team: z.object({ url: z.string() }).nullish(),
	templateType: z.string().nullish(),
	recipients: z.array(
		z.object({
			id: z.number(),
			email: z.string(),
			name: z.string(),
			role: z.string(),
			token: z.string().default(''),
			signingOrder: z.number().nullish(),
			signingStatus: z.string(),
			sendStatus: z.string().optional(),
			readStatus: z.string().optional(),
			expiresAt: z.coerce.date().nullish(),
			/** Of a rejection, too. */
			signedAt: z.string().nullish(),
		}),
	),
	fields: z.array(
		z.object({
			id: z.number(),
			/** By which the audit log names it. */
			secondaryId: z.string().optional(),
			type: z.string(),
			recipientId: z.number(),
			page: z.number(),
			// Decimals come as text (documenso-api.md: Booleans and numbers).
			positionX: z.coerce.number(),
			positionY: z.coerce.number(),
			width: z.coerce.number().catch(NaN),
			height: z.coerce.number().catch(NaN),
			envelopeItemId: z.string(),
			customText: z.string().default(''),
			inserted: z.boolean().default(false),
			fieldMeta: z
				.object({
					label: z.string(),
					placeholder: z.string(),
					required: z.boolean(),
					readOnly: z.boolean(),
					values: z.array(z.object({ value: z.string(), checked: z.boolean().optional() })),
					text: z.string().nullable(),
					value: z.string().nullable(),
					defaultValue: z.string().nullable(),
					characterLimit: z.number(),
					numberFormat: z.string().nullable(),
					minValue: z.number().nullable(),
					maxValue: z.number().nullable(),
					validationRule: z.string().nullable(),
					validationLength: z.number().nullable(),
					// How a value is drawn. Only an estimate needs it, so nothing fails for a setting that cannot be read.
					fontSize: z.number().catch(12),
					lineHeight: z.number().catch(1),
					letterSpacing: z.number().catch(0),
					overflow: z.string().catch('crop'),
					textAlign: z.enum(['left', 'center', 'right']).catch('left'),
					verticalAlign: z.enum(['top', 'middle', 'bottom']).catch('middle'),
				})
				.partial()
				.nullish(),
		}),
	),
	documentMeta: z
		.object({
			distributionMethod: z.string().nullish(),
			emailSettings: z.record(z.boolean()).nullish(),
			signingOrder: z.string().nullish(),
			allowDictateNextSigner: z.boolean().nullish(),
			dateFormat: z.string().nullish(),
		})
		.nullish(),
	envelopeItems: z.array(z.object({ id: z.string(), title: z.string(), order: z.number() })),
	/** 1 if it was made by a deprecated endpoint, or from a template that was. */
	internalVersion: z.number().optional(),
});

export type Envelope = z.infer<typeof envelopeSchema>;
export type EnvelopeField = Envelope['fields'][number];
export type FieldMeta = NonNullable<EnvelopeField['fieldMeta']>;
export type EnvelopeRecipient = Envelope['recipients'][number];

/** What of a field's settings decides whether it can be filled in. Settings that cannot be read are left to Documenso. */
export const readMeta = envelopeSchema.shape.fields.element.shape.fieldMeta.catch(null);

/** What is read of a template to fill it in. */
export const templateSchema = envelopeSchema.omit({ secondaryId: true, type: true, status: true });

export type FillableTemplate = z.infer<typeof templateSchema>;

const SIGNATURES = ['SIGNATURE', 'FREE_SIGNATURE'];

export function isSignature({ type }: { type: string }): boolean {
	return SIGNATURES.includes(type);
}

/** The number by which older endpoints know a document or template: 7 for the `secondaryId` "document_7". */
export function numberIn(secondaryId: string): number {
	return Number(secondaryId.slice(secondaryId.lastIndexOf('_') + 1));
}

/** What decides which document has an external ID, as a list tells it. */
export const listedEnvelope = z.object({
	id: z.string(),
	status: z.string(),
	externalId: z.string().nullish(),
	createdAt: z.string(),
	/** The number of the template that it was made from; null if there is none. */
	templateId: z.number().nullable().optional(),
	recipients: z
		.array(
			z.object({
				email: z.string(),
				role: z.string().default(''),
				signingStatus: z.string().default(''),
				signingOrder: z.number().nullish(),
			}),
		)
		.default([]),
});

export type Listed = z.infer<typeof listedEnvelope>;

/** A page of documents or templates, to choose from. */
export const pageSchema = z.object({
	data: z.array(
		z.object({
			id: z.string(),
			secondaryId: z.string().default(''),
			type: z.string(),
			title: z.string(),
			status: z.string(),
		}),
	),
	currentPage: z.number(),
	totalPages: z.number(),
});
