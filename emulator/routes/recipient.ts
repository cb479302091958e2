import { missingRecord, storedInteger } from '../database';
import { assertInTeam, getVisible, isVisible } from '../envelopes/access';
import {
	formatRecipient,
	formatRecipientWithFields,
	formatRecipientWithLegacyIds,
} from '../envelopes/format';
import { createRecipients, deleteRecipient, updateRecipients } from '../envelopes/recipients';
import { notFound } from '../errors';
import { procedure } from '../http/route';
import * as schemas from '../schemas/recipients';
import { rejectOnBehalf } from '../signing/rejection';

const MISSING = 'Envelope not found';

export const recipientRoutes = [
	procedure({
		method: 'GET',
		path: '/envelope/recipient/:recipientId',
		operation: 'envelope.recipient.get',
		input: schemas.recipientIdOnly,
		answer: ({ store }, caller, { recipientId }) => {
			const found = store.findRecipient(storedInteger(recipientId, 'recipient.findFirst'));
			const { envelope, recipient } = assertInTeam(found, caller, 'Recipient not found');
			return formatRecipientWithFields(envelope, recipient);
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/recipient/create-many',
		operation: 'envelope.recipient.createMany',
		input: schemas.createRecipients,
		answer: (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING);
			const created = createRecipients(instance, envelope, data);
			return { data: created.map((recipient) => formatRecipient(envelope, recipient)) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/recipient/update-many',
		operation: 'envelope.recipient.updateMany',
		input: schemas.updateRecipients,
		answer: (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING);
			const updated = updateRecipients(instance, envelope, data);
			return { data: updated.map((each) => formatRecipientWithLegacyIds(envelope, each)) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/recipient/delete',
		operation: 'envelope.recipient.delete',
		input: schemas.recipientIdOnly,
		answer: (instance, caller, { recipientId }) => {
			const { store } = instance;
			const found = store.findRecipient(storedInteger(recipientId, 'envelope.findFirst'));
			if (found?.envelope.team.id !== caller.team.id) throw notFound('Document not found');
			const { envelope, recipient } = found;
			// Finding it ignores the visibility; only deleting checks it.
			if (!isVisible(envelope, caller)) throw missingRecord('recipient.delete', 'delete');
			if (recipient.id !== recipientId) throw notFound('Recipient not found');
			deleteRecipient(instance, envelope, recipient);
			return { success: true };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/recipient/:recipientId/reject',
		operation: 'envelope.recipient.rejectOnBehalfOf',
		input: schemas.rejectRecipient,
		answer: (instance, caller, input) => {
			const { envelope, recipient } = rejectOnBehalf(instance, caller, input);
			return formatRecipientWithFields(envelope, recipient);
		},
	}),
];
