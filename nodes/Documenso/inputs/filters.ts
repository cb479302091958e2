import type { z } from 'zod';

import { collection } from '../engine/collections';
import { choice, flag, limiting, openChoice, shownFor, textOf, type Inputs } from '../engine/input';
import { anyText, numericId } from '../engine/values';
import { folderId } from './locators';
import { SOURCES, STATUSES } from './optionLists';

export const filtersOf = <I extends Inputs>(inputs: I) =>
	collection('Filters', inputs, { placeholder: 'Add Filter' });

const query = limiting(
	textOf('Search', anyText, {
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

/** Names and values are Documenso's (documenso-api.md: Lists). */
export const documentFilters = filtersOf({
	query,
	orderByDirection,
	hasExpiredRecipients: limiting(
		flag('Only With Expired Recipients', false, {
			description: 'Whether to list only documents with a signing link that expired unused',
		}),
	),
	source: limiting(
		openChoice('Source', SOURCES, {
			default: 'DOCUMENT',
			description: 'What the document was created from',
		}),
	),
	status: limiting(openChoice('Status', STATUSES, { default: 'COMPLETED' })),
	templateId: limiting(
		textOf('Template Number', numericId, {
			placeholder: 'e.g. 7',
			description:
				'Only documents created from the template with this number: 7 if its secondaryId is template_7',
		}),
	),
});

export const templateFilters = filtersOf({ query, orderByDirection });

/** Filters as the service accepts them. */
export function queryOf({
	orderByDirection: direction,
	hasExpiredRecipients,
	...filters
}: z.infer<typeof documentFilters.schema>) {
	return {
		...filters,
		...(hasExpiredRecipients ? { hasExpiredRecipients: 'true' } : {}),
		// The service ignores the direction without a column.
		...(direction ? { orderByColumn: 'createdAt', orderByDirection: direction } : {}),
	};
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
