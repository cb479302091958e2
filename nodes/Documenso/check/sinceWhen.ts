import type { Client } from '../../shared/api/client';
import { messageOf } from '../../shared/api/failure';
import { logOf, type LogEntry } from '../envelope/auditLog';
import type { Comparison, Difference } from './comparison';

/** A difference as it is told. */
export interface Told extends Omit<Difference, 'about'> {
	/** Since when, in ISO 8601, and who did it: from the audit log. */
	since?: string;
	by?: { name: string | null; email: string | null };
}

/**
 * Adds from a document's audit log since when it differs, if that is asked for: a request for each 100 entries. One log that
 * cannot be read is told, and keeps no other row from its verdict.
 */
export async function withLog(
	client: Client,
	id: string,
	differences: Difference[],
	isAsked: boolean,
): Promise<{ differences: Told[]; unread: Comparison['notCompared'] }> {
	let log: LogEntry[] = [];
	const unread: Comparison['notCompared'] = [];
	if (isAsked && differences.length > 0) {
		try {
			log = await logOf(client, id);
		} catch (error) {
			unread.push({ name: 'Audit log', reason: messageOf(error) });
		}
	}
	const sentAt = log.findIndex(({ type }) => type === 'DOCUMENT_SENT');
	const since = log.slice(sentAt + 1).reverse();
	return { unread, differences: differences.map((one) => told(one, since)) };
}

function told({ about, ...difference }: Difference, newestFirst: LogEntry[]): Told {
	const entry = newestFirst.find((one) => isAbout(one, about));
	if (!entry) return difference;
	const { type, createdAt, data, name = null, email = null } = entry;
	const isSigners = type.startsWith('DOCUMENT_FIELD_');
	// Whoever confirms what was sent changes nothing. Only of a date the document does not tell what that was.
	if (isSigners && difference.cause === 'sent' && data.field !== 'DATE') return difference;
	const bySigner = difference.document === null ? 'emptiedBySigner' : 'changedBySigner';
	const cause = isSigners ? bySigner : 'changedAfterSending';
	return { ...difference, cause, since: createdAt, by: { name, email } };
}

function isAbout(
	{ type, data }: LogEntry,
	{ title, recipient, field }: Difference['about'],
): boolean {
	if (title) return type === 'DOCUMENT_TITLE_UPDATED';
	if (recipient !== undefined)
		return type.startsWith('RECIPIENT_') && data.recipientId === recipient;
	return field !== undefined && /^(DOCUMENT_)?FIELD_/.test(type) && data.fieldId === field;
}
