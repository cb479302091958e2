import crypto from 'node:crypto';
import type { IRun } from 'n8n-workflow';
import type { Envelope } from '../../emulator/entities';
import { clock } from '../../nodes/shared/api/clock';
import {
	MARKER_LENGTH,
	MARKER_PREFIX,
	resumptionsIn,
	sealed,
	withMarker,
	withMarkersOf,
	withoutMarker,
	withoutMarkers,
} from '../../nodes/shared/envelope/marker';
import { nudge } from '../../nodes/shared/events/nudge';
import type { Marked } from '../../nodes/shared/waiting/unmark';
import { hurry } from '../support/hurry';
import { documenso, execute, pollContext, resumeAt } from '../support/n8n';
import { paperwork, Poller } from '../support/polling';
import { type Answer, useResumption } from '../support/resumption';
import { credentialFor } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);
let poller: Poller;

beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
});

const TOKEN = 'a1'.repeat(32);

/** Where n8n resumes executions: what was called there, and how it answers. */
const n8n = useResumption({ status: 200, body: { isUnknown: false } });

async function poll(): Promise<string[]> {
	n8n.called.length = 0;
	await poller.poll({ waitingAddress: n8n.address });
	return [...n8n.called];
}

function markerOf(executionId: string): string {
	const { context } = pollContext(poller.credential, {});
	const { apiToken } = poller.credential;
	return sealed({ executionId, token: TOKEN }, { apiToken, instanceId: context.getInstanceId() });
}

/** A sent document for which the executions wait. */
function waitedFor(...executionIds: string[]) {
	const externalId = ['CRM-7', ...executionIds.map(markerOf)].join(' ');
	const document = paper.draft('Lease', { externalId, auditLog: [] });
	paper.send(document);
	return document;
}

/** The answer of a node that has seen that a document is finished. */
function sawFinished({ id, externalId }: Envelope, isOver = true): Answer {
	const seen = { [id]: { externalId, isFinished: true } };
	return { status: 200, body: { isUnknown: false, isOver, seen } };
}

/** The arguments of a nudge that is tried once. */
function nudging(document: Marked, limits: object = {}): Parameters<typeof nudge> {
	const { context } = pollContext(poller.credential, {});
	const credential = { ...poller.credential };
	const way = {
		credential,
		addresses: () => [{ url: n8n.address, isOwn: false }],
		timeout: 5_000,
		patience: 0,
	};
	return [context, document, { ...way, ...limits }];
}

const hasFinished: Answer = { status: 409, body: { message: 'The execution "7 has finished.' } };

async function update({ id }: Envelope, externalId: string) {
	const { baseUrl, apiToken } = poller.credential;
	const { ok } = await fetch(`${baseUrl}/api/v2/envelope/update`, {
		method: 'POST',
		headers: { authorization: apiToken, 'content-type': 'application/json' },
		body: JSON.stringify({ envelopeId: id, data: { externalId } }),
	});
	expect(ok).toBe(true);
}

const nudgeOf = (executionId: string) =>
	`POST /webhook-waiting/${executionId}/documenso?signature=${TOKEN}`;

test.each(['COMPLETED', 'REJECTED', 'CANCELLED'] as const)(
	'a poll wakes the execution that waits for a document which is %s now, and once',
	async (status) => {
		const document = waitedFor('7');
		expect(await poll()).toEqual([]);
		paper.finish(document, status);
		expect(await poll()).toEqual([nudgeOf('7')]);
		expect(await poll()).toEqual([]);
	},
);

