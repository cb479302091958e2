import type { IBinaryData, IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { envelopeSchema } from '../api/envelope';
import { isPdf } from '../engine/binary';
import type { Item } from '../engine/item';
import type { ItemOutput } from '../engine/operation';
import { Refusal } from '../engine/refusal';
import { readNamedOnce } from './named';

/** A file to download, and the output that goes with it. */
export interface Download {
	path: string;
	query?: IDataObject;
	fileName: string;
	json: IDataObject;
}

/** The file with this ID, and its document or template. Throws if that has no such file. */
export async function fileOf(client: Client, envelopeId: string, fileId: string) {
	const stored = await readNamedOnce(client, 'envelopeId', envelopeId);
	const envelope = client.parse(envelopeSchema, stored);
	const file = envelope.envelopeItems.find(({ id }) => id === fileId);
	if (file) return { envelope, file };
	const names = envelope.envelopeItems.map(({ id, title }) => `${id} ${title}`).join(', ');
	throw new Refusal(
		`'File' is ${fileId}, which is not a file of ${envelope.id}`,
		`The files are: ${names || 'none'}.`,
	);
}

/** Streams a PDF into the output field that the user named. */
export async function downloadFile(
	{ client, context }: Item,
	download: Download,
	property: string,
): Promise<ItemOutput> {
	const { json, fileName } = download;
	const file = await fetchPdf(context, client, download);
	if (!file) throw new Refusal(`The download of ${fileName} is not a PDF`, NOT_A_PDF);
	return { json: { ...json, fileName }, binary: { [property]: file } };
}

export const NOT_A_PDF =
	"Check the credential's base URL, and whether a proxy or a login page stands in front of Documenso.";

/** Streams a PDF into n8n's store. Undefined if the download is something else. */
export async function fetchPdf(
	context: IExecuteFunctions | IWebhookFunctions,
	client: Client,
	{ path, query, fileName }: Omit<Download, 'json'>,
): Promise<IBinaryData | undefined> {
	const file = await client.download(
		{ method: 'GET', path, query },
		async (bytes) => await context.helpers.prepareBinaryData(bytes, fileName, 'application/pdf'),
	);
	return (await isPdf(context, file)) ? file : undefined;
}

/** A slash in a file's name would stand for a folder. */
export function fileNameFor(title: string, kind: string): string {
	const stem = title.replace(/\.pdf$/i, '').replace(/[/\\]/g, '_');
	return kind === 'original' ? `${stem}.pdf` : `${stem}_${kind}.pdf`;
}
