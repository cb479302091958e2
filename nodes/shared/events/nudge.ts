import { z } from 'zod';

import { clock } from '../api/clock';
import { HttpClient, type Client } from '../api/client';
import { envelopeSchema } from '../api/envelope';
import type { Credential } from '../api/exchange';
import { messageOf, orDeleted } from '../api/failure';
import { isFinal } from '../api/lifecycle';
import { path } from '../api/path';
import { parse } from '../api/records';
import { thisProcess, type Resumption } from '../n8n/process';
import { resumptionsIn } from '../envelope/marker';
import { hasEnded, reach, type Reception, type Way } from '../waiting/reach';
import type { Context, ResumeAddress } from '../waiting/resumeRequest';
import type { Seen } from '../waiting/resume';
import { unmark, wasRemoved, type Marked } from '../waiting/unmark';

/** Events after which a document may be finished. */
export const FINAL_EVENTS: readonly string[] = [
	'DOCUMENT_CANCELLED',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'RECIPIENT_EXPIRED',
];

/** How long it may take to remove markers, in milliseconds. Many documents may take minutes at the rate limit. */
const TIMEOUT_MS = 300_000;

interface Settings extends Omit<Way, 'addresses'> {
	credential: Credential;
	addresses: () => ResumeAddress[];
}

/** What executions and n8n said, by the markers of the executions. */
type Receptions = ReadonlyMap<string, Reception>;

/**
 * Wakes the executions of this n8n that wait for a document. They look in Documenso themselves whether their wait is over,
 * so a nudge too many does no harm. When the document is finished, and n8n has stored what each of them made of that, their
 * markers are removed: only then is nobody lost if n8n is killed. Returns whether all that still wait were reached. It
 * never throws.
 */
export async function nudge(
	context: Context,
	document: Marked,
	{ credential, addresses, ...limits }: Settings,
): Promise<boolean> {
	const { waits } = thisProcess;
	const keys = { apiToken: credential.apiToken ?? '', instanceId: context.getInstanceId() };
	try {
		const marked = resumptionsIn(document.externalId ?? '', keys);
		const deadline = clock.timeout(TIMEOUT_MS);
		const client = await HttpClient.of(context, { credential, deadline });
		const waiting = new Map([...marked, ...waits.for(document.id, client.account)]);
		for (const marker of waiting.keys()) {
			if (wasRemoved(document, marker)) waiting.delete(marker);
		}
		if (waiting.size === 0) return true;
		// Another process may have begun the wait. If an execution reads an old copy of the document, polls wake it again.
		for (const [marker, resumption] of waiting) {
			waits.begin(client.account, [document.id], { marker, resumption });
		}
		const way = { addresses: addresses(), ...limits };
		const receptions = await reachAll(context, waiting, way);
		const ended = [...receptions].flatMap(([marker, one]) => (hasEnded(one) ? [marker] : []));
		waits.end(document.id, ended);
		if (!areReached(receptions)) return false;
		let seen = seenBy(receptions, document.id);
		if (seen && !seen.isFinished) return true;

		if (!seen) {
			seen = await readSeen(client, document.id);
			// A marker goes with its document.
			if (!seen) waits.end(document.id, waiting.keys());
			if (!seen?.isFinished) return true;
			// A marker whose writing came late may have replaced that of another execution.
			for (const before of await externalIdsBefore(client, document.id)) {
				const lost = [...resumptionsIn(before, keys)].filter(([marker]) => !waiting.has(marker));
				if (!areReached(await reachAll(context, new Map(lost), way))) return false;
				for (const [marker, one] of lost) waiting.set(marker, one);
			}
		}
		waits.end(document.id, waiting.keys());
		await unmark(context, client, { id: document.id, ...seen }, [...waiting.keys()]);
		return true;
	} catch (error) {
		context.logger.warn(`Executions that wait could not be woken: ${messageOf(error)}`);
		return false;
	}
}

async function reachAll(
	context: Context,
	waiting: ReadonlyMap<string, Resumption>,
	way: Way,
): Promise<Receptions> {
	const each = async ([marker, one]: [string, Resumption]) =>
		[marker, await reach(context, one, way)] as const;
	const receptions = new Map(await Promise.all([...waiting].map(each)));
	for (const [marker, { executionId }] of waiting) {
		const last = receptions.get(marker)?.last;
		if (last === undefined) continue;
		context.logger.warn(`The waiting execution ${executionId} has not answered yet: ${last}`);
	}
	return receptions;
}

function areReached(receptions: Receptions): boolean {
	return [...receptions.values()].every(({ last }) => last === undefined);
}

/** The document as the executions have just read it. Undefined if one of them cannot tell. */
function seenBy(receptions: Receptions, id: string): Seen | undefined {
	const all = [...receptions.values()];
	const read = all.flatMap(({ seen }) => seen?.[id] ?? []);
	const open = read.find(({ isFinished }) => !isFinished);
	if (open) return open;
	const isClear = all.length === read.length && !all.some(({ isDoubtful }) => isDoubtful);
	return isClear ? read.at(-1) : undefined;
}

const afterwards = envelopeSchema.pick({ externalId: true, status: true });

/** The document as it is now; undefined if it is gone. */
async function readSeen(client: Client, id: string): Promise<Seen | undefined> {
	const envelope = await client.envelope(id, afterwards).catch(orDeleted);
	if (!envelope) return undefined;
	return { externalId: envelope.externalId ?? null, isFinished: isFinal(envelope.status) };
}

const changeSchema = z.array(
	z.object({
		type: z.literal('DOCUMENT_EXTERNAL_ID_UPDATED'),
		data: z.object({ from: z.string().nullish(), to: z.string().nullish() }),
	}),
);

/** The external IDs that updates have replaced, the last one first: a document's audit log has them all. */
async function externalIdsBefore(client: Client, id: string): Promise<string[]> {
	const entries = await client.list(path`/envelope/${id}/audit-log`, {
		orderByColumn: 'createdAt',
		orderByDirection: 'desc',
	});
	const changes = entries.filter(({ type }) => type === 'DOCUMENT_EXTERNAL_ID_UPDATED');
	return parse(changeSchema, changes).flatMap(({ data }) => data.from ?? []);
}
