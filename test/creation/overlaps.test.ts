import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { call, form, signer } from '../emulator/api';
import { hurry } from '../support/hurry';
import {
	beginExecution,
	documenso,
	execute,
	itemWith,
	retryExecution,
	type Setup,
} from '../support/n8n';
import { OTHER_PROCESS } from '../support/otherProcess';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import {
	contract,
	emailsOf,
	fillFromRow,
	tenants,
	USE,
	useService,
	WITH_LINKS,
} from '../support/suite';
import {
	choosing,
	continued,
	outputsOf,
	REFUSED,
	rowIn,
	said,
	sheet,
	useCreation,
} from './support';

hurry();

// Executions, processes, users and teams that create documents at the same time.
const OTHER_TOKEN = 'api_other';
const COLLEAGUE_TOKEN = 'api_colleague';
/** Its team has an address, and therefore lists documents of other teams. */
const ADDRESS_TOKEN = 'api_address';
const STRANGER_TOKEN = 'api_stranger';
const team = (id: number, url: string) => ({ id, url, name: url });
const user = (id: number, name: string) => ({ id, name, email: `${name}@example.com` });
const addressed = { ...team(3, 'third'), email: 'tenant0@example.com' };
const suite = useCreation({
	tokens: [
		{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
		{ token: OTHER_TOKEN, user: DEMO_USER, team: team(2, 'other') },
		{ token: COLLEAGUE_TOKEN, user: user(2, 'colleague'), team: DEMO_TEAM },
		{ token: ADDRESS_TOKEN, user: DEMO_USER, team: addressed },
		{ token: STRANGER_TOKEN, user: user(99, 'stranger'), team: team(77, 'strangers') },
	],
});
const { documents } = suite;

const idsOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json['External ID']);
const externalIds = () => suite.externalIds().sort();
const operation = (policy: string, maxInFlight = 32) =>
	choosing(policy, { options: { maxInFlight } });

type Who = Setup & { credential?: { apiToken: string; baseUrl?: string } };
const begin = async (parameters: IDataObject, rows: INodeExecutionData[], who: Who = {}) =>
	await suite.run(parameters, rows, who);

/** Another name of the same host, for which the node counts its requests separately. */
const local = () => suite.service.url.replace('127.0.0.1', 'localhost');

/** What another n8n process does, which knows nothing of this one. */
async function post(path: string, payload: object, token = DEMO_TOKEN): Promise<string> {
	const answer = await call(suite.service, `POST ${path}`, payload, token);
	expect(answer.status).toBe(200);
	return answer.body.id as string;
}

async function createElsewhere(row: number, email = `tenant${row}@example.com`) {
	const recipients = [{ id: RENTAL_AGREEMENT.tenantId, email, name: `Tenant ${row}` }];
	const envelopeId = RENTAL_AGREEMENT.id;
	return await post('/envelope/use', {
		payload: { envelopeId, externalId: `A-${row}`, recipients },
	});
}

/** Creates from a file what the first row of a sheet asks for. */
async function fromFile(ifExternalIdExists: string, apiToken: string) {
	const additionalFields = { externalId: 'A-0', ifExternalIdExists };
	const parameters = { resource: 'document', operation: 'create', ...contract, additionalFields };
	const file = await itemWith({ data: { content: await pdf('A lease') } });
	return await begin(parameters, [file], { credential: { apiToken } });
}

/** In milliseconds: an execution that waits for a claim which is never released would wait for ever. */
const SOON = 10_000;

