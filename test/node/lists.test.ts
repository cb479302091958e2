import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import {} from '../support/n8n';
import { folder, paperwork } from '../support/polling';
import { lines, sentTo } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();

const paper = paperwork(suite);

const inRoot = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };

beforeEach(async () => await paper.begin());

const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000);

/** A document for each day, from the first of January on. */
const daily = (count: number, changes: object = {}) =>
	Array.from({ length: count }, (_, index) =>
		paper.draft(`Day ${index}`, { createdAt: day(index), ...changes }),
	);

async function titles(filters: IDataObject, changes: IDataObject = {}) {
	suite.service.calls.length = 0;
	const found = await suite.outputOf({ ...inRoot, filters, ...changes });
	return found.map(({ title }) => title);
}

const pages = () => lines(suite.service).filter((line) => line === 'GET /envelope').length;

describe('by their dates', () => {
	test('documents are those from the first moment up to the second, without it', async () => {
		daily(5);
		const dates = { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-04T00:00:00Z' };
		expect(await titles(dates)).toEqual(['Day 2', 'Day 1']);
		expect(await titles({ ...dates, orderByDirection: 'asc' })).toEqual(['Day 1', 'Day 2']);
	});

	test('a date without an offset is one of the time zone of the workflow', async () => {
		paper.draft('Late in New York', { createdAt: new Date('2026-01-02T03:00:00Z') });
		expect(await titles({ createdBefore: '2026-01-02' })).toEqual(['Late in New York']);
	});

	test('an expression may give a date', async () => {
		daily(3);
		const createdAfter = '={{ DateTime.fromISO("2026-01-02", { zone: "utc" }).plus({ days: 1 }) }}';
		expect(await titles({ createdAfter })).toEqual(['Day 2']);
	});

	test.each(['soon', '31/01/2026', '={{ DateTime.fromISO("soon") }}'])(
		'%s is refused before anything is asked for',
		async (createdAfter) => {
			const { error } = await suite.run({ ...inRoot, filters: { createdAfter } });
			expect(error?.message).toContain('Created After');
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('the list is read down to the first page beyond them, and no further', async () => {
		daily(1500);
		expect(await titles({ createdAfter: day(1495).toISOString() })).toHaveLength(5);
		expect(pages()).toBe(1);
		const before = { createdBefore: day(5).toISOString(), orderByDirection: 'asc' };
		expect(await titles(before)).toEqual(['Day 0', 'Day 1', 'Day 2', 'Day 3', 'Day 4']);
		expect(pages()).toBe(1);
	});

	test('those that are too new do not count towards the limit', async () => {
		daily(250);
		const before = { createdBefore: day(10).toISOString() };
		const limited = { returnAll: false, limit: 2 };
		expect(await titles(before, limited)).toEqual(['Day 9', 'Day 8']);
	});

	test('all folders are looked through', async () => {
		const folderId = folder(suite.service, 'Deals');
		daily(3);
		daily(3, { folderId });
		const dates = { createdAfter: day(1).toISOString(), createdBefore: day(2).toISOString() };
		expect(await titles(dates, { searchIn: 'everywhere' })).toEqual(['Day 1', 'Day 1']);
	});
});

test('an external ID is compared as a whole, and its signs are no wildcards', async () => {
	paper.draft('This one', { externalId: 'row_1' });
	paper.draft('It waits', { externalId: 'row_1 n8n-wait:abcdef:1:x' });
	paper.draft('Longer', { externalId: 'row_10' });
	paper.draft('Similar', { externalId: 'row-1' });
	paper.draft('row_1');
	expect(await titles({ externalId: 'row_1' })).toEqual(['It waits', 'This one']);
	expect(suite.service.calls[0]?.query.query).toBe('row\\_1');
});

test('Search finds its text, also with characters that are wildcards to Documenso', async () => {
	paper.draft('Plan a\\b 50%');
	paper.draft('Plan ab 501');
	expect(await titles({ query: 'a\\b 50%' })).toEqual(['Plan a\\b 50%']);
});

test.each([byId('template_7'), { __rl: true, mode: 'list', value: 7 }, '={{ 7 }}'])(
	'the template %j is asked for by its number',
	async (template) => {
		paper.draft('Of another', { templateId: 8 });
		paper.draft('Of the template', { templateId: 7 });
		expect(await titles({ template })).toEqual(['Of the template']);
	},
);

test('a document has the address of its page in Documenso, which can be selected', async () => {
	const { id } = paper.draft('Lease');
	const url = `${suite.service.url}/t/demo/documents/${id}`;
	expect(await suite.outputOf(inRoot)).toEqual([expect.objectContaining({ id, url })]);
	const selected = { ...inRoot, output: 'selected', outputFields: 'url' };
	expect(await suite.outputOf(selected)).toEqual([{ url }]);
});

describe('requests', () => {
	test('returns as many as asked for, a hundred a page', async () => {
		daily(3);
		expect(await titles({}, { returnAll: false, limit: 2 })).toEqual(['Day 2', 'Day 1']);
		expect(suite.service.calls.map(({ query }) => query)).toEqual([
			{ type: 'DOCUMENT', page: '1', perPage: '2' },
		]);
	});

	test('sends every filter, and the column without which the direction is ignored', async () => {
		await suite.run({
			...inRoot,
			searchIn: 'folder',
			folderId: byId('folder1'),
			filters: {
				query: 'lease',
				status: 'CANCELLED',
				source: 'TEMPLATE',
				template: byId(7),
				hasExpiredRecipients: true,
				orderByDirection: 'asc',
			},
		});
		expect(suite.service.calls[0]?.query).toEqual({
			type: 'DOCUMENT',
			query: 'lease',
			status: 'CANCELLED',
			source: 'TEMPLATE',
			folderId: 'folder1',
			templateId: '7',
			hasExpiredRecipients: 'true',
			orderByColumn: 'createdAt',
			orderByDirection: 'asc',
			page: '1',
			perPage: '100',
		});
	});
});

describe('lists', () => {
	test.each([0, -1, 1.5, '={{ null }}', '={{ "many" }}'])(
		'a limit of %j is refused',
		async (limit) => {
			const { error } = await suite.run({ ...inRoot, returnAll: false, limit });
			expect(error?.message).toMatch(/^'Limit' is (below 1|not a|missing)/);
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('an answer that does not say how many pages there are is an error, not a short list', async () => {
		suite.service.fail({ match: 'GET /envelope', status: 200, body: { data: [] } });
		const { error } = await suite.run(inRoot);
		expect(error?.message).toBe("Documenso's answer could not be read");
	});

	test('an empty page ends a list, whatever the number of pages is said to be', async () => {
		suite.service.fail({
			match: 'GET /envelope',
			status: 200,
			body: { data: [], totalPages: 1e9 },
		});
		const { items } = await suite.run(inRoot);
		expect(items).toEqual([]);
		expect(lines(suite.service)).toHaveLength(1);
	});

	test('pair each result with the item that asked for it', async () => {
		for (const title of ['Draft 0', 'Draft 1', 'Draft 2']) paper.draft(title);
		const asking = [{ json: { text: 'Draft 2' } }, { json: { text: 'Draft' } }];
		const { items } = await suite.run(
			{ ...inRoot, filters: { query: '={{ $json.text }}' } },
			asking,
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 1, 1].map((item) => ({ item })),
		);
	});

	test.each([
		['more than', 4, []],
		['as many as', 3, ["There may be more: 'Limit' is 3. For all, turn on 'Return All'."]],
		['fewer than', 2, ["There may be more: 'Limit' is 2. For all, turn on 'Return All'."]],
	])('a limit of %s there are: a hint says once if it was reached', async (_, limit, hints) => {
		daily(3);
		const items = [{ json: {} }, { json: {} }];
		const run = await suite.run({ ...inRoot, returnAll: false, limit }, items);
		expect(run.error).toBeUndefined();
		expect(run.hints).toEqual(hints);
	});

	test('pages beyond the limit are not asked for', async () => {
		for (let page = 0; page < 50; page++) {
			const data = Array.from({ length: 100 }, (_, index) => ({ id: `envelope_${page}x${index}` }));
			const body = { data, totalPages: 50 };
			suite.service.fail({ match: 'GET /envelope', status: 200, body });
		}
		const list = { ...inRoot, returnAll: false, limit: 250 };
		const { items } = await suite.run(list);
		expect(items).toHaveLength(250);
		expect(suite.service.calls.map(({ query }) => query.page).sort()).toEqual(['1', '2', '3']);
	});
});

describe('folders', () => {
	const base = { resource: 'folder' };

	async function newFolder(name: string, changes = {}) {
		const [made] = await suite.outputOf({ ...base, operation: 'create', name, ...changes });
		return made?.id as string;
	}

	test('Create makes a folder, inside another one if that is given', async () => {
		const parent = await newFolder('Deals');
		const child = await newFolder('2026', { parentId: byId(parent) });
		expect(suite.service.calls.map(({ body }) => body)).toEqual([
			{ name: 'Deals', type: 'DOCUMENT' },
			{ name: '2026', type: 'DOCUMENT', parentId: parent },
		]);
		expect(suite.service.store.folders.get(child)?.parentId).toBe(parent);
	});

	test.each([
		['x', 'is shorter than 2 characters'],
		['x'.repeat(101), 'is longer than 100 characters'],
		['see www.example.com', 'looks like a web address'],
	])('the name %j is refused before any request', async (name, message) => {
		const { error } = await suite.run({ ...base, operation: 'create', name });
		expect(error?.message).toContain(message);
		expect(lines(suite.service)).toEqual([]);
	});

	test('Get Many lists folders of all levels, or of one', async () => {
		const parent = await newFolder('Deals');
		await newFolder('2026', { parentId: byId(parent) });
		await newFolder('NDAs', { type: 'TEMPLATE' });
		const all = await suite.outputOf({ ...base, operation: 'getAll', returnAll: true });
		expect(all.map(({ name }) => name).sort()).toEqual(['2026', 'Deals', 'NDAs']);
		const filters = { parentId: parent, type: 'DOCUMENT' };
		const inside = await suite.outputOf({ ...base, operation: 'getAll', filters });
		expect(inside.map(({ name }) => name)).toEqual(['2026']);
	});

	test('Update renames a folder and moves it to the root', async () => {
		const parent = await newFolder('Deals');
		const child = await newFolder('2026', { parentId: byId(parent) });
		const [updated] = await suite.outputOf({
			...base,
			operation: 'update',
			folderId: byId(child),
			updateFields: { name: 'Year 2026', parentId: '', pinned: true },
		});
		expect(sentTo(suite.service, 'POST /folder/update')).toEqual({
			folderId: child,
			data: { name: 'Year 2026', parentId: null, pinned: true },
		});
		expect(updated).toMatchObject({ name: 'Year 2026', parentId: null });
	});

	test('Delete lets what a folder held go to the root', async () => {
		const deals = await newFolder('Deals');
		const { id } = await suite.document('create', { additionalFields: { folderId: deals } });
		const remove = { ...base, operation: 'delete', folderId: byId(deals) };
		expect(await suite.outputOf(remove)).toEqual([{ id: deals, deleted: true }]);
		expect(suite.service.store.envelopes.get(id)?.folderId).toBeNull();
	});

	test('a document is moved into a folder, and back into the root', async () => {
		const deals = await newFolder('Deals');
		const { id } = await suite.document();
		const move = { ...base, operation: 'moveEnvelope', envelopeId: byId(id) };
		const [moved] = await suite.outputOf({ ...move, folderId: byId(deals) });
		expect(moved).toMatchObject({ id, folderId: deals });
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: id,
			data: { folderId: deals },
		});
		const [back] = await suite.outputOf(move);
		expect(back).toMatchObject({ id, folderId: null });
	});

	describe('Search In', () => {
		const list = { resource: 'document', operation: 'getAll' };

		async function scattered() {
			const deals = await newFolder('Deals');
			const nested = await newFolder('2026', { parentId: byId(deals) });
			for (const [title, folderId] of [
				['A', ''],
				['B', deals],
				['C', nested],
				['D', ''],
			]) {
				await suite.document('create', { title, additionalFields: { folderId } });
			}
			return { deals };
		}

		const titles = async (parameters: object) =>
			(await suite.outputOf({ ...list, ...parameters })).map(({ title }) => title);

		test('everywhere finds what is in any folder, in one order', async () => {
			await scattered();
			expect(await titles({})).toEqual(['D', 'C', 'B', 'A']);
			const oldestFirst = { filters: { orderByDirection: 'asc' } };
			expect(await titles(oldestFirst)).toEqual(['A', 'B', 'C', 'D']);
			expect(await titles({ limit: 3 })).toEqual(['D', 'C', 'B']);
		});

		test('one folder or the root is all that is asked for', async () => {
			const { deals } = await scattered();
			expect(await titles({ searchIn: 'root' })).toEqual(['D', 'A']);
			expect(await titles({ searchIn: 'folder', folderId: byId(deals) })).toEqual(['B']);
			expect(lines(suite.service)).toEqual(['GET /envelope', 'GET /envelope']);
		});

		test('a folder that is not named is refused', async () => {
			const { error } = await suite.run({
				...list,
				searchIn: 'folder',
				folderId: byId('={{ "" }}'),
			});
			expect(error?.message).toBe("'Folder' is empty [item 0]");
		});
	});
});

describe('documents with which nothing goes on', () => {
	// The sealing job never runs, as where a required field cannot be filled in.
	const stuck = useService({ seed: 'demo', sealDelayMs: 86_400_000 });

	const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

	/** A document that everyone has signed, so many minutes ago, and that is not sealed. */
	async function signed(minutes: number): Promise<Envelope> {
		const document = await stuck.document('createAndSend');
		const [tina] = document.recipients;
		await stuck.service.sign(tina?.token ?? '');
		Object.assign(tina ?? {}, { signedAt: minutesAgo(minutes) });
		return document;
	}

	async function rejected(): Promise<Envelope> {
		const people = ['ada@example.com', 'bob@example.com'].map((email) => ({
			email,
			role: 'SIGNER',
		}));
		const signature = { type: 'SIGNATURE', page: 1, positionX: 10, width: 30, height: 6 };
		const document = await stuck.document('createAndSend', {
			recipients: { recipient: people.map((one) => ({ ...one, name: '' })) },
			fields: {
				field: [
					{ ...signature, recipient: 'r1', positionY: 80 },
					{ ...signature, recipient: 'r2', positionY: 90 },
				],
			},
		});
		const [ada] = document.recipients;
		await stuck.service.reject(ada?.token ?? '', 'Too expensive');
		Object.assign(ada ?? {}, { signedAt: minutesAgo(20) });
		return document;
	}

	const listed = async (filters: IDataObject = {}) =>
		await stuck.outputOf({
			...{ resource: 'document', operation: 'getAll', returnAll: true },
			filters: { onlyStuck: true, ...filters },
		});

	describe('Only Stuck', () => {
		test('takes no other status', async () => {
			const run = await stuck.run({
				...{ resource: 'document', operation: 'getAll', returnAll: true },
				filters: { onlyStuck: true, status: 'COMPLETED' },
			});
			expect(run.error?.message).toContain("'Only Stuck' lists only pending documents");
			expect(await listed({ status: 'PENDING' })).toEqual([]);
		});

		test('lists what everyone has signed and Documenso has not finished for 15 minutes', async () => {
			await signed(14);
			await stuck.document('createAndSend');
			const { id } = await signed(16);
			expect(await listed()).toMatchObject([
				{
					id,
					status: 'PENDING',
					stuck: {
						reason: 'notFinished',
						since: expect.stringMatching(/Z$/) as string,
						advice: expect.stringContaining('An administrator') as string,
					},
				},
			]);
		});

		test('lists what somebody has rejected', async () => {
			const { id } = await rejected();
			expect(await listed()).toMatchObject([{ id, stuck: { reason: 'notFinished' } }]);
		});

		test('leaves out a recipient who gets the link by hand, and has no address', async () => {
			const { recipients } = await stuck.document('createAndSend');
			Object.assign(recipients[0] ?? {}, { email: '' });
			expect(await listed()).toEqual([]);
		});

		test('lists expired links, and addresses that are placeholders', async () => {
			const late = await stuck.document('createAndSend');
			stuck.service.expire(late.recipients[0]?.id ?? 0);
			Object.assign(late.recipients[0] ?? {}, { expiresAt: minutesAgo(1) });
			const lost = await stuck.document('createAndSend');
			Object.assign(lost.recipients[0] ?? {}, { email: 'recipient.1@documenso.com' });
			const found = await listed();
			expect(found.map(({ id, stuck }) => ({ id, reason: (stuck as IDataObject).reason }))).toEqual(
				expect.arrayContaining([
					{ id: late.id, reason: 'linkExpired' },
					{ id: lost.id, reason: 'placeholderAddress' },
				]),
			);
		});
	});

	describe('a document that Documenso has not finished', () => {
		const get = async ({ id }: Envelope) =>
			await stuck.outputOf({ resource: 'document', operation: 'get', documentId: byId(id) });
		const download = async ({ id }: Envelope) =>
			await stuck.run({ resource: 'document', operation: 'download', documentId: byId(id) });

		test('says since when, in Get and Download', async () => {
			const document = await signed(1);
			const since = document.recipients[0]?.signedAt?.toISOString() ?? '';
			expect(await get(document)).toMatchObject([{ unfinishedSince: since }]);
			const { error } = await download(document);
			expect(error?.message).toContain(`Documenso is still finishing it, since ${since}`);
			expect(error?.description).toContain('That takes a few seconds');
		});

		test('says after 15 minutes what to do', async () => {
			const document = await signed(16);
			expect(await get(document)).toMatchObject([{ stuck: { reason: 'notFinished' } }]);
			const { error } = await download(document);
			expect(error?.message).toContain('Documenso has not finished the document');
			expect(error?.description).toContain('An administrator of Documenso can seal');
			expect(error?.description).not.toContain('a few seconds');
		});

		test('that somebody has rejected asks nobody else: neither the list nor Resend', async () => {
			const { id } = await rejected();
			const people = { resource: 'recipient', operation: 'getAll', returnAll: true };
			for (const recipientState of ['hasToAct', 'notOpened', 'expired']) {
				expect(await stuck.outputOf({ ...people, recipientState })).toEqual([]);
			}
			stuck.service.calls.length = 0;
			const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
			const { error } = await stuck.run(resend);
			expect(error?.message).toContain('has no recipient left to act');
			expect(error?.description).toContain('somebody has rejected it');
			expect(stuck.calls('POST /envelope/redistribute')).toEqual([]);
		});
	});
});
