import type { IDataObject } from 'n8n-workflow';

import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import { byId, contract, createAndSend, fillFromRow, tina, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const page = expect.stringMatching(/^http.*\/t\/\w+\/documents\/envelope_\w+$/) as unknown;

async function sent(changes: IDataObject = {}) {
	const { items, error } = await suite.upload(changes);
	if (error) throw error;
	return items[0]?.json ?? {};
}

describe('a new document', () => {
	test('has its title, status and address, and signing links instead of tokens', async () => {
		const output = await sent();
		expect(output).toMatchObject({ title: contract.title, status: 'PENDING', url: page });
		expect(Object.keys(output)).toEqual([
			'id',
			'title',
			'status',
			'url',
			'externalId',
			'recipients',
		]);
		expect(output.recipients).toMatchObject([{ signingUrl: expect.any(String) as unknown }]);
		expect(JSON.stringify(output)).not.toContain('"token"');
	});

	test('from a template has them too, without another request', async () => {
		const [output] = await suite.outputOf(fillFromRow, [{ json: tina }]);
		expect(output).toMatchObject({ title: 'Rental agreement', status: 'PENDING', url: page });
		expect(lines(suite.service)).toHaveLength(2);
		const [draft] = await suite.outputOf({ ...fillFromRow, send: false }, [{ json: tina }]);
		expect(draft).toMatchObject({ status: 'DRAFT' });
	});

	test('from a template of the organisation is read for its address: the template may be another team’s', async () => {
		suite.template().templateType = 'ORGANISATION';
		const [output] = await suite.outputOf(fillFromRow, [{ json: tina }]);
		expect(output).toMatchObject({ url: page });
		expect(lines(suite.service).at(-1)).toBe(`GET /envelope/${output?.id as string}`);
	});

	test('of many, one is read for the address of all', async () => {
		const files = await Promise.all(
			Array.from({ length: 5 }, async () => await itemWith({ data: { content: await pdf() } })),
		);
		const { items } = await suite.run(createAndSend, files);
		expect(items.map(({ json }) => json.url)).toEqual(Array(5).fill(page));
		const read = lines(suite.service).filter((line) => line.startsWith('GET /envelope/envelope_'));
		expect(read).toHaveLength(1);
	});

	test('is there without an address if it cannot be read', async () => {
		suite.service.fail({ match: 'GET /envelope/*', status: 403, body: { message: 'No' } });
		const output = await sent();
		expect(output).toMatchObject({ status: 'PENDING' });
		expect(output.url).toBeUndefined();
	});
});

describe('Output', () => {
	test('Raw has all that Documenso returns, tokens too', async () => {
		const output = await sent({ output: 'raw' });
		expect(output.recipients).toMatchObject([{ token: expect.any(String) as unknown }]);
	});

	test.each([
		['names with commas', ' id, title '],
		['a list of an expression', '={{ ["id", "title"] }}'],
	])('Selected Fields has only those: %s', async (_, outputFields) => {
		const output = await sent({ output: 'selected', outputFields });
		expect(Object.keys(output)).toEqual(['id', 'title']);
	});

	test('Selected Fields may name fields of the raw record', async () => {
		const { id } = await suite.document();
		const get = { resource: 'document', operation: 'get', documentId: byId(id) };
		const [output] = await suite.outputOf({
			...get,
			output: 'selected',
			outputFields: 'visibility, source, none',
		});
		expect(output).toEqual({ visibility: 'EVERYONE', source: 'DOCUMENT' });
	});
});
