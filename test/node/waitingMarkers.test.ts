import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { sealed } from '../../nodes/shared/envelope/marker';
import { nudge } from '../../nodes/shared/events/nudge';
import { addressesFor } from '../../nodes/shared/waiting/reach';
import { useTrigger } from '../support/events';
import { hurry } from '../support/hurry';
import {
	documenso,
	execute,
	pollContext,
	resumeAt,
	resumeWaiting,
	retryCrashed,
	retryExecution,
	type Setup,
	webhookContext,
} from '../support/n8n';
import { beforeCall, Poller } from '../support/polling';
import { refusal } from '../support/refusal';
import { type Answer, useResumption } from '../support/resumption';
import { useServer } from '../support/server';
import { credentialFor, lines } from '../support/service';
import {
	contract,
	fillFromRow,
	itemWithPdf,
	signer,
	step,
	tenants,
	tenantsWithIds,
	USE,
	useService,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });

const { calls, documents } = suite;

const CREATE = 'POST /envelope/create';

const SEND = 'POST /envelope/distribute';

const UPDATE = 'POST /envelope/update';

const READ = 'POST /envelope/get-many';

const credential = () => credentialFor(suite.service);

/** What resumes an execution. */
const TOKEN = 'a1'.repeat(32);

const markerOf = (executionId: string) => {
	const { context } = pollContext(credential(), {});
	const keys = { apiToken: credential().apiToken, instanceId: context.getInstanceId() };
	return sealed({ executionId, token: TOKEN }, keys);
};

/** The executions whose markers a document has. */
const waitingFor = (document?: Envelope) =>
	[...(document?.externalId?.matchAll(/n8n-wait:[^:]+:([^:]+):/g) ?? [])].map(([, id]) => id);
const errorIn = (run: IRun) => run.data.resultData.error;

const skip = { additionalFields: { ifExternalIdExists: 'skip' } };

const fromTemplate = { ...fillFromRow, operation: 'createDocumentUntilSigned' };

const fromFile = { resource: 'document', operation: 'createUntilSigned', ...contract };

const ofDraft = (id: string) => step('document.sendUntilSigned', { documentId: id });

const row = (externalId: string) => ({
	json: { ...tenants(1)[0]?.json, 'External ID': externalId },
});

async function run(parameters: IDataObject, items?: INodeExecutionData[], setup: Setup = {}) {
	return await execute(credential(), [documenso(parameters, setup)], items ?? [{ json: {} }]);
}

/** What happens to each document: whether it had a marker just before each request that sends one. */
function markedWhenSent() {
	const marked: number[] = [];
	const restore = beforeCall(suite.service, (line) => {
		if (line.startsWith(SEND)) marked.push(...documents().map((one) => waitingFor(one).length));
	});
	return { marked, restore };
}

