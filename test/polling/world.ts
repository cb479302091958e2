import type { Envelope } from '../../emulator/entities';
import type { Random } from '../../emulator/random';
import { beforeCall, folder, type paperwork } from '../support/polling';
import type { Suite } from '../support/suite';

/** What the model knows of a document. */
interface Followed {
	document: Envelope;
	/** The events that are to be reported of it, sooner or later. */
	expected: string[];
	/** How many polls had succeeded when it was created, and when it was last changed. */
	created: number;
	changed: number;
	isDeleted: boolean;
}

/**
 * Lets things happen to documents at random, between polls and between two requests of a poll. Deletions are
 * left to where it is certain what polls have seen before, for otherwise nobody could say what is to be reported.
 */
export class World {
	readonly all: Followed[] = [];
	readonly folders: string[];
	polls = 0;
	/** Changed during the last poll that succeeded. */
	private unsure = new Set<Followed>();
	changes = 0;
	/** Weeks ago, so that dates go on much faster than the clock. */
	private time = Date.now() - 60 * 24 * 3_600_000;

	constructor(
		private readonly suite: Suite,
		private readonly paper: ReturnType<typeof paperwork>,
		private readonly random: Random,
	) {
		this.folders = ['A', 'B', 'C'].map((name) => folder(suite.service, name));
	}

	change(isDuringPoll: boolean) {
		this.time += this.random.below(4) * this.random.below(90_000);
		const dice = this.random.below(100);
		const one = this.all[this.random.below(this.all.length)];
		if (dice < 35 || !one) this.create();
		else if (!one.isDeleted) this.advance(one, dice, isDuringPoll);
	}

	create() {
		// Now and then one appears only minutes after its date.
		const lateMs = this.random.below(10) === 0 ? this.random.below(5 * 60_000) : 0;
		const document = this.paper.draft(`Document ${this.all.length}`, {
			createdAt: new Date(this.time - lateMs),
			folderId: this.place(),
		});
		const followed = { document, expected: ['DOCUMENT_CREATED'], created: this.polls };
		this.all.push({ ...followed, changed: this.polls, isDeleted: false });
		this.changes++;
	}

	private advance(one: Followed, dice: number, isDuringPoll: boolean) {
		const { document } = one;
		const at = new Date(this.time);
		if (dice < 55 && document.status === 'DRAFT') {
			this.paper.send(document, at);
			this.expect(one, 'DOCUMENT_SENT');
		} else if (dice < 80 && document.status === 'PENDING') {
			const status = (['COMPLETED', 'REJECTED', 'CANCELLED'] as const)[this.random.below(3)];
			this.paper.finish(document, status, at);
			this.expect(one, `DOCUMENT_${status ?? ''}`);
		} else if (dice < 90) {
			document.folderId = this.place();
		} else if (!isDuringPoll) {
			this.remove(one, at);
		}
	}

	/** What was seen by no poll is not reported; what may have been seen by one is left alone. */
	private remove(one: Followed, at: Date) {
		const { document, expected } = one;
		const [created, changed] = [this.isSeen(one, one.created), this.isSeen(one, one.changed)];
		if (created === undefined || changed === undefined) return;
		if (!created) {
			one.expected = [];
		} else if (!document.completedAt) {
			// That it was sent nobody can know any more.
			if (!changed && document.status === 'PENDING') expected.pop();
			expected.push('DOCUMENT_CANCELLED');
		} else if (!changed && document.status !== 'CANCELLED') {
			expected.push('DOCUMENT_CANCELLED');
		}
		one.isDeleted = true;
		this.changes++;
		this.paper.remove(document, at);
	}

	/** Whether a poll has seen what happened after so many polls; nothing where nobody can say. */
	private isSeen(one: Followed, polls: number): boolean | undefined {
		if (this.polls - polls >= 2) return true;
		return this.polls === polls && !this.unsure.has(one) ? false : undefined;
	}

	/** Lets `poll` run while things happen. */
	async during<Result>(poll: () => Promise<Result>): Promise<Result> {
		const changed = new Set<Followed>();
		const stop = beforeCall(this.suite.service, () => {
			if (this.random.below(3) > 0) return;
			const before = new Map(this.all.map((one) => [one, one.expected.length]));
			this.change(true);
			for (const one of this.all) if (one.expected.length !== before.get(one)) changed.add(one);
		});
		try {
			const result = await poll();
			this.polls++;
			this.unsure = changed;
			for (const one of changed) {
				if (one.created === this.polls - 1) one.created = this.polls;
				one.changed = this.polls;
			}
			return result;
		} finally {
			stop();
		}
	}

	private expect(one: Followed, event: string) {
		one.expected.push(event);
		one.changed = this.polls;
		this.changes++;
	}

	private place(): string | null {
		return [null, ...this.folders][this.random.below(4)] ?? null;
	}
}
