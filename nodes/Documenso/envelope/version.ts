import type { INodePropertyOptions } from 'n8n-workflow';

import type { Envelope } from '../api/envelope';
import { flag, input } from '../engine/input';
import { Refusal } from '../engine/refusal';
import { anyText } from '../engine/values';

const VERSIONS: INodePropertyOptions[] = [
	{
		name: 'Original',
		value: 'original',
		description: 'As uploaded, without fields and signatures',
	},
	{
		name: 'Pending',
		value: 'pending',
		description: 'With what has been filled in so far, while the document is being signed',
	},
	{ name: 'Signed', value: 'signed', description: 'With signatures and certificate' },
];

/** The version of a file to download; `more` are versions that only a document as a whole has. */
export const versionInput = (more: INodePropertyOptions[] = []) =>
	input(
		{
			displayName: 'Version',
			type: 'options',
			options: [...more, ...VERSIONS],
			default: 'signed',
		},
		anyText,
	);

export const allowUnfinished = flag('Allow Unfinished', false, {
	displayOptions: { show: { '/version': ['signed'] } },
	description:
		'Whether to also download a document that is not completed, in its current state: usually without signatures',
});

/** Until all have signed, the service returns the unsigned file as the signed one (documenso-api.md: Downloads). */
export function checkSigned(
	label: string,
	version: string,
	{ id, status }: Pick<Envelope, 'id' | 'status'>,
	isUnfinishedAllowed = false,
) {
	if (version !== 'signed' || status === 'COMPLETED' || isUnfinishedAllowed) return;
	if (['REJECTED', 'CANCELLED'].includes(status)) {
		throw new Refusal(
			`'${label}' ${id} was ${status.toLowerCase()}, so there is no signed file`,
			"Choose the version 'Original', or turn on 'Allow Unfinished' under 'Options'.",
		);
	}
	throw new Refusal(
		`'${label}' ${id} isn't completed yet (status: ${status.toLowerCase()}), so there is no signed file`,
		"Choose the version 'Original', or turn on 'Allow Unfinished' under 'Options'. A document has a signed file after the event 'Document Completed'.",
	);
}
