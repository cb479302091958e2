import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { Client } from '../api/client';
import { envelopeSchema, isSequential } from '../api/envelope';
import { dataOf } from '../api/records';
import { Refusal } from '../engine/refusal';
import { getMany } from '../envelope/read';
import { isPlaceholder, templateOf, type FieldColumn, type Template } from '../template/columns';
import { picker } from './picker';

/** The people of the chosen template, as inputs and as columns of a spreadsheet. */
export const getTemplateRecipients = picker(async (context): Promise<ResourceMapperFields> => {
	const template = await chosenTemplate(context);
	if (!template) return NOTHING_CHOSEN;
	const allowsPlaceholders = Boolean(
		context.getCurrentNodeParameter('additionalFields.allowPlaceholders'),
	);
	return {
		fields: template.recipientColumns.all.map(({ name, label, recipient, part }) => ({
			...columnInput(name, label),
			type: part === 'signingOrder' ? 'number' : 'string',
			required: part === 'email' && isPlaceholder(recipient.email) && !allowsPlaceholders,
			// It has no effect in a template that lets all sign at once.
			removed: part === 'signingOrder' && !isSequential(template),
		})),
	};
});

/** What can be filled in in the chosen template, as inputs and as columns of a spreadsheet. */
export const getTemplateFields = picker(async (context): Promise<ResourceMapperFields> => {
	const template = await chosenTemplate(context);
	if (!template) return NOTHING_CHOSEN;
	return {
		fields: template.fieldColumns.all.map((column) => ({
			...columnInput(column.name, column.label),
			...mapperTypeOf(column),
		})),
	};
});

const NOTHING_CHOSEN = { fields: [], emptyFieldsNotice: 'Choose a template first' };

function columnInput(id: string, displayName: string): ResourceMapperField {
	return {
		id,
		displayName,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: false,
	};
}

function mapperTypeOf({ field }: FieldColumn): Pick<ResourceMapperField, 'type' | 'options'> {
	switch (field.type) {
		case 'DATE':
			return { type: 'dateTime' };
		case 'NUMBER':
			// With a format, numbers are text such as "1.250,00".
			return { type: field.fieldMeta?.numberFormat ? 'string' : 'number' };
		case 'RADIO':
		case 'DROPDOWN': {
			const values = field.fieldMeta?.values ?? [];
			return { type: 'options', options: values.map(({ value }) => ({ name: value, value })) };
		}
		case 'CHECKBOX':
			return { type: 'array' };
		default:
			return { type: 'string' };
	}
}

/** By its id, or by the number that the deprecated endpoints know it by. */
async function chosenTemplate(context: ILoadOptionsFunctions): Promise<Template | undefined> {
	const isByNumber = 'templateNumber' in (context.getCurrentNodeParameters() ?? {});
	const name = isByNumber ? 'templateNumber' : 'templateId';
	const chosen = context.getCurrentNodeParameter(name, { extractValue: true }) as string | number;
	if (!chosen) return undefined;
	const client = await Client.of(context);
	if (!isByNumber) return templateOf(await client.envelope(String(chosen)));
	const [record] = dataOf(await client.send(getMany('templateId', [chosen])));
	if (record) return templateOf(client.parse(envelopeSchema, record));
	throw new Refusal(`There is no template ${chosen}`);
}
