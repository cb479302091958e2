import crypto from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { parse } from '../../nodes/DocumensoTrigger/parse';
import { secretsMatch, secretText } from '../../nodes/DocumensoTrigger/authenticate';
import type { Client } from '../../nodes/shared/api/client';
import { causedBy } from '../../nodes/shared/events/event';
import { filters as input, passes, readFilters } from '../../nodes/shared/events/filters';
import { simplifyEvent } from '../../nodes/shared/events/output';
import { listOf, subjectSchema } from '../../nodes/shared/events/subject';
import { Refusal } from '../../nodes/shared/n8n/refusal';
import { compare, due, horizon } from '../../nodes/shared/polls/comparison';
import {
	createdAt,
	documentSchema,
	openStatus,
	stepsSince,
	timeOf,
	type Document,
	type OpenStatus,
	type Step,
} from '../../nodes/shared/polls/document';
import { eventsBetween } from '../../nodes/shared/polls/events';
import { readState, remember, writeState, type State } from '../../nodes/shared/polls/state';
import { errorOf } from '../support/errors';

describe('a filter', () => {
	const recipient = (changes: object = {}) => ({
		id: 1,
		email: 'Tenant@Example.com',
		name: '',
		role: 'SIGNER',
		readStatus: 'OPENED',
		sendStatus: 'SENT',
		signingStatus: 'SIGNED',
		...changes,
	});

	function isPassed(filters: object, changes: object = {}, name = 'DOCUMENT_SIGNED'): boolean {
		const subject = subjectSchema.parse({
			id: 'envelope_abc',
			secondaryId: 'document_42',
			title: 'Rental agreement',
			status: 'PENDING',
			externalId: 'CRM-1042',
			source: 'TEMPLATE',
			templateId: 7,
			recipients: [recipient(), recipient({ id: 2, email: 'landlord@example.com' })],
			...changes,
		});
		return passes({ name, asItWas: subject }, readFilters(filters));
	}

	const rule = (condition: string, value: unknown) => ({ rule: { condition, value } });
	const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });

	test('without filters every event passes', () => {
		expect(isPassed({})).toBe(true);
		expect(passes({ name: 'A', asItWas: subjectSchema.parse(bare) }, readFilters(undefined))).toBe(
			true,
		);
	});

	const bare = { id: 'envelope_abc', secondaryId: 'document_1', title: '', status: 'DRAFT' };

	test('what looks the same is the same', () => {
		const decomposed = 'Ku\u0308ndigung  der\u00a0Wohnung ';
		for (const condition of ['contains', 'equals', 'startsWith', 'matches']) {
			const value =
				condition === 'matches' ? '/^K\u00fcndigung/' : 'K\u00fcndigung der\u200b Wohnung';
			expect(isPassed({ title: rule(condition, value) }, { title: decomposed })).toBe(true);
		}
		expect(isPassed({ recipientEmail: 'landlord@example.com\u200b' })).toBe(true);
	});

	describe('the template', () => {
		test.each([
			['a number', 7],
			['its text', '7'],
			['blanks around it', ' 7 '],
			['the id that people see', 'template_7'],
			['the same with blanks', '  template_7 '],
		])('is given by %s', (_, value) => {
			expect(isPassed({ template: locator(value) })).toBe(true);
			expect(isPassed({ template: locator(value, 'list') })).toBe(true);
			expect(isPassed({ template: locator(value) }, { templateId: 8 })).toBe(false);
			expect(isPassed({ template: locator(value) }, { templateId: null })).toBe(false);
		});

		test.each(['TEMPLATE_CREATED', 'TEMPLATE_UPDATED', 'TEMPLATE_DELETED'])(
			'of %s is the one it is about',
			(name) => {
				expect(isPassed({ template: locator(42) }, {}, name)).toBe(true);
				expect(isPassed({ template: locator(7) }, {}, name)).toBe(false);
			},
		);

		test('of TEMPLATE_USED is the one that was used, not the number of the new document', () => {
			expect(isPassed({ template: locator(7) }, {}, 'TEMPLATE_USED')).toBe(true);
			expect(isPassed({ template: locator(42) }, {}, 'TEMPLATE_USED')).toBe(false);
		});
	});

	describe.each([
		['title', 'title'],
		['external ID', 'externalId'],
	])('the %s', (_, field) => {
		const tested = (condition: string, value: unknown, text: unknown) =>
			isPassed({ [field]: rule(condition, value) }, { [field]: text });

		test.each([
			['contains', 'RENT', 'My rental agreement', true],
			['contains', 'rent', 'Lease', false],
			['equals', 'LEASE', 'lease', true],
			['equals', ' lease ', 'Lease', true],
			['equals', 'lease', 'lease 2', false],
			['equals', 'lease', 'a lease', false],
			['equals', 7, '7', true],
			['startsWith', 'crm-', 'CRM-7', true],
			['startsWith', 'crm-', 'a CRM-7', false],
			['startsWith', '.', 'CRM', false],
			['contains', '.*', 'CRM', false],
			['matches', '^CRM-\\d+$', 'CRM-7', true],
			['matches', '^CRM-\\d+$', 'crm-7', false],
			['matches', '\\d', 'CRM-7', true],
			['matches', '/^crm-\\d+$/i', 'CRM-7', true],
			['matches', '/^crm-\\d+$/gi', 'CRM-7', true],
			['matches', '/crm/giy', 'a CRM', true],
			['matches', '/^crm-\\d+$/', 'CRM-7', false],
			['matches', '/a.b/s', 'a\nb', true],
			['matches', '/a.b/', 'a\nb', false],
			['matches', '/^b/m', 'a\nb', true],
			['matches', '/^.$/u', '😀', true],
			['matches', '/\\p{Lu}/v', 'Ä', true],
			['matches', '/offers/2026', '/offers/2026/7', true],
			['matches', 'a/i', 'A', false],
		])('%s %j: %j passes is %j', (condition, value, text, passing) => {
			expect(tested(condition, value, text)).toBe(passing);
		});

		test('is tested anew for each event', () => {
			const filters = readFilters({ [field]: rule('matches', '/crm/gi') });
			const subject = subjectSchema.parse({ ...bare, [field]: 'a CRM' });
			const results = [1, 2, 3].map(() => passes({ name: 'A', asItWas: subject }, filters));
			expect(results).toEqual([true, true, true]);
		});
	});

	test('a document without an external ID has an empty one', () => {
		expect(isPassed({ externalId: rule('equals', 'x') }, { externalId: null })).toBe(false);
		expect(isPassed({ externalId: rule('matches', '^$') }, { externalId: null })).toBe(true);
	});

	describe('the email', () => {
		test.each(['tenant@example.com', 'TENANT@EXAMPLE.COM', ' landlord@example.com '])(
			'%j is that of a recipient, in any case',
			(recipientEmail) => {
				expect(isPassed({ recipientEmail })).toBe(true);
			},
		);

		test('is compared as a whole', () => {
			expect(isPassed({ recipientEmail: 'example.com' })).toBe(false);
			expect(isPassed({ recipientEmail: 'enant@example.com' })).toBe(false);
			expect(isPassed({ recipientEmail: 'tenant@example.com' }, { recipients: [] })).toBe(false);
		});

		test('may have blanks around it in Documenso', () => {
			const recipients = [recipient({ email: ' tenant@example.com ' })];
			expect(isPassed({ recipientEmail: 'tenant@example.com' }, { recipients })).toBe(true);
		});
	});

	test('the source is one of those selected', () => {
		expect(isPassed({ source: ['TEMPLATE'] })).toBe(true);
		expect(isPassed({ source: ['DOCUMENT', 'TEMPLATE'] })).toBe(true);
		expect(isPassed({ source: ['DOCUMENT', 'TEMPLATE_DIRECT_LINK'] })).toBe(false);
		expect(isPassed({ source: ['DOCUMENT'] }, { source: null })).toBe(false);
	});

	describe('only when all have acted', () => {
		const last = (...statuses: string[]) =>
			isPassed(
				{ lastRecipientOnly: true },
				{ recipients: statuses.map((signingStatus) => recipient({ signingStatus })) },
			);

		test('is when all have signed', () => {
			expect(last('SIGNED', 'SIGNED')).toBe(true);
			expect(last('SIGNED', 'NOT_SIGNED')).toBe(false);
			expect(last('NOT_SIGNED')).toBe(false);
		});

		test('is when one has rejected, for nobody can act any more', () => {
			expect(last('NOT_SIGNED', 'REJECTED')).toBe(true);
		});

		test('does not wait for those who get a copy', () => {
			const copy = recipient({ role: 'CC', signingStatus: 'NOT_SIGNED' });
			const only = { lastRecipientOnly: true };
			expect(isPassed(only, { recipients: [recipient(), copy] })).toBe(true);
			expect(
				isPassed(only, { recipients: [recipient({ signingStatus: 'NOT_SIGNED' }), copy] }),
			).toBe(false);
		});

		test('is not a draft that nobody is to sign yet', () => {
			expect(isPassed({ lastRecipientOnly: true }, { recipients: [], status: 'DRAFT' })).toBe(
				false,
			);
		});

		test('is a completed document that went to copies only', () => {
			const recipients = [recipient({ role: 'CC' })];
			expect(isPassed({ lastRecipientOnly: true }, { recipients, status: 'COMPLETED' })).toBe(true);
		});
	});

	test('all filters have to let an event through', () => {
		const filters = {
			title: rule('startsWith', 'rental'),
			externalId: rule('contains', '1042'),
			template: locator(7),
			source: ['TEMPLATE'],
			recipientEmail: 'tenant@example.com',
			lastRecipientOnly: true,
		};
		expect(isPassed(filters)).toBe(true);
		for (const changes of [
			{ title: 'Lease' },
			{ externalId: 'x' },
			{ templateId: 8 },
			{ source: 'DOCUMENT' },
			{ recipients: [recipient({ email: 'other@example.com' })] },
			{ recipients: [recipient(), recipient({ signingStatus: 'NOT_SIGNED' })] },
		]) {
			expect(isPassed(filters, changes)).toBe(false);
		}
	});

	describe('a filter that cannot be used', () => {
		const options = input.property.options as INodeProperties[];
		const nameOf = (name: string) => options.find((filter) => filter.name === name)?.displayName;

		const refusalOf = async (value: object) => {
			const error = await errorOf(() => readFilters(value));
			if (error instanceof Refusal) return error;
			throw error;
		};

		test.each([
			['title', {}, 'is empty'],
			['title', rule('equals', ''), 'is empty'],
			['title', rule('equals', '   '), 'is empty'],
			['title', { rule: { condition: 'equals' } }, 'is empty'],
			['title', rule('equals', ['Lease']), 'is not text'],
			['title', rule('matches', '(unclosed'), 'is not a regular expression: "(unclosed"'],
			['externalId', rule('matches', '/[/i'), 'is not a regular expression: "/[/i"'],
			['externalId', rule('contains', undefined), 'is empty'],
			['recipientEmail', '', 'is empty'],
			['recipientEmail', undefined, 'is not text'],
			['externalId', undefined, 'is not an object'],
			['template', undefined, 'is not a number'],
			['lastRecipientOnly', undefined, 'is neither true nor false'],
			['source', undefined, 'is not a list'],
			['recipientEmail', ['a@example.com'], 'is not text'],
			['source', [], 'is empty'],
			['template', locator(''), 'is missing'],
			['template', locator('Rental agreement'), 'is not a number'],
			['template', locator('envelope_abc'), 'is not a number'],
			['template', locator(0), 'is below 1'],
			['template', locator(1.5), 'is not a whole number'],
			['lastRecipientOnly', 'sometimes', 'is neither true nor false'],
			['source', 'TEMPLATE', 'is not a list'],
			['title', 'Lease', 'is not an object'],
			['title', rule('endsWith', 'Lease'), 'has an unknown condition'],
		])('%s %j is named, and why', async (name, value, why) => {
			const { message, advice } = await refusalOf({ [name]: value });
			expect(message).toMatch(`'Filters > ${String(nameOf(name))}`);
			expect(message).toMatch(`' ${why}`);
			expect(advice).toBe('Correct the filter, or remove it.');
		});
	});
});

