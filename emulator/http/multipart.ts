import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
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

export class MultipartBody {
	constructor(
		private readonly fields: ReadonlyMap<string, string>,
		readonly files: readonly UploadedFile[],
	) {}

	get input(): { payload: unknown; files: unknown[] | undefined; file: unknown } {
		const files = this.files.filter(({ name }) => name === 'files' || name === 'files[]');
		// The service refuses an empty file (documenso-api.md: Multipart requests).
		const present = files.map((file) => (file.content.bytes === 0 ? undefined : file));
		const file = this.files.find(({ name }) => name === 'file');
		return { payload: this.payload, files: files.length > 0 ? present : undefined, file };
	}

	private get payload(): unknown {
		const text = this.fields.get('payload');
		if (text === undefined) {
			// With a file name the payload counts as a file, which has none of the required keys.
			return this.files.some(({ name }) => name === 'payload') ? {} : undefined;
		}
		try {
			return JSON.parse(text) as unknown;
		} catch {
			return text;
		}
	}
}

export async function readMultipart(
	request: IncomingMessage,
	store: FileStore,
	maxBytes: number,
): Promise<MultipartBody> {
	const fields = new Map<string, string>();
	const files: Array<Promise<UploadedFile>> = [];
	const parser = new Busboy({
		headers: request.headers as BusboyHeaders,
		preservePath: true,
		isPartAFile: (_name, _type, filename) => filename !== undefined,
	});
	parser.on('field', (name, value) => fields.set(name, value));
	parser.on('file', (name, stream, filename, _encoding, type) => {
		const file = store
			.receive(stream, maxBytes)
			.then((content) => new UploadedFile(name, filename, type, content, maxBytes));
		// The parser already reports a broken upload.
		file.catch(() => undefined);
		files.push(file);
	});
	await finished(request, parser);
	return new MultipartBody(fields, await Promise.all(files));
}

async function finished(request: IncomingMessage, parser: NodeJS.WritableStream): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		parser.once('finish', resolve);
		parser.once('error', reject);
		request.once('error', reject);
		request.pipe(parser);
	});
}
