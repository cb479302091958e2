import type { Client } from '../api/client';
import { hasCode } from '../api/failure';
import { thisProcess } from '../n8n/process';

/** How Documenso refuses to update a sent document with AES or QES signatures (documenso-api.md: Updating an envelope). */
const REFUSALS = [
	'ENVELOPE_TSP_LOCKED',
	'ENVELOPE_COMPLETED',
	'ENVELOPE_REJECTED',
	'ENVELOPE_CANCELLED',
];

/**
 * Replaces the external ID of a document. Returns false if it is sent and locked. Documenso does not tell before it
 * refuses, so after one refusal no sent document of the site is tried again, and all wait for the first one.
 */
export async function updateExternalId(
	client: Client,
	{ id, isSent }: { id: string; isSent: boolean },
	externalId: string | null,
): Promise<boolean> {
	const { site } = client;
	const { updatable } = thisProcess;
	const before = updatable.get(site);
	if (isSent && before && !(await before)) return false;
	const attempt = client.post('/envelope/update', { envelopeId: id, data: { externalId } }).then(
		() => true,
		(error: unknown) => {
			if (!REFUSALS.some((code) => hasCode(error, code))) throw error;
			updatable.set(site, Promise.resolve(false));
			return false;
		},
	);
	if (isSent && !before) {
		const shown = attempt.catch(() => {
			// It has shown nothing.
			if (updatable.get(site) === shown) updatable.delete(site);
			return true;
		});
		updatable.set(site, shown);
	}
	return await attempt;
}
