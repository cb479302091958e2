import { z } from 'zod';

import type { Params } from '../params';
import type { Client } from '../transport/client';
import { readNamed } from './read';

const numbered = z.object({
	secondaryId: z
		.string()
		.regex(/^template_\d+$/)
		.transform((id) => Number(id.replace('template_', ''))),
});

/** The number by which older endpoints know the chosen template; it is read once an execution. */
export async function legacyTemplateId(params: Params, client: Client): Promise<number> {
	const body = await readNamed(params, client, 'templateId', 'read');
	return numbered.parse(body).secondaryId;
}
