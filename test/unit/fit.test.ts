import { notoFontFor } from '../../emulator/pdf/notoFonts';
import type { EnvelopeField } from '../../nodes/shared/api/envelope';
import { cutOff } from '../../nodes/Documenso/template/fit';

const field = (type: string, width: number, height: number, meta: object): EnvelopeField => ({
	...{ id: 1, type, recipientId: 1, page: 1, positionX: 5, positionY: 40, width, height },
	...{ envelopeItemId: 'envelope_item_a', customText: '', inserted: false, fieldMeta: meta },
});

/** As they were in the signed PDF of Documenso 2.17.0, with pages of A4. */
const drawn: Array<[string, number, number, object, string, boolean]> = [
	['TEXT', 15, 3, {}, 'Bahnhofstrasse 12', true],
	['TEXT', 12, 3, {}, 'Bahnhofstrasse 12', true],
	['TEXT', 25, 3, {}, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 3, { overflow: 'auto' }, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 3, { overflow: 'horizontal' }, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 3, { overflow: 'vertical' }, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 3, { fontSize: 8 }, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 6, {}, 'Bahnhofstrasse 12', true],
	['TEXT', 20, 3, { letterSpacing: 4 }, 'Bahnhofstrasse 12', true],
	['TEXT', 15, 4, { lineHeight: 2 }, 'Main Street 1, 10115 Berlin', false],
	['NUMBER', 11, 3, {}, '1250000.50', true],
	['NUMBER', 7, 3, {}, '1250000.50', false],
	['NUMBER', 20, 3, {}, '1250000.50', true],
	['NUMBER', 11, 3, { textAlign: 'right' }, '1250000.50', true],
	['DATE', 12, 3, { overflow: 'crop' }, '2027-02-01 12:00 AM', false],
	['DATE', 12, 3, { overflow: 'auto' }, '2027-02-01 12:00 AM', true],
	['DROPDOWN', 16, 4, {}, 'Bank transfer monthly', false],
	['DROPDOWN', 40, 4, {}, 'Bank transfer monthly', true],
	['TEXT', 12, 3, {}, '東京都新宿区西新宿', true],
	['TEXT', 30, 3, { fontSize: 18 }, 'Müller-Lüdenscheidt', false],
];

test.each(drawn)('%s of %d × %d percent with %j shows "%s" as a whole: %s', (...row) => {
	const [type, width, height, meta, text, isWhole] = row;
	expect(cutOff(field(type, width, height, meta), text) === undefined).toBe(isWhole);
});

test.each([
	['Bahnhofstrasse 12', 12, { shown: 9, length: 17 }],
	['1250000.50', 11, { shown: 8, length: 10 }],
])('of "%s", one line of %d percent shows about so much', (text, width, shown) => {
	expect(cutOff(field('TEXT', width, 2.5, {}), text)).toEqual(shown);
});

test.each([
	['right', 60],
	['center', 60],
	['left', 5],
])(
	'a text that overflows to the side, aligned %s, has room up to the edge of the page',
	(textAlign, positionX) => {
		const box = { ...field('TEXT', 10, 2, { overflow: 'horizontal', textAlign }), positionX };
		expect(cutOff(box, 'Bahnhofstrasse 12')).toBeUndefined();
		expect(cutOff(box, 'Bahnhofstrasse 12'.repeat(10))?.length).toBe(170);
	},
);

test.each([
	['top', 5],
	['middle', 45],
	['bottom', 80],
])('one that overflows up or down, aligned %s, too', (verticalAlign, positionY) => {
	const box = { ...field('TEXT', 20, 4, { overflow: 'vertical', verticalAlign }), positionY };
	expect(cutOff(box, 'Main Street '.repeat(10))).toBeUndefined();
	expect(cutOff(box, 'Main Street '.repeat(200))).toBeDefined();
});

test('each line has its place, and one that is empty, too', () => {
	expect(cutOff(field('TEXT', 20, 3, {}), 'one\ntwo')).toBeUndefined();
	expect(cutOff(field('TEXT', 20, 3, {}), 'one\n\nthree')).toEqual({ shown: 4, length: 10 });
	expect(cutOff(field('TEXT', 20, 3, {}), 'one \n \n')).toBeUndefined();
});

test('a text of any length is measured in a moment', () => {
	expect(cutOff(field('TEXT', 20, 3, {}), 'x'.repeat(8_000_000))?.length).toBe(8_000_000);
});

test('letters are as wide as in the font with which Documenso draws', async () => {
	const letters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
	const font = await notoFontFor(letters.join(''), { weight: 400, italic: false });
	for (const letter of letters) {
		const glyph = font?.shaper.glyphForCodePoint(letter.codePointAt(0) ?? 0);
		const width = ((glyph?.advanceWidth ?? 0) / (font?.shaper.unitsPerEm ?? 1)) * 12;
		const percent = (part: number) => ((20 * width * part + 12) / 595) * 100;
		const fits = (part: number) =>
			cutOff(field('TEXT', percent(part), 1.5, {}), letter.repeat(20)) === undefined;
		expect({ letter, asWide: fits(1), narrower: fits(0.95) }).toEqual({
			...{ letter, asWide: true, narrower: false },
		});
	}
});
