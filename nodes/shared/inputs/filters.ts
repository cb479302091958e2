import type { z } from 'zod';

import { collection } from '../n8n/collections';
import {
	choice,
	flag,
	input,
	limiting,
	openChoice,
	shownFor,
	textOf,
	type Inputs,
} from '../n8n/input';
import { anyText, asSeen, pointInTime } from '../n8n/values';
import { folderId, templateNumber } from './locators';
import { SOURCES, STATUSES } from './optionLists';

export const filtersOf = <I extends Inputs>(inputs: I) =>
	collection('Filters', inputs, { placeholder: 'Add Filter' });

const query = limiting(
	textOf('Search', anyText, {
		placeholder: 'e.g. Rental agreement',
		description: 'Text to look for in titles, external IDs, and the names and emails of recipients',
	}),
);

export const orderByDirection = choice(
	'Sort',
	[
		{ name: 'Newest First', value: 'desc' },
		{ name: 'Oldest First', value: 'asc' },
	],
	{ default: 'desc', description: 'The order by creation date' },
);

const date = (displayName: string, description: string) =>
	limiting(input({ displayName, type: 'dateTime', default: '', description }, pointInTime));

/** Names and values are Documenso's, where it has such a filter (documenso-api.md: Lists). */
export const whichDocuments = {
	query,
	orderByDirection,
	createdAfter: date('Created After', 'Only documents created at this time or later'),
	createdBefore: date('Created Before', 'Only documents created before this time'),
	externalId: limiting(
		textOf('External ID', anyText, {
			placeholder: 'e.g. crm-1042',
			description: 'Only documents with exactly this external ID',
		}),
	),
	source: limiting(
		openChoice('Source', SOURCES, {
			default: 'DOCUMENT',
			description: 'What the document was created from',
		}),
	),
	status: limiting(openChoice('Status', STATUSES, { default: 'COMPLETED' })),
	template: limiting(templateNumber('Only documents created from this template')),
};

export const documentFilters = filtersOf({
	...whichDocuments,
	hasExpiredRecipients: limiting(
		flag('Only With Expired Recipients', false, {
			description: 'Whether to list only documents with a signing link that expired unused',
		}),
	),
	onlyStuck: limiting(
		flag('Only Stuck', false, {
			description:
				'Whether to list only documents with which nothing goes on: everyone has acted, or somebody has rejected, and Documenso has not finished them for 15 minutes; a signing link has expired; or an address is a placeholder. The output says why, and what to do. All of them are pending, so Status has to stay out.',
		}),
	),
});

export const templateFilters = filtersOf({ query, orderByDirection });

export type Filters = z.infer<typeof documentFilters.schema>;

/** Filters as Documenso accepts them. Those for which it has none are left to whoever reads the list. */
export function queryOf({
	orderByDirection: direction,
	hasExpiredRecipients,
	onlyStuck,
	template,
	externalId,
	query: text = externalId && sameBeginning(externalId, asSeen(externalId)),
	createdAfter: _createdAfter,
	createdBefore: _createdBefore,
	...filters
}: Filters) {
	return {
		...(text ? { query: searchPattern(text) } : {}),
		...filters,
		...(template ? { templateId: template } : {}),
		...(hasExpiredRecipients ? { hasExpiredRecipients: 'true' } : {}),
		...(onlyStuck ? { status: 'PENDING' } : {}),
		// Documenso ignores the direction without a column.
		...(direction ? { orderByColumn: 'createdAt', orderByDirection: direction } : {}),
	};
}

/** The common beginning of an ID as it was given and as people see it: another program may have stored either. */
function sameBeginning(one: string, other: string): string {
	let end = 0;
	while (end < one.length && one[end] === other[end]) end++;
	// Half a character finds nothing.
	return one.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** What finds this text: Documenso searches for a pattern (documenso-api.md: Search). */
export function searchPattern(text: string): string {
	return text.replace(/[\\%_]/g, '\\$&');
}

/** Which folders to list documents or templates of. */
export const places = {
	searchIn: choice(
		'Search In',
		[
			{ name: 'Everywhere', value: 'everywhere', description: 'The root and all folders' },
			{ name: 'Folder', value: 'folder', description: 'One folder, without those inside it' },
			{ name: 'Root', value: 'root', description: 'Only what is not in a folder' },
		],
		{
			default: 'everywhere',
			description: 'Where to look. Everywhere takes at least one more request for each folder.',
		},
	),
	...shownFor('searchIn', ['folder'], { folderId }),
};