describe('an event', () => {
	const untouched = {
		name: '',
		role: 'SIGNER',
		readStatus: 'NOT_OPENED',
		sendStatus: 'SENT',
		signingStatus: 'NOT_SIGNED',
		signedAt: null,
		expirationNotifiedAt: null,
	};

	const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
	const signed = (minute: number) => ({ signingStatus: 'SIGNED', signedAt: at(minute) });
	const opened = { readStatus: 'OPENED' };

	/** Which recipient, by his place in the list from 1, caused the event. */
	function cause(name: string, ...recipients: object[]): number | undefined {
		const subject = subjectSchema.parse({
			id: 'envelope_abc',
			secondaryId: 'document_1',
			title: 'Lease',
			status: 'PENDING',
			recipients: recipients.map((recipient, index) => ({
				...untouched,
				id: index + 1,
				email: `recipient-${String(index + 1)}@example.com`,
				...recipient,
			})),
		});
		return causedBy(name, subject)?.id;
	}

	describe.each(['DOCUMENT_SIGNED', 'DOCUMENT_RECIPIENT_COMPLETED', 'DOCUMENT_COMPLETED'])(
		'%s is caused by',
		(event) => {
			test('whoever has signed last', () => {
				expect(cause(event, signed(1), signed(3), signed(2))).toBe(2);
				expect(cause(event, signed(1), {}, {})).toBe(1);
			});

			test('nobody that can be known when two have signed at the same moment', () => {
				expect(cause(event, signed(1), signed(2), signed(2))).toBeUndefined();
				expect(cause(event, signed(2), signed(2), signed(3))).toBe(3);
			});

			test('somebody who had to do something, not who gets a copy', () => {
				const copy = { role: 'CC', ...signed(9) };
				expect(cause(event, signed(1), copy)).toBe(1);
				expect(cause(event, copy)).toBeUndefined();
			});

			test('an approver and a viewer, too', () => {
				expect(cause(event, signed(1), { role: 'VIEWER', ...signed(2) })).toBe(2);
				expect(cause(event, signed(1), { role: 'APPROVER', ...signed(2) })).toBe(2);
			});

			test('nobody when no date is there, or none that can be read', () => {
				expect(cause(event)).toBeUndefined();
				expect(cause(event, {}, {})).toBeUndefined();
				expect(cause(event, { signedAt: 'yesterday' })).toBeUndefined();
				expect(cause(event, { signedAt: 'yesterday' }, signed(1))).toBe(2);
			});

			test('whoever signed last by the time itself, however its date is written', () => {
				const later = { signedAt: '2026-01-01T01:30:00.000+01:00' };
				expect(cause(event, { signedAt: '2026-01-01T01:00:00.000Z' }, later)).toBe(1);
			});
		},
	);

	describe('DOCUMENT_OPENED is caused by', () => {
		const event = 'DOCUMENT_OPENED';

		test('the only one who has opened it and not acted yet', () => {
			expect(cause(event, {}, opened, {})).toBe(2);
			expect(cause(event, { ...opened, ...signed(1) }, opened)).toBe(2);
		});

		test('nobody that can be known when several have it open', () => {
			expect(cause(event, opened, opened)).toBeUndefined();
		});

		test('nobody when those who opened it have acted', () => {
			expect(cause(event, { ...opened, ...signed(1) }, {})).toBeUndefined();
		});
	});

	describe('DOCUMENT_REJECTED is caused by', () => {
		const rejected = { signingStatus: 'REJECTED', signedAt: at(1) };

		test('the one who has rejected it, even when somebody else acted later', () => {
			expect(cause('DOCUMENT_REJECTED', signed(2), rejected)).toBe(2);
		});

		test('nobody that can be known when two have, or none', () => {
			expect(cause('DOCUMENT_REJECTED', rejected, rejected)).toBeUndefined();
			expect(cause('DOCUMENT_REJECTED', signed(1), {})).toBeUndefined();
		});
	});

	describe('RECIPIENT_EXPIRED is caused by', () => {
		const expired = (minute: number) => ({ expirationNotifiedAt: at(minute) });

		test('the one whose expiry was noticed last', () => {
			expect(cause('RECIPIENT_EXPIRED', expired(1), expired(2), signed(3))).toBe(2);
		});

		test('nobody that can be known when two were noticed at the same moment', () => {
			expect(cause('RECIPIENT_EXPIRED', expired(1), expired(1))).toBeUndefined();
			expect(cause('RECIPIENT_EXPIRED', {})).toBeUndefined();
		});
	});

	test.each([
		'DOCUMENT_CREATED',
		'DOCUMENT_SENT',
		'DOCUMENT_CANCELLED',
		'DOCUMENT_REMINDER_SENT',
		'DOCUMENT_ARCHIVED',
		'TEMPLATE_USED',
		'TEMPLATE_CREATED',
	])('%s is caused by no recipient', (event) => {
		const all = { ...opened, ...signed(1), expirationNotifiedAt: at(2) };
		expect(cause(event, all)).toBeUndefined();
		expect(cause(event, { ...opened })).toBeUndefined();
		expect(cause(event, { signingStatus: 'REJECTED' })).toBeUndefined();
	});
});

