import { afterAChange, isNotFound, mayHaveEffect } from '../../../shared/api/failure';
import { allAddedSchema } from '../../../shared/api/records';
import { atLeastOne, collection } from '../../../shared/n8n/collections';
import { options } from '../../engine/commonInputs';
import { custom } from '../../engine/kinds';
import { changesTo } from '../../engine/oneAtATime';
import { storedField } from '../../envelope/field';
import { storedPage } from '../../envelope/filePages';
import { withField } from '../../envelope/afterChange';
import { changeDocument, judgeFields } from '../../envelope/sentDocument';
import { simplifyField } from '../../../shared/envelope/simplify';
import { allowMisplacedFields } from '../../inputs/creation';
import { envelopeOfPart, fieldId, fileId, optional } from '../../../shared/inputs/locators';
import { checkInsidePage, coordinates } from '../../inputs/placement';

export const move = custom({
	name: 'Move',
	value: 'move',
	action: 'Move a field',
	description:
		'Move a field to another position; what you leave out stays, and the field gets a new ID',
	returns: 'the field in its new position, `movedFrom`',
	effect: 'adds',
	inputs: {
		envelopeId: envelopeOfPart,
		fieldId,
		updateFields: atLeastOne(
			collection('Update Fields', { ...coordinates, envelopeItemId: optional(fileId) }),
		),
		options: options({ allowMisplacedFields }),
	},
	simplify: (field) => ({ ...simplifyField(field), movedFrom: field.movedFrom }),
	// Two of one field would both create it again.
	line: ({ fieldId: id }) => changesTo(`field ${id}`),
	run: async (
		{
			envelopeId: named,
			fieldId: chosen,
			updateFields,
			options: { allowMisplacedFields: isAllowed },
		},
		item,
	) => {
		const { client } = item;
		// An update ignores the position (documenso-api.md: Updating a field), so the field is created again. The old
		// one is deleted last: if the new one is refused, nothing is lost.
		const { id, envelopeId, fieldMeta, ...stored } = await storedField(client, named, chosen);
		const changed = {
			...stored,
			...updateFields,
			...(Object.keys(fieldMeta).length > 0 ? { fieldMeta } : {}),
		};
		checkInsidePage(changed);
		const place = await storedPage(item, { ...changed, envelopeId }, isAllowed);
		const field = { ...changed, ...place };
		const change = withField({ ...field, id });
		return await changeDocument(item, envelopeId, change, judgeFields, async () => {
			const body = { envelopeId, data: [field] };
			const { data } = await client.post('/envelope/field/create-many', body, allAddedSchema);
			const [moved] = data;
			await client.post('/envelope/field/delete', { fieldId: id }).catch(async (error: unknown) => {
				const isGone = async () =>
					await storedField(client, envelopeId, id).then(() => false, isNotFound);
				if (mayHaveEffect(error) && (await isGone())) return;
				const advice = isNotFound(error)
					? `Field ${id} was deleted or moved in the meantime. If it was moved, delete field ${moved.id}, which is in the new position.`
					: `The field exists twice now: delete field ${id}, which is still in the old position.`;
				throw afterAChange(error, advice, { fieldId: moved.id, movedFrom: id });
			});
			return [{ json: { ...moved, movedFrom: id } }];
		});
	},
});
