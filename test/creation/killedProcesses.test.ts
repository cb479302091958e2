import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Answer } from '../../emulator';
import { clock } from '../../nodes/shared/api/clock';
import { N8nProcess, thisProcess } from '../../nodes/shared/n8n/process';
import { Note } from '../../nodes/shared/n8n/underWay';
import { processedData } from '../support/history';
import { hurry } from '../support/hurry';
import { documenso, execute, retryCrashed, retryExecution } from '../support/n8n';
import { refusal } from '../support/refusal';
import { lines } from '../support/service';
import { byId, emailsOf, fillFromRow, tenants, USE, wholeRow } from '../support/suite';
import {
	choosing,
	continued,
	LOST,
	oneAfterAnother,
	outputsOf,
	REFUSED,
	rowIn,
	said,
	SEND,
	SETTLED,
	sheet,
	useCreation,
	usePauses,
} from './support';

hurry(30);

const suite = useCreation();
const { calls, documents } = suite;

describe('a retry of an execution during which n8n was killed', () => {
	/** For the node, it is as if n8n had been killed: what it did remains, and what it remembered is lost. */
	async function killedAfter(
		count: number,
		parameters: IDataObject,
		rows: INodeExecutionData[],
		readAgain = rows,
	) {
		const node = documenso({ ...parameters, ...oneAfterAnother });
		suite.service.fail({ match: USE, delayMs: 0, times: count });
		suite.service.fail({ match: USE, times: 1, ...refusal('Killed') });
		const before = documents().length;
		const killed = await execute(suite.credential(), [node], rows);
		expect(documents()).toHaveLength(before + count);
		suite.service.calls.length = 0;
		return async (isStartKnown = true) => {
			const known = { isStartKnown };
			const { data } = await retryCrashed(suite.credential(), [node], readAgain, killed, known);
			return data.resultData;
		};
	}
	const emails = (count: number) => emailsOf(tenants(count)).sort();

	test('finds what it created by the IDs that the node made up, with one list for all items, and waits before it creates the others', async () => {
		const retry = await killedAfter(35, choosing('create'), tenants(60));
		expect((await retry()).error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual(emails(60));
		expect(suite.statuses()).toEqual(Array(60).fill('PENDING'));
		// The documents that were found are read 20 at a time; every other row takes a draft and its sending.
		expect(calls('POST /envelope/get-many')).toHaveLength(2);
		expect(calls(USE)).toHaveLength(25);
		expect(calls(SEND)).toHaveLength(25);
		// The list is read twice before the drafts and once for each draft, because they are created one at a time here.
		expect(calls('GET /envelope')).toHaveLength(2 + 25);
	});

	const [one, two, three, four] = tenants(4) as Array<{ json: IDataObject }>;
	const moved = [four, one, two, three].map(({ json = {} } = { json: {} }) => ({ json }));

	/** What was done before, what the rows are then, and how many of them may have a document already, so that they fail. */
	test.each<
		[
			string,
			string,
			INodeExecutionData[],
			{ readAgain?: typeof moved; isStartKnown?: boolean },
			number,
		]
	>([
		['with Skip takes what it created by the External ID', 'skip', sheet(4), {}, 0],
		[
			'with Create Anyway and IDs of the user fails the rows that may have a document',
			...(['create', sheet(30), {}, 2] as const),
		],
		[
			'whose rows have moved fails those that may have a document',
			...(['create', tenants(4), { readAgain: moved }, 2] as const),
		],
		[
			'that cannot know when the execution began fails the rows for which documents are there',
			...(['create', tenants(5), { isStartKnown: false }, 2] as const),
		],
	])(
		'%s, and creates the others',
		async (_, policy, rows, { readAgain, isStartKnown }, failing) => {
			const retry = await killedAfter(2, choosing(policy), rows, readAgain);
			const made = documents().map(({ id }) => id);
			const { error } = await retry(isStartKnown);
			expect(suite.tenantEmails()).toEqual(emails(rows.length));
			if (failing === 0) expect(error).toBeUndefined();
			if (failing === 0) return;
			expect(error?.message).toContain(`${failing} of ${rows.length} items`);
			for (const id of made) expect(error?.description).toContain(id);
			if (rows.length === 30) {
				expect(error?.message).toBe('2 of 30 items cannot be used, so nothing more was created');
				expect(error?.description).toContain(
					'If there is none, run the workflow again for this item',
				);
			}
		},
	);

	test('takes nothing for its own that an earlier execution created', async () => {
		await suite.run(choosing('create'), tenants(3));
		const retry = await killedAfter(1, choosing('create'), tenants(3));
		expect((await retry()).error).toBeUndefined();
		expect(suite.tenantEmails()).toEqual([...emails(3), ...emails(3)].sort());
	});

	test('does not send a draft again that somebody has sent since it was read', async () => {
		const retry = await killedAfter(1, choosing('create'), tenants(2));
		const get = { resource: 'document', operation: 'get', output: 'raw' };
		const [record] = await suite.outputOf({ ...get, documentId: byId(documents()[0]?.id) });
		const data = [{ ...record, status: 'DRAFT' }];
		suite.service.fail({ match: 'POST /envelope/get-many', status: 200, body: { data } });
		suite.service.calls.length = 0;
		expect((await retry()).error).toBeUndefined();
		expect(lines(suite.service)).toContain('POST /envelope/get-many');
		const sent = suite.service.calls.filter(({ path }) => path === '/envelope/distribute');
		expect(sent.map(({ body }) => body)).toEqual([{ envelopeId: documents()[1]?.id }]);
	});

	test('sends no row again that has got an External ID since: the error names its document', async () => {
		const rows = tenants(4);
		const state = { isKilled: true };
		suite.service.intercept(USE, ({ text }) =>
			state.isKilled && rowIn(text) > 1 ? REFUSED : undefined,
		);
		const killed = await execute(suite.credential(), [documenso(fillFromRow)], rows);
		expect(suite.tenantEmails()).toEqual(emails(2));
		state.isKilled = false;
		const changed = documenso(choosing('skip'), continued);
		const retry = await retryCrashed(suite.credential(), [changed], sheet(4), killed);
		expect(suite.tenantEmails()).toEqual(emails(4));
		const outputs = outputsOf(retry);
		const named = outputs.slice(0, 2).map(({ details }) => (details as IDataObject).documentIds);
		expect(named).toEqual([[suite.idOf(0)], [suite.idOf(1)]]);
		expect(outputs.slice(2).map(({ externalId }) => externalId)).toEqual(['A-2', 'A-3']);
	});
});

describe('a loop of six rounds that ended in the third', () => {
	const TURNS = 6;
	const rows = tenants(3);
	const node = documenso(fillFromRow);
	const pauses = usePauses();

	/** The third round fails at its second row. */
	async function ended(reply: Answer) {
		const state = { requests: 0 };
		suite.service.intercept(USE, ({ text }) => {
			if (rowIn(text) !== 1) return undefined;
			state.requests += 1;
			return state.requests === 3 ? reply : undefined;
		});
		const failed = await execute(suite.credential(), [node], rows, TURNS);
		expect(failed.data.resultData.runData[node.name]).toHaveLength(3);
		expect(documents().length).toBeLessThan(3 * rows.length);
		return failed;
	}

	test.each([
		['Retry', REFUSED],
		['Retry after a lost answer', LOST],
		['Retry after n8n was killed', REFUSED],
	])('is finished by one %s, which waits two minutes in all', async (how, reply) => {
		const failed = await ended(reply);
		// The rounds that it has not reached are in doubt since the retry begins, later than the lost answer.
		await clock.sleep(20_000);
		const before = pauses().length;
		const retry =
			how === 'Retry after n8n was killed'
				? await retryCrashed(suite.credential(), [node], rows, failed, { turns: TURNS })
				: await retryExecution(suite.credential(), [node], failed);
		expect(retry.data.resultData.error).toBeUndefined();
		const long = pauses()
			.slice(before)
			.filter((pause) => pause > SETTLED / 2);
		expect(long).toHaveLength(1);
		const rounds = retry.data.resultData.runData[node.name] ?? [];
		const outputs = rounds.flatMap(({ data }) => data?.main?.[0]?.map(({ json }) => json) ?? []);
		const everyRound = Array.from({ length: TURNS }, () => emailsOf(rows)).flat();
		expect(suite.tenantsOf(outputs)).toEqual(everyRound);
		expect(new Set(outputs.map(({ id }) => id))).toEqual(new Set(documents().map(({ id }) => id)));
		expect(suite.statuses()).toEqual(Array(TURNS * rows.length).fill('PENDING'));
	});
});

describe('rows that run again after n8n was killed in the middle', () => {
	const row = { json: { ...wholeRow, 'External ID': 'RA-1' } };
	const note = async (name: string) => {
		const place = { workflow: { id: 'workflow' }, node: { id: 'id-of-Documenso' } };
		const mode = { mode: 'entries' } as const;
		return await processedData.checkProcessedAndRecord([name], 'node', place as never, mode);
	};

	/** n8n has started again so many seconds ago, and finds a note of the process that was killed. */
	async function killed(age = 110) {
		class Young extends N8nProcess {
			private readonly start = clock.uptime() - age * 1000;

			override uptime() {
				return clock.uptime() - this.start;
			}
		}
		const young = new Young();
		Object.assign(thisProcess, young, { uptime: () => young.uptime() });
		await note('note of the dead');
		return young;
	}

	/** How long the run of the new process took, in milliseconds since it began, and what came of it. */
	test.each([
		['are created once, when nothing can come any more', 'skip', false],
		['have the document that comes meanwhile', 'skip', true],
		['are refused with Fail if it comes meanwhile', 'fail', true],
	])('%s', async (_, policy, isUnderWay) => {
		const young = await killed();
		if (isUnderWay) {
			void clock.sleep(3000).then(async () => await suite.run(choosing('create'), [row]));
		}
		const { items, error } = await suite.run(choosing(policy), [row]);
		expect(documents()).toHaveLength(1);
		if (policy === 'fail') expect(said(error)).toContain('already has');
		if (policy === 'fail') return;
		expect(items[0]?.json.alreadyExisted).toBe(isUnderWay ? true : undefined);
		// What has come already is not waited for.
		if (!isUnderWay) expect(young.uptime()).toBeGreaterThan(SETTLED);
	});

	test.each(['skip', 'skipSame'])(
		'send with %s no draft of an earlier run that is for others',
		async (policy) => {
			await suite.outputOf(choosing('create', { send: false }), [row]);
			Object.assign(documents()[0]?.recipients[0] ?? {}, { email: 'else@example.com' });
			await killed();
			const { error } = await suite.run(choosing(policy), [row]);
			expect(said(error)).toContain('else@example.com');
			expect(suite.statuses()).toEqual(['DRAFT']);
		},
	);

	test('send their draft of an earlier run at once, and say that it was there', async () => {
		await suite.outputOf(choosing('create', { send: false }), [row]);
		const young = await killed(60);
		const [sent] = await suite.outputOf(choosing('skip'), [row]);
		expect(sent).toMatchObject({ alreadyExisted: true, sentNow: true });
		expect(young.uptime()).toBeLessThan(SETTLED);
	});

	test('wait for nothing if the run before was refused meanwhile', async () => {
		const other = { json: { ...wholeRow, 'External ID': 'RA-3' } };
		await suite.outputOf(choosing('create'), [other]);
		const young = await killed();
		const refused = await suite.run(choosing('fail'), [row, other]);
		expect(said(refused.error)).toContain('Nothing was created');
		await young.sleep(12_000);
		await suite.outputOf(choosing('fail'), [row]);
		expect(calls(USE)).toHaveLength(2);
	});

	test('are created by a process that finds no note without waiting', async () => {
		const young = await killed(10);
		processedData.forget('workflow');
		await suite.outputOf(choosing('skip'), sheet(3));
		expect(young.uptime()).toBeLessThan(SETTLED);
	});

	test('find a note as long as something is in doubt', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		await suite.run(choosing('skip'), [row]);
		const place = { workflow: { id: 'workflow' }, node: { id: 'id-of-Documenso' } };
		const noted = async () => await processedData.getProcessedDataCount('node', place as never);
		expect(await noted()).toBe(1);
		await suite.outputOf(choosing('skip'), [{ json: { ...wholeRow, 'External ID': 'RA-2' } }]);
		expect(await noted()).toBe(1);
	});
});

