import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../emulator';
import { hurry } from '../support/hurry';
import {
	continueAgain,
	documenso,
	execute,
	itemWith,
	retryCrashed,
	retryExecution,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import {
	byId,
	contract,
	createAndSend,
	emailsOf,
	fillFromRow,
	mapped,
	row,
	tenants,
	tina,
	USE,
	wholeRow,
} from '../support/suite';
import { choosing, continued, REFUSED, said, SEND, useCreation } from './support';

hurry();

// What failed or was done is run again: by n8n, by a user, or by the next turn of a loop.
const suite = useCreation();
const { calls, documents } = suite;

const rows = tenants(5);
const everyTenant = emailsOf(rows);
const busy = (changes: Fault = {}) =>
	suite.service.fail({ match: USE, ...refusal('Busy'), ...changes });

describe('Retry On Fail', () => {
	test('does not create again what the first try has created', async () => {
		busy();
		const { items, error } = await suite.run(fillFromRow, rows, { maxTries: 3 });
		expect(error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(everyTenant);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	});

	test('with Continue on Fail, where n8n runs the node again when the first item failed', async () => {
		busy();
		const { items } = await suite.run(fillFromRow, rows, { maxTries: 3, ...continued });
		expect(items.map(({ json }) => json.error)).toEqual(rows.map(() => undefined));
		expect(suite.tenantEmails()).toEqual(everyTenant);
	});

	test('is not there: the error says how many rows are done, and what does the others only', async () => {
		busy();
		const { error } = await suite.run(fillFromRow, rows);
		const done = documents().length;
		// The rows that were under way when one failed.
		expect(done).toBeGreaterThanOrEqual(3);
		expect(error?.description).toContain(
			`${done} of 5 items are done. To do only the others, open Executions`,
		);
	});

	test.each([
		['deletion', 'delete'],
		['copy', 'duplicate'],
	])('does no %s again that is done', async (_, operation) => {
		const made = [await suite.document(), await suite.document(), await suite.document()];
		const line = `POST /envelope/${operation}`;
		suite.service.fail({ match: line, ...refusal('Busy') });
		const parameters = { resource: 'document', operation, documentId: byId('={{ $json.id }}') };
		const items = made.map(({ id }) => ({ json: { id } }));
		const { error } = await suite.run(parameters, items, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls(line)).toHaveLength(4);
	});

	test('does not check again what is done', async () => {
		let asked = 0;
		suite.service.intercept(USE, async ({ pass }) => {
			asked += 1;
			if (asked > 1) return asked <= 3 ? REFUSED : undefined;
			const answer = await pass();
			suite.field('rent').type = 'DATE';
			return answer;
		});
		const three = ['a', 'b', 'c'].map((who) =>
			row({ 'Tenant email': `${who}@example.com`, Rent: 5 }),
		);
		const { error } = await suite.run(fillFromRow, three, { maxTries: 2 });
		expect(error?.message).toBe('2 of 2 items cannot be used, so nothing more was created');
		expect(error?.description).not.toContain('Item 0');
	});
});

describe('a row that has the External ID of another one, for a document with different content', () => {
	const withIds = [900, 1200].map((Rent) => row({ 'External ID': 'RA-1', Rent }));

	test('is refused by a retry, too, when the other one is done', async () => {
		const parameters = { ...fillFromRow, options: { checkAllFirst: false } };
		const { error } = await suite.run(parameters, withIds, { maxTries: 2 });
		expect(error?.message).toContain('is "RA-1", which item 0 has too');
		expect(documents()).toHaveLength(1);
	});

	test('so it is where n8n tries again because of a bad row', async () => {
		const bad = row({ 'External ID': 'RA-0', 'Tenant email': '' });
		const { items } = await suite.run(fillFromRow, [bad, ...withIds], {
			...{ maxTries: 2, ...continued },
		});
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, true]);
		expect(items[2]?.json.error).toContain('is "RA-1", which item 1 has too');
	});
});

