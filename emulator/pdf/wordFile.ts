import { Paper } from '../seed/paper';

export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A PDF of one page that names the Word file, instead of its converted text. */
export async function pdfFor(filename: string): Promise<Uint8Array> {
	const name = filename.replace(/[^\x20-\x7e]/g, '?');
	const paper = await Paper.start('Local Documenso');
	paper.title('Converted from a Word file', name);
	return await paper.save();
}
