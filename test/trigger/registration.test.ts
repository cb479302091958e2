import crypto from 'node:crypto';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator } from '../../emulator';
import { DocumensoTrigger } from '../../nodes/DocumensoTrigger/DocumensoTrigger.node';
import { clock } from '../../nodes/shared/api/clock';
import { delivered } from '../support/deliveries';
import { errorOf } from '../support/errors';
import { HEADERS, onlyItem, SECRET, useTrigger } from '../support/events';
import { hookContext, triggerPlace, type TriggerPlace } from '../support/n8n';
import { Poster } from '../support/post';
import { credentialFor, lines } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const member = { token: 'api_member', user: DEMO_USER, team: DEMO_TEAM, role: 'MEMBER' as const };

const suite = useService({
	seed: 'demo',
	tokens: [{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM, role: 'ADMIN' }, member],
});

const { serve } = useTrigger(suite);
const events = ['DOCUMENT_COMPLETED', 'DOCUMENT_SENT'];

/** Final events also wake executions that wait, so they are registered too. */
const registered = [...events, 'DOCUMENT_CANCELLED', 'DOCUMENT_REJECTED', 'RECIPIENT_EXPIRED'];
const automatic = { registration: 'automatic', events };

const subscriptions = () =>
	suite.service.webhooks.list().map(({ events: [event] = [], url }) => ({ event, url }));

