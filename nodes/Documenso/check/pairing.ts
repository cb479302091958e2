import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../../shared/api/envelope';
import { isLeftOut } from '../../shared/envelope/leftOut';
import type { Template } from '../template/columns';

type Described = Pick<Envelope, 'recipients' | 'fields' | 'envelopeItems'>;

/** What of a document stands for what of its template. A document names nothing that it was made from. */
export interface Pairing {
	/** Those of the document, by the IDs of the template's recipients. */
	people: ReadonlyMap<number, EnvelopeRecipient>;
	/** Those whom the template does not have: added by Documenso for the team, or by somebody. */
	others: EnvelopeRecipient[];
	/** By the IDs of the template's fields; several if they lie on one spot. */
	fields: ReadonlyMap<number, EnvelopeField[]>;
	/** Fields of paired people where the template has none. */
	otherFields: EnvelopeField[];
}

/** Pairs the people whom a row asks for, and the fields of the template, with those of a document. */
export function pairingOf(
	template: Template,
	asked: EnvelopeRecipient[],
	document: Described,
): Pairing {
	const people = pairedPeople(template, asked, document);
	const ofTemplate = new Map([...people].map(([id, { id: its }]) => [its, id]));
	const spots = new Map<string, EnvelopeField[]>();
	const placeIn = spotsIn(document);
	for (const field of document.fields) {
		const spot = `${ofTemplate.get(field.recipientId)} ${placeIn(field)}`;
		spots.set(spot, [...(spots.get(spot) ?? []), field]);
	}
	const placeInTemplate = spotsIn(template);
	const fields = new Map(
		template.fields.map((field) => [
			field.id,
			spots.get(`${field.recipientId} ${placeInTemplate(field)}`) ?? [],
		]),
	);
	const paired = new Set([...fields.values()].flat());
	const known = new Set([...people.values()]);
	return {
		...{ people, fields },
		others: document.recipients.filter((one) => !known.has(one) && !isLeftOut(one)),
		otherFields: document.fields.filter(
			(field) => ofTemplate.has(field.recipientId) && !paired.has(field),
		),
	};
}

/** Where a field is and what it is: on copies, the same to the last digit. */
function spotsIn({ envelopeItems }: Pick<Envelope, 'envelopeItems'>) {
	const inOrder = [...envelopeItems].sort((a, b) => a.order - b.order);
	const files = new Map(inOrder.map(({ id }, index) => [id, index]));
	return ({ envelopeItemId, page, positionX, positionY, type }: EnvelopeField) =>
		[files.get(envelopeItemId), page, positionX.toFixed(3), positionY.toFixed(3), type].join(' ');
}

/** How much each of these says about who somebody is. */
const WEIGHTS = { fields: 8, email: 3, role: 2, order: 1 };
/** The same role alone says enough; the same order alone does not. */
const LEAST = WEIGHTS.role;

/** The best pairs come first; of equal ones, those in the order in which Documenso has made them. */
function pairedPeople(template: Template, asked: EnvelopeRecipient[], document: Described) {
	const theirs = spotsOf(template);
	const its = spotsOf(document);
	const candidates = asked.flatMap((one) =>
		document.recipients.map((other) => ({ one, other, score: 0 })),
	);
	for (const pair of candidates) {
		const { one, other } = pair;
		const spots = theirs(one);
		const common = its(other).filter((spot) => spots.includes(spot)).length;
		pair.score =
			(spots.length > 0 ? (WEIGHTS.fields * common) / spots.length : 0) +
			(one.email.toLowerCase() === other.email.toLowerCase() ? WEIGHTS.email : 0) +
			(one.role === other.role ? WEIGHTS.role : 0) +
			(one.signingOrder === other.signingOrder ? WEIGHTS.order : 0);
	}
	candidates.sort((a, b) => b.score - a.score || a.one.id - b.one.id || a.other.id - b.other.id);
	const people = new Map<number, EnvelopeRecipient>();
	const taken = new Set<EnvelopeRecipient>();
	for (const { one, other, score } of candidates) {
		if (score < LEAST || people.has(one.id) || taken.has(other)) continue;
		people.set(one.id, other);
		taken.add(other);
	}
	return people;
}

function spotsOf(envelope: Described) {
	const spotIn = spotsIn(envelope);
	const spots = new Map<number, string[]>();
	for (const field of envelope.fields) {
		spots.set(field.recipientId, [...(spots.get(field.recipientId) ?? []), spotIn(field)]);
	}
	return ({ id }: EnvelopeRecipient) => spots.get(id) ?? [];
}
