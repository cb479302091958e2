import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { hurry } from '../support/hurry';
import { documenso, execute, retryExecution } from '../support/n8n';
import { refusal } from '../support/refusal';
import { credentialFor, lines } from '../support/service';
import {
	emailsOf,
	fillFromRow as use,
	mapped,
	step,
	tenants,
	USE,
	useService,
	WITH_LINKS,
} from '../support/suite';

hurry(30);

const suite = useService({ seed: 'demo' });
const busy = refusal('Busy');
const { documents } = suite;

const withId = (changes: IDataObject = {}) => ({
	...use,
	additionalFields: { externalId: '={{ $json.id ?? "RA-1" }}', ...changes },
});

const rowsOf = (ids: string[]): INodeExecutionData[] =>
	ids.map((id, row) => ({ json: { ...tenants(ids.length)[row]?.json, id } }));

/** Printable ASCII, and what a spreadsheet or a file system may add to it. */
const ODD_IDS = [
	...Array.from({ length: 95 }, (_, code) => `A${String.fromCharCode(32 + code)}1`),
	'C:\\contracts\\1.pdf',
	'ends with \\',
	'\\begins',
	'two\\\\backslashes',
	'\\',
	'%',
	'_',
	'“curly” ‘quotes’',
	'naïve',
	'🖋️ contract',
	'חוזה 17',
	'عقد ١٧',
	'line\nbreak',
];

describe('An External ID with any character makes one document', () => {
	test('whatever it is made of: Skip finds each again, and so does another run', async () => {
		const skip = withId({ ifExternalIdExists: 'skip' });
		for (const existed of [false, true]) {
			const { items, error } = await suite.run(skip, rowsOf(ODD_IDS));
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.alreadyExisted ?? false)).toEqual(
				ODD_IDS.map(() => existed),
			);
		}
		expect(
			documents()
				.map(({ externalId }) => externalId)
				.sort(),
		).toEqual(ODD_IDS.map((id) => id.replace('\n', ' ').replace('\ufe0f', '')).sort());
	});

	test.each(ODD_IDS.filter((id) => id.includes('\\')))(
		'%s: Fail finds it, and so does the search after a lost answer',
		async (id) => {
			suite.service.fail({ match: USE, cut: 'after' });
			expect(
				(await suite.run(withId({ ifExternalIdExists: 'fail' }), rowsOf([id]))).error,
			).toBeUndefined();
			expect(documents()).toHaveLength(1);
			const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), rowsOf([id]));
			expect(error?.message).toContain('already has');
		},
	);

	test('blanks around the ID of a template are not part of it', async () => {
		suite.template().externalId = ' T-1 ';
		suite.service.fail({ match: USE, cut: 'after' });
		const { error } = await suite.run(use, tenants(1));
		expect(error?.description).toContain(`It may be ${documents()[0]?.id ?? '?'} (pending).`);
		expect(documents()).toMatchObject([{ externalId: 'T-1' }]);
	});
});

