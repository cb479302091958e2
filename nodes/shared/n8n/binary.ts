import type { IBinaryData, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { z } from 'zod';

import { messageOf } from '../api/failure';
import { fileNameOf } from '../api/fileName';
import { Line } from '../api/line';
import type { UploadFile } from '../api/multipart';
import { pagesOf, type Page, type Unreadable } from '../pdf/pages';
import type { Item } from './item';
import { escaped } from './nodeError';
import { Refusal } from './refusal';
import { isWordFile, WORD_TYPE } from './wordFile';

const stored = z.object({ mimeType: z.string(), id: z.string() });
const inMemory = z.object({ mimeType: z.string(), data: z.string() });

/** A file of n8n's, for example from the expression `{{ $('Download').item.binary.data }}`. */
export const foundFile = z.custom<IBinaryData>(
	(value) => stored.or(inMemory).safeParse(value).success,
);

/** Where files can be read and stored. */
export type FileContext = IExecuteFunctions | IWebhookFunctions;

/** The name of a binary field, or a file itself. */
export type FileReference = string | IBinaryData;

export interface Upload extends UploadFile {
	/** If they could be read. */
	pages?: Page[];
}

/** PDFs, and Word files where Documenso converts them (documenso-api.md: Files). */
type FileType = 'PDF' | 'Word';

const TYPES = {
	PDF: { type: 'application/pdf', ending: 'pdf' },
	Word: { type: WORD_TYPE, ending: 'docx' },
};

/** The files that an input names, in its order. */
export async function uploadsOf(
	item: Item,
	references: FileReference[],
	accepted: FileType[] = ['PDF'],
): Promise<Upload[]> {
	return await Promise.all(references.map(async (file) => await uploadOf(item, file, accepted)));
}

/** A file for a request, which streams it. Works in every binary mode of n8n's. */
export async function uploadOf(
	item: Item,
	file: FileReference,
	accepted: FileType[] = ['PDF'],
): Promise<Upload> {
	const { context, index } = item;
	const binary = typeof file === 'string' ? binaryIn(context, index, file) : file;
	const label = typeof file === 'string' ? file : (file.fileName ?? 'file');
	const refuse = (fault: string, advice: string) =>
		new Refusal(`The file in '${label}' ${fault}`, advice);
	const unread = (error: unknown) => {
		throw refuse(
			`cannot be read: ${messageOf(error)}`,
			'n8n may have deleted it, as it does with old executions, or keeps it on another machine. Run the workflow again from the step that makes the file.',
		);
	};
	const size = await sizeOf(context, binary).catch(unread);
	if (size === 0) throw refuse('is empty', 'Check the step that makes the file.');
	const known = await typeOf(context, binary).catch(unread);
	if (!known) {
		throw refuse(
			accepted.includes('Word') ? 'is neither a PDF nor a Word file (.docx)' : 'is not a PDF',
			`Its name (${binary.fileName ?? 'none'}) and type (${binary.mimeType}) don't count: its content is something else. Look at it in the output of the step that makes it, or convert it to PDF before this step.`,
		);
	}
	if (!accepted.includes(known)) {
		throw refuse(
			'is a Word file, and only a PDF can be used here',
			'Convert it to PDF before this step. Documenso converts Word files only when it creates a document or template from them.',
		);
	}
	const { type, ending } = TYPES[known];
	const name = fileNameOf(binary.fileName ?? '') || `${fileNameOf(label)}.${ending}`;
	const stream = () => open(context, binary);
	const upload = { name, type, key: binary.id ?? binary.data, size, stream };
	if (known === 'Word') return upload;
	const pages = await pagesIn(item, upload);
	if (pages === 'unknown') return upload;
	const reason = typeof pages === 'string' ? pages : 'empty';
	if (pages.length === 0 || typeof pages === 'string') {
		throw refuse(`is ${name}, which ${UNUSABLE[reason].fault}`, UNUSABLE[reason].advice);
	}
	return { ...upload, pages };
}

/** All but the encrypted ones, Documenso accepts, and has them signed (documenso-api.md: Files). */
const UNUSABLE = {
	encrypted: {
		fault: 'is encrypted',
		advice:
			'Documenso refuses such a file, even if it opens without a password. Remove the protection before this step, for example with qpdf --decrypt in.pdf out.pdf.',
	},
	'cut short': {
		fault: 'is cut short: its end is missing',
		advice: 'Look at the step that makes or downloads the file, and get the whole file.',
	},
	text: {
		fault: 'was read as text, so its pages are damaged',
		advice:
			"An earlier step has read the PDF as text. Let it pass on a file instead: in an HTTP Request node, set 'Response Format' to 'File'.",
	},
	empty: {
		fault: 'has no pages',
		advice:
			'Look at the step that makes the file. If a PDF reader shows pages, Documenso finds none nevertheless: save it as PDF with another program.',
	},
} satisfies Record<Exclude<Unreadable, 'unknown'> | 'empty', { fault: string; advice: string }>;

/** One file at a time, because it is read into memory. */
const reading = new Line();

/** Read once, because many items may share a file. */
async function pagesIn(item: Item, file: UploadFile) {
	// The key alone: a longer text would hold another copy of a file that is in memory.
	return await item.client.once(file.key, async () => {
		const pages = await reading.next(async () => await pagesOf(file.stream()));
		if (pages === 'unknown') hintAtPages(item, file.name);
		return pages;
	});
}

export function hintAtPages({ execution, index }: Item, name: string) {
	execution.hints.say(
		`The pages of ${escaped(name)} could not be counted [item ${index}]: check that the file opens, and that every field is on a page that it has.`,
	);
}

export function isWord({ type }: UploadFile): boolean {
	return type === WORD_TYPE;
}

async function typeOf(context: FileContext, binary: IBinaryData): Promise<FileType | undefined> {
	if (await isPdf(context, binary)) return 'PDF';
	return (await isWordFile(open(context, binary))) ? 'Word' : undefined;
}

function binaryIn(context: IExecuteFunctions, itemIndex: number, property: string): IBinaryData {
	// Agents before version 3 and n8n's MCP server give their tools no input, where n8n's function would look.
	if ('isToolExecution' in context && context.isToolExecution()) {
		throw new Refusal(
			`This tool gets no files, so there is none in '${property}'`,
			'Call a sub-workflow as the tool instead: it can get the file, and pass it on to this node.',
		);
	}
	const binary = context.helpers.assertBinaryData(itemIndex, property);
	// A name such as "constructor" finds something that is no file.
	const { data }: Partial<IBinaryData> = binary;
	if (typeof data === 'string') return binary;
	throw new Refusal(
		`The item has no file in '${property}'`,
		'Enter the name of a binary field that the input of this node has.',
	);
}

/** `%PDF-` has to begin in the first 1,024 bytes. */
const HEADER_SEARCH_BYTES = 1028;

/** By its content. PDF readers and Documenso allow other bytes before the header. */
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
