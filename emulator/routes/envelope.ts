import { z } from 'zod';
import { findVisible, getVisible, isEnvelopeId } from '../envelopes/access';
import { createEnvelope } from '../envelopes/create';
import { duplicateEnvelope } from '../envelopes/duplicate';
import { listEnvelopes, tokenViewer } from '../envelopes/find';
import { cancelEnvelope, deleteEnvelope } from '../envelopes/finish';
import {
	formatEnvelope,
	formatPage,
	formatRow,
	formatScalars,
	formatSigners,
} from '../envelopes/format';
import { distribute, redistribute } from '../envelopes/send';
import { updateEnvelope } from '../envelopes/update';
import { useTemplate } from '../envelopes/use';
import { AppError } from '../errors';
import { procedure } from '../http/route';
import type { Instance } from '../instance';
import * as schemas from '../schemas/envelopes';
import { multipart } from '../schemas/files';

export const envelopeRoutes = [
	procedure({
		method: 'GET',
		path: '/envelope',
		operation: 'envelope.find',
		input: schemas.findEnvelopes,
		answer: (instance, caller, input) =>
			formatPage(listEnvelopes(instance, caller, input), input, (envelope) =>
				formatRow(envelope, tokenViewer(envelope, caller)),
			),
	}),
	procedure({
		method: 'GET',
		path: '/envelope/:envelopeId',
		operation: 'envelope.get',
		input: schemas.envelopeIdOnly,
		answer: (instance, caller, { envelopeId }) => {
			const missing = 'Envelope could not be found';
			return formatEnvelope(getVisible(instance, caller, envelopeId, missing));
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/get-many',
		operation: 'envelope.getMany',
		input: schemas.getManyEnvelopes,
		answer: (instance, caller, { ids }) => ({
			data: envelopeIds(instance, ids)
				.map((id) => findVisible(instance, caller, id))
				.flatMap((envelope) => (envelope ? [formatEnvelope(envelope)] : [])),
		}),
	}),
	procedure({
		method: 'POST',
		path: '/envelope/create',
		operation: 'envelope.create',
		input: multipart(schemas.createPayload),
		answer: async (instance, caller, { payload, files = [] }) => {
			const { id } = await createEnvelope(instance, caller, payload, files);
			return { id };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/use',
		operation: 'envelope.use',
		input: multipart(schemas.usePayload),
		answer: async (instance, caller, { payload, files = [] }) => {
			const envelope = await useTemplate(instance, caller, payload, files);
			return { id: envelope.id, recipients: formatSigners(instance, envelope) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/update',
		operation: 'envelope.update',
		input: schemas.updateEnvelope,
		answer: (instance, caller, input) => formatScalars(updateEnvelope(instance, caller, input)),
	}),
	procedure({
		method: 'POST',
		path: '/envelope/distribute',
		operation: 'envelope.distribute',
		input: schemas.distributeEnvelope,
		answer: (instance, caller, input) => {
			const envelope = distribute(instance, caller, input);
			return { success: true, id: envelope.id, recipients: formatSigners(instance, envelope) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/redistribute',
		operation: 'envelope.redistribute',
		input: schemas.redistributeEnvelope,
		answer: (instance, caller, { envelopeId, recipients }) => {
			const envelope = redistribute(instance, caller, envelopeId, recipients);
			return { success: true, id: envelope.id, recipients: formatSigners(instance, envelope) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/duplicate',
		operation: 'envelope.duplicate',
		input: schemas.duplicateEnvelope,
		answer: (instance, caller, { envelopeId, ...included }) => {
			const envelope = getVisible(instance, caller, envelopeId, 'Document not found');
			const { id } = duplicateEnvelope(instance, caller, envelope, included);
			return { id };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/cancel',
		operation: 'envelope.cancel',
		input: schemas.cancelEnvelope,
		answer: (instance, caller, { envelopeId, reason }) => {
			cancelEnvelope(instance, caller, envelopeId, reason);
			return { success: true };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/delete',
		operation: 'envelope.delete',
		input: schemas.envelopeIdOnly,
		answer: (instance, caller, { envelopeId }) => {
			deleteEnvelope(instance, caller, envelopeId);
			return { success: true };
		},
	}),
];

function envelopeIds(
	{ store }: Instance,
	{ type, ids }: z.output<typeof schemas.getManyEnvelopes>['ids'],
): string[] {
	if (type === 'envelopeId') {
		const malformed = ids.find((id) => !isEnvelopeId(id));
		if (malformed === undefined) return [...new Set(ids)];
		throw new AppError('INVALID_BODY', `Invalid envelope ID: ${malformed}`);
	}
	const envelopes = type === 'documentId' ? store.documents : store.templates;
	return envelopes.filter(({ legacyId }) => ids.includes(legacyId)).map(({ id }) => id);
}
