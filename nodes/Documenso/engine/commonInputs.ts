import { MAX_CONCURRENT_REQUESTS } from '../../shared/api/service';
import { RATE_LIMIT_RESERVE } from '../../shared/n8n/execution';
import { collection } from '../../shared/n8n/collections';
import {
	choice,
	flag,
	input,
	limiting,
	positiveInteger,
	shownFor,
	textOf,
	type Inputs,
} from '../../shared/n8n/input';
import { between, email, listOfTexts } from '../../shared/n8n/values';

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

/** What to return of a long record. */
export const outputChoice = {
	output: choice(
		'Output',
		[
			{ name: 'Raw', value: 'raw', description: 'All that Documenso returns' },
			{
				name: 'Row and Result',
				value: 'row',
				description:
					'The item as it came in, with what was done under documensoResult; also what failed, with On Error > Continue',
			},
			{ name: 'Selected Fields', value: 'selected', description: 'Only the fields you name' },
			{ name: 'Simplified', value: 'simplified', description: 'Only the most useful fields' },
		],
		{ default: 'simplified', description: 'How much of the record to return' },
	),
	...shownFor('output', ['selected'], {
		outputFields: textOf('Fields', listOfTexts, {
			default: 'id, title, status',
			placeholder: 'e.g. id, title, status',
			description: 'Names of fields of the raw data, separated by commas',
		}),
	}),
};

/** For operations whose records have signing links, in their options. */
export const linkOptions = {
	includeSigningLinks: flag('Include Signing Links', false, {
		description: 'Whether to return the signing links. Whoever has one can sign for the recipient.',
	}),
};

/** For operations that create something, in their options. */
export const planningOptions = {
	checkAllFirst: flag('Check All Items First', true, {
		description:
			'Whether to check all items before creating anything. If any item cannot be used, nothing is created and the error lists all such items. With On Error set to Continue, only those items fail.',
	}),
};

/** For the panels of operations that email people. */
export const EMAILS_PEOPLE =
	'Execute step emails the recipients, too. To test: Options > In Manual Executions, Send To.';

/** Documenso's limit, less what a number for each recipient adds. */
const TEST_ADDRESS_MAX_LENGTH = 248;

/** For operations that create documents. */
export const creatingOptions = {
	...planningOptions,
	manualExecutionsSendTo: limiting(
		textOf(
			'In Manual Executions, Send To',
			email.refine(({ length }) => length <= TEST_ADDRESS_MAX_LENGTH, {
				message: `is longer than ${TEST_ADDRESS_MAX_LENGTH} characters`,
			}),
			{
				placeholder: 'name@email.com',
				description:
					'Your address: if you run the workflow in the editor, it gets the emails of all recipients, and they get none. A workflow that runs by itself emails the recipients, and so does a sub-workflow, even if you run its parent in the editor.',
			},
		),
	),
};

const maxInFlight = positiveInteger('Max Concurrent Requests', {
	default: MAX_CONCURRENT_REQUESTS,
	description:
		'Max number of requests to send at the same time. The node starts with a few and finds out how many Documenso can handle. Use 1 to send them one after another.',
});

const rateLimitReserve = input(
	{
		displayName: 'Rate Limit Reserve (%)',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 90 },
		default: RATE_LIMIT_RESERVE,
		description:
			'Percentage of the rate limit to leave to triggers and other programs. If they need more, the node leaves more. Use 0 to leave nothing to them.',
	},
	between(0, 90),
);

/** The collection at the end, as in n8n's own nodes. An operation may add its own options. */
export function options<I extends Inputs>(inputs: I) {
	return collection(
		'Options',
		{ ...inputs, maxInFlight, rateLimitReserve },
		{ placeholder: 'Add option' },
	);
}

/** Puts inputs before the collections of optional ones, as n8n's own nodes do. */
export function beforeCollections<I extends Inputs, Added extends Inputs>(inputs: I, added: Added) {
	const entries = Object.entries(inputs);
	const optional = entries.findIndex(([, { property }]) => property.type === 'collection');
	const place = optional < 0 ? entries.length : optional;
	const placed = [...entries.slice(0, place), ...Object.entries(added), ...entries.slice(place)];
	// The entries are those of both.
	return Object.fromEntries(placed) as I & Added;
}
