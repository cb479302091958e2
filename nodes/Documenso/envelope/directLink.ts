import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';
import type { Item } from '../engine/item';
import { readNamedOnce } from './named';

const linkSchema = z.object({ token: z.string() }).passthrough();

const numbered = z.object({
	secondaryId: z
		.string()
		.regex(/^template_\d+$/)
		.transform((id) => Number(id.replace('template_', ''))),
});

/** The number by which older endpoints know a template. */
export async function templateNumber(client: Client, templateId: string): Promise<number> {
	const record = await readNamedOnce(client, 'templateId', templateId);
	return client.parse(numbered, record).secondaryId;
}

/** Changes the direct link of a template, and adds its public URL to the answer. */
export async function changeLink(
	client: Client,
	templateId: string,
	verb: 'create' | 'toggle',
	change: IDataObject,
) {
	const body = { templateId: await templateNumber(client, templateId), ...change };
	const link = await client.post(`/template/direct/${verb}`, body, linkSchema);
	return [{ json: { ...link, url: `${client.site}/d/${link.token}` } as IDataObject }];
}

/** How the direct link of a template is enabled or disabled. */
export function switching(enabled: boolean) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/toggle',
		returns: 'the link with its `url`',
		effect: 'changes' as const,
		run: async ({ templateId }: { templateId: string }, { client }: Pick<Item, 'client'>) =>
			await changeLink(client, templateId, 'toggle', { enabled }),
	};
}
