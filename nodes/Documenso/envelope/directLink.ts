import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Params } from '../params';
import { json } from '../api/body';
import type { Client } from '../api/client';
import { legacyTemplateId } from './legacy';

const linkSchema = z.object({ token: z.string() });

/** Sends what concerns the direct link of the chosen template, and adds its public address to the answer. */
export async function changeLink(
	params: Params,
	client: Client,
	verb: 'create' | 'toggle',
	change: IDataObject,
) {
	const body = json({ templateId: await legacyTemplateId(params, client), ...change });
	const link = await client.send({ method: 'POST', path: `/template/direct/${verb}`, body });
	return [{ json: { ...link, url: `${client.site}/d/${linkSchema.parse(link).token}` } }];
}

/** How the direct link of a template is switched. */
export function switching(enabled: boolean) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/toggle',
		returns: 'the link with its `url`',
		run: async (params: Params, client: Client) =>
			await changeLink(params, client, 'toggle', { enabled }),
	};
}
