import { compareBodies } from './compare';
import type { IdMap } from './ids';
import type { ReceivedDelivery } from './receiver';
import type { RecordedDelivery } from './recordings';

/** They belong to the connection or the body, and are not compared as headers. */
const TRANSPORT_HEADERS = ['host', 'connection', 'content-length'];

/** Deliveries this close together come from concurrent jobs, in any order. */
const SIMULTANEOUS_MS = 5;

interface Pair {
	recorded: RecordedDelivery;
	emulated: ReceivedDelivery;
	/** Its index among all deliveries of the local Documenso. */
	position: number;
}

export interface Matching {
	pairs: Pair[];
	/** Recorded, but not delivered by the local Documenso. */
	missing: RecordedDelivery[];
	/** Delivered by the local Documenso, but not recorded. */
	extra: ReceivedDelivery[];
}

/** Pairs deliveries of the same event about the same envelope to the same endpoint, in order. */
export function matchDeliveries(
	recorded: readonly RecordedDelivery[],
	emulated: readonly ReceivedDelivery[],
	ids: IdMap,
): Matching {
	const left = new Map([...emulated.entries()]);
	const matching: Matching = { pairs: [], missing: [], extra: [] };
	for (const delivery of recorded) {
		const candidates = [...left].filter(([, other]) => isSameEvent(delivery, other, ids));
		// Two snapshots of one envelope may have overtaken each other.
		const state = stateOf(delivery.body.payload);
		const found =
			candidates.find(([, { body }]) => stateOf(body.payload) === state) ?? candidates[0];
		if (found) {
			const [position, received] = found;
			left.delete(position);
			matching.pairs.push({ recorded: delivery, emulated: received, position });
		} else matching.missing.push(delivery);
	}
	matching.extra = [...left.values()];
	return matching;
}

/** One line for each difference between a recorded delivery and the local Documenso's. */
export function compareDelivery({ recorded, emulated }: Pair, ids: IdMap): string[] {
	return [
		...compareDeliveryHeaders(recorded.headers, emulated.headers),
		...compareBodies(recorded.body, emulated.body, { ids, context: recorded.body.event }),
	];
}

/** Deliveries that the local Documenso made earlier than another one, and the service later. */
export function findDisorder(pairs: readonly Pair[]): Array<{ name: string; line: string }> {
	return pairs.flatMap((later) => {
		const overtaken = pairs.find(
			(earlier) =>
				earlier.recorded.url === later.recorded.url &&
				Date.parse(later.recorded.at) - Date.parse(earlier.recorded.at) > SIMULTANEOUS_MS &&
				later.position < earlier.position,
		);
		if (!overtaken) return [];
		const line = `order: after ${overtaken.recorded.body.event}, emulated before it`;
		return [{ name: later.recorded.name, line }];
	});
}

function isSameEvent(
	{ url, body: { event, payload } }: RecordedDelivery,
	other: ReceivedDelivery,
	ids: IdMap,
): boolean {
	const envelopeId = ids.get(String(payload.envelopeId));
	const isSameEnvelope = envelopeId === undefined || other.body.payload.envelopeId === envelopeId;
	return other.url === url && other.body.event === event && isSameEnvelope;
}

/** What each recipient has done so far. */
function stateOf({ recipients }: Record<string, unknown>): string {
	if (!Array.isArray(recipients)) return '';
	const states = (recipients as Array<Record<string, unknown>>).map((recipient) =>
		[
			recipient.email,
			recipient.readStatus,
			recipient.signingStatus,
			recipient.sendStatus,
			recipient.expirationNotifiedAt !== null,
		].join(' '),
	);
	return states.sort().join('\n');
}

function compareDeliveryHeaders(
	recorded: Readonly<Record<string, string>>,
	emulated: ReceivedDelivery['headers'],
): string[] {
	const names = new Set([...Object.keys(recorded), ...Object.keys(emulated)]);
	return [...names]
		.filter((name) => !TRANSPORT_HEADERS.includes(name))
		.filter((name) => recorded[name] !== emulated[name])
		.map((name) => {
			const value = String(emulated[name] ?? 'none');
			return `header ${name}: ${recorded[name] ?? 'none'}, emulated ${value}`;
		});
}
