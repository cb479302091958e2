import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import '../support/hurry';
import { errorOf } from '../support/errors';
import { useTrigger } from '../support/events';
import { byId, fillFromRow, tenants, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { serve } = useTrigger(suite);

const REDIRECTS = [301, 302, 303, 307, 308];

/** Where the redirects lead: another origin, which answers as Documenso would. */
let elsewhere: Server;
const arrived: Array<{ line: string; token?: string }> = [];
beforeAll(async () => {
	elsewhere = createServer(({ method, url, headers }, response) => {
		arrived.push({ line: `${method} ${url}`, token: headers.authorization });
		response.setHeader('content-type', 'application/json');
		response.end('{"data":[],"currentPage":1,"totalPages":1,"count":0}');
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
	arrived.length = 0;
});
afterAll(() => {
	elsewhere.closeAllConnections();
	elsewhere.close();
});

function redirect(match: string, status: number) {
	// Another name is another origin, to which n8n sends no credentials.
	const location = `http://localhost:${(elsewhere.address() as AddressInfo).port}/moved`;
	suite.service.fail({ match, status, headers: { location }, body: '', times: 99 });
	return location;
}

const ID = 'envelope_abcdefghijklmnop';

/** A POST of each kind. */
const posts: Array<[string, string, () => Promise<unknown>]> = [
	['a change', 'POST /envelope/cancel', run({ operation: 'cancel', documentId: byId(ID) })],
	['a creation from a template', 'POST /envelope/use', run(fillFromRow)],
	['a creation from files', 'POST /envelope/create', async () => (await suite.upload()).error],
	['a reading', 'POST /envelope/get-many', run({ operation: 'getByIds', id: ID })],
	[
		'the registration of a webhook',
		'POST /api/v1/zapier/subscribe',
		async () => {
			const trigger = await serve({ registration: 'automatic', events: ['DOCUMENT_SENT'] });
			return await errorOf(trigger.publish);
		},
	],
];

function run(parameters: IDataObject) {
	return async () => (await suite.run({ resource: 'document', ...parameters }, tenants(1))).error;
}

describe.each(posts)('%s by POST', (_, line, send) => {
	test.each(REDIRECTS)('is not sent on where it is answered %d', async (status) => {
		const location = redirect(line, status);
		expect(await send()).toMatchObject({
			message: expect.stringContaining(`Documenso redirected the request to ${location}`) as string,
		});
		expect(arrived).toEqual([]);
		expect(suite.calls(line)).toHaveLength(1);
	});
});

test.each(REDIRECTS)('a GET that is answered %d is sent on, without the token', async (status) => {
	redirect('GET /envelope', status);
	const getMany = { resource: 'document', operation: 'getAll', searchIn: 'root' };
	expect(await suite.outputOf(getMany)).toEqual([]);
	expect(arrived).toEqual([{ line: expect.stringMatching(/^GET \/moved/) as string }]);
});
