import type { IBinaryData, IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { inputError } from '../errors';
import type { ItemOutput } from '../operation';
import type { Params } from '../params';
import { isPdf } from '../transport/binary';
import type { Client } from '../transport/client';
import { readEnvelope } from './envelope';
import { readNamed } from './read';

/** One file to be downloaded, and what is said of it beside its bytes. */
export interface Download {
	path: string;
	query?: IDataObject;
	fileName: string;
	json: IDataObject;
}

/** The file that an input names, and the document or template that the other input says it is of. */
export async function fileOf(params: Params, client: Client) {
	const itemId = params.required('envelopeItemId');
	const envelope = readEnvelope(await readNamed(params, client, 'envelopeId', 'read'));
	const file = envelope.envelopeItems.find(({ id }) => id === itemId);
	if (file) return { envelope, file };
	const names = envelope.envelopeItems.map(({ id, title }) => `${id} ${title}`).join(', ');
	throw params.refuse(
		'envelopeItemId',
		`is ${itemId}, which is not a file of ${envelope.id}`,
		`The files are: ${names || 'none'}.`,
	);
}

/** Streams a PDF into the output field that the user named. */
export async function downloadFile(
	params: Params,
	client: Client,
	download: Download,
): Promise<ItemOutput> {
	const property = params.required('binaryPropertyName');
	const { context, itemIndex } = params;
	const file = await fetchPdf(context, client, download);
	if (!file) {
		throw inputError(
			context.getNode(),
			itemIndex,
			`What came for ${download.fileName} is not a PDF [item ${itemIndex}]`,
			NOT_A_PDF,
		);
	}
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

/** A name for a file of a document's; a slash in it would be taken for a folder. */
export function fileNameFor(title: string, kind: string): string {
	const stem = title.replace(/\.pdf$/i, '').replace(/[/\\]/g, '_');
	return kind === 'original' ? `${stem}.pdf` : `${stem}_${kind}.pdf`;
}
