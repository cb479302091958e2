import type { Params } from '../params';
import { replacementRow } from '../schemas/template';
import { pdfOf } from '../transport/binary';
import type { UploadFile } from '../transport/multipart';

/** The PDFs that take the places of a template's, and which is which. */
export async function replacements(params: Params) {
	const rows = params.rows('replacedFiles', replacementRow);
	const files: UploadFile[] = [];
	const customDocumentData: Array<{ identifier: string; envelopeItemId: string }> = [];
	for (const [index, { envelopeItemId, property }] of rows.entries()) {
		const file = await pdfOf(params.context, params.itemIndex, property);
		// By name: a number counts among the files that are mapped only (contract §1.12).
		const isTaken = files.some(({ name }) => name === file.name);
		const identifier = isTaken ? `${index + 1}-${file.name}` : file.name;
		files.push({ ...file, name: identifier });
		customDocumentData.push({ identifier, envelopeItemId });
	}
	return { files, customDocumentData };
}
