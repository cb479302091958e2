import type { Envelope, EnvelopeItem } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { UploadedFile } from '../http/multipart';
import type { Instance } from '../instance';
import { openDocumentFile } from '../pdf/documentFile';
import type { FoundPlaceholder } from '../pdf/placeholders';
import type { CreatePayload, RecipientInput } from '../schemas/envelopes';
import { mergeMeta } from '../schemas/meta';
import { assertFolder, assertNoActionAuth } from './access';
import { newEnvelope, newField, newItem, newRecipient } from './draft';

const MAX_ITEMS = 5;

interface Upload {
	filename: string;
	item: EnvelopeItem;
	placeholders: FoundPlaceholder[];
}

export async function createEnvelope(
	instance: Instance,
	caller: Caller,
	payload: CreatePayload,
	files: readonly UploadedFile[],
): Promise<Envelope> {
	assertItemLimit(files.length);
	const uploads = await readUploads(instance, payload, files);
	assertNoActionAuth(payload.globalActionAuth);
	if (payload.folderId) assertFolder(instance, caller, payload.folderId, payload.type);

	const envelope = newEnvelope(instance, {
		...describe(payload),
		user: caller.user,
		team: caller.team,
		items: uploads.map(({ item }) => item),
	});
	envelope.documentMeta = mergeMeta(envelope.documentMeta, payload.meta ?? {});
	envelope.attachments = (payload.attachments ?? []).map(({ label, data }) => ({
		id: instance.store.ids.cuid(),
		label,
		data,
	}));
	addRecipients(instance, envelope, payload.recipients ?? [], uploads);
	addPlaceholders(instance, envelope, payload.recipients, uploads);

	instance.store.envelopes.set(envelope.id, envelope);
	instance.emit(envelope.type === 'DOCUMENT' ? 'DOCUMENT_CREATED' : 'TEMPLATE_CREATED', envelope);
	return envelope;
}

export function assertItemLimit(count: number): void {
	if (count <= MAX_ITEMS) return;
	const message = `You cannot upload more than ${MAX_ITEMS} envelope items per envelope`;
	throw new AppError('ENVELOPE_ITEM_LIMIT_EXCEEDED', message, { statusCode: 400 });
}

function describe(payload: CreatePayload) {
	return {
		type: payload.type,
		title: payload.title,
		externalId: payload.externalId ?? null,
		visibility: payload.visibility ?? ('EVERYONE' as const),
		authOptions: {
			globalAccessAuth: payload.globalAccessAuth ?? [],
			globalActionAuth: payload.globalActionAuth ?? [],
		},
		formValues: payload.formValues ?? null,
		folderId: payload.folderId ?? null,
	};
}

async function readUploads(
	instance: Instance,
	payload: CreatePayload,
	files: readonly UploadedFile[],
): Promise<Upload[]> {
	for (const file of files) assertPdfType(file.type);
	const uploads: Upload[] = [];
	for (const [index, { filename, content }] of files.entries()) {
		const { file, placeholders } = await openDocumentFile(instance, content, {
			formValues: payload.formValues,
			flattenForm: payload.type === 'DOCUMENT',
			findPlaceholders: true,
		});
		const item = newItem(instance, filename, index + 1, file);
		uploads.push({ filename, item, placeholders });
	}
	return uploads;
}

function assertPdfType(type: string): void {
	if (type === 'application/pdf') return;
	throw new AppError('UNSUPPORTED_FILE_TYPE', `Unsupported file type: ${type}`, {
		userMessage: "This file type isn't supported. Please upload a PDF or Word document.",
		statusCode: 400,
	});
}

function addRecipients(
	instance: Instance,
	envelope: Envelope,
	recipients: readonly RecipientInput[],
	uploads: readonly Upload[],
): void {
	for (const { fields, accessAuth, actionAuth, ...given } of recipients) {
		assertNoActionAuth(actionAuth);
		const recipient = newRecipient(instance, {
			...given,
			signingOrder: given.signingOrder ?? null,
			authOptions: { accessAuth, actionAuth },
		});
		envelope.recipients.push(recipient);
		for (const { identifier, ...field } of fields ?? []) {
			const envelopeItemId = findUpload(uploads, identifier).item.id;
			const recipientId = recipient.id;
			envelope.fields.push(newField(instance, { ...field, envelopeItemId, recipientId }));
		}
	}
}

/** A field names its file by position or by exact file name; without a name it means the first. */
function findUpload(uploads: readonly Upload[], identifier: string | number = 0): Upload {
	const upload =
		typeof identifier === 'number'
			? uploads[identifier]
			: uploads.find(({ filename }) => filename === identifier);
	if (!upload) throw notFound('Document data not found');
	return upload;
}

function addPlaceholders(
	instance: Instance,
	envelope: Envelope,
	given: readonly RecipientInput[] | undefined,
	uploads: readonly Upload[],
): void {
	const placeholders = uploads.flatMap((upload) =>
		upload.placeholders.map((placeholder) => ({ ...placeholder, itemId: upload.item.id })),
	);
	const isGiven = given !== undefined && given.length > 0;
	if (!isGiven) inventRecipients(instance, envelope, placeholders);
	for (const { itemId, recipientNumber, ...field } of placeholders) {
		const recipientId = placeholderRecipient(envelope, recipientNumber, isGiven);
		envelope.fields.push(newField(instance, { ...field, envelopeItemId: itemId, recipientId }));
	}
}

/** Without recipients in the payload, `r1` becomes recipient.1@documenso.com and so on. */
function inventRecipients(
	instance: Instance,
	envelope: Envelope,
	placeholders: readonly FoundPlaceholder[],
): void {
	const numbers = [...new Set(placeholders.map(({ recipientNumber }) => recipientNumber))];
	for (const number of numbers.sort((a, b) => a - b)) {
		const recipient = newRecipient(instance, {
			email: `recipient.${number}@documenso.com`,
			name: `Recipient ${number}`,
			role: 'SIGNER',
			signingOrder: number,
			authOptions: null,
		});
		envelope.recipients.push(recipient);
	}
}

function placeholderRecipient(envelope: Envelope, number: number, isPosition: boolean): number {
	const { recipients } = envelope;
	const wanted = isPosition
		? recipients[number - 1]
		: recipients.find(({ signingOrder }) => signingOrder === number);
	if (!wanted) {
		const message = `Recipient placeholder r${number} has no matching recipient`;
		throw new AppError('INVALID_BODY', message);
	}
	// Recipients are matched by e-mail: of two with the same address the first gets the fields.
	return recipients.find(({ email }) => email === wanted.email)?.id ?? wanted.id;
}
