import type { IDataObject } from 'n8n-workflow';

import { sendDocument } from '../emulator/api';
import { completed } from '../support/deliveries';
import { Poster } from '../support/post';
import { credentialFor, lines } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger } from '../support/webhook';

const MINUTE_MS = 60_000;
const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': 's' };

const suite = useService();
const poster = new Poster();
let teamId = 100;

afterEach(() => jest.restoreAllMocks());
afterAll(() => poster.close());

/** The team's address is remembered for the process, so that each test has a team of its own. */
beforeEach(() => {
	teamId += 1;
});

let number = 0;

/** The link that an event about an envelope gets; the calls that it took are left in the service's list. */
async function linkFor(envelopeId: string, changes: IDataObject = {}): Promise<unknown> {
	suite.service.calls.length = 0;
	const credential = credentialFor(suite.service, { webhookSecret: 's' });
	const server = await serveTrigger(credential, { events: ['*'] });
	const payload = { ...completed.payload, id: (number += 1), envelopeId, teamId, ...changes };
	await poster.post(server.url, { headers, body: JSON.stringify({ ...completed, payload }) });
	await server.close();
	const [item] = server.items;
	if (!item) throw new Error('No execution was started');
	return (item.json.document as IDataObject).url;
}

test("the link to a document has its team's address, which is asked for once", async () => {
	const { id } = await sendDocument(suite.service);
	expect(await linkFor(id)).toBe(`${suite.service.url}/t/demo/documents/${id}`);
	expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	expect(await linkFor('envelope_another')).toBe(
		`${suite.service.url}/t/demo/documents/envelope_another`,
	);
	expect(lines(suite.service)).toEqual([]);
});

test('each team is asked for', async () => {
	const { id } = await sendDocument(suite.service);
	await linkFor(id);
	await linkFor(id, { teamId: 100_000 });
	expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
});

test('an event of a document that is gone has no link, and the next one asks again', async () => {
	const { id } = await sendDocument(suite.service);
	expect(await linkFor('envelope_doesnotexisthere')).toBeUndefined();
	expect(await linkFor(id)).toBe(`${suite.service.url}/t/demo/documents/${id}`);
});

test('after a failure nothing is asked for ten minutes, and then it is', async () => {
	const { id } = await sendDocument(suite.service);
	const start = Date.parse('2026-01-01T00:00:00Z');
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	suite.service.fail({ match: 'GET /envelope/*', status: 401, times: 1 });
	expect(await linkFor(id)).toBeUndefined();
	clock.mockReturnValue(start + 10 * MINUTE_MS - 1);
	expect(await linkFor(id)).toBeUndefined();
	expect(lines(suite.service)).toEqual([]);
	clock.mockReturnValue(start + 10 * MINUTE_MS);
	expect(await linkFor(id)).toBe(`${suite.service.url}/t/demo/documents/${id}`);
	clock.mockReturnValue(start + 60 * MINUTE_MS);
	expect(await linkFor(id)).toBe(`${suite.service.url}/t/demo/documents/${id}`);
	expect(lines(suite.service)).toEqual([]);
});

test('an answer without a team gives no link, and starts the execution all the same', async () => {
	const { id } = await sendDocument(suite.service);
	suite.service.fail({ match: 'GET /envelope/*', status: 200, times: 1, body: { id } });
	expect(await linkFor(id)).toBeUndefined();
});
