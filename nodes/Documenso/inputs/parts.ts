/** What can be added to the output of a document: by the trigger, or by the operations that wait. */

export const FILLED_VALUES = {
	name: 'Filled-In Values',
	value: 'values',
	description: "What people filled in, by field label, under 'values'",
} as const;

export const SIGNING_LINKS = {
	name: 'Signing Links',
	value: 'signingLinks',
	description:
		'While the execution waits and after the time limit, the link of each recipient. Anyone who has such a link can sign.',
} as const;

export const SIGNED_FILES = {
	name: 'Signed PDFs',
	value: 'signedFiles',
	description:
		"The signed PDFs of a completed document: the first in the binary field 'data', others in 'data_2' and so on",
} as const;
