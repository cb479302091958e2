import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import { MAX_CONCURRENT_REQUESTS, type Bulk } from '../api/service';
import { addHint, Hints } from './hint';
import { escaped } from './nodeError';
import { Parameters } from './parameters';
import type { N8nProcess } from './process';
import { executionIdOf, RunProgress } from './progress';

/** Percent. */
export const RATE_LIMIT_RESERVE = 10;
/** An execution with so few items is not bulk work: the reserve is there for it, too. */
const FEW_ITEMS = 10;

export interface RunOptions {
	/** Whether somebody tries the workflow out. */
	isTest?: boolean;
	/** For operations that create something. */
	checkAllFirst?: boolean;
	/** For operations that create documents. Only in a test: there, it gets the emails of all recipients. */
	manualExecutionsSendTo?: string;
	maxInFlight?: number;
	/** Percent. */
	rateLimitReserve?: number;
}

/** One run of the node, with all that its items share. */
export class Execution {
	/** n8n's own, or where it has none, as for a tool of its MCP Server Trigger, one that no other execution has. */
	readonly id: string;
	readonly continueOnFail: boolean;
	readonly isCheckedFirst: boolean;
	readonly isTest: boolean;
	readonly testAddress?: string;
	readonly parameters: Parameters;
	readonly hints = new Hints();
	readonly items: number[];
	/** The addresses that Documenso emails because of this run. */
	readonly emailed = new Set<string>();
	private readonly bulk: Bulk;
	private connecting?: Promise<Client>;
	private connected?: Client;
	private runProgress?: RunProgress;
	private readonly cleanUps: Array<() => unknown> = [];

	constructor(
		readonly context: IExecuteFunctions,
		readonly process: N8nProcess,
		{
			isTest = false,
			checkAllFirst = true,
			manualExecutionsSendTo,
			maxInFlight = MAX_CONCURRENT_REQUESTS,
			rateLimitReserve = RATE_LIMIT_RESERVE,
		}: RunOptions = {},
	) {
		this.id = executionIdOf(context) ?? randomUUID();
		this.continueOnFail = context.continueOnFail();
		this.isTest = isTest;
		this.isCheckedFirst = checkAllFirst;
		this.testAddress = manualExecutionsSendTo;
		// Not what only a test reads: in production, its expression may name a node that has not run.
		this.parameters = new Parameters(context, (inner) => inner !== 'manualExecutionsSendTo');
		this.items = context.getInputData().map((_, index) => index);
		const reserve = this.items.length > FEW_ITEMS ? rateLimitReserve / 100 : 0;
		this.bulk = { maxConcurrentRequests: maxInFlight, reserve };
	}

	/** With a bad credential, the items fail when they ask for the client, and not the whole run. */
	async client(): Promise<Client> {
		return await (this.connecting ??= this.process.connect(this.context, this.bulk));
	}

	/** Makes the client, which knows the limit for the first items. */
	async prepare() {
		this.connected = await this.client().catch(() => undefined);
	}

	/** How many items may be worked on at a time: as many as requests. */
	get limit(): number {
		return this.connected?.limit ?? 1;
	}

	/** Made when it is needed, because n8n takes a tenth of a millisecond for the index of the run. */
	get progress(): RunProgress {
		return (this.runProgress ??= new RunProgress(this.context, {
			isRedirected: this.testAddress !== undefined,
		}));
	}

	get isCancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted ?? false;
	}

	/** Does something when the run ends, however it ends. */
	onEnd(cleanUp: () => unknown) {
		this.cleanUps.push(cleanUp);
	}

	async end() {
		for (const cleanUp of this.cleanUps.splice(0)) await cleanUp();
		this.tellEmailed();
		this.hints.show(this.context);
	}

	/** Somebody who tries a workflow out may not know that it emails people. */
	private tellEmailed() {
		const [first, ...others] = this.emailed;
		if (!this.isTest || this.testAddress !== undefined || first === undefined) return;
		const rest = others.length === 1 ? ' and 1 other' : ` and ${others.length} others`;
		const whom = escaped(first) + (others.length > 0 ? rest : '');
		addHint(
			this.context,
			`Documenso emails ${whom}. To test without emailing them, create the documents with Options > In Manual Executions, Send To.`,
			'warning',
		);
	}
}
