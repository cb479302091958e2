import { PDFDocument } from '@cantoo/pdf-lib';
import { AppError } from '../errors';
import type { StoredFile } from '../files';
import type { Instance } from '../instance';
import { fillForm, type FormValues } from './formValues';
import { extractPlaceholders, type FoundPlaceholder } from './placeholders';

interface OpenOptions {
	formValues?: FormValues;
	/** Form fields of documents are flattened on upload; templates keep them. */
	flattenForm: boolean;
	findPlaceholders: boolean;
}

/** Remembered, because a template's file is opened again for every document created from it. */
const filesWithoutForm = new WeakSet<StoredFile>();

/** The uploaded file as the envelope stores it: unchanged unless something was drawn on it. */
export async function openDocumentFile(
	instance: Instance,
	upload: StoredFile,
	options: OpenOptions,
): Promise<{ file: StoredFile; placeholders: FoundPlaceholder[] }> {
	if (!options.findPlaceholders && filesWithoutForm.has(upload)) {
		return { file: upload, placeholders: [] };
	}
	const bytes = await upload.read();
	const pdf = await parse(bytes);
	if (!pdf) return { file: upload, placeholders: [] };
	if (pdf.getForm().getFields().length === 0) filesWithoutForm.add(upload);
	const formChanged = changeForm(pdf, options);
	const placeholders = options.findPlaceholders
		? await extractPlaceholders(instance.pdfText, pdf, bytes)
		: [];
	if (!formChanged && placeholders.length === 0) return { file: upload, placeholders };
	return { file: await instance.files.keep(await pdf.save()), placeholders };
}

/** Undefined for a damaged file, which Documenso accepts. */
async function parse(bytes: Buffer): Promise<PDFDocument | undefined> {
	const pdf = await loadPdf(bytes);
	if (pdf?.isEncrypted) throw new AppError('INVALID_DOCUMENT_FILE', 'The document is encrypted');
	if (pdf || isRepairable(bytes)) return pdf;
	throw new AppError('INVALID_DOCUMENT_FILE', 'The document is not a valid PDF');
}

/** The pages of a file, or undefined if they cannot be found. */
export async function loadPdf(bytes: Buffer): Promise<PDFDocument | undefined> {
	try {
		const options = { ignoreEncryption: true, updateMetadata: false };
		const pdf = await PDFDocument.load(bytes, options);
		// Damaged files pass the parser and fail only when their pages are read.
		return pdf.isEncrypted || pdf.getPageCount() > 0 ? pdf : undefined;
	} catch {
		return undefined;
	}
}

/** Documenso's parser repairs a truncated file if it contains the list of pages, with or without its type. */
function isRepairable(bytes: Buffer): boolean {
	const isPdf = bytes.subarray(0, 5).toString() === '%PDF-';
	return isPdf && (bytes.includes('/Type /Pages') || bytes.includes('/Kids'));
}

function changeForm(pdf: PDFDocument, { formValues, flattenForm }: OpenOptions): boolean {
	const form = pdf.getForm();
	if (form.getFields().length === 0) return false;
	fillForm(form, formValues ?? {});
	if (flattenForm) form.flatten();
	return flattenForm || formValues !== undefined;
}
