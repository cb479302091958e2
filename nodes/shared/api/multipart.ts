/** A file that can be opened again for each attempt. */
export interface UploadFile {
	name: string;
	type: string;
	/** Identifies the content: n8n's ID for it, or the content itself. */
	key: string;
	/** Bytes. */
	size: number;
	stream(): AsyncGenerator<Uint8Array, void>;
}

type Part = [name: string, value: string | UploadFile];

/**
 * A form that streams. n8n's HTTP library recognizes it by its shape as a FormData, and its files as Blobs, so it
 * sends an exact Content-Length and opens each file in its turn. A real FormData would hold every file in memory, at
 * about three times its size. It has to be a class, because a plain object of this shape is sent as `{}`.
 */
export class MultipartForm {
	private readonly parts: Part[] = [];

	get [Symbol.toStringTag]() {
		return 'FormData';
	}

	append(name: string, value: string | UploadFile) {
		this.parts.push([name, value]);
		return this;
	}

	entries() {
		return this.parts[Symbol.iterator]();
	}

	[Symbol.iterator]() {
		return this.entries();
	}
}
