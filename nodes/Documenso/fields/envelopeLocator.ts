import type { INodeProperties } from 'n8n-workflow';

/** The service accepts `envelope_` and two or more characters (contract §0). */
export const ENVELOPE_ID = 'envelope_[a-zA-Z0-9]{2,}';

/** Picks a document or template from a list, by id, or by the URL of its page in Documenso. */
function envelopeLocator(name: string, displayName: string, search: string): INodeProperties {
	const thing = displayName.toLowerCase();
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${thing}…`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. envelope_abcdefghijklmnop',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^\\s*${ENVELOPE_ID}\\s*$`,
							errorMessage: 'An ID starts with envelope_',
						},
					},
				],
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: `e.g. https://app.documenso.com/t/my-team/${thing}s/envelope_abcdefghijklmnop`,
				extractValue: { type: 'regex', regex: `^https?://.*/(${ENVELOPE_ID})(?:[/?#].*)?$` },
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^https?://.*/(${ENVELOPE_ID})(?:[/?#].*)?$`,
							errorMessage: `The address of a ${thing} in Documenso contains its ID, which starts with envelope_`,
						},
					},
				],
			},
		],
	};
}

export const documentId = envelopeLocator('documentId', 'Document', 'searchDocuments');
export const templateId = envelopeLocator('templateId', 'Template', 'searchTemplates');
