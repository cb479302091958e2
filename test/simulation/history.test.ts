import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settings } from '../../nodes/DocumensoTrigger/inputs';
import { Random } from './random';

/**
 * Random schedules for the real code that recognises events, in three processes of n8n that share its database: which reads a
 * history whole and writes it back, so that records at the same moment undo each other.
 */
const SCHEDULES = 300;

const HOUR_MS = 3_600_000;

/** How many names n8n keeps. */
const MOST_NAMES = 10_000;

type History = typeof import('../../nodes/DocumensoTrigger/history');

/** What one process of n8n has loaded, and remembers. */
function freshProcess(): History {
	let loaded: History | undefined;
	jest.isolateModules(() => {
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		loaded = require('../../nodes/DocumensoTrigger/history.ts') as History;
	});
	if (!loaded) throw new Error('It was not loaded');
	return loaded;
}

/** A workflow with its history, which a process takes about so many milliseconds to read, and as many to write. */
class Workflow {
	private names: string[] | undefined;

	constructor(
		readonly id: string,
		readonly random: Random,
		private readonly millisecondsOf: (process: number) => number,
	) {}

	/** Part of the names that are written next although the answer is lost. */
	cut?: string;
	/** Part of the names that the database never answers. */
	unanswered?: string;

	/** Gives an event to a process. Returns how it is named if it goes on. */
	async give(process: number, json: IDataObject, fetch = same): Promise<string | undefined> {
		const context = this.contextIn(process);
		const settings = { deduplicationMs: HOUR_MS } as Settings;
		const kept = await processes[process]?.oncePerEvent(context, [{ json }], settings, fetch);
		return kept?.[0]?.json.eventId as string | undefined;
	}

	async pass(milliseconds: number) {
		await new Promise((resolve) => setTimeout(resolve, milliseconds));
	}

	private contextIn(process: number): IExecuteFunctions {
		const checkProcessedAndRecord = async (names: string[]) => {
			const before = await this.read(process);
			const known = new Set(before);
			const added = names.filter((name) => !known.has(name));
			if (!before && this.names) throw new Error('UNIQUE constraint failed: processed_data');
			if (names.includes(this.unanswered ?? '')) await new Promise(() => undefined);
			this.names = [...(before ?? []), ...added].slice(-MOST_NAMES);
			if (names.includes(this.cut ?? '')) {
				this.cut = undefined;
				throw new Error('The connection was closed');
			}
			return { new: added, processed: names.filter((name) => known.has(name)) };
		};
		const removeProcessed = async (names: string[]) => {
			this.names = (await this.read(process))?.filter((name) => !names.includes(name));
		};
		executions += 1;
		const executionId = String(executions);
		return {
			getExecutionId: () => executionId,
			getMode: () => 'webhook',
			continueOnFail: () => false,
			getWorkflow: () => ({ id: this.id }),
			getNode: () => ({ id: 'trigger' }),
			helpers: { checkProcessedAndRecord, removeProcessed },
		} as unknown as IExecuteFunctions;
	}

	private async read(process: number): Promise<string[] | undefined> {
		const milliseconds = () => this.millisecondsOf(process) * this.random.between(0.3, 1.7);
		await this.pass(milliseconds());
		const { names } = this;
		await this.pass(milliseconds());
		return names;
	}
}

let processes: History[];
let executions = 0;

const same = async (item: INodeExecutionData) => await Promise.resolve(item);

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(1_000 * HOUR_MS);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => {
			controller.abort();
		}, milliseconds);
		return controller.signal;
	});
	processes = [freshProcess(), freshProcess(), freshProcess()];
});

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const completed = (eventId: string) => ({
	event: 'DOCUMENT_COMPLETED',
	eventId,
	foundBy: 'webhook',
});
const sent = (deliveryId: string) => ({
	event: 'DOCUMENT_SENT',
	eventId: 'sent',
	deliveryId,
	foundBy: 'webhook',
});
const found = (event: string) => ({ event, eventId: 'sent', foundBy: 'check' });

type Given = Array<string | undefined>;
type Schedule = (workflow: Workflow, random: Random) => Promise<Given>;

type Speed = (random: Random) => (process: number) => number;

