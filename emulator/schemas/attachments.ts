import { z } from 'zod';

const httpUrl = z
	.string()
	.url('Must be a valid URL')
	.refine((url) => /^https?:/i.test(url), 'URL must use the http or https protocol');

const attachment = z.object({ label: z.string().min(1, 'Label is required'), data: httpUrl });

export const findAttachments = z.object({
	envelopeId: z.string(),
	/** A recipient's token, instead of an API token. */
	token: z.string().optional(),
});

export const createAttachment = z.object({ envelopeId: z.string(), data: attachment });

export const updateAttachment = z.object({ id: z.string(), data: attachment });

export const attachmentIdOnly = z.object({ id: z.string() });