test('rows that are done do not refuse each other when the workflow has changed before the retry', async () => {
	const withIds = ['a', 'b', 'c'].map((who, index) =>
		row({ 'Tenant email': `${who}@example.com`, 'External ID': index === 2 ? 'RA-2' : 'RA-1' }),
	);
	let isDown = true;
	suite.service.intercept(USE, ({ text }) =>
		isDown && text.includes('c@example.com') ? REFUSED : undefined,
	);
	const create = documenso({ ...fillFromRow, ifExternalIdExists: 'create' });
	const failed = await execute(suite.credential(), [create], withIds, 1, 'trigger');
	expect(failed.data.resultData.error).toBeDefined();
	expect(documents()).toHaveLength(2);
	isDown = false;
	const { data } = await retryExecution(suite.credential(), [documenso(fillFromRow)], failed);
	expect(data.resultData.error).toBeUndefined();
	expect(documents()).toHaveLength(3);
});

describe('Retry with the corrected workflow, after a draft was not sent', () => {
	/** The first execution leaves its document as a draft. */
	const retried = async (before: IDataObject, now: IDataObject, item: INodeExecutionData) => {
		suite.service.fail({ match: SEND, ...refusal('Busy') });
		const node = documenso(before);
		const failed = await execute(suite.credential(), [node], [item]);
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
		const { data } = await retryExecution(suite.credential(), [documenso(now)], failed);
		return said(data.resultData.error);
	};
	const fromTemplate = (columns: IDataObject, changes: IDataObject = {}) => ({
		...{ ...fillFromRow, ifExternalIdExists: 'skipAcrossWorkers' },
		columns: mapped({ ...wholeRow, 'External ID': 'A-1', ...columns }),
		...changes,
	});
	const fromPdf = (changes: IDataObject = {}) => ({
		...createAndSend,
		additionalFields: { ifSendingFails: 'keep' },
		...changes,
	});
	const [signer] = contract.recipients.recipient;
	const [signature] = contract.fields.field;
	const asApprover = { recipient: [{ ...signer, role: 'APPROVER' }] };
	const renamed = { recipient: [{ ...signer, name: 'Another' }] };
	const moved = { field: [{ ...signature, positionY: 5 }] };
	const inOrder = { recipient: [{ ...signer, signingOrder: 1 }] };
	const bob = { ...signer, email: 'bob@example.com', name: 'Bob', role: 'APPROVER' };
	const ofBob = { ...signature, recipient: 'r2', type: 'NAME', positionY: 40 };
	const withBob = {
		recipients: { recipient: [signer, bob] },
		fields: { field: [signature, ofBob] },
	};
	/** The same recipient with another field, as JSON. */
	const withField = (field: IDataObject) => {
		const size = { page: 1, positionX: 10, width: 30, height: 6 };
		const fields = [
			{ type: 'SIGNATURE', positionY: 80, ...size },
			{ positionY: 30, ...size, ...field },
		];
		const { email, name, role } = signer ?? {};
		return {
			specifyRecipients: 'json',
			recipientsJson: JSON.stringify([{ email, name, role, fields }]),
		};
	};
	const withBox = (checked: boolean) =>
		withField({
			type: 'CHECKBOX',
			fieldMeta: { type: 'checkbox', values: [{ id: 1, value: 'Pets', checked }] },
		});
	const withClause = (text: string) =>
		withField({ type: 'TEXT', fieldMeta: { type: 'text', label: 'Rent', text } });

	test.each<[string, IDataObject, IDataObject, string]>([
		['another rent', fromTemplate({}), fromTemplate({ Rent: '950' }), 'differs in Rent'],
		[
			'another address',
			fromTemplate({}),
			fromTemplate({ 'Tenant email': 'tom@example.com' }),
			'differs in Tenant email',
		],
		['another title', fromPdf(), fromPdf({ title: 'Lease of June' }), 'differs in Title'],
		['another role', fromPdf(), fromPdf({ recipients: asApprover }), 'Role of'],
		['another name', fromPdf(), fromPdf({ recipients: renamed }), 'Name of'],
		['another place', fromPdf(), fromPdf({ fields: moved }), 'SIGNATURE field on page 1 of'],
		[
			'another tick',
			fromPdf(withBox(false)),
			fromPdf(withBox(true)),
			'CHECKBOX field on page 1 of',
		],
		['another text', fromPdf(withClause('900')), fromPdf(withClause('950')), 'TEXT field'],
		['no text', fromPdf(withClause('900')), fromPdf(withClause('')), 'TEXT field'],
		['somebody less', fromPdf(withBob), fromPdf(), 'bob@example.com'],
		['an order less', fromPdf({ recipients: inOrder }), fromPdf(), 'Signing Order of'],
	])('the draft is not sent with %s', async (_, before, now, differs) => {
		const item = await itemWith({ data: { content: await pdf() } });
		expect(await retried(before, now, item)).toContain(differs);
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});

	test.each([
		['a template', fromTemplate({})],
		['PDFs', fromPdf()],
		['PDFs with a tick', fromPdf(withBox(true))],
		['PDFs with a text', fromPdf(withClause(' 900 '))],
		['PDFs with an order', fromPdf(withBob)],
	])('the draft from %s is sent if it is as it was', async (_, asked) => {
		const item = await itemWith({ data: { content: await pdf() } });
		expect(await retried(asked, asked, item)).toBe(' ');
		expect(documents().map(({ status }) => status)).toEqual(['PENDING']);
	});

	test.each([
		['By Yourself', 'NONE'],
		['By Email', 'EMAIL'],
	])('the draft is sent %s, as it is chosen now', async (_, distributionMethod) => {
		const [before, now] = ['EMAIL', 'NONE']
			.sort((one) => (one === distributionMethod ? 1 : -1))
			.map((method) => fromTemplate({}, { additionalFields: { distributionMethod: method } }));
		const item = { json: {} };
		expect(await retried(before ?? {}, now ?? {}, item)).toBe(' ');
		expect(documents()).toMatchObject([
			{ status: 'PENDING', documentMeta: { distributionMethod } },
		]);
	});

	test.each([
		['sends the draft if it is as it was', '900', ' '],
		['does not send it with another rent', '950', 'differs in Rent'],
	])('of an execution that crashed %s', async (_, rent, message) => {
		const item = { json: {} };
		suite.service.fail({ match: SEND, ...refusal('Busy') });
		const crashed = await execute(suite.credential(), [documenso(fromTemplate({}))], [item]);
		const now = [documenso(fromTemplate({ Rent: rent }))];
		const { data } = await retryCrashed(suite.credential(), now, [item], crashed);
		expect(said(data.resultData.error)).toContain(message);
		const status = message === ' ' ? 'PENDING' : 'DRAFT';
		expect(documents().map((one) => one.status)).toEqual([status]);
	});

	test('the draft is not sent to a signer whom somebody has added', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		suite.service.fail({ match: SEND, ...refusal('Busy') });
		const failed = await execute(suite.credential(), [documenso(fromPdf())], [item]);
		const [draft] = documents();
		const [own] = draft?.recipients ?? [];
		if (!draft || !own) throw new Error('There is no draft');
		draft.recipients.push({ ...own, id: own.id + 1000, email: 'boss@example.com' });
		const { data } = await retryExecution(suite.credential(), [documenso(fromPdf())], failed);
		expect(said(data.resultData.error)).toContain('boss@example.com');
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});
});

