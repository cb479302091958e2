import type { z } from 'zod';
import { missingRecord } from '../database';
import type { Envelope } from '../entities';
import { createEnvelope } from '../envelopes/create';
import { duplicateEnvelope } from '../envelopes/duplicate';
import { deleteEnvelope } from '../envelopes/finish';
import { formatPage } from '../envelopes/format';
import { findByNumber, getByNumber, listTemplates } from '../envelopes/legacyFind';
import {
	formatLegacyDocument,
	formatLegacyTemplate,
	formatLegacyTemplateLite,
	formatLegacyTemplateRow,
} from '../envelopes/legacyFormat';
import { sendEnvelope } from '../envelopes/send';
import { updateEnvelope } from '../envelopes/update';
import { sendFailed, useTemplate } from '../envelopes/use';
import { AppError, notFound } from '../errors';
import { UploadedFile } from '../http/multipart';
import { procedure } from '../http/route';
import type { Instance } from '../instance';
import * as schemas from '../schemas/legacy';

/** Documenso removes these on 2027-03-01 (documenso-api.md: Deprecated endpoints). */
export const templateRoutes = [
	procedure({
		method: 'GET',
		path: '/template',
		operation: 'template.findTemplates',
		input: schemas.findTemplates,
		answer: (instance, caller, input) =>
			formatPage(listTemplates(instance, caller, input), input, formatLegacyTemplateRow),
	}),
	procedure({
		method: 'GET',
		path: '/template/:templateId',
		operation: 'template.getTemplateById',
		input: schemas.templateIdOnly,
		answer: async (instance, caller, { templateId }) =>
			await formatLegacyTemplate(instance, getByNumber(instance, caller, 'TEMPLATE', templateId)),
	}),
	procedure({
		method: 'POST',
		path: '/template/create',
		operation: 'template.createTemplate',
		input: schemas.createTemplate,
		answer: async (instance, caller, { payload, file }) => {
			const { type, publicTitle, publicDescription, externalId, ...given } = payload;
			const whole = { ...given, externalId: externalId ?? undefined, type: 'TEMPLATE' as const };
			const envelope = await createEnvelope(instance, caller, whole, [file], 1);
			envelope.templateType = type ?? envelope.templateType;
			envelope.publicTitle = publicTitle ?? '';
			envelope.publicDescription = publicDescription ?? '';
			return { envelopeId: envelope.id, id: envelope.legacyId };
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/use',
		operation: 'template.createDocumentFromTemplate',
		input: schemas.useTemplate,
		answer: async (instance, caller, { templateId, ...payload }) => {
			const template = getByNumber(instance, caller, 'TEMPLATE', templateId);
			const { files, customDocumentData } = storedReplacements(instance, template, payload);
			const { id } = template;
			const asDraft = { ...payload, envelopeId: id, customDocumentData, distributeDocument: false };
			const used = await useTemplate(instance, caller, asDraft, files);
			if (payload.distributeDocument) sendUsed(instance, used);
			return await formatLegacyDocument(instance, used);
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/update',
		operation: 'template.updateTemplate',
		input: schemas.updateTemplate,
		answer: (instance, caller, { templateId, data, meta }) => {
			const { id } = getByNumber(instance, caller, 'TEMPLATE', templateId, 'Envelope not found');
			const { type: templateType, ...given } = data ?? {};
			const input = { envelopeId: id, data: { ...given, templateType }, meta };
			return formatLegacyTemplateLite(updateEnvelope(instance, caller, input));
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/duplicate',
		operation: 'template.duplicateTemplate',
		input: schemas.templateIdOnly,
		answer: (instance, caller, { templateId }) => {
			const missing = 'Document not found';
			const template = getByNumber(instance, caller, 'TEMPLATE', templateId, missing);
			return formatLegacyTemplateLite(duplicateEnvelope(instance, caller, template));
		},
	}),
	procedure({
		method: 'POST',
		path: '/template/delete',
		operation: 'template.deleteTemplate',
		input: schemas.templateIdOnly,
		answer: (instance, caller, { templateId }) => {
			const template = findByNumber(instance, caller, 'TEMPLATE', templateId);
			if (!template) throw missingRecord('envelope.findUniqueOrThrow', 'query');
			deleteEnvelope(instance, caller, template.id);
			return { success: true };
		},
	}),
];

type UseInput = Omit<z.output<typeof schemas.useTemplate>, 'templateId'>;

/** Here, files that are stored already replace those of the template, as if they were uploaded with their IDs as names. */
function storedReplacements(
	{ store }: Instance,
	{ items }: Envelope,
	{ customDocumentDataId, customDocumentData: given = [] }: UseInput,
) {
	const replacements = items.flatMap(({ id }) => {
		const named = given.find(({ envelopeItemId }) => envelopeItemId === id);
		const identifier = customDocumentDataId || named?.documentDataId;
		return identifier === undefined ? [] : [{ identifier, envelopeItemId: id }];
	});
	const files = replacements.map(({ identifier }) => {
		const file = store.findFile(identifier);
		if (!file) throw notFound('Document data not found');
		return new UploadedFile('files', identifier, 'application/pdf', file, Infinity);
	});
	return { files, customDocumentData: replacements };
}

/** Unlike the current endpoint, this one also tells why, if sending was refused and did not just fail. */
function sendUsed(instance: Instance, envelope: Envelope): void {
	try {
		sendEnvelope(instance, envelope);
	} catch (error) {
		throw error instanceof AppError ? error : sendFailed();
	}
}
