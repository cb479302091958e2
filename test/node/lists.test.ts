import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { DEMO_TEAM } from '../../emulator/options';
import { beforeCall, folder, paperwork } from '../support/polling';
import { lines, sentTo } from '../support/service';
import { byId, signature, step, useService } from '../support/suite';

const suite = useService();

const paper = paperwork(suite);

const inRoot = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };

const allFolders = step('folder.getAll', {}, { returnAll: true });

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
			const error = await suite.refused({ ...inRoot, filters: { createdAfter } });
			expect(error.message).toContain('Created After');
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
			const error = await suite.refused({ ...inRoot, returnAll: false, limit });
			expect(error.message).toMatch(/^'Limit' is (below 1|not a|missing)/);
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
	const create = (name: string, changes = {}) => step('folder.create', {}, { name, ...changes });

	async function newFolder(name: string, changes = {}) {
		const [made] = await suite.outputOf(create(name, changes));
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
		const error = await suite.refused(create(name));
		expect(error.message).toContain(message);
	});

	test('Get Many lists folders of all levels, or of one', async () => {
		const parent = await newFolder('Deals');
		await newFolder('2026', { parentId: byId(parent) });
		await newFolder('NDAs', { type: 'TEMPLATE' });
		const all = await suite.outputOf(allFolders);
		expect(all.map(({ name }) => name).sort()).toEqual(['2026', 'Deals', 'NDAs']);
		const filters = { parentId: parent, type: 'DOCUMENT' };
		const inside = await suite.outputOf(step('folder.getAll', {}, { filters }));
		expect(inside.map(({ name }) => name)).toEqual(['2026']);
	});

	test('Update renames a folder and moves it to the root', async () => {
		const parent = await newFolder('Deals');
		const child = await newFolder('2026', { parentId: byId(parent) });
		const updateFields = { name: 'Year 2026', parentId: '', pinned: true };
		const update = step('folder.update', { folderId: child }, { updateFields });
		const [updated] = await suite.outputOf(update);
		expect(sentTo(suite.service, 'POST /folder/update')).toEqual({
			folderId: child,
			data: { name: 'Year 2026', parentId: null, pinned: true },
		});
		expect(updated).toMatchObject({ name: 'Year 2026', parentId: null });
	});

	test('Delete lets what a folder held go to the root', async () => {
		const deals = await newFolder('Deals');
		const { id } = await suite.document('create', { additionalFields: { folderId: deals } });
		const remove = step('folder.delete', { folderId: deals });
		expect(await suite.outputOf(remove)).toEqual([{ id: deals, deleted: true }]);
		expect(suite.service.store.envelopes.get(id)?.folderId).toBeNull();
	});

	test('a document is moved into a folder, and back into the root', async () => {
		const deals = await newFolder('Deals');
		const { id } = await suite.document();
		const move = step('folder.moveEnvelope', { envelopeId: id });
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
		const list = step('document.getAll');

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
			const folderId = byId('={{ "" }}');
			const { error } = await suite.run({ ...list, searchIn: 'folder', folderId });
			expect(error?.message).toBe("'Folder' is empty [item 0]");
		});
	});
});

