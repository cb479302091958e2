import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import type { Fault, Reply } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { hurry } from '../support/hurry';
import {
	documenso,
	execute,
	itemWith,
	retryCrashed,
	retryExecution,
	type Setup,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { lines } from '../support/service';
import { byId, fillFromRow, row, USE, WITH_LINKS, withId } from '../support/suite';
import {
	choosing,
	continued,
	CREATE,
	fromFile,
	json,
	outputsOf,
	page,
	said,
	SEND,
	SETTLED,
	useCreation,
	usePauses,
} from './support';

hurry(30);

// Documenso has created a document, will, or will not; its answer does not tell.
const suite = useCreation();
const { calls, documents, upload } = suite;

/** What the node gets instead of the answer to a creation. */
const UNCLEAR: Record<string, Reply> = {
	'a reset': 'cut',
	'a reset in the answer': (response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
		response.write('{"id":"envelope_', () => response.destroy());
	},
	'cut JSON': { ...page(200), body: '{"id":"enve' },
	'no content': { status: 204, body: '' },
	'an empty answer': { status: 200, body: '' },
	'a list': json(200, []),
	'an object without an ID': json(200, { success: true }),
	'a page of a proxy': page(200),
	'a page that is not there': page(404),
	'a redirect': { status: 302, headers: { location: 'https://example.com/login' }, body: '' },
	'a time-out of Documenso': json(408, { message: 'Timeout' }),
	'an error of Documenso’s own': json(500, refusal('Oops', 500).body),
	'a gateway’s error': page(502),
	'a service that is down': page(503),
	'a time-out of a gateway': page(504),
	'a time-out of another gateway': page(524),
};
const EMPTY = { data: [], count: 0, currentPage: 1, perPage: 100, totalPages: 1 };

/** Longer than the node looks, and than n8n's pauses between tries. */
const LATE = 20_000;

/** The choices for an External ID; an ID of the node's own; and a document that is made of a file and then sent. */
const MODES = ['create', 'skip', 'skipSame', 'skipAcrossWorkers', 'fail', 'own', 'file'] as const;
type Mode = (typeof MODES)[number];
/** The ID tells which document is the row's. With Create Anyway, others may have it. */
const IDENTIFIED = MODES.filter((mode) => mode !== 'create');

/** After a failure no further row is begun, so a run has few rows: six unclear answers, others in each mode, and a clear one. */
const ANSWERS = 6;
const answersFor = (mode: Mode) => {
	const names = Object.keys(UNCLEAR);
	const start = MODES.indexOf(mode) * 4;
	return Array.from({ length: ANSWERS }, (_, row) => names[(start + row) % names.length] ?? '');
};
const ROWS = Array.from({ length: ANSWERS + 1 }, (_, row) => row);

interface Case {
	/** When Documenso carries out the creations that are answered so. */
	carriedOut: 'at once' | 'later' | 'never';
	/** What n8n, or a user, does about the failure. */
	again: 'nothing' | 'Continue On Fail' | 'Retry On Fail' | 'Retry' | 'Retry after n8n was killed';
	modes: readonly Mode[];
	/** How often the creation of each such row is requested. */
	requests: number;
	/** Nothing is said of rows that the failures of others may have stopped. */
	rows: 'done' | 'failed' | 'not twice';
	/** What the error of each such row says, besides its External ID and its document. */
	says?: RegExp;
}

const NAMED = /envelope_\w+ \(pending\)/;
const SAFE =
	/From \d\d:\d\d.* on, running the workflow again is safe|Look for it before you run this item again: if it is not there at \d\d:\d\d/;
const TABLE: Case[] = [
	{ carriedOut: 'at once', again: 'nothing', modes: IDENTIFIED, requests: 1, rows: 'done' },
	{
		...{ carriedOut: 'at once', again: 'Continue On Fail', modes: ['create'] },
		...{ requests: 1, rows: 'failed', says: NAMED },
	},
	{ carriedOut: 'later', again: 'Retry On Fail', modes: IDENTIFIED, requests: 1, rows: 'done' },
	{
		...{ carriedOut: 'later', again: 'Retry On Fail', modes: ['create'] },
		...{ requests: 1, rows: 'failed', says: NAMED },
	},
	{ carriedOut: 'later', again: 'Retry', modes: MODES, requests: 1, rows: 'not twice' },
	{
		...{ carriedOut: 'later', again: 'Retry after n8n was killed', modes: ['own'] },
		...{ requests: 1, rows: 'not twice' },
	},
	{ carriedOut: 'never', again: 'Retry On Fail', modes: MODES, requests: 2, rows: 'done' },
	{
		...{ carriedOut: 'never', again: 'Continue On Fail', modes: MODES },
		...{ requests: 1, rows: 'failed', says: SAFE },
	},
];

/** The address of a row's tenant, which every request about the row holds. */
const addressOf = (mode: Mode, index: number) => `${mode}.${index}@example.com`.toLowerCase();

async function rowsFor(mode: Mode): Promise<INodeExecutionData[]> {
	const content = await pdf();
	const items = ROWS.map(async (index) => {
		const cells = { 'Tenant email': addressOf(mode, index), 'Tenant name': `Tenant ${index}` };
		if (mode === 'file') return await itemWith({ data: { content } }, cells);
		return { json: mode === 'own' ? cells : { ...cells, 'External ID': `${mode}-${index}.` } };
	});
	return await Promise.all(items);
}

function nodeFor(mode: Mode, again: Case['again']) {
	const email = '={{ $json["Tenant email"] }}';
	const recipients = { recipient: [{ email, name: 'Tenant', role: 'SIGNER' }] };
	const parameters: Partial<Record<Mode, IDataObject>> = {
		...{ own: fillFromRow, skipSame: fillFromRow },
		file: { ...fromFile, recipients },
	};
	const setups: Partial<Record<Case['again'], Setup>> = {
		'Continue On Fail': continued,
		'Retry On Fail': { maxTries: 5 },
	};
	// Each has a name: executions of one node that begin in the same millisecond make up the same IDs.
	const chosen = { ...(parameters[mode] ?? choosing(mode)), ...WITH_LINKS };
	return documenso(chosen, { ...setups[again], name: mode });
}

/** When the creation for each address was requested, and whether that sends. */
type Requests = Map<string, Array<{ at: number; sends: boolean }>>;

/** The first request for each row but the last gets an unclear answer. */
function interfere(carriedOut: Case['carriedOut']): Requests {
	const requests: Requests = new Map();
	for (const line of [USE, CREATE]) {
		suite.service.intercept(line, async ({ text, pass, passLater }) => {
			const [address = '', name = '', index = ''] = /(\w+)\.(\d+)@example\.com/.exec(text) ?? [];
			const mode = MODES.find((one) => one.toLowerCase() === name) ?? 'create';
			const before = requests.get(address) ?? [];
			const sends = /"distributeDocument":\s*true/.test(text);
			requests.set(address, [...before, { at: clock.now(), sends }]);
			const answer = answersFor(mode)[Number(index)];
			const reply = before.length === 0 && answer ? UNCLEAR[answer] : undefined;
			if (reply && carriedOut === 'at once') await pass();
			if (reply && carriedOut === 'later') passLater(LATE);
			return reply;
		});
	}
	return requests;
}

async function runs(mode: Mode, again: Case['again'], requests: Requests): Promise<IRun> {
	const node = nodeFor(mode, again);
	const items = await rowsFor(mode);
	let run = await execute(suite.credential(), [node], items);
	if (again === 'Retry after n8n was killed') {
		// What an execution remembers is gone when n8n is killed; what it has asked for is under way.
		return await retryCrashed(suite.credential(), [node], items, run);
	}
	// After a failure, no further row is begun, so each retry begins some.
	const isBegun = () => ROWS.every((index) => requests.has(addressOf(mode, index)));
	for (let retries = 0; again === 'Retry' && !isBegun() && retries < ROWS.length; retries++) {
		await clock.sleep(5000);
		run = await retryExecution(suite.credential(), [node], run);
	}
	return run;
}

const ofAddress = (address: string) =>
	documents().filter(({ recipients }) => recipients.some(({ email }) => email === address));

/** What a row has in the end, and how its output ends. */
function endOf(mode: Mode, row: number, requests: Requests, output?: IDataObject) {
	const own = ofAddress(addressOf(mode, row));
	const [first, second] = requests.get(addressOf(mode, row)) ?? [];
	const [document] = own;
	const recipients = (output?.recipients ?? []) as Array<{ email: string; signingUrl: string }>;
	const isOwn = output?.id === document?.id && output?.externalId === document?.externalId;
	const hasLink = recipients.some(
		({ email, signingUrl }) => email === addressOf(mode, row) && signingUrl.includes('/sign/'),
	);
	return {
		...{ mode, answer: answersFor(mode)[row] ?? 'clear' },
		requests: requests.get(addressOf(mode, row))?.length,
		statuses: own.map(({ status }) => status),
		output: isOwn && hasLink && !output?.alreadyExisted ? output?.status : 'another',
		// What is created once more is compared as a draft before it is sent, when nothing can come any more.
		second: first && second && { sends: second.sends, isLate: second.at - first.at >= SETTLED },
	};
}

function expectDone(mode: Mode, requests: Requests, times: number, outputs: IDataObject[]) {
	const ends = ROWS.map((row) => endOf(mode, row, requests, outputs[row]));
	expect(ends).toEqual(
		ends.map(({ answer }) => ({
			...{ mode, answer, requests: answer === 'clear' ? 1 : times },
			...{ statuses: ['PENDING'], output: 'PENDING' },
			second: answer === 'clear' || times === 1 ? undefined : { sends: false, isLate: true },
		})),
	);
}

function expectFailed(mode: Mode, text: string, externalId: unknown, row: number, says?: RegExp) {
	const isOwn = mode === 'own' || mode === 'file';
	expect(externalId).toMatch(isOwn ? /^n8n:execution-\d+:.*:0:\d+$/ : `${mode}-${row}.`);
	expect(text).toContain(externalId);
	expect(text).toMatch(says ?? /^/);
	for (const { id } of ofAddress(addressOf(mode, row))) expect(text).toContain(id);
}

describe('a creation that does not tell what it did', () => {
	const pauses = usePauses();

	test.each(TABLE)(
		'and is carried out $carriedOut, with $again: rows are $rows',
		async ({ carriedOut, again, modes, requests: times, rows, says }) => {
			const requests = interfere(carriedOut);
			const ended = await Promise.all(
				modes.map(async (mode) => {
					return { mode, run: await runs(mode, again, requests) };
				}),
			);
			await suite.service.settled();
			for (const { mode, run } of ended) {
				const outputs = outputsOf(run, mode);
				const { error } = run.data.resultData;
				const asked = ROWS.map((row) => requests.get(addressOf(mode, row))?.length ?? 0);
				const isTwice = (row: number) =>
					ofAddress(addressOf(mode, row)).filter(({ status }) => status !== 'DRAFT').length > 1;
				expect(ROWS.filter(isTwice)).toEqual([]);
				if (rows === 'done') {
					expect(error).toBeUndefined();
					expectDone(mode, requests, times, outputs);
				} else if (again !== 'Retry after n8n was killed') {
					expect({ mode, asked }).toEqual({ mode, asked: ROWS.map(() => times) });
				}
				if (rows !== 'failed') continue;
				if (again === 'Continue On Fail') expect(Math.max(...pauses())).toBeLessThan(SETTLED / 2);
				for (const row of ROWS.slice(0, ANSWERS)) {
					const { error: message, details } = outputs[row] ?? {};
					const { externalId, description } = (details ?? {}) as Record<string, string>;
					if (outputs.length === 0) expectFailed(mode, said(error), `${mode}-${row}.`, row, says);
					else expectFailed(mode, `${message as string} ${description}`, externalId, row, says);
				}
				if (outputs.length > 0) expect(outputs[ANSWERS]?.status).toBe('PENDING');
			}
		},
		240_000,
	);

	test.each(['skip', 'fail'])(
		'is respected by another execution in the same process, under %s',
		async (policy) => {
			const rows = [row({ 'External ID': 'A-1' })];
			suite.service.intercept(USE, ({ passLater }) => {
				passLater(4 * LATE);
				return 'cut';
			});
			await suite.run(choosing(policy), rows);
			const { error } = await suite.run(choosing(policy), rows);
			expect(said(error)).toContain('A-1');
			expect(said(error)).toMatch(/under way/);
			expect(calls(USE)).toHaveLength(1);
			expect(documents()).toEqual([]);
			await suite.service.settled();
			const later = await suite.run(choosing(policy), rows);
			const [document] = documents();
			expect(documents()).toHaveLength(1);
			if (policy === 'fail') expect(said(later.error)).toContain(document?.id);
			else expect(later.items[0]?.json).toMatchObject({ id: document?.id, alreadyExisted: true });
		},
	);
});

describe('after a lost answer', () => {
	test.each<[string, Fault, IDataObject, number]>([
		['one look is enough, and people are found in any case', { cut: 'after' }, {}, 1],
		['a draft that is to be one stays one', { cut: 'after' }, { send: false }, 1],
		['a refusal leaves nothing to look for', refusal('No'), {}, 0],
	])('%s', async (_, fault, changes, looks) => {
		suite.service.fail({ match: USE, ...fault });
		const { error } = await suite.run({ ...fillFromRow, ...changes }, [
			row({ 'Tenant email': 'TINA@Example.com' }),
		]);
		expect(error?.message).toBe(looks === 0 ? 'No' : undefined);
		expect(calls('GET /envelope')).toHaveLength(looks);
		expect(calls(SEND)).toHaveLength(0);
		const status = changes.send === false ? 'DRAFT' : 'PENDING';
		expect(suite.statuses()).toEqual(looks === 0 ? [] : [status]);
		if (looks > 0) return;
		expect(lines(suite.service)).toEqual([`GET /envelope/${RENTAL_AGREEMENT.id}`, USE]);
	});

	test('a document from a file is found, read and sent', async () => {
		suite.service.fail({ match: CREATE, cut: 'after' });
		const { items } = await upload();
		const { id } = items[0]?.json ?? {};
		const read = `GET /envelope/${id as string}`;
		expect(lines(suite.service)).toEqual([CREATE, 'GET /envelope', read, read, SEND]);
	});

	test('a document that only the third look shows is found', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: 'GET /envelope', times: 2, status: 200, body: EMPTY });
		const { error } = await suite.run(fillFromRow, [row()]);
		expect(error).toBeUndefined();
		expect(suite.statuses()).toEqual(['PENDING']);
		expect(calls('GET /envelope')).toHaveLength(3);
	});

	test('the document is found in the chosen folder', async () => {
		const folderId = await suite.folder('Deals');
		suite.service.fail({ match: USE, cut: 'after' });
		const { error } = await suite.run({ ...fillFromRow, additionalFields: { folderId } }, [row()]);
		expect(error).toBeUndefined();
		expect(documents()).toMatchObject([{ folderId }]);
	});

	const notSent = {
		message: 'x',
		data: { appError: { code: 'DOCUMENT_SEND_FAILED', message: 'x' } },
	};
	test.each<[string, Fault, number, string]>([
		['while Documenso cannot be asked', refusal('Oops', 500), 3, 'Oops'],
		['while a draft that could not be sent is not found', { status: 400, body: notSent }, 0, 'x'],
	])('the error does not claim that nothing was created, %s', async (_, fault, fails, message) => {
		suite.service.fail({ match: USE, ...fault });
		if (fails > 0) suite.failSearches(fails);
		const { error } = await suite.run(fillFromRow, [row()]);
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('Documenso may or may not have created the document');
	});

	test('the error says what to look for if the search fails, too', async () => {
		suite.service.fail({ match: CREATE, cut: 'after' });
		suite.service.fail({ match: 'GET /envelope', times: 3, ...refusal('Down', 500) });
		const additionalFields = { externalId: 'row-9', ifExternalIdExists: 'create' };
		const { error } = await upload({ additionalFields });
		expect(error?.description).toContain('the document with the External ID row-9');
	});

	test('a document from a file that is not found may still come, and the error says so', async () => {
		suite.service.fail({ match: CREATE, cut: 'before' });
		const { error } = await upload();
		expect(documents()).toHaveLength(0);
		expect(error?.description).toContain(
			'Running the workflow again instead could create it twice',
		);
	});
});

