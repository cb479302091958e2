import { DEMO_TOKEN } from '../../emulator';
import { bytesOf, itemWith, useBinaryMode, type BinaryMode } from '../support/n8n';
import { onlyItem, useTrigger } from '../support/events';
import { lines } from '../support/service';
import { pdf } from '../support/pdf';
import { contract, ending, fillFromRow, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const { listen } = useTrigger(suite);

/** A rental agreement that both have signed, with its events delivered. */
async function completed() {
	const row = {
		'Tenant name': 'Tina',
		'Tenant email': 'tina@example.com',
		Address: '1 Main Street',
		Rent: 1200,
		Payment: 'Direct debit',
	};
	const [made] = await suite.outputOf(fillFromRow, [{ json: row }]);
	const id = made?.id as string;
	await suite.complete(id);
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

	test('of choices are texts, and fields that nobody filled in are left out', async () => {
		const trigger = await listen({ events: ['DOCUMENT_SENT'], enrich: ['values'] });
		const place = { recipient: 'r1', page: 1, positionX: 10, positionY: 10, width: 20, height: 5 };
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
		suite.service.fail({ match: 'GET /envelope/*', status: 429, headers: { 'Retry-After': '2' } });
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
