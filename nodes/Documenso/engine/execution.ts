import type { IExecuteFunctions } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../api/adaptiveConcurrency';
import { Client } from '../api/client';
import type { Bulk } from '../api/service';
import { Claims } from './claims';
import { Parameters } from './parameters';
import { RunProgress } from './progress';

/** Percent. */
export const RATE_LIMIT_RESERVE = 10;
/** An execution with so few items is not bulk work: the reserve is there for it, too. */
const FEW_ITEMS = 10;

/** Options that hold for the whole run. */
export interface RunOptions {
	/** For operations that create something. */
	checkAllFirst?: boolean;
	maxInFlight?: number;
	/** Percent. */
	rateLimitReserve?: number;
}

/** One run of the node, with all that its items share. */
export class Execution {
	readonly continueOnFail: boolean;
	readonly isCheckedFirst: boolean;
	readonly claims = new Claims();
	readonly parameters: Parameters;
	private readonly bulk: Bulk;
	private made?: Promise<Client>;
	private ready?: Client;
	private remembered?: RunProgress;

	constructor(
		readonly context: IExecuteFunctions,
		{
			checkAllFirst = true,
			maxInFlight = MAX_CONCURRENT_REQUESTS,
			rateLimitReserve = RATE_LIMIT_RESERVE,
		}: RunOptions = {},
	) {
		this.continueOnFail = context.continueOnFail();
		this.isCheckedFirst = checkAllFirst;
		this.parameters = new Parameters(context);
		const reserve = this.items.length > FEW_ITEMS ? rateLimitReserve / 100 : 0;
		this.bulk = { maxConcurrentRequests: maxInFlight, reserve };
	}

	/** With a bad credential, the items fail when they ask for the client, and not the whole run. */
	async client(): Promise<Client> {
		return await (this.made ??= Client.of(this.context, { bulk: this.bulk }));
	}

	/** Makes the client, which knows the limit for the first items. */
	async prepare() {
		this.ready = await this.client().catch(() => undefined);
	}

	/** How many items may be worked on at a time: as many as requests. */
	get limit(): number {
		return this.ready?.limit ?? 1;
	}

	/** Made when it is needed, because n8n takes a tenth of a millisecond for the index of the run. */
	get progress(): RunProgress {
		return (this.remembered ??= new RunProgress(this.context));
	}

	get isCancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted ?? false;
	}

	/** The indexes of all items. */
	get items(): number[] {
		return this.context.getInputData().map((_, index) => index);
	}
}
