import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Execution } from './execution';
import type { Inputs } from './input';
import type { Progress } from './progress';
import { Refusal } from './refusal';

/** One item that the node works on. */
export class Item<I extends Inputs = Inputs> {
	constructor(
		readonly execution: Execution,
		readonly index: number,
		private readonly inputs: I,
		readonly client: Client,
	) {}

	get context(): IExecuteFunctions {
		return this.execution.context;
	}

	/** As the previous node returned it. */
	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	get progress(): Progress {
		return this.execution.progress.of(this.index);
	}

	set progress(progress: Progress) {
		this.execution.progress.set(this.index, progress);
	}

	/** The refusal of a value; `fault` continues "'Input' …". */
	refuse(name: keyof I & string, fault: string, advice?: string): Refusal {
		return new Refusal(`'${this.inputs[name]?.property.displayName ?? name}' ${fault}`, advice);
	}
}

/**
 * The item for code that several operations share. With an Item in its place, the compiler would no longer miss an
 * input that an operation has to declare.
 */
export type WithClient = Pick<Item, 'client'>;
