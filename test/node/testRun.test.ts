import type { IDataObject, INodeExecutionData, WorkflowExecuteMode } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { resources } from '../../nodes/Documenso/resources';
import { hurry } from '../support/hurry';
import {
	documenso,
	execute,
	resumeWaiting,
	retryCrashed,
	retryExecution,
	type NodeRun,
	type Setup,
} from '../support/n8n';
import { refusal } from '../support/refusal';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	contract,
	fillFromRow,
	itemWithPdf,
	mapped,
	row,
	said,
	signature,
	signer,
	step,
	tenants,
	USE,
	useService,
	wholeRow,
} from '../support/suite';

hurry(30);

const team = {
	...DEMO_TEAM,
	defaultRecipients: [] as Array<{
		email: string;
		name: string;
		role: 'CC' | 'ASSISTANT' | 'APPROVER';
	}>,
};
const suite = useService({ seed: 'demo', tokens: [{ token: DEMO_TOKEN, user: DEMO_USER, team }] });
const { documents, calls } = suite;
beforeEach(() => {
	team.defaultRecipients.length = 0;
});

const MANUAL = { mode: 'manual' } as const;
const SEND = 'POST /envelope/distribute';
const sendTo = (address: string) => ({ manualExecutionsSendTo: address });
const ANNA = sendTo('anna@x.com');
const boss = { email: 'boss@example.com', name: 'Boss', role: 'CC' as const };

/** Somebody adds a recipient. */
function join({ recipients }: Envelope) {
	const [one] = recipients;
	if (one) recipients.push({ ...one, ...boss, id: 9001 });
}

async function use(parameters: IDataObject = {}, setup: Setup = {}, items = tenants(1)) {
	const tested = { ...fillFromRow, options: ANNA, ...parameters };
	return await suite.run(tested, items, { ...MANUAL, ...setup });
}

const withId = (externalId: string, changes: IDataObject = {}) => ({
	additionalFields: { externalId, ...changes },
});

const emails = () => documents().map(({ recipients }) => recipients.map(({ email }) => email));
const externalIds = () => documents().map(({ externalId }) => externalId);
const statuses = () => documents().map(({ status }) => status);
const jsonOf = ({ items, error }: NodeRun) => {
	if (error) throw error;
	return items.map(({ json }) => json);
};
const credential = () => credentialFor(suite.service);

const TESTED = [['anna+1@x.com', 'anna+2@x.com']];
const REAL = [['tenant0@example.com', 'landlord@example.com']];

describe('who gets the emails', () => {
	test.each<WorkflowExecuteMode>(['manual', 'evaluation'])(
		'in the mode %s it is the tester, and nobody else',
		async (mode) => {
			const [json = {}] = jsonOf(await use({}, { mode }));
			expect(emails()).toEqual(TESTED);
			expect(statuses()).toEqual(['PENDING']);
			expect(Object.entries(json)[0]).toEqual(['isTest', true]);
		},
	);

	test.each<WorkflowExecuteMode>([
		...(['trigger', 'webhook', 'integrated', 'cli', 'error', 'internal', 'chat', 'agent'] as const),
	])('in the mode %s they are the recipients, with the same requests as ever', async (mode) => {
		const { hints } = await use({ options: {} }, { mode, name: 'Without' });
		const [before, sent] = [lines(suite.service), sentTo(suite.service, USE)];
		await suite.service.reset();
		const run = await use({}, { mode, name: 'Without' });
		expect(jsonOf(run)[0]).not.toHaveProperty('isTest');
		expect(run.hints).toEqual(hints);
		expect(emails()).toEqual(REAL);
		expect(lines(suite.service)).toEqual(before);
		const { externalId: _made, ...others } = sentTo(suite.service, USE);
		const { externalId: _madeBefore, ...othersBefore } = sent;
		expect(others).toEqual(othersBefore);
	});

	test('without the option, a manual execution sends to the recipients', async () => {
		jsonOf(await use({ options: {} }));
		expect(emails()).toEqual(REAL);
		expect(calls(SEND)).toHaveLength(0);
	});

	test.each(['', '=', '  ', '={{ $json.to }}'])(
		'an option that is there and gives no address (%p) is refused, and nobody gets any',
		async (address) => {
			const to = { __rl: true, value: '' };
			const run = await use({ options: sendTo(address) }, {}, [row({ to })]);
			expect(run.error?.message).toContain("'Options > In Manual Executions, Send To'");
			expect(emails()).toEqual([]);
		},
	);

	test('a CC gets none either, and neither does a recipient whom the template knows', async () => {
		join(suite.template());
		const [json] = jsonOf(await use());
		expect(emails()).toEqual([['anna+1@x.com', 'anna+2@x.com', 'anna+3@x.com']]);
		const names = (json?.recipients as IDataObject[]).map(({ name, role }) => [name, role]);
		expect(names).toContainEqual(['Boss', 'CC']);
		expect(names).toContainEqual(['Tenant 0', 'SIGNER']);
	});

	test('a recipient who has the address of the test is one of them', async () => {
		const rows = ['anna@x.com', 'anna+2@x.com'].map((email) => row({ 'Tenant email': email }));
		jsonOf(await use({}, {}, rows));
		expect(emails()).toEqual([...TESTED, ...TESTED]);
	});

	test.each([
		['anna+shop@x.com', 'anna+shop-1@x.com'],
		['Anna@X.com', 'Anna+1@X.com'],
		['anna+@x.com', 'anna+-1@x.com'],
	])('%s becomes %s', async (address, first) => {
		jsonOf(await use({ options: sendTo(address) }));
		expect(emails()[0]?.[0]?.toLowerCase()).toBe(first.toLowerCase());
		expect(statuses()).toEqual(['PENDING']);
	});

	test('a draft that stays a draft is for the tester, too', async () => {
		const run = await use({ send: false });
		expect(jsonOf(run)[0]).toMatchObject({ isTest: true, status: 'DRAFT' });
		expect(emails()).toEqual(TESTED);
		expect(calls(SEND)).toHaveLength(0);
	});
});

