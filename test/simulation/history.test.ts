import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import type { Settings } from '../../nodes/DocumensoTrigger/inputs';
import { Random } from './random';

/**
 * Random schedules for the real code that recognises events, in three processes of n8n that share its database: which reads a
 * history whole and writes it back, so that records at the same moment undo each other.
 */
const SCHEDULES = 300;

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

	/** Gives an event to a process. Returns how it is named if it goes on. */
	async give(process: number, json: IDataObject): Promise<string | undefined> {
		const context = this.contextIn(process);
		const settings = { deduplicationMs: 3_600_000 } as Settings;
		const kept = await processes[process]?.oncePerEvent(context, [{ json }], settings, same);
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
			this.names = [...(before ?? []), ...added].slice(-MOST_NAMES);
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

const same = async <Value>(value: Value) => await Promise.resolve(value);

beforeEach(() => {
	jest.useFakeTimers();
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

/** How often what the schedules give goes on, by number. */
async function timesOf(
	schedule: Schedule,
	speed = (random: Random) => {
		const milliseconds = random.between(5, 25);
		return () => milliseconds;
	},
): Promise<number[]> {
	const all = Array.from({ length: SCHEDULES }, async (_, seed) => {
		const random = new Random(seed + 1);
		const workflow = new Workflow(`${schedule.name}${seed}`, random, speed(random));
		await workflow.give(0, completed('an earlier one'));
		const given = await schedule(workflow, random);
		return given.filter((eventId) => eventId !== undefined).length;
	});
	const times = Promise.all(all);
	await jest.advanceTimersByTimeAsync(120_000);
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
	const speed = (random: Random) => {
		const speeds = [random.between(5, 25), random.between(5, 75)];
		return (process: number) => speeds[process] ?? 0;
	};
	expect(await timesOf(schedule, speed)).toEqual(each(1));
});

test('with a database that takes a second, it is never lost, and hardly ever goes on twice', async () => {
	const schedule: Schedule = async (workflow) =>
		await giveAll(workflow, 1_000, [completed('one'), completed('one'), completed('one')]);
	const speed = (random: Random) => {
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
