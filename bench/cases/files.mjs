import { openAsBlob } from 'node:fs';

import { withLargeFiles } from '../services.mjs';
import { byId, documenso, httpRequest } from '../subjects/nodes.mjs';
import { scan } from '../subjects/scan.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

const title = 'A scan';
/** From this size on, n8n is restarted for each measurement: leftovers of an earlier one would count. */
const largeMb = 200;

const readFile = {
	name: 'Read',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1.1,
	parameters: { fileSelector: '={{ $json.file }}', options: {} },
};

const uploads = [
	workflow(thisNode, (testbed) => [
		readFile,
		documenso(testbed, { resource: 'document', operation: 'create', title }),
	]),
	workflow('HTTP Request', (testbed) => [
		readFile,
		httpRequest(testbed, 'POST', '/envelope/create', {
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [
					{ name: 'payload', value: JSON.stringify({ title, type: 'DOCUMENT' }) },
					{ parameterType: 'formBinaryData', name: 'files', inputDataFieldName: 'data' },
				],
			},
		}),
	]),
	workflow('reading the file alone', () => [readFile], { note: 'the lower bound' }),
];

const downloads = [
	workflow(thisNode, (testbed) => [
		documenso(testbed, {
			resource: 'document',
			operation: 'download',
			documentId: byId('={{ $json.id }}'),
			version: 'original',
		}),
	]),
	workflow('HTTP Request', (testbed) => [
		httpRequest(testbed, 'GET', '/envelope/item/{{ $json.itemId }}/download?version=original', {
			options: { response: { response: { responseFormat: 'file' } } },
		}),
	]),
];

const archives = [
	workflow(thisNode, (testbed) => [
		documenso(testbed, {
			resource: 'document',
			operation: 'archive',
			documentId: byId('={{ $json.id }}'),
		}),
	]),
];

async function uploaded(testbed, megabytes, more = {}) {
	const form = new FormData();
	form.append('payload', JSON.stringify({ title, type: 'DOCUMENT', ...more }));
	const file = await openAsBlob(await scan(testbed.files, megabytes), { type: 'application/pdf' });
	form.append('files', file, 'scan.pdf');
	const { apiUrl, apiToken, emulator } = testbed;
	const headers = { authorization: apiToken };
	const response = await fetch(`${apiUrl}/envelope/create`, {
		method: 'POST',
		headers,
		body: form,
	});
	if (!response.ok) throw new Error(`The scan was answered with ${response.status}.`);
	const [{ id, items }] = (await emulator.state()).documents;
	// The first download of a file takes longer, because its ETag is computed.
	const download = `${apiUrl}/envelope/item/${items[0].id}/download?version=original`;
	await (await fetch(download, { headers })).arrayBuffer();
	return [{ id, itemId: items[0].id }];
}

/** Of a cancelled document, the archive has the original: the local Documenso would take long to sign so large a file. */
async function cancelled(testbed, megabytes) {
	const place = { page: 1, positionX: 10, positionY: 80, width: 30, height: 6 };
	const fields = [{ type: 'SIGNATURE', ...place }];
	const recipients = [{ email: 'anna@example.com', name: 'Anna', role: 'SIGNER', fields }];
	const items = await uploaded(testbed, megabytes, { recipients });
	for (const change of ['distribute', 'cancel']) {
		await testbed.post(`/envelope/${change}`, { envelopeId: items[0].id });
	}
	return items;
}

function transferCase(direction, title, megabytes, { subjects, prepare }) {
	const isLarge = megabytes >= largeMb;
	return {
		name: `${direction}-${megabytes}`,
		title: `${title} ${megabytes} MB`,
		service: withLargeFiles,
		size: megabytes,
		warmUpSize: 1,
		runs: isLarge ? 3 : 1,
		needsFreshN8n: isLarge,
		prepare,
		subjects,
		columns: ['peakMb', 'ms', 'ratio', 'requests'],
		headline: isLarge ? { metric: 'peakMb', title: `${title} ${megabytes} MB: memory` } : undefined,
		targets: isLarge ? [{ label: 'growth of memory in MB', metric: 'peakMb', atMost: 60 }] : [],
	};
}

const sizes = [1, 50, largeMb];
const toUpload = async (testbed, megabytes) => [{ file: await scan(testbed.files, megabytes) }];

export const files = [
	...sizes.map((size) =>
		transferCase('upload', 'Upload', size, { subjects: uploads, prepare: toUpload }),
	),
	...sizes.map((size) =>
		transferCase('download', 'Download', size, { subjects: downloads, prepare: uploaded }),
	),
	transferCase('archive', 'Archive', 50, { subjects: archives, prepare: cancelled }),
];
