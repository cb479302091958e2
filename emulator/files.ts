import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Files above this many bytes are stored on disk, so that upload tests measure only the client's memory. */
const MEMORY_LIMIT = 4 * 1024 * 1024;

export interface StoredFile {
	readonly bytes: number;
	readonly sha256: string;
	/** The digest of the file's base64 text, in hex and without quotes, as the service computes it. */
	etag(): Promise<string>;
	read(): Promise<Buffer>;
}

/** Stores uploaded and generated files until `clear`. */
export class FileStore {
	private folder: Promise<string> | undefined;
	private count = 0;

	/** Reads a stream to its end; bytes after `limit` are counted but not stored. */
	async receive(source: AsyncIterable<Buffer>, limit = Infinity): Promise<StoredFile> {
		const hash = createHash('sha256');
		const chunks: Buffer[] = [];
		let bytes = 0;
		const chunksOf = async function* (): AsyncGenerator<Buffer> {
			for await (const chunk of source) {
				bytes += chunk.length;
				hash.update(chunk);
				if (bytes <= limit) yield chunk;
			}
		};
		const incoming = chunksOf();
		for (let next = await incoming.next(); !next.done; next = await incoming.next()) {
			chunks.push(next.value);
			if (bytes > MEMORY_LIMIT) {
				const path = await this.spill(chunks, incoming);
				return stored(bytes, hash.digest('hex'), async () => await readFile(path));
			}
		}
		const content = Buffer.concat(chunks);
		return stored(bytes, hash.digest('hex'), async () => await Promise.resolve(content));
	}

	async keep(content: Uint8Array): Promise<StoredFile> {
		return await this.receive(Readable.from([Buffer.from(content)]));
	}

	async clear(): Promise<void> {
		const folder = this.folder;
		this.folder = undefined;
		if (folder) await rm(await folder, { recursive: true, force: true });
	}

	private async spill(head: Buffer[], rest: AsyncGenerator<Buffer>): Promise<string> {
		this.folder ??= mkdtemp(join(tmpdir(), 'documenso-emulator-'));
		this.count += 1;
		const path = join(await this.folder, `${this.count}.pdf`);
		await pipeline(async function* () {
			yield* head.splice(0);
			yield* rest;
		}, createWriteStream(path));
		return path;
	}
}

function stored(bytes: number, sha256: string, read: () => Promise<Buffer>): StoredFile {
	let etag: Promise<string> | undefined;
	return {
		bytes,
		sha256,
		read,
		etag: async () => {
			etag ??= read().then((content) =>
				createHash('sha256').update(content.toString('base64')).digest('hex'),
			);
			return await etag;
		},
	};
}
