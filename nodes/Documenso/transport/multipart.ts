/** A file that can be opened as often as a request has to be sent. */
export interface UploadFile {
	name: string;
	type: string;
	/** The same for the same content: where n8n keeps it, or the content itself. */
	key: string;
	/** Bytes. */
	size: number;
	stream(): AsyncGenerator<Uint8Array, void>;
}

type Part = [name: string, value: string | UploadFile];

/**
 * A form that streams: it has the shape by which n8n's HTTP library knows a FormData, and its files
 * have the shape of a Blob, so the library sends an exact Content-Length and opens each file when
 * its turn comes. A real FormData would hold every file in memory (about three times its size).
 * It has to be a class instance: a plain object of this shape is sent as `{}`.
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
