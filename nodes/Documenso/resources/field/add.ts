import { allAddedSchema } from '../../../shared/api/records';
import { options } from '../../engine/commonInputs';
import { choice, flag, shownFor, text } from '../../../shared/n8n/input';
import { custom } from '../../engine/kinds';
import { freeSignatureFailure, isFreeSignature } from '../../envelope/freeSignature';
import { storedPage } from '../../envelope/filePages';
import { withField } from '../../envelope/afterChange';
import { changeDocument, judgeFields } from '../../envelope/sentDocument';
import { NOWHERE } from '../../../shared/envelope/whoCanSign';
import { simplifyField } from '../../../shared/envelope/simplify';
import { allowMisplacedFields } from '../../inputs/creation';
import { fieldSettings } from '../../inputs/fieldSettings';
import { checkedMeta, givenMeta } from '../../inputs/fieldMeta';
import { envelopeId, fileId, optional, recipientId } from '../../../shared/inputs/locators';
import { checkInsidePage, coordinates, fieldType } from '../../inputs/placement';

export const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a field',
	description: 'Add a field for a recipient, at a position on a page or over text in the PDF',
	returns: 'the field, or several if the text occurs several times',
	effect: 'adds',
	inputs: {
		envelopeId,
		recipientId,
		type: fieldType,
		place: choice(
			'Place',
			[
				{ name: 'At Coordinates', value: 'coordinates' },
				{
					name: 'Over Text in PDF',
					value: 'placeholder',
					description: 'Finds the text and covers it with the field',
				},
			],
			{ default: 'coordinates' },
		),
		...shownFor('place', ['coordinates'], coordinates),
		...shownFor('place', ['placeholder'], {
			placeholder: text('Text in the PDF', {
				required: true,
				placeholder: 'e.g. {{signature}}',
				description: 'The text exactly as in the PDF, where it must be on one line',
			}),
			matchAll: flag('Every Occurrence', false, {
				description: 'Whether to put a field over every occurrence of the text, not only the first',
			}),
		}),
		envelopeItemId: optional(fileId, { description: 'Leave empty for the first file' }),
		...fieldSettings,
		options: options({ allowMisplacedFields }),
	},
	simplify: simplifyField,
	run: async (
		{ envelopeId: id, type, recipientId: owner, envelopeItemId: file, ...given },
		item,
	) => {
		const { page: entered, positionX = 0, positionY = 0, width = 0, height = 0 } = given;
		const { placeholder, matchAll, options: chosen } = given;
		const area = { positionX, positionY, width, height };
		checkInsidePage(area);
		const meta = checkedMeta(type, givenMeta(type, given, item));
		const asked = { envelopeId: id, envelopeItemId: file };
		const { page, envelopeItemId } =
			entered === undefined
				? { ...asked, page: undefined }
				: await storedPage(item, { ...asked, page: entered }, chosen.allowMisplacedFields);
		const field = {
			type,
			recipientId: owner,
			...(page === undefined ? { placeholder, matchAll } : { page, ...area }),
			...(envelopeItemId ? { envelopeItemId } : {}),
			...meta,
		};
		// Where it will be, Documenso finds in the PDF.
		const put = { ...field, page: page ?? NOWHERE, ...area, envelopeItemId };
		const { data } = await changeDocument(item, id, withField(put), judgeFields, async () => {
			const body = { envelopeId: id, data: [field] };
			return await item.client
				.post('/envelope/field/create-many', body, allAddedSchema)
				.catch((error: unknown) => {
					const where = page === undefined ? `over "${placeholder}"` : `page ${page}`;
					throw freeSignatureFailure(error, isFreeSignature(field) ? [where] : []);
				});
		});
		return data.map((created) => ({ json: created }));
	},
});
