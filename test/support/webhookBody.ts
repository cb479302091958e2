import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { createGunzip, createInflate } from 'node:zlib';

/** n8n's default for N8N_PAYLOAD_SIZE_MAX. */
export const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;

/** n8n answers a request by itself, before any trigger sees it. */
export class Refused extends Error {
	constructor(readonly status: number) {
		super(`n8n answers ${status}`);
	}
}

/** A key that comes twice, or as `key[]`, is a list, as with the parser that n8n has Express use. */
export function readQuery(url = ''): Record<string, unknown> {
	const entries = Object.entries<unknown>(parse(url.split('?')[1] ?? ''));
	return Object.fromEntries(
		entries.map(([key, value]) =>
			key.endsWith('[]') ? [key.slice(0, -2), [value].flat()] : [key, value],
		),
	);
}

/**
 * What n8n 2.40 makes of a request's body before it asks a trigger (its `middlewares/body-parser.js`
 * and `webhooks/webhook-helpers.js`). Only JSON can become an event: XML and forms
 * hold nothing but text, and of other types a trigger of version 2 gets nothing.
 */
export async function readBody(
	request: IncomingMessage,
): Promise<{ rawBody?: Buffer; body: unknown }> {
	const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
	const contentType = type.toLowerCase();
	if (contentType.startsWith('multipart/')) {
		for await (const _chunk of request);
		return { body: { data: {}, files: {} } };
	}
	const rawBody = await readBytes(request);
	if (rawBody.length === 0) return { rawBody, body: undefined };
	const charset = parameters
		.map((one) => /^\s*charset\s*=\s*"?([^"]*)/i.exec(one)?.[1])
		.find(Boolean);
	try {
		// An encoding that Node does not know throws.
		const text = rawBody.toString((charset?.toLowerCase() ?? 'utf-8') as BufferEncoding);
		return { rawBody, body: parsed(contentType, text.replace(/^\uFEFF/, '')) };
	} catch {
		throw new Refused(422);
	}
}

function parsed(contentType: string, text: string): unknown {
	if (contentType === 'application/json') return JSON.parse(text);
	if (/(\/|\+)xml$/.test(contentType)) return { root: text };
	if (contentType === 'application/x-www-form-urlencoded') return parse(text);
	return contentType === 'text/plain' ? text : undefined;
}

/** Too many bytes, and bytes that are not compressed as they claim, are an error of the server's to n8n. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
	const encoding = request.headers['content-encoding'];
	const unpack =
		encoding === 'gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : undefined;
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of unpack ? request.pipe(unpack) : request) {
			length += (chunk as Buffer).length;
			if (length > PAYLOAD_MAX_BYTES) continue;
			chunks.push(chunk as Buffer);
		}
	} catch {
		// The rest of the body would stand before the next request on this connection.
		request.unpipe().resume();
		throw new Refused(500);
	}
	if (length > PAYLOAD_MAX_BYTES) throw new Refused(500);
	return Buffer.concat(chunks);
}
