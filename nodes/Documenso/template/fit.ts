import { DateTime } from 'luxon';

import type { EnvelopeField, EnvelopeRecipient } from '../../shared/api/envelope';
import type { Cut } from '../creation/remarks';
import type { Template } from './columns';

type Shown = Omit<Cut, 'name'>;

interface Box {
	width: number;
	height: number;
	/** Whether a text goes on in the next line. */
	wraps: boolean;
}

/** A4, in points: nothing tells the size of a template's pages without reading its files. Letter is a bit wider. */
const PAGE = { width: 595, height: 842 };
const FONT_SIZE = 12;
/** Beside a text, on each side. */
const PADDING = 6;
/** Around the choice of a dropdown. */
const DROPDOWN_PADDING = 8;

/** A text is longer than any field takes; a stranger's may be far longer. */
const LONGEST = 20_000;

/** What of a text does not fit into its field, as Documenso draws it (documenso-api.md: How values are drawn). */
export function cutOff(field: EnvelopeField, text: string): Shown | undefined {
	const { fontSize = FONT_SIZE, lineHeight = 1, letterSpacing = 0 } = field.fieldMeta ?? {};
	const inside = (PAGE.width * field.width) / 100 - 2 * DROPDOWN_PADDING;
	// No letter is wider than the font is high, and most values are far shorter than their fields.
	if (!text.includes('\n') && text.length * (fontSize + letterSpacing) <= inside) return undefined;
	const letters = Array.from(text.slice(0, LONGEST));
	const widths = letters.map((letter) => (widthIn(letter) * fontSize) / EM + letterSpacing);
	const laidOut = { letters, widths, lineHeight: fontSize * lineHeight };
	const shown = shownIn(boxFor(field, laidOut), laidOut);
	const length = letters.length + Math.max(0, text.length - LONGEST);
	return letters.slice(shown).some((letter) => letter.trim() !== '')
		? { shown, length }
		: undefined;
}

/** The value of a field as it is drawn. */
export function drawn(
	{ documentMeta }: Template,
	{ type }: EnvelopeField,
	value: string | string[],
): string {
	if (type === 'CHECKBOX' || type === 'RADIO' || typeof value !== 'string') return '';
	if (type !== 'DATE') return value;
	// Documenso ignores the format that a document is given (documenso-api.md: Prefilled values).
	return DateTime.fromISO(value).toFormat(documentMeta?.dateFormat ?? 'yyyy-MM-dd hh:mm a');
}

/** The names and addresses that do not fit into the fields of those who sign. */
export function cutPeople(
	{ fields, recipientColumns }: Template,
	used: Array<Pick<EnvelopeRecipient, 'id' | 'email' | 'name'>>,
): Cut[] {
	const byId = new Map(used.map((one) => [one.id, one]));
	const people = fields.filter(({ type }) => type === 'NAME' || type === 'EMAIL');
	return recipientColumns.all.flatMap(({ name, part, recipient: { id } }) => {
		const recipient = byId.get(id);
		if (!recipient || part === 'signingOrder') return [];
		const own = people.filter((one) => one.recipientId === id && one.type === part.toUpperCase());
		const [cut] = own.flatMap((field) => cutOff(field, recipient[part]) ?? []);
		return cut ? [{ name, ...cut }] : [];
	});
}

interface LaidOut {
	letters: string[];
	/** Points, as are the others. */
	widths: number[];
	lineHeight: number;
}

/** Where a text may go. */
function boxFor(field: EnvelopeField, { letters, lineHeight }: LaidOut): Box {
	const { type, fieldMeta, positionX, positionY } = field;
	const width = (PAGE.width * field.width) / 100;
	const height = (PAGE.height * field.height) / 100;
	if (type === 'DROPDOWN') {
		const around = 2 * DROPDOWN_PADDING;
		return { width: width - around, height: height - around, wraps: true };
	}
	const own = { width: width - 2 * PADDING, height, wraps: true };
	const { overflow, textAlign = 'left', verticalAlign = 'middle' } = fieldMeta ?? {};
	const isAuto = overflow === 'auto';
	// Documenso takes the height of all lines for that of one.
	const isLow = height < 2 * lineHeight * (1 + letters.filter((one) => one === '\n').length);
	if (overflow === 'horizontal' || (isAuto && isLow)) {
		const left = (PAGE.width * positionX) / 100;
		const beside = [left + PADDING, PAGE.width - left - width + PADDING] as const;
		return { ...own, width: own.width + roomBeyond(textAlign, beside, isAuto), wraps: false };
	}
	if (overflow === 'vertical' || isAuto) {
		const above = (PAGE.height * positionY) / 100;
		const around = [above, PAGE.height - above - height] as const;
		return { ...own, height: height + roomBeyond(verticalAlign, around, isAuto) };
	}
	return own;
}

/** How far a text may go beyond its field: up to the edges of the page that are before and after it. */
function roomBeyond(
	align: 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom',
	[before, after]: readonly [number, number],
	isAuto: boolean,
): number {
	if (align === 'left' || align === 'top') return after;
	if (align === 'right' || align === 'bottom') return before;
	// A text in the middle may begin at the edge of its field instead.
	return isAuto ? after : 2 * Math.min(before, after);
}

/** How many letters are drawn: the first line always is, and others as long as there is room. */
function shownIn({ width, height, wraps }: Box, { letters, widths, lineHeight }: LaidOut): number {
	let end = 0;
	for (let start = 0, used = 0; start < letters.length;) {
		end = endOfLine(start, letters, widths, { width, wraps });
		used += lineHeight;
		const isOver = end === letters.length || letters[end] === '\n';
		if (end === start && !isOver) break;
		if (used + lineHeight > height || (!isOver && !wraps)) break;
		start = isOver ? end + 1 : end;
		while (!isOver && BREAKS[0] === letters[start]) start++;
	}
	return end;
}

/** A warning too few is better than one too many: some letters stand closer together, and some pages are wider. */
const LENIENCE = 0.98;

/** As much as fits into a line: whole words, or if not even one does, letters. */
function endOfLine(
	start: number,
	letters: string[],
	widths: number[],
	{ width, wraps }: Pick<Box, 'width' | 'wraps'>,
): number {
	let end = start;
	let afterWord = start;
	for (let used = 0; end < letters.length && letters[end] !== '\n'; end++) {
		const isBreak = BREAKS.includes(letters[end] ?? '');
		used += (widths[end] ?? 0) * LENIENCE;
		if (used > width) return !wraps || isBreak || afterWord === start ? end : afterWord;
		if (isBreak) afterWord = end + 1;
	}
	return end;
}

/** After these a line may end. */
const BREAKS = [' ', '-'];

/** What widths are parts of: a thousandth of the font size. */
const EM = 1000;
/** Of the letters from the blank to "~" in Noto Sans, with which Documenso draws. */
const WIDTHS = [
	260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 322, 268, 372, 572, 572, 572,
	572, 572, 572, 572, 572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556,
	519, 728, 741, 339, 273, 619, 524, 907, 760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586,
	566, 572, 329, 372, 329, 572, 444, 281, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 534,
	258, 935, 618, 605, 615, 615, 413, 479, 361, 618, 508, 786, 529, 510, 470, 380, 551, 380, 572,
];
const FIRST_WIDTH = 32;
/** Letters with accents are as wide as without. */
const OTHER = 600;
/** Chinese, Japanese and Korean ones. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function widthIn(letter: string): number {
	const known = WIDTHS[(letter.normalize('NFD').codePointAt(0) ?? 0) - FIRST_WIDTH];
	return known ?? (WIDE.test(letter) ? EM : OTHER);
}
