import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fontkit, { type Font } from 'fontkit';
import subsetFont from 'subset-font';

export interface Style {
	weight: 400 | 700;
	/** Only the Latin, Cyrillic, Greek and Devanagari fonts can be. */
	italic: boolean;
}

export interface NotoFont {
	/** A TrueType file with one style. */
	bytes: Uint8Array;
	/** Chooses and places the glyphs of a text. */
	shaper: Font;
}

/** One of the files into which Fontsource divides a font. */
interface FontFile {
	path: string;
	characters: Set<string>;
}

/** The Chinese font has Japanese characters too. The Korean one is last, as its Chinese characters look Korean. */
const FAMILIES = [
	'noto-sans',
	'noto-sans-hebrew',
	'noto-sans-arabic',
	'noto-sans-thai',
	'noto-sans-sc',
	'noto-sans-kr',
];

const loaded = new Map<string, Promise<NotoFont>>();
let files: FontFile[] | undefined;

/** The first font that has all of these characters. */
export async function notoFontFor(text: string, style: Style): Promise<NotoFont | undefined> {
	// Joiners and the like decide only how their neighbours look.
	const visible = Array.from(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
	files ??= FAMILIES.flatMap(filesOf);
	for (const file of files) {
		if (!visible.every((character) => file.characters.has(character))) continue;
		const font = await load(file, style);
		if (hasGlyphs(font, visible)) return font;
	}
	return undefined;
}

/** Files lack some characters of the ranges that Fontsource gives for them. */
function hasGlyphs({ shaper }: NotoFont, characters: readonly string[]): boolean {
	return characters.every((character) => shaper.hasGlyphForCodePoint(codePoint(character)));
}

async function load({ path, characters }: FontFile, { weight, italic }: Style): Promise<NotoFont> {
	const slanted = path.replace('-normal', '-italic');
	const chosen = italic && existsSync(slanted) ? slanted : path;
	const key = `${weight} ${chosen}`;
	const font = loaded.get(key) ?? ofWeight(chosen, [...characters].join(''), weight);
	loaded.set(key, font);
	return await font;
}

/** pdf-lib embeds only the lightest weight of a variable font. */
async function ofWeight(path: string, text: string, wght: number): Promise<NotoFont> {
	const options = { targetFormat: 'truetype', variationAxes: { wght } } as const;
	const bytes = await subsetFont(await readFile(path), text, options);
	return { bytes, shaper: fontkit.create(bytes) as Font };
}

function filesOf(family: string): FontFile[] {
	const list = require.resolve(`@fontsource-variable/${family}/unicode.json`);
	const ranges = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
	return Object.entries(ranges).map(([name, text]) => {
		// The parts of the Chinese and Korean fonts are numbered: `[4]`.
		const file = `${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`;
		return {
			path: join(dirname(list), 'files', file),
			characters: new Set(text.split(',').flatMap(charactersIn)),
		};
	});
}

/** `U+0370-0377` or `U+20AC`. */
function charactersIn(range: string): string[] {
	const [first = 0, last = first] = range
		.slice(2)
		.split('-')
		.map((hex) => parseInt(hex, 16));
	return Array.from({ length: last - first + 1 }, (_, offset) =>
		String.fromCodePoint(first + offset),
	);
}

function codePoint(character: string): number {
	return character.codePointAt(0) ?? 0;
}
