import { missingRecord, storedInteger } from '../database';
import type { Envelope, EnvelopeItem } from '../entities';
import { AppError } from '../errors';
import type { StoredFile } from '../files';
import type { Caller } from '../http/auth';
import type { UploadedFile } from '../http/multipart';
import type { Instance } from '../instance';
import type { ItemUpdate } from '../schemas/items';
import { inSigningOrder } from '../signing/rules';
import { auditItem, auditItemUpdated } from './auditLog';
import { addPlaceholders, assertItemLimit, openUploads } from './uploads';

/** As read by their numbers. Where Documenso reads files without an order, a new number moves none. */
export function itemsByOrder({ items }: Envelope): EnvelopeItem[] {
	return [...items].sort((a, b) => a.order - b.order);
}

export function replaceFile(
	{ store }: Instance,
	envelope: Envelope,
	item: EnvelopeItem,
	file: StoredFile,
): void {
	item.documentDataId = store.ids.cuid();
	item.original = file;
	item.signed = file;
	// The ID of a file is in an index, so the database stores the item anew, behind the others.
	envelope.items = [...envelope.items.filter(({ id }) => id !== item.id), item];
}

export async function createItems(
	instance: Instance,
	{ user }: Caller,
	envelope: Envelope,
	files: readonly UploadedFile[],
): Promise<EnvelopeItem[]> {
	assertEditable(isDraft(envelope));
	assertItemLimit(envelope.items.length + files.length);
	const firstOrder = Math.max(1, ...envelope.items.map(({ order }) => order)) + 1;
	const uploads = await openUploads(instance, envelope, files, firstOrder);
	// No recipients are invented here, and r1 signs first (documenso-api.md: Placeholders in PDFs).
	const recipients = inSigningOrder(envelope.recipients);
	if (recipients.length > 0) {
		addPlaceholders(instance, envelope, uploads, (number) => recipients[number - 1]);
	}
	const items = uploads.map(({ item }) => item);
	envelope.items.push(...items);
	for (const item of items) auditItem(instance, envelope, 'ENVELOPE_ITEM_CREATED', item, user);
	return items;
}

export function updateItems(
	instance: Instance,
	{ user }: Caller,
	envelope: Envelope,
	updates: readonly ItemUpdate[],
): EnvelopeItem[] {
	const isRetitled = updates.some(({ title }) => title !== undefined);
	const isReordered = updates.some(
		({ envelopeItemId, order }) =>
			order !== undefined &&
			envelope.items.find(({ id }) => id === envelopeItemId)?.order !== order,
	);
	if (!isRetitled && !isReordered) return envelope.items;
	const isOpen = isDraft(envelope) || envelope.status === 'PENDING';
	if (isRetitled) assertEditable(isOpen, 'Envelope item title');
	if (isReordered) {
		const isOrderable = isDraft(envelope) || (isOpen && isUntouched(envelope));
		assertEditable(isOrderable, 'Envelope item order');
	}
	const changes = updates.map((update) => {
		const item = envelope.items.find(({ id }) => id === update.envelopeItemId);
		if (!item) {
			throw new AppError('INVALID_REQUEST', 'One or more envelope items to update do not exist');
		}
		return { item, before: { ...item }, update };
	});
	return changes.map(({ item, before, update }) => {
		// Each change is stored separately: if one has an order that cannot be stored, those before it stay.
		if (update.order !== undefined) item.order = storedInteger(update.order, 'envelopeItem.update');
		item.title = update.title ?? item.title;
		if (update.title !== undefined) auditItemUpdated(instance, envelope, before, item, user);
		// The response to an ID given twice has both results.
		return { ...item };
	});
}

export function deleteItem(
	instance: Instance,
	{ user }: Caller,
	envelope: Envelope,
	itemId: string,
): void {
	assertEditable(isDraft(envelope));
	const item = envelope.items.find(({ id }) => id === itemId);
	if (!item) throw missingRecord('envelopeItem.delete', 'delete');
	auditItem(instance, envelope, 'ENVELOPE_ITEM_DELETED', item, user);
	envelope.items = envelope.items.filter(({ id }) => id !== itemId);
	envelope.fields = envelope.fields.filter(({ envelopeItemId }) => envelopeItemId !== itemId);
}

/** Templates are always drafts. */
function isDraft({ status }: Envelope): boolean {
	return status === 'DRAFT';
}

function isUntouched({ recipients }: Envelope): boolean {
	return recipients.every(
		({ role, sendStatus, signingStatus }) =>
			role === 'CC' || (sendStatus === 'NOT_SENT' && signingStatus === 'NOT_SIGNED'),
	);
}

function assertEditable(isEditable: boolean, what = 'Envelope item'): void {
	if (!isEditable) throw new AppError('INVALID_REQUEST', `${what} is not editable`);
}
