import { DEMO_TEAM, DEMO_USER, startEmulator, type Webhook } from '../../emulator';
import { useDocumenso, type Envelope } from './documenso';
import { outputOf, useN8n, WEBHOOK_SECRET } from './n8n';
import {
	AFTER,
	emailOf,
	endings,
	fillAndWait,
	inLine,
	rows,
	sendAndWait,
	signers,
	WAITING,
	waitingIn,
} from './waiting';

const documenso = useDocumenso();
const n8n = useN8n();
const { begin, executionIn, ours, publish, publishWaiting, withTrigger } = waitingIn(
	n8n,
	documenso,
);

test('three documents are waited for, and one execution goes on when all are signed', async () => {
	await withTrigger(async () => {
		const workflow = await publishWaiting({
			...fillAndWait,
			addToOutput: ['values', 'signedFiles'],
		});
		await begin(workflow, signers(3));
		const waiting = await executionIn('waiting', workflow);
		const shown = outputOf(waiting, WAITING).map(({ json }) => json);
		expect(shown).toMatchObject([
			{ status: 'PENDING', externalId: 'NDA 0', waitingFor: [emailOf(0)] },
			{ status: 'PENDING', externalId: 'NDA 1' },
			{ status: 'PENDING', externalId: 'NDA 2' },
		]);
		const documents = await documenso.documents();
		for (const document of documents.slice(0, 2)) await documenso.sign(document);
		await documenso.attempts(2, 'DOCUMENT_COMPLETED');
		expect((await executionIn('waiting', workflow)).status).toBe('waiting');
		for (const document of documents.slice(2)) await documenso.sign(document);
		const done = await executionIn('success', workflow);
		expect(outputOf(done, AFTER).map(({ json }) => json)).toMatchObject(
			[0, 1, 2].map((row) => ({
				outcome: 'completed',
				status: 'COMPLETED',
				externalId: `NDA ${row}`,
				row: emailOf(row),
			})),
		);
		expect(outputOf(done, WAITING).map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
			['data'],
			['data'],
			['data'],
		]);
		expect(await documenso.externalIds()).toEqual(['NDA 0', 'NDA 1', 'NDA 2']);
	});
});

test.each<[string, (document: Envelope) => Promise<unknown>]>([
	['rejected', async (document) => await documenso.reject(document)],
	['cancelled', async ({ id }) => await documenso.api('POST /envelope/cancel', { envelopeId: id })],
	['deleted', async ({ id }) => await documenso.api('POST /envelope/delete', { envelopeId: id })],
])('a document that is %s ends the wait', async (outcome, end) => {
	await withTrigger(async () => {
		const workflow = await publishWaiting(fillAndWait);
		await begin(workflow, signers(1));
		await executionIn('waiting', workflow);
		const [document] = await documenso.documents();
		if (document) await end(document);
		expect(endings(await executionIn('success', workflow))).toEqual([[emailOf(0), outcome]]);
	});
});

test('a document whose link has expired ends the wait only where the user wants that', async () => {
	await withTrigger(async () => {
		// Each its own document, though the rows have the same External IDs.
		const own = { ...fillAndWait, ifExternalIdExists: 'create' };
		const patient = await publishWaiting(own);
		const strict = await publishWaiting({ ...own, endOnExpiry: true });
		await begin(patient, signers(1));
		await begin(strict, signers(1));
		await executionIn('waiting', patient);
		await executionIn('waiting', strict);
		for (const { recipients } of await documenso.documents()) {
			await documenso.expire(recipients[0]?.id ?? 0);
		}
		expect(endings(await executionIn('success', strict))).toEqual([[emailOf(0), 'expired']]);
		await documenso.attempts(2, 'RECIPIENT_EXPIRED');
		expect((await executionIn('waiting', patient)).status).toBe('waiting');
	});
});

test('when the time limit is over, each item goes on with the outcome timeLimit, on the same output', async () => {
	await withTrigger(async () => {
		const workflow = await publishWaiting({
			...fillAndWait,
			resumeAmount: 1,
			resumeUnit: 'minutes',
		});
		await begin(workflow, signers(2));
		await executionIn('waiting', workflow);
		const [, second] = await documenso.documents();
		if (second) await documenso.sign(second);
		const signedAt = new Date().toISOString();
		// n8n looks once a minute for waits that are over.
		const done = await executionIn('success', workflow, 130_000);
		expect(outputOf(done, AFTER).map(({ json }) => json)).toMatchObject(
			[0, 1].map((row) => ({ outcome: 'timeLimit', status: 'PENDING', row: emailOf(row) })),
		);
		// The second is signed by now: the output says of when its status is.
		for (const { json } of outputOf(done, AFTER)) {
			expect(Date.parse(json.statusAsOf as string)).toBeLessThan(Date.parse(signedAt));
		}
		await documenso.signAll();
		await documenso.attempts(2, 'DOCUMENT_COMPLETED');
		expect((await executionIn('success', workflow)).data).toEqual(done.data);
	});
});

test('a waiting execution is resumed with the right token only, and a nudge too early changes nothing', async () => {
	await withTrigger(async () => {
		const workflow = await publishWaiting(fillAndWait);
		await begin(workflow, signers(1));
		const { id } = await executionIn('waiting', workflow);
		const address = `${n8n.url}/webhook-waiting/${id}/documenso`;
		for (const signature of ['', `?signature=${'a'.repeat(64)}`]) {
			expect((await fetch(address + signature, { method: 'POST' })).status).toBe(401);
		}
		const [document] = await documenso.documents();
		await documenso.deliver('DOCUMENT_COMPLETED', document?.id ?? '', 2);
		await documenso.attempts(2, 'DOCUMENT_COMPLETED');
		expect((await executionIn('waiting', workflow)).status).toBe('waiting');
		await documenso.signAll();
		expect(endings(await executionIn('success', workflow))).toEqual([[emailOf(0), 'completed']]);
	});
});

