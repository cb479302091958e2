import type { EnvelopeRecipient } from '../../shared/api/envelope';
import { acts, comesAfterSigner, isSequential, recipientsInTurn } from '../../shared/api/lifecycle';
import { nameOf } from '../../shared/envelope/labels';
import { isLeftOut } from '../../shared/envelope/leftOut';
import { emailingOf, isPlaceholder } from '../../shared/envelope/whoCanSign';
import { isSameText } from '../../shared/n8n/values';
import { recipientIdOf, type RecipientColumn } from '../template/columns';
import { EDITED, type Compared, type Difference, type Task, type Wanted } from './comparison';
import { newerThan, type Asked } from './pairing';

/** The template's recipients with what the row says of them. */
export function peopleIn({ template, filled }: Wanted): Asked[] {
	const byId = new Map(filled.content.recipients.map((one) => [one.id, one]));
	return template.recipients.map((one) => {
		const its = byId.get(one.id) ?? one;
		return isLeftOut(its) ? { ...one, isLeftOut: true } : { ...one, ...its, isLeftOut: false };
	});
}

export function comparePeople(task: Task) {
	const { asked, template, filled, document, pairing, comparison } = task;
	for (const one of asked) {
		const { name } = template.people.all.find((person) => recipientIdOf(person) === one.id) ?? {};
		const columns = template.recipientColumns.all.filter((its) => recipientIdOf(its) === one.id);
		const columnFor = (part: RecipientColumn['part']) => columns.find((its) => its.part === part);
		const its = pairing.people.get(one.id);
		if (!its || one.isLeftOut) {
			comparePresence(task, one, columnFor('email')?.name ?? '');
			continue;
		}
		if (isDictated(its, document)) continue;
		const isUpdated = wasUpdated(its, document);
		const differs = (
			part: RecipientColumn['part'] | 'role',
			row: Difference['row'],
			value: Difference['document'],
		) => {
			const column = part === 'role' ? undefined : columnFor(part);
			const isGiven = column !== undefined && filled.given.has(column);
			const called = column?.name ?? `${name} ${part}`;
			// Only an earlier row can have given what neither this one nor the template has.
			const isCleared = row === '';
			if (!isGiven && !isUpdated && !isCleared)
				comparison.notCompared.push({ name: called, reason: EDITED });
			else {
				comparison.differences.push({
					...{ name: called, row, document: value, about: { recipient: its.id } },
					cause: isUpdated ? 'changedAfterSending' : 'sent',
				});
			}
		};
		const isKnown = !isPlaceholder(one.email);
		if (isKnown && one.email.toLowerCase() !== its.email.toLowerCase()) {
			differs('email', one.email, its.email);
		}
		// Without a name, Documenso takes the one that the signer enters.
		const isNamed = one.name !== '' || document.status === 'DRAFT';
		if (isKnown && isNamed && !isSameText(one.name, its.name)) {
			differs('name', one.name, its.name);
		}
		if (one.role !== its.role) differs('role', one.role, its.role);
		const [order, itsOrder] = [one.signingOrder ?? null, its.signingOrder ?? null];
		if (isSequential(template) && order !== null && order !== itsOrder) {
			differs('signingOrder', order, itsOrder);
		}
	}
}

/** Whoever is not there was deleted, or left out; or the template has had them only since. */
function comparePresence(
	{ document, filled, pairing, comparison }: Task,
	one: Asked,
	name: string,
) {
	const its = pairing.people.get(one.id);
	if (one.isLeftOut && !its) return;
	if (newerThan(document.recipients)(one)) {
		comparison.notCompared.push({ name, reason: NEW_PERSON });
		return;
	}
	const mayBeLeftOut = filled.mayBeLeftOut.has(one.id);
	comparison.differences.push({
		...{ name, row: one.isLeftOut ? null : one.email, document: its?.email ?? null, about: {} },
		cause: mayBeLeftOut || document.status === 'DRAFT' ? 'sent' : 'changedAfterSending',
	});
}

const NEW_PERSON = 'This recipient was added to the template after the document was made.';

/**
 * Those who are in the document only. Whoever came with it has an ID next to the others', or fields: a team's default
 * recipients come right behind those of the template, and have none.
 */
export function compareOthers({ template, document, pairing, copied, comparison }: Task) {
	const paired = new Set(pairing.people.values());
	// Whoever was deleted has left a gap.
	const gaps = Math.max(0, template.recipients.length - paired.size);
	const owners = new Set([...copied].map(({ recipientId }) => recipientId));
	let last = Math.min(...document.recipients.map(({ id }) => id));
	const behind = Math.max(0, ...[...paired].map(({ id }) => id));
	for (const recipient of [...document.recipients].sort((a, b) => a.id - b.id)) {
		const { id } = recipient;
		const isNext = id <= last + 1 + gaps;
		if (isNext || paired.has(recipient)) last = id;
		if (!pairing.others.includes(recipient)) continue;
		if (owners.has(id) || id < behind) {
			comparison.notCompared.push({ name: nameOf(recipient), reason: FORMER_PERSON });
		} else comparison.others.push({ recipient, mayBeDefault: isNext });
	}
}

const FORMER_PERSON =
	'This recipient came with the document, and the template has none like that. It may have been edited since.';

/** Whether the signer before may have named somebody else, which their document allows. */
function isDictated(its: EnvelopeRecipient, { documentMeta, recipients }: Compared): boolean {
	return emailingOf(documentMeta).isDictated && comesAfterSigner(its, recipients);
}

/** Whoever is updated has to be asked again (documenso-api.md: Changes after sending). */
function wasUpdated(its: EnvelopeRecipient, document: Compared): boolean {
	if (document.status !== 'PENDING' || !emailingOf(document.documentMeta).isInvited) return false;
	const isInTurn = recipientsInTurn(document).some(({ id }) => id === its.id);
	return acts(its) && isInTurn && its.sendStatus === 'NOT_SENT';
}
