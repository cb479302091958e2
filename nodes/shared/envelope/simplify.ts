import type { IDataObject } from 'n8n-workflow';

import { picked } from '../n8n/values';
import { withoutMarkers } from './marker';

const RECIPIENT_KEYS = [
	'id',
	'email',
	'name',
	'role',
	'signingOrder',
	'signingStatus',
	'signedAt',
	'rejectionReason',
];

/** A document or template without settings, fields and the recipients' signing tokens. */
export function simplifyEnvelope(envelope: IDataObject): IDataObject {
	return {
		...picked(envelope, [
			'id',
			'type',
			'status',
			'title',
			'url',
			'externalId',
			'folderId',
			'createdAt',
			'updatedAt',
			'completedAt',
			'cancellation',
			'stuck',
			'unfinishedSince',
			'changedBySigner',
		]),
		...(typeof envelope.externalId === 'string'
			? { externalId: withoutMarkers(envelope.externalId) }
			: {}),
		...rejectionIn(recordsIn(envelope)),
		...recipientsIn(envelope, RECIPIENT_KEYS),
	};
}

/**
 * Who rejected a document, when and why, as an entry for an output: one rejection ends it for everyone. Documenso has the
 * time of a rejection under `signedAt`.
 */
export function rejectionIn(recipients: readonly IDataObject[]): IDataObject {
	const rejecting = recipients.find(({ signingStatus }) => signingStatus === 'REJECTED');
	if (!rejecting) return {};
	const { name, email, rejectionReason: reason, signedAt: rejectedAt } = rejecting;
	return { rejection: { name, email, reason, rejectedAt } };
}

const CREATED_RECIPIENT_KEYS = ['id', 'email', 'name', 'role', 'signingOrder'];

/** A document that was just created or sent, without the recipients' signing tokens. */
export function simplifyCreated(document: IDataObject, withLinks: boolean): IDataObject {
	return {
		...picked(document, [
			'id',
			'title',
			'status',
			'alreadyExisted',
			'sentNow',
			'replacedDocumentId',
			'url',
			'externalId',
		]),
		...recipientsIn(document, [...CREATED_RECIPIENT_KEYS, ...(withLinks ? ['signingUrl'] : [])]),
	};
}

function recipientsIn(envelope: IDataObject, keys: string[]): IDataObject {
	if (!Array.isArray(envelope.recipients)) return {};
	return { recipients: recordsIn(envelope).map((one) => picked(one, keys)) };
}

function recordsIn({ recipients }: IDataObject): IDataObject[] {
	const all: unknown[] = Array.isArray(recipients) ? recipients : [];
	return all.filter((one): one is IDataObject => typeof one === 'object' && one !== null);
}

/** The `id` of a legacy record is its number; other operations take its `envelopeId`. */
export function simplifyLegacy(record: IDataObject): IDataObject {
	const { type: _type, ...rest } = simplifyEnvelope(record);
	return { ...rest, ...picked(record, ['envelopeId', 'alreadyExisted', 'sentNow']) };
}

export function simplifyRecipient(recipient: IDataObject): IDataObject {
	return picked(recipient, [
		'id',
		'envelopeId',
		'email',
		'name',
		'role',
		'signingOrder',
		'sendStatus',
		'signingStatus',
		'signedAt',
		'rejectionReason',
	]);
}

export function simplifyField(field: IDataObject): IDataObject {
	// Documenso returns an object or null.
	const { label } = (field.fieldMeta ?? {}) as IDataObject;
	return {
		...picked(field, [
			'id',
			'envelopeItemId',
			'recipientId',
			'type',
			'page',
			'positionX',
			'positionY',
			'customText',
			'inserted',
		]),
		...(label === undefined ? {} : { label }),
	};
}
