import type { Client } from '../../shared/api/client';
import { Line } from '../../shared/api/line';
import { Refusal } from '../../shared/n8n/refusal';

/** The line of what changes a document or template, by its ID, or something else, by what it is and its ID. */
export function changesTo(changed: string): string {
	return `changes to ${changed}`;
}

/** Does what the items of an execution have to do in a line one after the other. */
export async function oneAtATime<Done>(
	client: Client,
	line: string,
	work: () => Promise<Done>,
	{ endsAtFailure = false } = {},
): Promise<Done> {
	const known = await client.once(`line ${line}`, () => ({ inLine: new Line(), hasFailed: false }));
	return await known.inLine.next(async () => {
		// Otherwise a retry would do the one that failed after those behind it.
		if (endsAtFailure && known.hasFailed) throw new Refusal('An item before this one failed');
		return await work().catch((error: unknown) => {
			known.hasFailed = true;
			throw error;
		});
	});
}
