import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { startEmulator } from '../../emulator';
import {
	asLookedFor,
	asRead,
	asSeenOnly,
	closeServices,
	complaintsAbout,
	create,
	documentsOf,
	drafts,
	isTheFile,
	never,
	ofRow,
	REQUEST_FAULTS,
	rowsWithFile,
	type Scenario,
} from '../support/faultMatrix';
import { hurry } from '../support/hurry';
import { bytesOf, documenso, execute, runNode } from '../support/n8n';
import { credentialFor, lines, type Service } from '../support/service';
import { automatic, byId, fillFromRow, step, tenants, useService } from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });

afterAll(closeServices);

const titled = (row: number, output: INodeExecutionData[]) =>
	output.filter(({ json }) => json.title === `Row ${row}`);
const timesPutOut = (_: Service, row: number, output: INodeExecutionData[]) =>
	titled(row, output).length;
const oneDraft = async (service: Service) => (await drafts(service)).slice(0, 1);

const READING: Record<string, Scenario> = {
	'Document: Get, a row alone': {
		parameters: { ...ofRow, operation: 'get' },
		hit: { 'GET /envelope/*': asRead },
		isRead: true,
		prepare: oneDraft,
		times: timesPutOut,
	},
	'Document: Get, all rows in one request': {
		parameters: { ...ofRow, operation: 'get' },
		hit: { 'POST /envelope/get-many': asRead },
		isRead: true,
		prepare: drafts,
		times: timesPutOut,
	},
	'Document: Get Many': {
		parameters: { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true },
		hit: { 'GET /envelope': asRead },
		isRead: true,
		prepare: oneDraft,
		times: timesPutOut,
	},
	'Document: Download': {
		parameters: { ...ofRow, operation: 'download', version: 'original' },
		hit: { 'GET /envelope/envelope_*': asRead, 'GET /envelope/item/*': asRead },
		isRead: true,
		prepare: drafts,
		times: async (_, row, output) => {
			const files = await Promise.all(titled(row, output).map(async (item) => await bytesOf(item)));
			const areRight = await Promise.all(files.map(isTheFile));
			return areRight.filter(Boolean).length;
		},
	},
};

test.each(Object.entries(READING))(
	'%s, whatever happens to a request: no row is lost or wrong, and what passes is got over',
	async (name, scenario) => {
		expect(await complaintsAbout({ [name]: scenario })).toEqual([]);
	},
);

const idOf = (service: Service, row: number) => documentsOf(service, row)[0]?.id;

/** Each sending adds one such entry, also for a document that was sent before. */
const timesSent = (service: Service, row: number) =>
	documentsOf(service, row).flatMap(({ auditLog }) =>
		auditLog.filter(({ type }) => type === 'DOCUMENT_FIELDS_AUTO_INSERTED'),
	).length;

const madeAndSent: Pick<Scenario, 'times' | 'isRight'> = {
	times: (service, row) => Math.max(documentsOf(service, row).length, timesSent(service, row)),
	isRight: (service, row, { id }) => id === idOf(service, row) && timesSent(service, row) === 1,
};

/** A template, and rows that fill it in. */
async function template(service: Service) {
	const parameters = { ...create, resource: 'template', title: 'Lease' };
	const rows = await rowsWithFile();
	await execute(credentialFor(service), [documenso(parameters)], rows.slice(0, 1));
	service.calls.length = 0;
	const [made] = service.store.templates;
	return rows.map(({ json }) => ({ json: { ...json, template: made?.id } }));
}

const CHANGING: Record<string, Scenario> = {
	'Document: Create': {
		parameters: create,
		hit: { 'POST /envelope/create': asLookedFor },
		prepare: rowsWithFile,
		times: (service, row) => documentsOf(service, row).length,
		isRight: (service, row, { id }) => id === idOf(service, row),
	},
	'Document: Create and Send': {
		parameters: { ...create, operation: 'createAndSend' },
		hit: { 'POST /envelope/create': asLookedFor, 'POST /envelope/distribute': asLookedFor },
		prepare: rowsWithFile,
		...madeAndSent,
	},
	'Template: Create Document': {
		parameters: {
			resource: 'template',
			operation: 'createDocument',
			templateId: byId('={{ $json.template }}'),
			columns: automatic,
			additionalFields: { title: '=Row {{ $json.row }}' },
		},
		hit: { 'GET /envelope/envelope_*': asRead, 'POST /envelope/use': asLookedFor },
		prepare: template,
		...madeAndSent,
	},
	'Document: Send': {
		parameters: { ...ofRow, operation: 'send' },
		hit: { 'POST /envelope/distribute': asSeenOnly },
		prepare: drafts,
		times: timesSent,
	},
	'Document: Delete': {
		parameters: { ...ofRow, operation: 'delete' },
		hit: { 'GET /envelope/*': asRead, 'POST /envelope/delete': asLookedFor },
		prepare: drafts,
		times: (service, row) => 1 - documentsOf(service, row).length,
	},
	'Recipient: Add': {
		parameters: {
			resource: 'recipient',
			operation: 'add',
			envelopeId: byId('={{ $json.id }}'),
			email: '=row{{ $json.row }}@example.com',
		},
		hit: { 'POST /envelope/recipient/create-many': never },
		prepare: drafts,
		times: (service, row) => {
			const recipients = documentsOf(service, row)[0]?.recipients ?? [];
			return recipients.filter(({ email }) => email === `row${row}@example.com`).length;
		},
	},
};

