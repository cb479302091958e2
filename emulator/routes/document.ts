import { z } from 'zod';
import type { Envelope } from '../entities';
import { isVisible } from '../envelopes/access';
import { createEnvelope } from '../envelopes/create';
import { duplicateEnvelope } from '../envelopes/duplicate';
import { listEnvelopes } from '../envelopes/find';
import { deleteEnvelope } from '../envelopes/finish';
import { formatPage } from '../envelopes/format';
import { itemsByOrder } from '../envelopes/items';
import { findByNumber, getByNumber } from '../envelopes/legacyFind';
import {
	formatLegacyDocument,
	formatLegacyDocumentLite,
	formatLegacyDocumentRow,
} from '../envelopes/legacyFormat';
import { distribute, redistribute } from '../envelopes/send';
import { updateEnvelope } from '../envelopes/update';
import { AppError, DownloadQueryError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import { download, procedure } from '../http/route';
import type { Instance } from '../instance';
import * as schemas from '../schemas/legacy';
import { storedFile } from './envelopeItem';

const MISSING = 'Document not found';

/** Documenso removes these on 2027-03-01 (documenso-api.md: Deprecated endpoints). */
export const documentRoutes = [
	procedure({
		method: 'GET',
		path: '/document',
		operation: 'document.find',
		input: schemas.findDocuments,
		answer: (instance, caller, input) => {
			const documents = listEnvelopes(instance, caller, { ...input, type: 'DOCUMENT' });
			return formatPage(documents, input, formatLegacyDocumentRow);
		},
	}),
	procedure({
		method: 'GET',
		path: '/document/:documentId',
		operation: 'document.get',
		input: schemas.documentIdOnly,
		answer: async (instance, caller, { documentId }) =>
			await formatLegacyDocument(instance, getDocument(instance, caller, documentId)),
	}),
	procedure({
		method: 'POST',
		path: '/document/get-many',
		operation: 'document.getMany',
		input: schemas.documentIds,
		answer: (instance, caller, { documentIds }) => {
			const documents = instance.store.documents.filter(
				(document) => documentIds.includes(document.legacyId) && isVisible(document, caller),
			);
			return { data: documents.map(formatLegacyDocumentRow) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/create',
		operation: 'document.create',
		input: schemas.createDocument,
		answer: async (instance, caller, { payload, file }) => {
			const whole = { ...payload, type: 'DOCUMENT' as const };
			const envelope = await createEnvelope(instance, caller, whole, [file], 1);
			return { envelopeId: envelope.id, id: envelope.legacyId };
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/update',
		operation: 'document.update',
		input: schemas.updateDocument,
		answer: (instance, caller, { documentId, ...input }) => {
			const envelopeId = getDocument(instance, caller, documentId, 'Envelope not found').id;
			return formatLegacyDocumentLite(updateEnvelope(instance, caller, { envelopeId, ...input }));
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/distribute',
		operation: 'document.distribute',
		input: schemas.distributeDocument,
		answer: (instance, caller, { documentId, meta }) => {
			const envelopeId = idToSend(instance, caller, documentId);
			return formatLegacyDocumentLite(distribute(instance, caller, { envelopeId, meta }));
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/redistribute',
		operation: 'document.redistribute',
		input: schemas.redistributeDocument,
		answer: (instance, caller, { documentId, recipients }) => {
			const id = idToSend(instance, caller, documentId);
			redistribute(instance, caller, id, recipients);
			return { success: true };
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/duplicate',
		operation: 'document.duplicate',
		input: schemas.documentIdOnly,
		answer: (instance, caller, { documentId }) => {
			const document = getDocument(instance, caller, documentId, MISSING);
			const { id, legacyId } = duplicateEnvelope(instance, caller, document);
			return { id, documentId: legacyId };
		},
	}),
	procedure({
		method: 'POST',
		path: '/document/delete',
		operation: 'document.delete',
		input: schemas.documentIdOnly,
		answer: (instance, caller, { documentId }) => {
			// Found without regard to the caller, who may also be a recipient.
			const document = instance.store.documents.find(({ legacyId }) => legacyId === documentId);
			if (!document) throw notFound(MISSING);
			deleteEnvelope(instance, caller, document.id);
			return { success: true };
		},
	}),
	download({
		path: '/document/:documentId/download',
		operation: 'document.download',
		// As recorded, any version is accepted and ignored.
		query: z.object({}),
		answer: async (instance, caller, { documentId }) => {
			const id = numberIn(documentId);
			if (id === 0) throw notFound(MISSING);
			const [item] = itemsByOrder(getByNumber(instance, caller, 'DOCUMENT', id, MISSING));
			if (!item) throw notFound(MISSING);
			return await storedFile(item, 'signed');
		},
	}),
	procedure({
		method: 'GET',
		path: '/document/:documentId/download-beta',
		operation: 'document.downloadBeta',
		input: schemas.documentIdOnly,
		answer: (instance, caller, { documentId }) => {
			getDocument(instance, caller, documentId);
			const message = 'Document downloads are only available when S3 storage is configured.';
			throw new AppError('INVALID_REQUEST', message);
		},
	}),
];

/** Refused as a part of the query would be. */
function numberIn(documentId: string | undefined): number {
	const parsed = z.object({ documentId: z.coerce.number() }).safeParse({ documentId });
	if (parsed.success) return parsed.data.documentId;
	throw new DownloadQueryError({ documentId }, parsed.error.issues);
}

function getDocument(
	instance: Instance,
	caller: Caller,
	documentId: number,
	missing?: string,
): Envelope {
	return getByNumber(instance, caller, 'DOCUMENT', documentId, missing);
}

/** Sending has its own errors for a document that is not there. */
function idToSend(instance: Instance, caller: Caller, documentId: number): string {
	return findByNumber(instance, caller, 'DOCUMENT', documentId)?.id ?? 'envelope_missing';
}
