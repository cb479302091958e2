/** The ceiling, unless a user raises it. */
export const MAX_CONCURRENT_REQUESTS = 32;
const FIRST_LIMIT = 4;
/** A step is judged only after so many answers, because the latencies of single requests vary. */
const MIN_ANSWERS = 8;
const STEP = 1.25;
/**
 * The least factor by which a step may change the power; if it is less, the direction changes. After a rise, the power
 * may be a little lower by chance; after a fall, it must be higher.
 */
const LEAST_BY_RISING = 0.95;
const LEAST_BY_FALLING = 1.04;
const LEAST_BY_DOUBLING = 0.8;
/** At the ceiling the limit stays, until the service has become slower by more than chance explains. */
const LEAST_BY_STAYING = 0.8;

/**
 * A limit on concurrent requests that finds out how many the service can handle. It climbs towards the highest
 * "power" (Kleinrock 1979), which is throughput over latency. While the service has room, a higher limit raises the
 * throughput and not the latency; once requests queue there, it raises the latency and not the throughput. Comparing
 * with the shortest latency so far would not do: if latencies vary, the limit would fall to 1, and if requests queued
 * from the start, it would keep the queue. The limit doubles at first, and then goes up or down in steps, changing
 * direction after each step that made the power worse.
 */
export class AdaptiveConcurrency {
	private found = FIRST_LIMIT;
	private isStarting = true;
	private isRising = true;
	private power = 0;
	/** The limit at which the service had that power. */
	private judgedLimit = 0;
	/** Counts the limits: an answer to a request of an earlier step says nothing about this one. */
	private step = 0;
	private answers = 0;
	private latency = 0;
	/** By kind of request: the first latency, in milliseconds. Later ones count in multiples of it. */
	private readonly usual = new Map<string, number>();

	constructor(private readonly ceiling = () => MAX_CONCURRENT_REQUESTS) {}

	get limit(): number {
		return Math.min(this.found, this.ceiling());
	}

	/** After a pause, a service that was overloaded starts again with the first limit. */
	recover() {
		if (this.found >= FIRST_LIMIT) return;
		[this.isStarting, this.isRising, this.power, this.judgedLimit] = [true, true, 0, 0];
		this.moveTo(FIRST_LIMIT);
	}

	/**
	 * For a request that is sent now. The caller reports the answer and how many requests were under way then, or that
	 * the service was overloaded.
	 */
	begin(kind: string) {
		const { step } = this;
		const sentAt = performance.now();
		return {
			answered: (underWay: number) => {
				const milliseconds = performance.now() - sentAt;
				const usual = this.usual.get(kind) ?? Math.max(milliseconds, 1);
				this.usual.set(kind, usual);
				// With few requests under way, the limit has no effect, and would rise although nothing tests it.
				const isUsed = underWay > this.limit / 2;
				if (step === this.step && isUsed) this.judge(milliseconds / usual);
			},
			overloaded: () => {
				if (step !== this.step) return;
				[this.isStarting, this.isRising, this.power, this.judgedLimit] = [false, true, 0, 0];
				this.moveTo(this.limit / 2);
			},
		};
	}

	private judge(latency: number) {
		this.latency += latency;
		this.answers++;
		if (this.answers < (this.isStarting ? this.limit : Math.max(this.limit, MIN_ANSWERS))) return;
		// Throughput is concurrency over latency, so this is the square root of the power.
		const power = (Math.sqrt(this.limit) * this.answers) / this.latency;
		const isWorse = power < this.power * this.least;
		const hasStayed = this.limit === this.judgedLimit;
		if (isWorse || !hasStayed) [this.power, this.judgedLimit] = [power, this.limit];
		if (isWorse) this.isRising = !this.isRising;
		// Below 1 there is no limit to try.
		if (this.limit === 1) this.isRising = true;
		if (this.mayDouble && !isWorse) {
			this.moveTo(this.limit * 2);
		} else if (this.isStarting) {
			// Too many, or the ceiling: the next steps go down.
			[this.isStarting, this.isRising] = [false, false];
			this.moveTo(isWorse ? this.limit / 2 : this.limit / STEP);
		} else if (this.isRising) {
			this.moveTo(Math.max(this.limit + 1, this.limit * STEP));
		} else {
			this.moveTo(Math.min(this.limit - 1, Math.round(this.limit / STEP)));
		}
	}

	private get mayDouble() {
		return this.isStarting && this.limit < this.ceiling();
	}

	private get least() {
		if (this.limit === this.judgedLimit) return LEAST_BY_STAYING;
		if (this.mayDouble) return LEAST_BY_DOUBLING;
		return this.isRising ? LEAST_BY_RISING : LEAST_BY_FALLING;
	}

	private moveTo(limit: number) {
		this.found = Math.max(1, Math.min(this.ceiling(), Math.floor(limit)));
		[this.answers, this.latency] = [0, 0];
		this.step++;
	}
}