describe('two executions with the same rows, which overlap', () => {
	test.each([0, 1, 20, 100, 400, 1500, 4000])(
		'under Skip make one document a row, the second one begun %i ms later',
		async (offset) => {
			suite.service.fail({ match: USE, times: 80, delayMs: 10 });
			const rows = sheet(40);
			const first = begin(operation('skip', 4), rows);
			await clock.sleep(offset);
			const outputs = [await begin(operation('skip', 4), [...rows].reverse()), await first];
			expect(outputs.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(externalIds()).toEqual(idsOf(rows).sort());
			for (const { items } of outputs) {
				expect(new Set(items.map(({ json }) => json.id)).size).toBe(40);
			}
			const all = outputs.flatMap(({ items }) => items);
			expect(all.filter(({ json }) => json.alreadyExisted === true)).toHaveLength(40);
		},
		SOON,
	);

	test(
		'in opposite order and one item at a time do not wait for each other forever',
		async () => {
			const rows = sheet(10);
			const all = [rows, [...rows].reverse(), rows.slice(5), rows];
			const runs = await Promise.all(
				all.map(async (one) => await begin(operation('skip', 1), one)),
			);
			expect(runs.map(({ error }) => error)).toEqual(all.map(() => undefined));
			expect(externalIds()).toHaveLength(10);
		},
		SOON,
	);

	test('let a third one begin only after both, even if the second one is cancelled', async () => {
		suite.service.fail({ match: USE, delayMs: 5000 });
		const first = begin(operation('skip'), sheet(1));
		await clock.sleep(500);
		const node = documenso(operation('skip'));
		const { run } = beginExecution(suite.credential(), [node], sheet(1));
		await clock.sleep(500);
		const third = begin(operation('skip'), sheet(1));
		await clock.sleep(500);
		run.cancel();
		await run.catch(() => undefined);
		const outputs = [await first, await third].map(({ items }) => items[0]?.json);
		expect(externalIds()).toEqual(['A-0']);
		expect(outputs[1]).toMatchObject({ id: outputs[0]?.id, alreadyExisted: true });
	});

	test(
		'create nothing any more when they are cancelled while they wait',
		async () => {
			suite.service.fail({ match: USE, delayMs: 500, ...refusal('No') });
			const first = begin(operation('skip'), sheet(1));
			await clock.sleep(500);
			const node = documenso(operation('skip'));
			const { run } = beginExecution(suite.credential(), [node], sheet(1));
			await clock.sleep(500);
			run.cancel();
			await run.catch(() => undefined);
			expect(externalIds()).toEqual([]);
			await first;
			await clock.sleep(3000);
			expect(externalIds()).toEqual([]);
		},
		SOON,
	);

	test(
		'under Fail: one of them fails, and the error names the document of the other',
		async () => {
			suite.service.fail({ match: USE, delayMs: 100 });
			const runs = await Promise.all(
				[1, 2].map(async () => await begin(operation('fail'), sheet(1))),
			);
			const [made] = runs.flatMap(({ error, items }) => (error ? [] : items));
			expect(runs.flatMap(({ error }) => error?.message ?? [])).toEqual([
				`'External ID' is "A-0", which the document ${made?.json.id as string} (pending) already has [item 0]`,
			]);
			expect(externalIds()).toEqual(['A-0']);
		},
		SOON,
	);

	test(
		'when the one that came first fails, the other creates what it could not',
		async () => {
			suite.service.fail({ match: USE, ...refusal('No'), delayMs: 100 });
			const runs = [1, 2].map(async () => await begin(operation('skip', 1), sheet(5)));
			const errors = (await Promise.all(runs)).flatMap(({ error }) => error?.message ?? []);
			expect(errors).toEqual([expect.stringContaining('No')]);
			expect(externalIds()).toEqual(idsOf(sheet(5)));
		},
		SOON,
	);

	test(
		'when the answer to the first is lost for good, the second takes its document',
		async () => {
			suite.service.fail({ match: USE, cut: 'after' });
			// The first one looks at the beginning; its three looks after the lost answer fail.
			suite.service.fail({ match: 'GET /envelope', times: 1, delayMs: 0 });
			suite.failSearches(3);
			const first = begin(operation('skip', 1), sheet(1));
			const second = begin(operation('skip', 1), sheet(1));
			expect((await first).error?.description).toContain(
				'Documenso may or may not have created the document',
			);
			const { error, items } = await second;
			expect(error).toBeUndefined();
			expect(items[0]?.json.alreadyExisted).toBe(true);
			expect(externalIds()).toEqual(['A-0']);
		},
		SOON,
	);

	test('with tokens of two teams each create a document of their own', async () => {
		suite.service.fail({ match: 'POST /envelope/create', delayMs: 300, times: 2 });
		const outputs = await Promise.all([
			fromFile('skip', DEMO_TOKEN),
			fromFile('skip', OTHER_TOKEN),
		]);
		expect(outputs.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(externalIds()).toEqual(['A-0', 'A-0']);
	});

	test.each<[string, () => { apiToken: string; baseUrl?: string }]>([
		['the same token with a blank', () => ({ apiToken: `${DEMO_TOKEN} ` })],
		['another name of the same host', () => ({ apiToken: DEMO_TOKEN, baseUrl: local() })],
		['the token of a colleague', () => ({ apiToken: COLLEAGUE_TOKEN })],
	])('with two credentials of one team create one document a row: %s', async (_, credentialOf) => {
		const rows = sheet(30);
		const second = credentialOf();
		/** The requests of each of the two with their answers, by host and token. */
		const asked: Array<{ who: string; text: string }> = [];
		suite.service.intercept('*', async ({ request, line, query, pass, text }) => {
			const who = `${request.headers.host} ${request.headers.authorization}`;
			const answer = await pass();
			if (line === USE) await clock.sleep(500);
			asked.push({ who, text: `${line} ${query.toString()} ${text} ${answer.text}` });
			return answer;
		});
		const runs = await Promise.all([
			begin({ ...operation('skip'), ...WITH_LINKS }, rows),
			begin({ ...operation('skip'), ...WITH_LINKS }, rows, { credential: second }),
		]);
		expect(externalIds()).toEqual(idsOf(rows).sort());
		const whoOf = ({ baseUrl = suite.service.url, apiToken = DEMO_TOKEN } = {}) =>
			`${new URL(baseUrl).host} ${apiToken.trim()}`;
		for (const [{ items, error }, who] of [
			[runs[0], whoOf()] as const,
			[runs[1], whoOf(second)] as const,
		]) {
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.externalId)).toEqual(idsOf(rows));
			// Nothing is returned that the account itself has not been told.
			const told = asked.filter((one) => one.who === who).map(({ text }) => text);
			for (const { json } of items) {
				if (!json.alreadyExisted) continue;
				expect(told.some((text) => text.includes(json.id as string))).toBe(true);
				for (const { signingUrl } of json.recipients as Array<{ signingUrl: string }>) {
					const token = signingUrl.slice(signingUrl.lastIndexOf('/') + 1);
					expect(told.some((text) => text.includes(token))).toBe(true);
				}
			}
		}
	});

	test('as two retries of one execution send each row once, and return the same documents', async () => {
		const rows = tenants(12);
		const state = { isFirst: true };
		suite.service.intercept(USE, async ({ text, pass }) => {
			const row = rowIn(text);
			if (state.isFirst && row === 2) return REFUSED;
			const answer = await pass();
			if (row % 2 === 0) await clock.sleep(2000);
			return answer;
		});
		const node = documenso({ ...fillFromRow, options: { maxInFlight: 3 } });
		const failed = await execute(suite.credential(), [node], rows);
		expect(said(failed.data.resultData.error)).toContain('No');
		expect(documents().length).toBeLessThan(rows.length);
		state.isFirst = false;
		const retries = await Promise.all(
			[1, 2].map(async () => await retryExecution(suite.credential(), [node], failed)),
		);
		expect(suite.tenantEmails()).toEqual(emailsOf(rows).sort());
		for (const retry of retries) {
			expect(retry.data.resultData.error).toBeUndefined();
			expect(suite.tenantsOf(outputsOf(retry))).toEqual(emailsOf(rows));
		}
		expect(suite.statuses()).toEqual(rows.map(() => 'PENDING'));
	});
});

