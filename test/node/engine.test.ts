import { startEmulator } from '../../emulator';
import { documenso, execute, itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, type Service } from '../support/service';

const TOKEN = 'api_local_emulator_only';
let service: Service;

beforeAll(async () => {
	service = await startEmulator({ latencyMs: 2 });
});
beforeEach(async () => {
	await service.reset();
});
afterAll(async () => {
	await service.close();
});

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { row: index } }));
const byId = (id: unknown) => ({ __rl: true, mode: 'id', value: id });
const getById = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };
const cancelById = { ...getById, operation: 'cancel' };

async function run(parameters: object, items: Array<{ json: object }>, setup = {}) {
	return await runNode(credentialFor(service), parameters as never, items as never, setup);
}

/** Drafts titled "Draft 0" and so on. */
async function drafts(count: number): Promise<string[]> {
	const item = await itemWith({ data: { content: await pdf() } });
	const items = rows(count).map(({ json }) => ({ ...item, json }));
	const parameters = { resource: 'document', operation: 'create', title: '=Draft {{ $json.row }}' };
	const { items: made, error } = await run(parameters, items);
	if (error) throw error;
	return made.map(({ json }) => json.id as string);
}

describe('items', () => {
	test('come out in the order in which they went in, each paired with its own', async () => {
		const ids = await drafts(30);
		const { items } = await run(
			cancelById,
			ids.map((id) => ({ json: { id } })),
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows(30).map((_, item) => ({ item })),
		);
		const { items: read } = await run(
			getById,
			ids.map((id) => ({ json: { id } })),
		);
		expect(read.map(({ json }) => json.title)).toEqual(rows(30).map((_, row) => `Draft ${row}`));
	});

	test('after a failure nothing more is started', async () => {
		const unknown = rows(40).map(() => ({ json: { id: 'envelope_unknownunknownun' } }));
		const { error } = await run({ ...cancelById, options: { maxInFlight: 4 } }, unknown);
		expect(error).toMatchObject({
			httpCode: '404',
			context: { itemIndex: 0 },
		});
		const cancelled = lines(service).filter((line) => line === 'POST /envelope/cancel');
		expect(cancelled.length).toBeLessThanOrEqual(4);
	});
});

describe('lists', () => {
	test.each([0, -1, 1.5, '={{ null }}', '={{ "many" }}'])(
		'a limit of %j is refused',
		async (limit) => {
			const { error } = await run({ ...list, limit }, [{ json: {} }]);
			expect(error?.message).toMatch(/^'Limit' is (below 1|not a|missing)/);
			expect(lines(service)).toEqual([]);
		},
	);

	test('an answer that does not say how many pages there are is an error, not a short list', async () => {
		service.fail({ match: 'GET /envelope', status: 200, body: { data: [] } });
		const { error } = await run({ ...list, returnAll: true }, [{ json: {} }]);
		expect(error?.message).toBe("Documenso's answer could not be read");
	});

	test('an empty page ends a list, whatever the number of pages is said to be', async () => {
		service.fail({ match: 'GET /envelope', status: 200, body: { data: [], totalPages: 1e9 } });
		const { items } = await run({ ...list, returnAll: true }, [{ json: {} }]);
		expect(items).toEqual([]);
		expect(lines(service)).toHaveLength(1);
	});

	const list = { resource: 'document', operation: 'getAll', searchIn: 'root' };

	test('end at the limit, also within a page', async () => {
		await drafts(105);
		service.calls.length = 0;
		const { items } = await run({ ...list, limit: 103 }, [{ json: {} }]);
		expect(items).toHaveLength(103);
		expect(service.calls.map(({ query }) => query.page)).toEqual(['1', '2']);
		const { items: all } = await run({ ...list, returnAll: true }, [{ json: {} }]);
		expect(new Set(all.map(({ json }) => json.id)).size).toBe(105);
	});

	test('pair each result with the item that asked for it', async () => {
		await drafts(3);
		const asking = [{ json: { text: 'Draft 2' } }, { json: { text: 'Draft' } }];
		const { items } = await run({ ...list, filters: { query: '={{ $json.text }}' } }, asking);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 1, 1].map((item) => ({ item })),
		);
	});
});

