import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../api/envelope';
import { comparable } from '../n8n/nearNames';
import { groupedBy } from '../n8n/values';

/** A name for each field: its label, with more detail if other fields have the same. */
export function fieldNames(
	fields: EnvelopeField[],
	{ recipients }: Pick<Envelope, 'recipients'>,
): string[] {
	const owners = new Map(recipients.map((recipient) => [recipient.id, nameOf(recipient)]));
	const ownerOf = ({ recipientId }: EnvelopeField) => owners.get(recipientId) ?? '';
	return distinctNames(fields, [
		labelOf,
		(field) => `${labelOf(field)} (${ownerOf(field)})`,
		(field) => `${labelOf(field)} (page ${field.page}, ${ownerOf(field)})`,
		(field) => `${labelOf(field)} (ID ${field.id})`,
	]);
}

export function nameOf({ name, email, role }: Pick<EnvelopeRecipient, 'name' | 'email' | 'role'>) {
	return name.trim() || email || role.charAt(0) + role.slice(1).toLowerCase();
}

export function labelOf({ type, page, fieldMeta }: EnvelopeField): string {
	const kind = type.charAt(0) + type.slice(1).toLowerCase();
	return fieldMeta?.label?.trim() || `${kind} on page ${page}`;
}

/** For each thing the first of these names that no other thing has. */
export function distinctNames<Thing>(
	things: Thing[],
	namings: Array<(thing: Thing) => string>,
): string[] {
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
	return chosen.map((name, index) => name ?? names[index] ?? '');
}