test.each(Object.entries(CHANGING))(
	'%s, whatever happens to a request: nothing is done twice, lost or misreported',
	async (name, scenario) => {
		expect(await complaintsAbout({ [name]: scenario })).toEqual([]);
	},
);

test('many rows at once that lose their answers in different ways get one document each, sent once', async () => {
	const service = await startEmulator();
	const [row] = await template(service);
	const rows = Array.from({ length: 24 }, (_, index) => ({ json: { ...row?.json, row: index } }));
	for (const { fault, isDone } of Object.values(REQUEST_FAULTS)) {
		if (isDone) service.fail({ match: 'POST /envelope/use', ...fault });
	}
	const { parameters } = CHANGING['Template: Create Document'] ?? { parameters: {} };
	const { items, error } = await runNode(credentialFor(service), parameters, rows);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(rows.map((_, index) => idOf(service, index)));
	expect(service.store.documents).toHaveLength(24);
	expect(rows.map((_, index) => timesSent(service, index))).toEqual(rows.map(() => 1));
	await service.close();
});

test('a change whose answer was lost is not repeated, and the error says that it may have happened', async () => {
	const { id } = await suite.document('createAndSend');
	suite.service.fail({ match: 'POST /envelope/cancel', cut: 'after' });
	const { error } = await suite.run(step('document.cancel', { documentId: id }));
	expect(error?.message).toMatch(/^The connection to Documenso at 127\.0\.0\.1:\d+ failed$/);
	expect(error?.description).toContain('Documenso may have done it nevertheless');
	expect(error?.description).toContain('ECONNRESET');
	expect(lines(suite.service)).toEqual(['POST /envelope/cancel']);
});

describe('a fake Documenso', () => {
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
		[
			'a prototype',
			'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
		],
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

	const onDocument = (operation: string, changes: IDataObject = {}) =>
		step(`document.${operation}`, { documentId: ID }, changes);
	const operations: Array<[string, IDataObject]> = [
		['Get', onDocument('get')],
		['Get without Simplify', onDocument('get', { output: 'raw' })],
		['Get Many', step('document.getAll', {}, { returnAll: true })],
		['Download', onDocument('download')],
		['Send', onDocument('send')],
		['Create Document', fillFromRow],
	];

	describe.each(operations)('%s, answered by a fake Documenso', (_, parameters) => {
		test.each(bodies)(
			'with %s, returns it or fails, and changes no prototype',
			async (__, body) => {
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
			},
		);
	});
});

