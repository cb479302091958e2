import { z } from 'zod';
import {
	findEnvelopes,
	ignoredQuery,
	page,
	perPage,
	updateEnvelope,
	usePayloadSchema,
	createPayload,
} from './envelopes';
import { fieldAndMeta } from './fields';
import { jsonText, uploadedFile } from './files';
import { distributeMetaSchema, metaSchema } from './meta';
import { addressedRecipient } from './recipients';
import { accessAuth, coerced, strict, templateType } from './scalars';

const number = z.coerce.number();
const { data: updateData, meta } = updateEnvelope.shape;
const usePayload = usePayloadSchema(coerced);
const { recipients: useRecipients } = usePayload.shape;

const publicTexts = {
	publicTitle: z.string().trim().min(1).max(50).optional(),
	publicDescription: z.string().trim().min(1).max(256).optional(),
};

const useLegacyFieldInsertion = z.coerce.boolean().optional();

export const templateIdOnly = z.object({ templateId: number });
export const documentIdOnly = z.object({ documentId: number });
export const documentIds = z.object({ documentIds: z.array(number).min(1) });

export const findTemplates = z.object({
	query: ignoredQuery,
	page,
	perPage,
	type: templateType.optional(),
	folderId: z.string().optional(),
});

export const findDocuments = findEnvelopes.omit({ type: true });

export const useTemplate = z.object({
	templateId: number,
	...usePayload.omit({ envelopeId: true, customDocumentData: true }).shape,
	externalId: createPayload.shape.externalId,
	customDocumentDataId: z.string().optional(),
	customDocumentData: z
		.array(z.object({ documentDataId: z.string(), envelopeItemId: z.string() }))
		.optional(),
	// The template's own signing order is kept (documenso-api.md: Deprecated endpoints).
	recipients: z.array(useRecipients.unwrap().element.omit({ signingOrder: true })),
});

/** The service drops these two here (documenso-api.md: Deprecated endpoints). */
const DROPPED = { envelopeExpirationPeriod: true, reminderSettings: true } as const;

export const updateTemplate = templateIdOnly.extend({
	data: updateData
		.unwrap()
		.omit({ templateType: true })
		.extend({
			type: templateType.optional(),
			externalId: z.string().nullish(),
			// Left out, it is reset: unlike in the current endpoint.
			globalAccessAuth: accessAuth.default([]),
			...publicTexts,
			useLegacyFieldInsertion,
		})
		.optional(),
	meta: metaSchema(coerced).omit(DROPPED).optional(),
});

export const updateDocument = documentIdOnly.extend({
	data: updateData
		.unwrap()
		.omit({ templateType: true })
		.extend({ useLegacyFieldInsertion })
		.optional(),
	meta,
});

export const distributeDocument = documentIdOnly.extend({
	meta: distributeMetaSchema(coerced).optional(),
});

export const redistributeDocument = documentIdOnly.extend({
	recipients: z.array(number).min(1),
});

const place = z.object({
	pageNumber: z.number().min(1),
	pageX: z.number().min(0),
	pageY: z.number().min(0),
	width: z.number().min(1),
	height: z.number().min(1),
});

/** Missing settings stay missing: only the current endpoints add a type's defaults. */
const field = z
	.record(z.unknown())
	.transform(({ fieldMeta }) => ({ isPlain: fieldMeta === undefined }))
	.and(fieldAndMeta.and(place))
	.transform(({ isPlain, type, fieldMeta, pageNumber, pageX, pageY, width, height }) => ({
		type,
		fieldMeta: isPlain ? null : fieldMeta,
		page: pageNumber,
		positionX: pageX,
		positionY: pageY,
		width,
		height,
	}));

const createDocumentPayload = createPayload
	.omit({ type: true, delegatedDocumentOwner: true })
	.extend({
		recipients: z
			.array(addressedRecipient.extend({ fields: z.array(field).optional() }))
			.optional(),
	});

const createTemplatePayload = createPayload
	.omit({ type: true, delegatedDocumentOwner: true, formValues: true, recipients: true })
	.extend({
		type: templateType.optional(),
		// Unlike everywhere else, of any length, and with the blanks around it.
		externalId: z.string().nullish(),
		meta: metaSchema(strict).omit(DROPPED).optional(),
		...publicTexts,
	});

/** One file, in a part named `file`. */
export const createDocument = z.object({
	payload: jsonText(createDocumentPayload),
	file: uploadedFile,
});
export const createTemplate = z.object({
	payload: jsonText(createTemplatePayload),
	file: uploadedFile,
});
