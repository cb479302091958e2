import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FileStore } from '../files';
import { jsonIn, readMultipart, unreadableBody } from './multipart';

export interface RequestBody {
	/** The input for the operation's schema. */
	input: unknown;
	/** The body in `calls`: the same, with name, type, size and digest of each file. */
	recorded: unknown;
}

export async function readBody(
	request: IncomingMessage,
	files: FileStore,
	maxFileBytes: number,
): Promise<RequestBody> {
	const type = request.headers['content-type'];
	if (type?.includes('multipart/form-data')) {
		return await readMultipartBody(request, files, maxFileBytes);
	}
	const input = parseBody(type, await text(request));
	return { input, recorded: input };
}

/** JSON of any type is read, but only with its own type is an error in it explained. */
export function parseBody(type = '', content: string): unknown {
	if (type.includes('application/x-www-form-urlencoded')) return formValues(content);
	try {
		return JSON.parse(content) as unknown;
	} catch {
		const isExplained = /application\/json|multipart\/form-data/.test(type);
		throw isExplained ? unreadableBody() : new Error('Internal server error');
	}
}

async function readMultipartBody(
	request: IncomingMessage,
	store: FileStore,
	maxFileBytes: number,
): Promise<RequestBody> {
	const { input, files } = await readMultipart(request, store, maxFileBytes);
	const described = files.map(({ name, filename, type, content: { bytes, sha256 } }) => ({
		name,
		filename,
		type,
		bytes,
		sha256,
	}));
	return { input, recorded: { payload: jsonIn(input.payload), files: described } };
}

// The service makes every value an array, which no schema accepts (documenso-api.md: Request bodies).
function formValues(content: string): Record<string, string[]> {
	const values = new URLSearchParams(content);
	return Object.fromEntries([...values.keys()].map((key) => [key, values.getAll(key)]));
}
