import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../api/envelope';
import { comparable } from '../n8n/nearNames';
import { groupedBy } from '../n8n/values';

/** Each field with a name that no other has: its label, with more detail if others have the same. */
export function namedFields(fields: EnvelopeField[], { recipients }: Pick<Envelope, 'recipients'>) {
	const owners = new Map(recipients.map((recipient) => [recipient.id, nameOf(recipient)]));
	const ownerOf = ({ recipientId }: EnvelopeField) => owners.get(recipientId) ?? '';
	const named = distinctlyNamed(fields, [
		labelOf,
		(field) => `${labelOf(field)} (${ownerOf(field)})`,
		(field) => `${labelOf(field)} (page ${field.page}, ${ownerOf(field)})`,
		(field) => `${labelOf(field)} (ID ${field.id})`,
	]);
	return named.map(({ thing: field, name }) => ({ field, name }));
}

export function nameOf({ name, email, role }: Pick<EnvelopeRecipient, 'name' | 'email' | 'role'>) {
	return name.trim() || email || role.charAt(0) + role.slice(1).toLowerCase();
}

export function labelOf({ type, page, fieldMeta }: EnvelopeField): string {
	const kind = type.charAt(0) + type.slice(1).toLowerCase();
	return fieldMeta?.label?.trim() || `${kind} on page ${page}`;
}

/** Each thing with the first of these names that no other thing has. */
export function distinctlyNamed<Thing>(
	things: Thing[],
	namings: Array<(thing: Thing) => string>,
): Array<{ thing: Thing; name: string }> {
	const chosen: Array<string | undefined> = things.map(() => undefined);
	let names: string[] = [];
	for (const naming of namings) {
		if (!chosen.includes(undefined)) break;
		names = things.map((thing, index) => chosen[index] ?? naming(thing));
		const keys = names.map(comparable);
		for (const [index, ...others] of groupedBy(keys.keys(), (at) => keys[at]).values()) {
			if (others.length === 0) chosen[index] ??= names[index];
		}
	}
	return things.map((thing, index) => ({ thing, name: chosen[index] ?? names[index] ?? '' }));
}