const usual: Speed = (random) => {
	const milliseconds = random.between(5, 25);
	return () => milliseconds;
};

/** How often what each schedule gives goes on. */
async function timesOf(schedule: Schedule, speed = usual, milliseconds = 120_000) {
	const all = Array.from({ length: SCHEDULES }, async (_, seed) => {
		const random = new Random(seed + 1);
		const workflow = new Workflow(String(seed), random, speed(random));
		await workflow.give(0, completed('an earlier one'));
		const given = await schedule(workflow, random);
		return given.filter((eventId) => eventId !== undefined).length;
	});
	const times = Promise.all(all);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await times;
}

const each = (count: number) => Array<number>(SCHEDULES).fill(count);

/** Gives an event to each of these processes, within so many milliseconds. */
async function giveAll(workflow: Workflow, within: number, events: IDataObject[]) {
	return await Promise.all(
		events.map(async (event, process) => {
			await workflow.pass(workflow.random.between(0, within));
			return await workflow.give(process, event);
		}),
	);
}

test('an event that comes to several processes at the same moment goes on once', async () => {
	const schedule: Schedule = async (workflow, random) => {
		const copies = Array<IDataObject>(random.whole(2, 3)).fill(completed('one'));
		return await giveAll(workflow, 30, copies);
	};
	expect(await timesOf(schedule)).toEqual(each(1));
});

test('also if one process is slower than the other', async () => {
	const schedule: Schedule = async (workflow) =>
		await giveAll(workflow, 30, [completed('one'), completed('one')]);
	const speed: Speed = (random) => {
		const speeds = [random.between(5, 25), random.between(5, 75)];
		return (process: number) => speeds[process] ?? 0;
	};
	expect(await timesOf(schedule, speed)).toEqual(each(1));
});

test('if nothing was recorded before, a slower process never makes it lost, and hardly ever lets it go on twice', async () => {
	const schedule: Schedule = async (workflow) => {
		// Until the process that had the earlier event has nothing left to record.
		await workflow.pass(15_000);
		return await giveAll(workflow, 30, [completed('one'), completed('one')]);
	};
	const speed: Speed = (random) => {
		const speeds = [random.between(5, 25), random.between(5, 75)];
		return (process: number) => speeds[process] ?? 0;
	};
	const times = await timesOf(schedule, speed);
	expect(Math.min(...times)).toBe(1);
	expect(times.filter((count) => count > 1).length).toBeLessThan(SCHEDULES * 0.05);
});

test('with a database that takes a second, it is never lost, and hardly ever goes on twice', async () => {
	const schedule: Schedule = async (workflow) =>
		await giveAll(workflow, 1_000, [completed('one'), completed('one'), completed('one')]);
	const speed: Speed = (random) => {
		const milliseconds = random.between(400, 1_200);
		return () => milliseconds;
	};
	const times = await timesOf(schedule, speed);
	expect(Math.min(...times)).toBe(1);
	expect(times.filter((count) => count > 1).length).toBeLessThan(SCHEDULES / 10);
});

test('different events at the same moment all go on', async () => {
	const schedule: Schedule = async (workflow) =>
		await giveAll(workflow, 30, [completed('one'), completed('two'), completed('three')]);
	expect(await timesOf(schedule)).toEqual(each(3));
});

test('two sendings at the same moment both go on, after a first one or without, and each once when they come again', async () => {
	const schedule: Schedule = async (workflow, random) => {
		const isSecond = random.isTrue(0.5);
		const first = isSecond ? [await workflow.give(0, sent('zero'))] : [];
		const sendings = [sent('one'), sent('two')];
		const given = [...first, ...(await giveAll(workflow, 30, sendings))];
		given.push(...(await giveAll(workflow, 30, sendings)));
		return isSecond ? given : [...given, await workflow.give(2, sent('zero'))];
	};
	expect(await timesOf(schedule)).toEqual(each(3));
});

test('what a look finds and a delivery brings at the same moment goes on once, also when that comes again', async () => {
	const schedule: Schedule = async (workflow, random) => {
		const event = random.oneOf(['DOCUMENT_SENT', 'DOCUMENT_COMPLETED']);
		const delivery = { ...sent('one'), event };
		const first = await giveAll(workflow, 60, [found(event), delivery]);
		return random.isTrue(0.5) ? [...first, await workflow.give(2, delivery)] : first;
	};
	expect(await timesOf(schedule)).toEqual(each(1));
});

