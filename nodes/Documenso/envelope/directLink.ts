import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { post, type Client } from '../api/client';
import { numberIn } from '../api/envelope';
import { parse } from '../api/records';
import type { WithClient } from '../engine/item';
import { readNamedOnce } from './named';

export const linkSchema = z.object({ token: z.string() });

const numbered = z.object({
	secondaryId: z
		.string()
		.regex(/^template_\d+$/)
		.transform(numberIn),
});

/** The number that the endpoints of direct links know a template by. */
export async function templateNumber(client: Client, templateId: string): Promise<number> {
	const record = await readNamedOnce(client, 'templateId', templateId);
	return parse(numbered, record).secondaryId;
}

/** The link with its public URL. */
export function withUrl(answer: IDataObject, _: unknown, { client }: WithClient): IDataObject[] {
	const { token } = parse(linkSchema, answer);
	return [{ ...answer, url: `${client.site}/d/${token}` }];
}

/** What Enable and Disable share. */
export function switching(enabled: boolean) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/toggle',
		returns: 'the link with its `url`',
		effect: 'changes' as const,
		request: async ({ templateId: id }: { templateId: string }, { client }: WithClient) => {
			const templateId = await templateNumber(client, id);
			return post('/template/direct/toggle', { templateId, enabled });
		},
		items: withUrl,
	};
}
