import type { IDataObject } from 'n8n-workflow';

import { startEmulator } from '../../emulator';
import { sendDocument } from '../emulator/api';
import { completed } from '../support/deliveries';
import { onlyItem, SECRET, useTrigger } from '../support/events';
import { triggerPlace } from '../support/n8n';
import { lines } from '../support/service';
import { useService } from '../support/suite';
import type { TriggerServer } from '../support/webhook';

const suite = useService();
const { serve } = useTrigger(suite);

const GONE = 'envelope_doesnotexisthere';
const OTHER = 'envelope_anotherofthese';
const LIST = 'GET /envelope';

/** An event about a document of the team that the token belongs to, unless told. */
async function deliver(server: TriggerServer, envelopeId: string, changes: IDataObject = {}) {
	suite.service.calls.length = 0;
	server.executions.length = 0;
	const payload = { ...completed.payload, envelopeId, ...changes };
	const response = await fetch(server.url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'X-Documenso-Secret': SECRET },
		body: JSON.stringify({ ...completed, payload }),
	});
	expect(response.status).toBe(200);
	return (onlyItem(server).json.document as IDataObject).url;
}

const pageOf = (id: string) => `${suite.service.url}/t/demo/documents/${id}`;

describe('the link to a document', () => {
	test("needs the team's address, which one request asks for when the workflow is published", async () => {
		await sendDocument(suite.service);
		const server = await serve({});
		suite.service.calls.length = 0;
		await server.publish();
		expect(lines(suite.service)).toEqual([LIST]);
		expect(await deliver(server, GONE)).toBe(pageOf(GONE));
		expect(lines(suite.service)).toEqual([]);
	});

	test('is there with automatic registration too', async () => {
		const { id } = await sendDocument(suite.service);
		const server = await serve({ registration: 'automatic', events: ['DOCUMENT_SENT'] });
		await server.publish();
		await suite.service.deliver('DOCUMENT_SENT', id);
		expect(onlyItem(server).json.document).toHaveProperty('url', pageOf(id));
	});

	test('is there when a user listens for a test event in the editor', async () => {
		await sendDocument(suite.service);
		const server = await serve({}, { place: triggerPlace('manual') });
		await server.publish();
		expect(await deliver(server, GONE)).toBe(pageOf(GONE));
	});

	test('is left out for a document of another team', async () => {
		await sendDocument(suite.service);
		const server = await serve({});
		await server.publish();
		expect(await deliver(server, GONE, { teamId: 2 })).toBeUndefined();
		expect(await deliver(server, OTHER, { teamId: null })).toBeUndefined();
		// Whoever sends a delivery must not choose where the link leads.
		const team = { id: 2, url: '../../x?token=abc' };
		expect(await deliver(server, 'envelope_athirdofthese', { teamId: 2, team })).toBeUndefined();
		expect(lines(suite.service)).toEqual([]);
	});

	test('is left out once the credential belongs to another Documenso, until the workflow is published again', async () => {
		const other = await startEmulator({ seed: 'demo' });
		try {
			await sendDocument(suite.service);
			const place = triggerPlace();
			await (await serve({}, { place })).publish();
			const moved = await serve({}, { place, credential: { baseUrl: other.url } });
			expect(await deliver(moved, GONE)).toBeUndefined();
			await moved.publish();
			expect(await deliver(moved, OTHER)).toBe(`${other.url}/t/demo/documents/${OTHER}`);
		} finally {
			await other.close();
		}
	});

	test("follows the team's new address once the workflow is published again", async () => {
		const { id } = await sendDocument(suite.service);
		const server = await serve({});
		await server.publish();
		const envelope = suite.service.store.envelopes.get(id);
		if (!envelope) throw new Error('There is no document');
		envelope.team = { ...envelope.team, url: 'renamed' };
		await server.publish();
		expect(await deliver(server, GONE)).toBe(`${suite.service.url}/t/renamed/documents/${GONE}`);
	});
});

describe('where the address could not be learnt', () => {
	test.each([
		['there is no document', undefined],
		['Documenso refuses', { status: 401, body: { message: 'No' } }],
		['Documenso does not answer in time', { delayMs: 4_000, times: 99 }],
		['a proxy answers', { status: 200, body: '<html>' }],
	])('because %s, the workflow is published, and links are left out', async (_, fault) => {
		const server = await serve({});
		if (fault) {
			await sendDocument(suite.service);
			suite.service.fail({ match: 'GET /envelope', ...fault });
		}
		await server.publish();
		expect(await deliver(server, GONE)).toBeUndefined();
		expect(lines(suite.service)).toEqual([]);
	});

	test('a step that reads the document tells it, without a request more', async () => {
		const server = await serve({ enrich: ['details', 'values'] });
		await server.publish();
		const { id } = await sendDocument(suite.service);
		expect(await deliver(server, id)).toBe(pageOf(id));
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	});

	test('the lookup of automatic registration tells it, without a request more', async () => {
		const server = await serve({ registration: 'automatic', events: ['DOCUMENT_SENT'] });
		await server.publish();
		const { id } = await sendDocument(suite.service);
		await suite.service.settled();
		suite.service.calls.length = 0;
		server.executions.length = 0;
		const envelope = suite.service.store.envelopes.get(id);
		if (envelope) envelope.title = 'So that it is another event';
		await suite.service.deliver('DOCUMENT_SENT', id);
		expect(onlyItem(server).json.document).toHaveProperty('url', pageOf(id));
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
	});

	test.each(['manual', 'automatic'])(
		'it is learnt when n8n starts again (%s registration), and not asked for after that',
		async (registration) => {
			const server = await serve({ registration, events: ['DOCUMENT_COMPLETED'] });
			await server.publish();
			await sendDocument(suite.service);
			for (const expected of [[LIST], []]) {
				suite.service.calls.length = 0;
				await server.restart();
				expect(lines(suite.service)).toEqual(expected);
			}
		},
	);
});

test('one that was learnt is kept while Documenso fails', async () => {
	await sendDocument(suite.service);
	const server = await serve({});
	await server.publish();
	suite.service.fail({ match: 'GET /envelope', status: 500 });
	await server.publish();
	expect(await deliver(server, GONE)).toBe(pageOf(GONE));
});

describe('the requests of 50 deliveries', () => {
	/** Of as many documents, delivered with the secret. */
	async function requestsOf(parameters: IDataObject) {
		const { id } = await sendDocument(suite.service);
		const model = suite.service.store.envelopes.get(id);
		if (!model) throw new Error('There is no document');
		const server = await serve(parameters);
		await server.publish();
		suite.service.calls.length = 0;
		const statuses = await Promise.all(
			Array.from({ length: 50 }, async (_, index) => {
				const copy = { ...model, id: suite.service.store.ids.envelope(), legacyId: 1000 + index };
				suite.service.store.envelopes.set(copy.id, copy);
				const payload = { ...completed.payload, envelopeId: copy.id, id: copy.legacyId };
				const response = await fetch(server.url, {
					method: 'POST',
					headers: { 'content-type': 'application/json', 'X-Documenso-Secret': SECRET },
					body: JSON.stringify({ ...completed, event: 'DOCUMENT_SENT', payload }),
				});
				return response.status;
			}),
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(server.items).toHaveLength(50);
		return lines(suite.service).length;
	}

	test('are none where nothing is to be added', async () => {
		expect(await requestsOf({})).toBe(0);
	});

	test('are one each where details, values and signing links are', async () => {
		const options = { includeSigningLinks: true };
		expect(await requestsOf({ enrich: ['details', 'values'], options })).toBe(50);
	});
});
