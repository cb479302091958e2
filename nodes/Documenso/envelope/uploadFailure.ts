import { ApiFailure } from '../../shared/api/failure';
import type { UploadFile } from '../../shared/api/multipart';

/** The failure with the files that were uploaded, where Documenso's own message does not name them. */
export function uploadFailure(error: unknown, files: UploadFile[]): unknown {
	if (!(error instanceof ApiFailure) || files.length === 0) return error;
	const names = files.map(({ name }) => name).join(' or ');
	// It names only `r2` (documenso-api.md: Placeholders in PDFs).
	const [, recipient] = /^Recipient placeholder (r\d+)/i.exec(error.message) ?? [];
	if (recipient) {
		return error.withAdvice(
			`${names} contains a placeholder for the recipient ${recipient}, but there is no such recipient`,
			`Add the recipient, or remove text such as {{signature, ${recipient}}} from the file: Documenso turns it into a field even if 'PDF Contains Placeholders' is off.`,
		);
	}
	if (error.facts.status !== 500 || error.facts.source !== 'documenso') return error;
	// It fails at what it does not expect in a file (documenso-api.md: Files).
	return error.withAdvice(
		`Documenso failed, and may be unable to read ${names}`,
		'Try again later. If it fails again, rewrite the file before this step, for example with: gs -o out.pdf -sDEVICE=pdfwrite in.pdf.',
	);
}
