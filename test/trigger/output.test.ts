import type { IDataObject } from 'n8n-workflow';
import { DEMO_TOKEN, startEmulator } from '../../emulator';
import { clock } from '../../nodes/shared/api/clock';
import { sendDocument } from '../emulator/api';
import { delivered } from '../support/deliveries';
import { errorOf } from '../support/errors';
import { HEADERS as headers, onlyItem, SECRET, useTrigger } from '../support/events';
import { hurry, realClock } from '../support/hurry';
import {
	type BinaryMode,
	bytesOf,
	documenso,
	execute,
	itemWith,
	triggerPlace,
	useBinaryMode,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { Poller } from '../support/polling';
import { refusal } from '../support/refusal';
import { Poster } from '../support/post';
import { credentialFor, lines } from '../support/service';
import {
	contract,
	createAndSend,
	ending,
	fillFromRow,
	tenants,
	useService,
} from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const suite = useService({ seed: 'demo' });
const { listen, serve } = useTrigger(suite);

describe('what is added to an event', () => {
	/** A rental agreement that both have signed, with its events delivered. */
	async function completed(fields?: Record<string, string | null>) {
		const row = {
			'Tenant name': 'Tina',
			'Tenant email': 'tina@example.com',
			Address: '1 Main Street',
			Rent: 1200,
			Payment: 'Direct debit',
		};
		const [made] = await suite.outputOf(fillFromRow, [{ json: row }]);
		const id = made?.id as string;
		await suite.complete(id, fields);
		return id;
	}

	const completion = { events: ['DOCUMENT_COMPLETED'] };

	describe('the filled-in values', () => {
		test('are there by the labels of the fields, choices as people read them', async () => {
			const trigger = await listen({ ...completion, enrich: ['values'] });
			await completed();
			expect(onlyItem(trigger).json.values).toMatchObject({
				Address: '1 Main Street',
				Rent: '1200',
				Payment: 'Direct debit',
			});
			expect(JSON.stringify(onlyItem(trigger).json.values)).not.toMatch(/signature/i);
			expect(onlyItem(trigger).json).not.toHaveProperty('missing');
		});

		test('come with what signers made of those that were filled in beforehand', async () => {
			Object.assign(suite.field('address').fieldMeta ?? {}, { required: false });
			const trigger = await listen({ ...completion, enrich: ['values'] });
			await completed({ Rent: '950', Address: null });
			const by = { name: 'Tina', email: 'tina@example.com' };
			const { json } = onlyItem(trigger);
			expect(json.changedBySigner).toEqual([
				{ field: 'Address', sent: '1 Main Street', signed: null, by },
				{ field: 'Rent', sent: '1200', signed: '950', by },
			]);
			expect(json.values).toMatchObject({ Rent: '950' });
			expect(json.values).not.toHaveProperty('Address');
		});

		test('do not say who changed them where an assistant may have done it', async () => {
			const trigger = await listen({ ...completion, enrich: ['values'] });
			const { recipients, documentMeta } = suite.template();
			documentMeta.signingOrder = 'SEQUENTIAL';
			const [tenant] = recipients;
			if (!tenant) throw new Error('The template has no recipients');
			const assistant = { id: 99, email: 'hal@example.com', name: 'Hal', token: 'hal' };
			recipients.unshift({ ...tenant, ...assistant, role: 'ASSISTANT' });
			recipients.forEach((one, index) => Object.assign(one, { signingOrder: index + 1 }));
			await completed({ Rent: '950' });
			expect(onlyItem(trigger).json.changedBySigner).toEqual([
				{ field: 'Rent', sent: '1200', signed: '950', by: null },
			]);
		});

		test('that nobody changed are no changes', async () => {
			const trigger = await listen({ ...completion, enrich: ['values'] });
			await completed();
			expect(onlyItem(trigger).json.changedBySigner).toEqual([]);
		});

		test('of choices are texts, and fields that nobody filled in are left out', async () => {
			const trigger = await listen({ events: ['DOCUMENT_SENT'], enrich: ['values'] });
			const place = {
				recipient: 'r1',
				page: 1,
				positionX: 10,
				positionY: 10,
				width: 20,
				height: 5,
			};
			const types = ['SIGNATURE', 'TEXT', 'TEXT', 'NAME', 'TEXT'];
			const field = types.map((type, row) => ({ ...place, type, positionY: 10 + row * 10 }));
			const made = await suite.document('createAndSend', { fields: { field } });
			await suite.service.settled();
			expect(onlyItem(trigger).json.values).toEqual({});

			const [, checkbox, , name, radio] = made.fields;
			if (!checkbox || !name || !radio) throw new Error('The document lacks its fields');
			const values = ['Garage', 'Garden'].map((value, id) => ({ id, value, checked: false }));
			const chosen = (type: string, label: string, customText: string) => ({
				type: type.toUpperCase(),
				fieldMeta: { type, label, values },
				inserted: true,
				customText,
			});
			Object.assign(checkbox, chosen('checkbox', 'Extras', '[1]'));
			Object.assign(radio, chosen('radio', 'Best', '0'));
			Object.assign(name, { inserted: true, customText: 'Tina' });
			made.title = 'So that it is another sending';
			trigger.executions.length = 0;
			await suite.service.deliver('DOCUMENT_SENT', made.id);
			expect(onlyItem(trigger).json.values).toEqual({
				Extras: ['Garden'],
				Best: 'Garage',
				'Name on page 1': 'Tina',
			});
		});
	});

	test('the details are the whole document, without signing tokens', async () => {
		const trigger = await listen({ ...completion, enrich: ['details'] });
		const id = await completed();
		const { details } = onlyItem(trigger).json;
		expect(details).toMatchObject({ id, documentMeta: {}, fields: expect.any(Array) as unknown });
		expect(JSON.stringify(details)).not.toContain('"token"');
	});

	test('with signing links asked for, the details have the tokens', async () => {
		const options = { includeSigningLinks: true };
		const trigger = await listen({ ...completion, enrich: ['details'], options });
		await completed();
		expect(JSON.stringify(onlyItem(trigger).json.details)).toContain('"token"');
	});

	describe.each<BinaryMode>(['default', 'filesystem'])('in the binary mode %s', (mode) => {
		beforeAll(async () => await useBinaryMode(mode));
		afterAll(async () => await useBinaryMode('default'));

		test('the signed PDF, the certificate and the audit log are attached', async () => {
			const enrich = ['signedFiles', 'certificate', 'auditLog'];
			const trigger = await listen({ ...completion, enrich });
			const id = await completed();
			const item = onlyItem(trigger);
			expect(Object.keys(item.binary ?? {}).sort()).toEqual(['auditLog', 'certificate', 'data']);
			expect(item.binary?.data).toMatchObject({
				mimeType: 'application/pdf',
				fileName: `Rental agreement_signed${ending(id)}.pdf`,
			});
			const signed = await api(
				`/envelope/item/${suite.service.store.envelopes.get(id)?.items[0]?.id}/download?version=signed`,
			);
			expect((await bytesOf(item)).equals(signed)).toBe(true);
			for (const name of ['certificate', 'auditLog']) {
				expect((await bytesOf(item, name)).subarray(0, 5).toString()).toBe('%PDF-');
			}
			expect(item.json).not.toHaveProperty('missing');
		});
	});

	async function api(path: string): Promise<Buffer> {
		const answer = await fetch(`${suite.service.url}/api/v2${path}`, {
			headers: { authorization: DEMO_TOKEN },
		});
		return Buffer.from(await answer.arrayBuffer());
	}

	test('several signed PDFs have a binary field each, in their order', async () => {
		const trigger = await listen({ ...completion, enrich: ['signedFiles'] });
		const item = await itemWith({
			lease: { content: await pdf('The lease') },
			annex: { content: await pdf('The annex') },
		});
		const sent = { resource: 'document', operation: 'createAndSend', ...contract };
		const [made] = await suite.outputOf({ ...sent, binaryPropertyName: 'lease, annex' }, [item]);
		await suite.complete(made?.id as string);
		const { binary } = onlyItem(trigger);
		expect(binary?.data?.fileName).toBe(`Lease - lease_signed${ending(made?.id)}.pdf`);
		expect(binary?.data_2?.fileName).toBe(`Lease - annex_signed${ending(made?.id)}.pdf`);
		expect(Object.keys(binary ?? {})).toHaveLength(2);
	});

	test('files are fetched for Document Completed only', async () => {
		const trigger = await listen({ enrich: ['signedFiles', 'certificate', 'auditLog'] });
		await suite.document('createAndSend');
		await suite.service.settled();
		expect(trigger.items.length).toBeGreaterThan(0);
		expect(trigger.items.filter(({ json, binary }) => json.missing ?? binary)).toEqual([]);
		expect(lines(suite.service).filter((line) => line.includes('download'))).toEqual([]);
	});

	describe('what cannot be had', () => {
		const enrich = ['signedFiles', 'certificate', 'values'];
		const missing = (part: string, reason: unknown) =>
			expect.objectContaining({ part, reason }) as unknown;

		test('is asked for again while there is time', async () => {
			const trigger = await listen({ ...completion, enrich });
			suite.service.fail({ match: '*download*', status: 503, times: 2 });
			await completed();
			const item = onlyItem(trigger);
			expect(item.json).not.toHaveProperty('missing');
			expect(Object.keys(item.binary ?? {}).sort()).toEqual(['certificate', 'data']);
		});

		const goesOn = { withoutMissing: true };

		test('is named if an expression has an unknown option, and the others are added', async () => {
			const trigger = await serve({ ...completion, enrich: ['values', 'filledValues'] });
			suite.service.webhooks.add({ url: trigger.url, secret: SECRET });
			await completed();
			const { json } = onlyItem(trigger);
			expect(json.values).toMatchObject({ Address: '1 Main Street' });
			expect(json.missing).toEqual([
				missing('filledValues', "'Add to Output' has no such option."),
			]);
		});

		test('because a copy of the database lags behind, is read again', async () => {
			const trigger = await listen({ ...completion, enrich: ['signedFiles', 'values'] });
			let reads = 0;
			suite.service.intercept(/^GET \/envelope\/envelope_\w+$/, async ({ pass }) => {
				const answer = await pass();
				if (!answer.text.includes('"status":"COMPLETED"') || ++reads > 2) return answer;
				return { ...answer, body: answer.text.replaceAll('"COMPLETED"', '"PENDING"') };
			});
			await completed();
			for (let tries = 0; trigger.items.length === 0 && tries < 50; tries++) {
				await realClock.sleep(100);
			}
			expect(reads).toBe(3);
			const { json, binary } = onlyItem(trigger);
			expect(json).not.toHaveProperty('missing');
			expect(Object.keys(binary ?? {})).toEqual(['data']);
		});

		test('fails the execution in the end, and a retry of it fetches everything', async () => {
			const trigger = await listen({ ...completion, enrich });
			suite.service.fail({ match: 'GET /envelope/*/certificate/download', status: 403 });
			await completed();
			expect(trigger.items).toEqual([]);
			expect(trigger.failures).toHaveLength(1);
			await trigger.retry();
			expect(Object.keys(onlyItem(trigger).binary ?? {}).sort()).toEqual(['certificate', 'data']);
		});

		test('is left out if the user wants to go on, with the reason', async () => {
			const trigger = await listen({ ...completion, enrich, options: goesOn });
			suite.service.fail({ match: 'GET /envelope/*/certificate/download', status: 500, times: 9 });
			await completed();
			const item = onlyItem(trigger);
			expect(item.json.missing).toEqual([missing('certificate', expect.any(String))]);
			expect(Object.keys(item.binary ?? {})).toEqual(['data']);
			expect(item.json.values).toMatchObject({ Address: '1 Main Street' });
		});

		test('is waited for, however long it takes: nothing is fetched before the answer', async () => {
			const trigger = await listen({ ...completion, enrich });
			suite.service.fail({ match: '*download*', delayMs: 3_000, times: 2 });
			suite.service.fail({
				match: 'GET /envelope/*',
				status: 429,
				headers: { 'Retry-After': '2' },
			});
			await completed();
			expect(onlyItem(trigger).json).not.toHaveProperty('missing');
			expect(trigger.stored.flat(2).filter(({ binary }) => binary)).toEqual([]);
		});

		test.each([
			['breaks off', { cut: 'during' as const, afterBytes: 700 }],
			['is not a PDF', { status: 200, body: '<html>Log in</html>' }],
		])('of a file that %s, no half is attached', async (_, fault) => {
			const trigger = await listen({ ...completion, enrich: ['signedFiles'], options: goesOn });
			suite.service.fail({ match: '*download*', times: 100, ...fault });
			await completed();
			const item = onlyItem(trigger);
			expect(item.binary).toBeUndefined();
			expect(item.json.missing).toEqual([missing('signedFiles', expect.any(String))]);
		});

		test.each([0, 1])(
			'of two files, the other one is attached, and comes first if it is: %s',
			async (broken) => {
				const trigger = await listen({ ...completion, enrich: ['signedFiles'], options: goesOn });
				const two = { binaryPropertyName: 'data, more' };
				const items = [
					await itemWith({ data: { content: await pdf() }, more: { content: await pdf() } }),
				];
				const [made] = await suite.outputOf({ ...createAndSend, ...two }, items);
				const { items: files = [] } = suite.service.store.envelopes.get(made?.id as string) ?? {};
				const pathOf = (index: number) => `GET /envelope/item/${files[index]?.id}/download`;
				suite.service.fail({ match: pathOf(broken), status: 403, times: 9 });
				suite.service.fail({ match: pathOf(1 - broken), delayMs: 300 });
				await suite.complete(made?.id as string);
				const item = onlyItem(trigger);
				expect(Object.keys(item.binary ?? {})).toEqual([broken === 0 ? 'data_2' : 'data']);
				expect(item.json.missing).toEqual([
					expect.objectContaining({ part: 'signedFiles', fileName: expect.any(String) as unknown }),
				]);
			},
		);

		test('because the document is not completed after all is not attached: it would not be signed', async () => {
			const trigger = await listen({ ...completion, enrich: ['signedFiles'] });
			const made = await suite.document('createAndSend');
			await suite.service.deliver('DOCUMENT_COMPLETED', made.id);
			expect(trigger.items).toEqual([]);
			expect(trigger.failures.map(({ message }) => message)).toEqual([
				expect.stringContaining('(status: pending)'),
			]);
		});
	});

	test("nothing is fetched for the dashboard's tests, and the output says so", async () => {
		const trigger = await listen({ ...completion, enrich: ['values', 'signedFiles'] });
		await suite.service.webhooks.test('DOCUMENT_COMPLETED');
		const { json } = onlyItem(trigger);
		expect(json).toMatchObject({ isTest: true, document: { id: 'env_123' } });
		expect(json.missing).toHaveLength(2);
		expect(lines(suite.service)).toEqual([]);
	});

	test('the names of attached files have no control or direction characters', async () => {
		const trigger = await listen({
			...completion,
			enrich: ['signedFiles', 'certificate', 'auditLog'],
		});
		const made = await suite.document('createAndSend', { title: 'Lease\u202Efdp\u0007' });
		await suite.complete(made.id);
		const { binary = {} } = onlyItem(trigger);
		expect(Object.values(binary).map(({ fileName }) => fileName)).toEqual(
			expect.arrayContaining([
				`Leasefdp_signed${ending(made.id)}.pdf`,
				`Leasefdp_certificate${ending(made.id)}.pdf`,
				`Leasefdp_audit-log${ending(made.id)}.pdf`,
			]),
		);
	});

	test('without anything to add nothing is fetched', async () => {
		const trigger = await listen({});
		const made = await suite.document('createAndSend');
		await suite.service.settled();
		expect(trigger.items.length).toBeGreaterThan(1);
		const reads = lines(suite.service).filter((line) => line.startsWith('GET'));
		expect(reads).toEqual([]);
		expect(trigger.items[0]?.json.document).toMatchObject({
			url: `${suite.service.url}/t/demo/documents/${made.id}`,
		});
	});
});

describe('links', () => {
	const suite = useService();
	const { serve } = useTrigger(suite);
	const GONE = 'envelope_doesnotexisthere';
	const OTHER = 'envelope_anotherofthese';

	/** An event about a document of the team that the token belongs to, unless told. */
	async function deliver(server: TriggerServer, envelopeId: string, changes: IDataObject = {}) {
		suite.service.calls.length = 0;
		server.executions.length = 0;
		const body = delivered({ envelopeId, ...changes });
		const response = await fetch(server.url, { method: 'POST', headers, body });
		expect(response.status).toBe(200);
		return (onlyItem(server).json.document as IDataObject).url;
	}

	const pageOf = (id: string) => `${suite.service.url}/t/demo/documents/${id}`;
	const { uptime } = clock;
	const wait = (ms: number) => jest.spyOn(clock, 'uptime').mockImplementation(() => uptime() + ms);
	afterEach(() => jest.restoreAllMocks());

	describe('the link to a document', () => {
		test('needs the address of its team, which the first event asks for, and no other', async () => {
			const server = await serve({});
			await server.publish();
			const { id } = await sendDocument(suite.service);
			expect(await deliver(server, id)).toBe(pageOf(id));
			expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
			suite.service.fail({ match: 'GET *', status: 500, times: 99 });
			expect(await deliver(server, GONE)).toBe(pageOf(GONE));
			expect(lines(suite.service)).toEqual([]);
		});

		test('is there for an event that comes while n8n publishes', async () => {
			const { id } = await sendDocument(suite.service);
			expect(await deliver(await serve({}), id)).toBe(pageOf(id));
		});

		test('is there with automatic registration too, without a request more', async () => {
			const { id } = await sendDocument(suite.service);
			const server = await serve({ registration: 'automatic', events: ['DOCUMENT_SENT'] });
			await server.publish();
			suite.service.calls.length = 0;
			await suite.service.deliver('DOCUMENT_SENT', id);
			expect(onlyItem(server).json.document).toHaveProperty('url', pageOf(id));
			expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
		});

		test('is there when a user listens for a test event in the editor', async () => {
			const { id } = await sendDocument(suite.service);
			const server = await serve({}, { place: triggerPlace('manual') });
			await server.publish();
			expect(await deliver(server, id)).toBe(pageOf(id));
		});

		test('is left out for a document of another team', async () => {
			const { id } = await sendDocument(suite.service);
			const server = await serve({});
			expect(await deliver(server, id, { teamId: 2 })).toBeUndefined();
			expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
			expect(await deliver(server, OTHER, { teamId: null })).toBeUndefined();
			// Whoever sends a delivery must not choose where the link leads.
			const team = { id: 2, url: '../../x?token=abc' };
			expect(await deliver(server, 'envelope_athirdofthese', { teamId: 2, team })).toBeUndefined();
		});

		test('leads to the Documenso of the credential', async () => {
			const other = await startEmulator({ seed: 'demo' });
			try {
				const { id } = await sendDocument(suite.service);
				expect(await deliver(await serve({}), id)).toBe(pageOf(id));
				await sendDocument(other);
				const { id: there } = await sendDocument(other);
				// In the editor, the credential is read anew.
				const place = triggerPlace('manual');
				const moved = await serve({}, { place, credential: { baseUrl: other.url } });
				expect(await deliver(moved, there)).toBe(`${other.url}/t/demo/documents/${there}`);
			} finally {
				await other.close();
			}
		});

		test("follows the team's new address within an hour", async () => {
			const server = await serve({});
			await deliver(server, (await sendDocument(suite.service)).id);
			const { id } = await sendDocument(suite.service);
			const envelope = suite.service.store.envelopes.get(id);
			if (!envelope) throw new Error('There is no document');
			envelope.team = { ...envelope.team, url: 'renamed' };
			wait(3_600_000);
			const renamed = `${suite.service.url}/t/renamed/documents/${id}`;
			expect(await deliver(server, id)).toBe(renamed);
		});
	});

	describe('where the address cannot be learnt', () => {
		test.each([
			['Documenso refuses', { status: 401, body: { message: 'No' } }],
			['Documenso does not answer in time', { delayMs: 4_000, times: 99 }],
			['a proxy answers', { status: 200, body: '<html>' }],
		])(
			'because %s, links are left out, and it is not asked again for a minute',
			async (_, fault) => {
				const server = await serve({});
				const { id } = await sendDocument(suite.service);
				suite.service.fail({ match: 'GET /envelope/*', ...fault });
				expect(await deliver(server, id)).toBeUndefined();
				expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
				expect(await deliver(server, OTHER)).toBeUndefined();
				expect(lines(suite.service)).toEqual([]);
				wait(60_000);
				const { id: next } = await sendDocument(suite.service);
				expect(await deliver(server, next)).toBe('times' in fault ? undefined : pageOf(next));
			},
		);

		test('from a document that is gone, the next one is asked', async () => {
			const server = await serve({});
			const { id } = await sendDocument(suite.service);
			expect(await deliver(server, GONE)).toBeUndefined();
			expect(await deliver(server, id)).toBe(pageOf(id));
		});

		test('with the token of one workflow, another one is not kept from it', async () => {
			const { id } = await sendDocument(suite.service);
			const revoked = await serve({}, { credential: { apiToken: 'api_revoked' } });
			expect(await deliver(revoked, OTHER)).toBeUndefined();
			// In the editor, the credential is read anew.
			expect(await deliver(await serve({}, { place: triggerPlace('manual') }), id)).toBe(
				pageOf(id),
			);
		});

		test('any more, the one that is known stays', async () => {
			const server = await serve({});
			await deliver(server, (await sendDocument(suite.service)).id);
			wait(3_600_000);
			suite.service.fail({ match: 'GET /envelope/*', times: 9, ...refusal('Down', 500) });
			const { id } = await sendDocument(suite.service);
			expect(await deliver(server, id)).toBe(pageOf(id));
		});

		test('because Documenso has sent a test, nothing is asked', async () => {
			const server = await serve({});
			expect(await deliver(server, 'env_123')).toBeUndefined();
			expect(lines(suite.service)).toEqual([]);
		});

		test('a step that reads the document tells it', async () => {
			const server = await serve({ enrich: ['details', 'values'] });
			const { id } = await sendDocument(suite.service);
			suite.service.fail({ match: 'GET /envelope/*', status: 401, times: 1 });
			expect(await deliver(server, id)).toBe(pageOf(id));
			expect(lines(suite.service)).toEqual([`GET /envelope/${id}`, `GET /envelope/${id}`]);
		});
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
					const about = { envelopeId: copy.id, id: copy.legacyId };
					const body = delivered(about, 'DOCUMENT_SENT');
					const response = await fetch(server.url, { method: 'POST', headers, body });
					return response.status;
				}),
			);
			expect(new Set(statuses)).toEqual(new Set([200]));
			expect(server.items).toHaveLength(50);
			return lines(suite.service).length;
		}

		test('are one for all where nothing is to be added', async () => {
			expect(await requestsOf({})).toBe(1);
		});

		test('are one more each where details, values and signing links are', async () => {
			const options = { includeSigningLinks: true };
			expect(await requestsOf({ enrich: ['details', 'values'], options })).toBe(51);
		});
	});
});