describe('a document is marked before it is sent', () => {
	test('from a template by the request that creates and sends it', async () => {
		const { status } = await run(fromTemplate, tenants(2));
		expect(status).toBe('waiting');
		const reading = lines(suite.service).filter((line) => line.startsWith('GET '));
		expect(lines(suite.service)).toEqual([...reading, USE, USE, READ]);
		expect(documents().map((one) => waitingFor(one).length)).toEqual([1, 1]);
	});

	test('from a file by the request that creates it', async () => {
		const { marked, restore } = markedWhenSent();
		const { status } = await run(fromFile, [await itemWithPdf()]);
		restore();
		expect(status).toBe('waiting');
		const [{ id } = { id: '' }] = documents();
		expect(lines(suite.service)).toEqual([CREATE, `GET /envelope/${id}`, SEND, READ]);
		expect(marked).toEqual([1]);
	});

	test('as a draft by an update', async () => {
		const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
		const { marked, restore } = markedWhenSent();
		const { status } = await run(ofDraft(id));
		restore();
		expect(status).toBe('waiting');
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`, UPDATE, SEND, READ]);
		expect(marked).toEqual([1]);
		expect(documents()[0]?.externalId).toMatch(/^CRM-7 n8n-wait:/);
	});
});

test('an event that comes while other documents are sent, and wakes nothing yet, is seen before the execution waits', async () => {
	const restore = beforeCall(suite.service, (line) => {
		const [first] = documents();
		if (!line.startsWith(USE) || !first) return;
		restore();
		void suite.service.reject(first.recipients[0]?.token ?? '', 'No');
	});
	const waits = await run({ ...fromTemplate, options: { maxInFlight: 1 } }, tenants(2));
	expect(waits.status).toBe('waiting');
	expect(documents().map(({ status }) => status)).toEqual(['REJECTED', 'PENDING']);
	const prepared = waits.data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
	expect(prepared?.map(({ json }) => json.outcome)).toEqual(['rejected', 'timeLimit']);
	expect(documents().map((one) => waitingFor(one).length)).toEqual([0, 1]);
});

describe('a draft that Documenso refuses to send', () => {
	test('loses its marker, and keeps its External ID', async () => {
		suite.service.fail({ match: SEND, ...refusal('No') });
		const externalId = { externalId: 'CRM-7' };
		const failed = await run({ ...fromFile, additionalFields: externalId }, [await itemWithPdf()]);
		expect(errorIn(failed)?.message).toContain('No');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
	});

	test('and that is deleted then costs no request for its marker', async () => {
		suite.service.fail({ match: SEND, ...refusal('No') });
		const additionalFields = { ifSendingFails: 'delete' };
		await run({ ...fromFile, additionalFields }, [await itemWithPdf()]);
		expect(documents()).toEqual([]);
		expect(calls(UPDATE)).toEqual([]);
	});

	test('loses it, too, if it was there before', async () => {
		const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
		suite.service.fail({ match: SEND, ...refusal('No') });
		expect(errorIn(await run(ofDraft(id)))?.message).toContain('No');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
		expect(calls(UPDATE)).toHaveLength(2);
	});

	test('keeps the markers of other executions', async () => {
		const { id } = await suite.document();
		Object.assign(documents()[0] ?? {}, { externalId: `CRM-7 ${markerOf('7')}` });
		suite.service.fail({ match: SEND, ...refusal('No') });
		await run(ofDraft(id));
		expect(waitingFor(documents()[0])).toEqual(['7']);
	});

	test('gets none if the node itself refuses it', async () => {
		const { id } = await suite.document('create', { fields: {} });
		expect(errorIn(await run(ofDraft(id)))?.message).toContain('cannot be sent');
		expect(calls(UPDATE)).toEqual([]);
	});

	test('loses it if the node refuses what the placeholders of its file have made', async () => {
		const text = 'Sign {{signature, r1}} here, date {{date, r2}}';
		const copied = { ...signer, email: 'cleo@example.com', role: 'CC' };
		const failed = await run(
			{
				...{ ...fromFile, recipients: { recipient: [signer, copied] }, fields: {} },
				...{ placeholdersInPdf: true, additionalFields: { externalId: 'CRM-7' } },
			},
			[await itemWithPdf(text)],
		);
		expect(errorIn(failed)?.message).toContain('only gets a copy, but has a required field');
		expect(documents()).toMatchObject([{ status: 'DRAFT', externalId: 'CRM-7' }]);
		expect(calls(SEND)).toEqual([]);
	});

	test('keeps its marker if nobody knows whether it was sent', async () => {
		suite.service.fail({ match: SEND, cut: 'after' });
		// The first look is the one before the draft is sent.
		suite.service.fail({ match: /^GET \/envelope\/envelope_/, delayMs: 0 });
		suite.service.fail({ match: /^GET \/envelope\/envelope_/, times: 9, status: 400, body: {} });
		await run(fromFile, [await itemWithPdf()]);
		expect(documents().map((one) => waitingFor(one).length)).toEqual([1]);
		expect(documents()[0]?.status).toBe('PENDING');
	});
});

describe('a draft that an execution has left which ended before it could send it', () => {
	/** As a process leaves it that ended between two requests. */
	async function left(externalId: string) {
		const draft = await suite.document('create', { additionalFields: { externalId } });
		draft.externalId = `${externalId} ${markerOf('dead')}`;
	}

	test('is marked before it is sent by the next one, and each of both is woken', async () => {
		await left('CRM-7');
		const { marked, restore } = markedWhenSent();
		const additionalFields = { externalId: 'CRM-7', ifExternalIdExists: 'skip' };
		const { status } = await run({ ...fromFile, additionalFields }, [await itemWithPdf()]);
		restore();
		expect(status).toBe('waiting');
		expect(marked).toEqual([2]);
		expect(waitingFor(documents()[0])).toEqual(['dead', expect.stringMatching(/^execution-/)]);
		expect(calls(UPDATE)).toHaveLength(1);
	});

	test('is marked before it is sent by a retry after a crash', async () => {
		suite.service.fail({ match: SEND, cut: 'before' });
		const node = documenso({
			...fromFile,
			additionalFields: { externalId: 'CRM-7', ifExternalIdExists: 'skip' },
		});
		const items = [await itemWithPdf()];
		const crashed = await execute(credential(), [node], items);
		expect(documents()).toMatchObject([{ status: 'DRAFT' }]);
		const { marked, restore } = markedWhenSent();
		const retried = await retryCrashed(credential(), [node], items, crashed);
		restore();
		expect(errorIn(retried)).toBeUndefined();
		expect(retried.status).toBe('waiting');
		expect(documents()).toHaveLength(1);
		expect(waitingFor(documents()[0])).toHaveLength(2);
		expect(marked).toEqual([2]);
	});
});

test('a document that was sent is waited for by a retry after a crash, which is marked, too', async () => {
	const rows = [row('CRM-7')];
	const node = documenso({ ...fromTemplate, ...skip });
	suite.service.fail({ match: READ, status: 400, body: { message: 'Killed' } });
	const crashed = await execute(credential(), [node], rows);
	expect(crashed.status).toBe('error');
	suite.service.calls.length = 0;
	const retried = await retryCrashed(credential(), [node], rows, crashed);
	expect(retried.status).toBe('waiting');
	expect(calls(USE)).toEqual([]);
	expect(calls(UPDATE)).toHaveLength(1);
	expect(waitingFor(documents()[0])).toHaveLength(2);
});

test.each(['sign', 'reject'] as const)(
	'a draft that was sent, and has ended before a retry (%s), ends the wait of the retry',
	async (action) => {
		const draft = await suite.document();
		const node = documenso(ofDraft(draft.id));
		suite.service.fail({ match: READ, status: 400, body: { message: 'Killed' } });
		const crashed = await execute(credential(), [node], [{ json: {} }]);
		expect(draft.status).toBe('PENDING');
		for (const { token } of draft.recipients) await suite.service[action](token, 'Too late');
		await suite.service.settled();
		suite.service.calls.length = 0;
		const retried = await retryCrashed(credential(), [node], [{ json: {} }], crashed);
		const outcome = action === 'sign' ? 'completed' : 'rejected';
		const [output] = retried.data.resultData.runData[node.name] ?? [];
		expect(output?.data?.main?.[0]).toMatchObject([{ json: { outcome, id: draft.id } }]);
		expect(calls(SEND)).toEqual([]);
		// Without a failed try, it is a mistake.
		expect(errorIn(await run(ofDraft(draft.id)))?.message).toContain('cannot be sent any more');
	},
);

test('Retry On Fail waits with the markers of its first try: it writes none again', async () => {
	suite.service.fail({ match: READ, status: 400, body: { message: 'Busy' } });
	const { status } = await run(fromTemplate, tenants(3), { maxTries: 2 });
	expect(status).toBe('waiting');
	expect(calls(USE)).toHaveLength(3);
	expect(calls(UPDATE)).toEqual([]);
});

test('a retry from the list of executions, which is another execution, marks what is sent already', async () => {
	suite.service.fail({ match: READ, status: 400, body: { message: 'Busy' } });
	const node = documenso(fromTemplate);
	const failed = await execute(credential(), [node], [row('CRM-7'), row('CRM-8')]);
	suite.service.calls.length = 0;
	const retried = await retryExecution(credential(), [node], failed);
	expect(retried.status).toBe('waiting');
	expect(lines(suite.service)).toEqual([READ, UPDATE, UPDATE, READ]);
});

describe('when the answer to marking a draft is lost', () => {
	const draft = async () =>
		await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });

	test('the draft is sent if the marker is there', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'after' });
		const { status } = await run(ofDraft(id));
		expect(status).toBe('waiting');
		expect(calls(UPDATE)).toHaveLength(1);
		expect(documents()[0]?.status).toBe('PENDING');
	});

	test('nothing is sent if it is not, and the next try does both', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'before' });
		const { status } = await run(ofDraft(id), undefined, { maxTries: 2 });
		expect(status).toBe('waiting');
		expect(calls(SEND)).toHaveLength(1);
		expect(waitingFor(documents()[0])).toHaveLength(1);
	});

	test('the error says that nothing was sent', async () => {
		const { id } = await draft();
		suite.service.fail({ match: UPDATE, cut: 'before' });
		const { description } = errorIn(await run(ofDraft(id))) ?? {};
		expect(description).toContain(`The draft ${id} was not sent`);
		expect(calls(SEND)).toEqual([]);
	});
});

test('two executions that send one draft at once wait both', async () => {
	const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
	const both = await Promise.all([run(ofDraft(id)), run(ofDraft(id))]);
	expect(both.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
	expect(waitingFor(documents()[0])).toHaveLength(2);
});

test('a third wait for a draft is refused before the draft is sent, and shows no marker', async () => {
	const { id } = await suite.document('create', { additionalFields: { externalId: 'CRM-7' } });
	const others = [markerOf('7'), markerOf('8')].join(' ');
	Object.assign(documents()[0] ?? {}, { externalId: `CRM-7 ${others}` });
	const error = errorIn(await run(ofDraft(id)));
	expect(error?.message).toContain(`'External ID' of the document ${id} has no room`);
	expect(JSON.stringify([error?.message, error?.description])).not.toContain('n8n-wait');
	expect(calls(SEND)).toEqual([]);
});

test('an External ID without room is refused before its draft is marked or sent', async () => {
	const externalId = 'x'.repeat(138);
	const { id } = await suite.document('create', { additionalFields: { externalId } });
	const error = errorIn(await run(ofDraft(id)));
	expect(error?.message).toContain("'External ID' has 138 characters; at most 137 are allowed");
	expect(lines(suite.service)).toEqual([`GET /envelope/${id}`]);
});

test('no message and no output of an execution that waits shows a marker', async () => {
	const waits = await run({ ...fromTemplate, ...skip }, [row('CRM-7'), row('CRM-8')]);
	const again = await run({ ...fromTemplate, ...skip }, [row('CRM-7'), row('CRM-8')]);
	const failing = { additionalFields: { ifExternalIdExists: 'fail' } };
	const refused = await run({ ...fromTemplate, ...failing }, [row('CRM-7')]);
	for (const one of [waits, again, refused]) {
		expect(JSON.stringify(one.data.resultData)).not.toContain('n8n-wait');
	}
});

describe('documents that nobody can change once they are sent', () => {
	/** Documenso with a signing service: it lets nobody update a document that was sent. */
	const suite = useService({ seed: 'demo', signatureLevel: 'AES' });

	const { calls, documents } = suite;

	const credential = () => credentialFor(suite.service);

	/** Where n8n resumes executions: what was called there, and how it answers. */
	const n8n = useResumption('nothing');

	beforeAll(() => {
		resumeAt(n8n.address);
	});

	async function wait(parameters: IDataObject, items: INodeExecutionData[] = [{ json: {} }]) {
		const node = documenso(parameters);
		const run = await execute(credential(), [node], items);
		return { run, resumed: async () => await resumeWaiting(credential(), node, run) };
	}

	const nodeRunOf = (run: IRun) => Object.values(run.data.resultData.runData).at(-1)?.at(-1);

	const hintsOf = (run: IRun) => (nodeRunOf(run)?.hints ?? []).map(({ message }) => message);

	const couldNotMark = expect.stringContaining('could not be marked') as string;

	/** A delivery about a document comes. Returns whether all executions that wait for it were reached. */
	async function nudged({ id, externalId }: { id: string; externalId?: string | null }) {
		const { context } = pollContext(credential(), {});
		const way = {
			addresses: () => [{ url: n8n.address, isOwn: false }],
			timeout: 5_000,
			patience: 0,
		};
		return await nudge(context, { id, externalId }, { credential: { ...credential() }, ...way });
	}

	/** How often n8n is called to resume the execution of a run. */
	const resumptions = ({ data }: IRun) =>
		n8n.called.filter((line) => line.includes(`signature=${data.resumeToken}`)).length;

	async function draft() {
		const additionalFields = { externalId: 'CRM-7' };
		return (await suite.document('create', { additionalFields })).id;
	}

	describe('all operations wait for documents that nobody can change once they are sent', () => {
		test.each([
			['Create Document and Wait', async () => await wait(fromTemplate, tenants(2))],
			['Create, Send and Wait', async () => await wait(fromFile, [await itemWithPdf()])],
			['Send and Wait', async () => await wait(ofDraft(await draft()))],
		])('%s', async (_, begin) => {
			const { run, resumed } = await begin();
			expect(run.status).toBe('waiting');
			expect(hintsOf(run)).not.toContainEqual(couldNotMark);
			const refused = suite.service.calls.filter(({ status }) => status === 400);
			expect(refused).toEqual([]);
			for (const { id } of documents()) await suite.complete(id);
			const { workflowData } = await resumed();
			expect(workflowData?.[0]?.map(({ json }) => json.outcome)).toEqual(
				documents().map(() => 'completed'),
			);
		});
	});

	test('markers stay on finished documents, and Documenso is asked once to remove one', async () => {
		const { run } = await wait(fromTemplate, tenants(3));
		const open = documents().map(({ id, externalId }) => ({ id, externalId }));
		for (const { id } of open) await suite.complete(id);
		const seen = Object.fromEntries(
			open.map(({ id, externalId }) => [id, { externalId, isFinished: true }]),
		);
		n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen } };
		await Promise.all(open.map(async (one) => await nudged(one)));
		for (const one of open) await nudged(one);
		expect(calls(UPDATE)).toHaveLength(1);
		expect(documents().map(({ externalId }) => externalId)).toEqual(
			open.map(({ externalId }) => externalId),
		);
		// Nobody calls an execution again for what it has been told.
		expect(resumptions(run)).toBe(1);
	});

	describe('for documents that others have sent', () => {
		async function sentBefore(count: number) {
			await suite.outputOf({ ...fillFromRow, ...skip }, tenantsWithIds(count));
			suite.service.calls.length = 0;
		}

		test('an execution waits without markers, says so, and provokes one refusal', async () => {
			await sentBefore(5);
			const { run } = await wait({ ...fromTemplate, ...skip }, tenantsWithIds(5));
			expect(run.status).toBe('waiting');
			expect(calls(UPDATE)).toHaveLength(1);
			const [hint] = hintsOf(run).filter((message) => message.includes('could not be marked'));
			for (const { id } of documents()) expect(hint).toContain(id);
			await wait({ ...fromTemplate, ...skip }, tenantsWithIds(5));
			expect(calls(UPDATE)).toHaveLength(1);
		});

		test('an event still wakes the execution, until the document is finished', async () => {
			await sentBefore(1);
			const { run } = await wait({ ...fromTemplate, ...skip }, tenantsWithIds(1));
			const [document] = documents();
			if (!document) throw new Error('There is no document');
			const seen = { [document.id]: { externalId: document.externalId, isFinished: false } };
			n8n.answer = { status: 200, body: { isUnknown: false, isOver: false, seen } };
			await nudged(document);
			await nudged(document);
			expect(resumptions(run)).toBe(2);
			await suite.complete(document.id);
			const finished = { [document.id]: { externalId: document.externalId, isFinished: true } };
			n8n.answer = { status: 200, body: { isUnknown: false, isOver: true, seen: finished } };
			await nudged(document);
			expect(resumptions(run)).toBe(3);
			await nudged(document);
			expect(resumptions(run)).toBe(3);
		});

		test('so does a poll that finds the document finished', async () => {
			await sentBefore(1);
			const poller = new Poller(suite.service);
			await poller.poll();
			const { run } = await wait({ ...fromTemplate, ...skip }, tenantsWithIds(1));
			await poller.poll({ waitingAddress: n8n.address });
			expect(resumptions(run)).toBe(0);
			await suite.complete(documents()[0]?.id ?? '');
			await poller.poll({ waitingAddress: n8n.address });
			expect(resumptions(run)).toBe(1);
		});

		test('Send and Wait sends the reminder, and waits', async () => {
			const id = await draft();
			await suite.run(step('document.send', { documentId: id }));
			suite.service.calls.length = 0;
			const { run } = await wait(ofDraft(id));
			expect(run.status).toBe('waiting');
			expect(calls(SEND)).toHaveLength(1);
			expect(calls(UPDATE)).toHaveLength(1);
		});
	});
});

/** Every name of the variables that n8n reads. */
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
	name,
	name.toLowerCase(),
]);

/**
 * A company's proxy, which n8n's environment names. It passes nothing on, but answers in place of the hosts that it is
 * asked for, also when it is asked for a tunnel. `called` gets a line for each request, with the whole URL.
 */
function useProxy(usual: Exclude<Answer, string>) {
	const proxy = { called: [] as string[], answer: usual };
	const server = createServer((request, response) => {
		proxy.called.push(`${request.method} ${request.url}`);
		response.writeHead(proxy.answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(proxy.answer.body));
	});
	server.on('connect', ({ url }, socket) => {
		proxy.called.push(`CONNECT ${url}`);
		const body = JSON.stringify(proxy.answer.body);
		const head = `HTTP/1.1 ${proxy.answer.status} No\r\ncontent-type: application/json\r\n`;
		socket.end(`${head}content-length: ${body.length}\r\n\r\n${body}`);
	});
	const at = useServer(server);
	const before = new Map<string, string | undefined>();
	beforeEach(() => {
		proxy.called.length = 0;
		proxy.answer = usual;
		for (const name of PROXY_VARIABLES) {
			before.set(name, process.env[name]);
			process.env[name] = '';
		}
		const url = `http://127.0.0.1:${at.port}`;
		Object.assign(process.env, { HTTP_PROXY: url, HTTPS_PROXY: url });
	});
	afterEach(() => {
		// n8n takes an empty one for none.
		for (const [name, value] of before) process.env[name] = value ?? '';
	});
	return proxy;
}

describe('a nudge', () => {
	const PUBLIC = 'n8n.example.test';

	/** The answer of an execution that goes on waiting, because its document is open. */
	const seen = { envelope_a: { externalId: null, isFinished: false } };
	const answered = { status: 200, body: { isUnknown: false, isOver: false, seen } };

	const { listen } = useTrigger(suite);
	/** n8n's own socket. */
	const n8n = useResumption(answered);
	/** It answers in place of n8n's public address. */
	const proxy = useProxy(answered);

	beforeEach(() => {
		// By its port, because n8n's own socket has the same host.
		process.env.NO_PROXY = new URL(suite.service.url).host;
		resumeAt(`http://${PUBLIC}/webhook-waiting`);
	});

	const nudgePath = `/webhook-waiting/7/documenso?signature=${TOKEN}`;
	const ownNudge = `POST ${nudgePath}`;
	const publicNudge = `POST http://${PUBLIC}${nudgePath}`;
	const ownHost = () => new URL(n8n.address).host;

	/** Nudges the execution 7 for a delivery that came to n8n's socket: whether it answered, and what n8n logged. */
	async function deliver(limits = { timeout: 5_000, patience: 0 }, at = ownHost()) {
		const [localAddress, localPort] = at.split(':');
		const request = { socket: { localAddress, localPort: Number(localPort) } };
		const credential = credentialFor(suite.service);
		const context = webhookContext(credential, {}, { request, response: {} });
		const warn = jest.spyOn(context.logger, 'warn').mockReset();
		const addresses = () => addressesFor(context);
		const way = { credential: { ...credential }, addresses, ...limits };
		const isReached = await nudge(context, { id: 'envelope_a', externalId: markerOf('7') }, way);
		const log = warn.mock.calls.map(([message]) => message);
		expect(log.join()).not.toContain(TOKEN);
		return { isReached, log };
	}

	test('an execution that is busy for a minute gets about ten nudges in that time', async () => {
		n8n.answer = { status: 409, body: { message: 'The execution "7" is running already.' } };
		expect((await deliver({ timeout: 60_000, patience: 60_000 })).isReached).toBe(false);
		const nudges = n8n.called.filter((call) => call === ownNudge);
		expect(nudges.length).toBeGreaterThan(5);
		expect(nudges.length).toBeLessThanOrEqual(12);
	});

	test("n8n's own socket is asked without the proxy, which sees no signature", async () => {
		proxy.answer = { status: 502, body: { message: 'Bad Gateway' } };
		expect(await deliver()).toEqual({ isReached: true, log: [] });
		expect(n8n.called).toEqual([ownNudge]);
		expect(proxy.called).toEqual([]);
	});

	test('a delivery wakes an execution without the proxy', async () => {
		const arrived: string[] = [];
		const beforehand = async ({ req }: ServerResponse) => {
			arrived.push(`${req.method} ${req.url}`);
		};
		await listen({ events: ['DOCUMENT_CREATED'] }, { beforehand });
		const document = await suite.document('createAndSend');
		document.externalId = markerOf('7');
		await suite.complete(document.id);
		// What stands for n8n there knows no executions, so the public address answers, and the marker goes.
		while (document.externalId) await sleep(20);
		expect(arrived).toContain(ownNudge);
		expect(proxy.called).toEqual([publicNudge]);
	});

	describe('where something else answers in place of n8n, the next address is asked', () => {
		test.each<[number, object]>([
			[502, { message: 'Bad Gateway' }],
			[502, { code: 502, message: 'Bad Gateway' }],
			[503, { error: 'The upstream is not running' }],
			[504, { message: 'The upstream did not answer' }],
			[407, { message: 'The execution of the policy ended: authentication is required' }],
			[403, { message: 'The proxy is running in safe mode' }],
		])('%d with %j', async (status, body) => {
			n8n.answer = { status, body };
			expect(await deliver()).toEqual({ isReached: true, log: [] });
			expect(n8n.called).toEqual([ownNudge]);
			expect(proxy.called).toEqual([publicNudge]);
		});
	});

	test.each<[number, object]>([
		[503, { code: 503, message: 'Database is not ready!' }],
		[500, { code: 0, message: 'There was a problem executing the workflow' }],
	])("n8n's own %d means that it is busy, and is not asked elsewhere", async (status, body) => {
		n8n.answer = { status, body };
		const message = `The waiting execution 7 has not answered yet: ${ownHost()} answered ${status}`;
		expect(await deliver()).toEqual({ isReached: false, log: [message] });
		expect(n8n.called).toEqual([ownNudge]);
		expect(proxy.called).toEqual([]);
	});

	test('an execution that takes long to answer is not nudged at another address', async () => {
		n8n.answer = 'late';
		const message = `The waiting execution 7 has not answered yet: ${ownHost()} gave no answer in 1 s`;
		expect(await deliver({ timeout: 1_000, patience: 5_000 })).toEqual({
			isReached: false,
			log: [message],
		});
		expect(n8n.called).toEqual([ownNudge]);
		expect(proxy.called).toEqual([]);
	});

	describe("n8n's log names the last answer, and what may keep n8n from answering", () => {
		const last = (what: string) => [
			`The waiting execution 7 has not answered yet: ${what}. If n8n uses a proxy (HTTP_PROXY, HTTPS_PROXY), add this host to NO_PROXY`,
		];
		const failing: Array<[number, object]> = [
			[502, { message: 'Bad Gateway' }],
			[407, { message: 'Proxy authentication required' }],
		];

		test.each(
			failing.flatMap(([status, body]) => [
				['http', publicNudge, status, body] as const,
				// Instead of a tunnel.
				['https', `CONNECT ${PUBLIC}:443`, status, body] as const,
			]),
		)('after what the proxy answers (%s, %s): %d', async (scheme, called, status, body) => {
			resumeAt(`${scheme}://${PUBLIC}/webhook-waiting`);
			n8n.answer = 'nothing';
			proxy.answer = { status, body };
			const log = last(`${PUBLIC} answered ${status}, but not as n8n does`);
			expect(await deliver()).toEqual({ isReached: false, log });
			expect(proxy.called).toEqual([called]);
		});

		test('after no answer', async () => {
			n8n.answer = 'nothing';
			process.env.HTTP_PROXY = 'http://127.0.0.1:9';
			const log = last(`${PUBLIC} cannot be reached (ECONNREFUSED)`);
			expect(await deliver()).toEqual({ isReached: false, log });
		});

		test('after the node could not read the documents', async () => {
			n8n.answer = { status: 200, body: { isUnknown: true } };
			const message = `The waiting execution 7 has not answered yet: ${ownHost()} answered that the documents could not be read`;
			expect(await deliver()).toEqual({ isReached: false, log: [message] });
		});
	});

	describe('a redirect is not followed, because the signature is in the URL', () => {
		const STATUSES = [301, 302, 303, 307, 308];
		let status: number;
		const redirecting = useServer(
			createServer((_, response) => {
				response.writeHead(status, { location: `${n8n.address}/7/documenso?signature=${TOKEN}` });
				response.end();
			}),
		);
		const host = () => `127.0.0.1:${redirecting.port}`;
		beforeEach(() => {
			process.env.NO_PROXY = '127.0.0.1';
		});

		test.each(STATUSES)("%d of n8n's own socket: the next address is asked", async (code) => {
			status = code;
			expect(await deliver(undefined, host())).toEqual({ isReached: true, log: [] });
			expect(n8n.called).toEqual([]);
			expect(proxy.called).toEqual([publicNudge]);
		});

		test.each(STATUSES)('%d of the public address', async (code) => {
			status = code;
			resumeAt(`http://${host()}/webhook-waiting`);
			const { isReached, log } = await deliver(undefined, host());
			expect(isReached).toBe(false);
			expect(log.join()).toContain(`${host()} answered ${code}`);
			expect(n8n.called).toEqual([]);
		});
	});

	test("n8n's protection against requests to private addresses counts for its own socket, too", async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		expect((await deliver()).isReached).toBe(false);
		protection.enabled = false;
		expect(n8n.called).toEqual([]);
	});
});