test('a poll wakes the execution that waits for a document which is gone', async () => {
	const document = waitedFor('7');
	await poll();
	paper.remove(document);
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('a poll that listens to nothing of the kind wakes executions, too', async () => {
	poller.parameters = { events: ['DOCUMENT_CREATED'] };
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('an expired link wakes the execution, and once each time', async () => {
	const { recipients } = waitedFor('7');
	await poll();
	const [recipient] = recipients;
	const expire = () => Object.assign(recipient ?? {}, { expirationNotifiedAt: new Date() });
	expire();
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
	Object.assign(recipient ?? {}, { expirationNotifiedAt: null });
	await poll();
	expire();
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('the first poll wakes executions whose documents finished while nothing listened', async () => {
	paper.finish(waitedFor('7'));
	waitedFor('8');
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test.each<[string, Answer]>([
	['n8n is starting', { status: 503, body: {} }],
	['n8n is not there', 'nothing'],
	['the execution does not wait yet', { status: 409, body: { message: 'is running already.' } }],
	['something else answers', { status: 200, body: {} }],
	['a proxy answers in its place', { status: 403, body: '<html>Sign in</html>' }],
	['a proxy says that there is no such page', { status: 404, body: { error: 'Not Found' } }],
	['Documenso did not answer the node', { status: 200, body: { isUnknown: true } }],
])('when %s, the next poll tries again', async (_, failing) => {
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	n8n.answer = failing;
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(document.externalId).toContain(MARKER_PREFIX);
	n8n.answer = { status: 200, body: { isUnknown: false } };
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
});

test('an execution that has read an old copy of the document is woken again until it has read that it is finished', async () => {
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	const old = { [document.id]: { externalId: document.externalId, isFinished: false } };
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen: old } };
	expect(await poll()).toEqual([nudgeOf('7')]);
	n8n.answer = sawFinished(document);
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
});

test.each([
	['finished', 409, 'The execution "7 has finished already.'],
	['deleted', 404, 'The execution "7" does not exist.'],
	// n8n 2.40 of one that was killed while it did not wait.
	['crashed', 500, "Cannot read properties of undefined (reading 'inputOverride')"],
])(
	'an execution that is %s is not woken again, and its marker goes',
	async (_, status, message) => {
		const document = waitedFor('7');
		await poll();
		paper.finish(document);
		n8n.answer = { status, body: { code: 0, message } };
		expect(await poll()).toEqual([nudgeOf('7')]);
		expect(document.externalId).toBe('CRM-7');
		expect(await poll()).toEqual([]);
	},
);

describe('a marker', () => {
	test('goes when n8n has stored that the execution goes on, with one request', async () => {
		const document = waitedFor('7');
		await poll();
		paper.finish(document);
		n8n.answer = sawFinished(document);
		suite.service.calls.length = 0;
		await poll();
		expect(document.externalId).toBe('CRM-7');
		expect(suite.calls('POST /envelope/update')).toHaveLength(1);
		expect(suite.calls(`GET /envelope/${document.id}`)).toEqual([]);
	});

	test('goes when the execution has seen that its document is finished, but waits for others', async () => {
		const document = waitedFor('7');
		await poll();
		paper.finish(document);
		n8n.answer = sawFinished(document, false);
		await poll();
		expect(document.externalId).toBe('CRM-7');
	});

	test('of an execution that did not tell about the document goes when Documenso says that it is finished', async () => {
		const document = waitedFor('7');
		await poll();
		paper.finish(document);
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen: {} } };
		await poll();
		expect(document.externalId).toBe('CRM-7');
	});

	test('stays while the document is open, because an execution may write another at the same moment', async () => {
		const document = waitedFor('7');
		await poll();
		const [recipient] = document.recipients;
		Object.assign(recipient ?? {}, { expirationNotifiedAt: new Date() });
		n8n.answer = hasFinished;
		expect(await poll()).toEqual([nudgeOf('7')]);
		expect(document.externalId).toContain(MARKER_PREFIX);
		paper.finish(document);
		expect(await poll()).toEqual([nudgeOf('7')]);
		expect(document.externalId).toBe('CRM-7');
	});

	test('of each of two executions goes when both finish at once, with one request', async () => {
		const document = waitedFor('7', '8');
		await poll();
		paper.finish(document);
		n8n.answer = sawFinished(document);
		suite.service.calls.length = 0;
		expect((await poll()).sort()).toEqual([nudgeOf('7'), nudgeOf('8')]);
		expect(document.externalId).toBe('CRM-7');
		expect(suite.calls('POST /envelope/update')).toHaveLength(1);
	});

	test('of two executions stays until both were reached', async () => {
		const document = waitedFor('7', '8');
		await poll();
		paper.finish(document);
		n8n.answers.set('7', sawFinished(document)).set('8', 'nothing');
		await poll();
		expect(document.externalId).toContain(MARKER_PREFIX);
		n8n.answers.set('7', hasFinished).set('8', sawFinished(document));
		await poll();
		expect(document.externalId).toBe('CRM-7');
	});

	/** A document that is finished, as it was while it was marked. */
	function finishedAndMarked() {
		const document = waitedFor('7');
		const marked = { id: document.id, externalId: document.externalId };
		paper.finish(document);
		n8n.answer = sawFinished(document);
		return { document, marked };
	}

	test('that could not be removed is removed by another nudge', async () => {
		const { document, marked } = finishedAndMarked();
		suite.service.fail({ match: 'POST /envelope/update', status: 500 });
		expect(await nudge(...nudging(marked))).toBe(true);
		expect(document.externalId).toContain(MARKER_PREFIX);
		n8n.answer = hasFinished;
		expect(await nudge(...nudging(marked))).toBe(true);
		expect(document.externalId).toBe('CRM-7');
	});

	test('that was removed costs nothing when other triggers hear of the same event', async () => {
		const { marked } = finishedAndMarked();
		await nudge(...nudging(marked));
		n8n.called.length = 0;
		suite.service.calls.length = 0;
		for (let trigger = 0; trigger < 5; trigger++) await nudge(...nudging(marked));
		expect(n8n.called).toEqual([]);
		expect(suite.service.calls).toEqual([]);
	});

	test('is removed once when a poll and several deliveries come at the same moment', async () => {
		const document = waitedFor('7');
		const marked = { id: document.id, externalId: document.externalId };
		await poll();
		paper.finish(document);
		n8n.answer = sawFinished(document);
		suite.service.calls.length = 0;
		await Promise.all([poll(), ...[1, 2, 3].map(async () => await nudge(...nudging(marked)))]);
		expect(document.externalId).toBe('CRM-7');
		expect(suite.calls('POST /envelope/update')).toHaveLength(1);
	});

	test('that a late one has overwritten is found in the audit log, and its execution woken', async () => {
		const document = waitedFor();
		await poll();
		const [late, newer] = [markerOf('7'), markerOf('8')];
		await update(document, `CRM-7 ${newer}`);
		// The execution 7 failed, because the answer to this was lost.
		await update(document, `CRM-7 ${late}`);
		paper.finish(document);
		n8n.answers.set('7', hasFinished).set('8', sawFinished(document));
		expect(await poll()).toEqual([nudgeOf('7'), nudgeOf('8')]);
		expect(document.externalId).toBe('CRM-7');
	});

	test('that was overwritten is looked for until its execution was reached', async () => {
		const document = waitedFor();
		await poll();
		await update(document, `CRM-7 ${markerOf('8')}`);
		await update(document, `CRM-7 ${markerOf('7')}`);
		paper.finish(document);
		n8n.answers.set('7', hasFinished).set('8', 'nothing');
		expect(await poll()).toEqual([nudgeOf('7'), nudgeOf('8')]);
		n8n.answers.set('8', sawFinished(document));
		expect(await poll()).toEqual([nudgeOf('7'), nudgeOf('8')]);
		expect(await poll()).toEqual([]);
	});

	test('of an execution that once lost an answer does not hide others either', async () => {
		const document = waitedFor();
		await poll();
		await update(document, `CRM-7 ${markerOf('8')}`);
		await update(document, `CRM-7 ${markerOf('7')}`);
		paper.finish(document);
		const seen = { [document.id]: { externalId: document.externalId, isFinished: true } };
		const body = { isUnknown: false, isOver: true, isDoubtful: true, seen };
		n8n.answers.set('7', { status: 200, body }).set('8', sawFinished(document));
		expect(await poll()).toEqual([nudgeOf('7'), nudgeOf('8')]);
	});
});

test('an event that comes too early asks Documenso nothing', async () => {
	const { id, externalId } = waitedFor('7');
	const seen = { [id]: { externalId, isFinished: false } };
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen } };
	suite.service.calls.length = 0;
	expect(await nudge(...nudging({ id, externalId }))).toBe(true);
	expect(suite.service.calls).toEqual([]);
});

test('an execution that takes long to answer is not nudged a second time meanwhile', async () => {
	const document = waitedFor('7');
	n8n.answer = 'late';
	const address = { url: n8n.address, isOwn: false };
	const addresses = () => [address, address];
	const limits = { addresses, timeout: 100, patience: 5_000 };
	expect(await nudge(...nudging(document, limits))).toBe(false);
	expect(n8n.called).toHaveLength(1);
});

test('events that come while an execution is nudged share one more nudge, and each is answered', async () => {
	const document = waitedFor('7');
	const seen = { [document.id]: { externalId: document.externalId, isFinished: false } };
	n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen } };
	const events = Array.from({ length: 100 }, () => nudge(...nudging(document)));
	expect(new Set(await Promise.all(events))).toEqual(new Set([true]));
	expect(n8n.called).toEqual([nudgeOf('7'), nudgeOf('7')]);
	expect(await nudge(...nudging(document))).toBe(true);
	expect(n8n.called).toHaveLength(3);
});