describe('after a lost answer under Create Anyway, the External ID does not tell which document is the row’s', () => {
	test('so the error names what it may be: neither what other items have, nor what is for others, nor a longer ID', async () => {
		await suite.run(withId(), [row()]);
		await suite.run(withId(), [row({ id: 'RA-10' })]);
		const others = [row({ 'Tenant email': 'other@example.com', Rent: 1 }), row({ Rent: 1 })];
		suite.service.fail({ match: USE, delayMs: 0, times: 2 });
		suite.service.fail({ match: USE, cut: 'after' });
		const oneByOne = { ...withId(), options: { maxInFlight: 1 } };
		const { items } = await suite.run(oneByOne, [...others, row({ Rent: 2 })], continued);
		const [earlier, , , , lost] = documents().map(({ id }) => id);
		const { documentIds, description } = items[2]?.json.details as Record<string, string[]>;
		expect(documentIds).toEqual([earlier, lost]);
		expect(description).toContain(`It may be ${earlier} (pending), ${lost} (pending).`);
	});

	test('and every retry fails, creates nothing more and says what to do', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const node = documenso(withId(), { maxTries: 3 });
		const failed = await execute(suite.credential(), [node], [row()]);
		const { data } = await retryExecution(suite.credential(), [node], failed);
		expect(documents()).toHaveLength(1);
		const { error } = data.resultData;
		expect(error?.message).toContain(`${documents()[0]?.id} (pending)`);
		expect(error?.description).toContain('run the workflow again for this item only');
	});

	test('and a draft is not sent', async () => {
		const additionalFields = { externalId: 'row-9', ifExternalIdExists: 'create' };
		suite.service.fail({ match: CREATE, cut: 'after' });
		const { error } = await upload({ additionalFields });
		expect(error?.description).toContain(`It may be ${documents()[0]?.id} (draft).`);
		expect(calls(SEND)).toEqual([]);
	});

	test('and an ID that changes with every try does not make two documents', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		suite.service.fail({ match: USE, cut: 'after' });
		const changing = withId({ externalId: '={{ "RA-" + Math.random() }}' });
		const { error } = await suite.run(changing, [row()], { maxTries: 3 });
		expect(documents()).toHaveLength(1);
		expect(said(error)).toContain(documents()[0]?.id);
	});
});

