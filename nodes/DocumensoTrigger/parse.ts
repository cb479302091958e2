import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { subjectSchema, type DocumensoEvent } from '../events/subject';

/** What Documenso sends to a webhook (documenso-api.md: Deliveries). */
export interface Delivery {
	/** Duplicates have the same ID; any other event has a different one. */
	id: string;
	event: DocumensoEvent;
	/** Whether the Test button of Documenso's dashboard sent it: its document does not exist. */
	isTest: boolean;
	body: IDataObject;
}

const bodySchema = z.object({
	event: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/),
	payload: subjectSchema.extend({
		// It becomes a part of addresses, where a plain word may be an endpoint. Documenso's own look like
		// "envelope_abcdefghijklmnop".
		envelopeId: z
			.string()
			.max(255)
			.regex(/^[a-z0-9]+_[\w-]+$/i),
		// The older name of `recipients`: not read here, but tokens are removed from it too.
		Recipient: z.array(z.object({})).nullish(),
	}),
	createdAt: z.string().optional(),
});

/** The ID in a test delivery (documenso-api.md: Test deliveries). */
const TEST_ID = 'env_123';

/** Far more than an event needs: one with a thousand recipients has a million characters. */
const MAX_LENGTH = 4_000_000;
const MAX_DEPTH = 32;

/** The delivery in a request's body, or undefined if the body is something else. */
export function parse(body: unknown): Delivery | undefined {
	const { data } = bodySchema.safeParse(body);
	if (!data) return undefined;
	// The schema knows only some of the keys, but all of them make the ID and the output.
	const whole = body as IDataObject;
	const content = canonical(whole) && canonical([whole.event, whole.payload]);
	if (content === undefined) return undefined;
	return {
		id: createHash('sha256').update(content).digest('hex'),
		event: { name: data.event, subject: data.payload },
		isTest: data.payload.envelopeId === TEST_ID,
		body: whole,
	};
}

/** JSON with sorted keys, because a retry may have them in another order; undefined if the value is hostile. */
function canonical(value: unknown): string | undefined {
	try {
		const text = JSON.stringify(sorted(value, MAX_DEPTH));
		return text.length > MAX_LENGTH ? undefined : text;
	} catch {
		return undefined;
	}
}

function sorted(value: unknown, depth: number): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (depth === 0) throw new RangeError('Nested too deeply');
	if (Array.isArray(value)) return value.map((one) => sorted(one, depth - 1));
	const keys = Object.keys(value).sort();
	if (keys.includes('__proto__')) throw new RangeError('Not a key');
	// An object that is no list.
	const record = value as IDataObject;
	return keys.map((key) => [key, sorted(record[key], depth - 1)]);
}