describe('Get Many while documents are created', () => {
	let stop = () => {};

	afterEach(() => stop());

	/** Lets something happen at the service before it answers any page but the first; `page` is its number. */
	function beforeLaterPages(path: string, action: (page: number) => void) {
		stop = beforeCall(suite.service, (line) => {
			const [called, query] = line.split('?');
			const page = Number(new URLSearchParams(query).get('page'));
			if (called === `GET ${path}` && page > 1) action(page);
		});
	}

	const titlesOf = (records: IDataObject[]) => records.map(({ title }) => title as string);
	const numbered = (count: number) => Array.from({ length: count }, (_, index) => `D${index}`);

	/** Each once, and every one of those that were there at the start, the newest of them first. */
	function expectAll(records: IDataObject[], count: number) {
		expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
		const atStart = titlesOf(records).filter((title) => title.startsWith('D'));
		expect(atStart).toEqual(numbered(count).reverse());
	}

	test('Return All returns no document twice, and also reads pages that are added while it reads', async () => {
		paper.drafts(450);
		beforeLaterPages('/envelope', () => paper.drafts(17, (index) => `New ${index}`));
		const all = await suite.outputOf(inRoot);
		expectAll(all, 450);
		expect(lines(suite.service).length).toBeLessThanOrEqual(8);
	});

	test('Return All misses none when a page is answered after the one behind it', async () => {
		paper.drafts(1200);
		beforeLaterPages('/envelope', (page) => {
			if (page === 2) suite.service.fail({ match: 'GET /envelope', delayMs: 1500 });
			if (page === 11) paper.drafts(30, (index) => `New ${index}`);
		});
		expectAll(await suite.outputOf(inRoot), 1200);
	});

	test('Return All misses none of those that stay when newer ones are deleted', async () => {
		const stay = paper.drafts(400);
		const leave = paper.drafts(30, (index) => `Leaves ${index}`);
		beforeLaterPages('/envelope', (page) => {
			if (page === 4) leave.forEach((one) => paper.remove(one));
		});
		expectAll(await suite.outputOf(inRoot), stay.length);
	});

	test('a Limit over several pages is kept, with distinct documents', async () => {
		paper.drafts(400);
		beforeLaterPages('/envelope', () => paper.drafts(70, (index) => `New ${index}`));
		const some = await suite.outputOf({ ...inRoot, returnAll: false, limit: 250 });
		expect(some).toHaveLength(250);
		expect(new Set(some.map(({ id }) => id)).size).toBe(250);
		expect(titlesOf(some)).toEqual(numbered(400).reverse().slice(0, 250));
	});

	test('a document that is moved to another folder while the folders are read is returned once', async () => {
		const [first, second] = ['A', 'B'].map((name) => folder(suite.service, name));
		const document = paper.draft('D0', { folderId: first });
		stop = beforeCall(suite.service, (line) => {
			if (line.includes(`folderId=${first}`)) document.folderId = first ?? null;
			if (line.includes(`folderId=${second}`)) document.folderId = second ?? null;
		});
		// One request at a time, so that it is in both folders when they are read.
		const all = await suite.outputOf({
			...inRoot,
			searchIn: 'everywhere',
			options: { maxInFlight: 1 },
		});
		expect(titlesOf(all)).toEqual(['D0']);
	});

	test('nothing is asked for twice while nothing changes', async () => {
		paper.drafts(450);
		expectAll(await suite.outputOf(inRoot), 450);
		expect(lines(suite.service)).toHaveLength(5);
	});

	test('templates, also those with numbers, come once each', async () => {
		paper.drafts(250, undefined, { type: 'TEMPLATE' });
		for (const [resource, path] of [
			['template', '/envelope'],
			['templateDeprecated', '/template'],
		] as const) {
			let isFirst = true;
			beforeLaterPages(path, () => {
				if (isFirst) paper.drafts(30, (index) => `New ${index}`, { type: 'TEMPLATE' });
				isFirst = false;
			});
			expectAll(await suite.outputOf({ ...inRoot, resource }), 250);
			stop();
		}
	});

	test('folders come once each', async () => {
		for (const name of numbered(250)) folder(suite.service, name);
		let count = 0;
		beforeLaterPages('/folder', () => {
			if (count < 60) for (let more = 0; more < 30; more++) folder(suite.service, `New ${count++}`);
		});
		const all = await suite.outputOf(allFolders);
		expectAll(
			all.map(({ id, name }) => ({ id, title: name })),
			250,
		);
	});

	test('entries of an audit log come once each', async () => {
		const document = paper.draft('D0');
		const [model] = document.auditLog;
		const write = (userAgent: string) => {
			if (!model) throw new Error('The document has no audit log');
			document.auditLog.push({ ...model, id: suite.service.store.ids.cuid(), userAgent });
		};
		document.auditLog = [];
		for (const name of numbered(250)) write(name);
		beforeLaterPages(`/envelope/${document.id}/audit-log`, () => {
			for (let more = 0; more < 30; more++) write('New');
		});
		const log = step('document.getAuditLog', { documentId: document.id }, { returnAll: true });
		const all = await suite.outputOf(log);
		expectAll(
			all.map(({ id, userAgent }) => ({ id, title: userAgent })),
			250,
		);
	});

	test('records without an ID are all kept', async () => {
		const data = [{ name: 'A' }, { name: 'A' }, { id: null, name: 'A' }];
		suite.service.fail({ match: 'GET /folder', status: 200, body: { data, totalPages: 1 } });
		const all = await suite.outputOf(allFolders);
		expect(all).toEqual(data);
	});

	test('counts that never agree end some time', async () => {
		let count = 0;
		stop = beforeCall(suite.service, () => {
			const data = Array.from({ length: 100 }, () => ({ id: String(count++) }));
			const body = { data, count: 500 + (count % 3) * 100, totalPages: 5 };
			suite.service.fail({ match: 'GET /folder', status: 200, body });
		});
		const all = await suite.outputOf(allFolders);
		expect(all.length).toBeGreaterThanOrEqual(500);
		expect(lines(suite.service).length).toBeLessThanOrEqual(20);
	});
});

