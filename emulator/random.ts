/** Random numbers that are the same in every run (xorshift32). */
export class Random {
	/** A state of 0 would stay 0 forever. */
	constructor(private state: number) {}

	below(limit: number): number {
		this.state ^= this.state << 13;
		this.state ^= this.state >>> 17;
		this.state ^= this.state << 5;
		return (this.state >>> 0) % limit;
	}

	shuffle<T>(items: readonly T[]): T[] {
		const left = [...items];
		const shuffled: T[] = [];
		while (left.length > 0) shuffled.push(...left.splice(this.below(left.length), 1));
		return shuffled;
	}
}
