import { createHash, timingSafeEqual } from 'node:crypto';

/** Documenso's header, and the neutral one that white-label versions use. */
const HEADERS = ['x-documenso-secret', 'x-service-secret'];

type Headers = Record<string, string | string[] | undefined>;

/** What the credential holds, as a header can carry it: HTTP removes blanks at both ends. */
export function secretText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Whether a delivery carries the secret, in the credential's header or in one of the usual headers. */
export function carriesSecret(headers: Headers, secret: string, ownHeader: string): boolean {
	const names = ownHeader === '' ? HEADERS : [ownHeader.toLowerCase()];
	return names
		.flatMap((name) => readings(headers[name]))
		.map((received) => secretsMatch(secret, received))
		.some((matches) => matches);
}

/** Node reads header bytes as Latin-1, but a sender may have written UTF-8. */
function readings(received: string | string[] | undefined): string[] {
	if (typeof received !== 'string') return [];
	return [received, Buffer.from(received, 'latin1').toString('utf8')];
}

/** Compares in constant time. Digests all have one length, so that the time does not reveal the secret's length. */
export function secretsMatch(expected: string, received: string): boolean {
	if (expected === '') return false;
	return timingSafeEqual(digest(expected), digest(received));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text, 'utf8').digest();
}
