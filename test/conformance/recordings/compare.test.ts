import { compareBodies, compareHeaders } from '../../../conformance/recordings/compare';
import { IdMap } from '../../../conformance/recordings/ids';

function compare(recorded: unknown, emulated: unknown, ids = new IdMap()): string[] {
	const context = '/api/v2/envelope';
	ids.learn(recorded, emulated, context);
	return compareBodies(recorded, emulated, { ids, context });
}

describe('bodies', () => {
	it.each([
		['a type', { page: 1 }, { page: '1' }, '.page: 1, emulated "1"'],
		['null', { a: null }, { a: {} }, '.a: null, emulated {}'],
		['an array', { a: [] }, { a: {} }, '.a: [], emulated {}'],
		['a missing key', { a: 1, b: 2 }, { a: 1 }, '.b: 2, emulated no such key'],
		['a new key', { a: 1 }, { a: 1, b: 2 }, '.b: no such key, emulated 2'],
		['a word', { status: 'DRAFT' }, { status: 'PENDING' }, '.status: "DRAFT", emulated "PENDING"'],
		['the whole body', 'text', {}, 'body: "text", emulated {}'],
	])('tell %s apart', (_what, recorded, emulated, line) => {
		expect(compare(recorded, emulated)).toEqual([line]);
	});

	it('name the place in a nested list', () => {
		const recorded = { data: [{ id: 1, tags: [{ ok: true }] }] };
		const emulated = { data: [{ id: 1, tags: [{ ok: false }] }] };

		expect(compare(recorded, emulated)).toEqual(['.data[0].tags[0].ok: true, emulated false']);
	});

	it('count the elements of a list', () => {
		expect(compare({ data: ['a', 'b'] }, { data: ['b'] })).toEqual([
			'.data: 2 elements, emulated 1',
		]);
	});

	it('do not mind the order of people', () => {
		const [anna, bert] = [
			{ email: 'anna@example.com', order: 1 },
			{ email: 'bert@example.com', order: 2 },
		];

		expect(compare({ recipients: [anna, bert] }, { recipients: [bert, anna] })).toEqual([]);
	});

	it('take any id, token and date for any other, and nothing else for them', () => {
		const recorded = {
			id: 'envelope_abcdefghijklmnop',
			token: 'abc',
			createdAt: '2026-01-01T00:00:00.000Z',
		};

		const other = {
			id: 'envelope_ponmlkjihgfedcba',
			token: 'xyz',
			createdAt: '2027-02-02T11:22:33.444Z',
		};
		expect(compare(recorded, other)).toEqual([]);
		expect(compare(recorded, { id: 'x', token: 'xyz', createdAt: 'today' })).toHaveLength(2);
	});

	it('notice an id that stood for another one before', () => {
		const ids = new IdMap();
		ids.add('envelope_abcdefghijklmnop', 'envelope_ponmlkjihgfedcba');
		const recorded = { envelopeId: 'envelope_abcdefghijklmnop' };

		expect(compare(recorded, { envelopeId: 'envelope_aaaaaaaaaaaaaaaa' }, ids)).toHaveLength(1);
	});

	it('look for known ids in messages', () => {
		const ids = new IdMap();
		ids.add('envelope_abcdefghijklmnop', 'envelope_ponmlkjihgfedcba');
		const recorded = { message: 'No envelope_abcdefghijklmnop, 5 tried' };

		expect(compare(recorded, { message: 'No envelope_ponmlkjihgfedcba, 6 tried' }, ids)).toEqual(
			[],
		);
		expect(compare(recorded, { message: 'No envelope_abcdefghijklmnop' }, ids)).toHaveLength(1);
	});
});

describe('headers', () => {
	const emulated = new Headers({ 'content-type': 'application/json', 'x-request-id': '2' });

	it('are compared by value or by presence', () => {
		const recorded: Array<[string, string]> = [
			['Content-Type', 'application/pdf'],
			['X-Request-Id', '1'],
			['Retry-After', '46'],
			['Date', 'yesterday'],
		];

		expect(compareHeaders(recorded, emulated)).toEqual([
			'header content-type: application/pdf, emulated application/json',
			'header retry-after: 46, emulated none',
		]);
	});

	it('are reported when only the local Documenso has them', () => {
		expect(compareHeaders([['content-type', 'application/json']], emulated)).toEqual([
			'header x-request-id: none, emulated 2',
		]);
	});
});
