import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { ANY_EVENT } from '../Documenso/events/names';
import { subjectSchema, type DocumensoEvent } from '../Documenso/events/subject';

/** What Documenso sends to a webhook (contract §3.1). */
export interface Delivery {
	/** The same for all deliveries of an event, and other for another event. */
	id: string;
	event: DocumensoEvent;
	/** Whether it comes from the Test button of Documenso's dashboard, so that its document does not exist. */
	isTest: boolean;
	body: IDataObject;
}

const bodySchema = z.object({
	event: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
	// The older name of the list of recipients is not read, but tokens are taken out of both.
	payload: subjectSchema.extend({ Recipient: z.array(z.object({})).nullish() }),
	createdAt: z.string().optional(),
});

/** Contract §3.5. */
const TEST_ID = 'env_123';

/** What no event comes near: one with a thousand recipients has a million characters. */
const MAX_LENGTH = 4_000_000;
const MAX_DEPTH = 32;

/** The delivery in a webhook's body, or nothing if the body is not one. */
export function readDelivery(body: unknown): Delivery | undefined {
	const { data } = bodySchema.safeParse(body);
	if (!data) return undefined;
	const { event: name, payload } = body as IDataObject;
	const content = canonical(body) && canonical([name, payload]);
	if (content === undefined) return undefined;
	return {
		id: createHash('sha256').update(content).digest('hex'),
		event: { name: data.event, subject: data.payload },
		isTest: data.payload.envelopeId === TEST_ID,
		body: body as IDataObject,
	};
}

export function isSelected({ name }: DocumensoEvent, selected: string[]): boolean {
	return selected.includes(ANY_EVENT) || selected.includes(name);
}

/** JSON with sorted keys: a resend may come out of a database that orders them anew. Nothing where it is hostile. */
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
	return keys.map((key) => [key, sorted((value as IDataObject)[key], depth - 1)]);
}