describe('a delivery', () => {
	const payload = { id: 1, envelopeId: 'envelope_abc', title: 'A', status: 'PENDING' };
	const body = { event: 'DOCUMENT_SENT', payload, createdAt: '2026-01-01T00:00:00.000Z' };
	const withPayload = (changes: object) => parse({ ...body, payload: { ...payload, ...changes } });

	const recipient = {
		...{ id: 1, email: 'a@example.com', name: 'A', role: 'SIGNER' },
		...{ readStatus: 'OPENED', sendStatus: 'SENT', signingStatus: 'SIGNED' },
	};

	const people = (count: number): object[] => Array.from({ length: count }, () => recipient);

	test('a document may have 5,000 recipients, and no more', () => {
		const recipients = people(5_000);
		expect(withPayload({ recipients })?.event.asItWas.recipients).toEqual(
			recipients.map((one) => expect.objectContaining(one) as object),
		);
		expect(withPayload({ recipients: people(5_001) })).toBeUndefined();
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

	// More that is none is delivered to a trigger in test/trigger/deliveries.test.ts.
	test.each([
		['a number with a fraction', { ...body, payload: { ...payload, id: 1.5 } }],
		['a number beyond all counting', { ...body, payload: { ...payload, teamId: 2 ** 53 } }],
		['an event without end', { ...body, event: 'A'.repeat(1_000_000) }],
	])('%s is no delivery', (_, given) => {
		expect(parse(given)).toBeUndefined();
	});

	test.each([[undefined], [null], [[]]])(
		'the older list of recipients may be %j, for it is a copy',
		(Recipient) => {
			expect(withPayload({ Recipient })).toBeDefined();
		},
	);

	test('whatever the payload says makes another delivery of it, but not the endpoint that gets it', () => {
		const id = parse(body)?.id;
		expect(parse({ ...body, webhookEndpoint: 'https://example.com' })?.id).toBe(id);
		expect(parse({ ...body, event: 'DOCUMENT_SIGNED' })?.id).not.toBe(id);
		expect(withPayload({ updatedAt: '2026-01-01' })?.id).not.toBe(id);
		expect(withPayload({ list: [1, 2] })?.id).not.toBe(withPayload({ list: [2, 1] })?.id);
	});
});

describe('the secret of a delivery', () => {
	test('secrets of any length are compared by a function that takes the same time for all', () => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		for (const received of ['hunter2', 'h', 'x'.repeat(1000)]) secretsMatch('hunter2', received);
		expect(compare).toHaveBeenCalledTimes(3);
		for (const [one, other] of compare.mock.calls) {
			expect([one.byteLength, other.byteLength]).toEqual([32, 32]);
		}
		compare.mockRestore();
	});

	test.each([
		[' secret ', 'secret'],
		[12345, '12345'],
		[{ a: 1 }, ''],
		[undefined, ''],
	])('the secret %j of a credential is compared as %j', (value, text) => {
		expect(secretText(value)).toBe(text);
	});
});

const NOW = Date.parse('2027-01-01T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

/** A recipient who has done nothing yet. */
const TINA = {
	id: 1,
	email: 'tina@example.com',
	name: '',
	role: 'SIGNER',
	token: '',
	readStatus: 'NOT_OPENED',
	sendStatus: 'NOT_SENT',
	signingStatus: 'NOT_SIGNED',
	expirationNotifiedAt: null,
};

/** Created an hour ago, unless told. */
const draft = (title: string, changes: Partial<Document> = {}): Document => ({
	id: `envelope_${title}`,
	secondaryId: 'document_7',
	title,
	status: 'DRAFT',
	externalId: null,
	source: 'DOCUMENT',
	templateId: null,
	createdAt: ago(60),
	updatedAt: null,
	completedAt: null,
	deletedAt: null,
	recipients: [TINA],
	...changes,
});

const finished = { status: 'COMPLETED', completedAt: ago(1) };

describe('what must have happened to a document', () => {
	test.each<[string, OpenStatus | undefined, string, Step[]]>([
		['new', undefined, 'DRAFT', ['DOCUMENT_CREATED']],
		['new', undefined, 'PENDING', ['DOCUMENT_CREATED', 'DOCUMENT_SENT']],
		['new', undefined, 'COMPLETED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_COMPLETED']],
		['new', undefined, 'REJECTED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_REJECTED']],
		['new', undefined, 'CANCELLED', ['DOCUMENT_CREATED', 'DOCUMENT_SENT', 'DOCUMENT_CANCELLED']],
		['new', undefined, 'WITNESSED', ['DOCUMENT_CREATED']],
		['a draft', 'DRAFT', 'DRAFT', []],
		['a draft', 'DRAFT', 'PENDING', ['DOCUMENT_SENT']],
		['a draft', 'DRAFT', 'COMPLETED', ['DOCUMENT_SENT', 'DOCUMENT_COMPLETED']],
		['a draft', 'DRAFT', 'REJECTED', ['DOCUMENT_SENT', 'DOCUMENT_REJECTED']],
		['a draft', 'DRAFT', 'CANCELLED', ['DOCUMENT_SENT', 'DOCUMENT_CANCELLED']],
		['a draft', 'DRAFT', 'WITNESSED', []],
		['a draft', 'DRAFT', 'constructor', []],
		['sent', 'PENDING', 'PENDING', []],
		['sent', 'PENDING', 'COMPLETED', ['DOCUMENT_COMPLETED']],
		['sent', 'PENDING', 'REJECTED', ['DOCUMENT_REJECTED']],
		['sent', 'PENDING', 'CANCELLED', ['DOCUMENT_CANCELLED']],
		['sent', 'PENDING', 'WITNESSED', []],
	])('that was %s (%s) and is %s now: %j', (_, before, status, steps) => {
		expect(stepsSince(before, draft('A', { status }))).toEqual(steps);
	});

	test.each<[OpenStatus, string, Step[]]>([
		['DRAFT', 'DRAFT', ['DOCUMENT_CANCELLED']],
		['PENDING', 'COMPLETED', ['DOCUMENT_COMPLETED', 'DOCUMENT_CANCELLED']],
		['PENDING', 'CANCELLED', ['DOCUMENT_CANCELLED']],
	])('that was %s, is %s now and deleted: %j', (before, status, steps) => {
		expect(stepsSince(before, draft('A', { status, deletedAt: ago(1) }))).toEqual(steps);
	});
});