describe('a row that Documenso refuses while another execution creates the same', () => {
	const rows = sheet(3);
	/** Refuses all creations, and lets another execution have the same documents created at the first. */
	function refuse() {
		const state: { other?: Promise<unknown> } = {};
		suite.service.intercept(USE, async ({ request, pass }) => {
			if (request.headers.host?.startsWith('localhost')) return await pass();
			const credential = { baseUrl: local() };
			await (state.other ??= suite.run(choosing('create'), rows, { credential }));
			return REFUSED;
		});
	}

	test('fails, and so does its Retry', async () => {
		refuse();
		const node = documenso(choosing('create'));
		const failed = await execute(suite.credential(), [node], rows);
		expect(failed.data.resultData.error?.message).toContain('No');
		const { data } = await retryExecution(suite.credential(), [node], failed);
		// An earlier retry may have created them: n8n lets no retry see what the others did.
		expect(data.resultData.error?.description).toContain('cannot tell whether');
		expect(documents()).toHaveLength(rows.length);
	});

	test('fails with Retry On Fail', async () => {
		refuse();
		const { items, error } = await suite.run(choosing('create'), rows, { maxTries: 3 });
		expect(items).toEqual([]);
		expect(error?.message).toContain('No');
		expect(documents()).toHaveLength(rows.length);
	});
});

