import type { INodeProperties } from 'n8n-workflow';

import { hasCode, isWorthALook } from '../errors';
import type { Params } from '../params';
import { settingsSchema } from '../schemas/settings';
import { json } from '../transport/body';
import type { Client } from '../transport/client';
import { path } from '../transport/path';
import { envelopeId, readNamed } from './read';
import { metaOver } from './settings';
import { simplifyEnvelope } from './simplify';

type Named = 'documentId' | 'templateId';

/** How the document or template in `parameter` is deleted: for good, so that its kind is checked first. */
export function deletionOf(parameter: Named) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/delete',
		returns: '`id`, `deleted`',
		run: async (params: Params, client: Client) => {
			const id = envelopeId(params, parameter);
			await readNamed(params, client, parameter);
			const deletion = json({ envelopeId: id });
			await client
				.send({ method: 'POST', path: '/envelope/delete', body: deletion })
				.catch(async (error: unknown) => {
					if (!isWorthALook(error) || !(await isDeleted(client, id))) throw error;
				});
			return [{ json: { id, deleted: true } }];
		},
	};
}

/** Whether a deletion has taken effect, as far as can be told: what was finished stays, with a date. */
async function isDeleted(client: Client, id: string): Promise<boolean> {
	try {
		const { deletedAt } = await client.send({ method: 'GET', path: path`/envelope/${id}` });
		return Boolean(deletedAt);
	} catch (error) {
		return hasCode(error, 'NOT_FOUND');
	}
}

const copyRecipients: INodeProperties = {
	displayName: 'Copy Recipients',
	name: 'includeRecipients',
	type: 'boolean',
	default: true,
	description: 'Whether the copy has the same recipients',
};

const copyFields: INodeProperties = {
	displayName: 'Copy Fields',
	name: 'includeFields',
	type: 'boolean',
	displayOptions: { show: { includeRecipients: [true] } },
	default: true,
	description: 'Whether the copied recipients have the same fields',
};

/** How the document or template in `parameter` is copied. */
export function duplicationOf(parameter: Named, locator: INodeProperties) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/duplicate',
		addsEachTime: true,
		returns: '`id` of the copy',
		properties: [locator, copyRecipients, copyFields],
		run: async (params: Params, client: Client) => {
			const includeRecipients = params.boolean('includeRecipients');
			const body = json({
				envelopeId: envelopeId(params, parameter),
				includeRecipients,
				// The service copies fields only with their recipients.
				includeFields: includeRecipients && params.boolean('includeFields'),
			});
			await readNamed(params, client, parameter, 'read');
			return [{ json: await client.send({ method: 'POST', path: '/envelope/duplicate', body }) }];
		},
	};
}

/** How the document or template in `parameter` is changed. */
export function updateOf(parameter: Named) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/update',
		simplify: simplifyEnvelope,
		run: async (params: Params, client: Client) => {
			const id = envelopeId(params, parameter);
			const settings = params.changes('updateFields', settingsSchema);
			const { data, emails } = settings;
			if (Object.keys({ ...data, ...settings.meta, ...emails }).length === 0) {
				throw params.refuse('updateFields', 'is empty: there is nothing to change');
			}
			const meta = metaOver(await readNamed(params, client, parameter), settings);
			const body = json({ envelopeId: id, data, meta });
			return [{ json: await client.send({ method: 'POST', path: '/envelope/update', body }) }];
		},
	};
}
