import type { IDataObject } from 'n8n-workflow';

import { getFrom, type Client } from '../api/client';
import { ApiFailure, hasCode } from '../api/failure';
import { path } from '../api/path';
import { Refusal } from '../engine/refusal';

/** What an input names, by its own name. */
const NAMED = {
	documentId: { label: 'Document', thing: 'document', other: 'TEMPLATE', resource: 'Template' },
	templateId: { label: 'Template', thing: 'template', other: 'DOCUMENT', resource: 'Document' },
	envelopeId: {
		label: 'Document or Template',
		thing: 'document or template',
		other: undefined,
		resource: '',
	},
};

export type EnvelopeInput = keyof typeof NAMED;

/**
 * Reads the document or template that an input names. Throws when there is none, or when it is of the other kind:
 * the service would take it in many places.
 */
export async function readNamed(
	client: Client,
	input: EnvelopeInput,
	id: string,
): Promise<IDataObject> {
	const { label, thing, resource } = NAMED[input];
	const record = await client.send(getFrom(path`/envelope/${id}`)).catch((error: unknown) => {
		const isUnknown = error instanceof ApiFailure && hasCode(error, 'NOT_FOUND');
		throw isUnknown ? error.saying(`There is no ${thing} with the ID ${id}`) : error;
	});
	if (!isOfOtherKind(record, input)) return record;
	throw Refusal.of([
		{
			column: label,
			fault: `names a ${resource.toLowerCase()}: ${id}`,
			advice: `Choose a ${thing}, or use the resource '${resource}'.`,
		},
	]);
}

/** The same, read once an execution: for what does not change meanwhile. */
export async function readNamedOnce(
	client: Client,
	input: EnvelopeInput,
	id: string,
): Promise<IDataObject> {
	return await client.once(`${input} ${id}`, async () => await readNamed(client, input, id));
}

export function isOfOtherKind({ type }: IDataObject, input: EnvelopeInput): boolean {
	return type === NAMED[input].other;
}