describe('the address', () => {
	const NOTHING = sendTo('={{ $json.misspelt }}');

	test('is refused before any request if its expression gives nothing in a test', async () => {
		const run = await use({ options: NOTHING });
		expect(said(run)).toContain(
			"'Options > In Manual Executions, Send To' has an expression that gives nothing",
		);
		expect(suite.service.calls).toHaveLength(0);
	});

	test.each([
		['gives nothing', '={{ $json.misspelt }}'],
		['gives no address', '={{ $json.Rent }}'],
		['needs a node that has not run', '={{ $("Somebody").first().json.email }}'],
	])('does not matter in production: an expression that %s', async (_, address) => {
		const options = { ...sendTo(address), maxInFlight: '={{ 1 + 1 }}' };
		jsonOf(await use({ options }, { mode: 'trigger' }));
		expect(emails()).toEqual(REAL);
	});

	test.each([['nobody'], [`${'a'.repeat(240)}@x.example`]])(
		'%s is refused in a test',
		async (address) => {
			const run = await use({ options: sendTo(address) });
			expect(said(run)).toContain("'Options > In Manual Executions, Send To' is");
			expect(suite.service.calls).toHaveLength(0);
		},
	);

	test('fails each item under Continue On Fail, and creates nothing', async () => {
		const run = await use({ options: NOTHING }, { onError: 'continueRegularOutput' }, tenants(2));
		expect(run.items.map(({ json }) => json.error)).toHaveLength(2);
		expect(suite.service.calls).toHaveLength(0);
	});
});

describe('what a test document is called', () => {
	test('its title begins with [TEST]', async () => {
		expect(jsonOf(await use())[0]?.title).toBe('[TEST] Rental agreement');
		expect(documents()[0]?.title).toBe('[TEST] Rental agreement');
	});

	test('a long title loses its end, and no half character stays', async () => {
		const title = `${'x'.repeat(247)}😀😀😀a`;
		jsonOf(await use({ additionalFields: { title } }));
		expect(documents()[0]?.title).toBe(`[TEST] ${'x'.repeat(247)}`);
	});

	test('its external ID begins with test:, also one of the template and one that the node makes up', async () => {
		jsonOf(await use(withId('RA-1')));
		suite.template().externalId = 'T-1';
		jsonOf(await use());
		suite.template().externalId = null;
		jsonOf(await use());
		expect(externalIds().slice(0, 2)).toEqual(['test:RA-1', 'test:T-1']);
		expect(externalIds()[2]).toMatch(/^test:n8n:/);
	});

	test('an external ID that becomes too long is refused', async () => {
		const run = await use(withId('x'.repeat(251)));
		expect(said(run)).toContain("'External ID' is too long by 1");
		expect(documents()).toEqual([]);
	});

	test('an ID that an earlier node of the test made up is not taken for the next document', async () => {
		jsonOf(await use({}, {}, [row({ 'External ID': 'test:n8n:1:2:01234567:4:5' })]));
		expect(externalIds()[0]).toMatch(/^test:n8n:execution/);
	});
});

