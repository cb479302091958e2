import { storedField } from '../../envelope/field';
import { dataOf } from '../../envelope/read';
import { simplifyField } from '../../envelope/simplify';
import { halfDone, hasCode, isWorthALook } from '../../errors';
import { envelopeOfPart, fieldId, fileId } from '../../fields/locators';
import { coordinates } from '../../fields/placement';
import { custom } from '../../operation';
import { placement } from '../../schemas/recipients';
import { extent, numericId, percentage } from '../../schemas/values';
import { json } from '../../transport/body';
import type { Client } from '../../transport/client';

export const move = custom({
	name: 'Move',
	value: 'move',
	action: 'Move a field',
	description: 'Put a field to another place; it gets a new ID',
	endpoint:
		'GET /envelope/field/{fieldId}, POST /envelope/field/create-many, POST /envelope/field/delete',
	addsEachTime: true,
	returns: 'the field in its new place, `movedFrom`',
	properties: [
		envelopeOfPart,
		fieldId,
		...coordinates,
		{ ...fileId, required: false, description: 'Leave empty to stay in the same file' },
	],
	simplify: (field) => ({ ...simplifyField(field), movedFrom: field.movedFrom }),
	run: async (params, client) => {
		const place = {
			page: params.value('page', placement.page),
			positionX: params.value('positionX', percentage),
			positionY: params.value('positionY', percentage),
			width: params.value('width', extent),
			height: params.value('height', extent),
		};
		// An update takes a position and ignores it (observed §4), so the field is made anew. The old one goes
		// last: were the new one refused, nothing would be lost.
		const { id, envelopeId, type, recipientId, envelopeItemId, fieldMeta } = await storedField(
			client,
			params.value('fieldId', numericId),
		);
		const field = {
			type,
			recipientId,
			envelopeItemId: params.string('envelopeItemId') || envelopeItemId,
			...place,
			...(Object.keys(fieldMeta).length > 0 ? { fieldMeta } : {}),
		};
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
