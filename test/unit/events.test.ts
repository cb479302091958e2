import crypto from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { parse } from '../../nodes/DocumensoTrigger/parse';
import { carriesSecret, secretsMatch, secretText } from '../../nodes/DocumensoTrigger/authenticate';
import { causedBy } from '../../nodes/shared/events/event';
import { filters as input, passes, readFilters } from '../../nodes/shared/events/filters';
import { listOf, subjectSchema } from '../../nodes/shared/events/subject';
import { Refusal } from '../../nodes/shared/n8n/refusal';
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

		test('lets all pass when it is off', () => {
			const recipients = [recipient({ signingStatus: 'NOT_SIGNED' })];
			expect(isPassed({ lastRecipientOnly: false }, { recipients })).toBe(true);
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
		])('%s %j is named, and why', async (name, value, why) => {
			const { message, advice } = await refusalOf({ [name]: value });
			expect(message).toMatch(`'Filters > ${String(nameOf(name))}`);
			expect(message).toMatch(`' ${why}`);
			expect(advice).toBe('Correct the filter, or remove it.');
		});

		test.each([
			['lastRecipientOnly', 'sometimes'],
			['source', 'TEMPLATE'],
			['title', 'Lease'],
			['title', rule('endsWith', 'Lease')],
		])('%s %j is named', async (name, value) => {
			const { message } = await refusalOf({ [name]: value });
			expect(message).toContain(`'Filters > ${String(nameOf(name))}`);
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
	const idOf = (changed: object) => parse({ ...body, ...changed })?.id;

	const recipient = {
		...{ id: 1, email: 'a@example.com', name: 'A', role: 'SIGNER' },
		...{ readStatus: 'OPENED', sendStatus: 'SENT', signingStatus: 'SIGNED' },
	};

	const people = (count: number): object[] => Array.from({ length: count }, () => recipient);

	test('a document may have 5,000 recipients', () => {
		const recipients = people(5_000);
		expect(
			parse({ ...body, payload: { ...payload, recipients } })?.event.asItWas.recipients,
		).toEqual(recipients.map((one) => expect.objectContaining(one) as object));
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
		[
			'a recipient without an address',
			{ ...body, payload: { ...payload, recipients: [{ id: 1 }] } },
		],
		['a key that would change a prototype', JSON.parse('{"event":"A","payload":{"__proto__":{}}}')],
		...['', '.', '..', '../me', 'a/b', 'attachment', 'a b', 'a\n', 'a\ud800', 'x'.repeat(256)].map(
			(envelopeId): [string, unknown] => [
				`an ID that Documenso never gives, ${JSON.stringify(envelopeId).slice(0, 20)}`,
				{ ...body, payload: { ...payload, envelopeId } },
			],
		),
		[
			'an ID of a megabyte',
			{ ...body, payload: { ...payload, envelopeId: 'x'.repeat(1_000_000) } },
		],
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
});

describe('the secret of a delivery', () => {
	test.each([
		['the same text', 'hunter2', 'hunter2', true],
		['text beyond ASCII', 'pässwörd ✓', 'pässwörd ✓', true],
		['a longer one', 'hunter2', 'hunter22', false],
		['a prefix', 'hunter2', 'hunter', false],
		['another case', 'hunter2', 'Hunter2', false],
		['the empty one', 'hunter2', '', false],
		['anything while no secret is set', '', '', false],
	])('%s: %j against %j is %s', (_, expected, received, matches) => {
		expect(secretsMatch(expected, received)).toBe(matches);
	});

	test('secrets of any length are compared by a function that takes the same time for all', () => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		for (const received of ['hunter2', 'h', 'x'.repeat(1000)]) secretsMatch('hunter2', received);
		expect(compare).toHaveBeenCalledTimes(3);
		for (const [one, other] of compare.mock.calls) {
			expect([one.byteLength, other.byteLength]).toEqual([32, 32]);
		}
		compare.mockRestore();
	});

	test('a secret is recognised whether its header was written as Latin-1 or as UTF-8', () => {
		const utf8 = Buffer.from('sécret ✓', 'utf8').toString('latin1');
		expect(carriesSecret({ 'x-documenso-secret': 'sécret' }, 'sécret', '')).toBe(true);
		expect(carriesSecret({ 'x-documenso-secret': utf8 }, 'sécret ✓', '')).toBe(true);
	});

	test.each([
		['missing', undefined],
		['there twice', ['hunter2', 'hunter2']],
	])('a header that is %s carries no secret', (_, header) => {
		expect(carriesSecret({ 'x-documenso-secret': header }, 'hunter2', '')).toBe(false);
	});

	test.each(['x-documenso-secret', 'x-service-secret'])('the header %s is known', (header) => {
		expect(carriesSecret({ [header]: 's' }, 's', '')).toBe(true);
	});

	test("only the credential's own header counts when it names one", () => {
		expect(carriesSecret({ 'x-brand': 's' }, 's', 'X-Brand')).toBe(true);
		expect(carriesSecret({ 'x-documenso-secret': 's' }, 's', 'X-Brand')).toBe(false);
	});

	test.each([
		[' secret ', 'secret'],
		[' \t\n', ''],
		[12345, '12345'],
		[{ a: 1 }, ''],
		[undefined, ''],
	])('the secret %j of a credential is compared as %j', (value, text) => {
		expect(secretText(value)).toBe(text);
	});
});
