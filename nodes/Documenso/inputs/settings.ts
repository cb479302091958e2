import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import {
	changes,
	collection,
	flag,
	input,
	json,
	limiting,
	multiChoice,
	openChoice,
	required,
	rows,
	textOf,
	type Added,
} from '../engine/input';
import {
	anyText,
	constant,
	email,
	filledText,
	textUpTo,
	timeZone,
	webUrl,
	wholeNumber,
} from '../engine/values';
import {
	allowPlaceholders,
	ifExternalIdExists,
	ifFieldStaysBlank,
	ifSendingFails,
	mayStayBlank,
	readsDayNumbers,
	unmatchedColumns,
} from './creation';
import { prefillJson, replacedFiles } from './fillTemplate';
import { link } from './link';
import { DATE_FORMATS, EMAILS, LANGUAGES } from './optionLists';

/** The service clears a setting that is null. */
const nullIfEmpty = (value: string) => (value === '' ? null : value);

export const title = textOf('Title', filledText(255));

export const accessAuth = (description: string) =>
	multiChoice(
		'Access Authentication',
		[
			{ name: 'Account', value: 'ACCOUNT' },
			{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
		],
		z.array(constant),
		{ description },
	);

export const actionAuth = (description: string, more: INodePropertyOptions[] = []) =>
	multiChoice(
		'Action Authentication',
		[
			...more,
			{ name: 'Account', value: 'ACCOUNT' },
			{ name: 'Passkey', value: 'PASSKEY' },
			{ name: 'Password', value: 'PASSWORD' },
			{ name: 'Two-Factor', value: 'TWO_FACTOR_AUTH' },
		],
		z.array(constant),
		{ description },
	);

export const visibility = (description: string) =>
	openChoice(
		'Visibility',
		[
			{ name: 'Admins', value: 'ADMIN' },
			{ name: 'Everyone', value: 'EVERYONE' },
			{ name: 'Managers and Above', value: 'MANAGER_AND_ABOVE' },
		],
		{ default: 'EVERYONE', description },
	);

const distributionMethod = openChoice(
	'Delivery',
	[
		{ name: 'By Email', value: 'EMAIL', description: 'Documenso emails the recipients' },
		{
			name: 'By Yourself',
			value: 'NONE',
			description: 'Documenso sends no emails; you pass on the signing links',
		},
	],
	{ default: 'EMAIL', description: 'How recipients get their signing links' },
);

const period = (
	displayName: string,
	name: string,
	units: string[],
	unit: string,
): INodeProperties[] => [
	{
		displayName,
		name: `${name}Amount`,
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description: 'Use 0 for never',
	},
	{
		displayName: `${displayName}, Unit`,
		name: `${name}Unit`,
		type: 'options',
		options: units.map((one) => ({ name: `${one}s`, value: one.toLowerCase() })),
		default: unit,
	},
];

const periodOf = (amount: number, unit: string) =>
	amount === 0 ? { disabled: true } : { amount, unit };

const amount = wholeNumber(0);

/** Texts and dates of a document, which can be set when it is created, sent or updated. */
const presentation = {
	dateFormat: openChoice(
		'Date Format',
		DATE_FORMATS.map((format) => ({ name: format, value: format })),
		{ default: 'yyyy-MM-dd hh:mm a', description: 'Format of signing dates' },
	),
	emailsOff: limiting(
		multiChoice('Emails to Turn Off', EMAILS, z.array(z.string()), {
			description: 'Emails Documenso should not send',
		}),
	),
	emailsOn: multiChoice('Emails to Turn On', EMAILS, z.array(z.string()), {
		description: 'Emails Documenso should send, even if they were turned off before',
	}),
	language: openChoice('Language', LANGUAGES, {
		default: 'en',
		description: 'Language of the emails and the signing page',
	}),
	message: textOf('Message', textUpTo(5000), {
		typeOptions: { rows: 4 },
		description:
			'The text of the email. {signer.name}, {signer.email} and {document.name} are replaced.',
	}),
	redirectUrl: textOf('Redirect URL', z.literal('').or(webUrl), {
		placeholder: 'e.g. https://example.com/thanks',
		description: 'Page to open after a recipient has signed',
	}),
	subject: textOf('Subject', textUpTo(254), {
		description:
			'The subject of the email. {signer.name}, {signer.email} and {document.name} are replaced.',
	}),
	timezone: textOf('Timezone', timeZone, {
		placeholder: 'e.g. Europe/Berlin',
		description: 'IANA name of the time zone for signing dates',
	}),
};

/** Settings that can also be given when sending; the service keeps them on the document (documenso-api.md: Sending). */
const sendSettings = {
	...presentation,
	distributionMethod: limiting(distributionMethod),
	emailId: textOf('Sender ID', anyText.transform(nullIfEmpty), {
		description: "The ID of one of your organisation's sender addresses",
	}),
	emailReplyTo: textOf('Reply-To Email', z.literal('').transform(nullIfEmpty).or(email), {
		placeholder: 'name@email.com',
		description: "Where replies to Documenso's emails go",
	}),
};

const SIGNATURE_TYPES = [
	{ name: 'Drawn', value: 'drawSignatureEnabled' },
	{ name: 'Typed', value: 'typedSignatureEnabled' },
	{ name: 'Uploaded', value: 'uploadSignatureEnabled' },
];

const signing = {
	allowDictateNextSigner: flag('Allow Dictating Next Signer', false, {
		description: 'Whether to let a signer choose who signs next',
	}),
	envelopeExpirationPeriod: input(
		{
			displayName: 'Expiration',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Set Expiration',
			description: 'When signing links expire, counted from when the document is sent',
			options: [
				{
					displayName: 'Period',
					name: 'period',
					values: period('Expires After', 'expires', ['Day', 'Week', 'Month', 'Year'], 'month'),
				},
			],
		},
		z
			.object({ period: z.object({ expiresAmount: amount, expiresUnit: z.string() }).optional() })
			.transform(({ period: given }) => given && periodOf(given.expiresAmount, given.expiresUnit)),
	),
	externalId: textOf('External ID', textUpTo(255).transform(nullIfEmpty), {
		description:
			"Your own ID for the document, such as the ID of a CRM record or spreadsheet row. Use it to find the document later, and with 'If External ID Exists' to send nothing twice.",
	}),
	signatureTypes: limiting(
		multiChoice(
			'Signature Types',
			SIGNATURE_TYPES,
			z.array(z.string()).min(1, 'is empty: at least one way to sign is needed'),
			{
				default: SIGNATURE_TYPES.map(({ value }) => value),
				description: 'How recipients may sign',
			},
		),
	),
};

/**
 * Settings of a document or template that can be given when it is created and changed later
 * (documenso-api.md: Settings; Updating an envelope).
 */
const envelopeSettings = {
	...sendSettings,
	...signing,
	globalAccessAuth: limiting(
		accessAuth('How each recipient must authenticate before seeing the document'),
	),
	globalActionAuth: limiting(
		actionAuth(
			'How each recipient must authenticate before signing; needs a plan that includes it',
		),
	),
	reminderSettings: input(
		{
			displayName: 'Reminders',
			type: 'fixedCollection',
			default: {},
			placeholder: 'Set Reminders',
			description:
				'When to remind recipients who have not acted yet, at most five times in 30 days',
			options: [
				{
					displayName: 'Reminders',
					name: 'reminders',
					values: [
						...period('First After', 'sendAfter', ['Day', 'Week', 'Month'], 'day'),
						...period('Then Every', 'repeatEvery', ['Day', 'Week', 'Month'], 'day'),
					],
				},
			],
		},
		z
			.object({
				reminders: z
					.object({
						sendAfterAmount: amount,
						sendAfterUnit: z.string(),
						repeatEveryAmount: amount,
						repeatEveryUnit: z.string(),
					})
					.optional(),
			})
			.transform(
				({ reminders: given }) =>
					given && {
						sendAfter: periodOf(given.sendAfterAmount, given.sendAfterUnit),
						repeatEvery: periodOf(given.repeatEveryAmount, given.repeatEveryUnit),
					},
			),
	),
	signingOrder: limiting(
		openChoice(
			'Signing Order',
			[
				{ name: 'All at Once', value: 'PARALLEL' },
				{ name: 'One After Another', value: 'SEQUENTIAL' },
			],
			{
				default: 'PARALLEL',
				description: 'Whether recipients all sign at once or in their signing order',
			},
		),
	),
	visibility: limiting(visibility('Who in the team can see the document')),
};

/** Not a union, because zod would collect the faults of each of its kinds. */
const formValue = z.custom<string | boolean | number>(
	(value) => ['string', 'boolean', 'number'].includes(typeof value),
	'is not text, a number, true or false',
);

/** Settings that can only be given on creation. */
const creationSettings = {
	attachments: rows('Attachments', { displayName: 'Attachment', name: 'attachment' }, link, {
		placeholder: 'Add Attachment',
		description: 'Links that recipients see next to the document',
	}),
	folderId: limiting(
		textOf('Folder ID', anyText, {
			description: 'The folder to put the document in. Leave empty for the root.',
		}),
	),
	formValues: json('Form Values', z.record(formValue), {
		description: "Values for the PDF's own form fields, by field name",
	}),
};

const createSettings = {
	...envelopeSettings,
	...creationSettings,
	delegatedDocumentOwner: textOf('Owner Email', email, {
		placeholder: 'name@email.com',
		description: 'The team member who will own the document, if the team allows it',
	}),
};

const templateType = openChoice(
	'Template Type',
	[
		{ name: 'Organisation', value: 'ORGANISATION' },
		{ name: 'Private', value: 'PRIVATE' },
		{ name: 'Public', value: 'PUBLIC' },
	],
	{ default: 'PRIVATE', description: 'Who can use the template' },
);

/** Settings that override the template's own (documenso-api.md: Using a template). */
const useSettings = {
	...presentation,
	...signing,
	...creationSettings,
	distributionMethod: limiting(distributionMethod),
	title,
	allowPlaceholders,
	ifExternalIdExists: limiting(ifExternalIdExists),
	ifFieldStaysBlank: limiting(ifFieldStaysBlank),
	ifSendingFails,
	mayStayBlank,
	prefillJson,
	readsDayNumbers,
	unmatchedColumns,
};

export const createTemplateFields = collection('Additional Fields', createSettings);
export const createFields = collection('Additional Fields', {
	...createSettings,
	ifExternalIdExists: limiting(ifExternalIdExists),
});
export const createAndSendFields = collection('Additional Fields', {
	...createSettings,
	ifExternalIdExists: limiting(ifExternalIdExists),
	ifSendingFails,
});
export const sendFields = collection('Additional Fields', sendSettings);
export const useFields = collection('Additional Fields', { ...useSettings, replacedFiles });
export const useByNumberFields = collection('Additional Fields', useSettings);
export const updateDocumentFields = changes('Update Fields', { ...envelopeSettings, title });
export const updateTemplateFields = changes('Update Fields', {
	...envelopeSettings,
	templateType,
	title,
});

/** Without what the deprecated endpoint would drop (documenso-api.md: Deprecated endpoints). */
const {
	envelopeExpirationPeriod: _envelopeExpirationPeriod,
	reminderSettings: _reminderSettings,
	...settingsByNumber
} = envelopeSettings;

export const updateTemplateByNumberFields = changes('Update Fields', {
	...settingsByNumber,
	templateType,
	title,
});

export const requiredTitle = required(title);

/** Any setting of the collections above. */
export type GivenSettings = Added<
	typeof createSettings &
		typeof useSettings & { replacedFiles: typeof replacedFiles; templateType: typeof templateType }
>;

/** Settings that the service keeps on the document or template itself. */
const OWN: string[] = [
	'title',
	'externalId',
	'visibility',
	'templateType',
	'folderId',
	'globalAccessAuth',
	'globalActionAuth',
] satisfies Array<keyof GivenSettings>;

/** What the service accepts only when something is created. */
const CONTENT: string[] = ['delegatedDocumentOwner', 'formValues', 'attachments'] satisfies Array<
	keyof GivenSettings
>;

export type Settings = ReturnType<typeof sortSettings>;

/** What the node itself does with a document, and Documenso knows nothing of. */
const NODES_OWN: string[] = [
	'allowPlaceholders',
	'ifExternalIdExists',
	'ifFieldStaysBlank',
	'ifSendingFails',
	'mayStayBlank',
	'prefillJson',
	'readsDayNumbers',
	'replacedFiles',
	'unmatchedColumns',
] satisfies Array<keyof GivenSettings>;

/** Settings by where the service takes them (documenso-api.md: Creating an envelope; Settings). */
export function sortSettings(given: GivenSettings) {
	const { emailsOff = [], emailsOn = [], signatureTypes, ...others } = given;
	const entries = Object.entries<IDataObject[string]>(others).filter(
		([name, value]) => value !== undefined && !NODES_OWN.includes(name),
	);
	const those = (isWanted: (name: string) => boolean): IDataObject =>
		Object.fromEntries(entries.filter(([name]) => isWanted(name)));
	const signature =
		signatureTypes &&
		Object.fromEntries(SIGNATURE_TYPES.map(({ value }) => [value, signatureTypes.includes(value)]));
	const meta: IDataObject = {
		...those((name) => !OWN.includes(name) && !CONTENT.includes(name)),
		...signature,
	};
	return {
		data: those((name) => OWN.includes(name)),
		content: those((name) => CONTENT.includes(name)),
		/** What the service keeps in the document's settings. */
		meta,
		/** The emails to turn on or off; the others stay as they are. */
		emails: { ...switched(emailsOff, false), ...switched(emailsOn, true) },
	};
}

function switched(names: string[], isOn: boolean): Record<string, boolean> {
	return Object.fromEntries(names.map((name) => [name, isOn]));
}
