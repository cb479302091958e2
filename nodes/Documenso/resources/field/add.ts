import type { INodeProperties } from 'n8n-workflow';

import { givenMeta, metaFor } from '../../envelope/fieldMeta';
import { freeSignatureError, isFreeSignature } from '../../envelope/freeSignature';
import { checkStoredPage } from '../../envelope/pages';
import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { simplifyField } from '../../envelope/simplify';
import { fieldSettings } from '../../fields/fieldSettings';
import { envelopeId, fileId, recipientId } from '../../fields/locators';
import { coordinates, fieldType } from '../../fields/placement';
import { custom } from '../../operation';
import type { Params } from '../../params';
import { extent, flag, numericId, page, percentage } from '../../schemas/values';
import { json } from '../../transport/body';

const place: INodeProperties = {
	displayName: 'Place',
	name: 'place',
	type: 'options',
	options: [
		{ name: 'At Coordinates', value: 'coordinates' },
		{
			name: 'Over a Text in the PDF',
			value: 'placeholder',
			description: 'Finds the text, covers it, and puts the field there',
		},
	],
	default: 'coordinates',
};

const textInPdf: INodeProperties[] = [
	{
		displayName: 'Text in the PDF',
		name: 'placeholder',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. {{signature}}',
		description: 'The text as it stands in the PDF, on one line',
	},
	{
		displayName: 'Every Occurrence',
		name: 'matchAll',
		type: 'boolean',
		default: false,
		description: 'Whether to put a field over every occurrence of the text, not only the first',
	},
];

function shownFor(value: string) {
	return (property: INodeProperties): INodeProperties => ({
		...property,
		displayOptions: { show: { place: [value] } },
	});
}

export const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a field',
	description: 'Put a field for a recipient onto a page, or over a text in the PDF',
	endpoint:
		'GET /envelope/{envelopeId}, GET /envelope/item/{envelopeItemId}/download, POST /envelope/field/create-many',
	addsEachTime: true,
	returns: 'the field; several where a text is found several times',
	properties: [
		envelopeId,
		recipientId,
		fieldType,
		place,
		...coordinates.map(shownFor('coordinates')),
		...textInPdf.map(shownFor('placeholder')),
		{ ...fileId, required: false, description: 'Leave empty for the first file' },
		...fieldSettings,
	],
	simplify: simplifyField,
	run: async (params, client) => {
		const type = params.required('type').toUpperCase();
		const envelopeId = idOf(params, 'envelopeId');
		const envelopeItemId = params.string('envelopeItemId');
		const place = positionOf(params);
		const field = {
			type,
			recipientId: params.value('recipientId', numericId),
			...(envelopeItemId ? { envelopeItemId } : {}),
			...place,
			...metaFor(type, givenMeta(params, type)),
		};
		const { page, placeholder } = place;
		if (page) await checkStoredPage(params, client, { envelopeId, envelopeItemId, page });
		const body = json({ envelopeId, data: [field] });
		const answer = await client
			.send({ method: 'POST', path: '/envelope/field/create-many', body })
			.catch((error: unknown) => {
				const where = page ? `page ${page}` : `over "${placeholder}"`;
				throw freeSignatureError(error, isFreeSignature(field) ? [where] : []);
			});
		return dataOf(answer).map((created) => ({ json: created }));
	},
});

function positionOf(params: Params) {
	if (params.string('place') === 'placeholder') {
		return {
			placeholder: params.required('placeholder'),
			matchAll: params.value('matchAll', flag),
		};
	}
	return {
		page: params.value('page', page),
		positionX: params.value('positionX', percentage),
		positionY: params.value('positionY', percentage),
		width: params.value('width', extent),
		height: params.value('height', extent),
	};
}
