import type { Envelope, EnvelopeField, EnvelopeRecipient } from '../api/envelope';
import { comparable } from '../engine/nearNames';

/** A name for each field: its label, with more detail if other fields have the same. */
export function fieldNames(
	fields: EnvelopeField[],
	{ recipients }: Pick<Envelope, 'recipients'>,
): string[] {
	const ownerOf = ({ recipientId }: EnvelopeField) => {
		const owner = recipients.find(({ id }) => id === recipientId);
		return owner ? nameOf(owner) : '';
	};
	return distinctNames(fields, [
		labelOf,
		(field) => `${labelOf(field)} (${ownerOf(field)})`,
		(field) => `${labelOf(field)} (page ${field.page}, ${ownerOf(field)})`,
		(field) => `${labelOf(field)} (ID ${field.id})`,
	]);
}

export function nameOf({ name, email, role }: EnvelopeRecipient): string {
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
	const named = namings.map((naming) => things.map(naming));
	return things.map((_, index) => {
		const isOnly = (names: string[]) =>
			names.filter((name) => comparable(name) === comparable(names[index] ?? '')).length === 1;
		return (named.find(isOnly) ?? named.at(-1))?.[index] ?? '';
	});
}
