import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../params';
import { settingsSchema } from '../schemas/settings';
import { json } from '../transport/body';
import type { Client, ServiceRequest } from '../transport/client';
import { envelopeId } from './read';
import { metaOverStored } from './settings';
import { simplifyEnvelope } from './simplify';

/** How the document or template in `parameter` is deleted. */
export function deletionOf(parameter: string) {
	return {
		endpoint: 'POST /envelope/delete',
		returns: '`id`, `deleted`',
		request: (params: Params): ServiceRequest => ({
			method: 'POST',
			path: '/envelope/delete',
			body: json({ envelopeId: envelopeId(params, parameter) }),
		}),
		output: (_: IDataObject, params: Params) => ({ id: params.string(parameter), deleted: true }),
	};
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