describe('publishing a workflow', () => {
	test('makes one subscription for each event, to a URL that nobody can guess', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		const made = subscriptions();
		expect(made.map(({ event }) => event)).toEqual(registered);
		for (const { url } of made) {
			expect(url).toMatch(new RegExp(`^${trigger.url}\\?key=[0-9a-f]{64}$`));
		}
	});

	test('has a key of its own for each workflow', async () => {
		const [one, other] = [await serve(automatic), await serve(automatic)];
		await one.publish();
		await other.publish();
		const keys = subscriptions().map(({ url }) => new URL(url).searchParams.get('key'));
		expect(new Set(keys).size).toBe(2);
	});

	test('for all events makes one for every event that there is', async () => {
		const trigger = await serve({ ...automatic, events: ['*'] });
		await trigger.publish();
		expect(new Set(subscriptions().map(({ event }) => event)).size).toBe(14);
		expect(subscriptions()).toHaveLength(14);
	});

	test('again leaves one for each event, and none without a subscription in between', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		const [before] = subscriptions();
		suite.service.calls.length = 0;
		await trigger.publish();
		expect(subscriptions().map(({ event }) => event)).toEqual(registered);
		expect(subscriptions()).toContainEqual(before);
		expect(lines(suite.service)).toEqual([
			...registered.map(() => 'POST /api/v1/zapier/subscribe'),
			...registered.map(() => 'POST /api/v1/zapier/unsubscribe'),
		]);
	});

	test('again makes new ones for those that were removed in Documenso', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		suite.service.webhooks.clear();
		await trigger.publish();
		expect(subscriptions().map(({ event }) => event)).toEqual(registered);
		await trigger.switchOff();
		expect(subscriptions()).toEqual([]);
	});

	test('is not needed when n8n starts: what was registered is found again, also while Documenso is down', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		const before = subscriptions();
		suite.service.calls.length = 0;
		await trigger.restart();
		expect(subscriptions()).toEqual(before);
		expect(lines(suite.service)).toEqual([]);
	});

	test.each([
		['nothing was registered', {}],
		['other events were', { ...automatic, events: ['DOCUMENT_REJECTED'] }],
	])('is made up for when n8n starts and %s before', async (_, earlier) => {
		const place = triggerPlace();
		if ('events' in earlier) await (await serve(earlier, { place })).publish();
		const trigger = await serve(automatic, { place });
		await trigger.restart();
		const own = subscriptions().filter(({ url }) => url.startsWith(trigger.url));
		expect(own.map(({ event }) => event)).toEqual(registered);
	});

	test('is made up for when n8n starts with another address; the webhooks of the old one stay until it is published there, because it may be a copy', async () => {
		const place = triggerPlace();
		const original = await serve(automatic, { place });
		await original.publish();
		const warn = jest.spyOn(Container.get(Logger), 'warn');
		const other = await serve(automatic, { place });
		for (let start = 0; start < 2; start++) await other.restart();
		const addresses = () => subscriptions().map(({ url }) => url.split('?')[0]);
		const ofAll = ({ url }: TriggerServer) => registered.map(() => url);
		expect(addresses()).toEqual([...ofAll(original), ...ofAll(other)]);
		expect(warn.mock.calls).toEqual([
			[expect.stringContaining(`webhooks for ${new URL(original.url).origin}, because`)],
		]);
		warn.mockRestore();
		await other.publish();
		expect(addresses()).toEqual(ofAll(other));
	});

	test('which is a copy, with what n8n has stored of the original, leaves the webhooks of that', async () => {
		const place = triggerPlace();
		const original = await serve(automatic, { place });
		await original.publish();
		const { staticData } = place;
		const copy = await serve(automatic, { place: { ...triggerPlace(), staticData } });
		await copy.publish();
		const ofAll = ({ url }: TriggerServer) => registered.map(() => url);
		expect(subscriptions().map(({ url }) => url.split('?')[0])).toEqual([
			...ofAll(original),
			...ofAll(copy),
		]);
		await copy.switchOff();
		expect(subscriptions().map(({ url }) => url.split('?')[0])).toEqual(ofAll(original));
	});

	test('again fails when Documenso refuses', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		suite.service.fail({ match: '*/zapier/subscribe', status: 401, body: { message: 'No' } });
		expect((await errorOf(trigger.publish)).message).toContain('(No)');
	});

	test('with other events removes the subscriptions to the earlier ones', async () => {
		const place = triggerPlace();
		await (await serve(automatic, { place })).publish();
		const changed = await serve({ ...automatic, events: ['DOCUMENT_REJECTED'] }, { place });
		await changed.publish();
		expect(subscriptions().map(({ event }) => event)).toEqual([
			'DOCUMENT_REJECTED',
			'DOCUMENT_CANCELLED',
			'DOCUMENT_COMPLETED',
			'RECIPIENT_EXPIRED',
		]);
	});

	test('with manual registration removes the earlier subscriptions, and adds none', async () => {
		const place = triggerPlace();
		await (await serve(automatic, { place })).publish();
		await (await serve({ events }, { place })).publish();
		expect(subscriptions()).toEqual([]);
	});

	test('and switching it off registers nothing where registration is manual', async () => {
		const place = triggerPlace();
		const trigger = await serve({ events }, { place });
		await trigger.publish();
		await trigger.switchOff();
		expect(place.staticData).not.toHaveProperty(['node:Documenso Trigger', 'subscriptions']);
		expect(lines(suite.service)).toEqual([]);
	});

	test('leaves the subscriptions of another workflow alone', async () => {
		await (await serve(automatic)).publish();
		const other = await serve(automatic);
		await other.publish();
		await other.switchOff();
		expect(subscriptions()).toHaveLength(registered.length);
	});

	test('and listening for a test event are apart', async () => {
		await (await serve(automatic)).publish();
		const listening = await serve(automatic, { place: triggerPlace('manual') });
		await listening.publish();
		expect(subscriptions()).toHaveLength(2 * registered.length);
		await listening.switchOff();
		expect(subscriptions()).toHaveLength(registered.length);
	});
});

