import type { INodeProperties } from 'n8n-workflow';

import { Refusal } from '../../nodes/shared/n8n/refusal';
import { filters as input, passes, readFilters } from '../../nodes/shared/events/filters';
import { subjectSchema } from '../../nodes/shared/events/subject';
import { errorOf } from '../support/errors';

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
		expect(isPassed(only, { recipients: [recipient({ signingStatus: 'NOT_SIGNED' }), copy] })).toBe(
			false,
		);
	});

	test('is not a draft that nobody is to sign yet', () => {
		expect(isPassed({ lastRecipientOnly: true }, { recipients: [], status: 'DRAFT' })).toBe(false);
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
