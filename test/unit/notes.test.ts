import type { IExecuteFunctions } from 'n8n-workflow';

import { Note, SETTLED_MS } from '../../nodes/shared/n8n/underWay';

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

/** A process that has been there for so long, as far as the notes see it. */
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

const OLD = SETTLED_MS;
const YOUNG = 5000;

describe('the note of a process that creates documents', () => {
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
		next.clock.age = SETTLED_MS;
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
		clock.age += SETTLED_MS;
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