test('events that come while an execution finds that its wait is over need no other nudge', async () => {
	const documents = Array.from({ length: 100 }, () => waitedFor('7'));
	const seen = documents.map(({ id, externalId }) => [id, { externalId, isFinished: true }]);
	const body = { isUnknown: false, isOver: true, seen: Object.fromEntries(seen) as object };
	n8n.answer = { status: 200, body };
	const events = documents.map((document) => nudge(...nudging(document)));
	expect(new Set(await Promise.all(events))).toEqual(new Set([true]));
	expect(n8n.called).toEqual([nudgeOf('7')]);
	expect(documents.map(({ externalId }) => externalId)).toEqual(documents.map(() => 'CRM-7'));
});

test('a marker that is none, or of another n8n, wakes nothing', async () => {
	const forged = paper.draft('Lease', { externalId: `${MARKER_PREFIX}abcdef:7:${'A'.repeat(80)}` });
	paper.send(forged);
	await poll();
	paper.finish(forged);
	expect(await poll()).toEqual([]);
});

describe('a document that is deleted', () => {
	hurry();

	/** Where n8n resumes executions: what was called there, and how it answers. */
	const n8n = useResumption({ status: 200, body: { isUnknown: false, isOver: true, seen: {} } });

	beforeAll(() => {
		resumeAt(n8n.address);
	});

	const poll = async () => await poller.poll({ waitingAddress: n8n.address });

	/** How often n8n was called to resume the execution of a run. */
	const resumptions = ({ data }: IRun) =>
		n8n.called.filter((line) => line.includes(`signature=${data.resumeToken}`)).length;

	async function waitFor(id: string): Promise<IRun> {
		const parameters = { resource: 'document', operation: 'sendUntilSigned', documentId: byId(id) };
		const run = await execute(
			credentialFor(suite.service),
			[documenso(parameters)],
			[{ json: {} }],
		);
		expect(run.status).toBe('waiting');
		return run;
	}

	test('a document that is deleted before a poll has seen it ends the wait at the next poll', async () => {
		await poll();
		const document = await suite.document();
		const run = await waitFor(document.id);
		paper.remove(document);
		await poll();
		expect(resumptions(run)).toBe(1);
		await poll();
		expect(resumptions(run)).toBe(1);
	});

	test('so does one that no poll has seen since it was marked', async () => {
		const document = await suite.document();
		await poll();
		const run = await waitFor(document.id);
		paper.remove(document);
		await poll();
		expect(resumptions(run)).toBe(1);
	});

	test('the poll after that tries again if n8n does not answer', async () => {
		const document = await suite.document();
		const run = await waitFor(document.id);
		paper.remove(document);
		n8n.answer = 'nothing';
		await poll();
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen: {} } };
		await poll();
		expect(resumptions(run)).toBe(2);
	});

	test('an execution that waits for others as well is told once that a document is gone', async () => {
		const document = await suite.document();
		const run = await waitFor(document.id);
		paper.remove(document);
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen: {} } };
		await poll();
		await poll();
		expect(resumptions(run)).toBe(1);
	});

	test('polls nudge nobody for a document that is still open', async () => {
		const document = await suite.document();
		const run = await waitFor(document.id);
		await poll();
		await poll();
		expect(resumptions(run)).toBe(0);
	});

	test('nor for a document of another account', async () => {
		const document = await suite.document();
		const run = await waitFor(document.id);
		paper.remove(document);
		poller.credential = {
			...poller.credential,
			baseUrl: poller.credential.baseUrl.replace('127.0.0.1', 'localhost'),
		};
		await poll();
		expect(resumptions(run)).toBe(0);
	});
});

