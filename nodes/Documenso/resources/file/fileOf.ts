import type { Client } from '../../api/client';
import { envelopeSchema } from '../../api/envelope';
import { parse } from '../../api/records';
import { Refusal } from '../../engine/refusal';
import { readNamedOnce } from '../../envelope/named';

/** The file that an input names, and the document or template that the other input says it belongs to. */
export async function fileOf(client: Client, envelopeId: string, fileId: string) {
	const stored = await readNamedOnce(client, 'envelopeId', envelopeId);
	const envelope = parse(envelopeSchema, stored);
	const file = envelope.envelopeItems.find(({ id }) => id === fileId);
	if (file) return { envelope, file };
	const names = envelope.envelopeItems.map(({ id, title }) => `${title} (${id})`).join(', ');
	throw new Refusal(
		`'File' is ${fileId}, which is not a file of ${envelope.id}`,
		`The files are: ${names || 'none'}.`,
	);
}
