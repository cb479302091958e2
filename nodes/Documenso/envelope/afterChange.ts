import { z } from 'zod';

import {
	envelopeSchema,
	readMeta,
	type EnvelopeField,
	type EnvelopeRecipient,
} from '../../shared/api/envelope';
import { acts, hasSigned } from '../../shared/api/lifecycle';

/** What of a document decides whether it can be signed to its end. */
export const judgedSchema = envelopeSchema.pick({
	...{ status: true, recipients: true, fields: true, documentMeta: true, envelopeItems: true },
	...{ internalVersion: true },
});

export type Stored = z.infer<typeof judgedSchema>;

/** What a change makes of a document. */
export type Change = (stored: Stored) => Stored;

export function withoutField(id: number): Change {
	return (stored) => ({ ...stored, fields: stored.fields.filter((field) => field.id !== id) });
}

/** The field takes the place of the one with its ID. */
export function withField({
	envelopeItemId,
	fieldMeta,
	...given
}: Pick<EnvelopeField, 'recipientId' | 'type' | 'page'> &
	Pick<EnvelopeField, 'positionX' | 'positionY' | 'width' | 'height'> & {
		id?: number;
		/** Empty for the first file. */
		envelopeItemId: string;
		fieldMeta?: unknown;
	}): Change {
	return (stored) => {
		const [first] = [...stored.envelopeItems].sort((a, b) => a.order - b.order);
		const field = {
			...{ id: NEW, customText: '', inserted: false },
			...given,
			envelopeItemId: envelopeItemId || (first?.id ?? ''),
			fieldMeta: readMeta.parse(fieldMeta),
		};
		return { ...stored, fields: withOne(stored.fields, field) };
	};
}

/** In the place of the one with its ID: of two that are in each other's way, the later one is blamed. */
function withOne<One extends { id: number }>(all: One[], one: One): One[] {
	const isThere = all.some(({ id }) => id === one.id);
	return isThere ? all.map((other) => (other.id === one.id ? one : other)) : [...all, one];
}

/** The ID of what Documenso has not numbered yet. */
const NEW = 0;

/** Their fields go with them. Whoever has acted stays: Documenso refuses that. */
export function withoutRecipient(id: number): Change {
	return (stored) => {
		const before = stored.recipients.find((one) => one.id === id);
		if (before && hasSigned(before)) return stored;
		return {
			...stored,
			recipients: stored.recipients.filter((one) => one !== before),
			fields: stored.fields.filter(({ recipientId }) => recipientId !== id),
		};
	};
}

/**
 * The recipient takes the place of the one with its ID, unless that one has acted. A role that has no fields loses them.
 */
export function withRecipient({ id = NEW, ...given }: Partial<EnvelopeRecipient>): Change {
	return (stored) => {
		const before = stored.recipients.find((one) => one.id === id);
		if (before && hasSigned(before)) return stored;
		const person = {
			...{ id, name: '', email: '', role: 'SIGNER', token: '' },
			...before,
			...given,
		};
		const { role } = person;
		// Documenso sends them the document anew.
		const status = acts({ role })
			? { signingStatus: 'NOT_SIGNED', sendStatus: 'NOT_SENT' }
			: { signingStatus: 'SIGNED', sendStatus: 'SENT' };
		const recipient = { ...person, ...status };
		const hasNoFields = role !== before?.role && WITHOUT_FIELDS.includes(role);
		return {
			...stored,
			recipients: withOne(stored.recipients, recipient),
			fields: hasNoFields
				? stored.fields.filter(({ recipientId }) => recipientId !== id)
				: stored.fields,
		};
	};
}

/** Documenso removes the fields of somebody who gets such a role. */
const WITHOUT_FIELDS = ['CC', 'VIEWER'];
