import type { IBinaryData, IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { isPdf } from '../engine/binary';
import { Refusal } from '../engine/refusal';

/** One file to be downloaded, and what is said of it beside its bytes. */
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
	const file = await fetchPdf(context, client, download);
	if (!file) throw new Refusal(`The downloaded ${download.fileName} is not a PDF`, NOT_A_PDF);
	const { json, fileName } = download;
	return { json: { ...json, fileName }, binary: { [property]: file } };
}

export const NOT_A_PDF =
	"Check the credential's base URL, and whether a proxy or a login page stands in front of Documenso.";

/** Streams a PDF into n8n's store; nothing when what came is not one. */
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

/** A name for a file of a document; a slash in it would be taken for a folder. */
export function fileNameFor(title: string, kind: string): string {
	const stem = title.replace(/\.pdf$/i, '').replace(/[/\\]/g, '_');
	return kind === 'original' ? `${stem}.pdf` : `${stem}_${kind}.pdf`;
}