describe('Continue On Fail', () => {
	test('a failing item fails alone, with status, code and message', async () => {
		const [id] = await drafts(1);
		const items = [
			{ json: { id: 'envelope_unknownunknownun' } },
			{ json: { id } },
			{ json: { id: '' } },
		];
		const { items: out } = await run(
			{ resource: 'document', operation: 'delete', documentId: byId('={{ $json.id }}') },
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(out).toEqual([
			{
				json: {
					error: 'There is no document with the ID envelope_unknownunknownun',
					details: {
						status: 404,
						code: 'NOT_FOUND',
						description: expect.stringContaining('Check the ID') as string,
					},
				},
				pairedItem: { item: 0 },
			},
			{ json: { id, deleted: true }, pairedItem: { item: 1 } },
			{
				json: {
					error: "'Document' is empty [item 2]",
					details: { description: 'Correct the value, or the expression that gives it.' },
				},
				pairedItem: { item: 2 },
			},
		]);
	});

	test('the error output gets the failed item with what it came with', async () => {
		const [id] = await drafts(1);
		const items = [{ json: { id, row: 1 } }, { json: { id: 'envelope_unknownunknownun', row: 2 } }];
		const node = documenso(getById, { onError: 'continueErrorOutput' });
		const { data } = await execute(credentialFor(service), [node], items);
		const outputs = data.resultData.runData.Documenso?.[0]?.data?.main ?? [];
		expect(outputs[0]).toMatchObject([{ json: { id } }]);
		expect(outputs[1]).toMatchObject([
			{
				json: {
					row: 2,
					error: 'There is no document with the ID envelope_unknownunknownun',
					details: { status: 404 },
				},
			},
		]);
	});
});

describe('what concerns all items', () => {
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'fails each of them under %s, instead of letting them pass as done',
		async (onError) => {
			const items = [{ json: { row: 1 } }, { json: { row: 2 } }];
			const parameters = { resource: 'document', operation: 'getAll' };
			for (const [credential, changes] of [
				[credentialFor(service, { baseUrl: 'nonsense' }), {}],
				[credentialFor(service), { operation: 'nope' }],
			] as const) {
				const node = { ...parameters, ...changes };
				const run = await runNode(credential, node, items, { onError });
				const failed = onError === 'continueErrorOutput' ? run.errorItems : run.items;
				expect(failed.map(({ json }) => typeof json.error)).toEqual(['string', 'string']);
				expect(onError === 'continueErrorOutput' ? run.items : []).toEqual([]);
			}
		},
	);
});

describe('many reads by id', () => {
	test('are retried like any read, although they are sent by POST', async () => {
		const ids = await drafts(2);
		service.calls.length = 0;
		service.fail({ match: 'POST /envelope/get-many', status: 502, body: 'Bad gateway' });
		const { error } = await run(
			getById,
			ids.map((id) => ({ json: { id } })),
		);
		expect(error).toBeUndefined();
		expect(lines(service)).toHaveLength(2);
	});

	test('are collapsed into one request for every twenty ids', async () => {
		const ids = await drafts(45);
		service.calls.length = 0;
		const { items } = await run(
			getById,
			ids.map((id) => ({ json: { id } })),
		);
		expect(lines(service)).toEqual(Array(3).fill('POST /envelope/get-many'));
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});

	test('ask for the same id once', async () => {
		const [one, two] = await drafts(2);
		service.calls.length = 0;
		const items = [one, two, one, one].map((id) => ({ json: { id } }));
		const { items: out } = await run(getById, items);
		expect(service.calls.map(({ body }) => body)).toEqual([
			{ ids: { type: 'envelopeId', ids: [one, two] } },
		]);
		expect(out).toHaveLength(4);
	});

	test('an unknown id fails only its own item, with the service’s own error', async () => {
		const ids = await drafts(2);
		const items = [ids[0], 'envelope_unknownunknownun', 'nonsense', ids[1]].map((id) => ({
			json: { id },
		}));
		const { items: out } = await run(getById, items, { onError: 'continueRegularOutput' });
		expect(out.map(({ json }) => json.id ?? json.error)).toEqual([
			ids[0],
			'There is no document with the ID envelope_unknownunknownun',
			'\'Document\' is "nonsense", but an ID starts with envelope_ [item 2]',
			ids[1],
		]);
	});
});

