import { ApiFailure } from '../api/failure';
import type { UploadFile } from '../api/multipart';

/**
 * The failure with the files that were uploaded, if one of them has a placeholder for a recipient that there is not:
 * Documenso's own message names only `r2` (documenso-api.md: Placeholders in PDFs).
 */
export function placeholderFailure(error: unknown, files: UploadFile[]): unknown {
	if (!(error instanceof ApiFailure)) return error;
	const [, recipient] = /^Recipient placeholder (r\d+)/i.exec(error.message) ?? [];
	if (!recipient) return error;
	const names = files.map(({ name }) => name).join(' or ');
	return error.withAdvice(
		`${names} contains a placeholder for the recipient ${recipient}, but there is no such recipient`,
		`Add the recipient, or remove text such as {{signature, ${recipient}}} from the file: Documenso turns it into a field even if 'PDF Contains Placeholders' is off.`,
	);
}
