import { z } from 'zod';
import type { IdMap } from './ids';
import type { Capture } from './recordings';
import { substituteFile } from './substituteFiles';

const BOUNDARY = 'conformance-replay';

/** Headers that fetch sets itself. */
const OWN_HEADERS = ['content-length', 'content-type', 'connection', 'host'];

const partSchema = z.object({
	name: z.string(),
	filename: z.string().optional(),
	/** Empty if the part had no type. */
	type: z.string().optional(),
	data: z.unknown(),
});

type Part = z.output<typeof partSchema>;

/** The local Documenso's response, with its whole body. */
export interface Answer {
	status: number;
	headers: Headers;
	content: Buffer;
}

/** Sends a recorded request to the local Documenso, with the local Documenso's IDs and substitute files. */
export async function replayRequest(
	baseUrl: string,
	{ request }: Capture,
	ids: IdMap,
): Promise<Answer> {
	const { method, path, headers } = request;
	const kept = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name));
	const { type, content } = await bodyOf(request, ids);
	const response = await fetch(baseUrl + ids.translateText(path), {
		method,
		headers: { ...Object.fromEntries(kept), ...(type !== undefined && { 'content-type': type }) },
		body: content,
		redirect: 'manual',
	});
	const answered = Buffer.from(await response.arrayBuffer());
	return { status: response.status, headers: response.headers, content: answered };
}

async function bodyOf(
	{ path, headers, body }: Capture['request'],
	ids: IdMap,
): Promise<{ type?: string; content?: string | Buffer }> {
	const type = headers['content-type'];
	if (type === undefined) return {};
	if (type.startsWith('multipart/form-data')) {
		const parts = z.array(partSchema).parse(body);
		return {
			type: `multipart/form-data; boundary=${BOUNDARY}`,
			content: await multipart(parts, path, ids),
		};
	}
	return {
		type,
		// Sent as it was: some recorded bodies are invalid JSON on purpose.
		content: typeof body === 'string' ? body : JSON.stringify(ids.translate(body, path)),
	};
}

async function multipart(parts: readonly Part[], path: string, ids: IdMap): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for (const { name, filename, type, data } of parts) {
		const named = filename === undefined ? '' : `; filename="${filename}"`;
		const typed = type ? `\r\ncontent-type: ${type}` : '';
		const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${named}${typed}`;
		const content =
			filename === undefined
				? Buffer.from(typeof data === 'string' ? data : JSON.stringify(ids.translate(data, path)))
				: await substituteFile(filename, sizeOf(data));
		chunks.push(Buffer.from(`${head}\r\n\r\n`), content, Buffer.from('\r\n'));
	}
	return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Recordings contain `<39842 bytes>` instead of a file. */
function sizeOf(data: unknown): number {
	return Number(/^<(\d+) bytes/.exec(String(data))?.[1] ?? 0);
}
