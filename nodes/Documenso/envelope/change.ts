import type { INodeProperties } from 'n8n-workflow';

import { hasCode, mayLeaveTraces } from '../api/failure';
import type { Params } from '../params';
import { settingsSchema } from '../schemas/settings';
import { json } from '../api/body';
import type { Client, ServiceRequest } from '../api/client';
import { path } from '../api/path';
import { readEnvelope } from './envelope';
import { envelopeId } from './read';
import { metaOverStored } from './settings';
import { simplifyEnvelope } from './simplify';

const NAMES = { documentId: 'document', templateId: 'template' } as const;

/** How the document or template in `parameter` is deleted: for good, so that its kind is checked first. */
export function deletionOf(parameter: keyof typeof NAMES) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/delete',
		returns: '`id`, `deleted`',
		run: async (params: Params, client: Client) => {
			const id = envelopeId(params, parameter);
			const body = await client.send({ method: 'GET', path: path`/envelope/${id}` });
			const type = readEnvelope(body).type.toLowerCase();
			if (type !== NAMES[parameter]) throw params.refuse(parameter, `is ${id}, which is a ${type}`);
			const deletion = json({ envelopeId: id });
			await client
				.send({ method: 'POST', path: '/envelope/delete', body: deletion })
				.catch(async (error: unknown) => {
					if (!mayLeaveTraces(error) || !(await isDeleted(client, id))) throw error;
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
export function duplicationOf(parameter: string, locator: INodeProperties) {
	return {
		endpoint: 'POST /envelope/duplicate',
		addsEachTime: true,
		returns: '`id` of the copy',
		properties: [locator, copyRecipients, copyFields],
		request: (params: Params): ServiceRequest => {
			const includeRecipients = params.boolean('includeRecipients');
			return {
				method: 'POST',
				path: '/envelope/duplicate',
				body: json({
					envelopeId: envelopeId(params, parameter),
					includeRecipients,
					// The service copies fields only with their recipients.
					includeFields: includeRecipients && params.boolean('includeFields'),
				}),
			};
		},
	};
}

/** How the document or template in `parameter` is changed. */
export function updateOf(parameter: string) {
	return {
		endpoint: 'POST /envelope/update',
		simplify: simplifyEnvelope,
		run: async (params: Params, client: Client) => {
			const id = envelopeId(params, parameter);
			const settings = params.changes('updateFields', settingsSchema);
			const { data, emails } = settings;
			if (Object.keys({ ...data, ...settings.meta, ...emails }).length === 0) {
				throw params.refuse('updateFields', 'is empty: there is nothing to change');
			}
			const meta = await metaOverStored(client, id, settings);
			const body = json({ envelopeId: id, data, meta });
			return [{ json: await client.send({ method: 'POST', path: '/envelope/update', body }) }];
		},
	};
}
