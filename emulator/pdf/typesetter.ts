import {
	beginText,
	endText,
	PDFHexString,
	popGraphicsState,
	pushGraphicsState,
	setFillingColor,
	setFontAndSize,
	setTextMatrix,
	showText,
	StandardFonts,
	type Color,
	type PDFDocument,
	type PDFFont,
	type PDFPage,
} from '@cantoo/pdf-lib';
import fontkit, { type Font } from 'fontkit';
import bidiFactory from 'bidi-js';
import { notoFontFor, type NotoFont, type Style } from './notoFonts';

/** `script` is for signatures: of the fonts that every viewer has, the most like handwriting. */
export type Face = 'regular' | 'bold' | 'script';

/** Where the baseline of a line begins, in points. */
interface Place {
	x: number;
	y: number;
	size: number;
	color: Color;
}

/** Text in one font and one direction. */
interface Piece {
	widthAt(size: number): number;
	draw(page: PDFPage, place: Place): void;
}

/** Every viewer has them, but they contain only Western European letters. */
const STANDARD: Record<Face, StandardFonts> = {
	regular: StandardFonts.Helvetica,
	bold: StandardFonts.HelveticaBold,
	script: StandardFonts.TimesRomanItalic,
};

const STYLES: Record<Face, Style> = {
	regular: { weight: 400, italic: false },
	bold: { weight: 700, italic: false },
	script: { weight: 400, italic: true },
};

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Sets text of any script in one PDF. */
export class Typesetter {
	private readonly standard = new Map<Face, Promise<PDFFont>>();
	private readonly noto = new Map<NotoFont, Promise<PDFFont>>();

	constructor(private readonly pdf: PDFDocument) {
		pdf.registerFontkit(fontkit);
	}

	async line(text: string, face: Face): Promise<Line> {
		const clean = text.normalize('NFC').replace(/\s+/g, ' ');
		const standard = await this.standardFont(face);
		const known = new Set(standard.getCharacterSet());
		const isWestern = Array.from(clean).every((one) => known.has(one.codePointAt(0) ?? 0));
		// One letter that is missing changes the font of the whole line, so that no word mixes two.
		return new Line(isWestern ? [westernPiece(standard, clean)] : await this.pieces(clean, face));
	}

	/** A line that is not wider than that: at a smaller size, or else without its end. */
	async fitted(
		text: string,
		face: Face,
		{ width, size: wanted, smallest }: { width: number; size: number; smallest: number },
	): Promise<{ line: Line; size: number }> {
		let line = await this.line(text, face);
		const largest = (): number => width / Math.max(line.widthAt(1), 0.01);
		for (let kept = split(text); largest() < smallest && kept.length > 1;) {
			const share = largest() / smallest;
			kept = kept.slice(0, Math.min(kept.length - 1, Math.floor(kept.length * share)));
			line = await this.line(`${kept.join('')}…`, face);
		}
		return { line, size: Math.min(wanted, largest()) };
	}

	/** From left to right. */
	private async pieces(text: string, face: Face): Promise<Piece[]> {
		const embedding = bidi.getEmbeddingLevels(text);
		const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
		const runs: Array<{ start: number; level: number; font: NotoFont | undefined; text: string }> =
			[];
		for (const { segment, index } of graphemes.segment(text)) {
			const level = embedding.levels[index] ?? 0;
			const shown = mirrored.get(index) ?? segment;
			const font = await notoFontFor(shown, STYLES[face]);
			const last = runs.at(-1);
			if (last?.font === font && last?.level === level) last.text += shown;
			else runs.push({ start: index, level, font, text: shown });
		}
		const order = bidi.getReorderedIndices(text, embedding);
		runs.sort((a, b) => order.indexOf(a.start) - order.indexOf(b.start));
		const standard = await this.standardFont(face);
		return await Promise.all(
			runs.map(async ({ font, level, text: own }) => {
				if (!font) return westernPiece(standard, '?'.repeat(split(own).length));
				// Signs of no script, in a font of another one: brackets between Arabic words.
				const isReversed = level % 2 > 0 && font.shaper.layout(own).direction === 'ltr';
				const shown = isReversed ? split(own).reverse().join('') : own;
				return shapedPiece(await this.notoFont(font), font.shaper, shown);
			}),
		);
	}

	private async standardFont(face: Face): Promise<PDFFont> {
		const font = this.standard.get(face) ?? this.pdf.embedFont(STANDARD[face]);
		this.standard.set(face, font);
		return await font;
	}

	private async notoFont(noto: NotoFont): Promise<PDFFont> {
		const font = this.noto.get(noto) ?? this.pdf.embedFont(noto.bytes, { subset: true });
		this.noto.set(noto, font);
		return await font;
	}
}

export class Line {
	constructor(private readonly pieces: readonly Piece[]) {}

	widthAt(size: number): number {
		return this.pieces.reduce((sum, piece) => sum + piece.widthAt(size), 0);
	}

	draw(page: PDFPage, place: Place): void {
		let { x } = place;
		for (const piece of this.pieces) {
			piece.draw(page, { ...place, x });
			x += piece.widthAt(place.size);
		}
	}
}

function westernPiece(font: PDFFont, text: string): Piece {
	return {
		// Letter by letter, because pdf-lib counts kerning that it does not draw.
		widthAt: (size) =>
			Array.from(text).reduce((sum, letter) => sum + font.widthOfTextAtSize(letter, size), 0),
		draw: (page, place) => page.drawText(text, { ...place, font }),
	};
}

/** pdf-lib chooses the glyphs, but puts them side by side: accents and vowel signs need other places. */
function shapedPiece(font: PDFFont, shaper: Font, text: string): Piece {
	const positions = shaper.layout(text).positions;
	const scale = (size: number): number => size / shaper.unitsPerEm;
	return {
		widthAt: (size) => positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) * scale(size),
		draw: (page, { x: start, y, size, color }) => {
			const glyphs = font.encodeText(text).asString().match(/.{4}/g) ?? [];
			const k = scale(size);
			let x = start;
			const shown = glyphs.flatMap((glyph, index) => {
				const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
				const at = setTextMatrix(1, 0, 0, 1, x + xOffset * k, y + yOffset * k);
				x += xAdvance * k;
				return [at, showText(PDFHexString.of(glyph))];
			});
			page.pushOperators(
				pushGraphicsState(),
				setFillingColor(color),
				beginText(),
				setFontAndSize(page.node.newFontDictionary(font.name, font.ref), size),
				...shown,
				endText(),
				popGraphicsState(),
			);
		},
	};
}

/** The characters as readers count them: a letter with its accents is one. */
function split(text: string): string[] {
	return Array.from(graphemes.segment(text), ({ segment }) => segment);
}
