import type { IExecuteFunctions } from 'n8n-workflow';

import { AdaptiveConcurrency } from '../api/adaptiveConcurrency';
import { Client } from '../api/client';
import { Claims } from './claims';
import { RunProgress } from './progress';

/** One run of the node, with all that its items share. */
export class Execution {
	readonly continueOnFail: boolean;
	/** Limits concurrent items and concurrent requests. */
	readonly concurrency: AdaptiveConcurrency;
	readonly claims = new Claims();
	private made?: Promise<Client>;
	private remembered?: RunProgress;

	constructor(
		readonly context: IExecuteFunctions,
		maxConcurrentRequests?: number,
	) {
		this.continueOnFail = context.continueOnFail();
		this.concurrency = new AdaptiveConcurrency(maxConcurrentRequests);
	}

	/** Made when the first item needs it, so that a bad credential makes items fail, not the whole run. */
	async client(): Promise<Client> {
		return await (this.made ??= Client.of(this.context, { concurrency: this.concurrency }));
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
