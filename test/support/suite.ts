import { refusal } from './refusal';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { startEmulator, type EmulatorOptions } from '../../emulator';
import type { Field } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { processedData } from './history';
import {
	cancelExecutions,
	itemWith,
	runNode,
	type Credential,
	type NodeRun,
	type Setup,
} from './n8n';
import { pdf } from './pdf';
import { credentialFor, lines, type Service } from './service';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** The parameters of an operation, such as `document.send`, on what has these IDs. */
export function step(
	id: string,
	ids: Record<string, unknown> = {},
	changes: IDataObject = {},
): IDataObject {
	const [resource, operation] = id.split('.');
	const chosen = Object.entries(ids).map(([name, value]) => [name, byId(value)] as const);
	return { resource, operation, ...Object.fromEntries(chosen), ...changes };
}

/** What a resource mapper holds when its columns are mapped one by one. */
export const mapped = (value: IDataObject) => ({ mappingMode: 'defineBelow', value });

/** A resource mapper that takes the item's own columns. */
export const automatic = { mappingMode: 'autoMapInputData', value: null };

/** The demo's rental agreement, filled in from the columns of each item. */
export const fillFromRow: IDataObject = {
	resource: 'template',
	operation: 'createDocument',
	templateId: byId(RENTAL_AGREEMENT.id),
	columns: automatic,
};

/** Without it, only Raw has signing links. */
export const WITH_LINKS = { options: { includeSigningLinks: true } };

/** Rows that fill the rental agreement in. */
export const tenants = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, row) => ({
		json: {
			'Tenant name': `Tenant ${row}`,
			'Tenant email': `tenant${row}@example.com`,
			Address: `Quay ${row}`,
			Rent: 1000 + row,
			Payment: 'Card',
		},
	}));

/** The same with a column External ID: `CRM-0`, `CRM-1` … */
export const tenantsWithIds = (count: number): INodeExecutionData[] =>
	tenants(count).map(({ json }, index) => ({ json: { ...json, 'External ID': `CRM-${index}` } }));

export const emailsOf = (rows: INodeExecutionData[]) =>
	rows.map(({ json }) => json['Tenant email'] as string);

/** A row with a value for every field of the rental agreement. */
export const wholeRow = {
	'Tenant email': 'tina@example.com',
	'Tenant name': 'Tina',
	Address: '1 Main Street',
	Rent: '900',
	'Start date': '2027-02-01',
	Payment: 'Card',
};

/** The fewest columns with which the rental agreement can be filled in. */
export const tina = { 'Tenant email': 'tina@example.com' };

export const row = (changes: IDataObject = {}) => ({ json: { ...tina, ...changes } });

/** The rental agreement with an External ID: the item's `id`, or the same for all. */
export const withId = (changes: IDataObject = {}) => ({
	...fillFromRow,
	additionalFields: {
		...{ externalId: '={{ $json.id ?? "RA-1" }}', ifExternalIdExists: 'create' },
		...changes,
	},
});

/** The request that creates a document from a template. */
export const USE = 'POST /envelope/use';

/** The options of a field of checkboxes. */
export const boxes = (...values: string[]) =>
	values.map((value, index) => ({ id: index + 1, checked: false, value }));

/** An item with a PDF, whose pages have these texts. */
export const itemWithPdf = async (...pages: string[]) =>
	await itemWith({ data: { content: await pdf(...pages) } });

export const signer = { email: 'tenant@example.com', name: 'Tina', role: 'SIGNER' };

export const signature = {
	recipient: 'r1',
	type: 'SIGNATURE',
	page: 1,
	positionX: 10,
	positionY: 80,
	width: 30,
	height: 6,
};

/** A document of one signer, as the editor's inputs make it. */
export const contract = {
	title: 'Lease',
	recipients: { recipient: [signer] },
	fields: { field: [signature] },
};

export const createAndSend = { resource: 'document', operation: 'createAndSend', ...contract };

/** What the names of a document's files end with, if nobody gave it an External ID. */
export const ending = (id: unknown) => ` (${String(id).slice(-8)})`;

/** The whole error as users read it. */
export const said = ({ error }: NodeRun) => error && `${error.message} ${error.description}`;

/** A run that has ended, and how long it took by the node's clock, in milliseconds. */
export interface TimedRun extends NodeRun {
	took: number;
}

