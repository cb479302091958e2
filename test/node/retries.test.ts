import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../emulator/http/faults';
import { refusal } from '../support/refusal';
import { documenso, execute } from '../support/n8n';
import { credentialFor } from '../support/service';
import {
	byId,
	emailsOf,
	fillFromRow as use,
	row,
	tenants,
	tina,
	USE,
	useService,
	withId,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

const rows = tenants(5);
const everyTenant = emailsOf(rows);

describe('Retry On Fail', () => {
	test('does not create again what the first try has created', async () => {
		suite.service.fail({ match: USE, times: 1, ...refusal('Busy') });
		const { items, error } = await suite.run(use, rows, { maxTries: 3 });
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(everyTenant);
		expect(items).toHaveLength(5);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	});

	test('with Continue on Fail, where n8n runs the node again when the first item failed', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const { items } = await suite.run(use, rows, { maxTries: 3, onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error)).toEqual(rows.map(() => undefined));
		expect(suite.tenantEmails()).toEqual(everyTenant);
	});

	test('is not there: the error says how many rows are done, and what does the others only', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const { error } = await suite.run(use, rows);
		const done = documents().length;
		// The rows that were under way when one failed.
		expect(done).toBeGreaterThanOrEqual(3);
		expect(error?.description).toContain(
			`${done} of 5 items are done. To do only the others, open Executions`,
		);
	});

	test('gives up after its tries with one document for each row that could be made', async () => {
		suite.service.fail({ match: USE, times: 20, cut: 'after' });
		suite.service.fail({
			match: 'GET /envelope',
			times: 200,
			...refusal('Down'),
		});
		const { error } = await suite.run(use, rows, { maxTries: 2 });
		expect(`${error?.message} ${error?.description}`).toMatch(/The connection to Documenso|Down/);
		expect(suite.tenantEmails().length).toBeGreaterThan(0);
		expect(new Set(suite.tenantEmails()).size).toBe(suite.tenantEmails().length);
	});

	test.each([
		[
			'a deletion',
			{ resource: 'document', operation: 'delete', documentId: byId('={{ $json.id }}') },
			'POST /envelope/delete',
		],
		[
			'a copy',
			{ resource: 'document', operation: 'duplicate', documentId: byId('={{ $json.id }}') },
			'POST /envelope/duplicate',
		],
	])('%s that is done is not done again', async (_, parameters, line) => {
		const made = [await suite.document(), await suite.document(), await suite.document()];
		suite.service.fail({ match: line, ...refusal('Busy') });
		const { error } = await suite.run(
			parameters,
			made.map(({ id }) => ({ json: { id } })),
			{ maxTries: 2 },
		);
		expect(error).toBeUndefined();
		expect(calls(line)).toHaveLength(4);
	});

	test('what is done is not checked again', async () => {
		suite.service.fail({ match: USE, delayMs: 0 });
		suite.service.fail({ match: USE, times: 2, ...refusal('Busy') });
		const timer = setInterval(() => {
			if (documents().length > 0) suite.field('rent').type = 'DATE';
		}, 1);
		const rows = ['a', 'b', 'c'].map((who) => ({
			json: { 'Tenant email': `${who}@example.com`, Rent: 5 },
		}));
		const { error } = await suite.run(use, rows, { maxTries: 2 });
		clearInterval(timer);
		expect(error?.message).toBe('2 of 2 items cannot be used, so nothing more was created');
		expect(error?.description).not.toContain('Item 0');
	});
});

describe('Retry On Fail after a creation whose answer was lost', () => {
	const undone: Array<[string, Fault]> = [
		['is cut off before it takes effect', { cut: 'before' }],
		['is answered 500 instead of taking effect', { status: 500 }],
		['is answered 503 instead of taking effect', { status: 503 }],
	];

	test.each(undone)(
		'a creation that %s: there is one document for each row',
		async (_, fault) => {
			suite.service.fail({ match: USE, ...fault });
			const { items, error } = await suite.run(use, rows, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(suite.tenantEmails()).toEqual(everyTenant);
			expect(items).toHaveLength(5);
		},
		20_000,
	);

	test('a document that shows up only after the last look is found by the retry', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({
			match: 'GET /envelope',
			times: 3,
			status: 200,
			body: { data: [], currentPage: 1, totalPages: 1 },
		});
		const { error } = await suite.run(use, rows, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(everyTenant);
	});

	test('after an error of the service’s own, the retry looks, waits, looks again, and compares a draft before it sends it', async () => {
		suite.service.fail({ match: USE, ...refusal('Oops', 500) });
		const { error } = await suite.run(use, [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('GET /envelope')).toHaveLength(4);
		expect(calls('POST /envelope/distribute')).toHaveLength(1);
		expect(documents()).toHaveLength(1);
	});

	test('after a refusal the retry does not look at all', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		await suite.run(use, [row()], { maxTries: 2 });
		expect(calls('GET /envelope')).toHaveLength(0);
		expect(documents()).toHaveLength(1);
	});

	test('a retry looks for the external ID of the first try', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: 'GET /envelope', delayMs: 0 });
		suite.failSearches(3);
		const changing = { externalId: '={{ "RA-" + Math.random() }}' };
		const fail = withId({ ...changing, ifExternalIdExists: 'fail' });
		const { error } = await suite.run(fail, [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
	});

	test('an external ID that changes with every try does not make two documents', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		suite.service.fail({ match: USE, cut: 'after' });
		const changing = withId({ externalId: '={{ "RA-" + Math.random() }}' });
		const { error } = await suite.run(changing, [row()], { maxTries: 3 });
		expect(documents()).toHaveLength(1);
		expect(`${error?.message} ${error?.description}`).toContain(documents()[0]?.id);
	});

	test('a retry finds what was moved to a folder in between', async () => {
		const [folder] = await suite.outputOf({
			resource: 'folder',
			operation: 'create',
			name: 'Filed',
		});
		suite.service.fail({ match: USE, cut: 'after' });
		suite.failSearches(3);
		const mover = setInterval(
			() => documents().forEach((one) => (one.folderId = folder?.id as string)),
			20,
		);
		const { items, error } = await suite.run(use, [row()], { maxTries: 2 });
		clearInterval(mover);
		expect(error).toBeUndefined();
		expect(documents().map(({ id }) => id)).toEqual([items[0]?.json.id]);
	});

	test.each(['skip', 'fail'])(
		'%s: a retry goes on with what is its own',
		async (policy) => {
			suite.service.fail({ match: USE, cut: 'after' });
			// The search for the External ID is answered, and none of the three looks after the creation.
			suite.service.fail({ match: 'GET /envelope', delayMs: 0 });
			suite.failSearches(3);
			const { items, error } = await suite.run(withId({ ifExternalIdExists: policy }), [row()], {
				maxTries: 2,
			});
			expect(error).toBeUndefined();
			expect(documents()).toHaveLength(1);
			expect(items[0]?.json).not.toHaveProperty('alreadyExisted');
		},
		20_000,
	);
});

