import { Expression } from 'n8n-workflow';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { apiRoot, siteRoot } from '../../nodes/Documenso/api/baseUrl';

const roots = [
	['https://app.documenso.com', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2/', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2-beta', 'https://app.documenso.com/api/v2'],
	[' http://localhost:3000// ', 'http://localhost:3000/api/v2'],
	['https://example.com/sign', 'https://example.com/sign/api/v2'],
	['https://example.com/sign/api/v2/', 'https://example.com/sign/api/v2'],
	['https://example.com/api/v2/sign', 'https://example.com/api/v2/sign/api/v2'],
] as const;

test.each(roots)('the base URL %j leads to %s', (typed, root) => {
	expect(apiRoot(typed)).toBe(root);
});

test.each(roots)("the credential's test reads %j the same way", (typed, root) => {
	const { baseURL = '' } = new DocumensoApi().test.request;
	const expression = baseURL.replace(/^=/, '');
	const data = { $credentials: { baseUrl: typed } } as never;
	expect(Expression.resolveWithoutWorkflow(expression, data)).toBe(root);
});

test('links for people leave the path of the API out', () => {
	expect(siteRoot('https://example.com/sign/api/v2/')).toBe('https://example.com/sign');
});