/** A service for the tests of one file, empty or with the demo's templates before each of them. */
export function useService(options: EmulatorOptions = {}) {
	const state: { service?: Service } = {};
	const current = () => {
		if (!state.service) throw new Error('The service has not been started');
		return state.service;
	};
	const start = async () => {
		const time = () => new Date(clock.now());
		const sleep = async (milliseconds: number) => await clock.sleep(milliseconds);
		state.service = await startEmulator({ sealDelayMs: 0, clock: time, sleep, ...options });
	};
	beforeAll(start);
	beforeEach(async () => {
		// n8n has been started anew: nothing of another test is remembered.
		Object.assign(thisProcess, new N8nProcess());
		processedData.forget('workflow');
		await current().reset();
	});
	afterEach(async () => {
		if (!cancelExecutions()) return;
		// What they have sent must not reach the service of the next test.
		await current().close();
		await start();
	});
	afterAll(async () => {
		await current().close();
	});

	async function run(
		parameters: IDataObject,
		items: INodeExecutionData[] = [{ json: {} }],
		setup: Setup & { credential?: Partial<Credential> } = {},
	): Promise<TimedRun> {
		const begunAt = clock.now();
		const credential = credentialFor(current(), setup.credential);
		const ended = await runNode(credential, parameters, items, setup);
		return { ...ended, took: clock.now() - begunAt };
	}

	/** The same for an execution that has to succeed: its output. */
	async function outputOf(
		parameters: IDataObject,
		items?: INodeExecutionData[],
		setup: Setup = {},
	) {
		const { items: output, error } = await run(parameters, items, setup);
		if (error) throw error;
		return output.map(({ json }) => json);
	}

	/** The error of an execution that is refused before any request. */
	async function refused(...given: Parameters<typeof run>) {
		const { error } = await run(...given);
		expect(lines(current())).toEqual([]);
		if (!error) throw new Error('It was not refused');
		return error;
	}

	const documents = () => current().store.documents;

	/** The requests of one kind that arrived, such as `POST /envelope/use`. */
	const calls = (line: string) => lines(current()).filter((one) => one === line);

	/** The requests that arrived and may have changed something. */
	const changes = () => lines(current()).filter((line) => !line.startsWith('GET'));

	/** Creates and sends a contract from a PDF. */
	async function upload(changes: IDataObject = {}, setup: Setup = {}) {
		return await run({ ...createAndSend, ...changes }, [await itemWithPdf()], setup);
	}

	async function document(operation: 'create' | 'createAndSend' = 'create', changes = {}) {
		const item = await itemWithPdf('A lease', 'Page two');
		const parameters = { resource: 'document', operation, ...contract, ...changes };
		const [made] = await outputOf(parameters, [item]);
		const envelope = current().store.envelopes.get(made?.id as string);
		if (!envelope) throw new Error('The document was not made');
		current().calls.length = 0;
		return envelope;
	}

	function template() {
		const envelope = current().store.envelopes.get(RENTAL_AGREEMENT.id);
		if (!envelope) throw new Error('The service was not started with the demo templates');
		return envelope;
	}

	function field(name: keyof typeof RENTAL_AGREEMENT.fields): Field {
		const found = template().fields.find(({ id }) => id === RENTAL_AGREEMENT.fields[name]);
		if (!found) throw new Error(`The template has lost its field ${name}`);
		return found;
	}

	/** The template's field becomes one of another type. */
	function become(name: keyof typeof RENTAL_AGREEMENT.fields, type: string, meta: object) {
		Object.assign(field(name), { type, fieldMeta: { type: type.toLowerCase(), ...meta } });
	}

	/** The first recipients of all documents, one for each document. */
	function tenantEmails(): string[] {
		return documents()
			.map(({ recipients }) => recipients[0]?.email ?? '')
			.sort();
	}

	/** The next searches for a document fail, so many of them. */
	function failSearches(times: number) {
		current().fail({ match: 'GET /envelope', times, ...refusal('Down') });
	}

	/** Everyone signs, with these values by label or with any, and the document is sealed. */
	async function complete(id: string, fields?: Record<string, string | null>) {
		for (const { token, role } of current().store.envelopes.get(id)?.recipients ?? []) {
			if (role !== 'CC') await current().sign(token, fields ? { fields } : {});
		}
		await current().settled();
		current().calls.length = 0;
	}

	return {
		get service() {
			return current();
		},
		run,
		outputOf,
		refused,
		documents,
		calls,
		changes,
		upload,
		document,
		template,
		field,
		become,
		tenantEmails,
		failSearches,
		complete,
	};
}

export type Suite = ReturnType<typeof useService>;
