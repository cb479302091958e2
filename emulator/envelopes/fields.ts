import { brokenReference } from '../database';
import type { Envelope, EnvelopeItem, Field } from '../entities';
import { AppError, notFound } from '../errors';
import type { StoredFile } from '../files';
import type { Instance } from '../instance';
import { coverTexts } from '../pdf/coverText';
import type { CreateField, FieldUpdate, Place } from '../schemas/fields';
import { aboutField, audit, auditFieldUpdated } from './auditLog';
import { newField } from './draft';
import { replaceFile } from './items';
import { assertNotComplete, canHaveFields, hasInteracted } from './recipients';

type TextField = Extract<CreateField, { placeholder: string }>;

interface Wanted {
	input: CreateField;
	item: EnvelopeItem;
}

export async function createFields(
	instance: Instance,
	envelope: Envelope,
	inputs: readonly CreateField[],
): Promise<Field[]> {
	assertNotComplete(envelope);
	const wanted = inputs.map((input) => {
		const item = itemOf(envelope, input.envelopeItemId);
		assertTakesFields(envelope, input.recipientId);
		return { input, item };
	});
	const places = await placesOf(instance, envelope, wanted);
	const created = wanted.flatMap(({ input, item }) => {
		const { type, fieldMeta, recipientId } = input;
		const field = { type, fieldMeta, recipientId, envelopeItemId: item.id };
		return (places.get(input) ?? []).map((place) => newField(instance, { ...field, ...place }));
	});
	envelope.fields.push(...created);
	for (const field of created)
		audit(instance, envelope, 'FIELD_CREATED', aboutField(envelope, field));
	return created;
}

/**
 * Changes sizes, types, settings and items. Fields never move: the service accepts a new page and
 * position and ignores them (documenso-api.md: Updating a field).
 */
export function updateFields(
	instance: Instance,
	envelope: Envelope,
	updates: readonly FieldUpdate[],
): Field[] {
	assertNotComplete(envelope);
	const changes = updates.map((update) => {
		const field = modifiable(envelope, update);
		return { field, before: { ...field }, update };
	});
	return changes.map(({ field, before, update }) => {
		field.type = update.type;
		field.fieldMeta = update.fieldMeta;
		field.envelopeItemId = update.envelopeItemId ?? field.envelopeItemId;
		field.width = update.width ?? field.width;
		field.height = update.height ?? field.height;
		auditFieldUpdated(instance, envelope, before, field);
		// The response to an ID given twice has both results.
		return { ...field };
	});
}

export function deleteField(instance: Instance, envelope: Envelope, field: Field): void {
	assertNotComplete(envelope);
	assertTakesFields(
		envelope,
		field.recipientId,
		'Recipient has already interacted with the document.',
	);
	audit(instance, envelope, 'FIELD_DELETED', aboutField(envelope, field));
	envelope.fields = envelope.fields.filter(({ id }) => id !== field.id);
}

function modifiable(envelope: Envelope, { id, type, envelopeItemId }: FieldUpdate): Field {
	const field = envelope.fields.find((candidate) => candidate.id === id);
	if (!field) throw notFound(`Field with id ${id} not found`);
	assertTakesFields(
		envelope,
		field.recipientId,
		'Cannot modify a field where the recipient has already interacted with the document',
	);
	if (field.fieldMeta && type === 'FREE_SIGNATURE') {
		throw new AppError('INVALID_REQUEST', 'Field meta type does not match the field type');
	}
	if (envelopeItemId === '') throw brokenReference('field.update', 'Field_envelopeItemId_fkey');
	if (envelopeItemId && !envelope.items.some((item) => item.id === envelopeItemId)) {
		throw new AppError('INVALID_REQUEST', 'Envelope item not found');
	}
	return field;
}

function assertTakesFields(
	envelope: Envelope,
	recipientId: number,
	message = 'Recipient type cannot have fields, or they have already interacted with the document.',
): void {
	const recipient = envelope.recipients.find(({ id }) => id === recipientId);
	if (!recipient) throw new AppError('INVALID_REQUEST', `Recipient ${recipientId} not found`);
	if (canHaveFields(recipient) && !hasInteracted(envelope, recipient)) return;
	throw new AppError('INVALID_REQUEST', message);
}

/** The item with that ID; without an ID, the first one. */
function itemOf({ items }: Envelope, itemId: string | undefined): EnvelopeItem {
	const [first] = items;
	if (!first) throw notFound('Envelope item not found');
	const item = itemId ? items.find(({ id }) => id === itemId) : first;
	if (!item) {
		const message = 'Item to attach fields to must belong to the document';
		throw new AppError('INVALID_REQUEST', message);
	}
	return item;
}

/** The position of each field. Placeholder text that was found is covered in the file. */
async function placesOf(
	instance: Instance,
	envelope: Envelope,
	wanted: readonly Wanted[],
): Promise<Map<CreateField, Place[]>> {
	const places = new Map<CreateField, Place[]>();
	const files = new Map<EnvelopeItem, StoredFile>();
	const searches = new Map<EnvelopeItem, TextField[]>();
	for (const { input, item } of wanted) {
		if ('placeholder' in input) searches.set(item, [...(searches.get(item) ?? []), input]);
		else places.set(input, [givenPlace(input)]);
	}
	for (const [item, inputs] of searches) {
		const texts = inputs.map(({ placeholder, matchAll = false }) => ({
			text: placeholder,
			matchAll,
		}));
		const { places: found, covered } = await coverTexts(instance, item.original, texts);
		files.set(item, covered);
		for (const [index, input] of inputs.entries()) {
			places.set(
				input,
				(found[index] ?? []).map((place) => resized(place, input)),
			);
		}
	}
	for (const [item, file] of files) replaceFile(instance, envelope, item, file);
	return places;
}

function givenPlace({ page, positionX, positionY, width, height }: Place): Place {
	return { page, positionX, positionY, width, height };
}

function resized(place: Place, { width, height }: TextField): Place {
	return { ...place, width: width ?? place.width, height: height ?? place.height };
}
