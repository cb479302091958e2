import type { IExecuteFunctions } from 'n8n-workflow';

import { clock, idle } from '../shared/api/clock';
import { Line } from '../shared/api/line';
import { messageOf } from '../shared/api/failure';
import { forgetOldest, PerNode } from '../shared/n8n/remembered';

/**
 * How many names n8n keeps for a node, two or three for each event; the oldest are forgotten first. n8n reads and writes all
 * of them each time.
 */
const MOST_NAMES = 5_000;

/** n8n's history of what a node has processed: in its database, and the same for all of its processes. */
const HISTORY = { mode: 'entries', maxEntries: MOST_NAMES } as const;

/** How long to wait for n8n's database, in milliseconds. Without it, n8n could not store that an execution has failed. */
const PATIENCE_MS = 60_000;

/** Before the next try, after another process was faster, and after the database has failed. */
const PAUSES_MS = { collision: 50, failure: 1_000 };

/** How often to record again what was recorded lately, in milliseconds on average, and after how many of these pauses. */
const [REPEAT_MS, REPEAT_AT] = [1_000, [1, 3, 10]];

interface Batch {
	names: Set<string>;
	recorded: Promise<Recorded>;
}

interface Recorded {
	/** The names that were not on record. */
	added: Set<string>;
	/** Those of them that no execution has taken yet. */
	free: Set<string>;
	/** The names that an earlier try, whose answer was lost, may have recorded. */
	doubtful: Set<string>;
}

/**
 * What this process does to the history of a node. n8n reads a history whole and writes it back, so changes at the same
 * moment undo each other: this process makes one at a time. Another process may still write over what this one has recorded,
 * which is therefore recorded again.
 */
class NodeHistory {
	private readonly changes = new Line();
	private next?: Batch;
	/** What was recorded in the last seconds, and how many pauses ago. */
	private readonly recent = new Map<string, number>();
	private isRepeating = false;

	/** Records names. Returns those that were not on record, each to one caller. Throws what n8n's database threw. */
	async record(context: IExecuteFunctions, names: string[]): Promise<string[]> {
		if (names.length === 0) return [];
		this.next ??= this.newBatch(context);
		for (const name of names) this.next.names.add(name);
		const { added, free, doubtful } = await this.next.recorded;
		// A try records all names or none.
		const hasAdded = names.some((name) => added.has(name));
		if (!hasAdded && names.some((name) => doubtful.has(name))) throw new Error(IN_DOUBT);
		return names.filter((name) => free.delete(name));
	}

	/** Removes names from the record. It never throws: at worst, they stay there. */
	async forget({ helpers }: IExecuteFunctions, names: string[]) {
		if (names.length === 0) return;
		// What is recorded from now on comes after this.
		this.next = undefined;
		for (const name of names) this.recent.delete(name);
		await this.changes
			.next(async () => await inTime(helpers.removeProcessed(names, 'node', HISTORY)))
			.catch(() => undefined);
	}

	private newBatch(context: IExecuteFunctions): Batch {
		const recorded = this.changes.next(async () => {
			if (this.next === batch) this.next = undefined;
			// Another process may have written over what this one recorded moments ago.
			const answer = await ask(context, [...batch.names, ...this.recentFor(0)]);
			const unlessRecent = (names: unknown[]) =>
				names.map(String).filter((name) => !this.recent.has(name));
			const doubtful = new Set(answer.hasFailed ? unlessRecent(answer.processed) : []);
			const added = unlessRecent(answer.new);
			for (const name of added) this.recent.set(name, 0);
			// More would push each other out.
			forgetOldest(this.recent, MOST_NAMES / 2);
			if (added.length > 0 && !this.isRepeating) void this.repeatAll(context);
			return { added: new Set(added), free: new Set(added), doubtful };
		});
		const batch = { names: new Set<string>(), recorded };
		return batch;
	}

	/** What was recorded one of these numbers of pauses ago. */
	private recentFor(...pauses: number[]): string[] {
		const all = [...this.recent].filter(([, passed]) => pauses.includes(passed));
		return all.map(([name]) => name);
	}

	/** Until nothing is left. It never throws. */
	private async repeatAll(context: IExecuteFunctions) {
		this.isRepeating = true;
		while (this.recent.size > 0) {
			// Two processes that record at the same moment must not write over each other each time.
			await idle(clock.roughly(REPEAT_MS));
			for (const [name, pauses] of this.recent) this.recent.set(name, pauses + 1);
			const due = this.recentFor(...REPEAT_AT);
			await this.record(context, due).catch(() => undefined);
			for (const name of this.recentFor(Math.max(...REPEAT_AT))) this.recent.delete(name);
		}
		this.isRepeating = false;
	}
}

export const histories = new PerNode(() => new NodeHistory());

/** `hasFailed`: an earlier try may have recorded the names. */
async function ask({ helpers }: IExecuteFunctions, names: string[]) {
	const until = clock.uptime() + PATIENCE_MS;
	for (let failures = 0; ;) {
		const asked = inTime(helpers.checkProcessedAndRecord(names, 'node', HISTORY));
		const answer = await asked.catch(async (error: unknown) => {
			if (clock.uptime() >= until) throw error;
			// The first executions of two processes both create the history, and one of them fails.
			const collides = /unique constraint/i.test(messageOf(error));
			failures += collides ? 0 : 1;
			await clock.sleep(PAUSES_MS[collides ? 'collision' : 'failure']);
			return undefined;
		});
		if (answer) return { ...answer, hasFailed: failures > 0 };
	}
}

/** A connection can break without a word, and the other executions of this process wait for the answer, too. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
	const message = `n8n's database has not answered for ${PATIENCE_MS / 1_000} seconds.`;
	const overdue = idle(PATIENCE_MS).then(() => {
		throw new Error(message);
	});
	return await Promise.race([answer, overdue]);
}

const IN_DOUBT =
	"n8n's database failed while it recorded the event. Whether another execution has had the event is not known; to run the workflow for it, retry this execution.";
