import type { INodeProperties } from 'n8n-workflow';

import { EMAILS, LANGUAGES } from './optionLists';

export const distributionMethod: INodeProperties = {
	displayName: 'Delivery',
	name: 'distributionMethod',
	type: 'options',
	options: [
		{ name: 'By Email', value: 'EMAIL', description: 'Documenso mails the recipients' },
		{
			name: 'By Yourself',
			value: 'NONE',
			description: 'Documenso mails nobody: pass the signing links on by chat or mail of your own',
		},
	],
	default: 'EMAIL',
	description: 'How the recipients get their signing links',
};

/** The same where a template has a say. */
export const templateDelivery: INodeProperties = {
	...distributionMethod,
	name: 'delivery',
	displayOptions: { show: { send: [true] } },
	options: [
		{ name: 'As in the Template', value: 'template' },
		...(distributionMethod.options ?? []),
	],
	default: 'template',
	description: 'How the recipients get their signing links. The output has the links in any case.',
};

export const emailId: INodeProperties = {
	displayName: 'Sender ID',
	name: 'emailId',
	type: 'string',
	default: '',
	description: "The ID of one of your organisation's sender addresses",
};

export const emailReplyTo: INodeProperties = {
	displayName: 'Reply-To Email',
	name: 'emailReplyTo',
	type: 'string',
	placeholder: 'name@email.com',
	default: '',
	description: 'Where answers to the mails of Documenso go',
};

function emails(displayName: string, name: string, description: string): INodeProperties {
	return { displayName, name, type: 'multiOptions', options: EMAILS, default: [], description };
}

export const emailsOff = emails(
	'Emails to Switch Off',
	'emailsOff',
	'Mails that Documenso is not to send',
);

export const emailsOn = emails(
	'Emails to Switch On',
	'emailsOn',
	'Mails that Documenso is to send again',
);

export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	options: LANGUAGES,
	default: 'en',
	description: 'The language of the mails and of the signing page',
};

export const message: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	description:
		'The text of the mail. {signer.name}, {signer.email} and {document.name} are replaced.',
};

export const subject: INodeProperties = {
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	description:
		'The subject of the mail. {signer.name}, {signer.email} and {document.name} are replaced.',
};
