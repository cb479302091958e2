import { readEnvelope } from '../../envelope/envelope';
import { downloadFile, fileNameFor } from '../../envelope/files';
import { envelopeId as idOf } from '../../envelope/read';
import { checkSigned, downloadFields } from '../../envelope/version';
import { envelopeId, fileId } from '../../fields/locators';
import { custom } from '../../operation';
import { path } from '../../api/path';

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a file',
	description: 'Download one PDF of a document or template',
	endpoint: 'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download',
	returns: 'the PDF',
	properties: [envelopeId, fileId, ...downloadFields()],
	run: async (params, client) => {
		const id = idOf(params, 'envelopeId');
		const itemId = params.required('envelopeItemId');
		const version = params.string('version');
		const envelope = readEnvelope(
			await client.read({ method: 'GET', path: path`/envelope/${id}` }),
		);
		const file = envelope.envelopeItems.find((item) => item.id === itemId);
		if (!file) {
			const names = envelope.envelopeItems.map((item) => `${item.id} ${item.title}`).join(', ');
			throw params.refuse(
				'envelopeItemId',
				`is ${itemId}, which is not a file of ${id}`,
				`The files are: ${names || 'none'}.`,
			);
		}
		checkSigned(params, 'envelopeItemId', version, envelope);
		return [
			await downloadFile(params, client, {
				path: path`/envelope/item/${itemId}/download`,
				query: { version },
				fileName: fileNameFor(file.title, version),
				json: { ...file, envelopeId: id, status: envelope.status, version },
			}),
		];
	},
});