describe('Get Many in a folder that Documenso does not know', () => {
	const inFolder = (folderId: string, changes: IDataObject = {}) => ({
		...{ ...inRoot, searchIn: 'folder', folderId: byId(folderId), ...changes },
	});

	test('fails instead of returning nothing', async () => {
		const { error } = await suite.run(inFolder('unknown'));
		expect(error?.message).toBe(
			'\'Folder\' is "unknown", but there is no folder of documents with this ID [item 0]',
		);
		expect(error?.description).toContain('There are none yet.');
	});

	test('fails where the folder is one of the other kind', async () => {
		const id = folder(suite.service, 'Deals');
		const { error } = await suite.run(inFolder(id, { resource: 'template' }));
		expect(error?.message).toBe(
			`'Folder' is "${id}", but there is no folder of templates with this ID [item 0]`,
		);
	});

	test('returns nothing where the folder is empty, or nothing fits', async () => {
		const id = folder(suite.service, 'Deals');
		expect(await suite.outputOf(inFolder(id))).toEqual([]);
		expect((await suite.document()).id).toBeDefined();
		expect(await suite.outputOf(inFolder(id, { filters: { query: 'nothing' } }))).toEqual([]);
	});

	test('fails where folders are listed that are said to be in it', async () => {
		const list = step('folder.getAll', {}, { filters: { parentId: 'unknown' } });
		expect((await suite.run(list)).error?.message).toBe(
			'\'Parent Folder ID\' is "unknown", but there is no folder with this ID [item 0]',
		);
		const parentId = folder(suite.service, 'Deals');
		expect(await suite.outputOf({ ...list, filters: { parentId } })).toEqual([]);
	});

	test('does not look at folders while there is something in it', async () => {
		const id = folder(suite.service, 'Deals');
		(await suite.document()).folderId = id;
		expect(await suite.outputOf(inFolder(id))).toHaveLength(1);
		expect(lines(suite.service)).toEqual(['GET /envelope']);
	});
});

