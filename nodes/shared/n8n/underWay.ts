import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../api/clock';

/**
 * How long Documenso, or a proxy on the way, may go on with a request whose answer was lost, in milliseconds. Only
 * after that does a look tell for certain whether it took effect.
 */
export const SETTLED_MS = 120_000;

/** Which creations may still take effect, and since when nothing is known of them. */
export class Doubts {
	private readonly since = new Map<string, number>();

	constructor(private readonly clock: Pick<Clock, 'uptime'>) {}

	/** Begins again for a key that is known. */
	add(key: string) {
		const now = this.clock.uptime();
		this.since.delete(key);
		this.since.set(key, now);
		// In the order of time.
		for (const [other, since] of this.since) {
			if (now - since < SETTLED_MS) break;
			this.since.delete(other);
		}
	}

	remove(key: string) {
		this.since.delete(key);
	}

	/** Milliseconds until the doubt is settled; 0 if there is none. */
	left(key: string): number {
		const since = this.since.get(key) ?? -Infinity;
		return Math.max(0, since + SETTLED_MS - this.clock.uptime());
	}
}

/** n8n's history of what a node has processed: in its database, so that it outlives the process. */
const HISTORY = { mode: 'entries' } as const;

/** How long to wait for n8n's database, in milliseconds. Without it, documents are created without a note. */
const PATIENCE_MS = 30_000;

/**
 * A note in n8n's history of a node, for the next process: it is there as long as runs of the node create documents in
 * this one, and longer if n8n is killed meanwhile.
 */
export class Note {
	private runs = 0;
	/** Whether there was one of another process; undefined while there is none of this one. */
	private written?: Promise<boolean>;
	private removed: Promise<unknown> = Promise.resolve();
	private inDoubtUntil = 0;

	constructor(
		private readonly clock: Pick<Clock, 'uptime' | 'sleep'>,
		private readonly name: string,
	) {}

	/**
	 * Before a run creates anything. Returns whether requests of a process that has died may still take effect. In queue
	 * mode, the other one may be alive.
	 */
	async begin(context: IExecuteFunctions): Promise<boolean> {
		this.runs += 1;
		this.written ??= this.removed.then(async () => await this.inTime(this.write(context), false));
		return (await this.written) && this.isYoung();
	}

	private async write({ helpers }: IExecuteFunctions): Promise<boolean> {
		const hasOthers = this.isYoung() && (await helpers.getProcessedDataCount('node', HISTORY)) > 0;
		await helpers.checkProcessedAndRecord([this.name], 'node', HISTORY);
		return hasOthers;
	}

	/** After a run. As long as something of it is in doubt, the note stays. */
	async end({ helpers }: IExecuteFunctions, { isInDoubt }: { isInDoubt: boolean }) {
		this.runs -= 1;
		if (isInDoubt) this.inDoubtUntil = this.clock.uptime() + SETTLED_MS;
		if (this.runs > 0 || this.clock.uptime() < this.inDoubtUntil) return;
		const written = this.written;
		this.written = undefined;
		const remove = async () => {
			await written;
			// What was under way in earlier processes has ended, too, once this one is old enough.
			await (this.isYoung()
				? helpers.removeProcessed([this.name], 'node', HISTORY)
				: helpers.clearAllProcessedItems('node', HISTORY));
		};
		await (this.removed = this.inTime(remove(), undefined));
	}

	private isYoung(): boolean {
		return this.clock.uptime() < SETTLED_MS;
	}

	/** What the database answers, or something else if it fails or takes too long. */
	private async inTime<Value>(answer: Promise<Value>, otherwise: Value): Promise<Value> {
		const answered = new AbortController();
		const late = this.clock.sleep(PATIENCE_MS, answered.signal);
		try {
			return await Promise.race([answer.catch(() => otherwise), late.then(() => otherwise)]);
		} finally {
			answered.abort();
		}
	}
}
