import type { IDataObject } from 'n8n-workflow';

import { byId, fillFromRow, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });

const ID = 'envelope_abcdefghijklmnop';
const deep = (open: string, close: string, depth: number) =>
	open.repeat(depth) + close.repeat(depth);

/** Bodies that a fake Documenso may answer, with any status. */
const bodies: Array<[string, string]> = [
	['a page', '<!DOCTYPE html><script>alert(1)</script>'],
	['nothing', ''],
	['null', 'null'],
	['a list without end', deep('[', ']', 200_000)],
	['an object without end', `${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`],
	['a prototype', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
	[
		'a prototype in a list',
		'{"data":[{"__proto__":{"polluted":true},"id":"__proto__"}],"totalPages":1}',
	],
	['a list of nothing', '{"data":[null],"totalPages":1,"count":1}'],
	['a list that is none', '{"data":{"length":1},"totalPages":1}'],
	['pages beyond counting', '{"data":[],"totalPages":1e999,"count":1e999,"currentPage":-1}'],
	['recipients that are none', `{"id":"${ID}","type":"DOCUMENT","recipients":"all","fields":7}`],
	['recipients of nothing', `{"id":"${ID}","type":"DOCUMENT","recipients":[null]}`],
	['a message that is none', '{"message":{"toString":null},"code":["constructor"],"issues":{}}'],
	['a long message', JSON.stringify({ message: 'x'.repeat(5_000_000), code: 'constructor' })],
	[
		'many faults',
		JSON.stringify({ issues: Array(50_000).fill({ path: ['__proto__'], message: '<b>' }) }),
	],
];

const operations: Array<[string, IDataObject]> = [
	['Get', { resource: 'document', operation: 'get', documentId: byId(ID) }],
	[
		'Get without Simplify',
		{ resource: 'document', operation: 'get', documentId: byId(ID), output: 'raw' },
	],
	['Get Many', { resource: 'document', operation: 'getAll', returnAll: true }],
	['Download', { resource: 'document', operation: 'download', documentId: byId(ID) }],
	['Send', { resource: 'document', operation: 'send', documentId: byId(ID) }],
	['Create Document', fillFromRow],
];

describe.each(operations)('%s, answered by a fake Documenso', (_, parameters) => {
	test.each(bodies)('with %s, returns it or fails, and changes no prototype', async (__, body) => {
		for (const status of [200, 400, 500]) {
			suite.service.fail({ match: '*', times: 1000, status, body });
			const setup = { onError: 'continueRegularOutput' } as const;
			const { items, error } = await suite.run(parameters, tenants(1), setup);
			expect(error).toBeUndefined();
			for (const { json } of items.filter((item) => 'error' in item.json)) {
				expect(JSON.stringify(json.error).length).toBeLessThan(3000);
				expect(JSON.stringify(json)).not.toMatch(
					/native code|is not a function|Cannot (read|use|destructure)/,
				);
			}
			expect({}).not.toHaveProperty('polluted');
			expect(suite.service.calls.length).toBeLessThan(40);
			await suite.service.reset();
		}
	});
});
