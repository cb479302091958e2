import type { IDataObject } from 'n8n-workflow';
import { beforeCall, folder, paperwork } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);
const documents = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };
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

const titles = (records: IDataObject[]) => records.map(({ title }) => title as string);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `D${index}`);

/** Each once, and every one of those that were there at the start, the newest of them first. */
function expectAll(records: IDataObject[], count: number) {
	expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
	const atStart = titles(records).filter((title) => title.startsWith('D'));
	expect(atStart).toEqual(numbered(count).reverse());
}

describe('Get Many while documents are created', () => {
	beforeEach(async () => await paper.begin());

	test('Return All returns no document twice, and also reads pages that are added while it reads', async () => {
		paper.drafts(450);
		beforeLaterPages('/envelope', () => paper.drafts(17, (index) => `New ${index}`));
		const all = await suite.outputOf(documents);
		expectAll(all, 450);
		expect(lines(suite.service).length).toBeLessThanOrEqual(8);
	});

	test('Return All misses none when a page is answered after the one behind it', async () => {
		paper.drafts(1200);
		beforeLaterPages('/envelope', (page) => {
			if (page === 2) suite.service.fail({ match: 'GET /envelope', delayMs: 1500 });
			if (page === 11) paper.drafts(30, (index) => `New ${index}`);
		});
		expectAll(await suite.outputOf(documents), 1200);
	});

	test('Return All misses none of those that stay when newer ones are deleted', async () => {
		const stay = paper.drafts(400);
		const leave = paper.drafts(30, (index) => `Leaves ${index}`);
		beforeLaterPages('/envelope', (page) => {
			if (page === 4) leave.forEach((one) => paper.remove(one));
		});
		expectAll(await suite.outputOf(documents), stay.length);
	});

	test('a Limit over several pages is kept, with distinct documents', async () => {
		paper.drafts(400);
		beforeLaterPages('/envelope', () => paper.drafts(70, (index) => `New ${index}`));
		const some = await suite.outputOf({ ...documents, returnAll: false, limit: 250 });
		expect(some).toHaveLength(250);
		expect(new Set(some.map(({ id }) => id)).size).toBe(250);
		expect(titles(some)).toEqual(numbered(400).reverse().slice(0, 250));
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
			...documents,
			searchIn: 'everywhere',
			options: { maxInFlight: 1 },
		});
		expect(titles(all)).toEqual(['D0']);
	});

	test('nothing is asked for twice while nothing changes', async () => {
		paper.drafts(450);
		expectAll(await suite.outputOf(documents), 450);
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
			expectAll(await suite.outputOf({ ...documents, resource }), 250);
			stop();
		}
	});

	test('folders come once each', async () => {
		for (const name of numbered(250)) folder(suite.service, name);
		let count = 0;
		beforeLaterPages('/folder', () => {
			if (count < 60) for (let more = 0; more < 30; more++) folder(suite.service, `New ${count++}`);
		});
		const all = await suite.outputOf({ resource: 'folder', operation: 'getAll', returnAll: true });
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
		const all = await suite.outputOf({
			resource: 'document',
			operation: 'getAuditLog',
			documentId: byId(document.id),
			returnAll: true,
		});
		expectAll(
			all.map(({ id, userAgent }) => ({ id, title: userAgent })),
			250,
		);
	});

	test('records without an ID are all kept', async () => {
		const data = [{ name: 'A' }, { name: 'A' }, { id: null, name: 'A' }];
		suite.service.fail({ match: 'GET /folder', status: 200, body: { data, totalPages: 1 } });
		const all = await suite.outputOf({ resource: 'folder', operation: 'getAll', returnAll: true });
		expect(all).toEqual(data);
	});

	test('counts that never agree end some time', async () => {
		let count = 0;
		stop = beforeCall(suite.service, () => {
			const data = Array.from({ length: 100 }, () => ({ id: String(count++) }));
			const body = { data, count: 500 + (count % 3) * 100, totalPages: 5 };
			suite.service.fail({ match: 'GET /folder', status: 200, body });
		});
		const all = await suite.outputOf({ resource: 'folder', operation: 'getAll', returnAll: true });
		expect(all.length).toBeGreaterThanOrEqual(500);
		expect(lines(suite.service).length).toBeLessThanOrEqual(20);
	});
});