describe('the status to go on from', () => {
	test.each<[Partial<Document>, OpenStatus | undefined, OpenStatus | undefined]>([
		[{ status: 'DRAFT' }, undefined, 'DRAFT'],
		[{ status: 'PENDING' }, undefined, 'PENDING'],
		[{ status: 'PENDING' }, 'DRAFT', 'PENDING'],
		[{ status: 'COMPLETED' }, 'PENDING', undefined],
		[{ status: 'REJECTED' }, 'PENDING', undefined],
		[{ status: 'CANCELLED' }, 'PENDING', undefined],
		[{ status: 'PENDING', deletedAt: ago(1) }, 'PENDING', undefined],
		// A status that nobody knows yet leaves a document where it was, unless it ends it.
		[{ status: 'WITNESSED' }, undefined, 'DRAFT'],
		[{ status: 'constructor' }, 'PENDING', 'PENDING'],
		[{ status: 'WITNESSED' }, 'PENDING', 'PENDING'],
		[{ status: 'ARCHIVED', completedAt: ago(1) }, 'PENDING', undefined],
	])('of %j after %s is %s', (changes, before, status) => {
		expect(openStatus(draft('A', changes), before)).toBe(status);
	});
});

describe('the time', () => {
	const dates = { createdAt: ago(60), updatedAt: ago(30), completedAt: ago(20), deletedAt: ago(5) };

	test.each<[Step, Partial<Document>, number]>([
		['DOCUMENT_CREATED', dates, 60],
		['DOCUMENT_COMPLETED', dates, 20],
		['DOCUMENT_REJECTED', dates, 20],
		['DOCUMENT_CANCELLED', dates, 5],
		['DOCUMENT_CANCELLED', { ...dates, deletedAt: null }, 20],
		['DOCUMENT_SENT', { ...dates, completedAt: null }, 30],
		['DOCUMENT_SENT', {}, 60],
	])('of %s with %j is %d minutes ago', (step, changes, minutes) => {
		expect(timeOf(step, draft('A', changes))).toBe(Date.parse(ago(minutes)));
	});
});

