import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { HttpClient } from '../api/client';
import { isSequential, templateSchema } from '../api/envelope';
import { comparable } from '../envelope/labels';
import { templateByNumber } from '../envelope/read';
import {
	DOCUMENT_TITLE,
	EXTERNAL_ID,
	isDateOfSigning,
	isPlaceholder,
	templateOf,
	type FieldColumn,
	type Template,
} from '../template/columns';
import { picker } from './picker';

/** The recipients and fields of the chosen template, as inputs and as columns of a spreadsheet. */
export const getTemplateColumns = picker(async (context): Promise<ResourceMapperFields> => {
	const template = await chosenTemplate(context);
	if (!template) return NOTHING_CHOSEN;
	const allowsPlaceholders = Boolean(
		context.getCurrentNodeParameter('additionalFields.allowPlaceholders'),
	);
	return { fields: columnInputs(template, allowsPlaceholders) };
});

export function columnInputs(template: Template, allowsPlaceholders = false) {
	const inputs = [
		...recipientInputs(template, allowsPlaceholders),
		...fieldInputs(template),
		...ofDocument,
	];
	// A field may be called like a recipient: then one input fills both.
	const keys = inputs.map(({ id }) => comparable(id));
	return inputs.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function recipientInputs(template: Template, allowsPlaceholders: boolean): ResourceMapperField[] {
	return template.recipientColumns.all.map(({ name, label, recipient, part }) => ({
		...columnInput(name, label),
		type: part === 'signingOrder' ? 'number' : 'string',
		required: part === 'email' && isPlaceholder(recipient.email) && !allowsPlaceholders,
		// It has no effect in a template that lets everyone sign at once.
		removed: part === 'signingOrder' && !isSequential(template),
	}));
}

function fieldInputs({ fieldColumns }: Template): ResourceMapperField[] {
	return fieldColumns.all
		.filter(({ field }) => !isDateOfSigning(field))
		.map((column) => ({ ...columnInput(column.name, column.label), ...mapperTypeOf(column) }));
}

const ofDocument: ResourceMapperField[] = [
	{ ...columnInput(EXTERNAL_ID.name, EXTERNAL_ID.label), type: 'string' },
	{ ...columnInput(DOCUMENT_TITLE.name, DOCUMENT_TITLE.label), type: 'string', removed: true },
];

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

/** By its ID, or by the number that the deprecated operations ask for. */
async function chosenTemplate(context: ILoadOptionsFunctions): Promise<Template | undefined> {
	const isByNumber = 'templateNumber' in (context.getCurrentNodeParameters() ?? {});
	const name = isByNumber ? 'templateNumber' : 'templateId';
	const chosen = context.getCurrentNodeParameter(name, { extractValue: true });
	const isId = typeof chosen === 'string' || typeof chosen === 'number';
	if (!isId || !chosen) return undefined;
	const client = await HttpClient.of(context);
	return templateOf(
		isByNumber
			? await templateByNumber(client, chosen)
			: await client.envelope(String(chosen), templateSchema),
	);
}