describe('the note of a run', () => {
	/** n8n's history of one node, and what its database was asked. */
	class History {
		readonly names = new Set<unknown>();
		readonly calls: string[] = [];
		failure?: Error;

		private async answer<Value>(call: string, work: () => Value): Promise<Value> {
			this.calls.push(call);
			await new Promise((resolve) => setImmediate(resolve));
			if (this.failure) throw this.failure;
			return work();
		}

		private readonly helpers = {
			getProcessedDataCount: async () => await this.answer('count', () => this.names.size),
			checkProcessedAndRecord: async (names: unknown[]) => {
				await this.answer('record', () => {
					names.forEach((name) => this.names.add(name));
				});
			},
			removeProcessed: async (names: unknown[]) => {
				await this.answer('remove', () => {
					names.forEach((name) => this.names.delete(name));
				});
			},
			clearAllProcessedItems: async () => {
				await this.answer('clear', () => {
					this.names.clear();
				});
			},
		};

		readonly context = {
			helpers: this.helpers,
			getWorkflow: () => ({ id: 'workflow' }),
			getNode: () => ({ id: 'node' }),
		} as unknown as IExecuteFunctions;
	}

	/** A process of this age, in milliseconds. */
	function processAfter(history: History, age: number) {
		const clock = {
			age,
			uptime: () => clock.age,
			sleep: async (_: number, signal?: AbortSignal) => {
				await new Promise((_resolve, reject) => {
					signal?.addEventListener('abort', () => {
						reject(new Error('Awake'));
					});
				});
			},
		};
		const note = new Note(clock, `process ${age} ${Math.random()}`);
		return {
			clock,
			begin: async () => await note.begin(history.context),
			end: async (isInDoubt = false) => {
				await note.end(history.context, { isInDoubt });
			},
		};
	}

	const OLD = SETTLED;
	const YOUNG = 5000;

	test('takes two calls of the database for a run, and a third one in the first two minutes of the process', async () => {
		const history = new History();
		const old = processAfter(history, OLD);
		await old.begin();
		await old.end();
		expect(history.calls.splice(0)).toEqual(['record', 'clear']);
		const young = processAfter(history, YOUNG);
		await young.begin();
		await young.end();
		expect(history.calls).toEqual(['count', 'record', 'remove']);
	});

	test('is one for runs that overlap, and stays until the last of them has ended', async () => {
		const history = new History();
		const { begin, end } = processAfter(history, OLD);
		expect(await Promise.all([begin(), begin()])).toEqual([false, false]);
		await end();
		expect(history.names.size).toBe(1);
		expect(history.calls).toEqual(['record']);
		await end();
		expect(history.names.size).toBe(0);
	});

	test('is there for a run that begins while that of the run before is being removed', async () => {
		const history = new History();
		const { begin, end } = processAfter(history, YOUNG);
		await begin();
		const [, isAfterKill] = await Promise.all([end(), begin()]);
		expect(isAfterKill).toBe(false);
		expect(history.names.size).toBe(1);
	});

	test('makes nobody wait if no process has died', async () => {
		const history = new History();
		const first = processAfter(history, YOUNG);
		expect(await first.begin()).toBe(false);
		await first.end();
		expect(await processAfter(history, YOUNG).begin()).toBe(false);
	});

	test('is found by the next process, and by the one after that if it dies, too', async () => {
		const history = new History();
		await processAfter(history, OLD).begin();
		const second = processAfter(history, YOUNG);
		expect(await second.begin()).toBe(true);
		const third = processAfter(history, YOUNG);
		expect(await Promise.all([third.begin(), third.begin()])).toEqual([true, true]);
		await third.end();
		await third.end();
		// Those of the two that died are still there.
		expect(await processAfter(history, YOUNG).begin()).toBe(true);
	});

	test('means nothing once the next process is two minutes old, which then removes it', async () => {
		const history = new History();
		await processAfter(history, OLD).begin();
		const next = processAfter(history, YOUNG);
		expect(await next.begin()).toBe(true);
		next.clock.age = SETTLED;
		expect(await next.begin()).toBe(false);
		await next.end();
		await next.end();
		expect(history.names.size).toBe(0);
	});

	test('stays for two minutes if the run ends in doubt', async () => {
		const history = new History();
		const { begin, clock, end } = processAfter(history, OLD);
		await begin();
		await end(true);
		expect(await processAfter(history, YOUNG).begin()).toBe(true);
		clock.age += SETTLED;
		await begin();
		await end();
		expect(history.names.size).toBe(0);
	});

	test('is done without if the database fails, or does not answer', async () => {
		const history = new History();
		history.failure = new Error('The database is gone');
		const { begin, end } = processAfter(history, YOUNG);
		expect(await begin()).toBe(false);
		await end();
		const silent = new History();
		const late = new Note({ uptime: () => YOUNG, sleep: async () => {} }, 'late');
		Object.assign(silent.context.helpers, {
			getProcessedDataCount: async () => await new Promise(() => {}),
		});
		expect(await late.begin(silent.context)).toBe(false);
	});
});
