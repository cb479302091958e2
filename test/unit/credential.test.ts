import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';

const { test: check } = new DocumensoApi();

test('the credential’s test follows no redirect, which would take the token along', () => {
	expect(check.request.disableFollowRedirect).toBe(true);
});

test('the credential’s test takes no page of a proxy’s for Documenso', () => {
	const [rule] = check.rules ?? [];
	expect(rule).toMatchObject({ type: 'responseSuccessBody', properties: { key: 'data' } });
});
