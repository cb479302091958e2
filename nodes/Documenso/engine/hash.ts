import { createHash } from 'node:crypto';

import type { UploadFile } from '../../shared/api/multipart';

export function hashOf(value: unknown): string {
	return createHash('sha256').update(canonical(value)).digest('base64url');
}

export async function hashOfFile(file: UploadFile): Promise<string> {
	const hash = createHash('sha256');
	for await (const bytes of file.stream()) hash.update(bytes);
	return hash.digest('base64url');
}

/** JSON with the keys of each object in order. */
export function canonical(value: unknown): string {
	return JSON.stringify(value, (_, inner: unknown) => {
		if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
		return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
	});
}
