import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { readEnvelope, type Envelope } from '../../envelope/envelope';
import { downloadFile, fileNameFor, type Download } from '../../envelope/files';
import { readNamed } from '../../envelope/read';
import { checkSigned, downloadFields } from '../../envelope/version';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';
import { mapConcurrently } from '../../transport/concurrency';
import { path } from '../../transport/path';

/** What Documenso writes about a document, by the last part of its address. */
const PAPERS: INodePropertyOptions[] = [
	{
		name: 'Audit Log',
		value: 'audit-log',
		description: 'All that happened to the document, as a PDF of its own',
	},
	{
		name: 'Certificate',
		value: 'certificate',
		description: 'Who signed when and how, as a PDF of its own; once it is completed or rejected',
	},
];

const alsoDownload: INodeProperties = {
	displayName: 'Also Download',
	name: 'alsoDownload',
	type: 'multiOptions',
	displayOptions: { hide: { '/version': PAPERS.map(({ value }) => value) } },
	options: PAPERS,
	default: [],
	description: 'What to download at the same time, each as an item behind those of the files',
};

const isPaper = (version: string) => PAPERS.some(({ value }) => value === version);

/** No version of the files may come along: only the one that is chosen is checked. */
const optionsSchema = z.object({
	alsoDownload: z
		.array(z.string().refine(isPaper, 'is neither the certificate nor the audit log'))
		.default([]),
});

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: 'Download the PDFs of a document, its certificate or its audit log',
	endpoint:
		'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download, GET /envelope/{envelopeId}/certificate/download, GET /envelope/{envelopeId}/audit-log/download',
	returns: 'an item for each file, with the PDF',
	properties: [documentId, ...downloadFields(PAPERS, [alsoDownload])],
	run: async (params, client) => {
		const version = params.string('version');
		const document = readEnvelope(await readNamed(params, client, 'documentId'));
		checkSigned(params, 'documentId', version, document);
		const { alsoDownload: more } = params.collection('options', optionsSchema);
		return await mapConcurrently(
			[...new Set([version, ...more])].flatMap((one) => downloadsOf(document, one)),
			() => client.limit,
			async (file) => await downloadFile(params, client, file),
		);
	},
});

function downloadsOf(document: Envelope, version: string): Download[] {
	const { id, title, status } = document;
	const json = { id, title, status, version };
	if (isPaper(version)) {
		const fileName = fileNameFor(title, version);
		return [{ path: `${path`/envelope/${id}`}/${version}/download`, fileName, json }];
	}
	return document.envelopeItems.map((item) => ({
		path: path`/envelope/item/${item.id}/download`,
		query: { version },
		fileName: fileNameFor(item.title, version),
		json: { ...json, envelopeItemId: item.id },
	}));
}