test('a document of another team counts if Documenso lists it, because the team has an address', async () => {
	await begin(operation('skip'), sheet(2));
	const [first] = documents();
	const { items, error } = await fromFile('skip', ADDRESS_TOKEN);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.id, json.alreadyExisted])).toEqual([[first?.id, true]]);
	expect(externalIds()).toEqual(['A-0', 'A-1']);
});

test.each(['skip', 'skipAcrossWorkers'])(
	'nobody can keep a contract from being sent by sending one with its External ID to our address, under %s',
	async (policy) => {
		const recipients = [{ ...signer, email: 'tenant0@example.com' }];
		const payload = { type: 'DOCUMENT', title: 'Theirs', externalId: 'A-0', recipients };
		const theirs = form(payload, [{ filename: 'a.pdf', content: await pdf('Theirs') }]);
		const { body } = await call(suite.service, 'POST /envelope/create', theirs, STRANGER_TOKEN);
		await post('/envelope/distribute', { envelopeId: body.id }, STRANGER_TOKEN);
		const { items, error } = await fromFile(policy, ADDRESS_TOKEN);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id === body.id)).toEqual([false]);
		expect(externalIds()).toEqual(['A-0', 'A-0']);
	},
);

test.each([0, 250])(
	'a document that another process creates during a long run is found before its row is created, behind %i others',
	async (others) => {
		suite.service.fail({ match: USE, times: 40, delayMs: 60 });
		const run = begin(operation('skip', 1), sheet(40));
		// By then it has looked for what exists.
		while (suite.calls(USE).length === 0) await clock.sleep(20);
		await createElsewhere(39);
		const [model] = documents();
		for (let index = 0; model && index < others; index++) {
			const createdAt = new Date(clock.now() + 1000);
			const copy = { ...model, id: `envelope_copy${index}`, externalId: `A-9${index}`, createdAt };
			suite.service.store.envelopes.set(copy.id, copy);
		}
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(items[39]?.json.alreadyExisted).toBe(true);
		expect(externalIds().filter((id) => id === 'A-39')).toHaveLength(1);
	},
);