describe('an answer that cannot be read', () => {
	const MAY_BE_DONE = 'may have done it';

	/** What a proxy makes of an answer: JSON, but without what Documenso's answer holds. */
	function garble(match: string) {
		suite.service.fail({ match, status: 200, body: {} });
	}

	const twice = { maxTries: 2 };

	test('a resend whose document could not be read is tried again, because nothing was sent yet', async () => {
		const { id } = await suite.document('createAndSend');
		garble(`GET /envelope/${id}`);
		const resend = step('document.resend', { documentId: id });
		const { items, error } = await suite.run(resend, tenants(1), twice);
		expect(error).toBeUndefined();
		expect(items[0]?.json.resentTo).toHaveLength(1);
		expect(suite.calls('POST /envelope/redistribute')).toHaveLength(1);
	});

	describe('an error about an answer to a read does not say that something may be done', () => {
		const reads: Array<[string, string, IDataObject]> = [
			['Get Many', 'GET /envelope', { operation: 'getAll', returnAll: true }],
			[
				'Get Many by IDs',
				'POST /envelope/get-many',
				{ operation: 'getByIds', id: '={{ $json.id }}' },
			],
			['Download', 'GET /envelope/*', { operation: 'download' }],
			['Resend', 'GET /envelope/*', { operation: 'resend' }],
			['Send and Wait', 'POST /envelope/get-many', { operation: 'sendUntilSigned' }],
		];
		test.each(reads)('%s', async (_, line, parameters) => {
			const { id } = await suite.document('createAndSend');
			suite.service.fail({ match: line, status: 200, body: {}, times: 99 });
			const given = { ...parameters, ...('id' in parameters ? { id } : {}) };
			const { error } = await suite.run({ resource: 'document', documentId: byId(id), ...given });
			expect(error?.message).toBe("Documenso's answer could not be read");
			expect(error?.description).not.toContain(MAY_BE_DONE);
		});
	});

	describe('a change whose answer could not be read is not sent again', () => {
		const place = { page: 1, positionX: 10, positionY: 10, width: 20, height: 5 };
		const link = { label: 'Map', data: 'https://example.com/map' };
		const changes: Array<[string, string, IDataObject]> = [
			[
				'Field: Add',
				'POST /envelope/field/create-many',
				step('field.add', {}, { type: 'DATE', ...place }),
			],
			[
				'Recipient: Add',
				'POST /envelope/recipient/create-many',
				step('recipient.add', {}, { email: 'new@example.com' }),
			],
			['Document: Duplicate', 'POST /envelope/duplicate', step('document.duplicate')],
			[
				'Attachment: Create',
				'POST /envelope/attachment/create',
				step('attachment.create', {}, link),
			],
			['Folder: Create', 'POST /folder/create', step('folder.create', {}, { name: 'Leases' })],
		];
		test.each(changes)('%s', async (_, line, parameters) => {
			const { id, recipients } = await suite.document();
			garble(line);
			const place = { documentId: byId(id), envelopeId: byId(id) };
			const given = { ...place, recipientId: byId(recipients[0]?.id), ...parameters };
			const { error } = await suite.run(given, tenants(1), twice);
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(error?.description).toContain(MAY_BE_DONE);
			expect(suite.calls(line)).toHaveLength(1);
		});
	});

	test.each([{ data: [] }, { data: [{}] }])('%j is no field that was moved', async (body) => {
		const document = await suite.document('createAndSend');
		suite.service.fail({ match: 'POST /envelope/field/create-many', status: 200, body });
		const changes = { updateFields: { positionY: 30 } };
		const move = step('field.move', { fieldId: document.fields[0]?.id }, changes);
		const { error } = await suite.run(move);
		expect(error?.message).toBe("Documenso's answer could not be read");
		expect(document.fields).toHaveLength(1);
	});

	test.each([
		['document.cancel', 'POST /envelope/cancel'],
		['document.update', 'POST /envelope/update'],
		['recipient.delete', 'POST /envelope/recipient/delete'],
		['recipient.rejectOnBehalf', 'POST /envelope/recipient/*/reject'],
	])('the JSON of a firewall is no success of %s', async (operation, match) => {
		const { id, recipients } = await suite.document('createAndSend');
		suite.service.fail({ match, status: 200, body: { message: 'Request blocked' } });
		const ids = { documentId: id, recipientId: recipients[0]?.id };
		const changes = { reason: 'x', updateFields: { title: 'New' } };
		const { error } = await suite.run(step(operation, ids, changes));
		expect(error?.message).toContain("Documenso's answer could not be read");
	});
	test.each([
		['document.cancel', 'POST /envelope/cancel'],
		['file.delete', 'POST /envelope/item/delete'],
		['recipient.delete', 'POST /envelope/recipient/delete'],
		['field.delete', 'POST /envelope/field/delete'],
	])(
		'%s that a second try finds done already says that the first may have done it',
		async (operation, match) => {
			const isSent = operation === 'document.cancel';
			const document = await suite.document(isSent ? 'createAndSend' : 'create');
			const { id, recipients, fields, items } = document;
			items.push({ ...items[0], id: 'envelope_item_second' } as (typeof items)[number]);
			const page = { status: 502, body: '<html>Bad gateway</html>' };
			suite.service.fail({ match, ...page, takesEffect: true });
			const ids = { documentId: id, envelopeId: id, recipientId: recipients[0]?.id };
			const parts = { fieldId: fields[0]?.id, envelopeItemId: items[0]?.id };
			const again = step(operation, { ...ids, ...parts });
			const { error } = await suite.run(again, tenants(1), twice);
			expect(error?.description).toContain('and Documenso may have done it then');
			expect(suite.calls(match).length).toBeLessThanOrEqual(2);
		},
	);
});
