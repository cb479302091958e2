import { z } from 'zod';

import { constant, email, filledText, trueOrFalse, wholeNumber, jsonOf, textUpTo, webUrl } from '../engine/values';

const SIGNATURE_TYPES = [
	'drawSignatureEnabled',
	'typedSignatureEnabled',
	'uploadSignatureEnabled',
] as const;

const auth = z.array(constant);
const emails = z.array(z.string());

/** How the service is told to empty what may be absent. */
function nullIfEmpty(value: string): string | null {
	return value === '' ? null : value;
}

const amount = wholeNumber(0);

function period(value: number, unit: string) {
	return value === 0 ? { disabled: true } : { amount: value, unit };
}

const expiration = z
	.object({ period: z.object({ expiresAmount: amount, expiresUnit: z.string() }).optional() })
	.transform(({ period: given }) => given && period(given.expiresAmount, given.expiresUnit));

const reminders = z
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
				sendAfter: period(given.sendAfterAmount, given.sendAfterUnit),
				repeatEvery: period(given.repeatEveryAmount, given.repeatEveryUnit),
			},
	);

const attachmentSchema = z.object({ label: filledText(255), data: webUrl });

const attachments = z
	.object({ attachment: z.array(attachmentSchema).default([]) })
	.transform(({ attachment }) => attachment);

/** What the service keeps on a document itself, and what in its settings; limits from contract §1.5 and §1.7. */
export const settingsSchema = z
	.object({
		title: filledText(255),
		externalId: textUpTo(255).transform(nullIfEmpty),
		visibility: z.string(),
		templateType: z.string(),
		folderId: z.string().trim(),
		globalAccessAuth: auth,
		globalActionAuth: auth,
		delegatedDocumentOwner: email,
		formValues: jsonOf(z.record(z.union([z.string(), z.boolean(), z.number()]))),
		attachments,
		allowDictateNextSigner: trueOrFalse,
		dateFormat: z.string(),
		distributionMethod: z.string(),
		emailId: z.string().trim().transform(nullIfEmpty),
		emailReplyTo: z.literal('').transform(nullIfEmpty).or(email),
		emailsOff: emails,
		emailsOn: emails,
		envelopeExpirationPeriod: expiration,
		language: z.string(),
		message: textUpTo(5000),
		redirectUrl: z.literal('').or(webUrl),
		reminderSettings: reminders,
		signatureTypes: z.array(z.string()).min(1, 'is empty: at least one way to sign is needed'),
		signingOrder: z.string(),
		subject: textUpTo(254),
		timezone: z.string().trim(),
	})
	.partial()
	.transform(
		({
			title,
			externalId,
			visibility,
			templateType,
			folderId,
			globalAccessAuth,
			globalActionAuth,
			delegatedDocumentOwner,
			formValues,
			attachments: links,
			emailsOff = [],
			emailsOn = [],
			signatureTypes,
			...meta
		}) => ({
			data: definedOnly({
				title,
				externalId,
				visibility,
				templateType,
				folderId,
				globalAccessAuth,
				globalActionAuth,
			}),
			/** Only taken when something is made. */
			content: definedOnly({ delegatedDocumentOwner, formValues, attachments: links }),
			meta: definedOnly({ ...meta, ...signatureFlags(signatureTypes) }),
			/** Which mails are switched; the others stay as they are. */
			emails: { ...switched(emailsOff, false), ...switched(emailsOn, true) },
		}),
	);

export type Settings = z.infer<typeof settingsSchema>;

/** What is to happen where there is something already, or where only a part succeeds. */
const safety = z.object({
	ifExternalIdExists: z.enum(['create', 'skip', 'fail']).default('create'),
	ifSendingFails: z.enum(['keep', 'delete']).default('keep'),
});

export type Safety = z.infer<typeof safety>;

/** Settings of a document that is about to be made. */
export const newDocumentSchema = z.intersection(settingsSchema, safety);

function signatureFlags(allowed: string[] | undefined): Record<string, boolean> {
	if (!allowed) return {};
	return Object.fromEntries(SIGNATURE_TYPES.map((type) => [type, allowed.includes(type)]));
}

function switched(names: string[], on: boolean): Record<string, boolean> {
	return Object.fromEntries(names.map((name) => [name, on]));
}

function definedOnly<Values extends object>(values: Values): Partial<Values> {
	return Object.fromEntries(
		Object.entries(values).filter(([, value]) => value !== undefined),
	) as Partial<Values>;
}
