import type { IDataObject } from 'n8n-workflow';

import type { Passed, Reply } from '../../emulator';
import { documenso, execute, itemWith, retryExecution } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { createAndSend, fillFromRow, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// What the node is answered is about somebody else's document.
const use: IDataObject = { ...fillFromRow, additionalFields: { ifExternalIdExists: 'create' } };
const suite = useService({ seed: 'demo', rateLimit: { limit: 1_000_000, windowMs: 60_000 } });
const { documents } = suite;

const CREATE = 'POST /envelope/create';
const oneAfterAnother = { options: { maxInFlight: 1 } };
const REFUSAL: Reply = {
	status: 400,
	headers: { 'content-type': 'application/json' },
	body: '{"message":"No","code":"BAD_REQUEST","data":{"code":"INVALID_BODY","httpStatus":400}}',
};

const continued = { onError: 'continueRegularOutput' } as const;

describe('the answer to another request, as of a cache in between', () => {
	/** Every creation gets the answer to the first one. */
	function cache(line: string, isCarriedOut: boolean) {
		const state: { first?: Passed } = {};
		suite.service.intercept(line, async ({ pass }) => {
			if (!state.first) return (state.first = await pass());
			if (isCarriedOut) await pass();
			return state.first;
		});
	}

	const ROWS = 6;

	/** Each item's output names its own document, which is sent; or the item has failed. */
	function expectOwn(outputs: IDataObject[]) {
		expect(outputs).toHaveLength(ROWS);
		const emails = outputs.map(({ error, id }) =>
			error ? 'failed' : documents().find((one) => one.id === id)?.recipients[0]?.email,
		);
		const own = outputs.map(({ error }, row) => (error ? 'failed' : `tenant${row}@example.com`));
		expect(emails).toEqual(own);
		const said = outputs.map((one) => JSON.stringify(one));
		for (const { id, recipients } of documents()) {
			const naming = said.filter((text) => text.includes(id));
			const [tenant] = recipients;
			expect(naming).toHaveLength(naming.length === 0 ? 0 : 1);
			for (const text of naming) expect(said.indexOf(text)).toBe(Number(tenant?.email[6]));
		}
	}

	test.each([true, false])(
		'never returns another person’s document after POST /envelope/use (carried out: %s)',
		async (isCarriedOut) => {
			cache(USE, isCarriedOut);
			const { items } = await suite.run({ ...use, ...oneAfterAnother }, tenants(ROWS), continued);
			expectOwn(items.map(({ json }) => json));
			if (isCarriedOut) expect(items.map(({ json }) => json.error)).toEqual(Array(ROWS));
			expect(documents()).toHaveLength(isCarriedOut ? ROWS : 1);
		},
	);

	test.each([true, false])(
		'never returns another person’s document after POST /envelope/create (carried out: %s)',
		async (isCarriedOut) => {
			const items = await Promise.all(
				Array.from(
					{ length: ROWS },
					async (_, row) => await itemWith({ data: { content: await pdf() } }, { row }),
				),
			);
			cache(CREATE, isCarriedOut);
			const email = '=tenant{{ $json.row }}@example.com';
			const recipients = { recipient: [{ email, name: 'Tenant', role: 'SIGNER' }] };
			const parameters = { ...createAndSend, recipients, ...oneAfterAnother };
			const { items: outputs } = await suite.run(parameters, items, continued);
			expectOwn(outputs.map(({ json }) => json));
			expect(documents().map(({ status }) => status)).toEqual(
				Array(isCarriedOut ? ROWS : 1).fill('PENDING'),
			);
		},
	);
});

describe('a firewall that answers with JSON of its own once Documenso has created and sent', () => {
	const body = '{"message":"Blocked by policy","code":"FORBIDDEN","error":"Forbidden"}';
	const blocked = (status: number): Reply => ({
		...{ status, headers: { 'content-type': 'application/json' }, body },
	});

	/** Passeds half of the creations so. */
	function blockHalf(status: number) {
		let count = 0;
		suite.service.intercept(USE, async ({ pass }) => {
			count += 1;
			if (count % 2 === 0 || count > 6) return undefined;
			await pass();
			return blocked(status);
		});
	}

	test.each([400, 403, 404, 422, 429])(
		'with a %i has refused nothing: no row gets a second document by Retry On Fail',
		async (status) => {
			blockHalf(status);
			const { items, error } = await suite.run(fillFromRow, tenants(6), { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(documents()).toHaveLength(6);
			expect(items.map(({ json }) => json.status)).toEqual(Array(6).fill('PENDING'));
		},
	);

	test('is named where Documenso shows no document', async () => {
		suite.service.intercept(USE, () => blocked(403));
		const { error } = await suite.run(fillFromRow, tenants(1));
		expect(error?.message).toBe('Blocked by policy');
		expect(error?.description).toContain('Documenso may or may not have created the document');
		expect(error?.description).toContain('a firewall or proxy in front of it');
	});
});

describe('a row that Documenso refuses while another execution creates the same', () => {
	const rows = tenants(3).map(({ json }, row) => ({
		json: { ...json, 'External ID': `A-${row}` },
	}));

	/** Refuses all creations, and lets another execution have the same documents created at the first. */
	function refuse() {
		const state: { other?: Promise<unknown> } = {};
		const baseUrl = suite.service.url.replace('127.0.0.1', 'localhost');
		suite.service.intercept(USE, async ({ headers }) => {
			if (headers.host?.startsWith('localhost')) return undefined;
			await (state.other ??= suite.run(use, rows, { credential: { baseUrl } }));
			return REFUSAL;
		});
	}

	test('fails, and so does its Retry', async () => {
		refuse();
		const node = documenso(use);
		const failed = await execute(credentialFor(suite.service), [node], rows);
		expect(failed.data.resultData.error?.message).toContain('No');
		const { data } = await retryExecution(credentialFor(suite.service), [node], failed);
		// An earlier retry may have created them: n8n lets no retry see what the others did.
		expect(data.resultData.error?.description).toContain('cannot tell whether');
		expect(documents()).toHaveLength(rows.length);
	});

	test('fails with Retry On Fail', async () => {
		refuse();
		const { items, error } = await suite.run(use, rows, { maxTries: 3 });
		expect(items).toEqual([]);
		expect(error?.message).toContain('No');
		expect(documents()).toHaveLength(rows.length);
	});
});

describe('a Retry of 1,600 rows without External IDs', () => {
	const COUNT = 1600;

	test('of which half were not created takes one request for each of these', async () => {
		const rows = tenants(COUNT);
		const node = documenso(use);
		const state = { created: 0, refuses: true };
		suite.service.intercept(USE, () => {
			if (!state.refuses) return undefined;
			state.created += 1;
			return state.created > COUNT / 2 ? REFUSAL : undefined;
		});
		const failed = await execute(credentialFor(suite.service), [node], rows);
		expect(documents()).toHaveLength(COUNT / 2);
		suite.service.calls.length = 0;
		state.refuses = false;
		const { data } = await retryExecution(credentialFor(suite.service), [node], failed);
		expect(data.resultData.error).toBeUndefined();
		expect(documents()).toHaveLength(COUNT);
		expect(suite.service.calls.length).toBeLessThan(COUNT / 2 + 50);
		// Where each row is compared with all pairs, it takes 172 s.
	}, 90_000);
});