describe('from when on documents may still appear', () => {
	test.each<[string, number[], number]>([
		['ten minutes before the newest one', [60, 5, 30], 15],
		['never later than ten minutes ago, whatever is dated in the future', [60, -1440], 10],
	])('is %s', (_, ages, minutes) => {
		const documents = ages.map((age) => draft('A', { createdAt: ago(age) }));
		expect(horizon(documents, NOW)).toBe(NOW - minutes * 60_000);
	});

	test('is no time without documents', () => {
		expect(horizon([], NOW)).toBe(0);
	});
});

/** What is known after a first poll that saw these documents. */
function stateOf(...documents: Document[]): State {
	const since = horizon(documents, NOW);
	const state: State = {
		...{
			account: 'a',
			teams: new Set([1]),
			since,
			next: since,
			listedAt: NOW,
			open: new Map(),
			finished: new Map(),
		},
		unreached: [],
	};
	for (const document of documents) {
		const status = openStatus(document);
		if (status) state.open.set(document.id, remember(document, status));
		else if (createdAt(document) >= since) state.finished.set(document.id, createdAt(document));
	}
	return state;
}

interface Seen {
	/** All that the service has. */
	all: Document[];
	/** What the lists show, the newest first; unless told, all that was created since the state's `since`. */
	listed?: Document[];
	/** IDs that are left for the next poll. */
	unread?: string[];
}

