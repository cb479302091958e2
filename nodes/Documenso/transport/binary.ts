import type { IBinaryData, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { inputError } from '../errors';
import type { FileReference } from '../schemas/files';
import type { UploadFile } from './multipart';

/** The mark has to begin in the first 1,024 bytes, and is five long. */
const HEADER_SEARCH_BYTES = 1028;

/**
 * A PDF, to be streamed into a request. Throws before any request when the field is
 * missing, the file empty, or its content not a PDF. Works in every binary mode of n8n's.
 */
export async function pdfOf(
	context: IExecuteFunctions,
	itemIndex: number,
	file: FileReference,
): Promise<UploadFile> {
	const binary = typeof file === 'string' ? binaryIn(context, itemIndex, file) : file;
	const label = typeof file === 'string' ? file : (file.fileName ?? 'file');
	const size = await sizeOf(context, binary);
	const refuse = (fault: string, advice: string) =>
		inputError(
			context.getNode(),
			itemIndex,
			`The file in '${label}' ${fault} [item ${itemIndex}]`,
			advice,
		);
	if (size === 0) throw refuse('is empty', 'Check the step that makes the file.');
	const stream = () => open(context, binary);
	if (!(await isPdf(context, binary))) {
		throw refuse(
			'is not a PDF',
			`Whatever its name (${binary.fileName ?? 'none'}) and type (${binary.mimeType}) say, its content is something else. Convert it to PDF before this step.`,
		);
	}
	const name = binary.fileName || `${label}.pdf`;
	return { name, type: 'application/pdf', key: binary.id || binary.data, size, stream };
}

function binaryIn(context: IExecuteFunctions, itemIndex: number, property: string): IBinaryData {
	const binary: Partial<IBinaryData> = context.helpers.assertBinaryData(itemIndex, property);
	// A name such as "constructor" finds something that is no file.
	if (typeof binary.data === 'string') return binary as IBinaryData;
	const message = `The item has no binary field '${property}' [item ${itemIndex}]`;
	throw inputError(context.getNode(), itemIndex, message);
}

type Context = IExecuteFunctions | IWebhookFunctions;

/** Whether a stored file is a PDF by its content. */
export async function isPdf(context: Context, binary: IBinaryData): Promise<boolean> {
	return await startsAsPdf(open(context, binary));
}

/** A file kept in memory has no id, and is the base64 text itself. */
async function sizeOf(context: IExecuteFunctions, { id, data }: IBinaryData): Promise<number> {
	if (!id) return Buffer.byteLength(data, 'base64');
	return (await context.helpers.getBinaryMetadata(id)).fileSize;
}

async function* open(context: Context, { id, data }: IBinaryData) {
	if (id) yield* (await context.helpers.getBinaryStream(id)) as AsyncIterable<Buffer>;
	else yield Buffer.from(data, 'base64');
}

/** PDF readers, and the service, allow other bytes before the header. */
async function startsAsPdf(stream: AsyncIterable<Uint8Array>): Promise<boolean> {
	let start = Buffer.alloc(0);
	for await (const chunk of stream) {
		start = Buffer.concat([start, chunk.subarray(0, HEADER_SEARCH_BYTES)]);
		if (start.length >= HEADER_SEARCH_BYTES) break;
	}
	return start.subarray(0, HEADER_SEARCH_BYTES).includes('%PDF-');
}