describe('Retry On Fail after a lost answer', () => {
	test.each<[string, IDataObject]>([
		['an ID of the node’s own', fillFromRow],
		['Skip', withId({ ifExternalIdExists: 'skip' })],
		['Fail', withId({ ifExternalIdExists: 'fail' })],
		[
			'an ID that changes with every try',
			withId({ externalId: '={{ "RA-" + Math.random() }}', ifExternalIdExists: 'fail' }),
		],
	])(
		'finds what no look before it could, even if it was moved meanwhile: %s',
		async (_, parameters) => {
			const folderId = await suite.folder('Filed');
			suite.service.fail({ match: USE, cut: 'after' });
			const looks = { count: parameters === fillFromRow ? 1 : 0 };
			// The search for the External ID is answered, and none of the three looks after the creation.
			suite.service.intercept('GET /envelope', () => {
				looks.count += 1;
				for (const document of documents()) document.folderId = folderId;
				return looks.count > 1 && looks.count <= 4 ? json(200, EMPTY) : undefined;
			});
			const { error, items } = await suite.run(parameters, [row()], { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(documents().map(({ id }) => id)).toEqual([items[0]?.json.id]);
			expect(items[0]?.json).not.toHaveProperty('alreadyExisted');
		},
	);

	test.each<[string, object, number, number]>([
		[
			'after an error of Documenso’s own looks, waits, looks again, and compares',
			refusal('Oops', 500),
			4,
			1,
		],
		['after a refusal does not look at all', refusal('Busy'), 0, 0],
	])('%s', async (_, fault, looks, sendings) => {
		suite.service.fail({ match: USE, ...fault });
		const { error } = await suite.run(fillFromRow, [row()], { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls('GET /envelope')).toHaveLength(looks);
		expect(calls(SEND)).toHaveLength(sendings);
		expect(suite.statuses()).toEqual(['PENDING']);
	});

	test('gives up with one document at most for each row while Documenso cannot be asked', async () => {
		suite.service.fail({ match: USE, times: 20, cut: 'after' });
		suite.failSearches(200);
		const rows = await rowsFor('own');
		const { error } = await suite.run(fillFromRow, rows, { maxTries: 2 });
		expect(said(error)).toMatch(/The connection to Documenso|Down/);
		const tenants = suite.tenantEmails();
		expect(tenants.length).toBeGreaterThan(0);
		expect(new Set(tenants).size).toBe(tenants.length);
	});
});

test.each(['fails', 'is cut off'])(
	'a draft of a second try that turned out to be one too many is not sent by a Retry if its deletion %s',
	async (how) => {
		let carryOutFirst: (() => void) | undefined;
		suite.service.intercept(USE, ({ passLater }) => {
			carryOutFirst?.();
			if (carryOutFirst) return undefined;
			carryOutFirst = () => passLater(0);
			return 'cut';
		});
		const deletions = { count: 0 };
		suite.service.intercept('POST /envelope/delete', () => {
			deletions.count += 1;
			if (deletions.count > 1) return undefined;
			return how === 'fails' ? UNCLEAR['an error of Documenso’s own'] : 'cut';
		});
		const node = documenso(choosing('fail'), { maxTries: 5 });
		const rows = [row({ 'External ID': 'A-1' })];
		const failed = await execute(suite.credential(), [node], rows);
		expect(documents()).toHaveLength(2);
		const retry = await retryExecution(suite.credential(), [node], failed);
		expect(suite.statuses()).toEqual(['PENDING']);
		expect(outputsOf(retry)[0]?.id).toBe(documents()[0]?.id);
	},
);

describe('a send whose answer is lost', () => {
	const sending = { resource: 'document', operation: 'send' };
	const send = async (id: string, changes: IDataObject = {}) =>
		await suite.run({ ...sending, documentId: byId(id), ...changes });

	test.each(['Retry', 'Retry after n8n was killed'])(
		'of what was just created may still come, so a %s waits for it and sends nothing',
		async (how) => {
			suite.service.intercept(SEND, ({ passLater }) => {
				passLater(4 * LATE);
				return 'cut';
			});
			const node = documenso(fromFile);
			const [row] = await rowsFor('file');
			const rows = [{ ...row, json: { row: 0 } }];
			const failed = await execute(suite.credential(), [node], rows);
			expect(said(failed.data.resultData.error)).toContain(documents()[0]?.id);
			expect(suite.statuses()).toEqual(['DRAFT']);
			const retry =
				how === 'Retry'
					? await retryExecution(suite.credential(), [node], failed)
					: await retryCrashed(suite.credential(), [node], rows, failed);
			expect(retry.data.resultData.error).toBeUndefined();
			expect(outputsOf(retry)).toMatchObject([{ id: documents()[0]?.id, status: 'PENDING' }]);
			const sent = documents()[0]?.auditLog.filter(({ type }) => type === 'DOCUMENT_SENT');
			expect(sent).toHaveLength(1);
		},
	);

	test('while Documenso creates the document may still come: a draft is not taken for what was asked', async () => {
		suite.service.intercept(USE, async ({ pass }) => {
			await pass();
			const [document] = documents();
			// Documenso sends after it has created.
			if (document) document.status = 'DRAFT';
			void clock.sleep(4 * LATE).then(() => Object.assign(document ?? {}, { status: 'PENDING' }));
			return 'cut' as const;
		});
		const node = documenso(choosing('skip'));
		const rows = [row({ 'External ID': 'A-1' })];
		const failed = await execute(suite.credential(), [node], rows);
		expect(said(failed.data.resultData.error)).toContain('A-1');
		const retry = await retryExecution(suite.credential(), [node], failed);
		expect(outputsOf(retry)).toMatchObject([{ id: documents()[0]?.id, status: 'PENDING' }]);
		expect(calls(SEND)).toEqual([]);
	});

	test('of a document that is finished says so, and not to try again', async () => {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		const { error } = await send(id);
		expect(error?.message).toBe(
			`The document ${id} is completed, so it cannot be sent any more [item 0]`,
		);
		expect(error?.description).not.toContain('try again');
	});

	test('of a draft may be under way still: it is looked at again, and again, before it counts as not sent', async () => {
		const { id } = await suite.document();
		suite.service.fail({ match: SEND, status: 504, body: 'Too late' });
		const { error } = await send(id);
		const looks = Array<string>(3).fill(`GET /envelope/${id}`);
		expect(lines(suite.service)).toEqual([`GET /envelope/${id}`, SEND, ...looks]);
		expect(said(error)).toContain(`The status of the document ${id} is draft now. Look at it`);
	});

	test.each<[string, Fault]>([
		['is of another sending', { delayMs: 0 }],
		['is refused', refusal('No', 403)],
		['is a page of a proxy’s', { status: 200, body: '<html>' }],
		['has another form', { status: 200, body: { data: [{ type: 'DOCUMENT_SENT' }] } }],
		['is lost', { cut: 'after', times: 5 }],
	])('is not done where the audit log %s', async (_, answer) => {
		const { id, auditLog } = await suite.document('createAndSend');
		for (const entry of auditLog) entry.createdAt = new Date(0);
		suite.service.fail({ match: SEND, cut: 'before' });
		suite.service.fail({ match: `GET /envelope/${id}/audit-log`, ...answer });
		const { items, error } = await send(id, { additionalFields: { subject: 'Again' } });
		expect(items).toEqual([]);
		expect(lines(suite.service)).toContain(`GET /envelope/${id}/audit-log`);
		expect(said(error)).toContain(`The status of the document ${id} is pending now. Look at it`);
	});
});

describe('a deletion whose answer is lost', () => {
	test.each([
		['a document that is out is gone', false],
		['a finished document has a date of deletion', true],
	])('is done when %s', async (_, isFinished) => {
		const { id } = await suite.document('createAndSend');
		if (isFinished) await suite.complete(id);
		suite.service.fail({ match: 'POST /envelope/delete', cut: 'after' });
		const remove = { resource: 'document', operation: 'delete', documentId: byId(id) };
		expect(await suite.outputOf(remove)).toEqual([{ id, deleted: true }]);
	});
});
