import { z } from 'zod';

import { post, type Client } from '../api/client';
import { hasCode, isWorthALook } from '../api/failure';
import { path } from '../api/path';
import { flag, shownFor, type Values } from '../engine/input';
import type { Item } from '../engine/item';
import { Refusal } from '../engine/refusal';
import { sortSettings, type GivenSettings } from '../inputs/settings';
import { readNamed, readNamedOnce } from './named';
import { metaOver } from './settings';
import { simplifyEnvelope } from './simplify';

type Named = 'documentId' | 'templateId';
type WithClient = Pick<Item, 'client'>;

/** How the document or template in `input` is deleted: for good, so that its kind is checked first. */
export function deletionOf<Input extends Named>(input: Input) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/delete',
		returns: '`id`, `deleted`',
		effect: 'changes' as const,
		run: async ({ [input]: id }: Record<Input, string>, { client }: WithClient) => {
			await readNamed(client, input, id);
			await client.post('/envelope/delete', { envelopeId: id }).catch(async (error: unknown) => {
				if (!isWorthALook(error) || !(await isDeleted(client, id))) throw error;
			});
			return [{ json: { id, deleted: true } }];
		},
	};
}

const deletable = z.object({ deletedAt: z.unknown() });

/** Whether a deletion has taken effect, as far as can be told: what was finished stays, with a date. */
async function isDeleted(client: Client, id: string): Promise<boolean> {
	try {
		const { deletedAt } = await client.get(path`/envelope/${id}`, deletable);
		return Boolean(deletedAt);
	} catch (error) {
		return hasCode(error, 'NOT_FOUND');
	}
}

export const copyInputs = {
	includeRecipients: flag('Copy Recipients', true, {
		description: 'Whether the copy has the same recipients',
	}),
	...shownFor('includeRecipients', [true], {
		includeFields: flag('Copy Fields', true, {
			description: 'Whether the copied recipients have the same fields',
		}),
	}),
};

/** How the document or template in `input` is copied. */
export function duplicationOf<Input extends Named>(input: Input) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/duplicate',
		returns: '`id` of the copy',
		effect: 'adds' as const,
		request: async (
			values: Record<Input, string> & Values<typeof copyInputs>,
			{ client }: WithClient,
		) => {
			const { [input]: envelopeId, includeRecipients } = values;
			await readNamedOnce(client, input, envelopeId);
			// The service copies fields only with their recipients.
			const includeFields = includeRecipients && values.includeFields;
			const copied = { includeRecipients, includeFields: includeFields ?? false };
			return post('/envelope/duplicate', { envelopeId, ...copied });
		},
	};
}

/** How the document or template in `input` is changed. */
export function updateOf<Input extends Named>(input: Input) {
	return {
		endpoint: 'GET /envelope/{envelopeId}, POST /envelope/update',
		effect: 'changes' as const,
		simplify: simplifyEnvelope,
		request: async (
			values: Record<Input, string> & { updateFields: GivenSettings },
			{ client }: WithClient,
		) => {
			const id = values[input];
			const settings = sortSettings(values.updateFields);
			const { data, emails } = settings;
			if (Object.keys({ ...data, ...settings.meta, ...emails }).length === 0) {
				throw new Refusal("'Update Fields' is empty: there is nothing to change");
			}
			const meta = metaOver(await readNamed(client, input, id), settings);
			return post('/envelope/update', { envelopeId: id, data, meta });
		},
	};
}
