import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Execution } from './execution';
import type { Progress } from './progress';

export class Item {
	constructor(
		readonly execution: Execution,
		readonly index: number,
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
}
