import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Dicer } from '@fastify/busboy';
import { RequestError } from '../errors';
import type { FileStore, StoredFile } from '../files';

export class UploadedFile {
	constructor(
		/** The part's name: `files` or `files[]`. */
		readonly name: string,
		readonly filename: string,
		/** The part's own Content-Type; the service does not check the bytes. */
		readonly type: string,
		readonly content: StoredFile,
		readonly maxBytes: number,
	) {}
}

type Part = [name: string, value: string | UploadedFile];

class MultipartBody {
	constructor(private readonly parts: readonly Part[]) {}

	get files(): UploadedFile[] {
		return this.parts.flatMap(([, value]) => (value instanceof UploadedFile ? [value] : []));
	}

	get input(): { payload: unknown; files: unknown[] | undefined; file: unknown } {
		const files = this.filesNamed('files');
		const given = this.filesNamed('file');
		// Two parts of that name are a list, which is no file.
		const file = given.length > 1 ? given : given[0];
		return { payload: this.payload, files: files.length > 0 ? files : undefined, file };
	}

	private get payload(): unknown {
		const [payload, ...others] = this.named('payload');
		if (others.length > 0) return [payload, ...others];
		// With a file name the payload counts as a file, which has no other required key than its type.
		return payload instanceof UploadedFile ? { type: payload.type } : payload;
	}

	/** The service refuses an empty file as if it were none (documenso-api.md: Multipart requests). */
	private filesNamed(wanted: string): Array<string | UploadedFile | undefined> {
		return this.named(wanted).map((value) => (isEmptyFile(value) ? undefined : value));
	}

	/** `files[]` is another spelling of `files`. */
	private named(wanted: string): Array<string | UploadedFile> {
		return this.parts.flatMap(([name, value]) =>
			name.replace(/\[\]$/, '') === wanted ? [value] : [],
		);
	}
}

function isEmptyFile(value: string | UploadedFile): boolean {
	return value instanceof UploadedFile && value.content.bytes === 0;
}

/** What a text says in JSON; an empty text says nothing. What is no JSON stays text, which no schema accepts. */
export function jsonIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	if (value === '') return undefined;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** As strict as the service's parser (documenso-api.md: Multipart requests). */
export async function readMultipart(
	request: IncomingMessage,
	store: FileStore,
	maxBytes: number,
): Promise<MultipartBody> {
	const boundary = boundaryOf(request.headers['content-type']);
	if (boundary === undefined) throw unreadableBody();
	const parser = new Dicer({ boundary });
	const parts: Array<Promise<Part>> = [];
	const end = new AbortController();
	parser.once('finish', () => end.abort());
	parser.on('part', (stream) => {
		// The parser also reports a body that is cut short.
		stream.on('error', () => undefined);
		const part = readPart(stream, end.signal, { store, maxBytes });
		part.catch(() => stream.resume());
		parts.push(part);
	});
	await new Promise((resolve, reject) => {
		parser.once('finish', () => resolve(undefined)).once('error', reject);
		request.once('error', reject).pipe(parser);
	}).catch(() => {
		throw unreadableBody();
	});
	return new MultipartBody(await Promise.all(parts));
}

export function unreadableBody(): RequestError {
	return new RequestError(400, 'PARSE_ERROR', 'Failed to parse request body');
}

function boundaryOf(contentType = ''): string | undefined {
	const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType);
	return (boundary?.[1] ?? boundary?.[2]) || undefined;
}

async function readPart(
	part: Readable,
	end: AbortSignal,
	{ store, maxBytes }: { store: FileStore; maxBytes: number },
): Promise<Part> {
	// A file that contains the boundary makes a part whose headers never come.
	const header = await once(part, 'header', { signal: end }).catch(() => {
		throw unreadableBody();
	});
	const [headers] = header as [Record<string, string[] | undefined>];
	// Of two headers of the same name, the last one counts.
	const valueOf = (name: string): string | undefined => headers[name]?.at(-1)?.trim();
	const { name, filename } = namesOf(headers['content-disposition']);
	const content = valueOf('content-transfer-encoding') === 'base64' ? await decoded64(part) : part;
	// Unlike `text`, this keeps a byte order mark, with which the payload is no JSON.
	if (filename === undefined) return [name, (await buffer(content)).toString()];
	const type = valueOf('content-type')?.toLowerCase() ?? 'text/plain';
	const knownType = /^[\0-\x7f]*$/.test(type) ? type : '';
	const file = await store.receive(content, maxBytes);
	return [name, new UploadedFile(name, filename, knownType, file, maxBytes)];
}

async function decoded64(part: Readable): Promise<Readable> {
	return Readable.from([Buffer.from((await buffer(part)).toString('latin1'), 'base64')]);
}

/** Every disposition has to be right, and the last one counts. */
function namesOf(dispositions: readonly string[] = []): Names {
	const names = dispositions.map(namesIn).at(-1);
	if (!names) throw unreadableBody();
	return names;
}

interface Names {
	name: string;
	filename: string | undefined;
}

/** `name="value"`, `name=value` or `name*=utf-8''value`, of any name. */
const ATTRIBUTE =
	/;?[ \t]*([!#$%&'+.^_`{|}~\w-]+)(?:\*=[ \t]*([^ ;]*)|=[ \t]*(?:"([^"]*)"|([!#$%&'*+.^_`{|}~\w-]*)))/gy;
/** What may follow: a name without a value. */
const REST = /^;?[ \t]*[!#$%&'+.^_`{|}~\w-]*\*?$/;

function namesIn(disposition: string): Names {
	const text = Buffer.from(disposition, 'latin1').toString().trim();
	const [form = ''] = /^form-data/i.exec(text) ?? [];
	let end = form.length;
	let name: string | undefined;
	let filename: string | undefined;
	let encodedFilename: string | undefined;
	for (const match of text.slice(end).matchAll(ATTRIBUTE)) {
		const [found, key = '', encoded, quoted, plain = ''] = match;
		end += found.length;
		const value = encoded === undefined ? unescaped(quoted) : decoded(encoded);
		if (key.toLowerCase() === 'name') name = value ?? plain;
		if (key.toLowerCase() !== 'filename') continue;
		if (encoded === undefined) filename = value ?? plain;
		else encodedFilename = value;
	}
	if (form === '' || name === undefined || !REST.test(text.slice(end))) throw unreadableBody();
	return { name, filename: encodedFilename ?? filename };
}

function decoded(encoded: string): string {
	if (!/^utf-8/i.test(encoded)) throw unreadableBody();
	try {
		return decodeURIComponent(encoded.slice("utf-8''".length));
	} catch {
		throw unreadableBody();
	}
}

/** Browsers and Node.js escape these three characters in names. */
function unescaped(name: string | undefined): string | undefined {
	return name?.replace(/%(?:0A|0D|22)/gi, decodeURIComponent);
}
