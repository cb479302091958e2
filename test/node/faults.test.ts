import type { INodeExecutionData } from 'n8n-workflow';

import { startEmulator } from '../../emulator';
import {
	asLookedFor,
	asRead,
	asSeenOnly,
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
import { bytesOf, documenso, execute, runNode } from '../support/n8n';
import { credentialFor, type Service } from '../support/service';
import { automatic, byId } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

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
