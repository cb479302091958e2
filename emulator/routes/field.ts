import { storedInteger } from '../database';
import { assertInTeam, assertVisible, getVisible } from '../envelopes/access';
import { createFields, deleteField, updateFields } from '../envelopes/fields';
import { formatField, formatFieldWithLegacyIds } from '../envelopes/format';
import type { Envelope, Field } from '../entities';
import { notFound } from '../errors';
import { procedure } from '../http/route';
import * as schemas from '../schemas/fields';

const MISSING_FIELD = 'Field not found';

export const fieldRoutes = [
	procedure({
		method: 'GET',
		path: '/envelope/field/:fieldId',
		operation: 'envelope.field.get',
		input: schemas.fieldIdOnly,
		answer: ({ store }, caller, { fieldId }) => {
			const found = store.findField(storedInteger(fieldId, 'field.findFirst'));
			const { envelope, field } = assertInTeam(found, caller, MISSING_FIELD);
			return formatField(envelope, field);
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/field/create-many',
		operation: 'envelope.field.createMany',
		input: schemas.createFields,
		answer: async (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, 'Envelope not found');
			return formatFields(envelope, await createFields(instance, envelope, data));
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/field/update-many',
		operation: 'envelope.field.updateMany',
		input: schemas.updateFields,
		answer: (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, 'Envelope not found');
			return formatFields(envelope, updateFields(instance, envelope, data));
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/field/delete',
		operation: 'envelope.field.delete',
		input: schemas.fieldIdOnly,
		answer: (instance, caller, { fieldId }) => {
			const found = instance.store.findField(storedInteger(fieldId, 'field.findUnique'));
			const { envelope, field } = assertVisible(found, caller, MISSING_FIELD);
			if (field.id !== fieldId) throw notFound(MISSING_FIELD);
			deleteField(instance, envelope, field);
			return { success: true };
		},
	}),
];

function formatFields(envelope: Envelope, fields: readonly Field[]): object {
	return { data: fields.map((field) => formatFieldWithLegacyIds(envelope, field)) };
}
