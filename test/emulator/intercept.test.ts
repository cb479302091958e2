import { startEmulator, type Emulator, type Interceptor } from '../../emulator';
import { call } from './api';

let service: Emulator;
beforeAll(async () => (service = await startEmulator()));
beforeEach(async () => await service.reset());
afterAll(async () => await service.close());

const LINE = 'POST /folder/create';
const JSON_TYPE = { 'content-type': 'application/json' };
const create = async () => await call(service, LINE, { name: 'Deals', type: 'DOCUMENT' });
const arrived = () => service.calls.map(({ method, path }) => `${method} ${path}`);

test.each<[string, Interceptor, { status?: number; arrived: number }]>([
	['is left alone', () => undefined, { status: 200, arrived: 1 }],
	['is answered without Documenso', () => ({ status: 418, body: '' }), { status: 418, arrived: 0 }],
	['is cut', () => 'cut', { arrived: 0 }],
	[
		'is carried out twice',
		async ({ pass }) => {
			await pass();
			return await pass();
		},
		{ status: 200, arrived: 2 },
	],
	[
		'is carried out after its answer',
		({ passLater }) => {
			passLater(50);
			return { status: 504, body: '' };
		},
		{ status: 504, arrived: 1 },
	],
	[
		'is answered by hand',
		async ({ pass }) => {
			const { bytes } = await pass();
			return (response) => response.writeHead(201).end(bytes);
		},
		{ status: 201, arrived: 1 },
	],
])('a request that %s', async (_, interceptor, expected) => {
	service.intercept(LINE, interceptor);
	const answer = await create().catch(() => undefined);
	expect(answer?.status).toBe(expected.status);
	await service.settled();
	expect(arrived()).toEqual(Array(expected.arrived).fill(LINE));
	expect(service.store.folders.size).toBe(expected.arrived);
});

test('of several interceptors, the first that replies counts, and a reset removes all', async () => {
	service.intercept('GET *', () => 'cut');
	service.intercept('POST *', () => undefined);
	service.intercept(LINE, ({ text }) => ({ status: 409, headers: JSON_TYPE, body: text }));
	service.intercept(LINE, () => ({ status: 410, body: '' }));
	expect(await create()).toMatchObject({ status: 409, body: { name: 'Deals' } });
	await service.reset();
	expect(await create()).toMatchObject({ status: 200 });
});

test('what is passed on arrives as it was sent, and is answered with the date of an answer that has one', async () => {
	service.intercept(LINE, async ({ pass }) => {
		const answer = await pass();
		return { ...answer, headers: { ...answer.headers, date: 'then' } };
	});
	const { headers, body } = await create();
	expect(headers.get('date')).toBe('then');
	expect(body).toMatchObject({ name: 'Deals' });
	expect(Object.keys(service.calls[0]?.headers ?? {}).join()).not.toContain('emulator');
	expect(service.calls[0]?.body).toEqual({ name: 'Deals', type: 'DOCUMENT' });
});
