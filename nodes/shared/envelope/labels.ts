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
	const named = things.map((thing) => ({ thing, name: '' }));
	let open = named;
	for (const naming of namings) {
		for (const one of open) one.name = naming(one.thing);
		const groups = [...groupedBy(named, ({ name }) => comparable(name)).values()];
		const shared = new Set(groups.filter(({ length }) => length > 1).flat());
		open = open.filter((one) => shared.has(one));
		if (open.length === 0) break;
	}
	return named;
}
