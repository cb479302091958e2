import { path } from '../../nodes/Documenso/api/path';

test('an id stays one segment of the path, whatever it contains', () => {
	expect(path`/envelope/${'../me?x=1#y'}/audit-log`).toBe(
		'/envelope/..%2Fme%3Fx%3D1%23y/audit-log',
	);
});

test('numbers and several values are put in their places', () => {
	expect(path`/a/${1}/b/${'c d'}`).toBe('/a/1/b/c%20d');
});