describe('what n8n keeps with the workflow', () => {
	test('is the key and the webhooks, and no secret of the credential', async () => {
		const place = triggerPlace();
		await (await serve(automatic, { place })).publish();
		const stored = place.staticData['node:Documenso Trigger'] as Record<string, object[]>;
		expect(Object.keys(stored).sort()).toEqual(['key', 'subscriptions']);
		expect(stored.key).toMatch(/^[0-9a-f]{64}$/);
		for (const subscription of stored.subscriptions ?? []) {
			expect(Object.keys(subscription).sort()).toEqual(['event', 'id', 'site', 'url']);
		}
		expect(JSON.stringify(stored)).not.toContain(DEMO_TOKEN);
		expect(JSON.stringify(stored)).not.toContain(SECRET);
	});

	test('has no key with manual registration', async () => {
		const place = triggerPlace();
		await (await serve({ events }, { place })).publish();
		expect(place.staticData).not.toHaveProperty(['node:Documenso Trigger', 'key']);
	});
});

describe('what cannot be registered', () => {
	test.each([
		['refuses', { status: 401, body: { message: 'Unauthorized' } }],
		['has no such interface any more', { status: 404, body: { message: 'Not found' } }],
		['is broken', { status: 500, body: { message: 'Internal Server Error' } }],
		['does not answer', { cut: 'after' as const }],
	])('when Documenso %s, the error explains manual set-up', async (_, fault) => {
		const trigger = await serve(automatic);
		suite.service.fail({ match: 'POST /api/v1/zapier/subscribe', ...fault });
		const error = await errorOf(trigger.publish);
		expect(error.description).toContain("set 'Registration' to 'Manual'");
		expect(error.description).toContain('Team Settings > Webhooks');
	});

	test('because the token is a mere member of the team explains manual set-up', async () => {
		const trigger = await serve(automatic, { credential: { apiToken: member.token } });
		const error = await errorOf(trigger.publish);
		expect(error.message).toContain('You do not have permission');
		expect(error.description).toContain("a team's admin or manager");
	});

	test('after a part of it was is taken back', async () => {
		const trigger = await serve(automatic);
		suite.service.fail({ match: 'POST /api/v1/zapier/subscribe', times: 1, delayMs: 0 });
		suite.service.fail({ match: 'POST /api/v1/zapier/subscribe', status: 503 });
		await errorOf(trigger.publish);
		expect(lines(suite.service)).toEqual([
			'POST /api/v1/zapier/subscribe',
			'POST /api/v1/zapier/subscribe',
			'POST /api/v1/zapier/unsubscribe',
		]);
		expect(subscriptions()).toEqual([]);
	});

	test('because the answer was lost is not retried, and the error says that there may be one', async () => {
		const trigger = await serve(automatic);
		suite.service.fail({ match: 'POST /api/v1/zapier/subscribe', cut: 'after' });
		const error = await errorOf(trigger.publish);
		expect(error.description).toContain('There may be a webhook for this node in Documenso');
		expect(lines(suite.service)).toEqual(['POST /api/v1/zapier/subscribe']);
	});
});

