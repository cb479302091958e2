import { envelopeId } from '../../envelope/read';
import { readEnvelope, type Envelope } from '../../envelope/envelope';
import { documentId } from '../../fields/envelopeLocator';
import { outputFile } from '../../fields/files';
import { custom } from '../../operation';
import type { Params } from '../../params';
import { path } from '../../transport/path';
import { z } from 'zod';
import { flag } from '../../schemas/values';

const optionsSchema = z.object({ allowUnfinished: flag.default(false) });

export const download = custom({
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: 'Download all PDFs of a document, signed or as uploaded, each as an item of its own',
	properties: [
		documentId,
		{
			displayName: 'Version',
			name: 'version',
			type: 'options',
			options: [
				{
					name: 'Original',
					value: 'original',
					description: 'As uploaded, without fields and signatures',
				},
				{ name: 'Signed', value: 'signed', description: 'With signatures and certificate' },
			],
			default: 'signed',
		},
		outputFile,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			displayOptions: { show: { version: ['signed'] } },
			default: {},
			options: [
				{
					displayName: 'Allow Unfinished',
					name: 'allowUnfinished',
					type: 'boolean',
					default: false,
					description:
						'Whether to download a document that is not completed too, in the state that it is in: usually without signatures',
				},
			],
		},
	],
	run: async (params, client) => {
		const id = envelopeId(params, 'documentId');
		const version = params.string('version');
		const document = readEnvelope(
			await client.send({ method: 'GET', path: path`/envelope/${id}` }),
		);
		if (version === 'signed') checkSigned(params, document);
		const property = params.required('binaryPropertyName');
		const outputs = [];
		for (const item of document.envelopeItems) {
			const fileName = fileNameOf(item.title, version);
			const request = {
				method: 'GET' as const,
				path: path`/envelope/item/${item.id}/download`,
				query: { version },
			};
			const file = await client.download(
				request,
				async (bytes) =>
					await params.context.helpers.prepareBinaryData(bytes, fileName, 'application/pdf'),
			);
			outputs.push({
				json: {
					id: document.id,
					title: document.title,
					status: document.status,
					envelopeItemId: item.id,
					fileName,
					version,
				},
				binary: { [property]: file },
			});
		}
		return outputs;
	},
});

/** The service hands out the unsigned file, under a name that says signed, until all have signed (observed §5). */
function checkSigned(params: Params, { id, status }: Envelope) {
	if (status === 'COMPLETED') return;
	if (params.collection('options', optionsSchema).allowUnfinished) return;
	throw params.refuse(
		'documentId',
		`is ${id}, which is not completed but ${status.toLowerCase()}: there is no signed file yet`,
		"Wait for the event 'Document Completed', choose the version 'Original', or switch on 'Allow Unfinished' under 'Options'.",
	);
}

/** A slash would be taken for a folder. */
function fileNameOf(title: string, version: string): string {
	const stem = title.replace(/\.pdf$/i, '').replace(/[/\\]/g, '_');
	return version === 'original' ? `${stem}.pdf` : `${stem}_${version}.pdf`;
}
