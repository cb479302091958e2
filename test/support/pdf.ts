import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

/** A real PDF with one page for each text. */
export async function pdf(...texts: string[]): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	for (const text of texts.length > 0 ? texts : ['A contract']) {
		document.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 12, font });
	}
	return Buffer.from(await document.save());
}
