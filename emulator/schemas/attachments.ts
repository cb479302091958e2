import { z } from 'zod';
import { isHttpUrl, url } from './scalars';

const httpUrl = url.refine(isHttpUrl, 'URL must use the http or https protocol');

const attachment = z.object({ label: z.string().min(1, 'Label is required'), data: httpUrl });

export const findAttachments = z.object({
	envelopeId: z.string(),
	/** A recipient's token, instead of an API token; an empty one counts as none. */
	token: z.string().default(''),
});

export const createAttachment = z.object({ envelopeId: z.string(), data: attachment });

export const updateAttachment = z.object({ id: z.string(), data: attachment });

export const attachmentIdOnly = z.object({ id: z.string() });
