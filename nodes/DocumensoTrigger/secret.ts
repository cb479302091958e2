import { createHash, timingSafeEqual } from 'node:crypto';

/** Documenso's header, and the one that white-label versions use. */
const HEADERS = ['x-documenso-secret', 'x-service-secret'];

/** A secret or a header's name, trimmed, because HTTP removes blanks at both ends of a header. */
export function secretText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Whether a delivery carries the secret, in the header that the credential names or else in a usual one. */
export function carriesSecret(
	headers: Record<string, unknown>,
	secret: string,
	ownHeader: string,
): boolean {
	const names = ownHeader === '' ? HEADERS : [ownHeader.toLowerCase()];
	return names
		.flatMap((name) => readings(headers[name]))
		.map((received) => secretsMatch(secret, received))
		.some((matches) => matches);
}

/** Node reads header bytes as Latin-1, but a sender may have written UTF-8. */
function readings(received: unknown): string[] {
	if (typeof received !== 'string') return [];
	return [received, Buffer.from(received, 'latin1').toString('utf8')];
}

/** Compares in constant time. Digests are equally long, so the time does not reveal the secret's length either. */
export function secretsMatch(expected: string, received: string): boolean {
	if (expected === '') return false;
	return timingSafeEqual(digest(expected), digest(received));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
