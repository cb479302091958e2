import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';

/** Smaller uploads were no PDFs. */
const SMALLEST_PDF_BYTES = 100;

/** Points from the lower left corner of an A4 page. */
interface Line {
	text: string;
	y: number;
}

/** The texts of the recorded file with placeholders, which determine where its fields are. */
const PLACEHOLDERS: readonly Line[] = [
	{ text: '{{signature, r1}}', y: 500 },
	{ text: '{{name, r1}}', y: 440 },
	{ text: 'Sign here: [[SIG]]', y: 380 },
];

/** A file to upload instead of a recorded one, whose content is not known. */
export async function substituteFile(filename: string, bytes: number): Promise<Buffer> {
	if (bytes < SMALLEST_PDF_BYTES) return Buffer.from('hello'.slice(0, bytes));
	const isForm = filename.startsWith('ph');
	return await write(isForm ? PLACEHOLDERS : [{ text: 'A substitute', y: 700 }]);
}

async function write(lines: readonly Line[]): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	// Without dates, so that the digest is the same every time.
	pdf.setCreationDate(new Date(0));
	pdf.setModificationDate(new Date(0));
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const page = pdf.addPage([595, 842]);
	for (const { text, y } of lines) page.drawText(text, { x: 60, y, size: 12, font });
	return Buffer.from(await pdf.save());
}
