import type { IDataObject } from 'n8n-workflow';

import { EVENTS } from '../../nodes/shared/events/names';
import { call, createDocument, signatureField } from '../emulator/api';
import { useTrigger } from '../support/events';
import { Poller } from '../support/polling';
import { lines } from '../support/service';
import { useService } from '../support/suite';

const suite = useService();
const { listen } = useTrigger(suite);
let poller: Poller;

beforeEach(() => {
	poller = new Poller(suite.service);
	poller.parameters = { events: EVENTS.map(({ value }) => value) };
});

/** A sent document that two people sign. */
async function contract(title = 'Lease') {
	const recipients = ['anna', 'ben'].map((name) => ({
		email: `${name}@example.com`,
		name,
		role: 'SIGNER',
		fields: [signatureField],
	}));
	const id = await createDocument(suite.service, { title, recipients });
	await call(suite.service, 'POST /envelope/distribute', { envelopeId: id });
	const [anna, ben] = suite.service.store.envelopes.get(id)?.recipients ?? [];
	if (!anna || !ben) throw new Error('It has two recipients');
	return { id, anna, ben };
}

async function open(token: string) {
	await fetch(`${suite.service.url}/sign/${token}`);
}

const who = ({ causedBy }: IDataObject) => (causedBy as IDataObject | undefined)?.name;

async function found() {
	return (await poller.poll()).map((item) => [item.event, who(item)]);
}

test('with Only When All Acted, of two signatures since the last poll only the last is reported', async () => {
	Object.assign(poller.parameters, { filters: { lastRecipientOnly: true } });
	await poller.poll();
	const { id } = await contract();
	await suite.complete(id);
	const [finished, signed, ...rest] = await found();
	expect(finished).toEqual(['DOCUMENT_RECIPIENT_COMPLETED', 'ben']);
	expect(signed).toEqual(['DOCUMENT_SIGNED', 'ben']);
	expect(rest.map(([event]) => event)).toEqual(['DOCUMENT_COMPLETED']);
});

test('with Only When All Acted, what was signed before a rejection is not reported', async () => {
	Object.assign(poller.parameters, { filters: { lastRecipientOnly: true } });
	await poller.poll();
	const { anna, ben } = await contract();
	await suite.service.sign(anna.token);
	await suite.service.reject(ben.token, 'No');
	await suite.service.settled();
	expect((await found()).map(([event]) => event)).toEqual(['DOCUMENT_REJECTED']);
});

test('a poll tells who has opened and signed since the last one, once, and in order', async () => {
	const { anna, ben } = await contract();
	await poller.poll();
	await open(anna.token);
	expect(await found()).toEqual([['DOCUMENT_OPENED', 'anna']]);
	await open(ben.token);
	await suite.service.sign(anna.token);
	await suite.service.settled();
	expect(await found()).toEqual([
		['DOCUMENT_OPENED', 'ben'],
		['DOCUMENT_RECIPIENT_COMPLETED', 'anna'],
		['DOCUMENT_SIGNED', 'anna'],
	]);
	expect(await found()).toEqual([]);
	await suite.service.sign(ben.token);
	await suite.service.settled();
	expect(await found()).toEqual([
		['DOCUMENT_RECIPIENT_COMPLETED', 'ben'],
		['DOCUMENT_SIGNED', 'ben'],
		['DOCUMENT_COMPLETED', 'ben'],
	]);
	expect(await found()).toEqual([]);
});

test('a poll tells whose link has expired, and tells it again after another deadline', async () => {
	const { anna } = await contract();
	await poller.poll();
	suite.service.expire(anna.id);
	const [first, ...others] = await poller.poll();
	expect([first?.event, who(first ?? {}), others]).toEqual(['RECIPIENT_EXPIRED', 'anna', []]);
	expect(await found()).toEqual([]);
	Object.assign(anna, {
		expiresAt: new Date(Date.now() - 1_000),
		expirationNotifiedAt: new Date(),
	});
	const [again] = await poller.poll();
	expect(again?.event).toBe('RECIPIENT_EXPIRED');
	expect(again?.eventId).not.toBe(first?.eventId);
});

test('what recipients do costs no request beyond those of a poll that finds nothing', async () => {
	const { anna } = await contract();
	await poller.poll();
	const requests = async () => {
		suite.service.calls.length = 0;
		await poller.poll();
		return lines(suite.service).length;
	};
	const without = await requests();
	await open(anna.token);
	await suite.service.sign(anna.token);
	await suite.service.settled();
	expect(await requests()).toBe(without);
});

describe('each event has the same ID from a delivery and from polls', () => {
	async function happenings(poll: () => Promise<void>) {
		const { anna, ben } = await contract();
		await poll();
		await open(anna.token);
		await open(ben.token);
		await poll();
		await suite.service.sign(ben.token);
		await suite.service.settled();
		await poll();
		await suite.service.sign(anna.token);
		const rejected = await contract('Rejected');
		await suite.service.reject(rejected.anna.token, 'No');
		const expired = await contract('Expired');
		suite.service.expire(expired.anna.id);
		suite.service.expire(expired.ben.id);
		const deleted = await contract('Deleted');
		await suite.service.settled();
		await poll();
		await call(suite.service, 'POST /envelope/delete', { envelopeId: deleted.id });
		await suite.service.settled();
	}

	const named = ({ event, eventId, document }: IDataObject) =>
		`${event as string} of ${(document as IDataObject).title as string}: ${eventId as string}`;

	test.each([
		['at every step', true],
		['when most of it has happened', false],
	])('%s', async (_, isEachStep) => {
		const trigger = await listen({});
		await poller.poll();
		const polled: IDataObject[] = [];
		// A document that is made and deleted between two polls leaves no trace.
		await happenings(async () => {
			if (isEachStep || suite.service.store.envelopes.size >= 4)
				polled.push(...(await poller.poll()));
		});
		polled.push(...(await poller.poll()));
		const delivered = trigger.items.map(({ json }) => named(json)).sort();
		expect(delivered).toHaveLength(19);
		expect(new Set(delivered).size).toBe(19);
		expect(polled.map(named).sort()).toEqual(delivered);
	});
});
