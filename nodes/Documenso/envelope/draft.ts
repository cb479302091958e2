import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { multipart } from '../../shared/api/body';
import { ApiFailure } from '../../shared/api/failure';
import { uploadsOf, isWord, type Upload } from '../../shared/n8n/binary';
import type { Values } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { escaped } from '../../shared/n8n/nodeError';
import { inputPdfsOrWordFiles } from '../inputs/files';
import { recipientsWithFields, type Recipient } from '../inputs/recipients';
import { requiredTitle, type GivenSettings } from '../inputs/settings';
import { createIn, type EnvelopeType } from '../../shared/envelope/folders';
import { freeSignatureFailure, isFreeSignature } from './freeSignature';
import { checkRecipients, recipientsOf } from './recipients';
import { emailingOf, type Emailing } from '../../shared/envelope/whoCanSign';
import { metaOf, sortSettings } from './settings';
import { uploadFailure } from './uploadFailure';

/** What a new document or template is made from. */
export const draftInputs = {
	title: requiredTitle,
	binaryPropertyName: inputPdfsOrWordFiles,
	...recipientsWithFields,
};

export type DraftValues = Values<typeof draftInputs> & { additionalFields: GivenSettings };

export const createdSchema = z.object({ id: z.string() });

/** A new document or template: everything is checked, and nothing is created yet. */
export interface Draft {
	payload: IDataObject;
	folder: { type: EnvelopeType; folderId?: string };
	recipients: Recipient[];
	emailing: Emailing;
	files: Upload[];
}

export async function draftOf(
	given: DraftValues,
	item: Item,
	type: EnvelopeType,
	isSent: boolean,
): Promise<Draft> {
	const settings = sortSettings(given.additionalFields);
	const files = await uploadsOf(item, given.binaryPropertyName, ['PDF', 'Word']);
	const isMisplacedAllowed = given.additionalFields.allowMisplacedFields ?? false;
	const recipients = await recipientsOf(given, { files, item, isMisplacedAllowed });
	const hasOrder = recipients.some(({ signingOrder }) => signingOrder);
	// Otherwise the service ignores the recipients' orders, and lets all sign at once.
	const meta = {
		...(hasOrder ? { signingOrder: 'SEQUENTIAL' } : {}),
		...metaOf(settings),
	};
	const emailing = emailingOf(meta);
	checkRecipients(given, recipients, { emailing, isSent, item });
	const payload = {
		type,
		title: given.title,
		...settings.data,
		...settings.content,
		recipients,
		meta,
	};
	const folder = { type, folderId: given.additionalFields.folderId };
	return { payload, folder, recipients, emailing, files };
}

export async function createDraft(item: Item, { payload, folder, recipients, files }: Draft) {
	const { client } = item;
	const body = multipart(payload, files);
	const create = async () => await client.post('/envelope/create', body, createdSchema);
	const created = await createIn(client, folder, create).catch((error: unknown) => {
		const places = recipients.flatMap(({ email, fields = [] }) =>
			fields.filter(isFreeSignature).map(({ page }) => `page ${page}, for ${email}`),
		);
		const failure = conversionFailure(freeSignatureFailure(error, places), files);
		throw uploadFailure(failure, files);
	});
	const { delegatedDocumentOwner: owner } = payload;
	if (typeof owner === 'string') await tellOtherOwner(item, created.id, owner);
	return created;
}

const ownedSchema = z.object({ user: z.object({ email: z.string() }) });

/** The service ignores an owner that the team may not choose. One document of each owner is read for it. */
async function tellOtherOwner({ client, execution }: Item, id: string, owner: string) {
	const read = async () => (await client.envelope(id, ownedSchema)).user.email;
	await client.once(`owner ${owner}`, async () => {
		const actual = await read().catch(() => undefined);
		if (actual === undefined || actual.toLowerCase() === owner.toLowerCase()) return;
		const message = `'Owner Email' had no effect: ${escaped(actual)} is the owner, not ${escaped(owner)}. An admin of the team can allow it in Documenso with Delegate Document Ownership, in the document preferences.`;
		execution.hints.say(message, 'warning');
	});
}

/** The failure with the Word files that Documenso did not convert. */
function conversionFailure(error: unknown, files: Upload[]): unknown {
	const names = files.filter(isWord).map(({ name }) => name);
	if (!(error instanceof ApiFailure) || names.length === 0) return error;
	const advice = WORD_ADVICE.get(error.facts.code ?? '');
	return advice
		? error.withAdvice(`Documenso could not convert ${names.join(', ')} to PDF`, advice)
		: error;
}

/** By Documenso's code (documenso-api.md: Files). */
const WORD_ADVICE: ReadonlyMap<string, string> = new Map([
	[
		'CONVERSION_SERVICE_UNAVAILABLE',
		'This Documenso is not set up to convert Word files. Convert the file to PDF before this step, or ask the administrator of Documenso to set up the conversion.',
	],
	['CONVERSION_FAILED', 'Open the file in Word, save it as PDF and use that, or try again later.'],
	[
		'UNSUPPORTED_FILE_TYPE',
		'This Documenso takes only PDFs. Convert the file to PDF before this step.',
	],
]);