describe('the next turn of a loop', () => {
	test('is another run: it creates anew, and repeats nothing of the first', async () => {
		busy();
		const node = documenso(fillFromRow, { maxTries: 2 });
		const { data } = await execute(suite.credential(), [node], rows, 2);
		expect(data.resultData.runData[node.name]).toHaveLength(2);
		expect(suite.tenantEmails()).toEqual([...everyTenant, ...everyTenant].sort());
		expect(new Set(suite.externalIds()).size).toBe(10);
	});

	test('creates anew what the turn before could make, when that failed in part', async () => {
		busy();
		const node = documenso(fillFromRow, continued);
		const two = [{ json: tina }, { json: { 'Tenant email': 'b@example.com' } }];
		await execute(suite.credential(), [node], two, 2);
		expect(documents()).toHaveLength(3);
	});
});

test('nothing is left in the execution’s data once all is done', async () => {
	const { data } = await execute(suite.credential(), [documenso(fillFromRow)], [row()]);
	expect(JSON.stringify(data.executionData?.contextData)).not.toContain('envelope_');
});

describe('what would be added twice', () => {
	const ADD = 'POST /envelope/recipient/create-many';
	const recipient = (id: string): IDataObject => ({
		...{ resource: 'recipient', operation: 'add', envelopeId: byId(id) },
		...{ email: 'cc@example.com', role: 'CC' },
	});
	const copy = (id: string) => ({
		...{ resource: 'document', operation: 'duplicate', documentId: byId(id) },
	});
	const folder = () => ({ resource: 'folder', operation: 'create', name: 'Deals' });

	test.each<[string, string, (id: string) => IDataObject, Fault]>([
		['a recipient', ADD, recipient, { cut: 'after' }],
		['a recipient', ADD, recipient, { status: 500, takesEffect: true }],
		['a copy', 'POST /envelope/duplicate', copy, { cut: 'after' }],
		['a folder', 'POST /folder/create', folder, { cut: 'after' }],
	])('%s is not added again, and the error says why: %s', async (_, line, parametersFor, fault) => {
		const { id } = await suite.document();
		suite.service.fail({ match: line, ...fault });
		const { error } = await suite.run(parametersFor(id), [{ json: {} }], { maxTries: 3 });
		expect(calls(line)).toHaveLength(1);
		expect(error?.message).toMatch(/^An earlier try failed, and is not retried: .* \[item 0\]$/);
		if (fault.cut) expect(error?.message).toMatch(/The connection to Documenso at .* failed/);
		expect(error?.description).toMatch(
			/^Documenso may have done it already, and a retry could do it twice/,
		);
	});

	test.each<[string, string, Fault, number]>([
		['only a read before it failed', 'resend', refusal('Busy', 500), 1],
		['Documenso refused it before', 'add', { status: 429, headers: { 'retry-after': '400' } }, 2],
	])('is added by a retry when %s', async (_, operation, fault, recipients) => {
		const isResend = operation === 'resend';
		const { id } = await suite.document(isResend ? 'createAndSend' : 'create');
		suite.service.fail({ match: isResend ? `GET /envelope/${id}` : ADD, ...fault });
		const resend = { resource: 'document', operation, documentId: byId(id) };
		const parameters = isResend ? resend : recipient(id);
		const { error } = await suite.run(parameters, [{ json: {} }], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(suite.service.store.envelopes.get(id)?.recipients).toHaveLength(recipients);
		if (isResend) expect(calls('POST /envelope/redistribute')).toHaveLength(1);
	});
});

test('a Retry of 1,600 rows without External IDs, of which half were not created, takes one request for each of these', async () => {
	const COUNT = 1600;
	const items = tenants(COUNT);
	const node = documenso(choosing('create'));
	const state = { created: 0, refuses: true };
	suite.service.intercept(USE, () => {
		if (!state.refuses) return undefined;
		state.created += 1;
		return state.created > COUNT / 2 ? REFUSED : undefined;
	});
	const failed = await execute(suite.credential(), [node], items);
	expect(documents()).toHaveLength(COUNT / 2);
	suite.service.calls.length = 0;
	state.refuses = false;
	const { data } = await retryExecution(suite.credential(), [node], failed);
	expect(said(data.resultData.error)).toBe(' ');
	expect(documents()).toHaveLength(COUNT);
	expect(suite.service.calls.length).toBeLessThan(COUNT / 2 + 50);
	// Where each row is compared with all pairs, it takes 172 s.
}, 90_000);

test.each([
	['created and sent', fillFromRow],
	['created, sent and waited for', { ...fillFromRow, operation: 'createDocumentUntilSigned' }],
])(
	'a document that is %s exists once, though n8n goes on twice from the wait before it',
	async (_, parameters) => {
		const node = documenso(parameters);
		const first = await execute(suite.credential(), [node], rows);
		const second = await continueAgain(suite.credential(), [node], rows, first);
		expect(second.data.resultData.error).toBeUndefined();
		expect(second.status).toBe(first.status);
		expect(calls(USE)).toHaveLength(rows.length);
		expect(suite.tenantEmails()).toEqual(everyTenant);
	},
);
