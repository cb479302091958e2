import { WorkflowExpression } from 'n8n-workflow';

import { lines } from '../support/service';
import { byId, fillFromRow as use, tenants, USE, useService } from '../support/suite';

const suite = useService({ seed: 'demo', rateLimit: { limit: 100_000, windowMs: 60_000 } });
const THOUSAND = 1000;

test('a thousand rows become a thousand documents, which are read and listed with few requests', async () => {
	const rows = tenants(THOUSAND).map(({ json }, row) => ({
		json: { ...json, 'External ID': `row-${row}` },
	}));
	const { items: made, error } = await suite.run(use, rows);
	expect(error).toBeUndefined();
	expect(made.map(({ json }) => json.externalId)).toEqual(rows.map((_, row) => `row-${row}`));
	expect(new Set(made.map(({ json }) => json.id)).size).toBe(THOUSAND);
	expect(made.every(({ json }) => (json.recipients as unknown[]).length === 2)).toBe(true);
	expect(lines(suite.service).filter((line) => line === USE)).toHaveLength(THOUSAND);
	// Besides the template, the folders and the list, the newest documents are looked at every five seconds.
	expect(lines(suite.service).length).toBeLessThan(1.1 * THOUSAND);
	const most = suite.service.maxInFlight;
	expect(most).toBeLessThanOrEqual(32);

	suite.service.calls.length = 0;
	const get = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };
	const { items: read } = await suite.run(get, made);
	expect(read.map(({ json }) => json.id)).toEqual(made.map(({ json }) => json.id));
	const reads = lines(suite.service);
	expect(new Set(reads)).toEqual(new Set(['POST /envelope/get-many']));
	expect(reads).toHaveLength(THOUSAND / 20);

	suite.service.calls.length = 0;
	const list = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };
	const { items: listed } = await suite.run(list);
	const ids = new Set(listed.map(({ json }) => json.id));
	expect(made.filter(({ json }) => !ids.has(json.id))).toEqual([]);
	expect(ids.size).toBe(listed.length);
	const pages = suite.service.calls.map(({ query }) => `${query.page} of ${query.perPage}`);
	const count = Math.ceil(listed.length / 100);
	expect(pages.sort()).toEqual(
		Array.from({ length: count }, (_, page) => `${page + 1} of 100`).sort(),
	);
	console.log(
		`${THOUSAND} rows: ${made.length} documents, ${1 + THOUSAND} requests; read by ID in ${reads.length} requests; ${listed.length} listed in ${count}`,
	);
});

test('an ID is worked out once an item, because n8n takes long for an expression', async () => {
	const { items: made } = await suite.run(use, tenants(30));
	const evaluate = jest.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
	const get = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };
	const { items: read } = await suite.run(get, made);
	expect(read).toHaveLength(30);
	const evaluated = evaluate.mock.calls.map(([expression]) => expression);
	evaluate.mockRestore();
	expect(evaluated.filter((expression) => expression === '={{ $json.id }}')).toHaveLength(30);
});

test('pages beyond the limit are not asked for', async () => {
	for (let page = 0; page < 50; page++) {
		const data = Array.from({ length: 100 }, (_, index) => ({ id: `envelope_${page}x${index}` }));
		const body = { data, totalPages: 50 };
		suite.service.fail({ match: 'GET /envelope', status: 200, body });
	}
	const list = { resource: 'document', operation: 'getAll', searchIn: 'root', limit: 250 };
	const { items } = await suite.run(list);
	expect(items).toHaveLength(250);
	expect(suite.service.calls.map(({ query }) => query.page).sort()).toEqual(['1', '2', '3']);
});