describe('a subscription that cannot be ended', () => {
	test.each([
		['Documenso is down', { status: 503 }],
		['the answer is lost', { cut: 'before' as const }],
	])('because %s is ended the next time', async (_, fault) => {
		const trigger = await serve(automatic);
		await trigger.publish();
		suite.service.fail({ match: 'POST /api/v1/zapier/unsubscribe', ...fault });
		await trigger.switchOff();
		expect(subscriptions()).toHaveLength(1);
		await trigger.publish();
		expect(subscriptions()).toHaveLength(registered.length);
		await trigger.switchOff();
		expect(subscriptions()).toEqual([]);
	});

	test('because the credential is broken is ended once it is mended', async () => {
		const place = triggerPlace();
		const trigger = await serve(automatic, { place });
		await trigger.publish();
		const broken = await serve(automatic, { place, credential: { baseUrl: 'nowhere' } });
		await expect(broken.switchOff()).resolves.toBe(true);
		expect(subscriptions()).toHaveLength(registered.length);
		await trigger.switchOff();
		expect(subscriptions()).toEqual([]);
	});

	test('does not keep the workflow from being switched off', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		suite.service.fail({ match: 'POST /api/v1/zapier/unsubscribe', status: 401, times: 9 });
		await expect(trigger.switchOff()).resolves.toBe(true);
	});

	test('because the credential has gone to another Documenso is ended when it comes back', async () => {
		const other = await startEmulator({ seed: 'demo' });
		try {
			const place = triggerPlace();
			const trigger = await serve(automatic, { place });
			await trigger.publish();
			const elsewhere = await serve(automatic, { place, credential: { baseUrl: other.url } });
			await elsewhere.publish();
			expect(subscriptions()).toHaveLength(registered.length);
			expect(other.webhooks.list()).toHaveLength(registered.length);
			await elsewhere.switchOff();
			expect(other.webhooks.list()).toEqual([]);
			expect(subscriptions()).toHaveLength(registered.length);
			await trigger.switchOff();
			expect(subscriptions()).toEqual([]);
		} finally {
			await other.close();
		}
	});

	test('because Documenso does not know it any more is forgotten', async () => {
		const trigger = await serve(automatic);
		await trigger.publish();
		suite.service.webhooks.clear();
		await trigger.switchOff();
		suite.service.calls.length = 0;
		await trigger.switchOff();
		expect(lines(suite.service)).toEqual([]);
	});
});

describe('a delivery to a subscription', () => {
	async function published(parameters = {}) {
		const trigger = await serve({ ...automatic, ...parameters });
		await trigger.publish();
		return trigger;
	}
	const statuses = () => suite.service.deliveries.map(({ status }) => status);

	test('has no key in its output with Simplify turned off', async () => {
		const trigger = await published({ simple: false });
		await suite.document('createAndSend');
		await suite.service.settled();
		const [{ url } = { url: '' }] = subscriptions();
		const key = new URL(url).searchParams.get('key') ?? '';
		expect(key).toHaveLength(64);
		expect(JSON.stringify(onlyItem(trigger))).not.toContain(key);
	});

	test('has its key compared as a secret is', async () => {
		const compare = jest.spyOn(crypto, 'timingSafeEqual');
		const trigger = await published();
		for (const key of ['1', '0'.repeat(64)]) {
			await fetch(`${trigger.url}?key=${key}`, { method: 'POST' });
		}
		expect(compare).toHaveBeenCalledTimes(2);
		compare.mockRestore();
	});

	test.each([
		['is down', { status: 503 }],
		['refuses the token', { status: 401 }],
		['does not answer in time', { delayMs: 7_000 }],
	])('while Documenso %s starts nothing, and its retry does', async (_, fault) => {
		const trigger = await published({});
		const made = await suite.document('create');
		await suite.service.settled();
		suite.service.fail({ match: 'GET /envelope/*', ...fault });
		suite.service.fail({ match: 'GET /envelope/*', status: 401 });
		await suite.service.deliver('DOCUMENT_SENT', made.id);
		expect([...new Set(statuses())]).toEqual([503, 200]);
		expect(trigger.executions).toHaveLength(1);
	});

	test('is accepted after the API token was changed', async () => {
		const place = triggerPlace();
		await (await serve(automatic, { place })).publish();
		const [{ url } = { url: '' }] = subscriptions();
		await suite.document('createAndSend');
		await suite.service.settled();
		const body = JSON.stringify(suite.service.deliveries.at(-1)?.body);
		const later = await serve(automatic, { place, credential: { apiToken: member.token } });
		const { search } = new URL(url);
		const headers = { 'content-type': 'application/json' };
		const answer = await fetch(later.url + search, { method: 'POST', headers, body });
		expect(answer.status).toBe(200);
	});
});

