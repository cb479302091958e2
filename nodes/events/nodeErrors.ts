import type { FunctionsBase } from 'n8n-workflow';

import { nodeError } from '../Documenso/engine/nodeError';

/** Runs what n8n calls on a trigger; whatever is thrown becomes an error of n8n's. */
export async function withNodeErrors<Result>(
	context: Pick<FunctionsBase, 'getNode'>,
	run: () => Promise<Result>,
): Promise<Result> {
	return await run().catch((caught: unknown) => {
		throw nodeError(context.getNode(), { caught });
	});
}
