import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import type { Client } from '../api/client';
import { envelopeSchema, type Envelope } from '../api/envelope';
import type { ByteStream } from '../api/exchange';
import { cutShortFailure } from '../api/failedRequest';
import { path } from '../api/path';
import { getFrom } from '../api/request';
import { isPdf, type FileContext } from '../n8n/binary';
import { Refusal } from '../n8n/refusal';
import { TAIL } from '../pdf/catalog';
import { nameOfFile, stemOf, withStems } from './fileNames';

export interface Download {
	path: string;
	query?: IDataObject;
	fileName: string;
	json: IDataObject;
}

/** Lets a file through on its way into n8n's store. */
type Passage = (bytes: ByteStream) => ByteStream;

/** Streams a PDF into the output field that the user named. */
export async function downloadFile(
	{ client, context }: { client: Client; context: FileContext },
	download: Download,
	property: string,
	through?: Passage,
) {
	const { json, fileName } = download;
	const file = await fetchPdf(context, client, download, through);
	if (!file) throw new Refusal(`The downloaded ${fileName} is not a PDF`, NOT_A_PDF);
	return { json: { ...json, fileName }, binary: { [property]: file } };
}

const NOT_A_PDF =
	"Check the credential's base URL, and whether a proxy or a login page stands in front of Documenso.";

/** Why an output lacks the file, if it does not fail for that. */
export function notAPdf(fileName: string): string {
	return `The downloaded ${fileName} is not a PDF. ${NOT_A_PDF}`;
}

/**
 * Streams a PDF into n8n's store. Undefined if the download is something else; what Documenso has written, but lacks its end,
 * is a failure.
 */
export async function fetchPdf(
	context: FileContext,
	client: Client,
	{ fileName, path: filePath, query }: Omit<Download, 'json'>,
	through: Passage = (bytes) => bytes,
): Promise<IBinaryData | undefined> {
	return await client.download(getFrom(filePath, query), async (bytes) => {
		let end = Buffer.alloc(0);
		const seen = through(bytes).map((chunk: Buffer) => {
			end = Buffer.concat([end, chunk.subarray(-TAIL)]).subarray(-TAIL);
			return chunk;
		});
		const file = await context.helpers.prepareBinaryData(seen, fileName, 'application/pdf');
		if (!(await isPdf(context, file))) return undefined;
		// What users have uploaded may be anything. n8n deletes the torso together with the execution.
		const isWhole = query?.version === 'original' || end.includes('%%EOF');
		if (!isWhole) throw cutShortFailure(fileName);
		return file;
	});
}

/** The signed files of a document, as an item has them, and those that could not be fetched. */
export async function fetchSigned(
	context: FileContext,
	client: Client,
	document: z.infer<typeof withFiles>,
) {
	const binary: IBinaryKeyData = {};
	const failed: Array<{ fileName: string; error: unknown }> = [];
	const files = filesOf(document, 'signed').map(({ download }) => download);
	const fetched = await Promise.allSettled(
		files.map(async (download) => await fetchPdf(context, client, download)),
	);
	// In the order of the files, whichever has come first.
	for (const [index, { fileName }] of files.entries()) {
		const one = fetched[index];
		if (one?.status === 'rejected') failed.push({ fileName, error: one.reason });
		else if (one?.value) binary[binaryNameOf(index)] = one.value;
		else failed.push({ fileName, error: new Refusal(notAPdf(fileName)) });
	}
	return { binary, failed };
}

/** What is read of a document to download its files. */
export const withFiles = envelopeSchema.pick({
	...{ id: true, externalId: true, title: true, status: true, envelopeItems: true },
});

/** How to download the files of a document in a version, in their order. */
export function filesOf(
	document: z.infer<typeof withFiles>,
	version: string,
	/** What follows the title in their names. */
	suffix = suffixOf(version, document.status),
) {
	return withStems(document).map(({ id, stem }) => ({
		envelopeItemId: id,
		download: { ...routeOf(id, version), fileName: nameOfFile(document, stem + suffix) },
	}));
}

/** An unfinished document is not signed, whatever version of it was asked for. */
function suffixOf(version: string, status: string): string {
	if (version === 'original') return '';
	const isSigned = version !== 'signed' || status === 'COMPLETED';
	return `_${isSigned ? version : status.toLowerCase()}`;
}

export function routeOf(fileId: string, version: string) {
	return { path: path`/envelope/item/${fileId}/download`, query: { version } };
}

/** The PDFs that Documenso writes about a document. */
export type Paper = 'certificate' | 'audit-log';

/** How to download one of them. Documenso makes it anew for each request. */
export function paperOf(document: Pick<Envelope, 'id' | 'externalId' | 'title'>, paper: Paper) {
	return {
		path: `${path`/envelope/${document.id}`}/${paper}/download`,
		fileName: nameOfFile(document, `${stemOf(document.title)}_${paper}`),
	};
}

/** Where the PDFs of a document are in an item that has all of them. */
export function binaryNameOf(index: number): string {
	return index === 0 ? 'data' : `data_${index + 1}`;
}
