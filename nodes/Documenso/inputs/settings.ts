import type { INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { collection } from '../../shared/n8n/collections';
import {
	flag,
	hidden,
	limiting,
	multiChoice,
	openChoice,
	required,
	textOf,
	type Added,
} from '../../shared/n8n/input';
import { anyText, email, filledText, textUpTo, timeZone, webUrl } from '../../shared/n8n/values';
import {
	allowMisplacedFields,
	creationSettings,
	ifExternalIdExistsBefore,
	ifSendingFails,
} from './creation';
import { fillingSettings, mayBeLeftOut, replacedFiles } from './fillTemplate';
import { DATE_FORMATS, EMAILS, LANGUAGES } from '../../shared/inputs/optionLists';
import { readable } from './readable';
import { expiration, reminders } from './periods';
import { accessAuth, actionAuth } from './recipientSettings';
import { additional, updated } from './sections';

/** The service clears a setting that is null. */
const nullIfEmpty = (value: string) => (value === '' ? null : value);

export const title = textOf('Title', readable(filledText(255)), {
	placeholder: 'e.g. Rental agreement',
});

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

/** Documenso drops words that it does not know: emails would stay on, and every way to sign would be turned off. */
const oneOf = (options: INodePropertyOptions[]) => {
	const known = options.map(({ value }) => value);
	return z.string().refine((value) => known.includes(value), {
		message: `is not one of: ${known.join(', ')}`,
	});
};

/** Texts and dates of a document, which can be set when it is created, sent or updated. */
const presentation = {
	dateFormat: openChoice(
		'Date Format',
		DATE_FORMATS.map((format) => ({ name: format, value: format })),
		{ default: 'yyyy-MM-dd hh:mm a', description: 'Format of signing dates' },
	),
	emailsOff: limiting(
		multiChoice('Emails to Turn Off', EMAILS, z.array(oneOf(EMAILS)), {
			description: 'Emails Documenso should not send',
		}),
	),
	emailsOn: multiChoice('Emails to Turn On', EMAILS, z.array(oneOf(EMAILS)), {
		description: 'Emails Documenso should send, even if they were turned off before',
	}),
	language: openChoice('Language', LANGUAGES, {
		default: 'en',
		description: 'Language of the emails and the signing page',
	}),
	message: textOf('Message', textUpTo(5000), {
		placeholder: 'e.g. Please sign {document.name} by Friday.',
		typeOptions: { rows: 4 },
		description:
			'The text of the email. {signer.name}, {signer.email} and {document.name} are replaced.',
	}),
	redirectUrl: textOf('Redirect URL', z.literal('').or(webUrl), {
		placeholder: 'e.g. https://example.com/thanks',
		description: 'Page to open after a recipient has signed',
	}),
	subject: textOf('Subject', textUpTo(254), {
		placeholder: 'e.g. Please sign {document.name}',
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
		placeholder: 'e.g. cm2abc…',
		description: "The ID of one of your organisation's sender addresses",
	}),
	emailReplyTo: textOf('Reply-To Email', z.literal('').transform(nullIfEmpty).or(email), {
		placeholder: 'name@email.com',
		description: "Where replies to Documenso's emails go",
	}),
};

export const SIGNATURE_TYPES = [
	{ name: 'Drawn', value: 'drawSignatureEnabled' },
	{ name: 'Typed', value: 'typedSignatureEnabled' },
	{ name: 'Uploaded', value: 'uploadSignatureEnabled' },
];

const signing = {
	allowDictateNextSigner: flag('Allow Dictating Next Signer', false, {
		description: 'Whether to let a signer choose who signs next',
	}),
	envelopeExpirationPeriod: expiration,
	externalId: textOf('External ID', readable(textUpTo(255)).transform(nullIfEmpty), {
		placeholder: 'e.g. RA-2027-001',
		description:
			"Your own ID for the document, such as the ID of a CRM record or spreadsheet row. Use it to find the document later, and with 'If External ID Exists' to send nothing twice.",
	}),
	signatureTypes: limiting(
		multiChoice(
			'Signature Types',
			SIGNATURE_TYPES,
			z.array(oneOf(SIGNATURE_TYPES)).min(1, 'is empty: at least one way to sign is needed'),
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
	// With a part missing, two documents may have the same.
	externalId: limiting(signing.externalId),
	globalAccessAuth: limiting(
		accessAuth('How each recipient must authenticate before seeing the document'),
	),
	globalActionAuth: limiting(
		actionAuth(
			'How each recipient must authenticate before signing; needs a plan that includes it',
		),
	),
	reminderSettings: reminders,
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

const createSettings = {
	...envelopeSettings,
	...creationSettings,
	allowMisplacedFields,
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

/** What the node does for any new document that it sends. */
const sendingSettings = { ifExternalIdExists: ifExternalIdExistsBefore, ifSendingFails };

/** What the node itself does with a document, and Documenso knows nothing of. */
export const nodesOwn = {
	...fillingSettings,
	...sendingSettings,
	allowMisplacedFields,
	mayBeLeftOut,
	replacedFiles,
};

/** Settings that override the template's own (documenso-api.md: Using a template). */
const useSettings = {
	...presentation,
	...signing,
	...creationSettings,
	distributionMethod: limiting(distributionMethod),
	// Where it was before it stood on the panel.
	title: hidden(title),
	...sendingSettings,
	...fillingSettings,
};

/** Documents do not take them over (documenso-api.md: What envelope/use keeps). */
const templateReminders = {
	...envelopeSettings.reminderSettings,
	property: {
		...envelopeSettings.reminderSettings.property,
		description:
			'When to remind recipients of the template. Documents do not take it over: set it again in Create Document.',
	},
};

export const createTemplateFields = additional({
	...createSettings,
	reminderSettings: templateReminders,
});
export const createFields = additional({
	...createSettings,
	ifExternalIdExists: ifExternalIdExistsBefore,
});
export const createAndSendFields = additional({ ...createSettings, ...sendingSettings });
export const sendFields = collection('Additional Fields', sendSettings);
export const useFields = additional({
	...useSettings,
	...nodesOwn,
	reminderSettings: envelopeSettings.reminderSettings,
});
export const useByNumberFields = additional(useSettings);
export const updateDocumentFields = updated({ ...envelopeSettings, title });
export const updateTemplateFields = updated({
	...envelopeSettings,
	reminderSettings: templateReminders,
	templateType,
	title,
});

/** Without what the deprecated endpoint would drop (documenso-api.md: Deprecated endpoints). */
const {
	envelopeExpirationPeriod: _envelopeExpirationPeriod,
	reminderSettings: _reminderSettings,
	...settingsByNumber
} = envelopeSettings;

export const updateTemplateByNumberFields = updated({
	...settingsByNumber,
	templateType,
	title,
});

export const requiredTitle = required(title);

/** Any setting of the collections above. */
export type GivenSettings = Added<
	typeof createSettings &
		typeof useSettings &
		typeof nodesOwn & { templateType: typeof templateType }
>;
