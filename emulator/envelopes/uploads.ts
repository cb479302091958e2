import type { Envelope, EnvelopeItem, Recipient } from '../entities';
import { AppError } from '../errors';
import type { UploadedFile } from '../http/multipart';
import type { Instance } from '../instance';
import { openDocumentFile } from '../pdf/documentFile';
import type { FoundPlaceholder } from '../pdf/placeholders';
import { newField, newItem } from './draft';

const MAX_ITEMS = 5;

export interface Upload {
	filename: string;
	item: EnvelopeItem;
	placeholders: FoundPlaceholder[];
}

type Described = Pick<Envelope, 'type' | 'title' | 'formValues' | 'internalVersion'>;

export function assertItemLimit(count: number, ending = ''): void {
	if (count <= MAX_ITEMS) return;
	const message = `You cannot upload more than ${MAX_ITEMS} envelope items${ending}`;
	throw new AppError('ENVELOPE_ITEM_LIMIT_EXCEEDED', message, { statusCode: 400 });
}

/** A payload names a file by its position (-1 is the last) or its exact name. */
export function fileNamed<File extends { filename: string }>(
	files: readonly File[],
	identifier: string | number,
): File | undefined {
	return typeof identifier === 'number'
		? files.at(identifier)
		: files.find(({ filename }) => filename === identifier);
}

/** Creates an envelope's new items, with placeholders found and covered. */
export async function openUploads(
	instance: Instance,
	{ type, title, formValues, internalVersion }: Described,
	files: readonly UploadedFile[],
	firstOrder = 1,
): Promise<Upload[]> {
	const uploads: Upload[] = [];
	for (const [index, { filename, content }] of files.entries()) {
		const { file, placeholders } = await openDocumentFile(instance, content, {
			formValues: formValues ?? undefined,
			flattenForm: type === 'DOCUMENT',
			// The deprecated endpoints do not look for placeholders (documenso-api.md: Placeholders in PDFs).
			findPlaceholders: internalVersion === 2,
		});
		// The deprecated endpoints name the file after the envelope.
		const name = internalVersion === 1 ? title : filename || title;
		const item = newItem(instance, name, firstOrder + index, file);
		uploads.push({ filename, item, placeholders });
	}
	return uploads;
}

/** `recipientOf` returns the recipient for `r1`, `r2` and so on. */
export function addPlaceholders(
	instance: Instance,
	envelope: Envelope,
	uploads: readonly Upload[],
	recipientOf: (recipientNumber: number) => Recipient | undefined,
): void {
	const count = envelope.recipients.length;
	const fields = uploads.flatMap(({ item, placeholders }) =>
		placeholders.map(({ recipientNumber, recipientText, ...field }) => {
			const recipient = recipientOf(recipientNumber);
			if (!recipient) {
				const place = `${recipientText} (index ${recipientNumber}) is out of range`;
				const message = `Recipient placeholder ${place}. Provided ${count} recipient(s).`;
				throw new AppError('INVALID_BODY', message);
			}
			const owners = { envelopeItemId: item.id, recipientId: recipient.id };
			return newField(instance, { ...field, ...owners });
		}),
	);
	// All or none.
	envelope.fields.push(...fields);
}
