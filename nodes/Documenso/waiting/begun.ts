import type { Client } from '../api/client';
import type { Resumption } from '../envelope/marker';

/** How many documents are remembered; those whose wait began first are forgotten first. */
const REMEMBERED = 10_000;

/** By document: the executions of this process that wait for it, by their markers. */
const begun = new Map<string, { account: string; waiting: Map<string, Resumption> }>();

/**
 * Remembers that an execution waits for these documents. Their markers tell this too, except of a document that nobody
 * could mark, or that was deleted before a poll had seen it.
 */
export function rememberWait(
	{ account }: Client,
	ids: Iterable<string>,
	{ marker, resumption }: { marker: string; resumption: Resumption },
) {
	for (const id of ids) {
		const { waiting } = begun.get(id) ?? { waiting: new Map<string, Resumption>() };
		begun.delete(id);
		begun.set(id, { account, waiting: waiting.set(marker, resumption) });
	}
	for (const oldest of begun.keys()) {
		if (begun.size <= REMEMBERED) break;
		begun.delete(oldest);
	}
}

/** The executions of this process that wait for a document. */
export function waitsFor(id: string): ReadonlyMap<string, Resumption> {
	return begun.get(id)?.waiting ?? new Map<string, Resumption>();
}

/** The documents of an account for which executions of this process wait. */
export function waitedForIn({ account }: Client): string[] {
	return [...begun].flatMap(([id, one]) => (one.account === account ? [id] : []));
}

/** The document has ended, and these executions have been told. */
export function forgetWaits(id: string, markers: Iterable<string>) {
	const waiting = begun.get(id)?.waiting;
	for (const marker of markers) waiting?.delete(marker);
	if (waiting?.size === 0) begun.delete(id);
}