describe('under Skip, Across Workers: when another process creates a document at the same moment', () => {
	const across = choosing('skipAcrossWorkers', { send: true });
	const callsTo = (line: string) =>
		suite.service.calls.filter(({ method, path }) => `${method} ${path}` === line);
	/** Resolves once so many calls to the endpoint have been answered. */
	async function answered(line: string, times: number) {
		while (callsTo(line).filter(({ status }) => status).length < times) await clock.sleep(20);
	}

	/** Starts an execution, and creates a draft elsewhere before or after the execution has created its own. */
	async function beginWithRival(isOlder: boolean, email?: string) {
		if (isOlder) suite.service.fail({ match: USE, delayMs: 3000 });
		const run = begin(across, sheet(1));
		while (callsTo(USE).length === 0) await clock.sleep(20);
		if (!isOlder) await answered(USE, 1);
		return { run, theirs: await createElsewhere(0, email) };
	}

	const all = () => documents().map(({ id, status }) => ({ id, status }));

	test('two workers that take over the drafts of a dead one send each of them once', async () => {
		for (let row = 0; row < 20; row++) await createElsewhere(row);
		const { roughly } = clock;
		let drawn = 0;
		clock.roughly = (milliseconds) => milliseconds * (drawn++ === 0 ? 0.5 : 1);
		const runs = await Promise.all([
			begin(across, sheet(20)),
			begin(across, sheet(20), { type: OTHER_PROCESS }),
		]);
		clock.roughly = roughly;
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(suite.calls('POST /envelope/distribute')).toHaveLength(20);
		expect(documents().map(({ status }) => status)).toEqual(Array(20).fill('PENDING'));
	});

	/** Their draft is older or not, and they send it or not; which of the two is sent, and what the output says. */
	test.each([
		['the older of two drafts is sent, and the other one deleted', true, true, 'theirs', undefined],
		['the own document is sent if it is the older one', false, false, 'own', undefined],
		['one that is sent already counts, even if it is younger', false, true, 'theirs', undefined],
		['its draft is sent if it has not done so after a while', true, false, 'theirs', true],
	])('%s', async (_, isOlder, isSent, counting, sentNow) => {
		const { run, theirs } = await beginWithRival(isOlder);
		if (isOlder && isSent) await answered(USE, 2);
		if (isSent) await post('/envelope/distribute', { envelopeId: theirs });
		const { error, items } = await run;
		expect(error).toBeUndefined();
		const isTheirs = counting === 'theirs';
		const { id, status, alreadyExisted, sentNow: isSentNow } = items[0]?.json ?? {};
		expect({ status, alreadyExisted, sentNow: isSentNow }).toEqual({
			...{ status: 'PENDING', alreadyExisted: isTheirs ? true : undefined, sentNow },
		});
		expect(id === theirs).toBe(isTheirs);
		expect(all()).toEqual([
			{ id, status: 'PENDING' },
			...(isTheirs ? [] : [{ id: theirs, status: 'DRAFT' }]),
		]);
	});

	test('its draft that comes after the look is left to it', async () => {
		suite.service.fail({ match: USE, delayMs: 8000 });
		const run = begin({ ...across, options: { maxInFlight: 1 } }, sheet(2));
		while (callsTo(USE).length === 0) await clock.sleep(20);
		const theirs = await createElsewhere(1);
		await answered(`GET /envelope/${theirs}`, 1);
		await post('/envelope/distribute', { envelopeId: theirs });
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(items[1]?.json).toMatchObject({ id: theirs, status: 'PENDING', alreadyExisted: true });
		expect(items[1]?.json.sentNow).toBeUndefined();
		// The first row's, and that of the other process.
		expect(callsTo('POST /envelope/distribute')).toHaveLength(2);
	});

	test('a new one is created if its draft is deleted in the meantime', async () => {
		const theirs = await createElsewhere(0);
		const run = begin(across, sheet(1));
		await answered(`GET /envelope/${theirs}`, 1);
		await post('/envelope/delete', { envelopeId: theirs });
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(all()).toEqual([{ id: items[0]?.json.id, status: 'PENDING' }]);
	});

	test('a draft for somebody else is not sent, and neither is the own one: the row fails and names it', async () => {
		const { run, theirs } = await beginWithRival(true, 'somebody@example.com');
		const { error } = await run;
		expect(error?.message).toContain(`which the draft ${theirs} already has`);
		expect(all()).toEqual([{ id: theirs, status: 'DRAFT' }]);
	});

	test('an error names both if the own draft cannot be deleted', async () => {
		suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No') });
		const { run, theirs } = await beginWithRival(true);
		const { error } = await run;
		const own = all().find(({ id }) => id !== theirs);
		expect(error?.message).toBe(
			`'External ID' is "A-0", which the document ${theirs} (draft) has too, and the draft ${own?.id} of this item could not be deleted [item 0]`,
		);
		expect(suite.statuses()).toEqual(['DRAFT', 'DRAFT']);
	});

	test('no draft is deleted that somebody else made while the own request was lost', async () => {
		const folderId = await suite.folder('Other');
		const state = { isLost: false };
		suite.service.intercept(USE, async () => {
			if (state.isLost) return undefined;
			state.isLost = true;
			// It counts, but a look in the row's own folder does not show it.
			await suite.run(choosing('create', { send: false }), sheet(1));
			await suite.run(
				{ ...fillFromRow, additionalFields: { ifExternalIdExists: 'create', folderId } },
				sheet(1),
			);
			return 'cut';
		});
		const { items } = await suite.run(choosing('skipAcrossWorkers'), sheet(1), continued);
		const [draft, sent] = documents();
		expect(suite.statuses()).toEqual(['DRAFT', 'PENDING']);
		expect(items[0]?.json.error).toContain(
			`which the document ${sent?.id} (pending) has too, and the draft ${draft?.id} of this item could not be deleted`,
		);
	});

	test.each([
		['sends one document for each of 20 rows that are the same in both', ''],
		['sends one for each with a corrected address, and accounts for the other', 'right.'],
	])('a second process %s', async (_, corrected) => {
		const rows = sheet(20);
		/** Two creations of one External ID reach Documenso at the same moment if they are requested within two seconds. */
		const waiting = new Map<string, () => void>();
		suite.service.intercept(USE, async ({ text }) => {
			const [id = ''] = /"A-\d+"/.exec(text) ?? [];
			const partner = waiting.get(id);
			if (partner) {
				partner();
				return undefined;
			}
			await new Promise<void>((resolve) => {
				waiting.set(id, resolve);
				void clock.sleep(2000).then(resolve);
			});
			return undefined;
		});
		const others = rows.map(({ json }) => ({
			json: { ...json, 'Tenant email': `${corrected}${json['Tenant email'] as string}` },
		}));
		const runs = await Promise.all([
			begin(choosing('skipAcrossWorkers'), rows, continued),
			begin(choosing('skipAcrossWorkers'), others, { ...continued, type: OTHER_PROCESS }),
		]);
		const sent = documents().filter(({ status }) => status !== 'DRAFT');
		const ids = sent.map(({ externalId }) => externalId);
		expect(new Set(ids).size).toBe(ids.length);
		if (!corrected) expect([...ids].sort()).toEqual(idsOf(rows).sort());
		for (const { items } of runs) {
			for (const [index, { json }] of items.entries()) {
				const own = documents().filter(({ externalId }) => externalId === `A-${index}`);
				expect(own.some(({ id }) => JSON.stringify(json).includes(id))).toBe(true);
				if (!corrected) expect(json.externalId).toBe(`A-${index}`);
			}
		}
	});
});

describe('at the rate limit', () => {
	const limited = useService({ seed: 'demo', rateLimit: { limit: 100, windowMs: 60_000 } });

	test('two workers with the same rows send each document once: the chosen one waits for its turn, too', async () => {
		const across = choosing('skipAcrossWorkers', { send: true });
		const runs = await Promise.all([
			limited.run(across, sheet(60)),
			limited.run(across, sheet(60), { type: OTHER_PROCESS }),
		]);
		expect(runs.map(({ error }) => error)).toEqual([undefined, undefined]);
		const sent = limited.documents().filter(({ status }) => status === 'PENDING');
		expect(sent).toHaveLength(60);
		expect(limited.calls('POST /envelope/distribute')).toHaveLength(60);
	});
});
