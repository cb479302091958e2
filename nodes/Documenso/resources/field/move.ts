import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { storedField } from '../../envelope/field';
import { checkStoredPage } from '../../envelope/pages';
import { dataOf } from '../../envelope/read';
import { simplifyField } from '../../envelope/simplify';
import { halfDone, hasCode, isWorthALook } from '../../errors';
import { byLabel } from '../../fields/byLabel';
import { envelopeOfPart, fieldId, fileId } from '../../fields/locators';
import { coordinates } from '../../fields/placement';
import { custom } from '../../operation';
import { place } from '../../schemas/recipients';
import { numericId } from '../../schemas/values';
import { json } from '../../transport/body';
import type { Client } from '../../transport/client';

const changesSchema = z.object(place).partial();

const changes: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: byLabel([...coordinates, { ...fileId, required: false }]),
};

export const move = custom({
	name: 'Move',
	value: 'move',
	action: 'Move a field',
	description: 'Put a field to another place; what you leave out stays, and it gets a new ID',
	endpoint:
		'GET /envelope/field/{fieldId}, GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download, POST /envelope/field/create-many, POST /envelope/field/delete',
	addsEachTime: true,
	returns: 'the field in its new place, `movedFrom`',
	properties: [envelopeOfPart, fieldId, changes],
	simplify: (field) => ({ ...simplifyField(field), movedFrom: field.movedFrom }),
	run: async (params, client) => {
		const changed = params.collection('updateFields', changesSchema);
		const file = params.string('updateFields.envelopeItemId');
		if (file === '' && Object.keys(changed).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		// An update takes a position and ignores it (observed §4), so the field is made anew. The old one goes
		// last: were the new one refused, nothing would be lost.
		const { id, envelopeId, fieldMeta, ...stored } = await storedField(
			client,
			params.value('fieldId', numericId),
		);
		const field = {
			...stored,
			...changed,
			...(file ? { envelopeItemId: file } : {}),
			...(Object.keys(fieldMeta).length > 0 ? { fieldMeta } : {}),
		};
		await checkStoredPage(params, client, { envelopeId, ...field });
		const [moved = {}] = dataOf(
			await client.send({
				method: 'POST',
				path: '/envelope/field/create-many',
				body: json({ envelopeId, data: [field] }),
			}),
		);
		const body = json({ fieldId: id });
		await client
			.send({ method: 'POST', path: '/envelope/field/delete', body })
			.catch(async (error: unknown) => {
				if (isWorthALook(error) && (await isGone(client, id))) return;
				const advice = `The field now stands twice: delete field ${id}, which is still in the old place.`;
				throw halfDone(error, advice, { fieldId: moved.id, movedFrom: id });
			});
		return [{ json: { ...moved, movedFrom: id } }];
	},
});

async function isGone(client: Client, fieldId: number): Promise<boolean> {
	return await storedField(client, fieldId).then(
		() => false,
		(error: unknown) => hasCode(error, 'NOT_FOUND'),
	);
}
