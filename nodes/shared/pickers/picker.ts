import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { withNodeErrors } from '../n8n/nodeError';

/** A method that fills a list or a mapper in the editor. */
export function picker<Asked extends unknown[], Result>(
	pick: (context: ILoadOptionsFunctions, ...asked: Asked) => Promise<Result>,
) {
	return async function (this: ILoadOptionsFunctions, ...asked: Asked): Promise<Result> {
		return await withNodeErrors(this, async () => await pick(this, ...asked));
	};
}

export function matching(filter = '', items: INodeListSearchItems[]): INodeListSearchResult {
	const text = filter.toLowerCase();
	return { results: items.filter(({ name }) => name.toLowerCase().includes(text)) };
}
