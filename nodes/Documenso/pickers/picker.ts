import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { nodeError } from '../engine/nodeError';

/** A method that fills a list or a mapper in the editor; what it throws becomes an error of n8n's. */
export function picker<Asked extends unknown[], Result>(
	pick: (context: ILoadOptionsFunctions, ...asked: Asked) => Promise<Result>,
) {
	return async function (this: ILoadOptionsFunctions, ...asked: Asked): Promise<Result> {
		return await pick(this, ...asked).catch((caught: unknown) => {
			throw nodeError(this.getNode(), { caught });
		});
	};
}