describe('filters', () => {
	const poster = new Poster();

	afterAll(() => poster.close());

	async function trigger(parameters: IDataObject) {
		const credential = credentialFor(suite.service, { webhookSecret: SECRET });
		return await serveTrigger(credential, { events: ['*'], ...parameters });
	}

	async function answerTo(parameters: IDataObject, changes: IDataObject = {}) {
		const server = await trigger(parameters);
		const { status, body } = await poster.post(server.url, {
			...{ headers, body: delivered(changes) },
		});
		await server.close();
		const calls = suite.service.calls.length;
		return { status, body, executions: server.executions.length, calls };
	}

	const locator = (value: string, mode: string) => ({ __rl: true, mode, value });
	const rule = (condition: string, value: string) => ({ rule: { condition, value } });

	const letThrough: Array<[string, IDataObject]> = [
		['the number of its template', { template: locator('3', 'id') }],
		["the picker's template", { template: locator('3', 'list') }],
		['a part of its title', { title: rule('contains', 'EAS') }],
		['its external ID', { externalId: rule('matches', '^crm-\\d$') }],
		["a recipient's address in another case", { recipientEmail: 'TENANT@example.com' }],
		['its source', { source: ['TEMPLATE'] }],
		['its last recipient', { lastRecipientOnly: true }],
	];

	test.each(letThrough)('an event is let through by %s', async (_, filters) => {
		expect(await answerTo({ filters })).toMatchObject({ status: 200, executions: 1 });
	});

	test.each([
		['test:crm-7', 0],
		['test:n8n:1:2:3:4:5', 0],
		['crm-test:7', 1],
		[null, 1],
	])(
		'the filter for test documents in docs/triggers.md: %s starts %d',
		async (externalId, executions) => {
			const filters = { externalId: rule('matches', '^(?!test:)') };
			expect(await answerTo({ filters }, { externalId })).toMatchObject({ executions });
		},
	);

	const leftOut: Array<[string, IDataObject]> = [
		['another template', { template: locator('4', 'id') }],
		['another template of the picker', { template: locator('4', 'list') }],
		['another title', { title: rule('startsWith', 'Rent') }],
		['another external ID', { externalId: rule('equals', 'crm') }],
		['an address of nobody', { recipientEmail: 'nobody@example.com' }],
		['another source', { source: ['DOCUMENT', 'TEMPLATE_DIRECT_LINK'] }],
		['one filter of two', { title: rule('equals', 'Lease'), source: ['DOCUMENT'] }],
	];

	test.each([
		...leftOut.map(([what, filters]): [string, IDataObject] => [what, { filters }]),
		['other events', { events: ['DOCUMENT_SENT'] }],
	])(
		'an event that is left out (%s) is answered at once, and nothing is fetched',
		async (_, given) => {
			const enrich = ['details', 'values', 'signedFiles', 'certificate', 'auditLog'];
			expect(await answerTo({ ...given, enrich })).toEqual({
				...{ status: 200, body: '{"received":true}' },
				...{ executions: 0, calls: 0 },
			});
		},
	);

	test.each([
		['Title', { title: rule('matches', '(') }],
		['Title', { title: rule('equals', '') }],
		['External ID', { externalId: rule('matches', '/[/') }],
		['Template', { template: locator('', 'list') }],
		['Template', { template: locator('Lease', 'id') }],
		['Recipient Email', { recipientEmail: ' ' }],
		['Source', { source: [] }],
	])(
		'a workflow whose filter %s is %j cannot be published, and the filter is named',
		async (name, filters) => {
			for (const registration of ['manual', 'automatic']) {
				const server = await trigger({ filters, registration });
				const { message, description } = await errorOf(async () => await server.publish());
				expect(message).toContain(`'Filters > ${name}`);
				expect(description).toBe('Correct the filter, or remove it.');
				expect(suite.service.webhooks.list()).toEqual([]);
				await server.close();
			}
		},
	);

	describe('a setting that an expression has made unusable', () => {
		const post = async (parameters: IDataObject, secret = SECRET) => {
			const server = await trigger(parameters);
			const { status } = await poster.post(server.url, {
				headers: { ...headers, 'X-Documenso-Secret': secret },
				body: delivered(),
			});
			await server.close();
			return { status, executions: server.executions.length };
		};

		test.each([
			['filter', { filters: { title: rule('matches', '(') } }],
			['list of events', { events: 7 }],
		])('(a %s) fails the delivery, so that Documenso retries it', async (_, parameters) => {
			expect(await post(parameters)).toEqual({ status: 500, executions: 0 });
		});

		test('is not revealed to whoever lacks the secret', async () => {
			const parameters = { filters: { title: rule('matches', '(') } };
			expect(await post(parameters, 'forged')).toEqual({ status: 401, executions: 0 });
		});

		test.each<IDataObject>([
			{ simple: 'perhaps' },
			{ enrich: 'everything' },
			{ enrich: ['everything'] },
			{ options: 'none' },
			{ options: { includeSigningLinks: 'perhaps', fetchingTime: 'long', repetitionWindow: {} } },
			{ registration: 'perhaps' },
		])('costs no delivery: %j', async (parameters) => {
			expect(await post(parameters)).toEqual({ status: 200, executions: 1 });
		});

		test('may be several events in one text', async () => {
			const events = 'DOCUMENT_SENT, DOCUMENT_COMPLETED';
			expect(await post({ events })).toEqual({ status: 200, executions: 1 });
			expect(await post({ events: 'DOCUMENT_SENT' })).toEqual({ status: 200, executions: 0 });
		});
	});
});