describe('Skip sends a draft that was never sent', () => {
	const skip = withId({ ifExternalIdExists: 'skip' });

	/** Rows whose documents were made, but not sent, because the service could not. */
	async function leftAsDrafts(rows: INodeExecutionData[]) {
		await suite.outputOf({ ...withId(), send: false }, rows);
		suite.service.calls.length = 0;
	}

	test('and says so', async () => {
		const rows = rowsOf(['RA-1', 'RA-2', 'RA-3']);
		await leftAsDrafts(rows.slice(0, 2));
		const items = await suite.outputOf({ ...skip, ...WITH_LINKS }, rows);
		expect(documents().map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
		expect(items.map(({ alreadyExisted, sentNow }) => ({ alreadyExisted, sentNow }))).toEqual([
			{ alreadyExisted: true, sentNow: true },
			{ alreadyExisted: true, sentNow: true },
			{},
		]);
		expect(items[0]).toMatchObject({ status: 'PENDING', externalId: 'RA-1' });
		expect((items[0]?.recipients as IDataObject[])[0]?.signingUrl).toMatch(/\/sign\//);
		suite.service.calls.length = 0;
		const again = await suite.outputOf(skip, rows);
		expect(again.map(({ sentNow }) => sentNow)).toEqual([undefined, undefined, undefined]);
		expect(lines(suite.service).filter((line) => line.startsWith('POST'))).toEqual([
			'POST /envelope/get-many',
		]);
	});

	test('also one that was made of a file', async () => {
		const made = await suite.document('create', { additionalFields: { externalId: 'C-1' } });
		const additionalFields = { externalId: 'C-1', ifExternalIdExists: 'skip' };
		const { items } = await suite.upload({ additionalFields });
		expect(items[0]?.json).toMatchObject({ id: made.id, sentNow: true });
		expect(documents()).toMatchObject([{ status: 'PENDING' }]);
	});

	test('once, though several rows have its ID', async () => {
		const rows = rowsOf(['RA-1', 'RA-1']).map(() => rowsOf(['RA-1'])[0] as INodeExecutionData);
		await leftAsDrafts(rows.slice(0, 1));
		const items = await suite.outputOf(skip, rows);
		expect(items.map(({ sentNow }) => sentNow)).toEqual([true, true]);
		expect(lines(suite.service).filter((line) => line.includes('/distribute'))).toHaveLength(1);
	});

	test('but not one that somebody has sent since it was read', async () => {
		const rows = rowsOf(['RA-1']);
		await suite.outputOf(withId(), rows);
		const get = step('document.get', { documentId: documents()[0]?.id }, { output: 'raw' });
		const [record] = await suite.outputOf(get);
		const data = [{ ...record, status: 'DRAFT' }];
		suite.service.fail({ match: 'POST /envelope/get-many', status: 200, body: { data } });
		suite.service.calls.length = 0;
		const [item] = await suite.outputOf(skip, rows);
		expect(item).toMatchObject({ alreadyExisted: true, status: 'PENDING' });
		expect(lines(suite.service)).toContain('POST /envelope/get-many');
		expect(lines(suite.service)).not.toContain('POST /envelope/distribute');
	});

	test('but not where the item is to stay a draft', async () => {
		const rows = rowsOf(['RA-1']);
		await leftAsDrafts(rows);
		const [item] = await suite.outputOf({ ...skip, send: false }, rows);
		expect(item).toMatchObject({ alreadyExisted: true, status: 'DRAFT' });
		expect(item).not.toHaveProperty('sentNow');
	});

	test('and no draft for other people: that row fails', async () => {
		const [row] = rowsOf(['RA-1']);
		await leftAsDrafts(rowsOf(['RA-1']));
		const other = { json: { ...row?.json, 'Tenant email': 'other@example.com' } };
		const { error } = await suite.run(skip, [other]);
		const [draft] = documents();
		expect(error?.message).toMatch(
			`'External ID' is "RA-1", which the draft ${draft?.id ?? ''} already has. It was never sent, and it is for tenant0@example.com`,
		);
		expect(draft?.status).toBe('DRAFT');
	});

	test('a draft that cannot be sent is kept, though others would be deleted', async () => {
		const rows = rowsOf(['RA-1']);
		await leftAsDrafts(rows);
		suite.service.fail({ match: 'POST /envelope/distribute', ...busy });
		const { error } = await suite.run(
			withId({ ifExternalIdExists: 'skip', ifSendingFails: 'delete' }),
			rows,
		);
		expect(error?.message).toBe('Busy');
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
	});
});

describe('A failed execution that is retried twice makes one document for each row', () => {
	const rows = tenants(30);
	const people = emailsOf(rows).sort();
	// Few at a time, so that the first failure leaves rows that were not begun.
	const fewAtOnce = { ...use, options: { maxInFlight: 4 } };
	const everyone = () =>
		documents()
			.map(({ recipients }) => recipients[0]?.email)
			.sort();

	/** The original fails, its first retry fails half-way, and the original is retried again. */
	async function retryTwice(nodes: Array<ReturnType<typeof documenso>>, failing: string[]) {
		const credential = credentialFor(suite.service);
		const [before = '', during = ''] = failing;
		suite.service.fail({ match: before, ...busy });
		const original = await execute(credential, nodes, rows);
		expect(original.data.resultData.error).toBeDefined();
		const left = rows.length - documents().length;
		suite.service.fail({ match: during, delayMs: 0, times: Math.floor(left / 2) });
		suite.service.fail({ match: during, ...busy });
		const first = await retryExecution(credential, nodes, original);
		expect(first.data.resultData.error).toBeDefined();
		expect(documents().length).toBeGreaterThan(rows.length - left);
		const second = await retryExecution(credential, nodes, original);
		return { second, errorOf: (run: IRun) => run.data.resultData.error };
	}

	test('where the node failed in the original', async () => {
		const node = documenso(fewAtOnce);
		const { second, errorOf } = await retryTwice([node], [USE, USE]);
		expect(errorOf(second)).toBeUndefined();
		expect(everyone()).toEqual(people);
		expect(second.data.resultData.runData[node.name]?.[0]?.data?.main?.[0]).toHaveLength(30);
	});

	test('where an earlier node failed, so that the original execution knows nothing of this one', async () => {
		const get = step('template.get', { templateId: suite.template().id });
		const reading = documenso(get, { name: 'Read' });
		const email = "={{ $('Source').item.json['Tenant email'] }}";
		const fill = documenso({ ...fewAtOnce, columns: mapped({ 'Tenant email': email }) });
		const read = `GET /envelope/${suite.template().id}`;
		const { second, errorOf } = await retryTwice([reading, fill], [read, USE]);
		expect(errorOf(second)).toBeUndefined();
		expect(everyone()).toEqual(people);
	});

	test('with an ID of the template that all rows share, the rows of the first retry fail, and name their documents', async () => {
		suite.template().externalId = 'T-1';
		const { second, errorOf } = await retryTwice([documenso(fewAtOnce)], [USE, USE]);
		expect(errorOf(second)?.description).toContain('cannot tell whether an earlier request');
		expect(new Set(everyone()).size).toBe(everyone().length);
	});

	test('a run of its own makes new ones', async () => {
		await suite.outputOf(use, rows);
		await suite.outputOf(use, rows);
		expect(documents()).toHaveLength(60);
	});
});

describe('After lost answers, the ID that all documents of a template have tells nothing', () => {
	test('so each row fails, and names only what is for its recipients', async () => {
		suite.template().externalId = 'T-1';
		suite.service.fail({ match: USE, cut: 'after', times: 4 });
		const { items } = await suite.run(use, tenants(4), { onError: 'continueRegularOutput' });
		expect(documents()).toHaveLength(4);
		const named = items.map(({ json }) => (json.details as IDataObject).documentIds);
		const made = emailsOf(tenants(4)).map((email) =>
			documents().flatMap(({ id, recipients }) => (recipients[0]?.email === email ? id : [])),
		);
		expect(named).toEqual(made);
	});
});

describe('Skip takes a document for other people', () => {
	const skip = withId({ ifExternalIdExists: 'skip' });
	const isOurs = (hint: string) => hint.startsWith('For these items nothing was created');
	const rowFor = (email: string) => ({ json: { ...tenants(1)[0]?.json, 'Tenant email': email } });

	test('and a hint says for whom it is, and what to do', async () => {
		const [first] = (await suite.run(skip, [rowFor('ada@example.com')])).items;
		const { items, hints } = await suite.run(skip, [rowFor('b@example.com')]);
		expect(items[0]?.json).toMatchObject({ id: first?.json.id, alreadyExisted: true });
		expect(items).toHaveLength(1);
		expect(hints.find(isOurs)).toMatch(
			new RegExp(
				`External ID\\.<br>Item 0: ${first?.json.id as string} is for ada@example.com, landlord@example.com, not for b@example.com, landlord@example.com$`,
			),
		);
	});

	test('but none where it is for the same', async () => {
		await suite.run(skip, [rowFor('ada@example.com')]);
		const { hints } = await suite.run(skip, [rowFor('ADA@example.com')]);
		expect(hints.filter(isOurs)).toEqual([]);
	});

	test('and lists ten items at most', async () => {
		const rowsFor = (who: string) =>
			Array.from({ length: 12 }, (_, index) => ({
				json: { ...rowFor(`${who}${index}@example.com`).json, id: `RA-${index}` },
			}));
		await suite.run(skip, rowsFor('a'));
		const { hints } = await suite.run(skip, rowsFor('b'));
		expect(hints.find(isOurs)?.match(/<br>Item \d+:/g)).toHaveLength(10);
		expect(hints.find(isOurs)).toMatch(/<br>and 2 more$/);
	});
});
