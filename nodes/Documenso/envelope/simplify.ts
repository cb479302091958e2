import type { IDataObject } from 'n8n-workflow';

import { withoutMarkers } from '../waiting/marker';

function pick(record: IDataObject, keys: string[]): IDataObject {
	return Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]]));
}

function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null;
}

const RECIPIENT_KEYS = ['id', 'email', 'name', 'role', 'signingOrder', 'signingStatus', 'signedAt'];

/** A document or template without settings, fields and the recipients' signing tokens. */
export function simplifyEnvelope(envelope: IDataObject): IDataObject {
	const recipients: unknown[] | undefined = Array.isArray(envelope.recipients)
		? envelope.recipients
		: undefined;
	return {
		...pick(envelope, [
			'id',
			'type',
			'status',
			'title',
			'externalId',
			'folderId',
			'createdAt',
			'updatedAt',
			'completedAt',
		]),
		...(typeof envelope.externalId === 'string'
			? { externalId: withoutMarkers(envelope.externalId) }
			: {}),
		...(recipients
			? { recipients: recipients.filter(isRecord).map((one) => pick(one, RECIPIENT_KEYS)) }
			: {}),
	};
}

/** The `id` of a legacy record is its number; other operations take its `envelopeId`. */
export function simplifyLegacy(record: IDataObject): IDataObject {
	const { type: _type, ...rest } = simplifyEnvelope(record);
	return { ...rest, ...pick(record, ['envelopeId', 'alreadyExisted', 'sentNow']) };
}

export function simplifyRecipient(recipient: IDataObject): IDataObject {
	return pick(recipient, [
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
		...pick(field, [
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
