import type { PDFFont } from '@cantoo/pdf-lib';

/** The standard fonts have only Western European letters; others become question marks. */
export function encodable(text: string, font: PDFFont): string {
	const known = new Set(font.getCharacterSet());
	return Array.from(text.normalize('NFC').replace(/\s+/g, ' '))
		.map((character) => (known.has(character.codePointAt(0) ?? 0) ? character : '?'))
		.join('');
}
