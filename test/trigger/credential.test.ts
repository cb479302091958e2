import type { IDataObject } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { completed } from '../support/deliveries';
import { triggerPlace, type TriggerPlace } from '../support/n8n';
import { Poster } from '../support/post';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const SECRET = 'secret of the webhook';

const suite = useService();
const poster = new Poster(50);
const open: TriggerServer[] = [];

afterEach(async () => {
	jest.restoreAllMocks();
	await Promise.all(open.splice(0).map(async (server) => await server.close()));
});

afterAll(() => poster.close());

/** A trigger with a credential that can be changed. */
async function trigger(parameters: IDataObject = {}, mode: TriggerPlace['mode'] = 'webhook') {
	const credential = credentialFor(suite.service, { webhookSecret: SECRET });
	const place = triggerPlace(mode);
	const server = await serveTrigger(credential, { events: ['*'], ...parameters }, { place });
	open.push(server);
	return { url: server.url, items: server.items, credential, place };
}

let number = 0;

async function deliver(url: string, secret = SECRET): Promise<number> {
	const payload = { ...completed.payload, id: (number += 1) };
	const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': secret };
	const body = JSON.stringify({ ...completed, payload });
	return (await poster.post(url, { headers, body })).status;
}

test('a delivery reads the credential once, whether it starts an execution or not', async () => {
	const links = { options: { includeSigningLinks: true } };
	for (const parameters of [{}, links, { simple: false }, { events: ['DOCUMENT_SENT'] }]) {
		const { url, place } = await trigger(parameters);
		expect(await deliver(url)).toBe(200);
		expect(place.credentialReads).toBe(1);
	}
	const { url, place } = await trigger();
	expect(await deliver(url, 'another')).toBe(401);
	expect(place.credentialReads).toBe(1);
});

test('deliveries that arrive together read it once', async () => {
	const { url, place } = await trigger();
	const statuses = await Promise.all(Array.from({ length: 50 }, async () => await deliver(url)));
	expect(statuses).toEqual(statuses.map(() => 200));
	expect(place.credentialReads).toBe(1);
});

test('it is read again after five seconds', async () => {
	const { url, place } = await trigger();
	const start = Date.parse('2026-01-01T00:00:00Z');
	const now = jest.spyOn(clock, 'now').mockReturnValue(start);
	const readsAfter = async (milliseconds: number) => {
		now.mockReturnValue(start + milliseconds);
		await deliver(url);
		return place.credentialReads;
	};
	expect([await readsAfter(0), await readsAfter(4_999), await readsAfter(5_000)]).toEqual([
		1, 1, 2,
	]);
});

test('a new secret counts at once, and the old one no longer does', async () => {
	const { url, credential } = await trigger();
	expect(await deliver(url)).toBe(200);
	credential.webhookSecret = 'another';
	expect(await deliver(url, 'another')).toBe(200);
	expect(await deliver(url)).toBe(401);
});

test('until a delivery carries the new secret, the old one works for five more seconds', async () => {
	const { url, credential } = await trigger();
	const start = Date.parse('2026-01-01T00:00:00Z');
	const now = jest.spyOn(clock, 'now').mockReturnValue(start);
	expect(await deliver(url)).toBe(200);
	credential.webhookSecret = 'another';
	now.mockReturnValue(start + 4_999);
	expect(await deliver(url)).toBe(200);
	now.mockReturnValue(start + 5_000);
	expect(await deliver(url)).toBe(401);
});

test('a forged delivery reads it, and other deliveries need not read it again', async () => {
	const { url, place } = await trigger();
	await deliver(url);
	expect(await deliver(url, 'forged')).toBe(401);
	expect(place.credentialReads).toBe(2);
	await deliver(url);
	expect(place.credentialReads).toBe(2);
});

test('forged deliveries have it read once a second, and other deliveries pass', async () => {
	const { url, place } = await trigger();
	const start = Date.parse('2026-01-01T00:00:00Z');
	const now = jest.spyOn(clock, 'now').mockReturnValue(start);
	expect(await deliver(url)).toBe(200);
	const readsOf = async (deliveries: string[]) => {
		const before = place.credentialReads;
		const statuses = await Promise.all(deliveries.map(async (one) => await deliver(url, one)));
		expect(statuses).toEqual(deliveries.map((one) => (one === SECRET ? 200 : 401)));
		return place.credentialReads - before;
	};
	const flood = Array.from({ length: 200 }, (_, index) => (index % 20 ? 'forged' : SECRET));
	expect(await readsOf(flood)).toBe(1);
	now.mockReturnValue(start + 999);
	expect(await readsOf(flood)).toBe(0);
	now.mockReturnValue(start + 1_000);
	expect(await readsOf(flood)).toBe(1);
});

test('a secret that was changed after a forged delivery counts a second later', async () => {
	const { url, credential } = await trigger();
	const start = Date.parse('2026-01-01T00:00:00Z');
	const now = jest.spyOn(clock, 'now').mockReturnValue(start);
	expect(await deliver(url, 'forged')).toBe(401);
	credential.webhookSecret = 'another';
	now.mockReturnValue(start + 1_000);
	expect(await deliver(url, 'another')).toBe(200);
});

test('a test in the editor reads the credential each time', async () => {
	const { url, credential } = await trigger({}, 'manual');
	expect(await deliver(url)).toBe(200);
	credential.webhookSecret = 'another';
	expect(await deliver(url)).toBe(401);
});

test('a credential that could not be read is read again for the next delivery', async () => {
	const { url, place } = await trigger();
	place.credentialFails = true;
	expect(await deliver(url)).toBe(500);
	place.credentialFails = false;
	expect(await deliver(url)).toBe(200);
});

test('each workflow reads its own', async () => {
	const [one, other] = [await trigger(), await trigger()];
	other.credential.webhookSecret = 'another';
	expect(await deliver(one.url)).toBe(200);
	expect(await deliver(other.url)).toBe(401);
	expect(await deliver(other.url, 'another')).toBe(200);
});
