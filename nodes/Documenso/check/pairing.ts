import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../../shared/api/envelope';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { groupedBy } from '../../shared/n8n/values';

type Described = Pick<Envelope, 'recipients' | 'fields' | 'envelopeItems'>;

/** A recipient of a template as a row wants them. */
export interface Asked extends EnvelopeRecipient {
	isLeftOut: boolean;
}

/** What of a document stands for what of its template. A document names nothing that it was made from. */
export interface Pairing {
	/** Those of the document, by the IDs of the template's recipients. */
	people: ReadonlyMap<number, EnvelopeRecipient>;
	/** Those whom the template does not have: added by Documenso for the team, or by somebody. */
	others: EnvelopeRecipient[];
	/** By the IDs of the template's fields. */
	fields: ReadonlyMap<number, EnvelopeField>;
	/** The IDs of the template's fields for which several of the document may stand, or the other way round. */
	ambiguous: ReadonlySet<number>;
	/** Fields of the document that stand for none of the template. */
	otherFields: EnvelopeField[];
}

/**
 * IDs only grow: what of a template has a greater one than the first copy was added after the document was made. Returns
 * whether that is so.
 */
export function newerThan(copies: Array<{ id: number }>): (original: { id: number }) => boolean {
	const first = copies.reduce((least, { id }) => Math.min(least, id), Infinity);
	return ({ id }) => id > first;
}

export function pairingOf(template: Described, asked: Asked[], document: Described): Pairing {
	const people = pairedPeople(template, asked, document);
	const known = new Set(people.values());
	return {
		...{ people, ...pairedFields(template, people, document) },
		others: document.recipients.filter((one) => !known.has(one) && !isLeftOut(one)),
	};
}

function pairedFields(template: Described, people: Pairing['people'], document: Described) {
	const theirs = new Map([...people].map(([id, its]) => [its.id, id]));
	const placeIn = spotsIn(document);
	const copies = groupedBy(
		document.fields,
		(one) => `${theirs.get(one.recipientId)} ${placeIn(one)}`,
	);
	const placeInTemplate = spotsIn(template);
	const isNewer = newerThan(document.fields);
	const originals = groupedBy(
		template.fields.filter((one) => !isNewer(one)),
		(one) => `${one.recipientId} ${placeInTemplate(one)}`,
	);
	const fields = new Map<number, EnvelopeField>();
	const ambiguous = new Set<number>();
	const paired = new Set<EnvelopeField>();
	for (const [spot, of] of originals) {
		const its = copies.get(spot) ?? [];
		const [copy] = its;
		if (!copy) continue;
		for (const one of its) paired.add(one);
		for (const { id } of of) {
			if (of.length === 1 && its.length === 1) fields.set(id, copy);
			else ambiguous.add(id);
		}
	}
	const otherFields = document.fields.filter((one) => !paired.has(one));
	return { fields, ambiguous, otherFields };
}

/** Where a field is and what it is: on copies, the same to the last digit. */
function spotsIn({ envelopeItems }: Pick<Envelope, 'envelopeItems'>) {
	const inOrder = [...envelopeItems].sort((a, b) => a.order - b.order);
	const files = new Map(inOrder.map(({ id }, index) => [id, index]));
	return ({ envelopeItemId, page, positionX, positionY, type }: EnvelopeField) =>
		[files.get(envelopeItemId), page, positionX.toFixed(3), positionY.toFixed(3), type].join(' ');
}

/** How much each of these says about who somebody is. */
const WEIGHTS = { fields: 8, email: 3, role: 2, name: 1, order: 1 };
/** The same role alone says enough, but not that somebody is there who should not be. */
const leastFor = ({ isLeftOut: isUnwanted }: Asked) =>
	isUnwanted ? WEIGHTS.email + WEIGHTS.role : WEIGHTS.role;

/** The best pairs come first; of equal ones, those in the order in which Documenso has made them. */
function pairedPeople(template: Described, asked: Asked[], document: Described) {
	const theirs = spotsOf(template);
	const its = spotsOf(document);
	const present = document.recipients.filter((one) => !isLeftOut(one));
	const candidates = asked.flatMap((one) =>
		present.map((other) => {
			const [spots, others] = [theirs.get(one.id), its.get(other.id)];
			const shared = [...(spots ?? [])].filter((spot) => others?.has(spot)).length;
			const score =
				(spots ? (WEIGHTS.fields * shared) / spots.size : 0) +
				(one.email.toLowerCase() === other.email.toLowerCase() ? WEIGHTS.email : 0) +
				(one.role === other.role ? WEIGHTS.role : 0) +
				(one.name === other.name ? WEIGHTS.name : 0) +
				((one.signingOrder ?? null) === (other.signingOrder ?? null) ? WEIGHTS.order : 0);
			return { one, other, score };
		}),
	);
	candidates.sort((a, b) => b.score - a.score || a.one.id - b.one.id || a.other.id - b.other.id);
	const people = new Map<number, EnvelopeRecipient>();
	const taken = new Set<EnvelopeRecipient>();
	for (const { one, other, score } of candidates) {
		if (score < leastFor(one) || people.has(one.id) || taken.has(other)) continue;
		people.set(one.id, other);
		taken.add(other);
	}
	return people;
}

/** By the IDs of recipients. */
function spotsOf(envelope: Described): Map<number, Set<string>> {
	const byOwner = groupedBy(envelope.fields, ({ recipientId }) => recipientId);
	const spotIn = spotsIn(envelope);
	return new Map([...byOwner].map(([id, fields]) => [id, new Set(fields.map(spotIn))]));
}
