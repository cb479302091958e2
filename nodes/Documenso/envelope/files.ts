import type { IDataObject } from 'n8n-workflow';

import type { ItemOutput } from '../operation';
import type { Params } from '../params';
import type { Client } from '../transport/client';

/** One file to be downloaded, and what is said of it beside its bytes. */
export interface Download {
	path: string;
	query?: IDataObject;
	fileName: string;
	json: IDataObject;
}

/** Streams a PDF into the output field that the user named. */
export async function downloadFile(
	params: Params,
	client: Client,
	{ path, query, fileName, json }: Download,
): Promise<ItemOutput> {
	const property = params.required('binaryPropertyName');
	const { helpers } = params.context;
	const file = await client.download(
		{ method: 'GET', path, query },
		async (bytes) => await helpers.prepareBinaryData(bytes, fileName, 'application/pdf'),
	);
	return { json: { ...json, fileName }, binary: { [property]: file } };
}

/** A name for a file of a document's; a slash in it would be taken for a folder. */
export function fileNameFor(title: string, kind: string): string {
	const stem = title.replace(/\.pdf$/i, '').replace(/[/\\]/g, '_');
	return kind === 'original' ? `${stem}.pdf` : `${stem}_${kind}.pdf`;
}
