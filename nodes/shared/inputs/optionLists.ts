import type { INodePropertyOptions } from 'n8n-workflow';

/** Documenso accepts no others (documenso-api.md: Date formats). */
export const DATE_FORMATS = [
	"yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
	'dd-MM-yyyy',
	'dd-MM-yyyy hh:mm a',
	'dd-MM-yyyy HH:mm',
	'dd.MM.yyyy',
	'dd.MM.yyyy HH:mm',
	'dd/MM/yyyy',
	'dd/MM/yyyy hh:mm a',
	'dd/MM/yyyy HH:mm',
	'EEEE, MMMM dd, yyyy',
	'EEEE, MMMM dd, yyyy hh:mm a',
	'EEEE, MMMM dd, yyyy HH:mm',
	'MM/dd/yyyy',
	'MM/dd/yyyy hh:mm a',
	'MM/dd/yyyy HH:mm',
	'MMMM dd, yyyy',
	'MMMM dd, yyyy hh:mm a',
	'MMMM dd, yyyy HH:mm',
	'yy-MM-dd',
	'yy-MM-dd hh:mm a',
	'yy-MM-dd HH:mm',
	'yyyy-MM-dd',
	'yyyy-MM-dd hh:mm a',
	'yyyy-MM-dd HH:mm',
	'yyyy-MM-dd HH:mm:ss',
];

export const LANGUAGES: INodePropertyOptions[] = [
	{ name: 'Chinese', value: 'zh' },
	{ name: 'Dutch', value: 'nl' },
	{ name: 'English', value: 'en' },
	{ name: 'French', value: 'fr' },
	{ name: 'German', value: 'de' },
	{ name: 'Italian', value: 'it' },
	{ name: 'Japanese', value: 'ja' },
	{ name: 'Korean', value: 'ko' },
	{ name: 'Polish', value: 'pl' },
	{ name: 'Portuguese (Brazil)', value: 'pt-BR' },
	{ name: 'Spanish', value: 'es' },
];

export const SOURCES: INodePropertyOptions[] = [
	{ name: 'Direct Link', value: 'TEMPLATE_DIRECT_LINK' },
	{ name: 'Document', value: 'DOCUMENT' },
	{ name: 'Template', value: 'TEMPLATE' },
];

export const STATUSES: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'CANCELLED' },
	{ name: 'Completed', value: 'COMPLETED' },
	{ name: 'Draft', value: 'DRAFT' },
	{ name: 'Pending', value: 'PENDING' },
	{ name: 'Rejected', value: 'REJECTED' },
];

export const EMAILS: INodePropertyOptions[] = [
	{ name: 'Completed, to Owner', value: 'ownerDocumentCompleted' },
	{ name: 'Completed, to Recipients', value: 'documentCompleted' },
	{ name: 'Created, to Owner', value: 'ownerDocumentCreated' },
	{ name: 'Deleted or Cancelled', value: 'documentDeleted' },
	{ name: 'Expired, to Owner', value: 'ownerRecipientExpired' },
	{ name: 'Pending, to Signer', value: 'documentPending' },
	{ name: 'Recipient Removed', value: 'recipientRemoved' },
	{ name: 'Recipient Signed, to Owner', value: 'recipientSigned' },
	{ name: 'Signing Request', value: 'recipientSigningRequest' },
];

/** The next three can be added to the output of a document: by the triggers, or by the operations that wait. */
export const FILLED_VALUES = {
	name: 'Filled-In Values',
	value: 'values',
	description:
		"What people filled in, by field label, under 'values', and what they made of what was filled in beforehand under 'changedBySigner'",
} as const;

export const SIGNING_LINKS = {
	name: 'Signing Links',
	value: 'signingLinks',
	description:
		'While the execution waits and after the time limit, the link of each recipient. Anyone who has such a link can sign.',
} as const;

export const SIGNED_FILES = {
	name: 'Signed PDFs',
	value: 'signedFiles',
	description:
		"The signed PDFs of a completed document: the first in the binary field 'data', others in 'data_2' and so on",
} as const;