describe('what the node says', () => {
	test.each([
		['raw', {}],
		['simplified', {}],
		['selected', { outputFields: 'id' }],
	])('it is a test, first, with the output %s', async (output, changes) => {
		const run = await use({ output, ...changes }, {}, tenants(2));
		const keys = jsonOf(run).map((json) => Object.keys(json)[0]);
		expect(keys).toEqual(['isTest', 'isTest']);
		expect(run.hints[0]).toBe(
			'Test: all emails of these documents go to anna+1@x.com, anna+2@x.com and so on, and the recipients get none, because the workflow was run manually.',
		);
	});

	test('an address is text in the hint, and no HTML', async () => {
		const run = await use({ options: sendTo("a&b'c@x.com") });
		expect(run.hints[0]).not.toContain('a&b');
	});
});

describe('a manual run that emails people says so first', () => {
	const manually = async (parameters: IDataObject = {}, items = tenants(1)) => {
		const run = await suite.run({ ...fillFromRow, ...parameters }, items, MANUAL);
		if (run.error) throw run.error;
		return run.hints;
	};
	const told = (hints: string[]) => hints.filter((one) => one.startsWith('Documenso emails'));
	const SENT =
		'Documenso emails tenant0@example.com and 1 other. To test without emailing them, create the documents with Options > In Manual Executions, Send To.';

	test('with the first address and the number of others', async () => {
		// The landlord is in both documents.
		const [first, ...others] = await manually({}, tenants(2));
		expect(first).toMatch(/^Documenso emails tenant0@example.com and 2 others. To test/);
		expect(others.join()).toContain('Left for the recipients to fill in');
	});

	test('and not in a test that only emails the tester, and not in production', async () => {
		expect(told(await manually({ options: ANNA }))).toEqual([]);
		expect(told((await suite.run(fillFromRow, tenants(1))).hints)).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['is only a draft', { send: false }],
		['is not sent by email', { emailFields: { distributionMethod: 'NONE' } }],
		['has its requests turned off', { emailFields: { emailsOff: ['recipientSigningRequest'] } }],
	])('but not of a document that %s', async (_, parameters) => {
		expect(told(await manually(parameters))).toEqual([]);
		expect(documents()).toHaveLength(1);
	});

	test('and any run says that nobody is asked, where the template has it so', async () => {
		suite.template().documentMeta.distributionMethod = 'NONE';
		const { hints } = await suite.run(fillFromRow, tenants(2));
		expect(hints.filter((one) => one.includes('asks nobody to sign by email'))).toHaveLength(1);
		expect(
			(await suite.run({ ...fillFromRow, send: false }, tenants(1))).hints.join(),
		).not.toContain('by email');
	});

	test('also of a draft that was there, and not of what was sent before', async () => {
		const sending = { ...withId('RA-1'), ifExternalIdExists: 'skip' };
		await manually({ ...sending, send: false });
		expect(told(await manually(sending))).toEqual([SENT]);
		expect(told(await manually(sending))).toEqual([]);
	});

	test('also with Create and Send, with Send and with Resend', async () => {
		const { error, hints } = await suite.upload({}, MANUAL);
		expect(error).toBeUndefined();
		expect(told(hints)).toEqual([expect.stringContaining('Documenso emails tenant@example.com.')]);
		await suite.run({ ...fillFromRow, send: false }, tenants(1));
		const documentId = documents()[1]?.id;
		for (const operation of ['document.send', 'document.resend'])
			expect(told(await manually(step(operation, { documentId })))).toEqual([
				expect.stringMatching(/^Documenso emails tenant0@example.com( and 1 other)?\./),
			]);
	});

	describe('when it ends a document, or takes somebody out of it', () => {
		const OPERATIONS: Array<[string, IDataObject, string]> = [
			['document.cancel', {}, 'tenant@example.com and 1 other'],
			['document.delete', {}, 'tenant@example.com and 1 other'],
			['recipient.delete', {}, 'tenant@example.com'],
			['recipient.rejectOnBehalf', { reason: 'No' }, 'tenant@example.com and 1 other'],
		];
		const people = [
			signer,
			{ ...signer, email: 'lena@example.com' },
			{ ...boss, email: 'cc@x.com' },
		];
		const fields = [signature, { ...signature, recipient: 'r2', positionX: 60 }];

		async function sent(changes: IDataObject = {}) {
			const { error } = await suite.upload({
				...{ recipients: { recipient: people }, fields: { field: fields } },
				...changes,
			});
			expect(error).toBeUndefined();
		}

		async function end(operation: string, given: IDataObject = {}, setup: Setup = MANUAL) {
			const [document] = documents();
			const [documentId, recipientId] = [document?.id, document?.recipients[0]?.id];
			const ids = { documentId, envelopeId: documentId, recipientId };
			suite.service.calls.length = 0;
			return await suite.run(step(operation, ids, given), undefined, setup);
		}

		test.each(OPERATIONS)('with %s (%j)', async (operation, given, whom) => {
			await sent();
			const { error, hints } = await end(operation, given);
			expect(error).toBeUndefined();
			expect(hints[0]).toMatch(new RegExp(`^Documenso emails ${whom}\\. `));
		});

		test.each(OPERATIONS)('but not with %s (%j) of a document without emails', async (...given) => {
			await sent({ emailFields: { distributionMethod: 'NONE' } });
			const { error, hints } = await end(given[0], given[1]);
			expect(error).toBeUndefined();
			expect(told(hints)).toEqual([]);
		});

		test('also whoever is rejected for and was not asked yet', async () => {
			const [first, second] = people.map((one, index) => ({ ...one, signingOrder: index + 1 }));
			await sent({
				recipients: { recipient: [second, first] },
				fields: { field: fields },
				signingFields: { signingOrder: 'SEQUENTIAL' },
			});
			const { hints } = await end('recipient.rejectOnBehalf', { reason: 'No' });
			expect(hints[0]).toMatch(/^Documenso emails \S+ and 1 other\. /);
		});

		test('and all others, where only the requests to sign are off since', async () => {
			await sent();
			const { emailSettings } = documents()[0]?.documentMeta ?? {};
			Object.assign(emailSettings ?? {}, { recipientSigningRequest: false });
			const { hints } = await end('recipient.rejectOnBehalf', { reason: 'No' });
			expect(hints[0]).toMatch(/^Documenso emails lena@example\.com\. /);
		});

		test('but nobody who has rejected it', async () => {
			await sent();
			const [first] = documents()[0]?.recipients ?? [];
			if (first) first.signingStatus = 'REJECTED';
			const { hints } = await end('document.cancel');
			expect(hints[0]).toMatch(/^Documenso emails lena@example\.com\. /);
		});

		test('also those of a document that another one replaces', async () => {
			const lease = (changes: IDataObject) =>
				row({ ...wholeRow, 'External ID': 'L-1', ...changes });
			jsonOf(await suite.run(fillFromRow, [lease({ 'Tenant email': 'old@example.com' })]));
			const replacing = { ifExternalIdExists: 'replace' };
			const hints = await manually(replacing, [lease({ 'Tenant email': 'new@example.com' })]);
			expect(hints[0]).toMatch(/^Documenso emails old@example\.com and 2 others\. /);
		});

		test('and what cannot be read for that is done nevertheless', async () => {
			await sent();
			suite.service.fail({ match: 'GET /envelope/*', times: 9, ...refusal('Down', 500) });
			const { error } = await end('document.cancel');
			expect(error).toBeUndefined();
			expect(documents()[0]?.status).toBe('CANCELLED');
		});

		test('but not if Documenso refuses it', async () => {
			await sent();
			suite.service.fail({ match: 'POST /envelope/cancel', ...refusal('No') });
			const setup: Setup = { ...MANUAL, onError: 'continueRegularOutput' };
			const { hints } = await end('document.cancel', {}, setup);
			expect(told(hints)).toEqual([]);
			expect(documents()[0]?.status).toBe('PENDING');
		});

		test('for which nothing is read in production', async () => {
			await sent();
			await end('document.cancel', {}, {});
			expect(lines(suite.service)).toEqual(['POST /envelope/cancel']);
		});
	});

	test('but not when a document is sent that was sent already', async () => {
		jsonOf(await suite.run(fillFromRow, tenants(1)));
		const documentId = documents()[0]?.id;
		for (const one of documents()[0]?.recipients ?? []) one.sendStatus = 'SENT';
		const send = step('document.send', { documentId });
		expect(told(await manually(send))).toEqual([]);
	});

	test('also when Resend has emailed people whose links stay expired', async () => {
		jsonOf(await suite.run(fillFromRow, tenants(1)));
		const [document] = documents();
		if (!document) throw new Error('Nothing was sent');
		suite.service.expire(document.recipients[0]?.id ?? 0);
		Object.assign(document.documentMeta, { envelopeExpirationPeriod: { disabled: true } });
		const resend = step('document.resend', { documentId: document.id });
		const setup: Setup = { ...MANUAL, onError: 'continueRegularOutput' };
		const { hints, items } = await suite.run(resend, [{ json: {} }], setup);
		expect(told(hints)).toHaveLength(1);
		expect(JSON.stringify(items)).toContain('renews links only while');
		expect(JSON.stringify(items)).not.toContain('base URL');
	});

	test('with an address as text, and no HTML', async () => {
		const [first] = await manually({}, [row({ 'Tenant email': "a&b'c@x.com" })]);
		expect(first).toMatch(/^Documenso emails a&amp;b'c@x.com/);
	});
});

describe('a manual run says that another one would send its documents again', () => {
	const REPEATED = 'If the workflow runs again, it sends these documents again';
	const isTold = async (parameters: IDataObject, items = tenants(2), setup: Setup = MANUAL) => {
		const { error, hints } = await suite.run({ ...fillFromRow, ...parameters }, items, setup);
		expect(error).toBeUndefined();
		return hints.some((one) => one.startsWith(REPEATED));
	};

	test('if it sends several that have no External ID', async () => {
		expect(await isTold({})).toBe(true);
		expect(await isTold(withId('={{ "RA-" + $itemIndex }}'))).toBe(false);
	});

	test('but not if Documenso has refused them', async () => {
		suite.service.fail({ match: USE, times: 9, ...refusal('No') });
		const setup: Setup = { ...MANUAL, onError: 'continueRegularOutput' };
		expect(await isTold({}, tenants(2), setup)).toBe(false);
	});

	test('but not of one, of drafts, or in production', async () => {
		expect(await isTold({}, tenants(1))).toBe(false);
		expect(await isTold({ send: false })).toBe(false);
		expect(await isTold({}, tenants(2), {})).toBe(false);
	});
});

describe('somebody whom Documenso adds', () => {
	const REASON =
		"'Options > In Manual Executions, Send To' is anna@x.com, but the document would go to boss@example.com, too.";

	test.each([
		['a document to be sent', {}],
		['a draft', { send: false }],
		[
			'a document that several workers may create',
			withId('RA-1', { ifExternalIdExists: 'skipAcrossWorkers' }),
		],
	])('gets nothing: %s is deleted, with the reason', async (_, parameters) => {
		team.defaultRecipients.push(boss);
		const run = await use(parameters);
		expect(said(run)).toContain(REASON);
		expect(said(run)).toContain('was deleted');
		expect(said(run)).toContain("the team's settings");
		expect(documents()).toEqual([]);
		expect(calls(SEND)).toHaveLength(0);
	});

	test('gets nothing of a document from PDFs', async () => {
		team.defaultRecipients.push(boss);
		expect(said(await suite.upload({ options: ANNA }, MANUAL))).toContain(REASON);
		expect(documents()).toEqual([]);
		expect(calls(SEND)).toHaveLength(0);
	});

	test.each([
		['keep', 'was not sent'],
		['delete', 'was deleted'],
	])('cannot be seen: the draft is treated as chosen (%s)', async (ifSendingFails, told) => {
		suite.service.fail({ match: 'GET /envelope/*', ...refusal('No') });
		const run = await suite.upload({ options: ANNA, additionalFields: { ifSendingFails } }, MANUAL);
		expect(said(run)).toContain(told);
		expect(calls(SEND)).toHaveLength(0);
	});

	test('is the tester: then the document is sent', async () => {
		team.defaultRecipients.push({ ...boss, email: 'anna@x.com' });
		jsonOf(await use());
		expect(statuses()).toEqual(['PENDING']);
	});

	test('gets the document in production', async () => {
		team.defaultRecipients.push(boss);
		jsonOf(await use({}, { mode: 'trigger' }));
		expect(emails()[0]).toContain(boss.email);
		expect(statuses()).toEqual(['PENDING']);
	});

	test('is told of in production if they would assist nobody', async () => {
		const run = async () => (await use({}, { mode: 'trigger' })).hints.join();
		team.defaultRecipients.push({ ...boss, role: 'ASSISTANT' });
		expect(await run()).toMatch(/default recipients of the team.*<br>Boss \(boss@example.com\)/);
		expect(statuses()).toEqual(['PENDING']);
		team.defaultRecipients[0] = boss;
		expect(await run()).not.toContain('default recipients');
	});

	test('is told of in production if several have no place in the signing order', async () => {
		const law = { email: 'law@example.com', name: 'Law', role: 'APPROVER' as const };
		team.defaultRecipients.push({ ...boss, role: 'APPROVER' }, law);
		const hintsWith = async (signingOrder: 'SEQUENTIAL' | 'PARALLEL') => {
			suite.template().documentMeta.signingOrder = signingOrder;
			return (await use({}, { mode: 'trigger' })).hints.join();
		};
		expect(await hintsWith('SEQUENTIAL')).toMatch(/without a signing order.*<br>.*Law /);
		expect(statuses()).toEqual(['PENDING']);
		expect(await hintsWith('PARALLEL')).not.toContain('default recipients');
	});

	test('is told of in production also with the address of another recipient', async () => {
		team.defaultRecipients.push({ ...boss, email: 'tenant@example.com', role: 'APPROVER' });
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		const law = { email: 'law@example.com', name: 'Law', role: 'APPROVER' as const };
		team.defaultRecipients.push(law);
		const { hints } = await use({}, { mode: 'trigger' });
		expect(hints.join()).toMatch(/without a signing order.*Law /);
	});

	test.each([
		['would assist nobody', 'ASSISTANT' as const, /is an assistant, but/],
		['share a turn', 'APPROVER' as const, /has no signing order, and neither has/],
	])('keeps a document from PDFs from being sent if they %s', async (_, role, fault) => {
		team.defaultRecipients.push({ ...boss, role }, { ...boss, email: signer.email, role });
		const additionalFields = { signingOrder: 'SEQUENTIAL', externalId: 'RA-1' };
		const upload = async (changes: IDataObject = {}) =>
			await suite.upload(
				{ additionalFields, ifExternalIdExists: 'skip', ...changes },
				{ mode: 'trigger' },
			);
		expect((await upload({ operation: 'create' })).error).toBeUndefined();
		suite.service.store.envelopes.delete(documents()[0]?.id ?? '');
		const { error } = await upload();
		expect(error?.message).toMatch(fault);
		expect(error?.description).toContain(
			'Documenso added Boss (boss@example.com), Boss (tenant@example.com) by itself',
		);
		expect(statuses()).toEqual(['DRAFT']);
		expect(calls(SEND)).toHaveLength(0);
	});

	test('gets nothing if the draft cannot be deleted', async () => {
		team.defaultRecipients.push(boss);
		suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No') });
		expect(said(await use())).toContain('was not sent: delete it in Documenso');
		expect(statuses()).toEqual(['DRAFT']);
	});

	test('gets nothing of a draft of an earlier test that has others by now', async () => {
		const skip = withId('RA-1', { ifExternalIdExists: 'skip' });
		jsonOf(await use({ ...skip, send: false }));
		documents().forEach(join);
		expect(said(await use(skip))).toContain(REASON);
		expect(statuses()).toEqual(['DRAFT']);
		expect(calls(SEND)).toHaveLength(0);
	});

	test('gets nothing if the answer to the creation was lost', async () => {
		team.defaultRecipients.push(boss);
		suite.service.fail({ match: USE, times: 1, cut: 'after' });
		expect(said(await use())).toContain(REASON);
		expect(calls(SEND)).toHaveLength(0);
		expect(documents()).toEqual([]);
	});
});

describe('with Skip', () => {
	const skip = withId('RA-1', { ifExternalIdExists: 'skip' });

	test('production does not find what a test has created, and a test not what production has', async () => {
		jsonOf(await use(skip));
		jsonOf(await use(skip, { mode: 'trigger' }));
		expect(externalIds()).toEqual(['test:RA-1', 'RA-1']);
		const [again] = jsonOf(await use(skip));
		const [inProduction] = jsonOf(await use(skip, { mode: 'trigger' }));
		expect(documents()).toHaveLength(2);
		expect(again).toMatchObject({ isTest: true, alreadyExisted: true, externalId: 'test:RA-1' });
		expect(inProduction).toMatchObject({ alreadyExisted: true, externalId: 'RA-1' });
		expect(inProduction).not.toHaveProperty('isTest');
	});

	test('a test sends a draft of an earlier test', async () => {
		jsonOf(await use({ ...skip, send: false }));
		expect(jsonOf(await use(skip))[0]).toMatchObject({ isTest: true, sentNow: true });
		expect(statuses()).toEqual(['PENDING']);
		expect(emails()).toEqual(TESTED);
	});
});

const isThere = (resource: string) => resources.some(({ value }) => value === resource);
const fromPdf = { resource: 'document', ...contract };
const two = { ...contract, recipients: { recipient: [signer, boss] } };

describe('every operation that creates a document', () => {
	test.each([
		['create', 'DRAFT'],
		['createAndSend', 'PENDING'],
		['createUntilSigned', 'PENDING'],
	])('Document: %s', async (operation, status) => {
		const parameters = { ...fromPdf, ...two, operation, options: ANNA };
		const run = await suite.run(parameters, [await itemWithPdf()], MANUAL);
		expect(Object.keys(jsonOf(run)[0] ?? {})[0]).toBe('isTest');
		expect(emails()).toEqual(TESTED);
		expect(statuses()).toEqual([status]);
		expect(documents()[0]).toMatchObject({ title: '[TEST] Lease' });
		expect(documents()[0]?.externalId).toMatch(/^test:n8n:/);
	});

	test('Template: Create Document and Wait says it again when the wait is over', async () => {
		const node = documenso({
			...fillFromRow,
			operation: 'createDocumentUntilSigned',
			options: ANNA,
		});
		const run = await execute(credential(), [node], tenants(1), 1, 'manual');
		expect(run.status).toBe('waiting');
		const waiting = run.data.resultData.runData[node.name]?.[0];
		expect(Object.keys(waiting?.data?.main?.[0]?.[0]?.json ?? {})[0]).toBe('isTest');
		expect(waiting?.hints?.[0]?.message).toContain('Test: all emails');
		expect(emails()).toEqual(TESTED);
		await suite.complete(documents()[0]?.id ?? '');
		const { workflowData } = await resumeWaiting(credential(), node, run);
		expect(Object.entries(workflowData?.[0]?.[0]?.json ?? {}).slice(0, 2)).toEqual([
			['isTest', true],
			['outcome', 'completed'],
		]);
	});

	(isThere('templateDeprecated') ? test : test.skip)(
		'Template (Deprecated): Create Document',
		async () => {
			const templateNumber = suite.template().legacyId;
			const [json] = jsonOf(await use({ resource: 'templateDeprecated', templateNumber }));
			expect(Object.keys(json ?? {})[0]).toBe('isTest');
			expect(emails()).toEqual(TESTED);
			expect(statuses()).toEqual(['PENDING']);
			expect(documents()[0]).toMatchObject({ title: '[TEST] Rental agreement' });
		},
	);

	test('a field of a PDF stays with its recipient', async () => {
		const fields = { field: [{ ...contract.fields.field[0], recipient: signer.email }] };
		const parameters = { ...fromPdf, ...two, fields, operation: 'createAndSend', options: ANNA };
		jsonOf(await suite.run(parameters, [await itemWithPdf()], MANUAL));
		const [document] = documents();
		const [first] = document?.recipients ?? [];
		expect(document?.fields.map(({ recipientId }) => recipientId)).toEqual([first?.id]);
	});
});

describe('a retry from the list of executions', () => {
	const node = (parameters: IDataObject = {}) =>
		documenso({ ...fillFromRow, options: ANNA, ...parameters });
	const failed = () => {
		suite.service.fail({ match: USE, times: 1, ...refusal('Busy') });
	};
	async function original(mode: WorkflowExecuteMode, nodes = [node()], items = tenants(1)) {
		const run = await execute(credential(), nodes, items, 1, mode);
		expect(run.status).toBe('error');
		return run;
	}
	const outputOf = (run: Awaited<ReturnType<typeof execute>>, name = 'Documenso') => {
		if (run.data.resultData.error) throw run.data.resultData.error;
		return run.data.resultData.runData[name]?.at(-1)?.data?.main?.[0]?.map(({ json }) => json);
	};

	test('of a test is a test', async () => {
		failed();
		const run = await original('manual', [node(withId('RA-1'))]);
		const [json] = outputOf(await retryExecution(credential(), [node(withId('RA-1'))], run)) ?? [];
		expect(json).toMatchObject({ isTest: true, externalId: 'test:RA-1' });
		expect(emails()).toEqual(TESTED);
		expect(statuses()).toEqual(['PENDING']);
	});

	test('continues with a draft of the test', async () => {
		suite.service.fail({ match: SEND, times: 1, ...refusal('Busy') });
		const run = await original('manual', [node()], tenants(3));
		outputOf(await retryExecution(credential(), [node()], run));
		expect(documents()).toHaveLength(3);
		expect(emails()).toEqual([...TESTED, ...TESTED, ...TESTED]);
		expect(new Set(statuses())).toEqual(new Set(['PENDING']));
		expect(new Set(externalIds()).size).toBe(3);
	});

	test('continues with a draft by the External ID that it has, which is not made longer', async () => {
		suite.service.fail({ match: SEND, times: 1, ...refusal('Busy') });
		const run = await original('manual', [node(withId('RA-1'))]);
		outputOf(await retryExecution(credential(), [node(withId('RA-1'))], run));
		expect(externalIds()).toEqual(['test:RA-1']);
		expect(statuses()).toEqual(['PENDING']);
	});

	test('of production is none, whatever failed', async () => {
		failed();
		const run = await original('webhook');
		const [json] = outputOf(await retryExecution(credential(), [node()], run)) ?? [];
		expect(json).not.toHaveProperty('isTest');
		expect(emails()).toEqual(REAL);
	});

	const reading = documenso(step('template.get', { templateId: RENTAL_AGREEMENT.id }), {
		name: 'First',
	});

	test.each([
		['manual', TESTED],
		['webhook', REAL],
	] as const)(
		'of the mode %s stays what it was if a node before this one failed',
		async (mode, to) => {
			suite.service.fail({ match: 'GET /envelope/*', times: 1, ...refusal('No') });
			const second = node({ columns: mapped({ 'Tenant email': 'tenant0@example.com' }) });
			const run = await original(mode, [reading, second]);
			outputOf(await retryExecution(credential(), [reading, second], run));
			expect(emails()).toEqual(to);
		},
	);

	test('of a crash about which nothing is known is refused before any request', async () => {
		failed();
		const run = await original('manual');
		suite.service.calls.length = 0;
		const options = { isStartKnown: false };
		const retry = await retryCrashed(credential(), [node()], tenants(1), run, options);
		const { message = '', description } = retry.data.resultData.error ?? {};
		expect(message).toContain(
			"'Options > In Manual Executions, Send To' is filled in, but n8n does not tell whether",
		);
		expect(description).toContain("remove 'In Manual Executions, Send To'");
		expect(suite.service.calls).toHaveLength(0);
	});

	test('of a crash is a test if n8n knows how the original began', async () => {
		failed();
		const run = await original('manual');
		outputOf(await retryCrashed(credential(), [node()], tenants(1), run));
		expect(emails()).toEqual(TESTED);
	});

	test('without n8n’s word for it is a test if the node itself has noted it', async () => {
		failed();
		const run = await original('manual');
		delete run.data.executionData?.runtimeData;
		outputOf(await retryExecution(credential(), [node()], run));
		expect(emails()).toEqual(TESTED);
	});

	test('with the address removed sends to the recipients, and leaves the test as it is', async () => {
		suite.service.fail({ match: SEND, times: 1, ...refusal('Busy') });
		const run = await original('manual');
		outputOf(await retryExecution(credential(), [node({ options: {} })], run));
		expect(emails()).toEqual([...TESTED, ...REAL]);
		expect(statuses()).toEqual(['DRAFT', 'PENDING']);
		expect(externalIds()[1]).toMatch(/^n8n:/);
	});

	test('with another address does not send the draft for the first one', async () => {
		suite.service.fail({ match: SEND, times: 1, ...refusal('Busy') });
		const run = await original('manual');
		const retry = await retryExecution(credential(), [node({ options: sendTo('bob@x.com') })], run);
		expect(retry.data.resultData.error?.message).toContain(
			'would go to anna+1@x.com, anna+2@x.com',
		);
		expect(statuses()).toEqual(['DRAFT']);
	});
});

describe('several items', () => {
	test('each have their document for the tester', async () => {
		const items: INodeExecutionData[] = tenants(12);
		expect(jsonOf(await use({}, {}, items)).every(({ isTest }) => isTest === true)).toBe(true);
		expect(emails()).toEqual(items.flatMap(() => TESTED));
	});

	test('are not mixed up by Retry On Fail', async () => {
		suite.service.fail({ match: USE, times: 2, cut: 'after' });
		suite.service.fail({ match: SEND, times: 2, cut: 'after' });
		const run = await use({}, { maxTries: 3 }, tenants(5));
		expect(jsonOf(run).map(({ id }) => id)).toHaveLength(5);
		expect(documents()).toHaveLength(5);
		expect(new Set(statuses())).toEqual(new Set(['PENDING']));
	});
});
