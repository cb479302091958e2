import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Contract §1.7; the service takes no other. */
const DATE_FORMATS = [
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

const LANGUAGES: INodePropertyOptions[] = [
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

const dateFormat: INodeProperties = {
	displayName: 'Date Format',
	name: 'dateFormat',
	type: 'options',
	options: DATE_FORMATS.map((format) => ({ name: format, value: format })),
	default: 'yyyy-MM-dd hh:mm a',
	description: 'How dates of signing are written',
};

const distributionMethod: INodeProperties = {
	displayName: 'Delivery',
	name: 'distributionMethod',
	type: 'options',
	options: [
		{ name: 'Email', value: 'EMAIL', description: 'Documenso mails the recipients' },
		{
			name: 'None',
			value: 'NONE',
			description: 'Nobody is mailed: pass the signing links on yourself',
		},
	],
	default: 'EMAIL',
};

const emailReplyTo: INodeProperties = {
	displayName: 'Reply-To Email',
	name: 'emailReplyTo',
	type: 'string',
	placeholder: 'name@email.com',
	default: '',
	description: 'Where answers to the mails of Documenso go',
};

const externalId: INodeProperties = {
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	default: '',
	description: 'Your own ID for the document, for example of the row in a CRM',
};

const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	options: LANGUAGES,
	default: 'en',
	description: 'The language of the mails and of the signing page',
};

const message: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	description:
		'The text of the mail. {signer.name}, {signer.email} and {document.name} are replaced.',
};

const redirectUrl: INodeProperties = {
	displayName: 'Redirect URL',
	name: 'redirectUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/thanks',
	description: 'Where a recipient is taken after signing',
};

const signatureTypes: INodeProperties = {
	displayName: 'Signature Types',
	name: 'signatureTypes',
	type: 'multiOptions',
	options: [
		{ name: 'Drawn', value: 'drawSignatureEnabled' },
		{ name: 'Typed', value: 'typedSignatureEnabled' },
		{ name: 'Uploaded', value: 'uploadSignatureEnabled' },
	],
	default: ['drawSignatureEnabled', 'typedSignatureEnabled', 'uploadSignatureEnabled'],
	description: 'The ways in which recipients may sign',
};

const signingOrder: INodeProperties = {
	displayName: 'Signing Order',
	name: 'signingOrder',
	type: 'options',
	options: [
		{ name: 'All at Once', value: 'PARALLEL' },
		{ name: 'One After Another', value: 'SEQUENTIAL' },
	],
	default: 'PARALLEL',
	description: 'Whether all recipients sign at once, or in the order given to them',
};

const subject: INodeProperties = {
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	description:
		'The subject of the mail. {signer.name}, {signer.email} and {document.name} are replaced.',
};

const timezone: INodeProperties = {
	displayName: 'Timezone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description: 'The time zone of dates of signing, by its IANA name',
};

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
};

const visibility: INodeProperties = {
	displayName: 'Visibility',
	name: 'visibility',
	type: 'options',
	options: [
		{ name: 'Admins', value: 'ADMIN' },
		{ name: 'Everyone', value: 'EVERYONE' },
		{ name: 'Managers and Above', value: 'MANAGER_AND_ABOVE' },
	],
	default: 'EVERYONE',
	description: 'Who in the team sees the document',
};

const folderId: INodeProperties = {
	displayName: 'Folder ID',
	name: 'folderId',
	type: 'string',
	default: '',
	description: 'The folder to put the document in. Leave empty for the root.',
};

/** What a send may carry; the service keeps it on the document (contract §1.10). */
const sendSettings = {
	dateFormat,
	distributionMethod,
	emailReplyTo,
	language,
	message,
	redirectUrl,
	subject,
	timezone,
};

const documentSettings = {
	...sendSettings,
	externalId,
	signatureTypes,
	signingOrder,
	visibility,
};

const useSettings = {
	dateFormat,
	distributionMethod,
	externalId,
	folderId,
	language,
	message,
	redirectUrl,
	signatureTypes,
	subject,
	timezone,
	title,
};

function byLabel(settings: Record<string, INodeProperties>): INodeProperties[] {
	return Object.values(settings).sort((a, b) => a.displayName.localeCompare(b.displayName));
}

function collection(displayName: string, name: string, options: INodeProperties[]) {
	const property: INodeProperties = {
		displayName,
		name,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options,
	};
	return property;
}

export const createFields = collection(
	'Additional Fields',
	'additionalFields',
	byLabel({ ...documentSettings, folderId }),
);
export const updateFields = collection(
	'Update Fields',
	'updateFields',
	byLabel({ ...documentSettings, title }),
);
export const sendFields = collection(
	'Additional Fields',
	'additionalFields',
	byLabel(sendSettings),
);
export const useFields = (extra: Record<string, INodeProperties>) =>
	collection('Additional Fields', 'additionalFields', byLabel({ ...useSettings, ...extra }));

/** The title that a new document has to have. */
export const documentTitle: INodeProperties = { ...title, required: true };
