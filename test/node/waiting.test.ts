import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { clock } from '../../nodes/shared/api/clock';
import { hurry, realClock } from '../support/hurry';
import {
	documenso,
	execute,
	hookContext,
	NODE_TYPE,
	resumeAt,
	resumeWaiting,
	retryExecution,
	triggerPlace,
	type Setup,
	type TriggerPlace,
} from '../support/n8n';
import { beforeCall } from '../support/polling';
import { refusal } from '../support/refusal';
import { serveResumption, type Answer } from '../support/resumption';
import { credentialFor } from '../support/service';
import {
	fillFromRow,
	mapped,
	step,
	tenants,
	tenantsWithIds,
	USE,
	useService,
	wholeRow,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

const urlOf = (id: unknown) => `${credential().baseUrl}/t/demo/documents/${String(id)}`;

const waiting = { ...fillFromRow, operation: 'createDocumentUntilSigned' };
const UPDATE = 'POST /envelope/update';
const READ = 'POST /envelope/get-many';

const credential = () => credentialFor(suite.service);
const ofNode = (run: IRun) => Object.values(run.data.resultData.runData).at(-1)?.at(-1);
const itemsOf = (run: IRun): INodeExecutionData[] => ofNode(run)?.data?.main?.[0] ?? [];

async function wait(rows: INodeExecutionData[], parameters: IDataObject = {}, setup: Setup = {}) {
	const node = documenso({ ...waiting, ...parameters }, setup);
	const run = await execute(credential(), [node], rows);
	return { run, nudge: async () => await resumeWaiting(credential(), node, run) };
}

const skip = { additionalFields: { ifExternalIdExists: 'skip' } };

/** Documents that another workflow has sent, as the rows that find them with Skip. */
async function sentBefore(count: number): Promise<INodeExecutionData[]> {
	const rows = tenantsWithIds(count);
	await suite.outputOf({ ...fillFromRow, ...skip }, rows);
	suite.service.calls.length = 0;
	return rows;
}

test('the node shows its documents, and the execution waits for 30 days', async () => {
	const { run } = await wait(tenants(2));
	expect(run.status).toBe('waiting');
	const days = (Number(run.waitTill) - clock.now()) / 86_400_000;
	expect(Math.round(days)).toBe(30);
	expect(itemsOf(run).map(({ json }) => json.waitingFor)).toEqual(
		documents().map(({ recipients }) => recipients.map(({ email }) => email)),
	);
	expect(itemsOf(run).map(({ json }) => json.url)).toEqual(documents().map(({ id }) => urlOf(id)));
});

/** What n8n returns while the execution waits, for example to the form that started it, and what it returns in the end. */
const allItemsOf = ({ run, shown }: { run: IRun; shown?: unknown }) =>
	JSON.stringify([itemsOf(run), run.data.executionData?.nodeExecutionStack, shown]);

const tokens = () => documents().flatMap(({ recipients }) => recipients.map(({ token }) => token));

test.each<[string, INodeExecutionData[], Setup]>([
	['', tenants(2), {}],
	[
		', if one item failed and the others wait',
		[...tenants(1), { json: { 'Tenant email': 'nobody' } }],
		{ onError: 'continueRegularOutput' },
	],
])(
	'nothing that n8n stores of an execution that waits lets anybody sign%s',
	async (_, rows, setup) => {
		const { run } = await wait(rows, {}, setup);
		expect(run.status).toBe('waiting');
		expect(tokens()).toHaveLength(2 * documents().length);
		expect(tokens()).not.toEqual([]);
		for (const token of tokens()) expect(JSON.stringify(run.data)).not.toContain(token);
	},
);

test('whoever filled in the form that the workflow answers gets no signing links', async () => {
	const { run, nudge } = await wait(tenants(2));
	const secrets = tokens();
	for (const { id } of documents()) await suite.complete(id);
	const shown = (await nudge()).workflowData;
	expect(shown?.[0]).toHaveLength(2);
	for (const token of secrets) expect(allItemsOf({ run, shown })).not.toContain(token);
	expect(itemsOf(run)[0]?.json.recipients).toMatchObject([{ email: 'tenant0@example.com' }, {}]);
});

test('with Signing Links in Add to Output, the node shows them', async () => {
	const { run } = await wait(tenants(2), { addToOutput: ['signingLinks'] });
	const links = itemsOf(run).map(({ json }) => JSON.stringify(json.recipients));
	documents().forEach(({ recipients }, index) => {
		expect(links[index]).toContain(`/sign/${recipients[0]?.token}"`);
	});
});

test('a 404 of a proxy is no deletion, and the wait goes on', async () => {
	const { run, nudge } = await wait(tenants(1));
	expect(run.status).toBe('waiting');
	const id = documents()[0]?.id;
	suite.service.fail({ match: READ, status: 200, body: { data: [] } });
	suite.service.fail({ match: `GET /envelope/${id}`, status: 404, body: { message: 'No route' } });
	const { workflowData } = await nudge();
	expect(workflowData).toBeUndefined();
	await suite.complete(id ?? '');
	expect((await nudge()).workflowData?.[0]?.[0]?.json).toMatchObject({ outcome: 'completed' });
});

test('whoever sees a document does not see how to resume the execution', async () => {
	const { run } = await wait(tenants(1));
	const { resumeToken } = run.data;
	const [{ externalId } = { externalId: '' }] = documents();
	expect(externalId).toContain('n8n-wait:');
	expect(resumeToken).toHaveLength(64);
	expect(externalId).not.toContain(resumeToken);
	expect(JSON.stringify(itemsOf(run))).not.toContain('n8n-wait:');
});

test("an agent's tool cannot wait, and creates nothing", async () => {
	const node = { ...documenso(waiting), type: `${NODE_TYPE}Tool` };
	const run = await execute(credential(), [node], tenants(1));
	expect(run.data.resultData.error?.message).toContain("An agent's tool cannot wait");
	expect(suite.service.calls).toHaveLength(0);
});

describe('a nudge', () => {
	test('changes nothing as long as a document is open, and then outputs all of them', async () => {
		const { nudge } = await wait(tenants(2));
		const [first, second] = documents();
		await suite.complete(first?.id ?? '');
		const early = await nudge();
		expect(early.workflowData).toBeUndefined();
		expect(early.webhookResponse).toMatchObject({
			isUnknown: false,
			isOver: false,
			seen: { [first?.id ?? '']: { isFinished: true }, [second?.id ?? '']: { isFinished: false } },
		});
		await suite.complete(second?.id ?? '');
		const { workflowData } = await nudge();
		expect(workflowData?.[0]).toMatchObject([
			{
				json: { outcome: 'completed', id: first?.id, url: urlOf(first?.id) },
				pairedItem: { item: 0 },
			},
			{ json: { outcome: 'completed', id: second?.id }, pairedItem: { item: 1 } },
		]);
	});

	test('leaves the markers: if n8n is killed before it has stored that the wait is over, another nudge is needed', async () => {
		const { nudge } = await wait(tenants(1));
		const [document] = documents();
		const { externalId } = document ?? {};
		await suite.complete(document?.id ?? '');
		const answer = await nudge();
		expect(answer.workflowData).toHaveLength(1);
		// The trigger that sent it removes them, with what it is told here.
		expect(answer.webhookResponse).toMatchObject({
			isOver: true,
			seen: { [document?.id ?? '']: { externalId, isFinished: true } },
		});
		expect(externalId).toContain('n8n-wait:');
		expect(documents()[0]?.externalId).toBe(externalId);
		expect(calls(UPDATE)).toHaveLength(0);
	});

	test('takes one request while a hundred documents are open, not one for each twenty', async () => {
		const { nudge } = await wait(tenants(100));
		suite.service.calls.length = 0;
		await nudge();
		expect(calls(READ)).toHaveLength(1);
	});

	test.each([
		['quotes and braces', `Sign "now" }} {{ 'Bob\\'s' }`],
		['a word that n8n refuses in expressions', 'Contrato del Sr. constructor'],
		['an emoji and the end of a line', 'Sign ✍\u{1f600}\u2028now'],
	])('reaches a node whose name has %s', async (_, name) => {
		const { nudge } = await wait(tenants(1), {}, { name });
		await suite.complete(documents()[0]?.id ?? '');
		expect((await nudge()).workflowData?.[0]).toMatchObject([{ json: { outcome: 'completed' } }]);
	});

	test('with another token, which does not see the document, is no deletion', async () => {
		const { run } = await wait(tenants(1));
		const id = documents()[0]?.id ?? '';
		const node = documenso(waiting);
		const read = async () => await resumeWaiting(credential(), node, run);
		const { envelopes } = suite.service.store;
		const document = envelopes.get(id);
		const other = { ...credential(), apiToken: `${credential().apiToken} ` };
		envelopes.delete(id);
		expect(await resumeWaiting(other, node, run)).toEqual({ webhookResponse: { isUnknown: true } });
		expect((await read()).workflowData?.[0]).toMatchObject([{ json: { outcome: 'deleted' } }]);
		if (document) envelopes.set(id, document);
		await suite.complete(id);
		const { workflowData } = await resumeWaiting(other, node, run);
		expect(workflowData?.[0]).toMatchObject([{ json: { outcome: 'completed' } }]);
	});

	describe('that lets many files be fetched', () => {
		const signedFiles = { addToOutput: ['signedFiles'] };
		// What takes five minutes takes a third of a second.
		beforeAll(() => {
			clock.timeout = (milliseconds) => realClock.timeout(milliseconds / 1000);
		});
		afterAll(() => {
			clock.timeout = realClock.timeout;
		});

		function slowDownloads(milliseconds: number) {
			const downloads: string[] = [];
			suite.service.intercept('GET /envelope/item/*/download', async ({ pass }) => {
				downloads.push('one');
				await realClock.sleep(milliseconds);
				return await pass();
			});
			return downloads;
		}

		test('gives them more time than the look whether the wait is over', async () => {
			const { nudge } = await wait(tenants(1), signedFiles);
			await suite.complete(documents()[0]?.id ?? '');
			slowDownloads(600);
			const [item] = (await nudge()).workflowData?.[0] ?? [];
			expect(item?.json).not.toHaveProperty('missing');
			expect(Object.keys(item?.binary ?? {})).toHaveLength(1);
		});

		test('is the only one that fetches them', async () => {
			const { nudge } = await wait(tenants(1), signedFiles);
			await suite.complete(documents()[0]?.id ?? '');
			const downloads = slowDownloads(200);
			const answers = await Promise.all([nudge(), nudge()]);
			const [done, other] = answers.sort((one) => (one.workflowData ? -1 : 1));
			expect(done.workflowData?.[0]).toMatchObject([{ json: { outcome: 'completed' } }]);
			expect(other.webhookResponse).toEqual({ isUnknown: true });
			expect(downloads).toHaveLength(1);
			expect((await nudge()).workflowData).toHaveLength(1);
		});
	});

	test.each([
		['an error', { status: 500 }],
		['a refusal', { status: 401 }],
		['a page', { status: 200, body: '<html>Sign in</html>' }],
		['something else', { status: 200, body: { data: [{ id: 7 }] } }],
		['nothing', { cut: 'before' as const }],
	])('to which Documenso answers %s keeps the execution waiting', async (_, fault) => {
		const { nudge } = await wait(tenants(1));
		await suite.complete(documents()[0]?.id ?? '');
		suite.service.fail({ match: READ, times: 100, ...fault });
		expect(await nudge()).toEqual({ webhookResponse: { isUnknown: true } });
	});
});

test('the values come with what signers made of those that were filled in beforehand', async () => {
	Object.assign(suite.field('address').fieldMeta ?? {}, { required: false });
	const { nudge } = await wait(tenants(1), { addToOutput: ['values'] });
	await suite.complete(documents()[0]?.id ?? '', { Rent: '950', Address: null });
	const by = { name: 'Tenant 0', email: 'tenant0@example.com' };
	expect((await nudge()).workflowData?.[0]?.[0]?.json).toMatchObject({
		values: { Rent: '950' },
		changedBySigner: [
			{ field: 'Address', signed: null, by },
			{ field: 'Rent', signed: '950', by },
		],
	});
});

test('what everyone has signed goes on without values that cannot be read, and names them', async () => {
	const { nudge } = await wait(tenants(1), { addToOutput: ['values'] });
	const [document] = documents();
	await suite.complete(document?.id ?? '');
	Object.assign(document?.fields[0] ?? {}, { fieldMeta: { type: 'text', label: null } });
	const missing = [{ part: 'values', reason: "Documenso's answer could not be read" }];
	expect((await nudge()).workflowData?.[0]).toMatchObject([
		{ json: { outcome: 'completed', missing } },
	]);
});

test('a time that no date can hold is refused before anything is created', async () => {
	const { run } = await wait(tenants(1), { resumeAmount: 1e12 });
	expect(run.data.resultData.error?.message).toContain("'Wait For' is too long");
	expect(suite.service.calls).toHaveLength(0);
});

test('a document that is gone before the wait begins keeps its ID', async () => {
	const restore = beforeCall(suite.service, (line) => {
		if (!line.startsWith(READ)) return;
		restore();
		suite.service.store.envelopes.delete(documents()[0]?.id ?? '');
	});
	const { run } = await wait(tenants(2));
	expect(run.status).toBe('waiting');
	const [gone, open] = itemsOf(run).map(({ json }) => json);
	expect(gone).toEqual({ id: expect.stringMatching(/^envelope_/) as string });
	expect(open).toMatchObject({ id: documents()[0]?.id, status: 'PENDING' });
});

test.each([1, 2])(
	'a document that was just sent, and that a copy of the database lacks in %i readings, is waited for',
	async (lacking) => {
		const { envelopes } = suite.service.store;
		let sent: ReturnType<typeof documents> = [];
		let readings = 0;
		const restore = beforeCall(suite.service, (line) => {
			if (!line.startsWith(READ)) return;
			readings += 1;
			if (readings > lacking) for (const document of sent) envelopes.set(document.id, document);
			if (sent.length > 0) return;
			sent = documents();
			for (const { id } of sent) envelopes.delete(id);
		});
		const { run } = await wait(tenants(1));
		restore();
		expect(run.status).toBe('waiting');
	},
);

test('what was finished before the wait began has what it can have at the end of the time limit', async () => {
	const fresh = tenantsWithIds(3).slice(2);
	const rows = await sentBefore(2);
	await suite.complete(documents()[0]?.id ?? '');
	await suite.service.reject(documents()[1]?.recipients[0]?.token ?? '', 'Too dear');
	const parameters = { ...skip, addToOutput: ['values', 'signedFiles'] };
	const { run } = await wait([...rows, ...fresh], parameters);
	expect(run.data.resultData.error).toBeUndefined();
	expect(run.status).toBe('waiting');
	const [input] = run.data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
	expect(input?.map(({ json }) => json)).toMatchObject([
		{
			...{ outcome: 'completed', values: { Rent: '1000' } },
			missing: [
				{ part: 'signedFiles', reason: expect.stringContaining('Document: Download') as string },
			],
		},
		{ outcome: 'rejected', rejection: { reason: 'Too dear' } },
		{ outcome: 'timeLimit', status: 'PENDING' },
	]);
});

test('an execution does not wait for a document that was finished just before its marker was there', async () => {
	const rows = await sentBefore(1);
	const restore = beforeCall(suite.service, (line) => {
		if (!line.startsWith(UPDATE)) return;
		restore();
		void suite.service.reject(documents()[0]?.recipients[0]?.token ?? '', 'Too late');
	});
	const { run } = await wait(rows, skip);
	expect(run.status).toBe('success');
	const rejection = { reason: 'Too late', rejectedAt: expect.any(String) as string };
	expect(itemsOf(run)).toMatchObject([
		{ json: { outcome: 'rejected', id: documents()[0]?.id, rejection } },
	]);
	expect(calls(UPDATE)).toHaveLength(2);
	expect(documents()[0]?.externalId).not.toContain('n8n-wait:');
});

test('a marker that another execution has overwritten is written again before the execution waits', async () => {
	const restore = beforeCall(suite.service, (line) => {
		if (!line.startsWith(READ)) return;
		restore();
		Object.assign(documents()[0] ?? {}, { externalId: 'CRM-8' });
	});
	const { run } = await wait(tenants(1));
	expect(run.status).toBe('waiting');
	expect(documents()[0]?.externalId).toMatch(/^CRM-8 n8n-wait:/);
	expect(calls(UPDATE)).toHaveLength(1);
	expect(calls(READ)).toHaveLength(2);
});

test.each([
	['at once needs no look at the audit log in the end', 0, false],
	['seconds after its document was read needs one: it may have replaced another', 400, true],
])('a marker that is written %s', async (_, delayMs, isDoubtful) => {
	const rows = await sentBefore(1);
	suite.service.fail({ match: UPDATE, delayMs });
	const { nudge } = await wait(rows, skip);
	expect((await nudge()).webhookResponse).toMatchObject({ isDoubtful });
});

test('an external ID that something else changes all the time does not keep the node busy for ever', async () => {
	const restore = beforeCall(suite.service, (line) => {
		if (line.startsWith(READ)) Object.assign(documents()[0] ?? {}, { externalId: 'CRM-8' });
	});
	const { run } = await wait(tenants(1));
	restore();
	expect(run.status).toBe('waiting');
	expect(calls(UPDATE)).toHaveLength(3);
});

test("Document: Update with an External ID keeps the markers of executions that wait, within Documenso's limit", async () => {
	await wait(tenants(1));
	const [document] = documents();
	const marker = /n8n-wait:.*/.exec(document?.externalId ?? '')?.[0] ?? '';
	const update = async (externalId: string) =>
		await suite.run(
			step('document.update', { documentId: document?.id }, { updateFields: { externalId } }),
		);
	const { items } = await update('CRM-9');
	expect(items[0]?.json.externalId).toBe('CRM-9');
	expect(documents()[0]?.externalId).toBe(`CRM-9 ${marker}`);
	await update('');
	expect(documents()[0]?.externalId).toBe(marker);
	const room = 255 - ` ${marker}`.length;
	expect((await update('x'.repeat(room))).error).toBeUndefined();
	expect((await update('x'.repeat(room + 1))).error?.message).toBe(
		"'External ID' is too long by 1, because executions wait for this document and have added some [item 0]",
	);
	expect(documents()[0]?.externalId).toBe(`${'x'.repeat(room)} ${marker}`);
});

describe('a document for which two executions wait already', () => {
	const called: string[] = [];
	const states = new Map<string, Answer>();
	let n8n: Awaited<ReturnType<typeof serveResumption>>;
	beforeAll(async () => {
		n8n = await serveResumption(called, (executionId) => states.get(executionId) ?? 'nothing');
		resumeAt(n8n.address);
	});
	afterAll(() => n8n.close());
	beforeEach(() => {
		called.length = 0;
		states.clear();
	});

	const hasFinished: Answer = { status: 409, body: { message: 'The execution has finished.' } };
	const waits: Answer = { status: 200, body: { isUnknown: false, isOver: false, seen: {} } };
	/** The executions whose markers the document has. */
	const waitingFor = () => {
		const markers = documents()[0]?.externalId?.matchAll(/n8n-wait:[^:]+:([^:]+):/g) ?? [];
		return [...markers].map(([, executionId]) => executionId);
	};
	const row = [{ json: { ...tenants(1)[0]?.json, 'External ID': 'CRM-7' } }];

	test('can be waited for again when n8n says that one has ended', async () => {
		await wait(row, skip);
		await wait(row, skip);
		const [first = '', second = ''] = waitingFor();
		states.set(first, hasFinished).set(second, waits);
		const { run } = await wait(row, skip);
		expect(run.status).toBe('waiting');
		expect(waitingFor()).toHaveLength(2);
		expect(waitingFor()).not.toContain(first);
		expect(waitingFor()).toContain(second);
		expect(documents()[0]?.externalId).toMatch(/^CRM-7 /);
	});

	test.each<[string, Answer]>([
		['both still wait', waits],
		['n8n does not answer', 'nothing'],
	])('is not marked a third time while %s', async (_, state) => {
		await wait(row, skip);
		await wait(row, skip);
		const before = waitingFor();
		for (const executionId of before) states.set(executionId ?? '', state);
		const { run } = await wait(row, skip);
		expect(run.data.resultData.error?.message).toBe(
			`'External ID' of the document ${documents()[0]?.id} has no room for the characters that the node adds while it waits`,
		);
		expect(waitingFor()).toEqual(before);
		expect(called.length).toBe(2);
	});

	test('is waited for in a retry, if the documents could not be read after they were sent', async () => {
		suite.service.fail({ match: READ, ...refusal('Something went wrong', 500) });
		const { run } = await wait(row, skip);
		const { message, description } = run.data.resultData.error ?? {};
		expect(message).toBe('Something went wrong');
		expect(description).toMatch(
			/^The documents of this run were sent, .* choose Retry: that sends nothing again/,
		);
		states.set(waitingFor()[0] ?? '', hasFinished);
		const node = documenso({ ...waiting, ...skip });
		expect((await retryExecution(credential(), [node], run)).status).toBe('waiting');
		expect(calls(USE)).toHaveLength(1);
		expect(waitingFor()).toHaveLength(2);
	});

	test('keeps nobody from waiting for a new one', async () => {
		await wait(row, skip);
		await wait(row, skip);
		for (const executionId of waitingFor()) states.set(executionId ?? '', waits);
		const other = { json: { ...tenants(2)[1]?.json, 'External ID': 'CRM-8' } };
		const { run } = await wait([...row, other], skip);
		expect(run.status).toBe('waiting');
		expect(documents()[1]?.externalId).toMatch(/^CRM-8 n8n-wait:/);
		const hints = ofNode(run)?.hints?.map(({ message }) => message) ?? [];
		expect(hints.find((hint) => hint.includes('could not be marked'))).toContain(
			documents()[0]?.id,
		);
	});

	test('keeps nobody from waiting for another that was sent before', async () => {
		const other = { json: { ...tenants(2)[1]?.json, 'External ID': 'CRM-8' } };
		await wait([...row, other], skip);
		await wait(row, skip);
		for (const executionId of waitingFor()) states.set(executionId ?? '', waits);
		const { run } = await wait([...row, other], skip);
		expect(run.status).toBe('waiting');
		expect(documents()[1]?.externalId?.match(/n8n-wait:/g)).toHaveLength(2);
	});

	test('is not asked about while there is room', async () => {
		await wait(row, skip);
		await wait(row, skip);
		expect(called).toEqual([]);
	});
});

describe('an External ID', () => {
	const externalId = (length: number) => [
		{ json: { ...tenants(1)[0]?.json, 'External ID': 'x'.repeat(length) } },
	];

	test('of 137 characters leaves room for what the node adds', async () => {
		const { run } = await wait(externalId(137));
		expect(run.status).toBe('waiting');
		expect(itemsOf(run)[0]?.json.externalId).toBe('x'.repeat(137));
	});

	test('that is longer is refused before anything is created', async () => {
		const { run } = await wait(externalId(138));
		expect(run.data.resultData.error?.message).toBe(
			"'External ID' has 138 characters; at most 137 are allowed, because the node adds some while it waits [item 0]",
		);
		expect(calls(USE)).toHaveLength(0);
	});

	test('is found with Skip while an execution waits', async () => {
		const row = externalId(5);
		await wait(row);
		const { run } = await wait(row, { additionalFields: { ifExternalIdExists: 'skip' } });
		expect(calls(USE)).toHaveLength(1);
		expect(run.status).toBe('waiting');
	});
});

describe('when a document that was sent before cannot be marked', () => {
	const isBusy = { match: UPDATE, times: 1, ...refusal('Busy') };
	const finding = { ...waiting, ...skip };

	test('the node fails, and its next try marks it', async () => {
		const rows = await sentBefore(3);
		suite.service.fail(isBusy);
		const node = documenso(finding, { maxTries: 3 });
		const run = await execute(credential(), [node], rows);
		expect(run.status).toBe('waiting');
		expect(itemsOf(run)).toHaveLength(3);
		expect(calls(USE)).toHaveLength(0);
		const markers = documents().map(({ externalId }) => externalId?.match(/n8n-wait:/g)?.length);
		expect(markers).toEqual([1, 1, 1]);
	});

	test('because the answer to that was lost, the error names the document', async () => {
		const rows = await sentBefore(1);
		suite.service.fail({ match: UPDATE, cut: 'before' });
		const { run } = await wait(rows, skip);
		const { description } = run.data.resultData.error ?? {};
		expect(description).toContain(
			`The document ${documents()[0]?.id} was sent, but nothing would wake this execution`,
		);
	});

	test('with Continue on Fail, its next try marks it, too', async () => {
		const rows = await sentBefore(3);
		suite.service.fail(isBusy);
		const setup = { maxTries: 3, onError: 'continueRegularOutput' } as const;
		const { run } = await wait(rows, skip, setup);
		expect(run.status).toBe('waiting');
		expect(calls(USE)).toHaveLength(0);
	});

	test('with Continue on Fail, all items come out as errors with their documents', async () => {
		const rows = await sentBefore(2);
		suite.service.fail(isBusy);
		const node = documenso(finding, { onError: 'continueRegularOutput' });
		const run = await execute(credential(), [node], rows);
		// Such an execution succeeds, and n8n retries none of these.
		expect(JSON.stringify(itemsOf(run))).not.toContain('choose Retry');
		expect(itemsOf(run).map(({ json }) => json)).toMatchObject(
			documents().map(({ id }) => ({ error: 'Busy', details: { id } })),
		);
	});
});

describe('the hints of a node that waits, whose output the editor does not show yet,', () => {
	const hints = (run: IRun) => ofNode(run)?.hints?.map(({ message }) => message) ?? [];

	test('name who has not signed which document', async () => {
		const { run } = await wait(tenants(12));
		const hint = hints(run).find((message) => message.includes('Not signed yet:'));
		const lines = hint?.split('<br>') ?? [];
		// n8n's default.
		const zone = 'America/New_York';
		const until = DateTime.fromJSDate(run.waitTill ?? new Date(), { zone });
		expect(lines[0]).toBe(
			`Waits until ${until.toFormat('yyyy-MM-dd HH:mm')} at the latest. Not signed yet:`,
		);
		expect(lines.at(-1)).toBe('and 2 more');
		expect(lines).toHaveLength(12);
		const shown = documents().map(({ id, title, recipients }) => {
			const emails = recipients.map(({ email }) => email);
			return `${title} (${id}): ${emails.join(', ')}`;
		});
		for (const line of lines.slice(1, -1)) expect(shown).toContain(line);
	});

	test('name no date if the execution waits without a limit', async () => {
		const { run } = await wait(tenants(1), { limitWaitTime: false });
		expect(hints(run)).toContainEqual(expect.stringMatching(/^Not signed yet:/));
	});

	test('warn that nothing would wake the execution while no trigger with the credential is published', async () => {
		const place = triggerPlace();
		const listening = { ...credential(), webhookSecret: 'secret' };
		const hook = (mode: TriggerPlace['mode'] = 'webhook') =>
			hookContext(listening, { events: ['DOCUMENT_CREATED'] }, { ...place, mode });
		const { create, delete: remove } = new DocumensoTrigger().webhookMethods.default;
		const warning = expect.stringContaining('Publish one') as string;
		await create.call(hook('manual'));
		expect(hints((await wait(tenants(1))).run)).toContainEqual(warning);
		await create.call(hook());
		await remove.call(hook('manual'));
		expect(hints((await wait(tenants(1))).run)).not.toContainEqual(warning);
		await remove.call(hook());
		expect(hints((await wait(tenants(1))).run)).toContainEqual(warning);
	});
});

test('where the first item fails and the others wait, Retry On Fail has the rows again', async () => {
	const columns = mapped({
		'Tenant email': "={{ $('Source').item.json['Tenant email'] }}",
		Address: '={{ $json.Address }}',
	});
	const additionalFields = { ifFieldStaysBlank: 'leave' };
	suite.service.fail({ match: USE, times: 1, ...refusal('Down for a moment') });
	const setup = { onError: 'continueRegularOutput', maxTries: 3 } as const;
	const rows = ['tina', 'tom'].map((name) => ({
		json: { ...wholeRow, 'Tenant email': `${name}@example.com` },
	}));
	const options = { maxConcurrentRequests: 1 };
	const { run } = await wait(rows, { columns, additionalFields, options }, setup);
	expect(run.status).toBe('waiting');
	expect(suite.tenantEmails()).toEqual(['tina@example.com', 'tom@example.com']);
	for (const { fields } of documents()) {
		const address = fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
		expect(address?.fieldMeta).toMatchObject({ text: wholeRow.Address });
	}
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'what is finished between two tries of Retry On Fail ends the wait that the first one began, with %s',
	async (onError) => {
		let reads = 0;
		const restore = beforeCall(suite.service, (line) => {
			if (!line.startsWith(READ) || ++reads < 2) return;
			const [document] = documents();
			Object.assign(document ?? {}, { status: 'CANCELLED' });
		});
		const [good] = tenants(1);
		const rows = [
			{ json: { ...good?.json, 'Tenant email': 'nonsense' } },
			{ json: { ...good?.json } },
		];
		const { run } = await wait(rows, {}, { onError, maxTries: 2 });
		restore();
		expect(reads).toBe(2);
		// n8n outputs the node's input when the time is up, which it is.
		expect(run.status).toBe('waiting');
		expect(Number(run.waitTill)).toBeLessThanOrEqual(clock.now());
		const [input] = run.data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
		const { id } = documents()[0] ?? {};
		expect(input?.map(({ json }) => json.outcome ?? json.error)).toEqual([
			expect.stringContaining("'Tenant email'"),
			'cancelled',
		]);
		expect(input?.[1]?.json.id).toBe(id);
	},
);

describe('when the second try of Retry On Fail takes another way than the first, which waits', () => {
	const setup = { onError: 'continueRegularOutput', maxTries: 2 } as const;
	const options = { maxConcurrentRequests: 1 };
	const node = documenso({ ...waiting, options }, setup);

	/** The first item is refused once, and the second one waits; before the second reading, this is done. */
	async function waitTwice(before: () => unknown) {
		suite.service.fail({ match: USE, times: 1, ...refusal('Down for a moment') });
		let reads = 0;
		const restore = beforeCall(suite.service, (line) => {
			if (line.startsWith(READ) && ++reads === 2) void before();
		});
		const run = await execute(credential(), [node], tenants(2));
		restore();
		expect(run.status).toBe('waiting');
		expect(documents()).toHaveLength(2);
		return { run, nudge: async () => await resumeWaiting(credential(), node, run) };
	}

	const completed = (email: string) => ({
		json: { outcome: 'completed', recipients: [{ email }, {}] },
	});
	const both = [completed('tenant0@example.com'), completed('tenant1@example.com')];

	test('and cannot read the documents, both are waited for', async () => {
		const { run, nudge } = await waitTwice(() => {
			suite.service.fail({ match: READ, ...refusal('No', 500) });
		});
		const [input] = run.data.executionData?.nodeExecutionStack[0]?.data.main ?? [];
		expect(input).toMatchObject(
			[0, 1].map((item) => ({ json: { outcome: 'timeLimit' }, pairedItem: { item } })),
		);
		for (const { id } of documents()) await suite.complete(id);
		expect((await nudge()).workflowData?.[0]).toMatchObject(both);
	});

	test('and finds all of them final, a nudge knows that, too', async () => {
		const { nudge } = await waitTwice(() => {
			for (const document of documents()) Object.assign(document, { status: 'COMPLETED' });
		});
		expect((await nudge()).workflowData?.[0]).toMatchObject(both);
	});
});
