import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { isNotFound } from '../api/failure';
import { dataOf } from '../api/records';
import { Refusal } from '../n8n/refusal';

/** The inputs that take an ID, and the kind that they refuse. */
const KINDS = {
	documentId: { label: 'Document', refused: 'Template' },
	templateId: { label: 'Template', refused: 'Document' },
	envelopeId: { label: 'Document or Template', refused: '' },
};

export type Named = 'documentId' | 'templateId';

/**
 * Reads the document or template whose ID is in an input. Throws if there is none, or if it is of the other kind: in
 * many places Documenso would take that too.
 */
export async function readNamed(
	client: Client,
	input: keyof typeof KINDS,
	id: string,
): Promise<IDataObject> {
	const { label, refused } = KINDS[input];
	const kind = label.toLowerCase();
	const record = await client.envelope(id).catch((error: unknown) => {
		throw isNotFound(error) ? error.withMessage(`There is no ${kind} with the ID ${id}`) : error;
	});
	if (!isOfOtherKind(record, input)) return record;
	throw Refusal.about(
		label,
		`is the ID of a ${refused.toLowerCase()}: ${id}`,
		`Choose a ${kind}. Operations for ${refused.toLowerCase()}s are in the resource '${refused}'.`,
	);
}

/** The same, read once in an execution: for what does not change meanwhile. */
export async function readNamedOnce(
	client: Client,
	input: keyof typeof KINDS,
	id: string,
): Promise<IDataObject> {
	return await client.once(`${input} ${id}`, async () => await readNamed(client, input, id));
}

/** Refuses a part of another document than the one that is named, as where two rows were mixed up. */
export function checkOwner(entered: unknown, owner: unknown, part: string) {
	const named = idIn(entered);
	if (named === undefined || typeof owner !== 'string' || named === owner) return;
	throw notIn(named, `the ${part} is in ${owner}`, part);
}

/** The same of an attachment, which does not tell where it is. */
export async function checkAttachment(client: Client, entered: unknown, attachmentId: string) {
	const named = idIn(entered);
	if (named === undefined) return;
	const query = { envelopeId: named };
	const all = dataOf(await client.get('/envelope/attachment', undefined, query));
	if (all.some(({ id }) => id === attachmentId)) return;
	throw notIn(named, 'the attachment is not there', 'attachment');
}

/** An address may be named, too; what names no document by its ID does not count. */
function idIn(entered: unknown): string | undefined {
	return typeof entered === 'string' ? /\benvelope_[a-z]+/.exec(entered)?.[0] : undefined;
}

function notIn(named: string, why: string, part: string): Refusal {
	const { label } = KINDS.envelopeId;
	const advice = `Correct one of the two. With the ID of the ${part}, '${label}' may stay empty.`;
	return Refusal.about(label, `is ${named}, but ${why}`, advice);
}

export function isOfOtherKind({ type }: IDataObject, input: keyof typeof KINDS): boolean {
	return type === KINDS[input].refused.toUpperCase();
}
