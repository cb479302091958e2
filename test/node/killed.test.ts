import type { IDataObject } from 'n8n-workflow';

import { refusal } from '../support/refusal';
import { documenso, execute, retryCrashed } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { byId, emailsOf, fillFromRow, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const use: IDataObject = { ...fillFromRow, additionalFields: { ifExternalIdExists: 'create' } };
const suite = useService({ seed: 'demo', rateLimit: { limit: 1_000_000, windowMs: 60_000 } });
const { documents } = suite;

const rowsOf = (count: number) =>
	tenants(count).map(({ json }, row) => ({ json: { ...json, 'External ID': `C-${row}` } }));

describe('a retry of an execution during which n8n was killed', () => {
	/** For the node, it is as if n8n had been killed: what it did remains, and what it remembered is lost. */
	async function killedAfter(
		count: number,
		parameters: IDataObject,
		rows: IDataObject[],
		readAgain = rows,
	) {
		const node = documenso({ ...parameters, options: { maxInFlight: 1 } });
		suite.service.fail({ match: USE, delayMs: 0, times: count });
		suite.service.fail({ match: USE, times: 1, ...refusal('Killed') });
		const items = rows.map((json) => ({ json }));
		const credential = credentialFor(suite.service);
		const before = documents().length;
		const killed = await execute(credential, [node], items);
		expect(documents()).toHaveLength(before + count);
		suite.service.calls.length = 0;
		return async (isStartKnown = true) => {
			const again = readAgain.map((json) => ({ json }));
			const { data } = await retryCrashed(credential, [node], again, killed, {
				isStartKnown,
			});
			return data.resultData;
		};
	}
	const emails = (count: number) => emailsOf(tenants(count));

	test('finds what it created by the IDs that the node made up, with one list for all items, and waits before it creates the others', async () => {
		const rows = tenants(60);
		const retry = await killedAfter(
			35,
			use,
			rows.map(({ json }) => json),
		);
		const { error } = await retry();
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(emails(60).sort());
		expect(documents().every(({ status }) => status === 'PENDING')).toBe(true);
		const count = (line: string) => lines(suite.service).filter((one) => one === line).length;
		// The documents that were found are read 20 at a time; every other row takes a draft and its sending.
		expect(count('POST /envelope/get-many')).toBe(2);
		expect(count(USE)).toBe(25);
		expect(count('POST /envelope/distribute')).toBe(25);
		// The list is read twice before the drafts and once for each draft, because they are created one at a time here.
		expect(count('GET /envelope')).toBe(2 + 25);
	});

	test('with Skip takes what it created by the External ID, and creates the others', async () => {
		const rows = rowsOf(4).map(({ json }) => json);
		const skip = { ...use, additionalFields: { ifExternalIdExists: 'skip' } };
		const retry = await killedAfter(2, skip, rows);
		const { error } = await retry();
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(emails(4).sort());
	});

	test('with Create Anyway and IDs of the user, creates the rows without a document, and fails only those that may have one', async () => {
		const rows = rowsOf(30).map(({ json }) => json);
		const retry = await killedAfter(16, use, rows);
		const made = documents().map(({ id }) => id);
		const { error } = await retry();
		expect(error?.message).toBe('16 of 30 items cannot be used, so nothing more was created');
		for (const id of made) expect(error?.description).toContain(id);
		expect(error?.description).toContain('If there is none, run the workflow again for this item');
		expect(suite.tenantEmails()).toEqual(emails(30).sort());
	});

	test('takes nothing for its own that an earlier execution created', async () => {
		const rows = tenants(3);
		await suite.run(use, rows);
		const retry = await killedAfter(
			1,
			use,
			rows.map(({ json }) => json),
		);
		const { error } = await retry();
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual([...emails(3), ...emails(3)].sort());
	});

	test('does not send a draft again that somebody has sent since it was read', async () => {
		const rows = tenants(2).map(({ json }) => json);
		const retry = await killedAfter(1, use, rows);
		const [record] = await suite.outputOf({
			resource: 'document',
			operation: 'get',
			documentId: byId(documents()[0]?.id),
			output: 'raw',
		});
		const data = [{ ...record, status: 'DRAFT' }];
		suite.service.fail({ match: 'POST /envelope/get-many', status: 200, body: { data } });
		suite.service.calls.length = 0;
		const { error } = await retry();
		expect(error).toBeUndefined();
		expect(lines(suite.service)).toContain('POST /envelope/get-many');
		const sent = suite.service.calls.filter(({ path }) => path === '/envelope/distribute');
		expect(sent.map(({ body }) => body)).toEqual([{ envelopeId: documents()[1]?.id }]);
	});

	test('whose rows have moved fails those that may have a document already, and creates the others', async () => {
		const rows = tenants(4).map(({ json }) => json);
		const retry = await killedAfter(2, use, rows, [
			rows[3] ?? {},
			rows[0] ?? {},
			...rows.slice(1, 3),
		]);
		const made = documents().map(({ id }) => id);
		const { error } = await retry();
		expect(error?.message).toContain('2 of 4 items');
		for (const id of made) expect(error?.description).toContain(id);
		expect(suite.tenantEmails()).toEqual(emails(4).sort());
	});

	test('that cannot know when the execution began fails the items for which documents are there, and creates the others', async () => {
		const rows = tenants(5).map(({ json }) => json);
		const retry = await killedAfter(2, use, rows);
		const made = documents().map(({ id }) => id);
		const { error } = await retry(false);
		for (const id of made) expect(error?.description).toContain(id);
		expect(suite.tenantEmails()).toEqual(emails(5).sort());
	});
});
