import type { IDataObject } from 'n8n-workflow';

/** By key. Other processes of n8n, such as workers, do not see them. */
const held = new Map<string, Claim>();

/** The right to make something that must not be made twice. All executions in this process respect it. */
export class Claim {
	/** Resolves with what was made, or with undefined once the claim is given up. */
	readonly outcome: Promise<IDataObject | undefined>;
	made?: Promise<IDataObject>;
	private settle: (made?: IDataObject) => void = () => undefined;

	constructor(
		private readonly key: string,
		readonly holder: Claims,
		/** The first item of the execution that asked for it. */
		readonly item: number,
	) {
		this.outcome = new Promise((resolve) => (this.settle = resolve));
	}

	/** Makes it, and gives the claim up. From then on, Documenso itself tells that it exists. */
	async make(work: () => Promise<IDataObject>): Promise<IDataObject> {
		this.made = work();
		try {
			const made = await this.made;
			this.release(made);
			return made;
		} finally {
			this.release();
		}
	}

	release(made?: IDataObject) {
		if (held.get(this.key) === this) held.delete(this.key);
		this.settle(made);
	}
}

/**
 * The claims of one execution. It takes all of them at once: were it to wait for others in between, two executions
 * could wait for each other.
 */
export class Claims {
	private readonly own: Claim[] = [];

	/** The claim of whoever asked first, if that is still at work. */
	take(key: string, item: number): Claim {
		const before = held.get(key);
		if (before) return before;
		const claim = new Claim(key, this, item);
		held.set(key, claim);
		this.own.push(claim);
		return claim;
	}

	releaseAll() {
		for (const claim of this.own) claim.release();
	}
}
