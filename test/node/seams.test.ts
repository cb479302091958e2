import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import type { Reply } from '../../emulator';
import { documenso, execute, itemWith, retryCrashed, retryExecution } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { createAndSend, fillFromRow as use, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// Something stands between the node and Documenso, and answers at once what Documenso does only later.
const suite = useService({ seed: 'demo' });
const { documents } = suite;

const CREATE = 'POST /envelope/create';
const SEND = 'POST /envelope/distribute';
/** How long nothing is created again after an unknown outcome, in milliseconds. */
const AGE = 120_000;
/** Longer than the node looks, and than n8n's pauses between tries. */
const LATE = 20_000;

const page = (status: number): Reply => ({
	status,
	headers: { 'content-type': 'text/html' },
	body: '<html><body>Please wait</body></html>',
});

/** Passeds that do not tell whether Documenso carries the request out. */
const UNKNOWN: Record<string, Reply> = {
	'a time-out of a proxy': page(504),
	'a reset': 'cut',
	'a page of a proxy': page(200),
	'a redirect': { status: 302, headers: { location: 'https://example.com/login' }, body: '' },
	'an error of Documenso’s own': {
		status: 500,
		headers: { 'content-type': 'application/json' },
		body: '{"message":"Oops","code":"INTERNAL_SERVER_ERROR","data":{"code":"INTERNAL_SERVER_ERROR","httpStatus":500}}',
	},
	'a page that is not there': page(404),
};
const replies = Object.values(UNKNOWN);

let turn = 0;
/** A row for each such answer, and one without a fault. Each test has its own IDs. */
function rowsWithIds(): INodeExecutionData[] {
	turn += 1;
	return tenants(replies.length + 1).map(({ json }, index) => ({
		json: { ...json, 'External ID': `S${turn}-${index}.` },
	}));
}
const idsOf = (rows: INodeExecutionData[]) => rows.map(({ json }) => json['External ID'] as string);
const mode = (ifExternalIdExists: string): IDataObject => ({
	...use,
	additionalFields: { ifExternalIdExists },
});

/** When the creations for each tenant were requested, and whether they send. */
type Creations = Map<string, Array<{ at: number; sends: boolean }>>;

/** The first request for each tenant but the last is answered at once; Documenso carries it out later, or never. */
function interfere(line = USE, lateMs?: number): Creations {
	const creations: Creations = new Map();
	suite.service.intercept(line, ({ text, passLater }) => {
		const [, index = ''] = /tenant(\d+)@/.exec(text) ?? [];
		const before = creations.get(index) ?? [];
		const sends = /"distributeDocument":\s*true/.test(text);
		creations.set(index, [...before, { at: clock.now(), sends }]);
		const reply = before.length === 0 ? replies[Number(index)] : undefined;
		if (reply && lateMs !== undefined) passLater(lateMs);
		return reply;
	});
	return creations;
}

const isSent = ({ status }: { status: string }) => status !== 'DRAFT';

/** Tenants with more than one document that was sent. */
function sentTwice(): string[] {
	const sent = documents().filter(isSent);
	const emails = sent.map(({ recipients }) => recipients[0]?.email ?? '');
	return emails.filter((email, index) => emails.indexOf(email) !== index);
}

const all = (error?: { message: string; description?: string }) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`;

/** With these, an External ID tells which document is the row's. */
const DECIDED = ['skip', 'skipAcrossWorkers', 'fail'];
const MODES = ['create', ...DECIDED];

describe('a creation that Documenso carries out after it was answered', () => {
	test.each(DECIDED)('is not done again by Retry On Fail, under %s', async (policy) => {
		const rows = rowsWithIds();
		interfere(USE, LATE);
		const { items, error, took } = await suite.run(mode(policy), rows, { maxTries: 5 });
		await suite.service.settled();
		expect(sentTwice()).toEqual([]);
		expect(error).toBeUndefined();
		expect(suite.calls(USE)).toHaveLength(rows.length);
		expect(items.map(({ json }) => json.externalId)).toEqual(idsOf(rows));
		expect(items.map(({ json }) => json.status)).toEqual(rows.map(() => 'PENDING'));
		// One wait for all of them.
		expect(took).toBeLessThan(1.7 * AGE);
	});

	test('is not done again under create: the row fails, and names what may be its document', async () => {
		const rows = rowsWithIds();
		interfere(USE, LATE);
		const { error } = await suite.run(mode('create'), rows, { maxTries: 5 });
		await suite.service.settled();
		expect(suite.calls(USE)).toHaveLength(rows.length);
		for (const { id } of documents().slice(1)) expect(all(error)).toContain(`${id} (pending)`);
	});

	test('is not done again by Retry On Fail where rows have no External ID', async () => {
		interfere(USE, LATE);
		const { error } = await suite.run(use, tenants(replies.length + 1), { maxTries: 5 });
		await suite.service.settled();
		expect(sentTwice()).toEqual([]);
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(replies.length + 1);
	});

	test('is not done again where the document is made of a file and then sent', async () => {
		const items = await Promise.all(
			replies.map(
				async (_, index) => await itemWith({ data: { content: await pdf() } }, { index }),
			),
		);
		interfere(CREATE, LATE);
		const email = '=tenant{{ $json.index }}@example.com';
		const recipients = { recipient: [{ email, name: 'Tenant', role: 'SIGNER' }] };
		const { error } = await suite.run({ ...createAndSend, recipients }, items, { maxTries: 5 });
		await suite.service.settled();
		expect(sentTwice()).toEqual([]);
		expect(error).toBeUndefined();
		expect(documents().map(({ status }) => status)).toEqual(replies.map(() => 'PENDING'));
	});

	test.each(MODES)('is not done again by Retry after five seconds, under %s', async (policy) => {
		const creations = interfere(USE, LATE);
		const node = documenso(mode(policy));
		let run = await execute(credentialFor(suite.service), [node], rowsWithIds());
		// After a failure, no further row is begun, so each retry begins some.
		for (let retries = 0; creations.size <= replies.length && retries < replies.length; retries++) {
			await clock.sleep(5000);
			run = await retryExecution(credentialFor(suite.service), [node], run);
		}
		await suite.service.settled();
		expect(sentTwice()).toEqual([]);
		expect([...creations.values()].map(({ length }) => length)).toEqual(
			Array(replies.length + 1).fill(1),
		);
	});

	test('is not done again by Retry after n8n was killed', async () => {
		interfere(USE, LATE);
		const rows = tenants(replies.length + 1);
		const node = documenso(use);
		// What an execution remembers is gone when n8n is killed; what it has asked for is under way.
		const killed = await execute(credentialFor(suite.service), [node], rows);
		await retryCrashed(credentialFor(suite.service), [node], rows, killed);
		await suite.service.settled();
		expect(sentTwice()).toEqual([]);
	});

	test.each(['skip', 'fail'])(
		'is respected by another execution in the same process, under %s',
		async (policy) => {
			const rows = rowsWithIds();
			const [id = ''] = idsOf(rows);
			interfere(USE, 4 * LATE);
			await suite.run(mode(policy), rows.slice(0, 1));
			const { error } = await suite.run(mode(policy), rows.slice(0, 1));
			expect(all(error)).toContain(id);
			expect(all(error)).toMatch(/under way/);
			expect(suite.calls(USE)).toEqual([]);
			await suite.service.settled();
			const later = await suite.run(mode(policy), rows.slice(0, 1));
			expect(documents()).toHaveLength(1);
			const [document] = documents();
			if (policy === 'skip') {
				expect(later.items[0]?.json).toMatchObject({ id: document?.id, alreadyExisted: true });
			} else {
				expect(all(later.error)).toContain(document?.id);
			}
		},
	);
});

describe('a creation that was answered and never carried out', () => {
	test.each(MODES)(
		'is made up for after two minutes, by a draft that is then sent, under %s',
		async (policy) => {
			const rows = rowsWithIds();
			const creations = interfere();
			const { items, error, took } = await suite.run(mode(policy), rows, { maxTries: 5 });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.externalId)).toEqual(idsOf(rows));
			expect(documents().map(({ status }) => status)).toEqual(rows.map(() => 'PENDING'));
			for (const index of replies.keys()) {
				const [first, second, ...more] = creations.get(String(index)) ?? [];
				expect(more).toEqual([]);
				expect(second?.sends).toBe(false);
				expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(AGE);
			}
			expect(suite.calls(SEND).length).toBeGreaterThanOrEqual(replies.length);
			// What is certain is done before the wait.
			expect(creations.get(String(replies.length))).toHaveLength(1);
			expect(took).toBeLessThan(1.7 * AGE);
		},
	);

	test.each([...MODES, 'own'])(
		'fails its item at once without Retry On Fail, and says when running again is safe, under %s',
		async (policy) => {
			const rows = policy === 'own' ? tenants(replies.length + 1) : rowsWithIds();
			const creations = interfere();
			const { items, took } = await suite.run(policy === 'own' ? use : mode(policy), rows, {
				onError: 'continueRegularOutput',
			});
			expect(took).toBeLessThan(AGE / 2);
			expect(documents()).toHaveLength(1);
			for (const [index, { json }] of items.slice(0, replies.length).entries()) {
				expect(creations.get(String(index))).toHaveLength(1);
				const { description, externalId } = json.details as Record<string, string>;
				const id = rows[index]?.json['External ID'] ?? externalId;
				expect(externalId).toBe(id);
				expect(`${json.error as string} ${description ?? ''}`).toContain(id);
				// A time of day.
				expect(`${json.error as string} ${description ?? ''}`).toMatch(/\d\d:\d\d/);
			}
			expect(items.at(-1)?.json.status).toBe('PENDING');
		},
	);
});

describe('a draft of a second try that turned out to be one too many', () => {
	test.each(['fails', 'is cut off'])('is not sent by a Retry if its deletion %s', async (how) => {
		const rows = rowsWithIds().slice(0, 1);
		let carryOutFirst: (() => void) | undefined;
		suite.service.intercept(USE, ({ passLater }) => {
			if (!carryOutFirst) {
				carryOutFirst = () => {
					passLater(0);
				};
				return 'cut';
			}
			carryOutFirst();
			return undefined;
		});
		const undeleted: Array<() => unknown> = [];
		suite.service.intercept('POST /envelope/delete', ({ pass }) => {
			if (undeleted.push(pass) > 1) return undefined;
			return how === 'fails' ? UNKNOWN['an error of Documenso’s own'] : 'cut';
		});
		const node = documenso(mode('fail'), { maxTries: 5 });
		const failed = await execute(credentialFor(suite.service), [node], rows);
		expect(documents()).toHaveLength(2);
		const { data } = await retryExecution(credentialFor(suite.service), [node], failed);
		expect(sentTwice()).toEqual([]);
		expect(documents()).toHaveLength(1);
		const [item] = data.resultData.runData[node.name]?.at(-1)?.data?.main?.[0] ?? [];
		expect(item?.json.id).toBe(documents()[0]?.id);
	});
});