const byId = (documents: Document[]) => new Map(documents.map((one) => [one.id, one]));

function poll(state: State, { all, listed, unread = [] }: Seen) {
	const lists = byId(
		(listed ?? all.filter((one) => createdAt(one) >= state.since)).sort(
			(a, b) => createdAt(b) - createdAt(a),
		),
	);
	const ids = due(state, lists).filter((id) => !unread.includes(id));
	const read = new Map(ids.map((id) => [id, byId(all).get(id)]));
	const { events, state: after } = compare(state, { listed: lists, read, now: NOW });
	return {
		reported: events.map(({ name, asItWas }) => `${name} ${asItWas.title}`),
		events,
		state: after,
	};
}

/** What each of several polls reports while the service has the documents of its turn. */
function reportedBy(state: State, ...turns: Array<Document[] | Seen>): string[][] {
	let current = state;
	return turns.map((turn) => {
		const polled = poll(current, Array.isArray(turn) ? { all: turn } : turn);
		current = polled.state;
		return polled.reported;
	});
}

describe('a poll', () => {
	test('comes back last to a document that a list has just told of', () => {
		const told = draft('Told', { status: 'PENDING' });
		const unseen = draft('Unseen', { status: 'PENDING' });
		const opened = { ...told, recipients: [{ ...TINA, readStatus: 'OPENED' }] };
		const seen = { all: [], listed: [opened], unread: [unseen.id] };
		const { state } = poll(stateOf(told, unseen), seen);
		expect([...state.open.keys()]).toEqual([unseen.id, told.id]);
	});

	test('reports in the order in which things happened', () => {
		const early = draft('Early');
		const all = [
			draft('Early', { status: 'COMPLETED', updatedAt: ago(3), completedAt: ago(3) }),
			draft('Late', { createdAt: ago(5), status: 'PENDING', updatedAt: ago(4) }),
			draft('Gone'),
		];
		const [, , gone] = all;
		const state = stateOf(early, ...(gone ? [gone] : []));
		expect(poll(state, { all: all.slice(0, 2) }).reported).toEqual([
			'DOCUMENT_CREATED Late',
			'DOCUMENT_SENT Late',
			'DOCUMENT_SENT Early',
			'DOCUMENT_COMPLETED Early',
			// A deletion has no date but that of the poll.
			'DOCUMENT_CANCELLED Gone',
		]);
	});

	test('reports the older one first of documents created at the same time', () => {
		const all = ['Newer', 'Older'].map((title) => draft(title, { createdAt: ago(5) }));
		expect(poll(stateOf(), { all }).reported).toEqual([
			'DOCUMENT_CREATED Older',
			'DOCUMENT_CREATED Newer',
		]);
	});

	test('reads what is new or changed, then what no list shows, and nothing else', () => {
		const old = draft('Old', { createdAt: ago(1000) });
		const odd = draft('Odd', { status: 'WITNESSED' });
		const state = stateOf(old, odd, draft('Same'), draft('Changed'), draft('Done', finished));
		const all = [
			odd,
			draft('New', { createdAt: ago(1) }),
			draft('Same', { updatedAt: ago(2), title: 'Renamed' }),
			draft('Changed', { status: 'PENDING' }),
			draft('Done', { ...finished, deletedAt: ago(1) }),
		];
		expect(due(state, byId(all))).toEqual(['envelope_New', 'envelope_Changed', 'envelope_Old']);
	});

	test('is followed by one that begins with what it did not read', () => {
		const all = [1, 2, 3, 4].map((n) => draft(String(n), { createdAt: ago(1000) }));
		const [one = '', two = '', ...unread] = all.map(({ id }) => id);
		const { state } = poll(stateOf(...all), { all, listed: [], unread });
		expect(due(state, new Map())).toEqual([...unread, one, two]);
	});

	test('leaves what is new and was not read to the next ones, however old it has become', () => {
		const all = [300, 200].map((minutes) => draft(`${minutes}`, { createdAt: ago(minutes) }));
		const later = [...all, draft('Newest', { createdAt: ago(1) })];
		const unread = ['envelope_200'];
		const turns = [{ all, unread }, { all: later, unread }, { all: later, unread }, later, later];
		expect(reportedBy(stateOf(), ...turns)).toEqual([
			['DOCUMENT_CREATED 300'],
			['DOCUMENT_CREATED Newest'],
			[],
			['DOCUMENT_CREATED 200'],
			[],
		]);
	});
});

