import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Envelope, EnvelopeItem } from '../entities';
import { AppError, notFound } from '../errors';
import { getVisible } from '../envelopes/access';
import { createItems, deleteItem, updateItems } from '../envelopes/items';
import { contentDisposition } from '../http/contentDisposition';
import { download, procedure, type FileAnswer } from '../http/route';
import { drawSignedPdf } from '../pdf/signedPdf';
import { multipart } from '../schemas/files';
import * as schemas from '../schemas/items';

const MISSING = 'Envelope not found';

export const envelopeItemRoutes = [
	procedure({
		method: 'POST',
		path: '/envelope/item/create-many',
		operation: 'envelope.item.createMany',
		input: multipart(schemas.createItemsPayload),
		answer: async (instance, caller, { payload: { envelopeId }, files = [] }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING);
			const created = await createItems(instance, caller, envelope, files);
			return {
				data: created.map(({ id, title, order, documentDataId }) => ({
					id,
					title,
					envelopeId,
					order,
					documentDataId,
				})),
			};
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/item/update-many',
		operation: 'envelope.item.updateMany',
		input: schemas.updateItems,
		answer: (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING);
			const updated = updateItems(instance, caller, envelope, data);
			return { data: updated.map(({ id, order, title }) => ({ id, order, title, envelopeId })) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/item/delete',
		operation: 'envelope.item.delete',
		input: schemas.deleteItem,
		answer: (instance, caller, { envelopeId, envelopeItemId }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING);
			deleteItem(instance, caller, envelope, envelopeItemId);
			return { success: true };
		},
	}),
	download({
		path: '/envelope/item/:envelopeItemId/download',
		operation: 'envelope.item.download',
		query: z.object({ version: z.enum(['original', 'signed', 'pending']).default('signed') }),
		answer: async (instance, caller, { envelopeItemId = '' }, { version }) => {
			const found = instance.store.findItem(envelopeItemId);
			// Membership of the team is enough here; visibility is not checked.
			if (!found || found.envelope.team.id !== caller.team.id) {
				throw notFound('Envelope item not found');
			}
			const { envelope, item } = found;
			return version === 'pending'
				? await pendingFile(envelope, item, instance.now())
				: await storedFile(item, version);
		},
	}),
];

/** The status is not checked: an unfinished document's "signed" file is its original. */
export async function storedFile(
	item: EnvelopeItem,
	version: 'original' | 'signed',
): Promise<FileAnswer> {
	const file = item[version];
	const suffix = version === 'signed' ? '_signed' : '';
	return {
		content: await file.read(),
		headers: {
			'cache-control': 'no-cache, no-store, must-revalidate',
			'content-disposition': contentDisposition('attachment', `${baseName(item)}${suffix}.pdf`),
			etag: await file.etag(),
			expires: '0',
			pragma: 'no-cache',
		},
		ignoresIfNoneMatch: true,
	};
}

async function pendingFile(envelope: Envelope, item: EnvelopeItem, now: Date): Promise<FileAnswer> {
	if (envelope.status !== 'PENDING') {
		const message = `Envelope ${envelope.id} must be pending to download a partially signed PDF`;
		throw new AppError(NOT_PENDING[envelope.status], message);
	}
	if (envelope.internalVersion === 1) {
		// This route does not serve them (documenso-api.md: Downloads).
		const message = `Envelope ${envelope.id} is a legacy envelope and does not support partially signed PDF downloads`;
		throw new AppError('ENVELOPE_LEGACY', message);
	}
	const filled = envelope.fields.filter(({ inserted }) => inserted);
	return {
		content: Buffer.from(await drawSignedPdf(envelope, item, 'none', now)),
		headers: {
			'cache-control': 'no-store, private',
			'content-disposition': contentDisposition('attachment', `${baseName(item)}_pending.pdf`),
			etag: createHash('sha256')
				.update(JSON.stringify([item.id, filled]))
				.digest('hex'),
		},
	};
}

const NOT_PENDING = {
	DRAFT: 'ENVELOPE_DRAFT',
	COMPLETED: 'ENVELOPE_COMPLETED',
	REJECTED: 'ENVELOPE_REJECTED',
	CANCELLED: 'INVALID_REQUEST',
};

/** Only a lower-case extension is removed: "x.PDF" becomes "x.PDF_signed.pdf". */
function baseName({ title }: EnvelopeItem): string {
	return title.replace(/\.pdf$/, '');
}
