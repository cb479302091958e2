import type { IDataObject } from 'n8n-workflow';

import { errorOf } from '../support/errors';
import { completed } from '../support/deliveries';
import { Poster } from '../support/post';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger } from '../support/webhook';

const SECRET = 'secret of the webhook';
const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': SECRET };

const suite = useService();
const poster = new Poster();
afterAll(() => poster.close());

async function trigger(parameters: IDataObject) {
	const credential = credentialFor(suite.service, { webhookSecret: SECRET });
	return await serveTrigger(credential, { events: ['*'], ...parameters });
}

async function answerTo(parameters: IDataObject, changes: IDataObject = {}) {
	const server = await trigger(parameters);
	const { status, body } = await poster.post(server.url, {
		headers,
		body: JSON.stringify({ ...completed, payload: { ...completed.payload, ...changes } }),
	});
	await server.close();
	const calls = suite.service.calls.length;
	return { status, body, executions: server.executions.length, calls };
}

const locator = (value: string, mode: string) => ({ __rl: true, mode, value });
const rule = (condition: string, value: string) => ({ rule: { condition, value } });

const letThrough: Array<[string, IDataObject]> = [
	['the number of its template', { template: locator('3', 'id') }],
	["the picker's template", { template: locator('3', 'list') }],
	['a part of its title', { title: rule('contains', 'EAS') }],
	['its external ID', { externalId: rule('matches', '^crm-\\d$') }],
	["a recipient's address in another case", { recipientEmail: 'TENANT@example.com' }],
	['its source', { source: ['TEMPLATE'] }],
	['its last recipient', { lastRecipientOnly: true }],
];

test.each(letThrough)('an event is let through by %s', async (_, filters) => {
	expect(await answerTo({ filters })).toMatchObject({ status: 200, executions: 1 });
});

test.each([
	['test:crm-7', 0],
	['test:n8n:1:2:3:4:5', 0],
	['crm-test:7', 1],
	[null, 1],
])(
	'the filter for test documents in docs/triggers.md: %s starts %d',
	async (externalId, executions) => {
		const filters = { externalId: rule('matches', '^(?!test:)') };
		expect(await answerTo({ filters }, { externalId })).toMatchObject({ executions });
	},
);

const leftOut: Array<[string, IDataObject]> = [
	['another template', { template: locator('4', 'id') }],
	['another template of the picker', { template: locator('4', 'list') }],
	['another title', { title: rule('startsWith', 'Rent') }],
	['another external ID', { externalId: rule('equals', 'crm') }],
	['an address of nobody', { recipientEmail: 'nobody@example.com' }],
	['another source', { source: ['DOCUMENT', 'TEMPLATE_DIRECT_LINK'] }],
	['one filter of two', { title: rule('equals', 'Lease'), source: ['DOCUMENT'] }],
];

describe('an event that the filters leave out', () => {
	const everything = { enrich: ['details', 'values', 'signedFiles', 'certificate', 'auditLog'] };

	test.each(leftOut)('(%s) is answered at once, and nothing is fetched', async (_, filters) => {
		expect(await answerTo({ filters, ...everything })).toEqual({
			status: 200,
			body: '{"received":true}',
			executions: 0,
			calls: 0,
		});
	});

	test('is answered the same when it is not selected', async () => {
		expect(await answerTo({ events: ['DOCUMENT_SENT'], ...everything })).toEqual({
			status: 200,
			body: '{"received":true}',
			executions: 0,
			calls: 0,
		});
	});
});

test.each([
	['Title', { title: rule('matches', '(') }],
	['Title', { title: rule('equals', '') }],
	['External ID', { externalId: rule('matches', '/[/') }],
	['Template', { template: locator('', 'list') }],
	['Template', { template: locator('Lease', 'id') }],
	['Recipient Email', { recipientEmail: ' ' }],
	['Source', { source: [] }],
])(
	'a workflow whose filter %s is %j cannot be published, and the filter is named',
	async (name, filters) => {
		for (const registration of ['manual', 'automatic']) {
			const server = await trigger({ filters, registration });
			const { message, description } = await errorOf(async () => await server.publish());
			expect(message).toContain(`'Filters > ${name}`);
			expect(description).toBe('Correct the filter, or remove it.');
			expect(suite.service.webhooks.list()).toEqual([]);
			await server.close();
		}
	},
);

describe('a setting that an expression has made unusable', () => {
	const post = async (parameters: IDataObject, secret = SECRET) => {
		const server = await trigger(parameters);
		const { status } = await poster.post(server.url, {
			headers: { ...headers, 'X-Documenso-Secret': secret },
			body: JSON.stringify(completed),
		});
		await server.close();
		return { status, executions: server.executions.length };
	};

	test.each([
		['filter', { filters: { title: rule('matches', '(') } }],
		['list of events', { events: 7 }],
	])('(a %s) fails the delivery, so that Documenso retries it', async (_, parameters) => {
		expect(await post(parameters)).toEqual({ status: 500, executions: 0 });
	});

	test('is not revealed to whoever lacks the secret', async () => {
		const parameters = { filters: { title: rule('matches', '(') } };
		expect(await post(parameters, 'forged')).toEqual({ status: 401, executions: 0 });
	});

	test.each<IDataObject>([
		{ simple: 'perhaps' },
		{ enrich: 'everything' },
		{ enrich: ['everything'] },
		{ options: 'none' },
		{ options: { includeSigningLinks: 'perhaps', fetchingTime: 'long', repetitionWindow: {} } },
		{ registration: 'perhaps' },
	])('costs no delivery: %j', async (parameters) => {
		expect(await post(parameters)).toEqual({ status: 200, executions: 1 });
	});

	test('may be several events in one text', async () => {
		const events = 'DOCUMENT_SENT, DOCUMENT_COMPLETED';
		expect(await post({ events })).toEqual({ status: 200, executions: 1 });
		expect(await post({ events: 'DOCUMENT_SENT' })).toEqual({ status: 200, executions: 0 });
	});
});
