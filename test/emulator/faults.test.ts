import { DEMO_TOKEN, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

test('a fault hits the calls it names, as often as it says', async () => {
	service.fail({ match: 'GET /envelope', times: 2, status: 503, headers: { 'retry-after': '1' } });
	expect((await call(service, 'GET /folder')).status).toBe(200);
	const hit = await call(service, 'GET /envelope');
	expect(hit.status).toBe(503);
	expect(hit.headers.get('retry-after')).toBe('1');
	expect((await call(service, 'GET /envelope')).status).toBe(503);
	expect((await call(service, 'GET /envelope')).status).toBe(200);
});

test('a fault may bring its own body, and be chosen by a pattern', async () => {
	service.fail({ match: /^GET \/env/, status: 429, body: { message: 'Quota spent' } });
	expect((await call(service, 'GET /envelope')).body).toEqual({ message: 'Quota spent' });
	service.fail({ match: 'GET /envelope/*', status: 502 });
	expect((await call(service, 'GET /envelope/envelope_x')).status).toBe(502);
});

test('cut before: the call is not processed', async () => {
	const envelopeId = await createDocument(service);
	service.fail({ match: 'POST /envelope/delete', cut: 'before' });
	await expect(call(service, 'POST /envelope/delete', { envelopeId })).rejects.toThrow();
	expect(service.store.envelopes.has(envelopeId)).toBe(true);
	expect(service.calls.at(-1)).not.toHaveProperty('status');
});

test('cut after: the call is processed, and its caller gets no answer', async () => {
	const envelopeId = await createDocument(service);
	service.fail({ match: 'POST /envelope/delete', cut: 'after' });
	await expect(call(service, 'POST /envelope/delete', { envelopeId })).rejects.toThrow();
	expect(service.store.envelopes.has(envelopeId)).toBe(false);
});

test('cut during: the answer begins and breaks off', async () => {
	service.fail({ match: 'GET /envelope', cut: 'during', afterBytes: 10 });
	await expect(call(service, 'GET /envelope')).rejects.toThrow();
	expect((await call(service, 'GET /envelope')).status).toBe(200);
});

test('takes effect: the call is processed, and answered as if it had failed', async () => {
	const envelopeId = await createDocument(service);
	service.fail({
		match: 'POST /envelope/delete',
		status: 502,
		takesEffect: true,
		body: { message: 'Gone' },
	});
	const { status, body } = await call(service, 'POST /envelope/delete', { envelopeId });
	expect([status, body]).toEqual([502, { message: 'Gone' }]);
	expect(service.store.envelopes.has(envelopeId)).toBe(false);
	expect(service.calls.at(-1)).toMatchObject({ status: 502 });
});

test('a delay lets calls overlap, and the most at once is known', async () => {
	service.fail({ match: 'GET /envelope', times: 3, delayMs: 100 });
	await Promise.all([1, 2, 3].map(async () => await call(service, 'GET /envelope')));
	expect(service.maxInFlight).toBe(3);
	await service.reset();
	await call(service, 'GET /envelope');
	expect(service.maxInFlight).toBe(1);
});

test('a request is cut after some of its bytes, also when it has no more', async () => {
	for (const afterBytes of [5, 1000]) {
		service.fail({ match: 'POST /envelope/cancel', cut: 'before', afterBytes });
		const request = call(service, 'POST /envelope/cancel', { envelopeId: 'envelope_abcdefgh' });
		await expect(request).rejects.toThrow();
	}
});

test('an answer that trickles comes a hundred bytes at a time, and whole', async () => {
	await createDocument(service);
	service.fail({ match: 'GET /envelope', trickleMs: 1 });
	const answer = await fetch(`${service.url}/api/v2/envelope`, {
		headers: { authorization: DEMO_TOKEN },
	});
	const sizes: number[] = [];
	for await (const piece of answer.body as AsyncIterable<Uint8Array>) sizes.push(piece.length);
	expect(sizes.length).toBeGreaterThan(5);
	const total = sizes.reduce((sum, size) => sum + size);
	expect(total).toBe(Number(answer.headers.get('content-length')));
});
