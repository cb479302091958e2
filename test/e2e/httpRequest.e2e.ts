import type { INodeParameters } from 'n8n-workflow';

import { DEMO_TOKEN } from '../../emulator';
import { useElsewhere } from '../support/elsewhere';
import { useDocumenso } from './documenso';
import { host } from './host';
import { outputOf, useN8n } from './n8n';

const n8n = useN8n();
const documenso = useDocumenso();
const elsewhere = useElsewhere();
const LIST = `${host.documensoUrl}/api/v2/envelope`;

/** Runs n8n's HTTP Request node with the credential. */
async function request(url: string, options: INodeParameters = {}) {
	const { id, name, type } = n8n.credential;
	const rows = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const asking = {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.3,
		parameters: {
			url,
			options,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
		},
		credentials: { [type]: { id, name } },
	};
	const workflow = await n8n.add({
		name: `${expect.getState().currentTestName}`,
		nodes: [
			{ id: '1', name: 'Rows', position: [0, 0], ...rows },
			{ id: '2', name: 'Request', position: [220, 0], ...asking },
		],
		connections: { Rows: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
	});
	return await n8n.run(workflow.id);
}

test('the HTTP Request node reaches Documenso with the credential', async () => {
	const execution = await request(LIST);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Request')).toMatchObject([{ json: { currentPage: 1 } }]);
	expect(elsewhere.arrived).toEqual([]);
});

test('the HTTP Request node sends the token to no other address, and says why', async () => {
	const { status, data } = await request(`${elsewhere.url}/api/v2/envelope`);
	expect(status).toBe('error');
	expect(data?.resultData.error?.message).toMatch(
		`The Documenso credential sends its API token only to ${host.documensoUrl}, the base URL. Change the URL of the request`,
	);
	expect(elsewhere.arrived).toEqual([]);
});

test.each([
	['a redirect', () => ({})],
	['a proxy', () => ({ proxy: elsewhere.url, allowUnauthorizedCerts: true })],
])('nor does it by %s', async (_, options) => {
	await documenso.fail({
		match: 'GET /envelope',
		status: 302,
		headers: { location: elsewhere.url },
	});
	const execution = await request(LIST, options());
	expect(execution.status).toBe('error');
	expect(JSON.stringify(execution)).not.toContain(DEMO_TOKEN);
	expect(elsewhere.arrived).toEqual([]);
});
