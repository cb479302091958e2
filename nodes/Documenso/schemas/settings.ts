import { z } from 'zod';

import { email, text } from './values';

const SIGNATURE_TYPES = [
	'drawSignatureEnabled',
	'typedSignatureEnabled',
	'uploadSignatureEnabled',
] as const;

/** What the service keeps on a document itself, and what in its settings; lengths from contract §1.5 and §1.7. */
export const settingsSchema = z
	.object({
		title: text(255).min(1, 'is empty'),
		externalId: text(255).transform(nullIfEmpty),
		visibility: z.string(),
		folderId: z.string().trim(),
		dateFormat: z.string(),
		distributionMethod: z.string(),
		emailReplyTo: z.literal('').transform(nullIfEmpty).or(email),
		language: z.string(),
		message: text(5000),
		redirectUrl: z
			.string()
			.trim()
			.regex(/^(https?:\/\/[^/\s]+\S*)?$/i, 'is not a URL with http:// or https://'),
		signatureTypes: z.array(z.string()).min(1, 'is empty: at least one way to sign is needed'),
		signingOrder: z.string(),
		subject: text(254),
		timezone: z.string().trim(),
	})
	.partial()
	.transform(({ title, externalId, visibility, folderId, signatureTypes, ...meta }) => ({
		data: definedOnly({ title, externalId, visibility, folderId }),
		meta: definedOnly({ ...meta, ...signatureFlags(signatureTypes) }),
	}));

export type Settings = z.infer<typeof settingsSchema>;

/** How the service is told to empty what may be absent. */
function nullIfEmpty(value: string): string | null {
	return value === '' ? null : value;
}

function signatureFlags(allowed: string[] | undefined): Record<string, boolean> {
	if (!allowed) return {};
	return Object.fromEntries(SIGNATURE_TYPES.map((type) => [type, allowed.includes(type)]));
}

function definedOnly<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
	return Object.fromEntries(
		Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined),
	);
}
