/** Numbers that only depend on the seed: a schedule can be run again. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = (seed * 0x9e3779b1) >>> 0;
	}

	/** At least 0 and less than 1. */
	fraction(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	between(least: number, most: number): number {
		return least + this.fraction() * (most - least);
	}

	whole(least: number, most: number): number {
		return Math.floor(this.between(least, most + 1));
	}

	isTrue(share: number): boolean {
		return this.fraction() < share;
	}

	oneOf<Value>(values: readonly Value[]): Value {
		return values[this.whole(0, values.length - 1)] as Value;
	}

	/** Each of the values with this share. */
	some<Value>(values: readonly Value[], share: number): Value[] {
		return values.filter(() => this.isTrue(share));
	}
}
