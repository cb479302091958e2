import { z } from 'zod';
import { jsonIn, UploadedFile } from '../http/multipart';

export const uploadedFile = z
	.custom<UploadedFile>((value) => value instanceof UploadedFile, {
		message: 'Input not instance of File',
	})
	.superRefine(({ content, maxBytes }, context) => {
		if (content.bytes <= maxBytes) return;
		const message = `File cannot be larger than ${maxBytes / 1_000_000}MB`;
		context.addIssue({ code: 'custom', message });
	});

/** A payload is text also where it is sent as JSON. */
export function jsonText<Payload extends z.ZodTypeAny>(payload: Payload) {
	return z.preprocess(jsonIn, payload) as z.ZodEffects<Payload, z.output<Payload>, unknown>;
}

/** What is no list counts as one. */
const files = z.preprocess(
	(value) => (value === undefined || Array.isArray(value) ? value : [value]),
	z.array(uploadedFile).optional(),
);

/** A multipart operation's input; as JSON, the service accepts the same without files. */
export function multipart<Payload extends z.ZodTypeAny>(payload: Payload) {
	return z.object({ payload: jsonText(payload), files });
}
