import { getFrom, kindOf, post } from '../../nodes/shared/api/request';

test.each([
	['/envelope/envelope_abc', '/envelope/envelope_xyz'],
	['/envelope/envelope_abc/audit-log', '/envelope/envelope_xyz/audit-log'],
	['/envelope/item/envelope_item_abc/download', '/envelope/item/envelope_item_xyz/download'],
	['/envelope/recipient/7', '/envelope/recipient/8'],
	['/template/12', '/template/13'],
])('requests to one endpoint are compared with one another: %s and %s', (one, other) => {
	expect(kindOf(getFrom(one))).toBe(kindOf(getFrom(other)));
});

test('an ID of a megabyte costs no more than its length', () => {
	const id = 'x'.repeat(1_000_000);
	expect(kindOf(getFrom(`/envelope/${id}`))).toBe(`GET /envelope/${id}`);
	expect(kindOf(getFrom(`/envelope/${id}7`))).toBe('GET /envelope/*');
});

test('requests to different endpoints, or of different methods, are not', () => {
	const kinds = [
		getFrom('/envelope/envelope_abc'),
		getFrom('/envelope/envelope_abc/audit-log'),
		getFrom('/envelope'),
		post('/envelope/use', {}),
		getFrom('/envelope/use'),
	].map(kindOf);
	expect(new Set(kinds).size).toBe(kinds.length);
});
