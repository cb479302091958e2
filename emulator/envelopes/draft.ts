import { storedInteger } from '../database';
import type { Envelope, EnvelopeItem, Field, Recipient, RecipientRole } from '../entities';
import type { StoredFile } from '../files';
import type { Instance } from '../instance';
import { defaultMeta } from '../schemas/meta';

export function newEnvelope(
	instance: Instance,
	given: Pick<Envelope, 'type' | 'title' | 'user' | 'team'> & Partial<Envelope>,
): Envelope {
	const { ids } = instance.store;
	const now = instance.now();
	return {
		id: ids.envelope(),
		legacyId: ids.next(given.type === 'DOCUMENT' ? 'document' : 'template'),
		internalVersion: 2,
		status: 'DRAFT',
		source: given.type,
		signatureLevel: instance.signatureLevel,
		visibility: 'EVERYONE',
		templateType: 'PRIVATE',
		publicTitle: '',
		publicDescription: '',
		useLegacyFieldInsertion: false,
		externalId: null,
		authOptions: { globalAccessAuth: [], globalActionAuth: [] },
		formValues: null,
		createdAt: now,
		updatedAt: now,
		completedAt: null,
		deletedAt: null,
		folderId: null,
		templateId: null,
		documentMeta: { ...defaultMeta(), id: ids.cuid() },
		recipients: [],
		fields: [],
		items: [],
		attachments: [],
		auditLog: [],
		directLink: null,
		...given,
	};
}

export function newRecipient(
	instance: Instance,
	given: Pick<Recipient, 'email' | 'name' | 'role'> & Partial<Recipient>,
): Recipient {
	const { ids } = instance.store;
	return {
		id: ids.next('recipient'),
		token: ids.signingToken(),
		readStatus: 'NOT_OPENED',
		...initialStatus(given.role),
		expiresAt: null,
		expirationNotifiedAt: null,
		signedAt: null,
		rejectionReason: null,
		authOptions: { accessAuth: [], actionAuth: [] },
		...given,
		signingOrder: storedOrder(given.signingOrder, 'recipient.create'),
	};
}

/** The default recipients of the team, which come after the given ones (documenso-api.md: Creating an envelope). */
export function addDefaultRecipients(instance: Instance, { recipients, team }: Envelope): void {
	for (const one of team.defaultRecipients ?? []) {
		recipients.push(newRecipient(instance, one));
	}
}

export function storedOrder(signingOrder: number | null | undefined, query: string): number | null {
	return typeof signingOrder === 'number' ? storedInteger(signingOrder, query) : null;
}

/** The placeholder recipient of a template until it is used. */
export function placeholderPerson(number: number): Pick<Recipient, 'email' | 'name'> {
	return { email: `recipient.${number}@documenso.com`, name: `Recipient ${number}` };
}

/** The placeholder recipient for whoever opens a template's direct link. */
export const VISITOR = { email: 'direct.link@documenso.com', name: 'Direct link recipient' };

/** A CC has nothing to do: it counts as sent and signed from the start. */
export function initialStatus(
	role: RecipientRole,
): Pick<Recipient, 'signingStatus' | 'sendStatus'> {
	return role === 'CC'
		? { signingStatus: 'SIGNED', sendStatus: 'SENT' }
		: { signingStatus: 'NOT_SIGNED', sendStatus: 'NOT_SENT' };
}

export type NewField = Pick<
	Field,
	| 'envelopeItemId'
	| 'recipientId'
	| 'type'
	| 'fieldMeta'
	| 'page'
	| 'positionX'
	| 'positionY'
	| 'width'
	| 'height'
>;

export function newField(instance: Instance, given: NewField & Partial<Field>): Field {
	const { ids } = instance.store;
	return {
		id: ids.next('field'),
		secondaryId: ids.cuid(instance.now()),
		customText: '',
		inserted: false,
		signature: null,
		...given,
		page: storedInteger(given.page, 'field.createManyAndReturn'),
	};
}

export function newItem(
	instance: Instance,
	title: string,
	order: number,
	file: StoredFile,
): EnvelopeItem {
	const { ids } = instance.store;
	return {
		id: ids.envelopeItem(),
		documentDataId: ids.cuid(),
		title,
		order,
		original: file,
		signed: file,
	};
}
