import { z } from 'zod';
import { UploadedFile } from '../http/multipart';

export const uploadedFile = z
	.custom<UploadedFile>((value) => value instanceof UploadedFile, {
		message: 'Input not instance of File',
	})
	.superRefine(({ content, maxBytes }, context) => {
		if (content.bytes <= maxBytes) return;
		const message = `File cannot be larger than ${maxBytes / 1_000_000}MB`;
		context.addIssue({ code: 'custom', message });
	});

/** A multipart operation's input; as JSON, the service accepts the same without files. */
export function multipart<Payload extends z.ZodTypeAny>(payload: Payload) {
	return z.object({ payload, files: z.array(uploadedFile).optional() });
}
