import type { IBinaryData, IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Envelope } from '../api/envelope';
import { fileNameOf, withoutEnding } from '../api/fileName';
import { path } from '../api/path';
import { getFrom } from '../api/request';
import { isPdf } from '../engine/binary';
import { Refusal } from '../engine/refusal';

/** A file to download, and the output that goes with it. */
export interface Download {
	path: string;
	query?: IDataObject;
	fileName: string;
	json: IDataObject;
}

/** Streams a PDF into the output field that the user named. */
export async function downloadFile(
	{ client, context }: { client: Client; context: IExecuteFunctions },
	download: Download,
	property: string,
) {
	const { json, fileName } = download;
	const file = await fetchPdf(context, client, download);
	if (!file) throw new Refusal(`The downloaded ${fileName} is not a PDF`, NOT_A_PDF);
	return { json: { ...json, fileName }, binary: { [property]: file } };
}

const NOT_A_PDF =
	"Check the credential's base URL, and whether a proxy or a login page stands in front of Documenso.";

/** Why an output lacks the file, if it does not fail for that. */
export function notAPdf(fileName: string): string {
	return `The downloaded ${fileName} is not a PDF. ${NOT_A_PDF}`;
}

/** Streams a PDF into n8n's store. Undefined if the download is something else. */
export async function fetchPdf(
	context: IExecuteFunctions | IWebhookFunctions,
	client: Client,
	{ fileName, path: filePath, query }: Omit<Download, 'json'>,
): Promise<IBinaryData | undefined> {
	const file = await client.download(
		getFrom(filePath, query),
		async (bytes) => await context.helpers.prepareBinaryData(bytes, fileName, 'application/pdf'),
	);
	return (await isPdf(context, file)) ? file : undefined;
}

/** How to download the files of a document in a version. */
export function filesOf({ envelopeItems }: Pick<Envelope, 'envelopeItems'>, version: string) {
	return envelopeItems.map((file) => ({
		envelopeItemId: file.id,
		download: downloadOf(file, version),
	}));
}

/** How to download one of them. */
export function downloadOf(
	{ id, title }: Pick<Envelope['envelopeItems'][number], 'id' | 'title'>,
	version: string,
) {
	return {
		path: path`/envelope/item/${id}/download`,
		query: { version },
		fileName: fileNameFor(title, version),
	};
}

/** Where the PDFs of a document are in an item that has all of them. */
export function binaryNameOf(index: number): string {
	return index === 0 ? 'data' : `data_${index + 1}`;
}

/** A slash in a file's name would stand for a folder. */
export function fileNameFor(title: string, kind: string): string {
	const stem = withoutEnding(fileNameOf(title)).replace(/[/\\]/g, '_');
	return kind === 'original' ? `${stem}.pdf` : `${stem}_${kind}.pdf`;
}
