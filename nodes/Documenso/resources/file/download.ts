import { path } from '../../api/path';
import { options } from '../../engine/commonInputs';
import { custom } from '../../engine/operation';
import { downloadFile, fileNameFor } from '../../envelope/files';
import { allowUnfinished, checkSigned, versionInput } from '../../envelope/version';
import { outputFile } from '../../inputs/files';
import { envelopeId, fileId } from '../../inputs/locators';
import { fileOf } from './fileOf';

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a file',
	description: 'Download one PDF of a document or template',
	endpoint: 'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download',
	returns: 'the PDF',
	effect: 'reads',
	inputs: {
		envelopeId,
		envelopeItemId: fileId,
		version: versionInput(),
		binaryPropertyName: outputFile,
		options: options({ allowUnfinished }),
	},
	run: async (
		{ envelopeId: id, envelopeItemId, version, binaryPropertyName, options: chosen },
		item,
	) => {
		const { envelope, file } = await fileOf(item.client, id, envelopeItemId);
		checkSigned('Document or Template', version, envelope, chosen.allowUnfinished);
		const download = {
			path: path`/envelope/item/${envelopeItemId}/download`,
			query: { version },
			fileName: fileNameFor(file.title, version),
			json: { ...file, envelopeId: id, status: envelope.status, version },
		};
		return [await downloadFile(item, download, binaryPropertyName)];
	},
});
