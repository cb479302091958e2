import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { nodeError } from '../engine/nodeError';

/** A method that fills a list or a mapper in the editor; what it throws becomes one of n8n's errors. */
export function picker<Asked extends unknown[], Result>(
	pick: (context: ILoadOptionsFunctions, ...asked: Asked) => Promise<Result>,
) {
	return async function (this: ILoadOptionsFunctions, ...asked: Asked): Promise<Result> {
		return await pick(this, ...asked).catch((caught: unknown) => {
			throw nodeError(this.getNode(), { caught });
		});
	};
}

/** The items whose names contain what the user typed. */
export function matching(filter = '', items: INodeListSearchItems[]): INodeListSearchResult {
	const text = filter.toLowerCase();
	return { results: items.filter(({ name }) => name.toLowerCase().includes(text)) };
}
