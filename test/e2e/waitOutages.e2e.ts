import { refusal } from '../support/refusal';
import { randomUUID } from 'node:crypto';

import type { Fault } from '../../emulator';
import type { Execution } from '../../n8n-host/rest.mjs' with { 'resolution-mode': 'import' };
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { everyFiveSeconds } from './n8n';
import { useOwnN8n } from './ownN8n';
import {
	after,
	AFTER,
	emailOf,
	endings,
	fillAndWait,
	inLine,
	rows,
	sendAndWait,
	signers,
	waitingIn,
} from './waiting';

// What may go wrong with n8n, with Documenso and with events while an execution waits.
const documenso = useDocumenso();
const own = useOwnN8n('waiting');
const { n8n } = own;
const { begin, executionIn, ours, publish, publishWaiting, waits, withTrigger } = waitingIn(
	n8n,
	documenso,
);

describe('an execution that waits goes on when all is signed, after n8n was', () => {
	const restart = async () => {
		await own.stop();
		await own.start();
	};

	test.each([
		['stopped and started again', restart],
		['killed and started again', own.killAndStart],
	])('%s', async (_, outage) => {
		await withTrigger(async (trigger) => {
			const workflow = await publishWaiting(fillAndWait);
			await begin(workflow, signers(2));
			await executionIn('waiting', workflow);
			await outage();
			await n8n.listening(trigger);
			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(endings(done)).toEqual([0, 1].map((row) => [emailOf(row), 'completed']));
		});
	});
});

async function publishPolling() {
	const pollTimes = { item: everyFiveSeconds };
	const polling = await n8n.add({
		name: 'Polls',
		...inLine(
			ours('Polling', 'documensoPollingTrigger', { pollTimes, events: ['DOCUMENT_CREATED'] }),
		),
	});
	await n8n.rest.publish(polling.id);
	return polling;
}

test('an event that no delivery brings is found by a Documenso Trigger, whose look wakes the execution', async () => {
	const parameters = {
		...{ events: ['DOCUMENT_CREATED'], missedEvents: 'find' },
		...{ pollTimes: { item: everyFiveSeconds }, options: { checkShare: 50 } },
	};
	// Nothing in Documenso knows its address.
	const more = { typeVersion: 2, webhookId: randomUUID() };
	const trigger = ours('Trigger', 'documensoTrigger', parameters, more);
	const looking = await n8n.add({ name: 'Looks', ...inLine(trigger) });
	await n8n.publish(looking);
	const workflow = await publishWaiting(fillAndWait);
	await begin(workflow, signers(1));
	await executionIn('waiting', workflow);
	await documenso.signAll();
	const done = await executionIn('success', workflow, 120_000);
	expect(endings(done)).toEqual([[emailOf(0), 'completed']]);
	await n8n.unpublish(looking);
});

