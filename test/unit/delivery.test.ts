import { z } from 'zod';

import { parse } from '../../nodes/DocumensoTrigger/parse';
import { listOf, subjectSchema } from '../../nodes/shared/events/subject';

const payload = { id: 1, envelopeId: 'envelope_abc', title: 'A', status: 'PENDING' };
const body = { event: 'DOCUMENT_SENT', payload, createdAt: '2026-01-01T00:00:00.000Z' };
const idOf = (changed: object) => parse({ ...body, ...changed })?.id;

const recipient = {
	...{ id: 1, email: 'a@example.com', name: 'A', role: 'SIGNER' },
	...{ readStatus: 'OPENED', sendStatus: 'SENT', signingStatus: 'SIGNED' },
};
const people = (count: number): object[] => Array.from({ length: count }, () => recipient);

test('a document may have 5,000 recipients', () => {
	const recipients = people(5_000);
	expect(parse({ ...body, payload: { ...payload, recipients } })?.event.asItWas.recipients).toEqual(
		recipients.map((one) => expect.objectContaining(one) as object),
	);
});

test('broken recipients are read up to the first', () => {
	let reads = 0;
	const broken = z.custom(() => {
		reads += 1;
		return false;
	});
	expect(listOf(broken).safeParse(people(1_000)).success).toBe(false);
	expect(reads).toBe(1);
	const { error } = subjectSchema.safeParse({
		...payload,
		recipients: people(1_000).map(() => ({})),
	});
	expect(error?.issues.length).toBeLessThan(20);
	expect(error?.issues.at(-1)?.path.slice(0, 2)).toEqual(['recipients', 0]);
});

test('a delivery keeps everything that came with it', () => {
	expect(parse({ ...body, payload: { ...payload, more: [1] } })?.body).toEqual({
		...body,
		payload: { ...payload, more: [1] },
	});
});

test('an event that nobody knows yet is an event', () => {
	expect(parse({ ...body, event: 'DOCUMENT_ARCHIVED' })?.event.name).toBe('DOCUMENT_ARCHIVED');
});

test.each([
	['nothing', undefined],
	['null', null],
	['a list', [body]],
	['text', 'DOCUMENT_SENT'],
	['no event', { payload }],
	['an event that is not text', { ...body, event: 7 }],
	['an event that is not a name', { ...body, event: 'hello world' }],
	['no payload', { event: 'DOCUMENT_SENT' }],
	['a payload without an id', { ...body, payload: { ...payload, id: undefined } }],
	['a payload that is a list', { ...body, payload: [] }],
	['a number that is none', { ...body, payload: { ...payload, id: Infinity } }],
	['a number with a fraction', { ...body, payload: { ...payload, id: 1.5 } }],
	['a number beyond all counting', { ...body, payload: { ...payload, teamId: 2 ** 53 } }],
	['a title that is not text', { ...body, payload: { ...payload, title: 7 } }],
	['recipients that are no list', { ...body, payload: { ...payload, recipients: 'all' } }],
	['a recipient without an address', { ...body, payload: { ...payload, recipients: [{ id: 1 }] } }],
	['a key that would change a prototype', JSON.parse('{"event":"A","payload":{"__proto__":{}}}')],
	...['', '.', '..', '../me', 'a/b', 'attachment', 'a b', 'a\n', 'a\ud800', 'x'.repeat(256)].map(
		(envelopeId): [string, unknown] => [
			`an ID that Documenso never gives, ${JSON.stringify(envelopeId).slice(0, 20)}`,
			{ ...body, payload: { ...payload, envelopeId } },
		],
	),
	['an ID of a megabyte', { ...body, payload: { ...payload, envelopeId: 'x'.repeat(1_000_000) } }],
	['an event without end', { ...body, event: 'A'.repeat(1_000_000) }],
	['a body of more than four million characters', { ...body, more: 'x'.repeat(5e6) }],
	['a body of a million empty texts', { ...body, more: Array.from({ length: 1e6 }, () => '') }],
	['one with 5,001 recipients', { ...body, payload: { ...payload, recipients: people(5_001) } }],
])('%s is no delivery', (_, given) => {
	expect(parse(given)).toBeUndefined();
});

test.each([[undefined], [null], [[]]])(
	'the older list of recipients may be %j, for it is a copy',
	(Recipient) => {
		expect(parse({ ...body, payload: { ...payload, Recipient } })).toBeDefined();
	},
);

test('a body that is nested too deeply is no delivery', () => {
	const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
	const text = JSON.stringify({ ...body, payload: { ...payload, more: 0 } });
	expect(parse(JSON.parse(text.replace('"more":0', `"more":${deep}`)))).toBeUndefined();
});

test('the dashboard tests with a document that does not exist', () => {
	expect(parse({ ...body, payload: { ...payload, envelopeId: 'env_123' } })?.isTest).toBe(true);
	expect(parse(body)?.isTest).toBe(false);
});

describe('the identity', () => {
	test('is the same for every attempt at a delivery', () => {
		expect(idOf({ createdAt: '2026-01-01T00:00:01.000Z' })).toBe(idOf({}));
		expect(idOf({ webhookEndpoint: 'https://example.com' })).toBe(idOf({}));
	});

	test('does not depend on the order of keys', () => {
		const turned = Object.fromEntries(Object.entries(payload).reverse());
		expect(idOf({ payload: turned })).toBe(idOf({}));
	});

	test('is another for another event, and for whatever else the payload says', () => {
		expect(idOf({ event: 'DOCUMENT_SIGNED' })).not.toBe(idOf({}));
		expect(idOf({ payload: { ...payload, updatedAt: '2026-01-01' } })).not.toBe(idOf({}));
		expect(idOf({ payload: { ...payload, list: [1, 2] } })).not.toBe(
			idOf({ payload: { ...payload, list: [2, 1] } }),
		);
	});
});
