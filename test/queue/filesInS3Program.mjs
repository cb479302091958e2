// A file goes from S3 to Documenso and back: node --expose-gc --import tsx filesInS3Program.mjs FILE BASE_URL API_TOKEN.
// Its last line is JSON: how far its memory grew in each direction, in megabytes, and whether the same bytes came back.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { peakSince } from '../../bench/measure/memory.mjs';
import { bytesOf, itemWith, runNode, useBinaryMode } from '../support/n8n.ts';

const [file, baseUrl, apiToken] = process.argv.slice(2);

async function measured(parameters, item) {
	globalThis.gc();
	const peak = peakSince(process.pid);
	const { items, error } = await runNode(
		{ baseUrl, apiToken },
		{ resource: 'document', ...parameters },
		[item],
	);
	if (error) throw error;
	return { peakMb: peak(), output: items[0] };
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const sent = sha256(await readFile(file));

await useBinaryMode('s3');
const scan = await itemWith({ data: { content: await readFile(file), name: 'scan.pdf' } });
const uploading = await measured({ operation: 'create', title: 'Scan' }, scan);
const documentId = { __rl: true, mode: 'id', value: uploading.output.json.id };
const download = { operation: 'download', documentId, version: 'original' };
const downloading = await measured(download, { json: {} });
const isSame = sha256(await bytesOf(downloading.output)) === sent;
const grown = { uploading: uploading.peakMb, downloading: downloading.peakMb };
console.log(JSON.stringify({ grown, isSame }));
