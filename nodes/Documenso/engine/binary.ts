import type { IBinaryData, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { z } from 'zod';

import { fileNameOf } from '../api/fileName';
import type { UploadFile } from '../api/multipart';
import { Refusal } from './refusal';

const stored = z.object({ mimeType: z.string(), id: z.string() });
const inMemory = z.object({ mimeType: z.string(), data: z.string() });

/** A file of n8n's, for example from the expression `{{ $('Download').item.binary.data }}`. */
export const foundFile = z.custom<IBinaryData>(
	(value) => stored.or(inMemory).safeParse(value).success,
);

/** The name of a binary field, or a file itself. */
export type FileReference = string | IBinaryData;

/** The PDFs that an input names, in its order. */
export async function filesOf(
	{ context, index }: { context: IExecuteFunctions; index: number },
	references: FileReference[],
): Promise<UploadFile[]> {
	return await Promise.all(references.map(async (file) => await pdfOf(context, index, file)));
}

/** `%PDF-` has to begin in the first 1,024 bytes. */
const HEADER_SEARCH_BYTES = 1028;

/** A PDF for a request, which streams it. Works in every binary mode of n8n's. */
export async function pdfOf(
	context: IExecuteFunctions,
	itemIndex: number,
	file: FileReference,
): Promise<UploadFile> {
	const binary = typeof file === 'string' ? binaryIn(context, itemIndex, file) : file;
	const label = typeof file === 'string' ? file : (file.fileName ?? 'file');
	const size = await sizeOf(context, binary);
	const refuse = (fault: string, advice: string) =>
		new Refusal(`The file in '${label}' ${fault}`, advice);
	if (size === 0) throw refuse('is empty', 'Check the step that makes the file.');
	if (!(await isPdf(context, binary))) {
		throw refuse(
			'is not a PDF',
			`Whatever its name (${binary.fileName ?? 'none'}) and type (${binary.mimeType}) say, its content is something else. Convert it to PDF before this step.`,
		);
	}
	const name = fileNameOf(binary.fileName ?? '') || `${fileNameOf(label)}.pdf`;
	const stream = () => open(context, binary);
	return { name, type: 'application/pdf', key: binary.id ?? binary.data, size, stream };
}

function binaryIn(context: IExecuteFunctions, itemIndex: number, property: string): IBinaryData {
	const binary = context.helpers.assertBinaryData(itemIndex, property);
	// A name such as "constructor" finds something that is no file.
	const { data }: Partial<IBinaryData> = binary;
	if (typeof data === 'string') return binary;
	throw new Refusal(`The item has no binary field '${property}'`);
}

type FileContext = IExecuteFunctions | IWebhookFunctions;

/** By its content. PDF readers and the service allow other bytes before the header. */
export async function isPdf(context: FileContext, binary: IBinaryData): Promise<boolean> {
	let start = Buffer.alloc(0);
	for await (const chunk of open(context, binary)) {
		start = Buffer.concat([start, chunk.subarray(0, HEADER_SEARCH_BYTES)]);
		if (start.length >= HEADER_SEARCH_BYTES) break;
	}
	return start.subarray(0, HEADER_SEARCH_BYTES).includes('%PDF-');
}

/** A file kept in memory has no id, and is the base64 text itself. */
async function sizeOf(context: IExecuteFunctions, { id, data }: IBinaryData): Promise<number> {
	if (!id) return Buffer.byteLength(data, 'base64');
	return (await context.helpers.getBinaryMetadata(id)).fileSize;
}

async function* open(context: FileContext, { id, data }: IBinaryData) {
	// n8n does not type the chunks.
	if (id) yield* (await context.helpers.getBinaryStream(id)) as AsyncIterable<Buffer>;
	else yield Buffer.from(data, 'base64');
}
