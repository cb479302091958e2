import { downloadFile, fileNameFor, fileOf } from '../../envelope/files';
import { checkSigned, downloadFields } from '../../envelope/version';
import { envelopeId, fileId } from '../../fields/locators';
import { custom } from '../../operation';
import { path } from '../../transport/path';

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a file',
	description: 'Download one PDF of a document or template',
	endpoint: 'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download',
	returns: 'the PDF',
	properties: [envelopeId, fileId, ...downloadFields()],
	run: async (params, client) => {
		const version = params.string('version');
		const { envelope, file } = await fileOf(params, client);
		checkSigned(params, 'envelopeItemId', version, envelope);
		return [
			await downloadFile(params, client, {
				path: path`/envelope/item/${file.id}/download`,
				query: { version },
				fileName: fileNameFor(file.title, version),
				json: { ...file, envelopeId: envelope.id, status: envelope.status, version },
			}),
		];
	},
});
