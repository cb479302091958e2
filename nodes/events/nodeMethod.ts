import type { FunctionsBase } from 'n8n-workflow';

import { nodeError } from '../Documenso/engine/nodeError';

/** A method that n8n calls on a trigger; whatever it throws becomes an error of n8n's. */
export function nodeMethod<Context extends Pick<FunctionsBase, 'getNode'>, Result>(
	method: (context: Context) => Promise<Result>,
) {
	return async function (this: Context): Promise<Result> {
		return await method(this).catch((caught: unknown) => {
			throw nodeError(this.getNode(), { caught });
		});
	};
}