test('a sending that a look has found starts nothing when it is delivered, and a later one does, once', async () => {
	const schedule: Schedule = async (workflow) => [
		await workflow.give(0, found('DOCUMENT_SENT')),
		await workflow.give(1, sent('one')),
		await workflow.give(2, sent('two')),
		await workflow.give(0, sent('one')),
		await workflow.give(1, sent('two')),
	];
	expect(await timesOf(schedule)).toEqual(each(2));
});

test('what a look finds and two processes get at the same moment goes on once', async () => {
	const schedule: Schedule = async (workflow) => {
		const delivery = completed('sent');
		return await giveAll(workflow, 30, [found('DOCUMENT_COMPLETED'), delivery, delivery]);
	};
	expect(await timesOf(schedule)).toEqual(each(1));
});

test('where the time for which an event is known ends, it goes on once as well', async () => {
	// A minute before an hour ends.
	jest.setSystemTime(1_000 * HOUR_MS - 60_000);
	const schedule: Schedule = async (workflow) => {
		const first = await workflow.give(0, completed('one'));
		// Resent after that time, when some of the processes are in the next hour.
		await workflow.pass(3 * HOUR_MS - (Date.now() % HOUR_MS) - 15);
		return [first, ...(await giveAll(workflow, 30, Array<IDataObject>(3).fill(completed('one'))))];
	};
	expect(await timesOf(schedule, usual, 3 * HOUR_MS)).toEqual(each(2));
});

test('a delivery that takes longer to fetch than it is known does not go on beside its duplicate', async () => {
	const schedule: Schedule = async (workflow) => {
		const slowly = workflow.give(0, completed('one'), async (item) => {
			await workflow.pass(2.5 * HOUR_MS);
			return item;
		});
		await workflow.pass(1_000);
		return [await workflow.give(1, completed('one')), await slowly];
	};
	expect(await timesOf(schedule, usual, 3 * HOUR_MS)).toEqual(each(1));
});

test('an event is not left out without a word if an answer of the database was lost and another process has failed meanwhile', async () => {
	const workflow = new Workflow('cut', new Random(1), () => 5);
	const give = async (eventId: string) => await workflow.give(0, completed(eventId));
	const failing = workflow.give(1, found('DOCUMENT_COMPLETED'), async () => {
		await workflow.pass(700);
		throw new Error('Documenso is down');
	});
	const failed = expect(failing).rejects.toThrow('Documenso is down');
	await jest.advanceTimersByTimeAsync(500);
	workflow.cut = 'one';
	const given = [give('before them'), give('one'), give('sent')];
	const doubtful = expect(given[1]).rejects.toThrow('retry this execution');
	await jest.advanceTimersByTimeAsync(60_000);
	await failed;
	await doubtful;
	expect(await given[0]).toBe('before them');
});

test('a call that the database never answers does not stop the executions after it', async () => {
	const workflow = new Workflow('unanswered', new Random(1), () => 5);
	workflow.unanswered = 'one';
	const unanswered = expect(workflow.give(0, completed('one'))).rejects.toThrow('not answered');
	const next = workflow.give(0, completed('two'));
	await jest.advanceTimersByTimeAsync(200_000);
	await unanswered;
	expect(await next).toBe('two');
});

test('of more events at once than n8n has names for, all go on, and the last ones are not repeated', async () => {
	const workflow = new Workflow('many', new Random(1), () => 5);
	const give = async (numbers: number[], process: number) =>
		await Promise.all(
			numbers.map(async (number) => await workflow.give(process, completed(String(number)))),
		);
	const all = Array.from({ length: 4_000 }, (_, number) => number);
	const first = give(all, 0);
	await jest.advanceTimersByTimeAsync(60_000);
	expect((await first).filter(Boolean)).toHaveLength(4_000);
	const again = give(all.slice(-500), 1);
	await jest.advanceTimersByTimeAsync(60_000);
	expect((await again).filter(Boolean)).toEqual([]);
});
