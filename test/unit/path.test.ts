import { path } from '../../nodes/shared/api/path';

test('an id stays one segment of the path, whatever it contains', () => {
	expect(path`/envelope/${'../me?x=1#y'}/audit-log`).toBe(
		'/envelope/..%2Fme%3Fx%3D1%23y/audit-log',
	);
});

test.each(['', '.', '..', '\ud800'])('%j is no ID: it would be another path, or none', (id) => {
	expect(() => path`/envelope/${id}/audit-log`).toThrow(`${JSON.stringify(id)} is not an ID`);
});

test.each(['...', '%2e%2e', ' ..', '..;'])('%j stays where it is put', (id) => {
	const { pathname } = new URL(`https://example.com${path`/envelope/${id}/audit-log`}`);
	expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'envelope', id, 'audit-log']);
});

test('numbers and several values are put in their places', () => {
	expect(path`/a/${1}/b/${'c d'}`).toBe('/a/1/b/c%20d');
});
