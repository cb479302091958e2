import type { Client } from '../../shared/api/client';
import { auditLogOf, entryIn, type LogEntry } from '../envelope/auditLog';
import type { Difference } from './comparison';

/** A difference as it is told. */
export interface Told extends Omit<Difference, 'about'> {
	/** Since when, in ISO 8601, and who did it: from the audit log. */
	since?: string;
	by?: { name: string | null; email: string | null };
}

/** Adds from a document's audit log since when it differs, if that is asked for: a request for each 100 entries. */
export async function withLog(
	client: Client,
	id: string,
	differences: Difference[],
	isAsked: boolean,
): Promise<Told[]> {
	const log = isAsked && differences.length > 0 ? (await auditLogOf(client, id)).map(entryIn) : [];
	const sentAt = log.findIndex(({ type }) => type === 'DOCUMENT_SENT');
	const since = log.slice(sentAt + 1).reverse();
	return differences.map(({ about, ...difference }) => {
		const entry = since.find((one) => isAbout(one, about));
		if (!entry) return difference;
		const { type, createdAt, name = null, email = null } = entry;
		const isOfSigner = type.startsWith('DOCUMENT_FIELD_');
		return {
			...difference,
			cause: isOfSigner ? difference.cause : 'changedAfterSending',
			...{ since: createdAt, by: { name, email } },
		};
	});
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
