import type { Params } from '../params';
import type { Client } from '../api/client';
import { path } from '../api/path';
import { readEnvelope } from './envelope';
import { envelopeId } from './read';

/** The number by which older endpoints know the chosen template; it is read once an execution. */
export async function legacyTemplateId(params: Params, client: Client): Promise<number> {
	const id = envelopeId(params, 'templateId');
	const { secondaryId } = readEnvelope(
		await client.read({ method: 'GET', path: path`/envelope/${id}` }),
	);
	const [, number] = /^template_(\d+)$/.exec(secondaryId) ?? [];
	if (number) return Number(number);
	throw params.refuse('templateId', `cannot be used: ${id} is a document, not a template`);
}
