import type { Client } from '../../shared/api/client';
import { Line } from '../../shared/api/line';

/** The line of what changes a document or template, by its ID, or something else, by what it is and its ID. */
export function changesTo(changed: string): string {
	return `changes to ${changed}`;
}

/** Does what the items of an execution have to do in a line one after the other. */
export async function oneAtATime<Done>(
	client: Client,
	line: string,
	work: () => Promise<Done>,
): Promise<Done> {
	return await (await client.once(`line ${line}`, () => new Line())).next(work);
}
