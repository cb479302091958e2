import { MAX_CONCURRENT_REQUESTS } from '../api/adaptiveConcurrency';
import { collection, flag, positiveInteger, shownFor, type Inputs } from './input';

/** Inputs that the engine adds to the operations of a kind. */

export const listInputs = {
	returnAll: flag('Return All', false, {
		description: 'Whether to return all results or only up to a given limit',
	}),
	...shownFor('returnAll', [false], {
		limit: positiveInteger('Limit', {
			default: 50,
			description: 'Max number of results to return',
		}),
	}),
};

export const simple = flag('Simplify', true, {
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const checkAllFirst = flag('Check All Items First', true, {
	description:
		'Whether to check all items before creating anything. If any item cannot be used, nothing is created and the error lists all such items. With Continue on Fail, only they fail.',
});

const maxInFlight = positiveInteger('Max Concurrent Requests', {
	default: MAX_CONCURRENT_REQUESTS,
	description:
		'Most requests to send at the same time. The node starts with a few and finds out how many Documenso can handle. Use 1 to send them one after another.',
});

/** The collection at the end, as in n8n's own nodes. An operation may add its own options. */
export function options<I extends Inputs>(inputs: I) {
	return collection('Options', { ...inputs, maxInFlight }, { placeholder: 'Add option' });
}
