import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { RequestError } from '../errors';
import type { FileStore } from '../files';
import { readMultipart } from './multipart';

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
	const type = request.headers['content-type'] ?? '';
	if (type.includes('multipart/form-data')) {
		return await readMultipartBody(request, files, maxFileBytes);
	}
	const content = await text(request);
	if (type.includes('application/json')) return asIs(parseJson(content));
	if (type.includes('application/x-www-form-urlencoded')) return asIs(formValues(content));
	// Any other type, or none, is an error of the service (documenso-api.md: Request bodies).
	throw new Error('Unsupported request body');
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
	return { input, recorded: { payload: input.payload, files: described } };
}

function parseJson(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		throw unreadableBody();
	}
}

export function unreadableBody(): RequestError {
	return new RequestError(400, 'PARSE_ERROR', 'Failed to parse request body');
}

// The service makes every value an array, which no schema accepts (documenso-api.md: Request bodies).
function formValues(content: string): Record<string, string[]> {
	const values = new URLSearchParams(content);
	return Object.fromEntries([...values.keys()].map((key) => [key, values.getAll(key)]));
}

function asIs(input: unknown): RequestBody {
	return { input, recorded: input };
}