test('an event lost while n8n was stopped is made up for by the polling trigger', async () => {
	const polling = await publishPolling();
	// The first poll takes stock; it is over when another one has begun.
	await documenso.called('GET /folder', 2);
	await withTrigger(async () => {
		const workflow = await publishWaiting(fillAndWait);
		await begin(workflow, signers(1));
		await executionIn('waiting', workflow);
		await own.stop();
		await documenso.signAll();
		const attempts = await documenso.attempts(4, 'DOCUMENT_COMPLETED');
		expect(attempts.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
		await own.start();
		expect(endings(await executionIn('success', workflow))).toEqual([[emailOf(0), 'completed']]);
	});
	await n8n.unpublish(polling);
});

test('a kill while the marker is removed strands no execution, and polls remove what is left of it', async () => {
	await withTrigger(async (trigger) => {
		const polling = await publishPolling();
		const workflow = await publishWaiting(fillAndWait);
		await begin(workflow, signers(1));
		await executionIn('waiting', workflow);
		// Documenso has removed it, and has not answered yet.
		await documenso.fail({ match: 'POST /envelope/update', stallMs: 20_000 });
		const before = (await documenso.calls('POST /envelope/update')).length;
		await documenso.signAll();
		await documenso.called('POST /envelope/update', before + 1);
		await own.killAndStart();
		await n8n.listening(trigger);
		const { status } = await eventually(async () => {
			const [execution] = await n8n.executions(workflow, 1);
			return execution?.status === 'waiting' ? undefined : execution;
		});
		// It may have been running when n8n was killed.
		expect(['success', 'crashed']).toContain(status);
		expect((await documenso.created()).map(({ externalId }) => externalId)).toEqual(['NDA 0']);
		await n8n.unpublish(polling);
	});
});

describe('a document that is signed before the execution waits ends it, too', () => {
	test('between sending and the last look', async () => {
		await withTrigger(async () => {
			const workflow = await publishWaiting(fillAndWait);
			await documenso.fail({ match: 'POST /envelope/get-many', delayMs: 1500 });
			await begin(workflow, signers(1));
			await documenso.called('POST /envelope/get-many', 1);
			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(endings(done)).toEqual([[emailOf(0), 'completed']]);
		});
	});

	test('after the last look, when n8n does not take the event yet', async () => {
		await withTrigger(async () => {
			const workflow = await publishWaiting(fillAndWait);
			await documenso.fail({ match: 'POST /envelope/get-many', stallMs: 1500 });
			await begin(workflow, signers(1));
			// A nudge of the test before may still read something.
			await eventually(async () => (await documenso.created()).length || undefined);
			await documenso.called('POST /envelope/get-many', 1);
			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(endings(done)).toEqual([[emailOf(0), 'completed']]);
		});
	});
});

test.each<[string, (waiting: Execution) => Promise<void>]>([
	[
		'events',
		async () => {
			const [document] = await documenso.created();
			await documenso.deliver('DOCUMENT_COMPLETED', document?.id ?? '', 2);
			const attempts = await documenso.attempts(2, 'DOCUMENT_COMPLETED');
			// Otherwise Documenso would deliver them again.
			expect(attempts.map(({ status }) => status)).toEqual([200, 200]);
		},
	],
	[
		'nudges',
		async (waiting) => {
			// Both are at work before one has ended.
			await documenso.fail({ match: 'POST /envelope/get-many', stallMs: 1000, times: 2 });
			await Promise.all([nudge(waiting), nudge(waiting)]);
		},
	],
])('two %s at once let the workflow go on once', async (_, wake) => {
	const documentId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const duplicate = { resource: 'document', operation: 'duplicate', documentId };
	const workflow = await publish(
		inLine(rows(), waits(fillAndWait), after(), ours('Copy', 'documenso', duplicate)),
	);
	await begin(workflow, signers(1));
	const waiting = await executionIn('waiting', workflow);
	// Without a trigger, this wakes nothing.
	await documenso.signAll();
	await withTrigger(async () => {
		await wake(waiting);
		const done = await executionIn('success', workflow);
		expect(endings(done)).toEqual([[emailOf(0), 'completed']]);
		expect(done.data?.resultData.runData[AFTER]).toHaveLength(1);
		expect(await documenso.created()).toHaveLength(2);
	});
});

describe('with Retry On Fail, nothing is sent twice when the node fails after sending', () => {
	const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const refused = refusal('Busy');

	test('new documents', async () => {
		await withTrigger(async () => {
			const workflow = await publishWaiting(fillAndWait, retry);
			await documenso.fail({ match: 'POST /envelope/get-many', ...refused, times: 2 });
			await begin(workflow, signers(2));
			await executionIn('waiting', workflow);
			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(endings(done)).toEqual([0, 1].map((row) => [emailOf(row), 'completed']));
			expect(await documenso.created()).toHaveLength(2);
		});
	});

	test('an existing draft', async () => {
		await withTrigger(async () => {
			const { id } = await documenso.draft({ name: 'Nora', email: emailOf(0) }, 'CRM-7');
			const workflow = await publishWaiting(sendAndWait, retry);
			await documenso.fail({ match: 'POST /envelope/get-many', ...refused });
			await begin(workflow, [{ id, 'Signer email': emailOf(0) }]);
			await executionIn('waiting', workflow);
			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(endings(done)).toEqual([[emailOf(0), 'completed']]);
			expect(await documenso.calls('POST /envelope/distribute')).toHaveLength(1);
		});
	});
});

test('whatever Documenso answers to a nudge, the execution waits until it can tell that all is signed', async () => {
	const workflow = await publishWaiting(fillAndWait);
	await begin(workflow, signers(1));
	const waiting = await executionIn('waiting', workflow);
	// Without a trigger, this wakes nothing.
	await documenso.signAll();
	const [document] = await documenso.created();
	const match = 'POST /envelope/get-many';
	const headers = { 'content-type': 'text/html' };
	const failures: Record<string, Fault[]> = {
		'an error': [{ match, status: 500 }],
		'a refused token': [{ match, status: 401 }],
		'a page': [{ match, status: 200, headers, body: '<!DOCTYPE html><h1>Welcome</h1>' }],
		'a page that is missing': [{ match, status: 404, headers, body: '<h1>Not Found</h1>' }],
		nothing: [{ match, status: 200, body: '' }],
		'half an answer': [{ match, status: 200, body: '{"data":[{"id":' }],
		'something else': [{ match, status: 200, body: { data: [{ id: 7, status: null }] } }],
		'a list without the document, and an error': [
			{ match, status: 200, body: { data: [] } },
			{ match: 'GET /envelope/*', status: 500 },
		],
		'a connection that breaks, five times': [
			{ match, cut: 'before', times: 2 },
			{ match, cut: 'during', times: 3 },
		],
	};
	const answers: Record<string, string> = {};
	for (const [name, faults] of Object.entries(failures)) {
		for (const fault of faults) await documenso.fail(fault);
		answers[name] = await nudge(waiting);
		expect((await executionIn('waiting', workflow)).status).toBe('waiting');
	}
	expect(answers).toEqual(
		Object.fromEntries(Object.keys(failures).map((name) => [name, '{"isUnknown":true}'])),
	);

	await withTrigger(async () => {
		await documenso.fail({ match, status: 500 });
		await documenso.deliver('DOCUMENT_COMPLETED', document?.id ?? '');
		expect(endings(await executionIn('success', workflow))).toEqual([[emailOf(0), 'completed']]);
	});
});

/** What a trigger sends to an execution, and the answer. */
async function nudge({ id, data }: Execution): Promise<string> {
	const address = `${n8n.url}/webhook-waiting/${id}/documenso?signature=${data?.resumeToken}`;
	const answer = await fetch(address, { method: 'POST' });
	return await answer.text();
}
