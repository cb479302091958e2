import { readEnvelope, type Envelope } from '../../envelope/envelope';
import { downloadFile, fileNameFor, type Download } from '../../envelope/files';
import { envelopeId } from '../../envelope/read';
import { checkSigned, versionFields } from '../../envelope/version';
import { outputFile } from '../../fields/files';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';
import { mapConcurrently } from '../../transport/concurrency';
import { path } from '../../transport/path';

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: 'Download the PDFs of a document, its certificate or its audit log',
	endpoint:
		'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download, GET /envelope/{envelopeId}/certificate/download, GET /envelope/{envelopeId}/audit-log/download',
	returns: 'an item for each file, with the PDF',
	properties: [
		documentId,
		...versionFields([
			{
				name: 'Audit Log',
				value: 'audit-log',
				description: 'All that happened to the document, as a PDF of its own',
			},
			{
				name: 'Certificate',
				value: 'certificate',
				description:
					'Who signed when and how, as a PDF of its own; once it is completed or rejected',
			},
		]),
		outputFile,
	],
	run: async (params, client) => {
		const id = envelopeId(params, 'documentId');
		const version = params.string('version');
		const document = readEnvelope(
			await client.send({ method: 'GET', path: path`/envelope/${id}` }),
		);
		checkSigned(params, 'documentId', version, document);
		return await mapConcurrently(
			downloadsOf(document, version),
			() => client.limit,
			async (file) => await downloadFile(params, client, file),
		);
	},
});

function downloadsOf(document: Envelope, version: string): Download[] {
	const { id, title, status } = document;
	const json = { id, title, status, version };
	if (version === 'certificate' || version === 'audit-log') {
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
