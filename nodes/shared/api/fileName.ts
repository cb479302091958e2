/**
 * A file's name without control characters, and without those that turn the direction of text: with one of these,
 * "invoice\u202Efdp.exe" reads as "invoiceexe.pdf".
 */
export function fileNameOf(text: string): string {
	return text.replace(/[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, '');
}

/** Of a file made from a Word file, Documenso stores a PDF that keeps the name (documenso-api.md: Files). */
export function withoutEnding(name: string): string {
	return name.replace(/\.(pdf|docx)$/i, '');
}
