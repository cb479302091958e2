import type { IDataObject } from 'n8n-workflow';

import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import {
	byId,
	createAndSend,
	fillFromRow,
	row,
	tenants,
	USE,
	useService,
	wholeRow,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const withRow: IDataObject = { ...fillFromRow, output: 'row' };
/** A sheet of which the second row has a mistake. */
const sheet = () => [
	row({ ...wholeRow, row_number: 2 }),
	row({ ...wholeRow, row_number: 3, Rent: 'much' }),
];

describe('Row and Result', () => {
	test('returns the row as it came in, and under one key what was done for it', async () => {
		const before = { ...wholeRow, row_number: 2, id: 'mine', error: 'mine too' };
		const [made] = await suite.outputOf(withRow, [row(before)]);
		const { documensoResult, ...rest } = made ?? {};
		expect(rest).toEqual(before);
		expect(documensoResult).toMatchObject({ ok: true, status: 'PENDING' });
		expect(documensoResult).toHaveProperty('id', suite.documents()[0]?.id);
	});

	test.each(['', 'much'])(
		'does nothing twice with Retry On Fail, for which n8n takes a column "error" (%j) for a failure',
		async (error) => {
			const { items } = await suite.run(withRow, [row({ ...wholeRow, error })], { maxTries: 3 });
			expect(suite.calls(USE)).toHaveLength(1);
			expect(items[0]?.json).toMatchObject({ error, documensoResult: { ok: true } });
		},
	);

	test('keeps a failed row beside the others under Continue', async () => {
		const { items, error } = await suite.run(withRow, sheet(), {
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ ...wholeRow, row_number: 2, documensoResult: { ok: true, status: 'PENDING' } },
			{
				...wholeRow,
				...{ row_number: 3, Rent: 'much' },
				documensoResult: {
					ok: false,
					error: expect.stringMatching(/^'Rent' .*\[row 3\]$/) as string,
					advice: expect.any(String) as string,
				},
			},
		]);
	});

	test('sends a failed row to the error output, where n8n adds its columns', async () => {
		const setup = { onError: 'continueErrorOutput' } as const;
		const { items, errorItems } = await suite.run(withRow, sheet(), setup);
		expect(items.map(({ json }) => json.row_number)).toEqual([2]);
		expect(errorItems.map(({ json }) => json)).toMatchObject([
			{
				...{ row_number: 3, 'Tenant email': wholeRow['Tenant email'] },
				...{ error: expect.stringMatching(/^'Rent' .*\[row 3\]$/) as string },
				message: { description: expect.any(String) as string },
			},
		]);
	});

	test('keeps a row for which a list has nothing', async () => {
		const parameters = {
			...{ resource: 'document', operation: 'getAll', output: 'row' },
			filters: { externalId: '={{ $json.id }}' },
		};
		const made = await suite.document();
		made.externalId = 'RA-1';
		const rows = ['RA-1', 'RA-2'].map((id) => row({ id }));
		expect(await suite.outputOf(parameters, rows)).toMatchObject([
			{ id: 'RA-1', documensoResult: { ok: true, id: made.id } },
			{ id: 'RA-2', documensoResult: { ok: true, found: 0 } },
		]);
	});

	test('says how Documenso refused it', async () => {
		suite.service.fail({ match: USE, ...refusal('No') });
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(withRow, tenants(1), setup);
		expect(items[0]?.json.documensoResult).toMatchObject({ ok: false, status: 400 });
	});

	test('keeps the files of the row, also of one that failed', async () => {
		const file = async () => await itemWith({ data: { content: await pdf() } });
		const parameters = {
			...{ ...createAndSend, output: 'row' },
			title: "={{ $itemIndex === 0 ? 'Lease' : ' ' }}",
		};
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(parameters, [await file(), await file()], setup);
		expect(items.map(({ json }) => (json.documensoResult as IDataObject).ok)).toEqual([
			...[true, false],
		]);
		for (const { binary } of items) expect(Object.keys(binary ?? {})).toEqual(['data']);
	});

	test('is chosen item by item', async () => {
		const parameters = {
			...fillFromRow,
			output: "={{ $json.Rent === '1' ? 'row' : 'simplified' }}",
		};
		const rows = [row({ ...wholeRow, Rent: '1' }), row({ ...wholeRow, Rent: '2' })];
		const [first, second] = await suite.outputOf(parameters, rows);
		expect(first).toHaveProperty('documensoResult.ok', true);
		expect(second).not.toHaveProperty('documensoResult');
	});

	test('has the rows again in a retry, though they are not stored', async () => {
		suite.service.fail({ match: USE, times: 1, ...refusal('Busy') });
		const { items, error } = await suite.run(withRow, tenants(3), { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.Address)).toEqual(['Quay 0', 'Quay 1', 'Quay 2']);
		expect(suite.documents()).toHaveLength(3);
	});

	test('also with a document that is read', async () => {
		const [made] = await suite.outputOf(fillFromRow, tenants(1));
		const get = { resource: 'document', operation: 'get', output: 'row' };
		const [read] = await suite.outputOf({ ...get, documentId: byId(made?.id) }, [
			row({ Note: 'x' }),
		]);
		expect(read).toMatchObject({ Note: 'x', documensoResult: { ok: true, id: made?.id } });
	});
});

describe('signing links and tokens', () => {
	const links = (json: unknown) => JSON.stringify(json).match(/"(signingUrl|token)"/g) ?? [];
	const includeSigningLinks = { options: { includeSigningLinks: true } };

	async function outputs(changes: IDataObject = {}) {
		const [made] = await suite.outputOf({ ...fillFromRow, ...changes }, tenants(1));
		const uploaded = await suite.upload(changes);
		const [draft] = await suite.outputOf({ ...fillFromRow, send: false }, tenants(1));
		const documentId = byId(draft?.id);
		const again = async (operation: string) =>
			await suite.outputOf({ resource: 'document', operation, documentId, ...changes });
		return [made, uploaded.items[0]?.json, ...(await again('send')), ...(await again('resend'))];
	}

	test.each<[string, IDataObject]>([
		['Simplified', {}],
		['Row and Result', { output: 'row' }],
	])('are not in what is created, sent and sent again, with %s', async (_, changes) => {
		const all = await outputs(changes);
		expect(all).toHaveLength(4);
		for (const one of all) expect(links(one)).toEqual([]);
	});

	test('are there where the option is on: the links, and no tokens', async () => {
		for (const one of await outputs(includeSigningLinks)) {
			expect(new Set(links(one))).toEqual(new Set(['"signingUrl"']));
		}
	});

	test('are all there with Raw', async () => {
		for (const one of await outputs({ output: 'raw' })) {
			expect(new Set(links(one))).toEqual(new Set(['"signingUrl"', '"token"']));
		}
	});
});
