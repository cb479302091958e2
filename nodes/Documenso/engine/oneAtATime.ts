import type { Client } from '../../shared/api/client';

/** Does what the items of an execution have to do in a line one after the other. */
export async function oneAtATime<Done>(
	client: Client,
	line: string,
	work: () => Promise<Done>,
): Promise<Done> {
	const begin = (): { last: Promise<unknown> } => ({ last: Promise.resolve() });
	const own = await client.once(`line ${line}`, begin);
	const done = own.last.then(work);
	own.last = done.catch(() => undefined);
	return await done;
}