describe("a document of another team, which can't be read by its ID", () => {
	const team = { id: 77, url: 'strangers' };

	test('is neither reported nor cancelled if an earlier version took it for one of ours', () => {
		const theirs = draft('Theirs', { status: 'PENDING', team });
		const state = stateOf(theirs);
		const opened = { ...theirs, recipients: [{ ...TINA, readStatus: 'OPENED' }] };
		expect(poll(state, { all: [], listed: [opened] }).reported).toEqual([]);
		expect(poll(state, { all: [], listed: [{ ...theirs, ...finished }] }).reported).toEqual([]);
	});

	test('is tried again while it is new, because it may only not be readable yet', () => {
		const fresh = draft('Theirs', { createdAt: ago(5), team });
		const unread = poll(stateOf(), { all: [], listed: [fresh] });
		expect(unread.reported).toEqual([]);
		expect(due(unread.state, byId([fresh]))).toEqual([fresh.id]);
		const old = { ...fresh, createdAt: ago(11) };
		const given = poll(stateOf(), { all: [], listed: [old] });
		expect(due(given.state, byId([old]))).toEqual([]);
	});
});

describe('a document that is gone', () => {
	test('and was completed before is not noticed', () => {
		const done = draft('A', finished);
		const state = stateOf(draft('A', { status: 'PENDING' }));
		expect(reportedBy(state, [done], [], [])).toEqual([['DOCUMENT_COMPLETED A'], [], []]);
	});

	test('between the list and its reading counts as there until the next poll', () => {
		const one = draft('A', { createdAt: ago(1) });
		expect(reportedBy(stateOf(), { all: [], listed: [one] }, [], [])).toEqual([
			['DOCUMENT_CREATED A'],
			['DOCUMENT_CANCELLED A'],
			[],
		]);
	});

	test.each([5, 60])(
		'and comes back is followed again, not created again (%d minutes old)',
		(minutes) => {
			const one = draft('A', { createdAt: ago(minutes) });
			const newest = draft('Newest', { createdAt: ago(1) });
			const gone = poll(stateOf(one, newest), { all: [newest] });
			const back = poll(gone.state, { all: [one, newest], listed: [one, newest] });
			const done = poll(back.state, { all: [{ ...one, ...finished }, newest] });
			expect([gone, back, done].map(({ reported }) => reported)).toEqual([
				['DOCUMENT_CANCELLED A'],
				[],
				['DOCUMENT_SENT A', 'DOCUMENT_COMPLETED A'],
			]);
			expect([[...back.state.open.keys()].sort(), [...back.state.finished]]).toEqual([
				['envelope_A', 'envelope_Newest'],
				[],
			]);
		},
	);
});

describe('a status that nobody knows yet', () => {
	const witnessed = (title: string) => draft(title, { status: 'WITNESSED' });

	test.each([true, false])(
		'does not make a document that was sent unsent (listed: %j)',
		(isListed) => {
			const sent = draft('A', { status: 'PENDING' });
			const seen = (one: Document) => ({ all: [one], listed: isListed ? [one] : [] });
			expect(reportedBy(stateOf(sent), seen(witnessed('A')), seen(draft('A', finished)))).toEqual([
				[],
				['DOCUMENT_COMPLETED A'],
			]);
		},
	);

	test('that ends a document ends its tracking too', () => {
		const archived = draft('A', { status: 'ARCHIVED', completedAt: ago(1) });
		const { reported, state } = poll(stateOf(draft('A')), { all: [archived] });
		expect([reported, [...state.open]]).toEqual([[], []]);
	});
});

