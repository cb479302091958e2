import type { ResourceMapperField } from 'n8n-workflow';

import { isSequential } from '../../shared/api/lifecycle';
import { comparable } from '../../shared/n8n/nearNames';
import { isPlaceholder } from '../../shared/envelope/whoCanSign';
import {
	DOCUMENT_TITLE,
	EXTERNAL_ID,
	isDateOfSigning,
	recipientIdsOf,
	type FieldColumn,
	type RecipientColumn,
	type Template,
} from './columns';

/** What decides whose address must be given. */
interface Settings {
	allowPlaceholders?: boolean;
	/** Names of recipients. */
	mayBeLeftOut?: string[];
}

/** What a template can be filled in with, as inputs of the editor. */
export function columnInputs(template: Template, settings: Settings = {}) {
	const inputs = [...recipientInputs(template, settings), ...fieldInputs(template), ...ofDocument];
	// A field may be called like a recipient: then one input fills both.
	const known = new Set<string>();
	return inputs.filter(({ id }) => {
		const key = comparable(id);
		return !known.has(key) && known.add(key);
	});
}

function recipientInputs(
	template: Template,
	{ allowPlaceholders, mayBeLeftOut = [] }: Settings,
): ResourceMapperField[] {
	const optional = recipientIdsOf(template, mayBeLeftOut);
	const isRequired = ({ recipient: { id, email } }: RecipientColumn) =>
		isPlaceholder(email) && !allowPlaceholders && !optional.has(id);
	return template.recipientColumns.all.map((column) => ({
		...columnInput(column.name, column.label),
		type: column.part === 'signingOrder' ? 'number' : 'string',
		required: column.part === 'email' && isRequired(column),
		// It has no effect in a template that lets everyone sign at once.
		removed: column.part === 'signingOrder' && !isSequential(template),
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
