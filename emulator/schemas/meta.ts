import { z } from 'zod';
import { email, isHttpUrl, stored, type Scalars } from './scalars';

export const DATE_FORMATS = [
	'yyyy-MM-dd hh:mm a',
	'yyyy-MM-dd',
	'dd/MM/yyyy',
	'dd-MM-yyyy',
	'MM/dd/yyyy',
	'yy-MM-dd',
	'MMMM dd, yyyy',
	'EEEE, MMMM dd, yyyy',
	'dd/MM/yyyy hh:mm a',
	'dd/MM/yyyy HH:mm',
	'dd-MM-yyyy hh:mm a',
	'dd-MM-yyyy HH:mm',
	'MM/dd/yyyy hh:mm a',
	'MM/dd/yyyy HH:mm',
	'dd.MM.yyyy',
	'dd.MM.yyyy HH:mm',
	'yyyy-MM-dd HH:mm',
	'yy-MM-dd hh:mm a',
	'yy-MM-dd HH:mm',
	'yyyy-MM-dd HH:mm:ss',
	'MMMM dd, yyyy hh:mm a',
	'MMMM dd, yyyy HH:mm',
	'EEEE, MMMM dd, yyyy hh:mm a',
	'EEEE, MMMM dd, yyyy HH:mm',
	"yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
] as const;

const LANGUAGES = ['de', 'en', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ja', 'ko', 'zh'] as const;

const emailSetting = z.boolean().default(true);

const emailSwitches = z.object({
	recipientSigningRequest: emailSetting,
	recipientRemoved: emailSetting,
	recipientSigned: emailSetting,
	documentPending: emailSetting,
	documentCompleted: emailSetting,
	documentDeleted: emailSetting,
	ownerDocumentCompleted: emailSetting,
	ownerRecipientExpired: emailSetting,
	ownerDocumentCreated: emailSetting,
});

type EmailSettings = z.output<typeof emailSwitches>;

function allEmails(): EmailSettings {
	return emailSwitches.parse({});
}

// One wrong type resets all switches instead of failing (documenso-api.md: Email settings).
const emailSettings = emailSwitches.catch(allEmails);

const redirectUrl = z.string().refine((value) => value === '' || isHttpUrl(value), {
	message: 'Please enter a valid URL, make sure you include http:// or https:// part of the url.',
});

const disabled = z.object({ disabled: z.literal(true) });

function period<Unit extends string>(units: readonly [Unit, ...Unit[]]) {
	return z.union([z.object({ unit: z.enum(units), amount: z.number().int().min(1) }), disabled]);
}

const expirationPeriod = period(['day', 'week', 'month', 'year']);
const reminderPeriod = period(['day', 'week', 'month']);

export type ExpirationPeriod = z.output<typeof expirationPeriod>;

/** What a document created from a template can override, apart from its title. */
export function overridableMeta(scalar: Scalars) {
	return {
		subject: z.string().max(254).optional(),
		message: z.string().max(5000).optional(),
		timezone: z.string().optional(),
		dateFormat: z.enum(DATE_FORMATS).optional(),
		distributionMethod: stored(['EMAIL', 'NONE']).optional(),
		allowDictateNextSigner: scalar.boolean().optional(),
		redirectUrl: redirectUrl.optional(),
		language: z.enum(LANGUAGES).optional(),
		typedSignatureEnabled: scalar.boolean().optional(),
		uploadSignatureEnabled: scalar.boolean().optional(),
		drawSignatureEnabled: scalar.boolean().optional(),
		emailSettings: emailSettings.nullish(),
		envelopeExpirationPeriod: expirationPeriod.nullish(),
	};
}

export function metaSchema(scalar: Scalars) {
	return z.object({
		...overridableMeta(scalar),
		signingOrder: stored(['PARALLEL', 'SEQUENTIAL']).optional(),
		emailId: z.string().nullish(),
		emailReplyTo: email.nullish(),
		reminderSettings: z
			.object({ sendAfter: reminderPeriod, repeatEvery: reminderPeriod })
			.nullish(),
	});
}

export function distributeMetaSchema(scalar: Scalars) {
	return metaSchema(scalar).pick({
		subject: true,
		message: true,
		timezone: true,
		dateFormat: true,
		distributionMethod: true,
		redirectUrl: true,
		language: true,
		emailId: true,
		emailReplyTo: true,
		emailSettings: true,
	});
}

type MetaInput = z.output<ReturnType<typeof metaSchema>>;

export interface DocumentMeta {
	signingOrder: 'PARALLEL' | 'SEQUENTIAL';
	distributionMethod: 'EMAIL' | 'NONE';
	subject: string | null;
	message: string | null;
	timezone: string;
	dateFormat: (typeof DATE_FORMATS)[number];
	redirectUrl: string | null;
	typedSignatureEnabled: boolean;
	uploadSignatureEnabled: boolean;
	drawSignatureEnabled: boolean;
	allowDictateNextSigner: boolean;
	language: (typeof LANGUAGES)[number];
	emailSettings: EmailSettings;
	emailId: string | null;
	emailReplyTo: string | null;
	envelopeExpirationPeriod: ExpirationPeriod | null;
}

export const DEFAULT_EXPIRATION: ExpirationPeriod = { unit: 'month', amount: 3 };

export function defaultMeta(): DocumentMeta {
	return {
		signingOrder: 'PARALLEL',
		distributionMethod: 'EMAIL',
		subject: null,
		message: null,
		timezone: 'Etc/UTC',
		dateFormat: 'yyyy-MM-dd hh:mm a',
		redirectUrl: null,
		typedSignatureEnabled: true,
		uploadSignatureEnabled: true,
		drawSignatureEnabled: true,
		allowDictateNextSigner: false,
		language: 'en',
		emailSettings: allEmails(),
		emailId: null,
		emailReplyTo: null,
		envelopeExpirationPeriod: DEFAULT_EXPIRATION,
	};
}

/** `reminderSettings` is never returned, so it is not stored (documenso-api.md: Envelopes). */
export function mergeMeta<Meta extends DocumentMeta>(stored: Meta, input: MetaInput): Meta {
	const { reminderSettings: _, ...given } = input;
	const merged = { ...stored, ...withoutUndefined(given) };
	return { ...merged, emailSettings: given.emailSettings ?? stored.emailSettings };
}

/**
 * On a new envelope an empty text counts as not given, except the sender's ID, and so does a period that is null; emails
 * that are null are all.
 */
export function withoutEmpty({ envelopeExpirationPeriod, ...input }: MetaInput): MetaInput {
	const given = Object.entries(input).filter(([key, value]) => value !== '' || key === 'emailId');
	return {
		...Object.fromEntries(given),
		emailSettings: input.emailSettings === null ? allEmails() : input.emailSettings,
		envelopeExpirationPeriod: envelopeExpirationPeriod ?? undefined,
	};
}

function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}
