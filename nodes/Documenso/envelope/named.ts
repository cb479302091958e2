import type { IDataObject } from 'n8n-workflow';

import { getFrom, type Client } from '../api/client';
import { ApiFailure, hasCode, hasStatus, isElsewhere, isOutcomeUnknown } from '../api/failure';
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

/**
 * Statuses with which Documenso refuses an ID that it does not know, or that is of another kind
 * (documenso-api.md: Status codes).
 */
const REFUSALS = [400, 404, 500];

/**
 * Does what Documenso refuses by itself where an input names nothing that fits. Only then `check` looks for that
 * and throws it, so that success costs no further request.
 */
export async function withCause<Result>(
	work: () => Promise<Result>,
	check: () => Promise<unknown>,
): Promise<Result> {
	return await work().catch(async (error: unknown) => {
		const isRefused = REFUSALS.some((status) => hasStatus(error, status));
		const mayHaveCause = isRefused && !isOutcomeUnknown(error) && !isElsewhere(error);
		throw mayHaveCause ? ((await causeIn(check)) ?? error) : error;
	});
}

/** What `check` throws about an input; nothing when it could not look. */
async function causeIn(check: () => Promise<unknown>): Promise<unknown> {
	try {
		await check();
		return undefined;
	} catch (cause) {
		return cause instanceof Refusal || hasCode(cause, 'NOT_FOUND') ? cause : undefined;
	}
}