test('executions that cannot be reached keep the events back once, and not for each of them', async () => {
	const documents = Array.from({ length: 12 }, (_, number) => waitedFor(String(number)));
	await poll();
	for (const document of documents) paper.finish(document);
	n8n.answer = 'nothing';
	const { uptime } = clock;
	// Each call takes its whole time.
	jest.spyOn(clock, 'uptime').mockImplementation(() => uptime() + n8n.called.length * 31_000);
	const first = await poll();
	expect(first).toHaveLength(4);
	// The others come first in the next look: a few that never answer must not take their turn.
	const second = await poll();
	expect(second).toHaveLength(4);
	expect(second.filter((one) => first.includes(one))).toEqual([]);
	jest.restoreAllMocks();
	n8n.answer = { status: 200, body: { isUnknown: false } };
	expect(await poll()).toHaveLength(12);
});

describe('the marker of a waiting execution', () => {
	const keys = { apiToken: 'api_token', instanceId: 'instance' };
	const token = 'a1'.repeat(32);
	const resumption = { executionId: '57', token };
	const marker = sealed(resumption, keys);
	const other = sealed({ executionId: '58', token: 'b2'.repeat(32) }, keys);
	const bytesOf = (one: string) => Buffer.from(one.split(':').at(-1) ?? '', 'base64url');

	test.each(['', 'CRM-7', 'two words', 'n8n:57:mi9x2k3a:1234abcd:0:3'])(
		'an external ID survives its marker: "%s"',
		(externalId) => {
			const marked = withMarker(externalId, marker);
			expect(resumptionsIn(marked, keys)).toEqual(new Map([[marker, resumption]]));
			expect(withoutMarker(marked, marker)).toBe(externalId);
			expect(withoutMarkers(marked)).toBe(externalId || null);
		},
	);

	test('several executions can wait for one document, and each takes only its own marker away', () => {
		const marked = withMarker(withMarker('CRM-7', marker), other);
		expect([...resumptionsIn(marked, keys).keys()]).toEqual([marker, other]);
		expect(withoutMarker(marked, marker)).toBe(`CRM-7 ${other}`);
		expect(withoutMarker(marked, other)).toBe(`CRM-7 ${marker}`);
		expect(withoutMarkers(marked)).toBe('CRM-7');
	});

	test('a second try of the node puts its marker in the place of the first', () => {
		const again = sealed(resumption, keys);
		const marked = withMarker(withMarker(withMarker('CRM-7', marker), other), again);
		expect(marked).toBe(`CRM-7 ${other} ${again}`);
		expect(withoutMarker(marked, again)).toBe(`CRM-7 ${other}`);
	});

	test('the token stands nowhere in a marker, and no two markers are the same', () => {
		expect(marker).not.toContain(token);
		expect(bytesOf(marker).includes(Buffer.from(token, 'hex'))).toBe(false);
		expect(sealed(resumption, keys)).not.toBe(marker);
	});

	test('a marker is as long as the room that is left for it', () => {
		const long = sealed({ executionId: '1'.repeat(20), token }, keys);
		expect(withMarker('x', long)).toHaveLength(1 + MARKER_LENGTH);
	});

	test.each([
		['another API token', marker, { ...keys, apiToken: 'api_other' }],
		['another n8n', marker, { ...keys, instanceId: 'other' }],
		['another execution in its place', marker.replace(':57:', ':58:'), keys],
		['a changed letter', marker.slice(0, -2) + (marker.endsWith('AA') ? 'BB' : 'AA'), keys],
		['no token', 'n8n-wait:', keys],
		['text before it without a blank', `x${marker}`, keys],
		['nothing', '', keys],
	])('nothing is resumed with %s', (_, externalId, with_) => {
		expect(resumptionsIn(externalId, with_)).toEqual(new Map());
	});

	test.each(['', '../57', '57/..', '57?', '57#', '%35', '57\n'])(
		'nor is an execution resumed whose ID is %j, whoever sealed it',
		(executionId) => {
			expect(resumptionsIn(sealed({ executionId, token }, keys), keys)).toEqual(new Map());
		},
	);

	test.each([1, 4, 8, 12, 15])('nothing is resumed with a tag of %i bytes', (length) => {
		const whole = sealed({ executionId: '57', token: '' }, keys);
		expect([...resumptionsIn(whole, keys).values()]).toEqual([{ executionId: '57', token: '' }]);
		// The tag is behind the 12 bytes of the IV, and an empty token has no more bytes.
		const cut = bytesOf(whole)
			.subarray(0, 12 + length)
			.toString('base64url');
		expect(resumptionsIn(whole.replace(/[^:]*$/, cut), keys)).toEqual(new Map());
	});

	test('a marker from before an update is read: HKDF-SHA256 and AES-256-GCM', () => {
		// Made with other software: Python's cryptography.
		const before =
			'n8n-wait:XowDqU:57:AAECAwQFBgcICQoLpeUeQhLdY3CeH7mAw1uTWKO-Dkm15UE4qKux0dNV5MzLLPy3rVmkpUdzM88veqzL';
		expect(resumptionsIn(before, keys)).toEqual(new Map([[before, resumption]]));
	});

	test('markers in more than Documenso allows are forged, and none is opened', () => {
		const fits = `${'x'.repeat(255 - 1 - marker.length)} ${marker}`;
		expect(resumptionsIn(fits, keys).size).toBe(1);
		expect(resumptionsIn(`x${fits}`, keys).size).toBe(0);
		expect(resumptionsIn(` n8n-wait:${':'.repeat(1e6)}`, keys).size).toBe(0);
		expect(resumptionsIn(` ${marker}`.repeat(1e4), keys).size).toBe(0);
	});

	test('the key is made once for all markers, and not for those of another n8n', () => {
		const derived = jest.spyOn(crypto, 'hkdfSync');
		const short = marker.slice(0, 'n8n-wait:XowDqU:'.length);
		expect(resumptionsIn(` ${short}1:A`.repeat(12), keys).size).toBe(0);
		expect(derived).toHaveBeenCalledTimes(1);
		expect(resumptionsIn(' n8n-wait:a:1:b'.repeat(17), keys).size).toBe(0);
		expect(derived).toHaveBeenCalledTimes(1);
	});

	test('another external ID keeps the markers of executions that wait', () => {
		const marked = withMarker(withMarker('CRM-7', marker), other);
		expect(withMarkersOf(marked, 'CRM-8')).toBe(`CRM-8 ${marker} ${other}`);
		expect(withMarkersOf(marked, null)).toBe(`${marker} ${other}`);
		expect(withMarkersOf('CRM-7', 'CRM-8')).toBe('CRM-8');
		expect(withMarkersOf(null, null)).toBeNull();
	});
});
