import type { INodeProperties } from 'n8n-workflow';

/** The service accepts `envelope_` and two or more characters (contract §0). */
export const ENVELOPE_ID = 'envelope_[a-zA-Z0-9]{2,}';

/** How an id looks, and what is said of one that does not look so. */
interface IdForm {
	placeholder: string;
	regex: string;
	errorMessage: string;
}

/** Picks something from a list, by id, and where it has a page in Documenso (`page`) by the page's URL. */
function locator(name: string, displayName: string, search: string, id: IdForm, page = '') {
	const { placeholder, regex, errorMessage } = id;
	const thing = displayName.toLowerCase();
	const pageUrl = `^https?://.*/(${ENVELOPE_ID})(?:[/?#].*)?$`;
	const noId = `The address of a ${thing} in Documenso contains its ID, which starts with envelope_`;
	const property: INodeProperties = {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list' as const,
				placeholder: `Select a ${thing}…`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
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
	};
	return property;
}

const envelopeForm: IdForm = {
	placeholder: 'e.g. envelope_abcdefghijklmnop',
	regex: `^\\s*${ENVELOPE_ID}\\s*$`,
	errorMessage: 'An ID starts with envelope_',
};
const fileForm: IdForm = {
	placeholder: 'e.g. envelope_item_abcdefghijklmnop',
	regex: '^\\s*envelope_item_\\w+\\s*$',
	errorMessage: 'An ID of a file starts with envelope_item_',
};
const numberForm: IdForm = {
	placeholder: 'e.g. 42',
	regex: '^\\s*\\d+\\s*$',
	errorMessage: 'An ID is a whole number',
};
const textForm: IdForm = {
	placeholder: 'e.g. cm2abc…',
	regex: '^\\s*\\w+\\s*$',
	errorMessage: 'An ID consists of letters and digits',
};

export const documentId = locator(
	'documentId',
	'Document',
	'searchDocuments',
	envelopeForm,
	'documents',
);
export const templateId = locator(
	'templateId',
	'Template',
	'searchTemplates',
	envelopeForm,
	'templates',
);
/** For what documents and templates have in common. */
export const envelopeId = locator(
	'envelopeId',
	'Document or Template',
	'searchEnvelopes',
	envelopeForm,
	'documents',
);

/** The same where it only narrows a picker down, because the part's own id says all. */
export const envelopeOfPart: INodeProperties = {
	...envelopeId,
	required: false,
	description: 'Needed to pick from the list below; not needed with an ID',
};

export const recipientId = locator('recipientId', 'Recipient', 'searchRecipients', numberForm);
export const fieldId = locator('fieldId', 'Field', 'searchFields', numberForm);
export const fileId = locator('envelopeItemId', 'File', 'searchFiles', fileForm);
export const attachmentId = locator('attachmentId', 'Attachment', 'searchAttachments', textForm);
export const folderId = locator('folderId', 'Folder', 'searchFolders', textForm);