describe('dates', () => {
	test('a document dated in the future hides none of the others', () => {
		const tomorrow = draft('Tomorrow', { createdAt: ago(-1440) });
		const all = [tomorrow, draft('Today', { createdAt: ago(0) })];
		expect(reportedBy(stateOf(), [tomorrow], [tomorrow], [tomorrow], all)).toEqual([
			['DOCUMENT_CREATED Tomorrow'],
			[],
			[],
			['DOCUMENT_CREATED Today'],
		]);
	});

	test('what was finished long before stays unreported when newer documents vanish', () => {
		const done = draft('Done', { ...finished, createdAt: ago(500) });
		const newest = draft('Newest', { createdAt: ago(1) });
		const state = stateOf(done, newest);
		expect(reportedBy(state, [done], [done], [done])).toEqual([
			['DOCUMENT_CANCELLED Newest'],
			[],
			[],
		]);
	});

	test('what was overlooked before the first poll is followed from then on', () => {
		const overlooked = draft('Overlooked', { createdAt: ago(500) });
		const newest = draft('Newest', { createdAt: ago(1) });
		const done = draft('Overlooked', { ...finished, createdAt: ago(500) });
		const seen = { all: [overlooked, newest], listed: [overlooked, newest] };
		expect(reportedBy(stateOf(newest), seen, [done, newest])).toEqual([
			[],
			['DOCUMENT_SENT Overlooked', 'DOCUMENT_COMPLETED Overlooked'],
		]);
	});
});

describe('the state', () => {
	const full = stateOf(
		draft('Draft', { externalId: 'RA-1', templateId: 3 }),
		draft('Sent', { status: 'PENDING', source: null }),
		draft('Done', finished),
	);

	test('takes less than 250 characters for an open document', () => {
		const documents = Array.from({ length: 100 }, (_, n) =>
			draft('Rental agreement, Baker Street 221b', {
				id: `envelope_abcdefghijklm${100 + n}`,
				secondaryId: `document_${1000 + n}`,
			}),
		);
		expect(writeState(stateOf(...documents)).length / 100).toBeLessThan(250);
	});

	test('is the same after it was written and read', () => {
		expect(readState(writeState(full), 'a')).toEqual(full);
	});

	test('does not grow with documents that are finished', () => {
		const all: Document[] = [];
		let state = stateOf();
		for (let turn = 1; turn <= 5; turn++) {
			for (let n = 0; n < 40; n++) {
				const minutes = 600 - 20 * turn - n / 40;
				all.push(draft(`Done ${turn} ${n}`, { ...finished, createdAt: ago(minutes) }));
			}
			state = poll(state, { all }).state;
		}
		all.push(draft('Last', { ...finished, createdAt: ago(1) }));
		for (let turn = 1; turn <= 3; turn++) state = poll(state, { all }).state;
		expect([...state.finished.keys()]).toEqual(['envelope_Last']);
	});

	test.each<[string, unknown]>([
		['there is none', undefined],
		['it is no text', {}],
		['it is no JSON', '{'],
		['it is something else', '{"account":7}'],
		['it is of another form', writeState(full).replace('"PENDING"', '"ARCHIVED"')],
		['it is another account’s', writeState({ ...full, account: 'b' })],
	])('is begun anew where %s', (_, text) => {
		expect(readState(text, 'a')).toBeUndefined();
	});
});

describe('a document on a list', () => {
	const listed = { ...draft('A'), teamId: 1 };
	const client = { site: 'https://documenso.example' } as Client;

	test.each<[string, object]>([
		['without a name', { name: undefined }],
		['with the name null', { name: null }],
		['without a token', { token: null }],
		['that nobody knows to be sent', { sendStatus: undefined }],
		['with a huge ID', { id: 2 ** 60 }],
		['with an order that is a text', { signingOrder: '1' }],
		['with a deadline that is a number', { expiresAt: 123 }],
		['with a reason that is no text', { rejectionReason: {} }],
	])('may have a recipient %s: what looks do not need stops none', (_, changes) => {
		const now = documentSchema.parse({ ...listed, recipients: [{ ...TINA, ...changes }] });
		const [event] = eventsBetween(undefined, now);
		expect(event && simplifyEvent(client, event)).toMatchObject({
			recipients: [{ email: TINA.email, role: 'SIGNER' }],
		});
	});

	test('may have 5,001 recipients, and a number of its team that is none', () => {
		const recipients = Array.from({ length: 5_001 }, () => TINA);
		expect(documentSchema.parse({ ...listed, recipients }).recipients).toHaveLength(5_001);
		expect(documentSchema.safeParse({ ...listed, teamId: 'x' }).success).toBe(true);
	});
});
