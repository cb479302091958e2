import { z } from 'zod';

import { input, limiting, type Extras, type Input } from '../n8n/input';
import { addFault, filledText, located, numericId, type Schema } from '../n8n/values';

/** Documenso accepts `envelope_` and two or more characters (documenso-api.md: IDs). */
const ENVELOPE_ID = 'envelope_[a-zA-Z0-9]{2,}';

const FIND_ID =
	'Choose it from the list, or open it in Documenso and copy the part of its URL that starts with envelope_.';

export const envelopeIdSchema = filledText().superRefine((id, context) => {
	if (new RegExp(`^${ENVELOPE_ID}$`).test(id)) return;
	const isNumber = /^((document|template)_)?\d+$/.test(id);
	const advice = `${isNumber ? `${id} is the ID of a recipient, or a number from an older version of the API. In an item of a recipient, the ID of the document is document.id. ` : ''}${FIND_ID}`;
	addFault(context, `is "${id}", but an ID starts with envelope_`, advice);
});

/** A kind of ID: how it is read, and how the editor explains and checks it. */
interface IdForm<Id> {
	schema: Schema<Id>;
	placeholder: string;
	regex: string;
	errorMessage: string;
	/** What users call it. */
	by?: string;
}

const envelopeForm: IdForm<string> = {
	schema: envelopeIdSchema,
	placeholder: 'e.g. envelope_abcdefghijklmnop',
	regex: `^\\s*${ENVELOPE_ID}\\s*$`,
	errorMessage:
		'An ID starts with envelope_. Choose from the list, or copy the ID from the URL in Documenso.',
};
const fileForm: IdForm<string> = {
	schema: filledText(),
	placeholder: 'e.g. envelope_item_abcdefghijklmnop',
	regex: '^\\s*envelope_item_\\w+\\s*$',
	errorMessage: 'The ID of a file starts with envelope_item_. Choose from the list to get it.',
};
const numberForm: IdForm<number> = {
	schema: numericId,
	placeholder: 'e.g. 42',
	regex: '^\\s*\\d+\\s*$',
	errorMessage: 'An ID is a whole number. Choose from the list to get it.',
};
const textForm: IdForm<string> = {
	schema: filledText(),
	placeholder: 'e.g. cm2abc…',
	regex: '^\\s*\\w+\\s*$',
	errorMessage: 'An ID consists of letters and digits. Choose from the list to get it.',
};

/** Chooses something from a list or by ID, and if it has a `page` in Documenso, by the URL of that page. */
function locator<Id>(displayName: string, search: string, id: IdForm<Id>, page = ''): Input<Id> {
	const { placeholder, regex, errorMessage, schema, by = 'ID' } = id;
	const thing = displayName.toLowerCase();
	const pageUrl = `^https?://[^?#]*/(${ENVELOPE_ID})(?:[/?#][\\s\\S]*)?$`;
	const noId = `The URL of a ${thing} in Documenso contains its ID, which starts with envelope_`;
	return input(
		{
			displayName,
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list' as const,
					placeholder: `Select ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}…`,
					typeOptions: { searchListMethod: search, searchable: true },
				},
				{
					displayName: `By ${by}`,
					name: by.toLowerCase(),
					type: 'string' as const,
					placeholder,
					validation: [{ type: 'regex', properties: { regex, errorMessage } }],
				},
				{
					displayName: 'By URL',
					name: 'url',
					type: 'string' as const,
					placeholder: `e.g. https://app.documenso.com/t/my-team/${page}/envelope_abcdefghijklmnop`,
					extractValue: { type: 'regex' as const, regex: pageUrl },
					validation: [{ type: 'regex', properties: { regex: pageUrl, errorMessage: noId } }],
				},
			].slice(0, page ? 3 : 2),
		},
		located(schema),
	);
}

export const documentId = locator('Document', 'searchDocuments', envelopeForm, 'documents');
export const templateId = locator('Template', 'searchTemplates', envelopeForm, 'templates');
export const envelopeId = locator(
	'Document or Template',
	'searchEnvelopes',
	envelopeForm,
	'documents',
);

/** The same for parts of it: only their lists need it, because a part's own ID is enough for Documenso. */
export const envelopeOfPart = input(
	{
		...envelopeId.property,
		required: false,
		description:
			'Only needed to choose from the list below; not needed with an ID, but then it has to fit',
	},
	z.unknown(),
);

/** A template by its number, because lists and events name it by that. People may write it as `template_7`. */
export const templateNumber = (description: string) => {
	const form = {
		schema: z.preprocess(
			(value) => (typeof value === 'string' ? value.trim().replace(/^template_/, '') : value),
			numericId,
		),
		placeholder: 'e.g. 7',
		regex: '^\\s*(template_)?\\d+\\s*$',
		errorMessage: 'Enter the number of the template: 7 for template_7',
		by: 'Number',
	};
	const { property, schema } = locator('Template', 'searchTemplateNumbers', form);
	return input({ ...property, required: false, description }, schema);
};

export const recipientId = locator('Recipient', 'searchRecipients', numberForm);
export const fieldId = locator('Field', 'searchFields', numberForm);
export const fileId = locator('File', 'searchFiles', fileForm);
export const attachmentId = locator('Attachment', 'searchAttachments', textForm);
export const folderId = locator('Folder', 'searchFolders', textForm);

/** The same, but may be left empty. */
export function optional<Id>({ property, schema }: Input<Id>, extras: Extras = {}): Input<Id | ''> {
	return limiting(
		input(
			{ ...property, required: false, ...extras },
			located(z.literal('').default('')).or(schema),
		),
	);
}
