import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { parse } from '../../../shared/api/records';
import { options } from '../../engine/commonInputs';
import { multiChoice } from '../../../shared/n8n/input';
import { custom } from '../../engine/kinds';
import {
	downloadFile,
	filesOf,
	paperOf,
	withFiles,
	type Download,
	type Paper,
} from '../../../shared/envelope/files';
import { withoutMarkers } from '../../../shared/envelope/marker';
import { readNamed } from '../../../shared/envelope/named';
import { allowUnfinished, checkSigned, versionInput } from '../../envelope/version';
import { outputFile } from '../../inputs/files';
import { documentId } from '../../../shared/inputs/locators';

const PAPERS: Array<INodePropertyOptions & { value: Paper }> = [
	{
		name: 'Audit Log',
		value: 'audit-log',
		description: 'Everything that happened to the document, as a separate PDF',
	},
	{
		name: 'Certificate',
		value: 'certificate',
		description:
			'Who signed when and how, as a separate PDF; available once the document is completed or rejected',
	},
];

const isPaper = (version: string): version is Paper =>
	PAPERS.some(({ value }) => value === version);

/** Not for other versions of the files: only the chosen version is checked. */
const alsoDownload = multiChoice(
	'Also Download',
	PAPERS,
	z.array(z.string().refine(isPaper, 'is neither the certificate nor the audit log')),
	{
		displayOptions: { hide: { '/version': PAPERS.map(({ value }) => value) } },
		description: 'What else to download, each as its own item after the files',
	},
);

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: 'Download the PDFs of a document, its certificate or its audit log',
	returns: 'an item for each file, with the PDF and the `externalId` of its document',
	effect: 'reads',
	inputs: {
		documentId,
		version: versionInput(PAPERS),
		binaryPropertyName: outputFile,
		options: options({ allowUnfinished, alsoDownload }),
	},
	run: async ({ documentId: id, version, binaryPropertyName, options: chosen }, item) => {
		const { client } = item;
		const record = await readNamed(client, 'documentId', id);
		const document = parse(withFiles, record);
		checkSigned('Document', record, client, { version, ...chosen });
		const versions = [...new Set([version, ...(chosen.alsoDownload ?? [])])];
		return await client.each(
			versions.flatMap((one) => downloadsOf(document, one)),
			async (file) => await downloadFile(item, file, binaryPropertyName),
		);
	},
});

function downloadsOf(document: z.infer<typeof withFiles>, version: string): Download[] {
	const { id, title, status } = document;
	const externalId = withoutMarkers(document.externalId);
	const json = { id, title, status, externalId, version };
	if (isPaper(version)) {
		return [{ ...paperOf(document, version), json }];
	}
	return filesOf(document, version).map(({ envelopeItemId, download: file }) => ({
		...file,
		json: { ...json, envelopeItemId },
	}));
}
