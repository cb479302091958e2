import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import {
	causedBy,
	digestOf,
	eventIdOf,
	isAboutTemplate,
	type DocumensoEvent,
} from '../shared/events/event';
import { integer, listOf, subjectSchema, type Subject } from '../shared/events/subject';

/** What Documenso sends to a webhook (documenso-api.md: Deliveries; Delivery payloads). */
export interface Delivery {
	/** The same for each retry of a delivery; Documenso gives deliveries no ID. */
	id: string;
	event: DocumensoEvent;
	/** Whether the Test button of Documenso's dashboard sent it: its document does not exist. */
	isTest: boolean;
	body: IDataObject;
}

const bodySchema = z.object({
	event: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/),
	payload: subjectSchema.omit({ secondaryId: true, team: true }).extend({
		/** The number that older endpoints use. */
		id: integer,
		// It becomes a part of addresses, where a plain word may be an endpoint. Documenso's own look like
		// "envelope_abcdefghijklmnop".
		envelopeId: z
			.string()
			.max(255)
			.regex(/^[a-z0-9]+_[\w-]+$/i),
		// The older name of `recipients`: not read here, but tokens are removed from it too.
		Recipient: listOf(z.object({})).nullish(),
	}),
	createdAt: z.string().optional(),
	deliveryId: z.string().min(1).max(255).optional().catch(undefined),
});

/** The ID in a test delivery (documenso-api.md: Test deliveries). */
const TEST_ID = 'env_123';

/** Far more than an event needs: one with a thousand recipients has a million characters. */
const MAX_LENGTH = 4_000_000;
const MAX_DEPTH = 32;
/** What a value counts besides its characters, because short ones take time, too. */
const VALUE_LENGTH = 8;

/** The delivery in a request's body, or undefined if the body is something else. */
export function parse(body: unknown): Delivery | undefined {
	// Before anything is read: reading takes a hundred times as long as measuring.
	if (!isModest(body)) return undefined;
	const { data } = bodySchema.safeParse(body);
	if (!data) return undefined;
	// The schema knows only some of the keys, but all of them make the ID and the output.
	const whole = body as IDataObject;
	// Should Documenso give its deliveries an ID one day, a retry will have the same.
	const id = data.deliveryId ?? digestOf(sorted([whole.event, whole.payload]));
	const isTest = data.payload.envelopeId === TEST_ID;
	return { id, event: eventIn(data, { id, isTest }), isTest, body: whole };
}

function eventIn(
	{ event: name, payload, createdAt }: z.infer<typeof bodySchema>,
	{ id, isTest }: Pick<Delivery, 'id' | 'isTest'>,
): DocumensoEvent {
	const { id: number, envelopeId, ...rest } = payload;
	const secondaryId = `${isAboutTemplate(name) ? 'template' : 'document'}_${number}`;
	const subject: Subject = { ...rest, id: envelopeId, secondaryId };
	return {
		name,
		// The documents of all tests have one ID.
		eventId: (isTest ? undefined : eventIdOf(name, subject)) ?? id,
		at: Date.parse(createdAt ?? '') || clock.now(),
		asItWas: subject,
		now: subject,
		by: causedBy(name, subject),
	};
}

/** Whether a value from JSON is small enough, not nested too deeply, and has no key that changes prototypes. */
function isModest(body: unknown): boolean {
	let room = MAX_LENGTH;
	let values = [body];
	for (let depth = 0; values.length > 0; depth++) {
		const inside: unknown[] = [];
		for (const value of values) {
			room -= VALUE_LENGTH + (typeof value === 'string' ? value.length : 0);
			if (typeof value !== 'object' || value === null) continue;
			const isList = Array.isArray(value);
			if (depth === MAX_DEPTH || (isList && value.length * VALUE_LENGTH > room)) return false;
			for (const key in value) {
				if (key === '__proto__' || inside.length * VALUE_LENGTH > room) return false;
				if (!isList) room -= key.length;
				inside.push((value as IDataObject)[key]);
			}
		}
		if (room < 0) return false;
		values = inside;
	}
	return true;
}

/** With its keys in alphabetical order, because a retry may have them in another. */
function sorted(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(sorted);
	const pairs: unknown[] = [];
	for (const key of Object.keys(value).sort()) {
		// An object that is no list.
		const inner = (value as IDataObject)[key];
		pairs.push([key, typeof inner === 'object' ? sorted(inner) : inner]);
	}
	return pairs;
}