describe('a service in trouble', () => {
	test('a 429 is waited out by all items together, and every row is done once', async () => {
		service.fail({
			match: 'POST /envelope/create',
			status: 429,
			headers: { 'retry-after': '1' },
			body: { error: 'Too many requests' },
		});
		const ids = await drafts(12);
		expect(new Set(ids).size).toBe(12);
		expect(service.store.documents).toHaveLength(12);
		// One is refused, and one document is read for its team.
		expect(lines(service)).toHaveLength(14);
	});

	test('a 429 without a time is a spent quota, and final', async () => {
		service.fail({ match: 'GET /envelope', status: 429, body: { error: 'Fair use' } });
		const { error } = await run({ resource: 'document', operation: 'getAll', searchIn: 'root' }, [
			{ json: {} },
		]);
		const message = 'The monthly quota of the Documenso plan is used up';
		expect(error).toMatchObject({ message, httpCode: '429' });
		expect(error?.description).toContain('Documenso says: Fair use.');
		expect(lines(service)).toHaveLength(1);
	});

	test.each([502, 503, 504])('a read is repeated after a %s', async (status) => {
		service.fail({ match: 'GET /envelope', status, body: 'Bad gateway' });
		const { error } = await run({ resource: 'document', operation: 'getAll', searchIn: 'root' }, [
			{ json: {} },
		]);
		expect(error).toBeUndefined();
		expect(lines(service)).toHaveLength(2);
	});

	test.each([500, 502, 503, 504])('a change is not repeated after a %s', async (status) => {
		const [id] = await drafts(1);
		service.calls.length = 0;
		service.fail({ match: 'POST /envelope/cancel', status, body: '<html>Bad gateway</html>' });
		const { error } = await run(cancelById, [{ json: { id } }]);
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(lines(service)).toEqual(['POST /envelope/cancel']);
	});

	test('a change whose answer was lost is not repeated, and the error says that it may have happened', async () => {
		const [id] = await drafts(1);
		service.calls.length = 0;
		service.fail({ match: 'POST /envelope/cancel', cut: 'after' });
		const { error } = await run(cancelById, [{ json: { id } }]);
		expect(error?.message).toMatch(/^The connection to Documenso at 127\.0\.0\.1:\d+ failed$/);
		expect(error?.description).toContain('Documenso may have done it nevertheless');
		expect(error?.description).toContain('ECONNRESET');
		expect(lines(service)).toEqual(['POST /envelope/cancel']);
	});

	test('a page of a proxy’s instead of an answer is an error, not an empty result', async () => {
		service.fail({
			match: 'GET /envelope',
			status: 200,
			headers: { 'content-type': 'text/html' },
			body: '<html>Log in</html>',
		});
		const { error } = await run({ resource: 'document', operation: 'getAll', searchIn: 'root' }, [
			{ json: {} },
		]);
		expect(error?.message).toBe("The base URL in the credential does not lead to Documenso's API");
	});
});

describe('the token', () => {
	test('is sent as it is, with a content type and a body on every change', async () => {
		await drafts(1);
		const id = service.store.documents[0]?.id;
		await run(cancelById, [{ json: { id } }]);
		for (const { method, headers, body } of service.calls) {
			expect(headers.authorization).toBe(TOKEN);
			if (method === 'GET') continue;
			expect(headers['content-type']).toMatch(
				/^(application\/json|multipart\/form-data; boundary=)/,
			);
			expect(body).toBeDefined();
		}
	});

	test.each([
		['is wrong', { apiToken: 'api_some_other_secret' }, '401'],
		['meets no service', { baseUrl: 'http://127.0.0.1:1' }, null],
	])('is not in the error when it %s', async (_, changes, httpCode) => {
		const credential = credentialFor(service, changes);
		const parameters = {
			resource: 'document',
			operation: 'cancel',
			documentId: byId('envelope_abcdefghijklmnop'),
		};
		const { data } = await execute(credential, [documenso(parameters)], [{ json: {} }]);
		const { error } = data.resultData;
		expect(error).toMatchObject({ httpCode });
		const everything =
			JSON.stringify(data) + JSON.stringify(error, Object.getOwnPropertyNames(error ?? {}));
		expect(everything).not.toContain(credential.apiToken);
	});

	test.each([
		'',
		'app.documenso.com',
		'ftp://app.documenso.com',
		'https://',
		'https://a b.co',
		'https://x.co?y=1',
		'http://[',
		'http://localhost:99999',
	])('is not sent anywhere while the base URL is %j', async (baseUrl) => {
		const { error } = await runNode(credentialFor(service, { baseUrl }), {
			resource: 'document',
			operation: 'getAll',
			searchIn: 'root',
		});
		expect(error?.message).toMatch(
			/^The base URL in the credential (is empty|is not a URL|does not begin with)/,
		);
	});

	test('works below a sub-path too', async () => {
		const below = await startEmulator({ basePath: '/sign' });
		try {
			const credential = credentialFor(below, { baseUrl: `${below.url}/api/v2/` });
			const { error } = await runNode(credential, {
				resource: 'document',
				operation: 'getAll',
				searchIn: 'root',
			});
			expect(error).toBeUndefined();
			expect(lines(below)).toEqual(['GET /envelope']);
		} finally {
			await below.close();
		}
	});
});

test('an operation that does not exist is an error that says what to do', async () => {
	const { error } = await run({ resource: 'document', operation: '__CUSTOM_API_CALL__' }, [
		{ json: {} },
	]);
	expect(error?.message).toBe(
		"The resource 'document' has no operation '__CUSTOM_API_CALL__' [item 0]",
	);
	expect(error?.description).toContain('HTTP Request node');
});
