import type { z } from 'zod';
import { assertRawInteger } from '../database';
import type { Envelope, Recipient } from '../entities';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { findEnvelopes } from '../schemas/envelopes';
import { isExpired } from '../signing/rules';
import { isListed } from './access';

export function listEnvelopes(
	instance: Instance,
	caller: Caller,
	input: z.output<typeof findEnvelopes>,
): Envelope[] {
	const { templateId = 0 } = input;
	assertRawInteger(templateId, 'integer');
	assertRawInteger(input.perPage, 'bigint');
	assertRawInteger((input.page - 1) * input.perPage, 'bigint');
	const all = [...instance.store.envelopes.values()];
	const matchesQuery = queryMatcher(input.query, all);
	const found = all.filter(
		(envelope) =>
			envelope.deletedAt === null &&
			// Without a folder, only the root is listed; no value means all folders.
			envelope.folderId === (input.folderId ?? null) &&
			isEqualOrAny(input.type, envelope.type) &&
			isEqualOrAny(input.source, envelope.source) &&
			isEqualOrAny(input.status, envelope.status) &&
			(templateId === 0 || templateId === envelope.templateId) &&
			(input.hasExpiredRecipients !== 'true' ||
				envelope.recipients.some((recipient) => isExpired(recipient, instance.now()))) &&
			isListed(envelope, caller) &&
			matchesQuery(envelope),
	);
	// The direction has no effect without a column (documenso-api.md: Lists).
	const ascending = input.orderByColumn !== undefined && input.orderByDirection === 'asc';
	// Of those created in the same millisecond, the last comes first.
	const sorted = found.reverse().sort((a, b) => +b.createdAt - +a.createdAt);
	return ascending ? sorted.reverse() : sorted;
}

/** The envelope's owner sees all signing tokens, a recipient only their own. */
export function tokenViewer(envelope: Envelope, caller: Caller): (r: Recipient) => boolean {
	return (recipient) =>
		envelope.user.id === caller.user.id || recipient.email === caller.user.email;
}

function isEqualOrAny<T>(wanted: T | undefined, actual: T): boolean {
	return wanted === undefined || wanted === actual;
}

/** How many envelopes a search finds by their recipients, of all that there are, before any other filter. */
const RECIPIENT_SEARCH_CAP = 1000;

/** Like SQL's ILIKE: `%` and `_` are wildcards, a backslash escapes the next character. */
function queryMatcher(query: string | undefined, all: Envelope[]): (envelope: Envelope) => boolean {
	const searched = query?.trim() ?? '';
	if (searched === '') return () => true;
	// As in the service, a backslash at the end escapes the closing wildcard.
	const source = lowered(`%${searched}%`).replace(/\\?./gsu, (token) => {
		if (token === '%') return '.*';
		if (token === '_') return '.';
		return `\\u{${token.replace(/^\\/, '').codePointAt(0)?.toString(16)}}`;
	});
	const pattern = new RegExp(`^${source}$`, 'su');
	const matches = (text: string): boolean => pattern.test(lowered(text));
	const byRecipient = new Set(
		all
			.filter(({ recipients }) =>
				recipients.some(({ email, name }) => matches(email) || matches(name)),
			)
			.slice(0, RECIPIENT_SEARCH_CAP),
	);
	return (envelope) =>
		matches(envelope.title) || matches(envelope.externalId ?? '') || byRecipient.has(envelope);
}

/** PostgreSQL lowers one letter to one letter: İ becomes i, and ς is none of Σ. */
function lowered(text: string): string {
	if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
	return Array.from(text, (letter) => Array.from(letter.toLowerCase())[0] ?? '').join('');
}
