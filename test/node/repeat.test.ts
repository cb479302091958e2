import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../emulator/http/faults';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { documenso, execute, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines } from '../support/service';
import { automatic, byId, contract, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const rowOf = (index: number) => ({ json: { 'Tenant email': `tenant${index}@example.com` } });
const rows = Array.from({ length: 5 }, (_, index) => rowOf(index));

const use: IDataObject = {
	resource: 'template',
	operation: 'createDocument',
	templateId: byId(RENTAL_AGREEMENT.id),
	templateRecipients: automatic,
};
const USE = 'POST /envelope/use';

const documents = () => suite.service.store.documents;
const states = () => documents().map(({ status }) => status);
const calls = (line: string) => lines(suite.service).filter((one) => one === line);

/** The tenants of all documents, one for each document. */
function tenants(): string[] {
	return documents()
		.map(({ recipients }) => recipients[0]?.email ?? '')
		.sort();
}
const everyTenant = rows.map(({ json }) => json['Tenant email']);

/** The template cannot be sent as long as this holds, though everything in it looks right. */
function forbidSending() {
	const [tenant] = suite.template().recipients;
	if (!tenant) throw new Error('The template has lost its recipient');
	tenant.email = '';
	tenant.authOptions = { accessAuth: ['ACCOUNT'], actionAuth: [] };
	return { ...use, templateRecipients: { mappingMode: 'defineBelow', value: {} } };
}
const placeholders = (changes: IDataObject = {}) => ({
	additionalFields: { allowPlaceholders: true, ...changes },
});

describe('a creation whose answer is lost', () => {
	const lost: Array<[string, Fault]> = [
		['is cut off after it took effect', { cut: 'after' }],
		['is cut off in the middle of its answer', { cut: 'during', afterBytes: 20 }],
		['is answered 500 after it took effect', { status: 500, takesEffect: true }],
		['is answered 502 after it took effect', { status: 502, takesEffect: true }],
		['is answered 503 after it took effect', { status: 503, takesEffect: true }],
		['is answered 504 after it took effect', { status: 504, takesEffect: true }],
		[
			'is answered with a page of a proxy after it took effect',
			{
				status: 200,
				takesEffect: true,
				body: '<html>Sign in</html>',
				headers: { 'content-type': 'text/html' },
			},
		],
		[
			'is answered with cut JSON after it took effect',
			{ status: 200, takesEffect: true, body: '{"id":"enve' },
		],
		[
			'is answered without a body after it took effect',
			{ status: 204, takesEffect: true, body: '' },
		],
	];

	test.each(lost)('%s: the row’s document is found, and no other is made', async (_, fault) => {
		suite.service.fail({ match: USE, ...fault });
		const { items, error } = await suite.run(use, rows);
		expect(error).toBeUndefined();
		expect(calls(USE)).toHaveLength(5);
		expect(tenants()).toEqual(everyTenant);
		expect(states()).toEqual(['PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING']);
		const ids = items.map(({ json }) => json.id);
		expect([...ids].sort()).toEqual(
			documents()
				.map(({ id }) => id)
				.sort(),
		);
		for (const { json } of items) {
			expect(json.recipients).toEqual(
				expect.arrayContaining([
					expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
				]),
			);
		}
	});

	const undone: Array<[string, Fault]> = [
		['is cut off before it takes effect', { cut: 'before' }],
		['is answered 500 instead of taking effect', { status: 500 }],
		['is answered 503 instead of taking effect', { status: 503 }],
	];

	test.each(undone)(
		'%s: with Retry On Fail there is one document for each row',
		async (_, fault) => {
			suite.service.fail({ match: USE, ...fault });
			const { items, error } = await suite.run(use, rows, { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(tenants()).toEqual(everyTenant);
			expect(items).toHaveLength(5);
		},
		20_000,
	);

	test('without Retry On Fail nothing is repeated, and the error says where to look', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		const { items } = await suite.run(use, rows.slice(0, 1), { onError: 'continueRegularOutput' });
		expect(calls(USE)).toHaveLength(1);
		const { externalId, description } = items[0]?.json.details as Record<string, string>;
		expect(externalId).toMatch(/^n8n:execution-\d+:.*:0:0$/);
		expect(description).toContain(`look for a document with the external ID ${externalId ?? ''}`);
	}, 20_000);

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
		expect(tenants()).toEqual(everyTenant);
	}, 20_000);

	test('a refusal of the service leaves nothing to look for', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'No' } });
		const { error } = await suite.run(use, rows.slice(0, 1));
		expect(error?.message).toBe('No');
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`, USE]);
	});
});

describe('an external ID of the user’s', () => {
	const withId = (changes: IDataObject = {}) => ({
		...use,
		additionalFields: { externalId: '={{ $json.id ?? "RA-1" }}', ...changes },
	});

	test('that older documents have, too, does not mistake them for a lost one', async () => {
		await suite.run(withId(), rows.slice(0, 1));
		const [older] = documents();
		if (older) older.createdAt = new Date(Date.now() - 600_000);
		suite.service.fail({ match: USE, cut: 'after' });
		const { items, error } = await suite.run(withId(), rows.slice(0, 1));
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(2);
		expect(items[0]?.json.id).not.toBe(older?.id);
	});

	test('that several rows share: what another row has made is not taken for a lost one', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const { items, error } = await suite.run(withId(), rows);
		expect(error).toBeUndefined();
		expect(tenants()).toEqual(everyTenant);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(5);
	});

	test('Create Anyway asks nothing', async () => {
		await suite.run(withId(), rows);
		expect(documents()).toHaveLength(5);
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	test('Skip returns the document that exists, wherever it was moved, with its status', async () => {
		const [first] = (await suite.run(withId(), rows.slice(0, 1))).items;
		const [folder] = await suite.outputOf({
			resource: 'folder',
			operation: 'create',
			name: 'Filed',
		});
		const [made] = documents();
		if (made) made.folderId = folder?.id as string;
		const { items } = await suite.run(withId({ ifExternalIdExists: 'skip' }), rows.slice(0, 1));
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			id: first?.json.id,
			status: 'PENDING',
			externalId: 'RA-1',
			alreadyExisted: true,
			recipients: expect.arrayContaining([
				expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
			]) as unknown,
		});
	});

	test('Skip makes one document for rows with the same ID, and documents for the others', async () => {
		const ids = ['A', 'B', 'A', 'C', 'B', '', 'A'];
		const items = ids.map((id, index) => ({ json: { ...rowOf(index).json, id: id || 'D' } }));
		const run = await suite.run(withId({ ifExternalIdExists: 'skip' }), items);
		expect(run.error).toBeUndefined();
		expect(
			documents()
				.map(({ externalId }) => externalId)
				.sort(),
		).toEqual(['A', 'B', 'C', 'D']);
		expect(run.items.map(({ json }) => json.externalId)).toEqual(ids.map((id) => id || 'D'));
		expect(run.items[2]?.json.id).toBe(run.items[0]?.json.id);
		expect(run.items.map(({ json }) => json.alreadyExisted ?? false)).toEqual([
			false,
			false,
			true,
			false,
			true,
			false,
			true,
		]);
	});

	test('an ID is the same only letter by letter', async () => {
		await suite.run(withId(), [{ json: { ...rows[0]?.json, id: 'RA-10' } }]);
		await suite.run(withId({ ifExternalIdExists: 'skip' }), [
			{ json: { ...rows[0]?.json, id: 'RA-1' } },
		]);
		expect(documents().map(({ externalId }) => externalId)).toEqual(['RA-10', 'RA-1']);
	});

	test('Fail refuses what exists before anything is created', async () => {
		await suite.run(withId(), rows.slice(0, 1));
		const [made] = documents();
		const items = [{ json: { ...rows[1]?.json, id: 'RA-2' } }, ...rows.slice(0, 1)];
		const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), items);
		expect(error?.message).toBe(
			`'External ID' is "RA-1", which the document ${made?.id ?? ''} (PENDING) already has [item 1]`,
		);
		expect(documents()).toHaveLength(1);
	});

	test('Fail refuses the second of two rows with the same ID', async () => {
		const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), rows.slice(0, 2));
		expect(error?.message).toBe(`'External ID' is "RA-1", which item 0 has too [item 1]`);
		expect(documents()).toHaveLength(0);
	});

	test('Skip and Fail need an ID', async () => {
		const { error } = await suite.run(
			{ ...use, additionalFields: { ifExternalIdExists: 'skip' } },
			rows.slice(0, 1),
		);
		expect(error?.message).toMatch(/^'External ID' is missing/);
		expect(documents()).toHaveLength(0);
	});

	test('Skip does not take what an earlier try of the same row has begun for something older', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		const skip = withId({ ifExternalIdExists: 'skip' });
		const { items, error } = await suite.run(skip, rows.slice(0, 1), { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).not.toHaveProperty('alreadyExisted');
	}, 20_000);
});

describe('Retry On Fail', () => {
	test('does not create again what the first try has created', async () => {
		suite.service.fail({ match: USE, times: 1, status: 400, body: { message: 'Busy' } });
		const { items, error } = await suite.run(use, rows, { maxTries: 3 });
		expect(error).toBeUndefined();
		expect(tenants()).toEqual(everyTenant);
		expect(items).toHaveLength(5);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	});

	test('with Continue on Fail, where n8n runs the node again when the first item failed', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		const { items } = await suite.run(use, rows, { maxTries: 3, onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error)).toEqual(rows.map(() => undefined));
		expect(tenants()).toEqual(everyTenant);
	});

	test('is not there: the error says how many rows are done, and what does the others only', async () => {
		suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
		const { error } = await suite.run(use, rows);
		const done = documents().length;
		// Those that were under way with the one that failed.
		expect(done).toBeGreaterThanOrEqual(3);
		expect(error?.description).toContain(
			`${done} of 5 items were done before. A retry of this execution`,
		);
	});

	test('gives up after its tries with one document for each row that could be made', async () => {
		suite.service.fail({ match: USE, times: 20, cut: 'after' });
		suite.service.fail({
			match: 'GET /envelope',
			times: 200,
			status: 400,
			body: { message: 'Down' },
		});
		const { error } = await suite.run(use, rows, { maxTries: 2 });
		expect(error?.message).toMatch(/^(The connection to Documenso|Down)/);
		expect(new Set(tenants()).size).toBe(tenants().length);
	}, 30_000);

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
		suite.service.fail({ match: line, status: 400, body: { message: 'Busy' } });
		const { error } = await suite.run(
			parameters,
			made.map(({ id }) => ({ json: { id } })),
			{ maxTries: 2 },
		);
		expect(error).toBeUndefined();
		expect(calls(line)).toHaveLength(4);
	});

	test('a document that was created and not sent is sent by the retry', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		suite.service.fail({
			match: 'POST /envelope/distribute',
			status: 400,
			body: { message: 'Busy' },
		});
		const parameters = { resource: 'document', operation: 'createAndSend', ...contract };
		const { error } = await suite.run(parameters, [item], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('POST /envelope/create')).toHaveLength(1);
		expect(states()).toEqual(['PENDING']);
	});
});

describe('a document that was made and could not be sent', () => {
	test('is kept and named unless told otherwise, with the reason that the first answer hides', async () => {
		const { error } = await suite.run({ ...forbidSending(), ...placeholders() });
		expect(error?.message).toMatch(/^Recipient \d+ requires an email because they have auth/);
		const [draft] = documents();
		expect(draft?.status).toBe('DRAFT');
		expect(error?.description).toContain(`created as ${draft?.id ?? ''}`);
	});

	test('is deleted on request, and the error says so', async () => {
		const { error } = await suite.run({
			...forbidSending(),
			...placeholders({ ifSendingFails: 'delete' }),
		});
		expect(documents()).toHaveLength(0);
		expect(error?.description).toMatch(/^The draft envelope_\w+ was deleted\./);
	});

	test('is kept where it cannot be deleted', async () => {
		suite.service.fail({ match: 'POST /envelope/delete', status: 400, body: { message: 'No' } });
		const { error } = await suite.run({
			...forbidSending(),
			...placeholders({ ifSendingFails: 'delete' }),
		});
		expect(error?.description).toContain(`created as ${documents()[0]?.id ?? ''}`);
	});

	test('is sent when only the first attempt failed', async () => {
		const body = {
			message: 'x',
			data: { appError: { code: 'DOCUMENT_SEND_FAILED', message: 'x' } },
		};
		suite.service.fail({ match: USE, status: 400, takesEffect: true, body });
		const { error } = await suite.run(use, rows.slice(0, 1));
		expect(error).toBeUndefined();
		expect(states()).toEqual(['PENDING']);
	});

	test('is not deleted while nobody knows whether it is being sent', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		suite.service.fail({ match: 'POST /envelope/distribute', cut: 'before' });
		const { error } = await suite.run(
			{
				resource: 'document',
				operation: 'createAndSend',
				...contract,
				additionalFields: { ifSendingFails: 'delete' },
			},
			[item],
		);
		expect(states()).toEqual(['DRAFT']);
		expect(error?.description).toContain(`created as ${documents()[0]?.id ?? ''}`);
	});
});

test('the next turn of a loop is another run: it creates anew, and repeats nothing of the first', async () => {
	suite.service.fail({ match: USE, status: 400, body: { message: 'Busy' } });
	const node = documenso({ resource: 'template', ...use }, { maxTries: 2 });
	const { data } = await execute(credentialFor(suite.service), [node], rows, 2);
	expect(data.resultData.runData[node.name]).toHaveLength(2);
	expect(tenants()).toEqual([...everyTenant, ...everyTenant].sort());
	const externalIds = documents().map(({ externalId }) => externalId);
	expect(new Set(externalIds).size).toBe(10);
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
			/^The connection to Documenso at .* failed in an earlier try, which is not repeated \[item 0\]$/,
		);
	});

	test('is not added again after an error of the service’s own, which may come late', async () => {
		const { id } = await suite.document();
		const line = 'POST /envelope/recipient/create-many';
		suite.service.fail({ match: line, status: 500, takesEffect: true });
		const { error } = await suite.run(recipient(id), [{ json: {} }], { maxTries: 2 });
		expect(error?.message).toMatch(/in an earlier try, which is not repeated/);
		expect(suite.service.store.envelopes.get(id)?.recipients).toHaveLength(2);
	});

	test('is added by a retry when only a read before it failed', async () => {
		const { id } = await suite.document('createAndSend');
		suite.service.fail({ match: `GET /envelope/${id}`, status: 500, body: { message: 'Busy' } });
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
});