describe("the user's External ID", () => {
	/** As many characters as the node leaves of Documenso's 255. */
	const longest = `CRM-7 – Ärger & Söhne, "Miete" <n8n> ${'x'.repeat(100)}`;

	test('stays with an existing draft', async () => {
		await withTrigger(async () => {
			const workflow = await publishWaiting(sendAndWait);
			const { id } = await documenso.draft({ name: 'Nora', email: 'nora@example.com' }, 'CRM-7');
			await begin(workflow, [{ id, 'Signer email': 'nora@example.com' }]);
			const waiting = await executionIn('waiting', workflow);
			expect(outputOf(waiting, WAITING)[0]?.json).toMatchObject({ externalId: 'CRM-7' });
			await documenso.sign(await documenso.envelope(id));
			const done = await executionIn('success', workflow);
			expect(outputOf(done, AFTER)[0]?.json).toMatchObject({
				outcome: 'completed',
				externalId: 'CRM-7',
			});
			expect(await documenso.externalIds()).toEqual(['CRM-7']);
		});
	});

	test('may be as long as 137 characters, is found by Skip while it waits, and is as before afterwards', async () => {
		await withTrigger(async () => {
			expect(longest).toHaveLength(137);
			const [row] = signers(1);
			const items = [{ ...row, 'External ID': longest }];
			const workflow = await publishWaiting(fillAndWait);
			await begin(workflow, items);
			const waiting = await executionIn('waiting', workflow);
			expect(outputOf(waiting, WAITING)[0]?.json).toMatchObject({ externalId: longest });
			const [marked] = await documenso.created();
			expect(marked?.externalId).toMatch(/n8n-wait:/);

			const again = await publish(
				inLine(
					rows(),
					ours('Create', 'documenso', {
						...fillAndWait,
						operation: 'createDocument',
						additionalFields: { ifExternalIdExists: 'skip' },
					}),
				),
			);
			await begin(again, items);
			const skipped = await executionIn('success', again);
			expect(outputOf(skipped, 'Create').map(({ json }) => json)).toMatchObject([
				{ id: marked?.id, externalId: longest },
			]);

			await documenso.signAll();
			const done = await executionIn('success', workflow);
			expect(outputOf(done, AFTER)[0]?.json).toMatchObject({
				outcome: 'completed',
				externalId: longest,
			});
			expect(await documenso.created()).toMatchObject([{ id: marked?.id, externalId: longest }]);
		});
	});

	test('that leaves no room for the marker is refused before anything is sent', async () => {
		const [row, ...others] = signers(3);
		const items = [...others, { ...row, 'External ID': `${longest}x` }];
		const creating = await publishWaiting(fillAndWait);
		await begin(creating, items);
		const refused = await executionIn('error', creating);
		expect(refused.data?.resultData.error?.message).toMatch(/'External ID' has 138 characters/);
		expect(await documenso.created()).toEqual([]);

		const { id } = await documenso.draft(
			{ name: 'Nora', email: 'nora@example.com' },
			`${longest}x`,
		);
		const sending = await publishWaiting(sendAndWait);
		await begin(sending, [{ id }]);
		await executionIn('error', sending);
		expect(await documenso.created()).toMatchObject([{ id, status: 'DRAFT' }]);
	});
});

test('a trigger wakes the executions that have its credential, and no others', async () => {
	const tokens = ['api_first', 'api_second'];
	const shared = await startEmulator({
		seed: 'demo',
		tokens: tokens.map((token) => ({ token, user: DEMO_USER, team: DEMO_TEAM })),
	});
	const withToken = async (apiToken: string) => {
		const [name, type] = [apiToken, 'documensoApi'];
		const data = { baseUrl: shared.url, apiToken, webhookSecret: WEBHOOK_SECRET };
		const made = await n8n.rest.request('POST', '/credentials', { name, type, data });
		const { id } = made as { id: string };
		const register = (webhook: Webhook) => {
			shared.webhooks.add(webhook);
		};
		return waitingIn({ ...n8n, credential: { id, name, type } }, { register });
	};
	try {
		const [first, second] = [await withToken('api_first'), await withToken('api_second')];
		const workflow = await first.publishWaiting(fillAndWait);
		const another = await second.publishWaiting(fillAndWait);
		await begin(workflow, signers(1));
		await begin(another, signers(1));
		await executionIn('waiting', workflow);
		await executionIn('waiting', another);
		const { documents } = shared.store;
		await second.withTrigger(async () => {
			for (const { recipients } of documents) {
				for (const { token } of recipients) await shared.sign(token);
			}
			await shared.settled();
			expect(endings(await executionIn('success', another))).toEqual([[emailOf(0), 'completed']]);
			expect((await executionIn('waiting', workflow)).status).toBe('waiting');
		});
		await first.withTrigger(async () => {
			for (const { id } of documents) await shared.deliver('DOCUMENT_COMPLETED', id);
			expect(endings(await executionIn('success', workflow))).toEqual([[emailOf(0), 'completed']]);
		});
	} finally {
		await shared.close();
	}
});
