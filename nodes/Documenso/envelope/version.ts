import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { outputFile } from '../fields/files';
import { optionsOf } from '../fields/options';
import type { Params } from '../params';
import { trueOrFalse } from '../engine/values';
import type { Envelope } from './envelope';

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

const allowUnfinished: INodeProperties = {
	displayName: 'Allow Unfinished',
	name: 'allowUnfinished',
	type: 'boolean',
	displayOptions: { show: { '/version': ['signed'] } },
	default: false,
	description:
		'Whether to download a document that is not completed too, in the state that it is in: usually without signatures',
};

/** Which version of a file is downloaded, `more` beside those that every file has, and where to. */
export function downloadFields(
	more: INodePropertyOptions[] = [],
	options: INodeProperties[] = [],
): INodeProperties[] {
	const version: INodeProperties = {
		displayName: 'Version',
		name: 'version',
		type: 'options',
		options: [...more, ...VERSIONS],
		default: 'signed',
	};
	return [version, outputFile, optionsOf([allowUnfinished, ...options])];
}

const optionsSchema = z.object({ allowUnfinished: trueOrFalse.default(false) });

/** The service hands out the unsigned file, under a name that says signed, until all have signed (observed §5). */
export function checkSigned(
	params: Params,
	parameter: string,
	version: string,
	{ id, status }: Envelope,
) {
	if (version !== 'signed' || status === 'COMPLETED') return;
	if (params.collection('options', optionsSchema).allowUnfinished) return;
	throw params.refuse(
		parameter,
		`names ${id}, which is not completed but ${status.toLowerCase()}: there is no signed file yet`,
		"Wait for the event 'Document Completed', choose the version 'Original', or switch on 'Allow Unfinished' under 'Options'.",
	);
}
