import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settings } from '../../../nodes/DocumensoTrigger/inputs';
import { clock } from '../../../nodes/shared/api/clock';
import { inFreshProcess } from '../../support/freshProcess';
import { realClock } from '../../support/hurry';
import { Random } from '../../support/random';
import { useVirtualTime } from '../../support/virtualTime';

/**
 * Random schedules for the real code that recognises events, in three processes of n8n that share its database: which reads a
 * history whole and writes it back, so that records at the same moment undo each other.
 */
const SCHEDULES = 200;

const HOUR_MS = 3_600_000;

type History = typeof import('../../../nodes/DocumensoTrigger/history');

/** What one process of n8n has loaded, and remembers. */
function freshProcess(): History {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	return inFreshProcess(() => require('../../../nodes/DocumensoTrigger/history.ts') as History);
}

/** A workflow with its history. */
class Workflow {
	private names: string[] | undefined;

	/** A process takes so many milliseconds to read it, on average, and as many to write it. */
	constructor(
		readonly id: string,
		readonly random: Random,
		private readonly milliseconds: number,
	) {}

	/** How often the history was written. */
	writes = 0;
	/** Part of the names that are written next although the answer is lost. */
	cut?: string;
	/** Part of the names that the database never answers. */
	unanswered?: string;

	/** Gives an event to a process. Returns how it is named if it goes on. */
	async give(process: number, json: IDataObject, fetch = same): Promise<string | undefined> {
		const context = this.context();
		const settings = { deduplicationMs: HOUR_MS } as Settings;
		const kept = await processes[process]?.oncePerEvent(context, [{ json }], settings, fetch);
		return kept?.[0]?.json.eventId as string | undefined;
	}

	async pass(milliseconds: number) {
		await clock.sleep(milliseconds);
	}