describe('Get Many of recipients', () => {
	const DAY_MS = 86_400_000;

	const getMany = (changes: IDataObject = {}) =>
		step('recipient.getAll', {}, { returnAll: true, ...changes });

	const emails = (people: IDataObject[]) => people.map(({ email }) => email);

	/** A sent document for these people, in this order of signing unless they sign at the same time. */
	async function sent(people: string[], { isOrdered = false, title = 'Lease' } = {}) {
		const recipient = people.map((email, index) => ({
			...{ email, role: 'SIGNER' },
			...(isOrdered ? { signingOrder: index + 1 } : {}),
		}));
		return await suite.document('createAndSend', {
			title,
			recipients: { recipient },
			fields: {
				field: people.map((email, index) => ({
					...signature,
					recipient: email,
					positionY: 10 + 10 * index,
				})),
			},
		});
	}

	const createdDaysAgo = (envelope: Envelope, days: number) => {
		envelope.createdAt = new Date(Date.now() - days * DAY_MS);
	};

	const signs = async ({ recipients }: Envelope, email: string) =>
		await suite.service.sign(recipients.find((one) => one.email === email)?.token ?? '');

	test('those who have not signed come one item each, with their document', async () => {
		const { id } = await sent(['ada@example.com', 'bob@example.com']);
		createdDaysAgo(suite.documents()[0] as Envelope, 4);
		const people = await suite.outputOf(getMany());
		expect(emails(people)).toEqual(['ada@example.com', 'bob@example.com']);
		expect(people[0]).toMatchObject({
			role: 'SIGNER',
			isTurn: true,
			hasOpened: false,
			rejectionReason: null,
			waitingDays: 4,
			waitingSinceEvent: 'documentCreated',
			document: { id, title: 'Lease', status: 'PENDING', externalId: expect.any(String) as string },
		});
		expect(JSON.stringify(people)).not.toMatch(/token|signingUrl/);
		expect(suite.calls('GET /envelope')).toHaveLength(1);
	});

	test('of a document that is signed in an order, only the one whose turn it is', async () => {
		const document = await sent(['ada@example.com', 'bob@example.com'], { isOrdered: true });
		expect(emails(await suite.outputOf(getMany()))).toEqual(['ada@example.com']);
		await signs(document, 'ada@example.com');
		expect(emails(await suite.outputOf(getMany()))).toEqual(['bob@example.com']);
		const everyone = await suite.outputOf(getMany({ recipientState: 'all' }));
		expect(everyone.map(({ email, isTurn }) => [email, isTurn])).toEqual([
			['ada@example.com', false],
			['bob@example.com', true],
		]);
	});

	test('of a document that is gone before its order is read, nobody: their turn is not known', async () => {
		const { id } = await sent(['ada@example.com', 'bob@example.com'], { isOrdered: true });
		await sent(['tina@example.com']);
		suite.service.intercept('POST /envelope/get-many', async ({ pass }) => {
			suite.service.store.envelopes.delete(id);
			return await pass();
		});
		expect(emails(await suite.outputOf(getMany()))).toEqual(['tina@example.com']);
	});

	test('only documents whose order the list leaves open are read, twenty in a request', async () => {
		for (let index = 0; index < 3; index++) await sent([`p${index}@example.com`, 'x@example.com']);
		for (let index = 0; index < 21; index++) {
			await sent([`s${index}@example.com`, 'y@example.com'], { isOrdered: true });
		}
		suite.service.calls.length = 0;
		expect(await suite.outputOf(getMany())).toHaveLength(3 * 2 + 21);
		expect(suite.calls('POST /envelope/get-many')).toHaveLength(2);
		expect(suite.calls('GET /envelope')).toHaveLength(1);
	});

	test('the other groups: not opened, expired, rejected with the reason, has acted', async () => {
		const expired = await sent(['late@example.com']);
		for (const { id } of expired.recipients) suite.service.expire(id);
		const opened = await sent(['seen@example.com']);
		for (const recipient of opened.recipients) recipient.readStatus = 'OPENED';
		const refused = await sent(['no@example.com', 'other@example.com']);
		await suite.service.reject(refused.recipients[0]?.token ?? '', 'The rent is wrong');
		const signed = await sent(['yes@example.com', 'open@example.com']);
		await signs(signed, 'yes@example.com');
		await suite.service.settled();
		const group = async (recipientState: string) =>
			await suite.outputOf(getMany({ recipientState }));
		expect(emails(await group('notOpened'))).not.toContain('seen@example.com');
		expect(emails(await group('expired'))).toEqual(['late@example.com']);
		expect(await group('rejected')).toMatchObject([
			{ email: 'no@example.com', rejectionReason: 'The rent is wrong', isTurn: false },
		]);
		expect(emails(await group('hasActed'))).toEqual(['yes@example.com', 'no@example.com']);
	});

	test('the filters: address, role, days of waiting, template, status', async () => {
		createdDaysAgo(await sent(['old@example.com']), 5);
		createdDaysAgo(await sent(['new@example.com', 'both@example.com']), 1);
		const found = async (filters: IDataObject) =>
			emails(await suite.outputOf(getMany({ filters })));
		expect(await found({ waitingDays: 3 })).toEqual(['old@example.com']);
		expect(await found({ email: 'BOTH@example.com' })).toEqual(['both@example.com']);
		expect(await found({ role: 'APPROVER' })).toEqual([]);
		expect(await found({ status: 'COMPLETED' })).toEqual([]);
		expect(await found({ template: { __rl: true, mode: 'number', value: '1' } })).toEqual([]);
	});

	test('an address is found however many documents it has: Documenso searches for it in 1,000', async () => {
		for (const document of paper.drafts(1000)) paper.finish(document);
		paper.send(paper.draft('Lease'));
		const filters = { email: 'tenant@example.com' };
		expect(emails(await suite.outputOf(getMany({ filters })))).toEqual(['tenant@example.com']);
	});

	test('with Add Dates, the days count from when the document was sent to the recipient', async () => {
		const document = await sent(['ada@example.com']);
		createdDaysAgo(document, 9);
		suite.service.remind(document.id);
		suite.service.calls.length = 0;
		const dated = { options: { addDates: true } };
		const [person] = await suite.outputOf(getMany(dated));
		expect(person).toMatchObject({ waitingDays: 0, waitingSinceEvent: 'sent', reminders: 1 });
		expect(person?.sentAt).toEqual(expect.any(String));
		expect(suite.calls(`GET /envelope/${document.id}/audit-log`)).toHaveLength(1);
		expect(await suite.outputOf(getMany({ ...dated, filters: { waitingDays: 3 } }))).toEqual([]);
	});

	test('signing links come only when they are asked for', async () => {
		const { recipients } = await sent(['ada@example.com']);
		const [person] = await suite.outputOf(getMany({ options: { includeSigningLinks: true } }));
		expect(person?.signingUrl).toBe(`${suite.service.url}/sign/${recipients[0]?.token}`);
	});

	describe('in a team that has an email address', () => {
		const ADDRESS = 'contracts@example.com';

		/** Strangers sent it to the team's address: it is listed, and cannot be read. */
		async function fromStrangers(people: string[], isOrdered: boolean) {
			const document = await sent([...people, ADDRESS], { isOrdered });
			document.team = { id: 77, url: 'strangers', name: 'Strangers' };
			document.user = { ...document.user, id: 99, email: 'stranger@example.com' };
			return document;
		}

		beforeEach(() => {
			DEMO_TEAM.email = ADDRESS;
		});
		afterEach(() => {
			delete DEMO_TEAM.email;
		});

		test('what strangers send to it is left out: Documenso resends none of it', async () => {
			await fromStrangers(['ada@example.com'], true);
			for (let index = 0; index < 21; index++) await fromStrangers([], false);
			const { id } = await sent(['tina@example.com']);
			const people = await suite.run(getMany());
			const each = { recipientIds: '={{ [$json.id] }}' };
			const resend = step('document.resend', { documentId: '={{ $json.document.id }}' }, each);
			await suite.outputOf(resend, people.items);
			expect(people.items.map(({ json }) => json.document)).toMatchObject([{ id }]);
			expect(await suite.outputOf(getMany({ recipientState: 'all' }))).toHaveLength(1);
		});

		test('which documents are its own takes one request, however many there are', async () => {
			for (const document of paper.drafts(300)) paper.send(document);
			suite.service.calls.length = 0;
			expect(await suite.outputOf(getMany())).toHaveLength(300);
			expect(suite.calls('POST /envelope/get-many')).toHaveLength(1);
		});
	});

	test('a limit ends the reading, and a misspelt folder is named', async () => {
		for (let index = 0; index < 4; index++) await sent([`p${index}@example.com`]);
		const some = await suite.outputOf(getMany({ returnAll: false, limit: 2 }));
		expect(emails(some)).toEqual(['p3@example.com', 'p2@example.com']);
		const missing = { searchIn: 'folder', folderId: byId('cm2missing') };
		const { error } = await suite.run(getMany(missing));
		expect(error?.message).toContain('\'Folder\' is "cm2missing"');
	});

	test('10,000 open documents of several recipients take 100 requests, 500 for turns, and those for folders', async () => {
		const folderId = folder(suite.service, 'Tenants');
		const { ids } = suite.service.store;
		for (const document of paper.drafts(10_000, undefined, { folderId })) {
			const [tina] = document.recipients as [Envelope['recipients'][number]];
			const second = { ...tina, id: ids.next('recipient'), signingOrder: 2 };
			document.recipients = [tina, { ...second, email: 'tom@example.com' }];
			document.documentMeta = { ...document.documentMeta, signingOrder: 'SEQUENTIAL' };
			paper.send(document);
		}
		suite.service.calls.length = 0;
		const people = await suite.outputOf(getMany());
		expect(people).toHaveLength(10_000);
		const counts: Record<string, number> = {};
		for (const line of lines(suite.service)) counts[line] = (counts[line] ?? 0) + 1;
		expect(counts).toEqual({
			// The empty page of the documents in no folder, too.
			'GET /envelope': 101,
			'GET /folder': 1,
			'POST /envelope/get-many': 500,
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
		const document = await stuck.document('createAndSend', {
			recipients: { recipient: ['ada@example.com', 'bob@example.com'].map((email) => ({ email })) },
			fields: { field: [signature, { ...signature, recipient: 'r2', positionY: 90 }] },
		});
		const [ada] = document.recipients;
		await stuck.service.reject(ada?.token ?? '', 'Too expensive');
		Object.assign(ada ?? {}, { signedAt: minutesAgo(20) });
		return document;
	}

	const onlyStuck = (filters: IDataObject = {}) =>
		step('document.getAll', {}, { returnAll: true, filters: { onlyStuck: true, ...filters } });
	const listed = async (filters: IDataObject = {}) => await stuck.outputOf(onlyStuck(filters));

	describe('Only Stuck', () => {
		test('takes no other status', async () => {
			const run = await stuck.run(onlyStuck({ status: 'COMPLETED' }));
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
			await stuck.outputOf(step('document.get', { documentId: id }));
		const download = async ({ id }: Envelope) =>
			await stuck.run(step('document.download', { documentId: id }));

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
			for (const recipientState of ['hasToAct', 'notOpened', 'expired']) {
				const people = step('recipient.getAll', {}, { returnAll: true, recipientState });
				expect(await stuck.outputOf(people)).toEqual([]);
			}
			stuck.service.calls.length = 0;
			const { error } = await stuck.run(step('document.resend', { documentId: id }));
			expect(error?.message).toContain('has no recipient left to act');
			expect(error?.description).toContain('somebody has rejected it');
			expect(stuck.calls('POST /envelope/redistribute')).toEqual([]);
		});
	});
});
