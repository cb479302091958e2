import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';

test('the credential puts the token into the request without an expression, which n8n cannot evaluate everywhere', async () => {
	const { authenticate } = new DocumensoApi();
	const request = { url: 'https://app.documenso.com', headers: { Accept: 'application/json' } };
	if (typeof authenticate !== 'function') throw new Error('There is an expression');
	expect(await authenticate({ apiToken: 'api_of_a_team' }, request)).toEqual({
		...request,
		headers: { Accept: 'application/json', Authorization: 'api_of_a_team' },
	});
});
