import { CannotTell, type Steps } from './steps';
import type { Dictionary } from './values';

const LARGEST_STREAM = 16 * 1024 * 1024;

/** What a stream holds, from the data that the file has for it. */
export async function unpacked(entries: Dictionary, data: Buffer, steps: Steps): Promise<Buffer> {
	const [filter, ...more] = [entries.get('/Filter') ?? []].flat();
	if (filter === undefined) return data;
	if (filter !== '/FlateDecode' || more.length > 0) throw new CannotTell('An unknown filter');
	const bytes = await inflated(data);
	await steps.pass(bytes.length);
	const [parameters] = [entries.get('/DecodeParms') ?? []].flat();
	return parameters instanceof Map ? await withoutPredictor(bytes, parameters, steps) : bytes;
}

async function inflated(data: Buffer): Promise<Buffer> {
	const stream: AsyncIterable<Uint8Array> = new Blob([data])
		.stream()
		.pipeThrough(new DecompressionStream('deflate'));
	const parts: Uint8Array[] = [];
	let size = 0;
	let isDamaged = false;
	try {
		for await (const part of stream) {
			parts.push(part);
			size += part.length;
			if (size > LARGEST_STREAM) break;
		}
	} catch (error) {
		// Otherwise, only its end is missing, or a line end is behind it.
		isDamaged = (error as { code?: string }).code === 'Z_DATA_ERROR';
	}
	if (isDamaged || size > LARGEST_STREAM) throw new CannotTell('A stream cannot be unpacked');
	return Buffer.concat(parts);
}

/** Tables are packed in rows, each as its differences from the one above. */
async function withoutPredictor(bytes: Buffer, entries: Dictionary, steps: Steps): Promise<Buffer> {
	const predictor = Number(entries.get('/Predictor') ?? 1);
	const width = Number(entries.get('/Columns') ?? 1);
	if (predictor === 1) return bytes;
	const content = Buffer.alloc(Math.floor(bytes.length / (width + 1)) * width);
	for (let row = 0; row * width < content.length; row++) {
		const kind = predictor < 10 ? undefined : bytes[row * (width + 1)];
		if (kind !== 0 && kind !== 2) throw new CannotTell('An unknown predictor');
		for (let at = row * width; at < (row + 1) * width; at++) {
			const above = kind === 2 ? (content[at - width] ?? 0) : 0;
			content[at] = (bytes[at + row + 1] ?? 0) + above;
		}
		await steps.take(width);
	}
	return content;
}
