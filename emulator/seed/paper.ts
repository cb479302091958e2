import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from '@cantoo/pdf-lib';
import type { Place } from '../schemas/fields';

const A4: [number, number] = [595, 842];
const MARGIN = 64;
const INK = rgb(0.1, 0.12, 0.18);
const GREY = rgb(0.45, 0.48, 0.55);

/** A plain contract on A4: headings, numbered clauses, and lines for the values. */
export class Paper {
	private page: PDFPage;
	private y = 0;

	private constructor(
		private readonly pdf: PDFDocument,
		private readonly regular: PDFFont,
		private readonly bold: PDFFont,
		private readonly footer: string,
	) {
		this.page = this.addPage();
	}

	static async start(footer: string): Promise<Paper> {
		const pdf = await PDFDocument.create();
		// Dates in the file would change its digest on every start.
		pdf.setCreationDate(new Date(0));
		pdf.setModificationDate(new Date(0));
		const regular = await pdf.embedFont(StandardFonts.TimesRoman);
		const bold = await pdf.embedFont(StandardFonts.TimesRomanBold);
		return new Paper(pdf, regular, bold, footer);
	}

	addPage(): PDFPage {
		this.page = this.pdf.addPage(A4);
		this.y = A4[1] - 84;
		const number = `${this.footer} · page ${this.pdf.getPageCount()}`;
		this.page.drawText(number, { x: MARGIN, y: 40, size: 9, font: this.regular, color: GREY });
		return this.page;
	}

	title(text: string, subtitle: string): void {
		this.write(text, { size: 26, font: this.bold, down: 24 });
		this.write(subtitle, { size: 11, color: GREY, down: 14 });
		const end = { x: A4[0] - MARGIN, y: this.y };
		this.page.drawLine({ start: { x: MARGIN, y: this.y }, end, thickness: 1.4, color: INK });
		this.y -= 34;
	}

	clause(heading: string, text: string): void {
		this.write(heading, { size: 12.5, font: this.bold, down: 18 });
		for (const line of this.wrap(text)) this.write(line, { size: 11.5, down: 16 });
		this.y -= 14;
	}

	/** A label followed by a line. */
	blank(label: string, width = 270): Place {
		const x = MARGIN + 96;
		this.page.drawText(label, { x: MARGIN, y: this.y, size: 11.5, font: this.regular, color: INK });
		const place = this.line(x, width, 20);
		this.y -= 32;
		return place;
	}

	/** A taller line to sign on, with a date beside it. */
	signature(who: string): { signature: Place; date: Place } {
		this.y -= 34;
		const signature = this.line(MARGIN, 250, 40);
		const date = this.line(MARGIN + 290, 150, 20);
		const caption = { y: this.y - 15, size: 10, font: this.regular, color: GREY };
		this.page.drawText(`Signature (${who})`, { x: MARGIN, ...caption });
		this.page.drawText('Date', { x: MARGIN + 290, ...caption });
		this.y -= 44;
		return { signature, date };
	}

	async save(): Promise<Uint8Array> {
		return await this.pdf.save();
	}

	private line(x: number, width: number, height: number): Place {
		const y = this.y - 4;
		this.page.drawLine({ start: { x, y }, end: { x: x + width, y }, thickness: 0.7, color: GREY });
		const [pageWidth, pageHeight] = A4;
		return {
			page: this.pdf.getPageCount(),
			positionX: percent(x + 2, pageWidth),
			positionY: percent(pageHeight - y - height - 1, pageHeight),
			width: percent(width - 4, pageWidth),
			height: percent(height, pageHeight),
		};
	}

	private write(
		text: string,
		style: { size: number; down: number; font?: PDFFont; color?: ReturnType<typeof rgb> },
	): void {
		const { size, down, font = this.regular, color = INK } = style;
		this.page.drawText(text, { x: MARGIN, y: this.y, size, font, color });
		this.y -= down;
	}

	private wrap(text: string): string[] {
		const lines: string[] = [];
		for (const word of text.split(' ')) {
			const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
			const fits = this.regular.widthOfTextAtSize(longer, 11.5) <= A4[0] - 2 * MARGIN;
			if (fits && lines.length > 0) lines[lines.length - 1] = longer;
			else lines.push(word);
		}
		return lines;
	}
}

function percent(points: number, whole: number): number {
	return Math.round((points / whole) * 10_000) / 100;
}
