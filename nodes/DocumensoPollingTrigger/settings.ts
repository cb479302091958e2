import type { IPollFunctions } from 'n8n-workflow';

import { readSelection, type Selection } from '../events/selection';
import { inputs } from './inputs';

/** What the user set. */
export interface Settings {
	selection: Selection;
	simple: boolean;
	withSigningLinks: boolean;
}

/** Throws a Refusal when the events or a filter cannot be used. */
export function readSettings(context: IPollFunctions): Settings {
	const entered = (name: keyof typeof inputs): unknown => context.getNodeParameter(name, null);
	const { includeSigningLinks = false } = inputs.options.schema.parse(entered('options'));
	return {
		selection: readSelection({ events: entered('events'), filters: entered('filters') }),
		simple: inputs.simple.schema.catch(true).parse(entered('simple')),
		withSigningLinks: includeSigningLinks,
	};
}