describe('activating a workflow', () => {
	const { create } = new DocumensoTrigger().webhookMethods.default;

	async function activate(webhookSecret: string, options = {}) {
		const parameters = { events: ['DOCUMENT_COMPLETED'], options };
		return await create.call(
			hookContext(credentialFor(suite.service, { webhookSecret }), parameters),
		);
	}

	test.each([
		[
			{ enrich: ['values', 'filledValues'] },
			"'Add to Output' has filledValues, which cannot be added",
		],
		[{ events: ['document.completed'] }, `'Events' has "document.completed", which is no event`],
	])('%j is refused before the workflow is published', async (parameters, message) => {
		const credential = credentialFor(suite.service, { webhookSecret: SECRET });
		const context = hookContext(credential, { events: ['DOCUMENT_COMPLETED'], ...parameters });
		const error = await errorOf(async () => await create.call(context));
		expect(error.message).toContain(message);
	});

	describe.each(['', ' \t '])('without a webhook secret (%j)', (none) => {
		test('it refuses, and says where to enter one', async () => {
			const error = await errorOf(async () => await activate(none));
			expect(error.message).toContain('The credential has no webhook secret: enter one there');
			expect(error.name).toBe('NodeOperationError');
			expect(error.description).toContain('Documenso API credential');
		});

		test('it runs once unverified deliveries are accepted', async () => {
			expect(await activate(none, { acceptUnverified: true })).toBe(true);
		});
	});
});

describe('the credential', () => {
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
		const headers = { ...HEADERS, 'X-Documenso-Secret': secret };
		const body = delivered({ id: (number += 1) });
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
		jest.spyOn(clock, 'uptime').mockReturnValue(clock.uptime());
		const { url, place } = await trigger();
		const statuses = await Promise.all(Array.from({ length: 50 }, async () => await deliver(url)));
		expect(statuses).toEqual(statuses.map(() => 200));
		expect(place.credentialReads).toBe(1);
	});

	test('it is read again after five seconds', async () => {
		const { url, place } = await trigger();
		// A sum of decimals is not exact.
		const start = Math.ceil(clock.uptime());
		const uptime = jest.spyOn(clock, 'uptime').mockReturnValue(start);
		const readsAfter = async (milliseconds: number) => {
			uptime.mockReturnValue(start + milliseconds);
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
		const start = Math.ceil(clock.uptime());
		const uptime = jest.spyOn(clock, 'uptime').mockReturnValue(start);
		expect(await deliver(url)).toBe(200);
		credential.webhookSecret = 'another';
		uptime.mockReturnValue(start + 4_999);
		expect(await deliver(url)).toBe(200);
		uptime.mockReturnValue(start + 5_000);
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
		const start = Math.ceil(clock.uptime());
		const uptime = jest.spyOn(clock, 'uptime').mockReturnValue(start);
		expect(await deliver(url)).toBe(200);
		const readsOf = async (deliveries: string[]) => {
			const before = place.credentialReads;
			const statuses = await Promise.all(deliveries.map(async (one) => await deliver(url, one)));
			expect(statuses).toEqual(deliveries.map((one) => (one === SECRET ? 200 : 401)));
			return place.credentialReads - before;
		};
		const flood = Array.from({ length: 200 }, (_, index) => (index % 20 ? 'forged' : SECRET));
		expect(await readsOf(flood)).toBe(1);
		uptime.mockReturnValue(start + 999);
		expect(await readsOf(flood)).toBe(0);
		uptime.mockReturnValue(start + 1_000);
		expect(await readsOf(flood)).toBe(1);
	});

	test('a secret that was changed after a forged delivery counts a second later, also if the clock was set back', async () => {
		const { url, credential } = await trigger();
		const start = Math.ceil(clock.uptime());
		const uptime = jest.spyOn(clock, 'uptime').mockReturnValue(start);
		const ahead = jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 3_600_000);
		expect(await deliver(url, 'forged')).toBe(401);
		ahead.mockRestore();
		credential.webhookSecret = 'another';
		uptime.mockReturnValue(start + 1_000);
		expect(await deliver(url, 'another')).toBe(200);
		expect(await deliver(url)).toBe(401);
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
});
