import type { Envelope, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import { UploadedFile } from '../http/multipart';
import type { Instance } from '../instance';
import type { CreatePayload, RecipientInput } from '../schemas/envelopes';
import { pdfFor, WORD } from '../pdf/wordFile';
import { mergeMeta, withoutEmpty } from '../schemas/meta';
import { assertNewFolder, assertNoActionAuth, assertNoSender, assertStoredFolder } from './access';
import { newAttachment } from './attachments';
import { auditCreated } from './auditLog';
import {
	addDefaultRecipients,
	newEnvelope,
	newField,
	newRecipient,
	placeholderPerson,
} from './draft';
import { addPlaceholders, assertItemLimit, fileNamed, openUploads, type Upload } from './uploads';

export async function createEnvelope(
	instance: Instance,
	caller: Caller,
	payload: CreatePayload,
	files: readonly UploadedFile[],
	internalVersion: 1 | 2 = 2,
): Promise<Envelope> {
	assertItemLimit(files.length, ' per envelope');
	for (const { type } of files) assertConvertible(instance, type);
	const described = { ...describe(payload), internalVersion };
	const uploads = await openUploads(instance, described, await converted(instance, files));
	const { recipients = [] } = payload;
	for (const { identifier } of recipients.flatMap(({ fields = [] }) => fields)) {
		findUpload(uploads, identifier);
	}
	assertNewFolder(instance, caller, payload.folderId, payload.type);
	assertNoActionAuth(payload.globalActionAuth);
	for (const { actionAuth } of recipients) assertNoActionAuth(actionAuth);
	assertNoSender(payload.meta?.emailId);
	assertStoredFolder(payload.folderId);

	const envelope = newEnvelope(instance, {
		...described,
		user: caller.user,
		team: caller.team,
		items: uploads.map(({ item }) => item),
	});
	envelope.documentMeta = mergeMeta(envelope.documentMeta, withoutEmpty(payload.meta ?? {}));
	envelope.attachments = (payload.attachments ?? []).map((input) => newAttachment(instance, input));
	addRecipients(instance, envelope, recipients, uploads);
	const isGiven = envelope.recipients.length > 0;
	addDefaultRecipients(instance, envelope);
	if (!isGiven) inventRecipients(instance, envelope, uploads);
	addPlaceholders(instance, envelope, uploads, (recipientNumber) =>
		isGiven
			? placeholderRecipient(envelope, recipientNumber)
			: envelope.recipients.find(({ signingOrder }) => signingOrder === recipientNumber),
	);

	instance.store.envelopes.set(envelope.id, envelope);
	auditCreated(instance, envelope);
	instance.emit(envelope.type === 'DOCUMENT' ? 'DOCUMENT_CREATED' : 'TEMPLATE_CREATED', envelope);
	return envelope;
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

function assertConvertible({ convertsWordFiles }: Instance, type: string): void {
	if (type === 'application/pdf') return;
	if (type === WORD) {
		if (convertsWordFiles) return;
		throw new AppError('CONVERSION_SERVICE_UNAVAILABLE', 'Conversion service not configured', {
			userMessage: "Document conversion isn't enabled on this instance. Please upload a PDF.",
			statusCode: 503,
		});
	}
	throw new AppError('UNSUPPORTED_FILE_TYPE', `Unsupported file type: ${type}`, {
		userMessage: "This file type isn't supported. Please upload a PDF or Word document.",
		statusCode: 400,
	});
}

/** The uploads, with each Word file replaced by a PDF of the same name (documenso-api.md: Files). */
async function converted(
	{ files: store }: Instance,
	files: readonly UploadedFile[],
): Promise<UploadedFile[]> {
	return await Promise.all(
		files.map(async (file) => {
			const { name, filename, type, maxBytes } = file;
			if (type !== WORD) return file;
			const content = await store.keep(await pdfFor(filename));
			return new UploadedFile(name, filename, 'application/pdf', content, maxBytes);
		}),
	);
}

function addRecipients(
	instance: Instance,
	envelope: Envelope,
	recipients: readonly RecipientInput[],
	uploads: readonly Upload[],
): void {
	for (const { fields, accessAuth, actionAuth, ...given } of recipients) {
		const recipient = newRecipient(instance, {
			...given,
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

/** The file of a field; the default is the first one. */
function findUpload(uploads: readonly Upload[], identifier: string | number = 0): Upload {
	const upload = fileNamed(uploads, identifier);
	if (!upload) throw notFound('Document data not found');
	return upload;
}

/** Without recipients in the payload, `r1` becomes recipient.1@documenso.com and so on. */
function inventRecipients(
	instance: Instance,
	envelope: Envelope,
	uploads: readonly Upload[],
): void {
	const placeholders = uploads.flatMap((upload) => upload.placeholders);
	const numbers = [...new Set(placeholders.map(({ recipientNumber }) => recipientNumber))];
	for (const number of numbers.sort((a, b) => a - b)) {
		const recipient = newRecipient(instance, {
			...placeholderPerson(number),
			role: 'SIGNER',
			signingOrder: number,
			authOptions: null,
		});
		envelope.recipients.push(recipient);
	}
}

/** `r2` is the second recipient, or an earlier one with the same address. */
function placeholderRecipient({ recipients }: Envelope, number: number): Recipient | undefined {
	const wanted = recipients[number - 1];
	return recipients.find(({ email }) => email === wanted?.email);
}