describe('the next turn of a loop', () => {
	test('is another run: it creates anew, and repeats nothing of the first', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const node = documenso(use, { maxTries: 2 });
		const { data } = await execute(credentialFor(suite.service), [node], rows, 2);
		expect(data.resultData.runData[node.name]).toHaveLength(2);
		expect(suite.tenantEmails()).toEqual([...everyTenant, ...everyTenant].sort());
		const externalIds = documents().map(({ externalId }) => externalId);
		expect(new Set(externalIds).size).toBe(10);
	});

	test('creates anew what the turn before could make, when that failed in part', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const node = documenso(use, { onError: 'continueRegularOutput' });
		const rows = [{ json: tina }, { json: { 'Tenant email': 'b@example.com' } }];
		await execute(credentialFor(suite.service), [node], rows, 2);
		expect(documents()).toHaveLength(3);
	});
});

test('nothing is left in the execution’s data once all is done', async () => {
	const node = documenso(use);
	const { data } = await execute(credentialFor(suite.service), [node], [{ json: tina }]);
	expect(JSON.stringify(data.executionData?.contextData)).not.toContain('envelope_');
});

describe('what would be added twice', () => {
	const add = (operation: string, resource: string, changes: IDataObject) => ({
		resource,
		operation,
		...changes,
	});
	const recipient = (id: string) =>
		add('add', 'recipient', { envelopeId: byId(id), email: 'cc@example.com', role: 'CC' });

	test.each<[string, string, (id: string) => IDataObject]>([
		['a recipient', 'POST /envelope/recipient/create-many', recipient],
		[
			'a copy',
			'POST /envelope/duplicate',
			(id) => add('duplicate', 'document', { documentId: byId(id) }),
		],
		['a folder', 'POST /folder/create', () => add('create', 'folder', { name: 'Deals' })],
	])('%s is not added again after an answer that was lost', async (_, line, parametersFor) => {
		const { id } = await suite.document();
		suite.service.fail({ match: line, cut: 'after' });
		const { error } = await suite.run(parametersFor(id), [{ json: {} }], { maxTries: 3 });
		expect(calls(line)).toHaveLength(1);
		expect(error?.message).toMatch(
			/^An earlier try failed, and is not retried: The connection to Documenso at .* failed \[item 0\]$/,
		);
	});

	test('is not added again after an error of the service’s own, which may come late', async () => {
		const { id } = await suite.document();
		const line = 'POST /envelope/recipient/create-many';
		suite.service.fail({ match: line, status: 500, takesEffect: true });
		const { error } = await suite.run(recipient(id), [{ json: {} }], { maxTries: 2 });
		expect(error?.message).toMatch(/^An earlier try failed, and is not retried/);
		expect(suite.service.store.envelopes.get(id)?.recipients).toHaveLength(2);
	});

	test('is added by a retry when only a read before it failed', async () => {
		const { id } = await suite.document('createAndSend');
		suite.service.fail({ match: `GET /envelope/${id}`, ...refusal('Busy', 500) });
		const resend = add('resend', 'document', { documentId: byId(id) });
		const { error } = await suite.run(resend, [{ json: {} }], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('POST /envelope/redistribute')).toHaveLength(1);
	});

	test('is added by a retry when the service refused it before', async () => {
		const { id } = await suite.document();
		const line = 'POST /envelope/recipient/create-many';
		suite.service.fail({ match: line, status: 429, headers: { 'retry-after': '400' } });
		const { error } = await suite.run(recipient(id), [{ json: {} }], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(suite.service.store.envelopes.get(id)?.recipients).toHaveLength(2);
	});

	test('what is not repeated is explained', async () => {
		const line = 'POST /folder/create';
		suite.service.fail({ match: line, cut: 'after' });
		const folder = { resource: 'folder', operation: 'create', name: 'Deals' };
		const { error } = await suite.run(folder, [{ json: {} }], { maxTries: 2 });
		expect(error?.description).toMatch(
			/^Documenso may have done it already, and a retry could do it twice/,
		);
	});
});
