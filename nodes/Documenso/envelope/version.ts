import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../../shared/api/client';
import { envelopeSchema } from '../../shared/api/envelope';
import { endedUnsigned, openRecipients, serviceTime } from '../../shared/api/lifecycle';
import { parse } from '../../shared/api/records';
import { flag, input } from '../../shared/n8n/input';
import { Refusal } from '../../shared/n8n/refusal';
import { anyText } from '../../shared/n8n/values';
import { isOverdue, unfinished, unfinishedSince } from '../../shared/envelope/stuck';
import { whoIs } from '../../shared/envelope/whoCanSign';

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
	record: IDataObject,
	client: Client,
	{ version, allowUnfinished: isAllowed }: { version: string; allowUnfinished?: boolean },
) {
	const { id, status } = parse(withStatus, record);
	if (version !== 'signed' || status === 'COMPLETED' || isAllowed) return;
	if (endedUnsigned(status)) {
		throw new Refusal(
			`'${label}' ${id} was ${status.toLowerCase()}, so there is no signed file`,
			"Choose the version 'Original', or turn on 'Allow Unfinished' under 'Options'.",
		);
	}
	const original = "choose the version 'Original', or turn on 'Allow Unfinished' under 'Options'";
	throw notCompleted(label, record, client, original);
}

const withStatus = envelopeSchema.pick({ id: true, status: true });
const withRecipients = envelopeSchema.pick({ recipients: true });

/** How many people a refusal names. */
const NAMED = 5;

/** Says who has not acted, how to go on once everyone has, and how to get the unsigned file. */
export function notCompleted(
	label: string,
	record: IDataObject,
	client: Client,
	original: string,
): Refusal {
	const { id, status } = parse(withStatus, record);
	const said = `'${label}' ${id} isn't completed yet (status: ${status.toLowerCase()})`;
	const next =
		"To go on when it is completed, use 'Send and Wait', or start the workflow with the trigger's event 'Document Completed'.";
	const instead = `For the unsigned file, ${original}.`;
	// Of any other status, nobody knows whether somebody still has to act.
	if (status !== 'PENDING') {
		return new Refusal(`${said}, so there is no signed file`, `${next} ${instead}`);
	}
	const waitingFor = openRecipients(parse(withRecipients, record)).map(whoIs);
	const since = unfinishedSince(record);
	if (since) {
		const { message, advice } = unfinished(since);
		if (isOverdue(since, serviceTime(client)))
			return new Refusal(`${said}. ${message}`, `${advice} ${instead}`);
		return new Refusal(
			`${said}: nobody has to act any more, and Documenso is still finishing it, since ${since.toISOString()}`,
			`That takes a few seconds. ${next} ${instead}`,
		);
	}
	const more = waitingFor.length - NAMED;
	const named = [...waitingFor.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
	return new Refusal(`${said}: it waits for ${named}`, `${next} ${instead}`);
}