describe.each(['DOCUMENT_CREATED', 'DOCUMENT_SENT'])(
	'the event %s of a document for which an execution waits',
	(event) => {
		hurry();

		/** A document for which an execution waits. */
		async function waitedFor() {
			const node = documenso({ ...fillFromRow, operation: 'createDocumentUntilSigned' });
			const row = { json: { ...tenants(1)[0]?.json, 'External ID': 'CRM-7' } };
			const { status } = await execute(credentialFor(suite.service), [node], [row]);
			expect(status).toBe('waiting');
			await suite.service.settled();
		}

		const forms: IDataObject[] = [
			{},
			{ enrich: ['details'] },
			{ simple: false, enrich: ['details'] },
			{ simple: false, enrich: ['details'], options: { includeSigningLinks: true } },
		];

		test.each(forms)('shows no marker, only the External ID: %j', async (form) => {
			const trigger = await listen({ events: [event], ...form });
			await waitedFor();
			const { json } = onlyItem(trigger);
			const about = (json.document ?? json.payload) as IDataObject;
			expect(about.externalId).toBe('CRM-7');
			expect(JSON.stringify(json)).not.toContain('n8n-wait');
			if (form.enrich) expect(json.details).toMatchObject({ externalId: 'CRM-7' });
		});

		test('carries the marker to other receivers', async () => {
			await listen({ events: [event] });
			await waitedFor();
			const sent = suite.service.deliveries.find(({ body }) => body.event === event);
			expect(JSON.stringify(sent?.body)).toContain('"externalId":"CRM-7 n8n-wait:');
		});

		test.each(forms)('shows none either when a poll finds it: %j', async ({ enrich, ...form }) => {
			const poller = new Poller(suite.service);
			poller.parameters = { events: [event], ...form, ...(enrich ? { enrich } : {}) };
			await poller.poll();
			await waitedFor();
			const [json] = await poller.poll();
			expect((json?.document as IDataObject).externalId).toBe('CRM-7');
			expect(JSON.stringify(json)).not.toContain('n8n-wait');
		});
	},
);
