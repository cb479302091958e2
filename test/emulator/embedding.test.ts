import { startEmulator, type Emulator } from '../../emulator';
import { call } from './api';

let service: Emulator;
let now = new Date('2026-11-21T03:00:00.000Z');

beforeAll(async () => {
	service = await startEmulator({ clock: () => now });
});
afterAll(async () => await service.close());
beforeEach(() => {
	now = new Date('2026-11-21T03:00:00.000Z');
});

async function create(body: object = {}) {
	return (await call(service, 'POST /embedding/create-presign-token', body)).body;
}

async function isValid(token: unknown, scope?: string): Promise<unknown> {
	const body = { token, scope };
	const { body: answer } = await call(service, 'POST /embedding/verify-presign-token', body, null);
	return answer.success;
}

test('a presign token is valid for the time it says, to anybody', async () => {
	const { token, expiresAt, expiresIn } = await create({ expiresIn: 30 });
	expect(expiresIn).toBe(30 * 60);
	expect(expiresAt).toBe('2026-11-21T03:30:00.000Z');
	expect(await isValid(token)).toBe(true);
	now = new Date('2026-11-21T03:30:00.000Z');
	expect(await isValid(token)).toBe(false);
});

test('it lasts an hour when less than five minutes, or nothing, was asked for', async () => {
	for (const body of [{}, { expiresIn: 4 }, { expiresIn: 0 }]) {
		expect((await create(body)).expiresIn).toBe(3600);
	}
	expect(await create({ expiresIn: 10_081 })).toMatchObject({ code: 'BAD_REQUEST' });
});

test('it opens its own scope only', async () => {
	const { token } = await create({ scope: 'envelopeId:envelope_a' });
	expect(await isValid(token, 'envelopeId:envelope_a')).toBe(true);
	expect(await isValid(token, 'envelopeId:envelope_b')).toBe(false);
});

test('what the service has not signed is not valid', async () => {
	const { token } = await create();
	const [header = '', , signature = ''] = String(token).split('.');
	const claims = Buffer.from(JSON.stringify({ aud: '1', sub: '1', iat: 1, exp: 9e9 }));
	for (const forged of ['x', 'a.b.c', `${header}.${claims.toString('base64url')}.${signature}`]) {
		expect(await isValid(forged)).toBe(false);
	}
});