	private context(): IExecuteFunctions {
		const checkProcessedAndRecord = async (
			names: string[],
			_scope: string,
			{ maxEntries }: { maxEntries: number },
		) => {
			const before = await this.read();
			const known = new Set(before);
			const added = names.filter((name) => !known.has(name));
			if (!before && this.names) throw new Error('UNIQUE constraint failed: processed_data');
			if (names.includes(this.unanswered ?? '')) await new Promise(() => undefined);
			this.writes += 1;
			this.names = [...(before ?? []), ...added].slice(-maxEntries);
			if (names.includes(this.cut ?? '')) {
				this.cut = undefined;
				throw new Error('The connection was closed');
			}
			return { new: added, processed: names.filter((name) => known.has(name)) };
		};
		const removeProcessed = async (names: string[]) => {
			this.names = (await this.read())?.filter((name) => !names.includes(name));
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

	private async read(): Promise<string[] | undefined> {
		const milliseconds = () => this.milliseconds * this.random.between(0.3, 1.7);
		await this.pass(milliseconds());
		const { names } = this;
		await this.pass(milliseconds());
		return names;
	}
}

let processes: History[];
let executions = 0;

const same = async (item: INodeExecutionData) => await Promise.resolve(item);

const time = useVirtualTime(1_000 * HOUR_MS);

beforeEach(() => {
	processes = [freshProcess(), freshProcess(), freshProcess()];
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

/** How often what each schedule gives goes on. */
async function timesOf(schedule: Schedule, milliseconds = 60_000) {
	const all = Array.from({ length: SCHEDULES }, async (_, seed) => {
		const random = new Random(seed + 1);
		const workflow = new Workflow(String(seed), random, random.between(2, 20));
		await workflow.give(0, completed('an earlier one'));
		const given = await schedule(workflow, random);
		return given.filter((eventId) => eventId !== undefined).length;
	});
	const times = Promise.all(all);
	await time.pass(milliseconds);
	return await times;
}

const each = (count: number) => Array<number>(SCHEDULES).fill(count);

/** Gives events to one process each, the next after so many milliseconds. */
async function giveAll(workflow: Workflow, distance: number, events: IDataObject[]) {
	return await Promise.all(
		events.map(async (event, process) => {
			await workflow.pass(process * distance);
			return await workflow.give(process, event);
		}),
	);
}

/** In each of two processes, other events of the workflow begin about ten times a second. */
async function giveOthers(workflow: Workflow, seconds: number) {
	await Promise.all(
		[0, 1].flatMap((process) =>
			Array.from({ length: 10 * seconds }, async (_, number) => {
				await workflow.pass(1_000 * workflow.random.between(0, seconds));
				await workflow.give(process, completed(`other ${process}.${number}`));
			}),
		),
	);
}

describe('an event that comes to two processes', () => {
	/** How many of the events go on twice. None is lost. */
	async function twice(distance: number, { isBusy = false } = {}) {
		const times = await timesOf(async (workflow, random) => {
			const others = isBusy ? giveOthers(workflow, 3) : undefined;
			await workflow.pass(random.between(300, 1_000));
			const given = await giveAll(workflow, distance, [completed('one'), completed('one')]);
			await others;
			return given;
		});
		expect(Math.min(...times)).toBe(1);
		return times.filter((count) => count > 1).length;
	}

	test.each([
		[0, 0.9, 0.9],
		[10, 0.6, 0.6],
		[100, 0, 0.1],
		[1_000, 0, 0],
	])('%d ms apart goes on twice in at most %d of all cases', async (distance, most, mostIfBusy) => {
		const alone = await twice(distance);
		const amongOthers = await twice(distance, { isBusy: true });
		process.stdout.write(
			`${distance} ms apart, of ${SCHEDULES}: ${alone} twice, and ${amongOthers} while both are busy\n`,
		);
		expect(alone / SCHEDULES).toBeLessThanOrEqual(most);
		expect(amongOthers / SCHEDULES).toBeLessThanOrEqual(mostIfBusy);
	});
});

test('different events at the same moment all go on, and hardly ever again when they come to another process later', async () => {
	const schedule: Schedule = async (workflow) => {
		const events = [completed('one'), completed('two')];
		const given = await giveAll(workflow, 0, events);
		// Until the one that was written over has been recorded again.
		await workflow.pass(5_000);
		for (const event of events) given.push(await workflow.give(2, event));
		return given;
	};
	const times = await timesOf(schedule);
	expect(Math.min(...times)).toBe(2);
	// Rarely, the two processes also repeat what they have recorded at the same moment.
	expect(times.filter((count) => count > 2).length).toBeLessThan(SCHEDULES / 50);
});

test('two sendings at the same moment both go on, and later no more', async () => {
	const schedule: Schedule = async (workflow, random) => {
		const isSecond = random.isTrue(0.5);
		const first = isSecond ? [await workflow.give(0, sent('zero'))] : [];
		const sendings = [sent('one'), sent('two')];
		const given = [...first, ...(await giveAll(workflow, 0, sendings))];
		await workflow.pass(5_000);
		given.push(...(await giveAll(workflow, 0, sendings)));
		return isSecond ? given : [...given, await workflow.give(2, sent('zero'))];
	};
	expect(await timesOf(schedule)).toEqual(each(3));
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

test('what was delivered and what a look finds goes on once, in either order', async () => {
	const schedule: Schedule = async (workflow, random) => {
		const event = random.oneOf(['DOCUMENT_SENT', 'DOCUMENT_COMPLETED']);
		const both = [found(event), { ...sent('one'), event }];
		return await giveAll(workflow, 1_000, random.isTrue(0.5) ? both : both.reverse());
	};
	expect(await timesOf(schedule)).toEqual(each(1));
});

test('where the time for which an event is known ends, it goes on once as well', async () => {
	// A minute before an hour ends.
	await time.pass(HOUR_MS - 60_000);
	const schedule: Schedule = async (workflow) => {
		const first = await workflow.give(0, completed('one'));
		// Resent after that time, the second time in the next hour.
		await workflow.pass(3 * HOUR_MS - (clock.now() % HOUR_MS) - 500);
		return [first, ...(await giveAll(workflow, 1_000, [completed('one'), completed('one')]))];
	};
	expect(await timesOf(schedule, 3 * HOUR_MS)).toEqual(each(2));
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
	expect(await timesOf(schedule, 3 * HOUR_MS)).toEqual(each(1));
});

test('each event is written once, and what one process has recorded, at most once a second again', async () => {
	const workflow = new Workflow('writes', new Random(1), 5);
	for (let number = 0; number < 50; number++) {
		void workflow.give(0, completed(String(number)));
		await time.pass(100);
	}
	await time.pass(60_000);
	const again = workflow.writes - 50;
	expect(again).toBeGreaterThan(3);
	expect(again).toBeLessThan(5 + 15);
});

test('what a process has to record again does not keep it from ending', async () => {
	Object.assign(clock, realClock);
	const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
	const before = timers();
	// Jest has a few timers, too.
	const workflows = Array.from({ length: 50 }, (_, number) => {
		return new Workflow(`ending ${number}`, new Random(1), 1);
	});
	for (const workflow of workflows) await workflow.give(0, completed('one'));
	expect(timers()).toBeLessThan(before + workflows.length / 2);
});

test('an event is not left out without a word if an answer of the database was lost and another process has failed meanwhile', async () => {
	const workflow = new Workflow('cut', new Random(1), 5);
	const give = async (eventId: string) => await workflow.give(0, completed(eventId));
	const failing = workflow.give(1, found('DOCUMENT_COMPLETED'), async () => {
		await workflow.pass(700);
		throw new Error('Documenso is down');
	});
	const failed = expect(failing).rejects.toThrow('Documenso is down');
	await time.pass(500);
	workflow.cut = 'one';
	const before = give('before them');
	await time.pass(1);
	const given = [give('one'), give('sent')];
	const doubtful = expect(given[0]).rejects.toThrow('retry this execution');
	await time.pass(60_000);
	await failed;
	await doubtful;
	expect(await before).toBe('before them');
	expect(await given[1]).toBe('sent');
});

test('a call that the database never answers does not stop the executions after it', async () => {
	const workflow = new Workflow('unanswered', new Random(1), 5);
	workflow.unanswered = 'one';
	const unanswered = expect(workflow.give(0, completed('one'))).rejects.toThrow('not answered');
	await time.pass(10);
	const next = workflow.give(0, completed('two'));
	await time.pass(200_000);
	await unanswered;
	expect(await next).toBe('two');
});

test('of more events at once than n8n has names for, all go on, and the last ones are not repeated', async () => {
	const workflow = new Workflow('many', new Random(1), 5);
	const give = async (numbers: number[], process: number) =>
		await Promise.all(
			numbers.map(async (number) => await workflow.give(process, completed(String(number)))),
		);
	const all = Array.from({ length: 4_000 }, (_, number) => number);
	const first = give(all, 0);
	await time.pass(60_000);
	expect((await first).filter(Boolean)).toHaveLength(4_000);
	const again = give(all.slice(-500), 1);
	await time.pass(60_000);
	expect((await again).filter(Boolean)).toEqual([]);
});
