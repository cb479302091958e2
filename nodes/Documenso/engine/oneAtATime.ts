import type { Client } from '../../shared/api/client';
import { Line } from '../../shared/api/line';

/** The line of what changes a document or template. */
export function changesTo(envelopeId: string): string {
	return `changes to ${envelopeId}`;
}

/** Does what the items of an execution have to do in a line one after the other. */
export async function oneAtATime<Done>(
	client: Client,
	line: string,
	work: () => Promise<Done>,
): Promise<Done> {
	return await (await client.once(`line ${line}`, () => new Line())).next(work);
}
