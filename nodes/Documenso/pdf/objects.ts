/** The entries of a dictionary that matter here. */
export const ENTRIES = new Set([
	'/Count',
	'/DecodeParms',
	'/Encrypt',
	'/Filter',
	'/First',
	'/Kids',
	'/Length',
	'/N',
	'/Pages',
	'/Root',
	'/Type',
]);

/** The entries of a dictionary: the first tokens of each entry's value, such as `3 0 R` or `[ /FlateDecode`. */
export type Dictionary = Map<string, string[]>;

/** The objects of an object stream. It begins with the number and the place of each of them. */
export function objectsIn(bytes: Buffer, count: number, first: number) {
	const integers = bytes.toString('latin1', 0, first).matchAll(/\d+/g);
	const next = () => {
		const { value } = integers.next();
		if (!value) throw new Error('An object stream is not complete');
		return Number(value[0]);
	};
	const objects = Array.from({ length: count }, () => ({ number: next(), start: first + next() }));
	objects.sort((a, b) => a.start - b.start);
	return objects.map(({ number, start }, index) => ({
		number,
		bytes: bytes.subarray(start, objects[index + 1]?.start),
	}));
}

/** The content of a stream, from the data that the file has for it. */
export async function content(
	dictionary: Dictionary,
	data: string,
	limit: number,
): Promise<Buffer> {
	const bytes = Buffer.from(data, 'latin1');
	const filter = dictionary.get('/Filter')?.filter((token) => token !== '[') ?? [];
	if (filter.length === 0) return bytes;
	const isKnown = filter.length === 1 && filter[0] === '/FlateDecode';
	if (!isKnown || dictionary.has('/DecodeParms')) throw new Error('An unknown filter');
	return await inflated(bytes, limit);
}

async function inflated(data: Buffer, limit: number): Promise<Buffer> {
	const stream: AsyncIterable<Uint8Array> = new Blob([data])
		.stream()
		.pipeThrough(new DecompressionStream('deflate'));
	const parts: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const part of stream) {
			parts.push(part);
			size += part.length;
			if (size > limit) break;
		}
	} catch {
		// For example a line end after the data. If data is missing, the objects turn out incomplete.
	}
	if (size > limit) throw new Error('An object stream is too large');
	return Buffer.concat(parts);
}

export function isOfType(dictionary: Dictionary, type: string): boolean {
	return nameIn(dictionary.get('/Type')?.[0] ?? '') === type;
}

export function integer(value: string[] = []): number | undefined {
	const [token = ''] = value;
	return value.length === 1 && /^\+?\d+$/.test(token) ? Number(token) : undefined;
}

/** The number of the object in a reference such as `3 0 R`. */
export function reference(value: string[] = []): number {
	const [number, , sign] = value;
	if (sign !== 'R') throw new Error('There is no reference');
	return Number(number);
}

/** A name may contain codes, such as `/P#61ges` for `/Pages`. */
export function nameIn(token: string): string {
	if (!token.includes('#')) return token;
	return token.replace(/#([\da-f]{2})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}
