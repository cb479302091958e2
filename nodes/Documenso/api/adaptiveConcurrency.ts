/** Requests under way at once, unless the user allows more or fewer. */
export const MAX_CONCURRENT_REQUESTS = 32;
const FIRST_LIMIT = 4;
/** Answers that a step is judged by at least, because single ones scatter. */
const MIN_ANSWERS = 8;
const STEP = 1.25;
/** What a step has to make of the power: a rise may cost what chance can, a fall has to pay. Doubling is lenient. */
const LEAST_BY_RISING = 0.95;
const LEAST_BY_FALLING = 1.04;
const LEAST_BY_DOUBLING = 0.8;

/**
 * How many requests may be under way at once: as many as the service bears. It climbs towards the highest
 * "power" (Kleinrock 1979), which is throughput over latency. With room, more at once raises the throughput and
 * leaves the latency; where more would only wait in line, it is the other way round. Unlike a comparison with
 * the shortest latency ever seen, that neither starves when latencies scatter nor takes a queue for normal. It
 * doubles at first, and then goes on by steps, turning round whenever one has made it worse.
 */
export class AdaptiveConcurrency {
	limit: number;
	private isStarting = true;
	private isRising = true;
	private power = 0;
	/** Answers to what was sent under an earlier limit say nothing about this one. */
	private step = 0;
	private answers = 0;
	private latency = 0;
	/** The first latency of each kind of request, by which others of the kind are measured. */
	private readonly usual = new Map<string, number>();

	constructor(readonly ceiling = MAX_CONCURRENT_REQUESTS) {
		this.limit = Math.min(FIRST_LIMIT, ceiling);
	}

	/** Has to be told of the answer to what is sent now, or that the service could not cope with it. */
	begin(kind: string) {
		const { step } = this;
		const sentAt = performance.now();
		return {
			answered: () => {
				const milliseconds = performance.now() - sentAt;
				const usual = this.usual.get(kind) ?? Math.max(milliseconds, 1);
				this.usual.set(kind, usual);
				if (step === this.step) this.judge(milliseconds / usual);
			},
			overloaded: () => {
				if (step !== this.step) return;
				[this.isStarting, this.isRising, this.power] = [false, true, 0];
				this.moveTo(this.limit / 2);
			},
		};
	}

	private judge(latency: number) {
		this.latency += latency;
		this.answers++;
		if (this.answers < (this.isStarting ? this.limit : Math.max(this.limit, MIN_ANSWERS))) return;
		// Its square root, in fact: throughput is the number under way over the latency.
		const power = (Math.sqrt(this.limit) * this.answers) / this.latency;
		const isWorse = power < this.power * this.least;
		this.power = power;
		if (isWorse) this.isRising = !this.isRising;
		// Below there is nothing.
		if (this.limit === 1) this.isRising = true;
		if (this.mayDouble && !isWorse) {
			this.moveTo(this.limit * 2);
		} else if (this.isStarting) {
			// Too many now, or as many as there may be: from here on fewer are tried.
			[this.isStarting, this.isRising] = [false, false];
			this.moveTo(isWorse ? this.limit / 2 : this.limit / STEP);
		} else if (this.isRising) {
			this.moveTo(Math.max(this.limit + 1, this.limit * STEP));
		} else {
			this.moveTo(Math.min(this.limit - 1, Math.round(this.limit / STEP)));
		}
	}

	private get mayDouble() {
		return this.isStarting && this.limit < this.ceiling;
	}

	private get least() {
		if (this.mayDouble) return LEAST_BY_DOUBLING;
		return this.isRising ? LEAST_BY_RISING : LEAST_BY_FALLING;
	}

	private moveTo(limit: number) {
		this.limit = Math.max(1, Math.min(this.ceiling, Math.floor(limit)));
		[this.answers, this.latency] = [0, 0];
		this.step++;
	}
}
